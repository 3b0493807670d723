"""Give what people have handed in together to each of them: a row, a mark, a page.

Gradescope names them (`platform_names.py`); elsewhere a hand-in has a group's name, and the roster
says who is in it. It is judged once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ...errors import one_line
from ..intake.handins import HandIn, fold_case, name_hand_ins
from ..intake.platform_names import parse_name
from .record import Record
from .roster import Person


def split_teams(handins: Sequence[HandIn], listed: Sequence[Person]) -> list[HandIn]:
    """Replace what a group of the roster has handed in by a hand-in of each member.

    ``Group A_17_assignsubmission_file`` of Moodle, ``groupa_5001_90001_ops.py`` of Canvas and a
    folder ``group_a`` are of Group A. A name that is somebody's own, or that two groups could have,
    stays as it is.
    """
    groups = _map_groups(listed)
    called = ((h, parse_name(h.whose)) for h in handins)
    asked = [(h, groups.get(_squash(said.name if said else h.whose))) for h, said in called]
    if not any(team for _, team in asked):
        return [*handins]
    return list(name_hand_ins([(h.path, who) for h, team in asked for who in team or [h.whose]]))


def share_record(record: Record, team: Sequence[HandIn]) -> list[Record]:
    """Return the record of each who has handed in together; one who was alone keeps theirs."""
    if len(team) < 2:
        return [record]
    names = [member.whose for member in team]
    says = one_line(f"Handed in together by {', '.join(names)}. {record['says']}".rstrip())
    shared = [record.copy() for _ in team]
    for each, member in zip(shared, team, strict=True):
        each.update({"learner": member.learner, "whose": member.whose, "says": says})
        each["team"] = names
    return shared


def is_first_of_team(record: Record) -> bool:
    """Whether a record stands for all who have handed in together, where code is compared."""
    team = record.get("team")
    return not team or record.get("whose") == team[0]


def _map_groups(listed: Sequence[Person]) -> Mapping[str, list[str]]:
    """Return folded name of a group → its members, each by a name that nobody else has."""
    count = Counter(person.name for person in listed)
    groups: dict[str, list[str]] = {}
    for person in listed:
        who = person.name if count[person.name] == 1 and person.name else person.keys[0]
        for group in filter(None, map(str.strip, person.group.split(","))):
            groups.setdefault(group, []).append(who)
    alike = Counter(map(_squash, groups))
    own = {_squash(key) for person in listed for key in person.keys}
    return {
        name: members
        for group, members in groups.items()
        if alike[name := _squash(group)] == 1 and name not in own
    }


def _squash(name: str) -> str:
    """Fold a name as the strictest platform does: ``Group A-1`` becomes ``groupa1``."""
    return "".join(filter(str.isalnum, fold_case(name)))
