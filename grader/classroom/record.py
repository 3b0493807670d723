"""A record, `grader-record/1`: what is kept of one hand-in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple, TypedDict, TypeGuard

from .files import RECORD, conforms

if TYPE_CHECKING:
    from ..result_rows import (
        ChapterResult,
        ExerciseResult,
        IsolationResult,
        Result,
        Sample,
        Unloadable,
    )

SCHEMA = "grader-record/1"
GRADED, UNREADABLE, OUR_FAULT = "graded", "unreadable", "our_fault"

Marks = dict[str, float]  # own, follow_through, mark and max_mark


class OpenMark(TypedDict, total=False):
    """What a person gave an open answer; all but the first are missing until somebody has."""

    max_points: float
    points: float
    items: list[float]
    comment: str
    key: str


class Seen(TypedDict, total=False):
    """What else the files of a hand-in say."""

    answers: dict[str, str]
    came_solved: list[str]
    revealed: dict[str, int]
    prints: dict[str, str]


class Head(Seen, total=False):
    """What a record says before anything is judged, and what lateness and people add."""

    schema: str
    learner: str
    submission: str
    status: str
    whose: str
    sha256: str | None
    says: str
    version: str
    suites: dict[str, str]
    samples: dict[str, Sample]
    counts: bool
    came: str
    late: dict[str, dict[str, float]]  # chapter → by how many hours, and which factor is left
    open: dict[str, OpenMark]
    follow_through_by_exercise: dict[str, float]


class Judged(Head):
    """The same with a result, before it has its marks."""

    result: Result


class Graded(Judged):
    """A record with its marks; `marks` has those of each exercise and open question."""

    policy: str
    own: float
    follow_through: float
    mark: float
    max_mark: float
    marks: dict[str, Marks]


class Unjudged(Head):
    """A record without: nothing was judged, which is not a zero."""

    result: None
    policy: None
    own: None
    follow_through: None
    mark: None
    max_mark: None
    marks: dict[str, Marks]


Record = Graded | Unjudged
Read = Callable[[str], Record | None]  # gives a learner's record


class Summary(TypedDict):
    """A record in one line."""

    learner: str
    status: str
    mark: float | None
    max_mark: float | None
    own: float | None
    follow_through: float | None
    submission: str
    sha256: str | None
    says: str
    isolation: str | None


class Attempt(TypedDict):
    """What tells which of somebody's hand-ins counts."""

    learner: str
    whose: str
    mark: float | None
    came: str | None


class Brief(Summary):
    """What a summary of a class needs of a record: whole ones would fill the memory."""

    whose: str
    came: str | None
    counts: bool
    policy: str | None
    held: IsolationResult | None
    timed_out: bool
    untouched: bool
    came_solved: int
    late: str


class Line(NamedTuple):
    """One exercise of one learner."""

    record: Record
    chapter: ChapterResult
    exercise: ExerciseResult


def whole(record: object) -> TypeGuard[Record]:
    """Whether a file held a record; one that somebody damaged counts as not there."""
    return (
        isinstance(record, dict)
        and conforms(record, RECORD)
        and ((record["status"] != GRADED) == (record["result"] is None))
    )


def by_learner(record: Record | Summary) -> str:
    return record["learner"]


def summary(record: Record) -> Summary:
    """A record in one line; no points where nothing was judged: that is not a zero."""
    return {
        "learner": record["learner"], "status": record["status"], "mark": record["mark"],
        "max_mark": record["max_mark"], "own": record["own"],
        "follow_through": record["follow_through"], "submission": record["submission"],
        "sha256": record["sha256"], "says": record["says"],
        "isolation": record["result"]["isolation"]["level"] if record["result"] else None,
    }  # fmt: skip


def unloadable(record: Record) -> list[Unloadable]:
    """What keeps files from being imported, each cause once, however much waits for it."""
    return record["result"]["unloadable"] if record["result"] else []


def lines(of: Iterable[Record]) -> Iterator[Line]:
    """Every exercise that was judged, of every learner."""
    for record in of:
        for chapter in record["result"]["chapters"] if record["result"] else ():
            for exercise in chapter["exercises"]:
                yield Line(record, chapter, exercise)
