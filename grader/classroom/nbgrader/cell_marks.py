"""A submission's marks as nbgrader keeps them: points, a comment and a page per graded cell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from ...course.package import NAME
from ...course.schema import Exercise
from ...grade_package import Grading
from ...learner import notebook_report
from ...result import result
from ...sandbox.isolation import FOR_MARKS
from ...sandbox.launch import launch
from ..shown import true_places
from ..submission import Submission
from .bench import Bench

if TYPE_CHECKING:
    from ...course.key_rows import ChapterResult, ExerciseResult, Result

ANSWER = "-answer"  # an exercise's answer cell is called like its test cell, and this


class Mark(NamedTuple):
    """What one exercise earned.

    Attributes:
        score, max_score: in the course's points; a cell may be worth something else.
        comment: one paragraph for the learner; empty where all is right.
        shown: the report, as HTML and as text.
    """

    score: float
    max_score: float
    comment: str
    shown: notebook_report.Shown

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
        bench.key, submission.package, launch, came_written, least=least, apart=not reveal
    )
    verdicts = grading.grade([e.id for e in asked])
    whole = true_places(result(grading, verdicts), submission.package.files)
    whole = notebook_report.placed(whole, submission.package.files, submission.answers)
    return of_result(whole, {id: v.score for id, v in verdicts.items()}, reveal)


def of_result(whole: Result, scores: Mapping[str, float], reveal: bool = False) -> dict[str, Mark]:
    """Test cell → its mark, from a canonical result.

    Args:
        scores: exercise → its points, where they differ from the result's.
        reveal: whether hidden checks show their numbers.
    """
    whole = whole if reveal else notebook_report.redacted(whole)
    # Where the instructor keeps submissions is nobody's business.
    whole = {**whole, "package": {**whole["package"], "path": NAME}}
    found = {}
    for chapter in whole["chapters"]:
        for exercise in chapter["exercises"]:
            shown = notebook_report.text(_alone(whole, chapter, exercise))
            score = scores.get(exercise["id"], exercise["score"])
            cell = exercise["id"].replace(".", "-").replace("_", "-")
            says = notebook_report.remark(exercise)
            found[cell] = Mark(score, exercise["max_score"], says, shown)
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
