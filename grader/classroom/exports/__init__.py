"""A format per function: from records to files. Everything is made of the canonical result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ...sandbox.isolation import FOR_MARKS
from ..files import Readers, one_line
from ..handed_out import HandedOut
from ..record import Record, without_points
from ..roster import Person


class Export(NamedTuple):
    """The files of an export, by their paths, and what there is to say about it."""

    files: dict[str, bytes]
    notes: list[str]
    missing: Sequence[str] = ()  # what did not arrive in them, and why
    readers: Readers = "staff"


class Wanted(NamedTuple):
    """What was asked for."""

    records: list[Record]  # what was judged; empty for a format that needs none
    place: str | None  # where they came from
    assignment: str  # the name of the assignment in the gradebook of others
    roster: str | None  # the text of a roster, where one was given
    chapters: list[str]  # only these, for a format that judges later
    course: str | None = None  # a `course.toml`, for a format that judges later
    isolation: str = FOR_MARKS  # without which that format is not to judge
    handed_out: HandedOut | None = None  # what learners were given, for a format that judges later
    seed: str | None = None  # of the inputs that it asks; None for a secret one
    visibility: str = "visible"  # from when learners see the tests, in Gradescope's words
    people: Sequence[Person] = ()  # the class's own list, where there is one
    overwrite: bool = False  # marks and comments of a platform's that differ from ours


MOST_SAID = 20  # of those without a mark


def say_unmarked(records: Iterable[Record]) -> list[str]:
    """Who has no mark, and why, and whose open answers have none yet; a line each."""
    each = []
    for r in records:
        each += [f"Without a mark: {r['learner']}. {r['says']}"] if r["mark"] is None else []
        each += [f"Not marked yet: {r['learner']}, {id}" for id in without_points(r)]
    rest = len(each) - MOST_SAID
    return [one_line(line) for line in each[:MOST_SAID]] + (
        [f"… and {rest} more"] if rest > 0 else []
    )


# format → (its module, its function, whether it is made from results)
FORMATS = {
    "json": ("tables", "export_json", True),
    "junit": ("ci", "export_junit", True),
    "csv": ("tables", "export_csv", True),
    "moodle": ("tables", "export_moodle", True),
    "canvas": ("tables", "export_canvas", True),
    "html": ("pages", "export", True),
    "github": ("ci", "export_annotations", True),
    "workflow": ("ci", "export_workflow", False),
    "central": ("ci", "export_central", False),
    "gradescope": ("gradescope", "export", False),
}
