"""What an nbgrader course is judged with: the course, and the key of its class.

Without more, that is the course and the key that the grader came with: their hidden inputs are
drawn from a public seed. With a folder of `grader grade` behind it, it is the class's own: its
secret inputs, and the instructor's exercises and points.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from ...course import outline
from ...course.key_file import Key
from ...course.key_source import open_key
from ...course.load import Course, load
from ...course.schema import Exercise
from ...errors import OurFault, WrongUse
from ...learner.workspace import STATE
from ..files import read_json


@dataclass(frozen=True)
class Bench:
    """A course and its key."""

    course: Course
    key: Key

    @cached_property
    def by_cell(self) -> dict[str, Exercise]:
        """The name of a test cell → its exercise."""
        return {e.anchor: e for e in self.course.exercises.values()}

    def asked(self, assignment: str) -> list[Exercise]:
        """The exercises that an assignment asks for."""
        every = self.course.exercises.values()
        return [e for e in every if e.chapter == assignment and not e.given]

    def stubs(self, assignment: str, earlier: str) -> dict[str, str]:
        """The package as it was handed out with an assignment."""
        return self.course.stubs(first(assignment, earlier))

    def given(self, assignment: str, earlier: str) -> set[str]:
        """The exercises that came written."""
        return outline.given(self.key.outline, first(assignment, earlier))


def number_of(assignment: str) -> int:
    """The chapter number of an assignment; 0 for one that is no chapter."""
    return outline.number_of(assignment) if outline.is_chapter(assignment) else 0


def first(assignment: str, earlier: str) -> int:
    """The chapter at which the package that was handed out begins to be the learner's."""
    return number_of(assignment) if earlier == "given" else 0


def earlier_in(folder: str) -> str:
    """Whether the chapters before came solved: where the handed-out workspace begins says so."""
    state = read_json(os.path.join(folder, STATE, "workspace.json"))
    begins = state.get("from") if isinstance(state, dict) else None
    at_one = begins == f"{outline.CHAPTER}1"
    return "own" if at_one and os.path.basename(folder) != begins else "given"


@cache
def the_course() -> Course:
    return load()


@cache
def the_key() -> Key:
    return open_key()


@cache
def bench(results: str = "") -> Bench:
    """The bench of a class.

    Args:
        results: a folder of `grader grade`; empty for the course's own key.

    Raises:
        WrongUse: the folder holds no key.
    """
    from ..cohort import key_at
    from ..overlay import course_of

    if not results:
        return Bench(the_course(), the_key())

    batch: Any = read_json(os.path.join(results, "batch.json"))
    try:
        overlay = batch.get("course")
        return Bench(course_of(overlay), key_at(os.path.join(results, "answers.key"), overlay))
    except (AttributeError, OSError, OurFault) as error:
        raise WrongUse(
            f"{results} holds no key of a class. Name a folder of `grader grade`, or make one with "
            "`grader notebooks OUT --results RESULTS`."
        ) from error
