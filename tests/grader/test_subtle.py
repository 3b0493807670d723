"""Wrong solutions that look right lose points: those of `tests/subtle/` and `tests/held_out/`.

And right ones that look strange lose none: those of `tests/unusual/` and `tests/held_out/`.
"""

from __future__ import annotations

import ast
import importlib
import itertools
import math
from pathlib import Path

import pytest

from grader import root
from grader.audit.proof import CourseCheck, costs_enough
from grader.course.splice import target_file
from tests.held_out import right_bodies, wrong_bodies
from tests.subtle import bodies

FILES = Path(root.path("tests", "subtle")).glob("chapter*.py")
CHAPTERS = sorted(path.stem for path in FILES)


THIRDS = range(3)  # of a chapter's rows


def full(proof: CourseCheck, chapter: str, third: int) -> list[str]:
    """The names of those in one third that earn nearly all points of their exercise."""
    course, found = proof.course, []
    rows = [*bodies(course, chapter), *wrong_bodies(course, chapter)]
    for name, target, body in rows[third :: len(THIRDS)]:
        exercise = course.owner[target]
        sources = course.replace_bodies({target: body})
        ast.parse(sources[target_file(target, course.solutions)[0]], name)  # wrong, and yet Python
        ((_, score),) = proof.scores(sources, [exercise.id])
        if not costs_enough(score, exercise.points):
            found.append(name)
    return found


@pytest.mark.sampled(quick=16, long=4)
@pytest.mark.parametrize("chapter, third", [*itertools.product(CHAPTERS, THIRDS)])
def test_what_looks_right_and_is_not_loses_a_tenth(chapter, third, proof):
    assert full(proof, chapter, third) == []


@pytest.mark.sampled(quick=8, long=4)
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_what_is_right_in_unusual_words_loses_none(chapter, proof):
    course = proof.course
    sources = course.replace_bodies(
        importlib.import_module(f"tests.unusual.{chapter}").UNUSUAL.bodies
    )
    ids = [id for id in course.exercises if id.startswith(f"{chapter}.")]
    poor = [
        id
        for id, score in proof.scores(sources, ids)
        if not math.isclose(score, course.exercises[id].points)
    ]
    assert poor == []


@pytest.mark.sampled(quick=16, long=4)
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_each_right_body_of_a_stranger_has_all_points(chapter, proof):
    course, poor = proof.course, []
    for name, target, body in right_bodies(course, chapter):
        exercise = course.owner[target]
        ((_, score),) = proof.scores(course.replace_bodies({target: body}), [exercise.id])
        if not math.isclose(score, exercise.points):
            poor.append(name)
    assert poor == []
