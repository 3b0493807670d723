"""Results to write something from: a folder of records, one record, or one canonical result."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import WrongUse
from .files import RESULT, conforms, read_json
from .marks import marked
from .results import GRADED, Results, whole
from .results import SCHEMA as RECORD

if TYPE_CHECKING:
    from ..course.key_rows import ChapterResult, ExerciseResult, Unloadable

Read = Callable[[str], "dict[str, Any] | None"]


class Line(NamedTuple):
    """One exercise of one learner."""

    record: dict[str, Any]
    chapter: ChapterResult
    exercise: ExerciseResult


def records(place: str) -> list[dict[str, Any]]:
    """Every record at this place.

    Raises:
        WrongUse: there is none that can be read.
    """
    if os.path.isdir(place):
        found = [r for r in Results(place).records() if r.get("counts", True)]
        if not found:
            raise WrongUse(f"{place} holds no results yet. Run `grader grade` first.")
        return found
    if not os.path.exists(place):
        raise WrongUse(f"There is no {place}. Name a folder of results, or a result as JSON.")
    read = read_json(place)
    if whole(read):
        return [read]
    if conforms(read, RESULT):
        return [_of_result(read)]
    raise WrongUse(
        f"{place} is no result of this grader. Name a folder of results, or what "
        "`grader check --json` printed."
    )


def batch_at(place: str) -> dict[str, Any]:
    """What is on record of the class at this place; nothing where it is a single result."""
    found = read_json(os.path.join(place, "batch.json"))
    return found if isinstance(found, dict) else {}


def one_by_one(place: str) -> tuple[Iterator[dict[str, Any]], Read]:
    """Every record at this place, and how to read one of them again, for who holds few at a time.

    Raises:
        WrongUse: as `records`.
    """
    if not os.path.isdir(place):
        found = records(place)
        return iter(found), {record["learner"]: record for record in found}.get
    results = Results(place)
    names = (r for r in results.each() if r.get("counts", True))
    first = next(names, None)
    if first is None:
        raise WrongUse(f"{place} holds no results yet. Run `grader grade` first.")
    return chain([first], names), results.read


def _of_result(result: dict[str, Any]) -> dict[str, Any]:
    """A record around one canonical result."""
    path = str(result["package"]["path"])
    learner = os.path.basename(os.path.dirname(path)) or "package"
    record = {
        "schema": RECORD, "learner": learner, "submission": path, "status": GRADED, "says": "",
        "sha256": result["package"]["sha256"], "result": result, "follow_through_by_exercise": {},
    }  # fmt: skip
    return marked(record, "own")


def unloadable(record: dict[str, Any]) -> list[Unloadable]:
    """What keeps files from being imported, each cause once, however much waits for it."""
    causes: list[Unloadable] = record["result"]["unloadable"] if record["result"] else []
    return causes


def lines(of: list[dict[str, Any]]) -> Iterator[Line]:
    """Every exercise that was judged, of every learner."""
    for record in of:
        for chapter in record["result"]["chapters"] if record["result"] else ():
            for exercise in chapter["exercises"]:
                yield Line(record, chapter, exercise)
