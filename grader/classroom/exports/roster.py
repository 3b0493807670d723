"""A roster: which row of Moodle's or Canvas's list is which learner here, by the names that
platforms give to what was handed in.

Moodle: ``Ada Love_1234567_assignsubmission_file_work.zip``; the number is the participant's, which
the offline worksheet calls ``Participant 1234567``. Canvas: ``loveada_LATE_4711_99_work.zip``; the
first number is the user's ID in the gradebook.

Its column `learner` holds the name that a submission has here. Without such a column the one is
taken in which the most learners are found: a user name, an e-mail address, a student number, or
what Moodle and Canvas write into the names of a bulk download (`bulk.py`).
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ...errors import WrongUse
from . import Wanted

MOODLE = re.compile(r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)(?:_.*)?")
CANVAS = re.compile(r"(?P<name>[^_]+)_(?:(?P<late>LATE)_)?(?P<id>\d+)_\d+_.+")


class Whose(NamedTuple):
    """What a platform's name tells: all that its learner may be called in a roster."""

    keys: tuple[str, ...]
    late: bool = False


def whose(name: str) -> Whose:
    """Under which names a submission's learner may stand in a roster."""
    moodle = MOODLE.fullmatch(name)
    if moodle:
        return Whose((name, f"Participant {moodle['id']}", moodle["id"], moodle["name"]))
    canvas = CANVAS.fullmatch(name)
    if canvas:
        return Whose((name, canvas["id"], canvas["name"]), bool(canvas["late"]))
    return Whose((name,))


def by_key(learners: Iterable[str]) -> dict[str, str]:
    """A name that a roster may use → the learner here; one that fits two fits nobody."""
    found: dict[str, str | None] = {}
    exact = set()
    for learner in learners:
        exact.add(learner)
        for key in whose(learner).keys:
            found[key] = learner if found.get(key, learner) == learner else None
    return {key: who for key, who in found.items() if who} | {name: name for name in exact}


COLUMN = "learner"


class Roster(NamedTuple):
    """The rows of a roster, the columns that its owner knows, and whose each row is."""

    columns: list[str]
    rows: list[dict[str, str]]
    by: str
    names: dict[str, str]

    def learner(self, row: dict[str, str]) -> str:
        """The learner here; what the roster says of whom nothing was handed in."""
        said = (row.get(self.by) or "").strip()
        return learner_called(said, self.names) or said


# «Participant 1234567», in any language of Moodle.
PARTICIPANT = re.compile(r"[^\W\d]\D* (\d+)")


def learner_called(said: str, names: Mapping[str, str]) -> str | None:
    """The learner here that a list calls so; None where it is nobody.

    Args:
        names: as `by_key` gives them.
    """
    participant = PARTICIPANT.fullmatch(said.strip())
    in_english = f"Participant {participant[1]}" if participant else ""
    return names.get(said.strip()) or names.get(in_english)


def roster(wanted: Wanted) -> Roster:
    """The roster that was given.

    Raises:
        WrongUse: none was, or nobody in it handed in anything.
    """
    if wanted.roster is None:
        raise WrongUse(
            "This format needs --roster FILE: the list of participants that Moodle or Canvas "
            "exports as CSV, with a column `learner` where the names differ from the submissions'."
        )
    reader = csv.DictReader(io.StringIO(wanted.roster.lstrip("\ufeff")))
    columns = [name for name in reader.fieldnames or [] if name]
    rows = [{name: row.get(name) or "" for name in columns} for row in reader]
    learners = {record["learner"] for record in wanted.records}
    names = by_key(learners)
    hits = {c: sum(learner_called(row[c], names) is not None for row in rows) for c in columns}
    by = COLUMN if COLUMN in columns else max(columns, key=lambda c: hits[c], default="")
    if not hits.get(by):
        raise WrongUse(
            f"No row of the roster names a learner of these results ({sample(learners)}). "
            "Add a column `learner` that holds the names of the submissions."
        )
    return Roster([name for name in columns if name != COLUMN], rows, by, names)


def notes(wanted: Wanted, found: Roster) -> list[str]:
    """Who is in the roster alone."""
    listed = {found.learner(row) for row in found.rows} - {""}
    alone = listed - {record["learner"] for record in wanted.records}
    return [f"In the roster without a submission: {sample(alone)}"] if alone else []


def not_arrived(wanted: Wanted, found: Roster) -> list[str]:
    """Whose hand-in has no grade in what is written, and why."""
    listed = {found.learner(row) for row in found.rows}
    names = {record["learner"] for record in wanted.records}
    unmarked = {r["learner"] for r in wanted.records if r["mark"] is None} & listed
    told = {"not in the roster": names - listed, "without a mark": unmarked}
    return [f"Not exported, {why}: {sample(who)}" for why, who in told.items() if who]


def sample(names: set[str]) -> str:
    some = sorted(names)[:8]
    return ", ".join(some) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
