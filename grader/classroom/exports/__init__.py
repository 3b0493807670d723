"""Export records to files, a function per format; all from the canonical result."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from ...course.outline import chapter_of, select_chapters
from ...errors import one_line
from ...learner.file_writer import Readers
from ...sandbox.isolation import FOR_MARKS
from ..intake.handed_out import Handout
from ..marks.grants import describe_grants, grant_target
from ..marks.learner_names import name_learners
from ..marks.record import (
    UNREADABLE,
    Record,
    compute_marks,
    list_unmarked,
    record_fault,
    replace_chapters,
)
from ..marks.roster import Person, map_owners


class Export(NamedTuple):
    """The files of an export, by their paths, and notes about them."""

    files: dict[str, bytes]
    notes: list[str]
    missing: Sequence[str] = ()  # what was left out, and why
    readers: Readers = "staff"


class ExportRequest(NamedTuple):
    """The request for an export."""

    records: list[Record]  # empty for a format that needs none
    place: str | None  # the folder or file of the records
    assignment: str  # the assignment's name in the platform's gradebook
    roster: str | None  # the text of a roster, if one was given
    chapters: list[str]  # only these, for a format that judges later
    course: str | None = None  # a `course.toml`, for a format that judges later
    isolation: str = FOR_MARKS  # the least isolation for a format that judges later
    handed_out: Handout | None = None  # what learners were given, for a format that judges later
    seed: str | None = None  # of the hidden inputs; None for a new secret
    visibility: str = "visible"  # when learners see the tests, in Gradescope's words
    people: Sequence[Person] = ()  # the class's roster, if there is one
    overwrite: bool = False  # whether to replace a platform's marks that differ from ours
    is_named: bool = False  # whether the assignment's name was given


def restrict_records(records: list[Record], chapters: Collection[str]) -> list[Record]:
    """Return the records as if only these chapters had been graded; unchanged without any. Raises
    `WrongUse` if one was not graded."""
    judged = (c["id"] for r in records if r["result"] for c in r["result"]["chapters"])
    if not chapters or not (known := list(dict.fromkeys(judged))):
        return records
    names = select_chapters(chapters, known)
    return [restrict_record(record, names) for record in records]


# Fields of a record whose keys begin with a chapter's id.
HELD = (
    "answers", "came_solved", "follow_through_by_exercise", "kept", "late", "open", "samples",
    "suites",
)  # fmt: skip


def restrict_record(record: Record, names: Collection[str]) -> Record:
    """Return the record with the points of these chapters: of 9 of 12 and 3 of 8, the 3 of 8.

    If one of them was not judged, there is no mark: a share of the rest would be wrong.
    """
    if record["result"] is None:
        return record
    made: Any = record.copy()
    chapters = [each for each in record["result"]["chapters"] if each["id"] in names]
    if lacking := sorted({*names} - {each["id"] for each in chapters}):
        made["status"] = UNREADABLE
        return record_fault(made, f"{', '.join(lacking)} is not judged yet: grade again.", None)
    made["result"] = result = replace_chapters(record["result"], chapters)
    for name in made.keys() & HELD:
        kept = [key for key in made[name] if chapter_of(key) in {*names, ""}]
        made[name] = (
            kept if isinstance(made[name], list) else {key: made[name][key] for key in kept}
        )
    grants = made.pop("granted", [])
    if own := [grant for grant in grants if chapter_of(grant_target(grant)) in names]:
        made["granted"] = own
    if "remarks" in made:
        made["says"] = " ".join(filter(None, (made["remarks"], *describe_grants(own))))
    for cause in result["unloadable"]:
        cause["exercises"] = [id for id in cause["exercises"] if chapter_of(id) in names]
    result["unloadable"] = [cause for cause in result["unloadable"] if cause["exercises"]]
    return compute_marks(made, record["policy"])


MOST_SAID = 20  # lines


def describe_unmarked(records: Sequence[Record], people: Sequence[Person] = ()) -> list[str]:
    """List learners without a mark, and why, and open answers not marked yet; a line each."""
    each, names = [], name_learners(map_owners(records), people)
    for r in records:
        name = names[r["learner"]]
        each += [f"Without a mark: {name}. {r['says']}"] if r["mark"] is None else []
        each += [f"Not marked yet: {name}, {id}" for id in list_unmarked(r)]
    rest = len(each) - MOST_SAID
    return [one_line(line) for line in each[:MOST_SAID]] + (
        [f"… and {rest} more"] if rest > 0 else []
    )


# format → (module, function, whether it needs results, the options that only some formats take)
FORMATS = {
    "json": ("tables", "export_json", True, ()),
    "junit": ("ci", "export_junit", True, ()),
    "csv": ("tables", "export_csv", True, ()),
    "moodle": ("tables", "export_moodle", True, ("--roster", "--assignment", "--overwrite")),
    "canvas": ("tables", "export_canvas", True, ("--roster", "--assignment", "--overwrite")),
    "html": ("pages", "export_pages", True, ("--assignment",)),
    "moodle-pages": ("pages", "export_moodle_pages", True, ("--roster",)),
    "github": ("ci", "export_annotations", True, ()),
    "workflow": ("ci", "export_workflow", False, ("--release",)),
    "central": ("ci", "export_central", False, ("--release",)),
    "gradescope": (
        "gradescope", "export_gradescope", False,
        ("--release", "--course", "--seed", "--isolation", "--visibility"),
    ),
}  # fmt: skip
