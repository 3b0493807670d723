"""The named mistakes of the course as a data set: each with its code, its sentence, and which
checks catch it. docs/mistakes.md says what stands in it."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from .. import __version__
from ..about import COURSE
from ..course import Exercise, Mistake
from ..course.key_file import ChapterKey, Json, Key
from ..course.load import Course
from ..course.outline import chapter_of
from ..judge.outcome import outcome
from ..sandbox.observation import Observation
from ..verdict import PASSED
from .proof import target_of

if TYPE_CHECKING:
    from ..course.key_rows import CheckRow, Outcome

SCHEMA = "grader-mistakes/1"
SHOWN = ("id", "exercise", "title", "part", "compare", "weight", "hidden")


def make_data_set(course: Course, key: Key, ids: Collection[str]) -> Json:
    """The data set of these exercises, as plain values."""
    wanted = [e for e in course.exercises.values() if e.id in ids and e.mistakes]
    names = {e.id for e in wanted}
    checks = [
        {**{n: value for n, value in check.items() if n in SHOWN}, "probes": len(check["probes"])}
        for chapter in key.chapters
        if any(chapter_of(id) == chapter for id in names)
        for check in key.chapter(chapter).checks
        if check["exercise"] in names
    ]
    return {
        "schema": SCHEMA,
        "course": {"name": COURSE.distribution, "version": __version__, "licence": "MIT"},
        "checks": checks,
        "exercises": [_exercise(course, exercise) for exercise in wanted],
        "mistakes": list(_mistakes(course, key, wanted)),
    }


def _exercise(course: Course, exercise: Exercise) -> dict[str, object]:
    """What an exercise asks, and the reference's own bodies."""
    return {
        "id": exercise.id,
        "section": exercise.section,
        "points": exercise.points,
        "needs": list(exercise.needs),
        "reference": {target: _plain(course.regions[target].body) for target in exercise.targets},
    }


def _mistakes(course: Course, key: Key, exercises: list[Exercise]) -> Iterator[dict[str, object]]:
    for exercise in exercises:
        chapter = key.chapter(exercise.chapter)
        gives = key.gives(exercise.id)
        for mistake in exercise.mistakes:
            kills = checks_that_catch(chapter, exercise.id, gives.get(mistake.name, {}))
            yield _mistake(exercise, mistake) | {"caught_by": kills}


def _mistake(exercise: Exercise, mistake: Mistake) -> dict[str, object]:
    target = target_of(exercise, mistake)
    return {
        "id": f"{exercise.id}/{mistake.name}",
        "exercise": exercise.id,
        "target": target,
        "body": _plain(mistake.body),
        "says": mistake.says,
        "told_by_text": {"has": list(mistake.has), "lacks": list(mistake.lacks)},
        "seen": mistake.seen,
    }


def _plain(body: str) -> str:
    """A body that begins in the first column."""
    return textwrap.dedent(body).strip("\n")


def checks_that_catch(
    chapter: ChapterKey, exercise: str, gives: Mapping[int, Outcome]
) -> list[str]:
    """The ids of the checks of an exercise that a mistake fails, in the suite's order."""
    checks = [check for check in chapter.checks if check["exercise"] == exercise]
    return [check["id"] for check in checks if not _passes(chapter, check, gives)]


def _passes(chapter: ChapterKey, check: CheckRow, gives: Mapping[int, Outcome]) -> bool:
    """Whether what the mistake gave is right for every probe of a check."""
    for number in check["probes"]:
        parts = gives.get(number, {}).get("parts")
        if parts is None:
            return False
        got = Observation("arrays", {}, parts)
        if outcome(chapter, check, number, got).status != PASSED:
            return False
    return True
