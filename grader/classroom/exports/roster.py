"""A roster: which row of Moodle's or Canvas's list is which learner here.

Its column `learner` holds the name that a submission has here. Without such a column the one is
taken in which the most learners are found: a user name, an e-mail address, a student number, or
what Moodle and Canvas write into the names of a bulk download (`bulk.py`).
"""

from __future__ import annotations

import csv
import io
from typing import NamedTuple

from ...errors import WrongUse
from . import Wanted
from .bulk import by_key

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
        return self.names.get(said, said)


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
    hits = {c: sum(row[c].strip() in names for row in rows) for c in columns}
    by = COLUMN if COLUMN in columns else max(columns, key=lambda c: hits[c], default="")
    if not hits.get(by):
        raise WrongUse(
            f"No row of the roster names a learner of these results ({sample(learners)}). "
            "Add a column `learner` that holds the names of the submissions."
        )
    return Roster([name for name in columns if name != COLUMN], rows, by, names)


def notes(wanted: Wanted, found: Roster) -> list[str]:
    """Who is in one list and not in the other."""
    learners = {record["learner"] for record in wanted.records}
    listed = {found.learner(row) for row in found.rows} - {""}
    told = []
    if learners - listed:
        told.append(f"Not in the roster, so not exported: {sample(learners - listed)}")
    if listed - learners:
        told.append(f"In the roster without a submission: {sample(listed - learners)}")
    return told


def sample(names: set[str]) -> str:
    some = sorted(names)[:8]
    return ", ".join(some) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
