"""A submission's marks as nbgrader keeps them, and what they are judged with: course and class key.

Without more, that is the course and the key that the grader came with: their hidden inputs are
drawn from a public seed. With a folder of `grader grade` behind it, it is the class's own: its
secret inputs, and the instructor's exercises and points.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

from ...course import outline
from ...course.key_file import Key
from ...course.key_source import open_key
from ...course.load import Course, load
from ...course.package import NAME
from ...course.schema import Exercise
from ...errors import OurFault, WrongUse
from ...grade_package import Grading
from ...learner import notebook_report
from ...learner.workspace import STATE
from ...result import result
from ...sandbox.isolation import FOR_MARKS
from ...sandbox.launch import launch
from ..files import read_json
from ..marks import true_places
from ..submission import Submission

if TYPE_CHECKING:
    from ...result_rows import ChapterResult, ExerciseResult, Result


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
def bench(results: str = "") -> Bench:
    """The bench of a class; without its folder of results that of the course's own key.

    Raises:
        WrongUse: the folder holds no key.
    """
    from ..cohort import key_at
    from ..overlay import course_of
    from ..results import batch_at

    if not results:
        return Bench(load(), open_key())
    try:
        overlay = batch_at(results).get("course")
        return Bench(course_of(overlay), key_at(os.path.join(results, "answers.key"), overlay))
    except (OSError, OurFault) as error:
        raise WrongUse(
            f"{results} holds no key of a class. Name a folder of `grader grade`, or make one with "
            "`grader notebooks OUT --results RESULTS`."
        ) from error


ANSWER = "-answer"  # an exercise's answer cell is called like its test cell, and this


class Mark(NamedTuple):
    """What one exercise earned."""

    # score, max_score: in the course's points; a cell may be worth something else.
    score: float
    max_score: float
    comment: str  # one paragraph for the learner; empty where all is right
    shown: notebook_report.Shown  # the report, as HTML and as text

    def worth(self, cell_points: float) -> float:
        """The score in a cell that is worth so much."""
        if not self.max_score:
            return 0.0
        return float(round(self.score * cell_points / self.max_score, 4))


def marks(
    bench: Bench,
    submission: Submission,
    asked: list[Exercise],
    came_written: set[str],
    reveal: bool = False,
    least: str = FOR_MARKS,
) -> dict[str, Mark]:
    """Test cell → its mark. The package is judged in the worker, as `grader check` does.

    Raises:
        WrongUse: workers here are less isolated than was demanded.
    """
    grading = Grading(
        bench.key, submission.package, launch, came_written, least=least, apart=not reveal,
        reference=bench.course.solved,
    )  # fmt: skip
    verdicts = grading.grade([e.id for e in asked])
    whole = true_places(result(grading, verdicts), submission.package.files)
    whole = notebook_report.placed(whole, submission.package.files, submission.answers)
    return of_result(whole, {id: v.score for id, v in verdicts.items()}, reveal)


def of_result(whole: Result, scores: Mapping[str, float], reveal: bool = False) -> dict[str, Mark]:
    """Test cell → its mark, from a canonical result; ``scores`` are points that differ from it."""
    whole = whole if reveal else notebook_report.redact(whole)
    # Where the instructor keeps submissions is nobody's business.
    whole = {**whole, "package": {**whole["package"], "path": NAME}}
    found = {}
    for chapter in whole["chapters"]:
        for exercise in chapter["exercises"]:
            shown = notebook_report.text(_alone(whole, chapter, exercise))
            score = scores.get(exercise["id"], exercise["score"])
            says = notebook_report.remark(exercise)
            found[outline.anchor_of(exercise["id"])] = Mark(
                score, exercise["max_score"], says, shown
            )
    return found


def crashed(asked: list[Exercise], says: str) -> dict[str, Mark]:
    """No points, for what cannot be judged at all, and why."""
    said = f"Crashed: {says}"
    return {e.anchor: Mark(0.0, e.points, said, notebook_report.sentence(said)) for e in asked}


def _alone(whole: Result, chapter: ChapterResult, exercise: ExerciseResult) -> Result:
    """The result of one exercise."""
    score, most = exercise["score"], exercise["max_score"]
    part: ChapterResult = {
        **chapter, "score": score, "max_score": most, "exercises": [exercise],
    }  # fmt: skip
    return {**whole, "score": score, "max_score": most, "chapters": [part]}
