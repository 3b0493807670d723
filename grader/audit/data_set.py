"""The data set of mistakes: each with its code, its sentence, and the checks that catch it.

docs/mistakes.md describes its fields. It is computed from the stored answers and cached: while the
sources, the judge and this module stay the same, nothing of the course is imported again.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from .. import __version__, root
from ..about import COURSE
from ..course.key_file import ChapterKey, Json, Key
from ..course.outline import chapter_of
from ..course.source_digest import files_below, stamp
from ..judge.outcome import compare_probe
from ..memo import Memo, hash_values
from ..sandbox.observation import Observation
from ..verdict import PASSED

if TYPE_CHECKING:
    from ..course import Exercise
    from ..course.key_rows import CheckRow, MistakeOutcome
    from ..course.load import Course

SCHEMA = "grader-mistakes/1"
SHOWN = ("id", "exercise", "title", "part", "compare", "weight", "hidden")
# Files that shape it, beside the sources, which name the slices of the key.
MAKERS = ("__init__.py", "audit/data_set.py", "judge", "verdict.py")


def read_data_set(key: Key, ids: list[str]) -> Json:
    """Return the data set of these exercises; make it from the sources if it is not cached."""
    memo = Memo()
    slices = [key.table["names"][chapter] for chapter in dict.fromkeys(map(chapter_of, ids))]
    makers = stamp(files_below([os.path.join(root.PACKAGE, name) for name in MAKERS]))
    name = hash_values("data set", ids, slices, makers)
    found: Json | None = memo.recall(name)
    if found is None:
        from ..course.load import read_course  # NumPy and every module of the course

        found = make_data_set(read_course(), key, ids)
        memo.remember(name, found)
    return found


def make_data_set(course: Course, key: Key, ids: list[str]) -> Json:
    """Return the data set of these exercises, as plain values."""
    wanted = [course.exercises[id] for id in ids if course.exercises[id].mistakes]
    names = {e.id for e in wanted}
    checks = [
        {**{n: value for n, value in check.items() if n in SHOWN}, "probes": len(check["probes"])}
        for chapter in dict.fromkeys(exercise.chapter for exercise in wanted)
        for check in key.chapter(chapter).checks
        if check["exercise"] in names
    ]
    return {
        "schema": SCHEMA,
        "course": {"name": COURSE.distribution, "version": __version__, "licence": "MIT"},
        "checks": checks,
        "exercises": [_exercise(course, exercise) for exercise in wanted],
        "mistakes": list(_mistakes(key, wanted)),
    }


def _exercise(course: Course, exercise: Exercise) -> dict[str, object]:
    """Return the row of an exercise: its task, and the reference's own bodies."""
    return {
        "id": exercise.id,
        "section": exercise.section,
        "points": exercise.points,
        "needs": list(exercise.needs),
        "reference": {target: _plain(course.regions[target].body) for target in exercise.targets},
    }


def _mistakes(key: Key, exercises: list[Exercise]) -> Iterator[dict[str, object]]:
    for exercise in exercises:
        chapter, gives = key.chapter(exercise.chapter), key.gives(exercise.id)
        for mistake in exercise.mistakes:
            yield {
                "id": f"{exercise.id}/{mistake.name}",
                "exercise": exercise.id,
                "target": exercise.target_of(mistake),
                "body": _plain(mistake.body),
                "says": mistake.says,
                "told_by_text": {"has": list(mistake.has), "lacks": list(mistake.lacks)},
                "seen": mistake.seen,
                "caught_by": checks_that_catch(chapter, exercise.id, gives.get(mistake.name, {})),
            }


def _plain(body: str) -> str:
    """Shift a body to the first column."""
    return textwrap.dedent(body).strip("\n")


def checks_that_catch(
    chapter: ChapterKey, exercise: str, gives: Mapping[int, MistakeOutcome]
) -> list[str]:
    """Return the ids of an exercise's checks that a mistake fails, in the suite's order."""
    checks = [check for check in chapter.checks if check["exercise"] == exercise]
    return [check["id"] for check in checks if not _passes(chapter, check, gives)]


def _passes(chapter: ChapterKey, check: CheckRow, gives: Mapping[int, MistakeOutcome]) -> bool:
    """Whether a mistake gives the right answer for every probe of a check."""
    for number in check["probes"]:
        parts = gives.get(number, {}).get("parts")
        if parts is None:
            return False
        got = Observation("arrays", {}, parts)
        if compare_probe(chapter, check, number, got).status != PASSED:
            return False
    return True
