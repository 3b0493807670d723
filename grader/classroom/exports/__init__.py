"""A format per module: from records to files. Everything is made of the canonical result."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...sandbox.isolation import FOR_MARKS
from ..handed_out import HandedOut


class Export(NamedTuple):
    """The files of an export, by their paths, and what there is to say about it."""

    files: dict[str, bytes]
    notes: list[str]


class Wanted(NamedTuple):
    """What was asked for.

    Attributes:
        records: what was judged; empty for a format that needs none.
        place: where they came from.
        assignment: the name of the assignment in the gradebook of others.
        roster: the text of a roster, where one was given.
        chapters: only these, for a format that judges later.
        course: a `course.toml`, for a format that judges later.
        isolation: without which that format is not to judge.
        handed_out: what learners were given, for a format that judges later.
        seed: of the inputs that it asks; None for a secret one.
        visibility: from when learners see the tests, in Gradescope's words.
    """

    records: list[dict[str, Any]]
    place: str | None
    assignment: str
    roster: str | None
    chapters: list[str]
    course: str | None = None
    isolation: str = FOR_MARKS
    handed_out: HandedOut | None = None
    seed: str | None = None
    visibility: str = "visible"


# format → (its module, whether it is made from results)
FORMATS = {
    "json": ("as_json", True),
    "junit": ("junit", True),
    "csv": ("plain_csv", True),
    "moodle": ("moodle", True),
    "canvas": ("canvas", True),
    "html": ("pages", True),
    "github": ("annotations", True),
    "workflow": ("workflow", False),
    "central": ("central", False),
    "gradescope": ("gradescope", False),
}
