"""Give what people have handed in together to each of them: a row, a mark, a page.

Gradescope names them (`platform_names.py`); elsewhere a hand-in has a group's name, and the roster
says who is in it. It is judged once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime

from ...errors import one_line
from ..intake.handins import HandIn, fold_case, name_hand_ins
from ..intake.platform_names import parse_name
from .record import Record
from .roster import Person, index_learners, index_roster_names


def split_teams(handins: Sequence[HandIn], listed: Sequence[Person]) -> list[HandIn]:
    """Replace what a group of the roster has handed in by a hand-in of each member.

    ``Group A_17_assignsubmission_file`` of Moodle, ``groupa_5001_90001_ops.py`` of Canvas and a
    folder ``group_a`` are of Group A. A name that is somebody's own, or that two groups could have,
    stays as it is. Moodle's ``Default group`` is of all who are in none. What a member has handed
    in alone, too, is another attempt of theirs.
    """
    groups = _map_groups(listed)
    asked = [(h, _find_team(h.whose, groups)) for h in handins]
    shared = {who for _, team in asked for who in team}
    if not shared:
        return [*handins]
    members = {p: who for p, who in _name_people(listed).items() if who in shared}
    own = index_roster_names((h.whose for h, team in asked if not team), members)
    alone = {own[key]: who for p, who in members.items() for key in p.keys if key in own}
    every = ((h.path, who) for h, team in asked for who in team or [alone.get(h.whose, h.whose)])
    return list(name_hand_ins([*every]))


def _find_team(name: str, groups: Mapping[str, list[str]]) -> list[str]:
    """Return the members of the group that a hand-in's name is of; none of another name."""
    said = parse_name(name)
    is_default = said is not None and said.platform == "Moodle" and not said.id
    return groups.get(NO_GROUP if is_default else _squash(said.name if said else name), [])


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


def index_renamed(handins: Sequence[HandIn], split: Sequence[HandIn]) -> dict[str, str]:
    """Return name in a list → path, of the hand-ins that have other names in ``split``: a team's,
    and that of a member who has handed in alone, too."""
    known = {handin.learner for handin in split}
    paths = {h.learner: h.path for h in handins if h.learner not in known}
    return {name: paths[who] for name, who in index_learners(paths).items()}


def share_times(
    times: Mapping[str, datetime], renamed: Mapping[str, str], split: Sequence[HandIn]
) -> tuple[dict[str, datetime], set[str]]:
    """Give a time that a list has under the name of a team's hand-in to each member, unless they
    have their own.

    Args:
        times: name in the list, a learner's where known → time.
        renamed: by `index_renamed`.
        split: the hand-ins, with one for each member (`split_teams`).

    Returns:
        Learner → time, and the names that belong to no hand-in.
    """
    alike = Counter(map(_squash, renamed))
    teams = {_squash(n): path for n, path in renamed.items() if alike[_squash(n)] == 1}
    found = {name: renamed.get(name) or teams.get(_squash(name)) for name in times}
    came = {path: times[name] for name, path in found.items() if path}
    known = {handin.learner for handin in split}
    shared = {each.learner: came[each.path] for each in split if each.path in came}
    return {**shared, **times}, {n for n, path in found.items() if not path and n not in known}


def is_first_of_team(record: Record) -> bool:
    """Whether a record stands for all who have handed in together, where code is compared."""
    team = record.get("team")
    return not team or record.get("whose") == team[0]


def _map_groups(listed: Sequence[Person]) -> Mapping[str, list[str]]:
    """Return folded name of a group → its members, each by a name that nobody else has."""
    groups: dict[str, list[str]] = {}
    nowhere = []
    for person, who in _name_people(listed).items():
        asked = [*filter(None, map(str.strip, person.group.split(",")))]
        nowhere += [] if asked else [who]
        for group in asked:
            groups.setdefault(group, []).append(who)
    alike = Counter(map(_squash, groups))
    own = {_squash(key) for person in listed for key in person.keys}
    default = {NO_GROUP: nowhere} if groups else {}
    return default | {
        name: members
        for group, members in groups.items()
        if alike[name := _squash(group)] == 1 and name not in own
    }


NO_GROUP = "default group"  # the key of those who are in none: no name is squashed to it


def _name_people(listed: Sequence[Person]) -> dict[Person, str]:
    """Return person → their name, or what tells two of one name apart."""
    count = Counter(person.name for person in listed)
    return {p: p.name if p.name and count[p.name] == 1 else p.keys[0] for p in listed}


def _squash(name: str) -> str:
    """Fold a name as the strictest platform does: ``Group A-1`` becomes ``groupa1``."""
    return "".join(filter(str.isalnum, fold_case(name)))
