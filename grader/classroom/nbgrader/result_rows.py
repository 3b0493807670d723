"""The results of `grader grade` as rows for a gradebook: its marks, under its policy."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ...course.outline import is_chapter
from ...errors import WrongUse
from ..files import read_json
from ..results import ENDING
from . import cell_marks as book
from .bench import Bench, bench
from .course_folder import Row

if TYPE_CHECKING:
    from ...course.key_rows import Result


def rows(folder: str, assignments: Iterable[str]) -> Iterator[Row]:
    """A row per learner and assignment that was graded.

    Raises:
        WrongUse: the folder holds no results, or none of these assignments.
    """
    place = os.path.join(folder, "learners")
    if not os.path.isdir(place):
        make = f"`grader grade … --out {folder}`"
        raise WrongUse(f"{folder} holds no results. Make some with {make}.")
    batch = read_json(os.path.join(folder, "batch.json")) or {}
    asked = list(assignments)
    wanted = [name for name in asked if name in batch.get("chapters", ())]
    if not wanted:
        more = f"--out {folder} --chapters {' '.join(asked)}"
        raise WrongUse(
            f"{folder} holds no marks of {' or '.join(asked)}. Make some: `grader grade … {more}`."
        )
    judge = bench(folder)
    for name in sorted(n for n in os.listdir(place) if n.endswith((".json", ENDING))):
        record = _record(os.path.join(place, name))
        learner, mine = whose(record, wanted)
        for assignment in mine:
            yield row(judge, record, learner, assignment)


def _record(path: str) -> dict[str, Any]:
    found = read_json(path)
    if not isinstance(found, dict):
        raise WrongUse(f"{path} cannot be read. Grade this learner again.")
    return found


def whose(record: dict[str, Any], wanted: list[str]) -> tuple[str, list[str]]:
    """The learner of a record, and the assignments that it is about.

    What came from `submitted/LEARNER/ASSIGNMENT` is about this one only.
    """
    folder, name = os.path.split(str(record["submission"]))
    if is_chapter(name) and os.path.basename(os.path.dirname(folder)) == "submitted":
        return os.path.basename(folder), [name] if name in wanted else []
    return str(record["learner"]), wanted


def row(judge: Bench, record: dict[str, Any], learner: str, assignment: str) -> Row:
    """One learner's marks in one assignment."""
    if record["status"] != "graded":
        says = str(record.get("says") or "It could not be judged.")
        marks = book.crashed(judge.asked(assignment), says)
        return Row(assignment, learner, marks, [says], True)
    whole: Result = record["result"]
    chapters = [chapter for chapter in whole["chapters"] if chapter["id"] == assignment]
    scores = {id: float(entry["mark"]) for id, entry in record["marks"].items()}
    return Row(assignment, learner, book.of_result({**whole, "chapters": chapters}, scores), [])
