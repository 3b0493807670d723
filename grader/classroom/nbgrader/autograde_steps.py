"""Steps of `nbgrader autograde`: put back what is missing, judge the answers; and the marks of a
submission as nbgrader keeps them, with what they are judged with: course and class key.

No kernel runs. `JudgeAnswers` takes the place of nbgrader's `Execute`: it reads the answers as
text, from what was handed in and not from nbgrader's copy of it, has the package that they make
judged in the worker, and writes into every tests cell what `check(...)` there would have shown, and
as the cell's result the points, a Python float.

Without more, course and key are those that the grader came with: their hidden inputs are drawn from
a public seed. With a folder of `grader grade` behind it, it is the class's own: its secret inputs,
and the instructor's exercises and points.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple

from nbformat import NotebookNode, from_dict
from nbformat.v4 import new_output
from nbgrader import utils
from nbgrader.api import Gradebook, Notebook, SourceCell
from nbgrader.preprocessors import NbGraderPreprocessor, OverwriteCells
from traitlets import Bool, Enum, Unicode

from ...course import outline
from ...course.key_file import Key
from ...course.key_source import open_key
from ...course.load import Course, load
from ...course.package import LINK, NAME, Package
from ...course.schema import Exercise
from ...errors import OurFault, WrongUse
from ...grade_package import Grading
from ...learner import notebook_report
from ...learner.notebook_report import sentence
from ...learner.notebook_source import CRASHED, Tag
from ...result import result
from ...result_rows import ChapterResult, ExerciseResult, Result
from ...sandbox.isolation import FOR_MARKS, LEVELS
from ...sandbox.launch import launch
from ..cohort import key_at
from ..handed_out import begins, came_solved, of_releases
from ..overlay import course_of
from ..record import CAME_SOLVED, true_places
from ..results import batch_at
from ..submission import Submission, read
from .hooks import HANDED_IN, arrival


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


def number_of(assignment: str) -> int:
    """The chapter number of an assignment; 0 for one that is no chapter."""
    return outline.number_of(assignment) if outline.is_chapter(assignment) else 0


def first_in(folder: str) -> int:
    """The number of the chapter at which an assignment's package begins to be the learner's.

    It is 0 where the chapters before are theirs, too: the handed-out workspace beside it says so.
    """
    number = number_of(os.path.basename(folder))
    return 0 if number != 1 and begins(folder) == 1 else number


@cache
def bench(results: str = "") -> Bench:
    """The bench of a class; without its folder of results that of the course's own key.

    Raises:
        WrongUse: the folder holds no key.
    """
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
    score: float | None  # None where nothing could be judged: that is no 0, which somebody earned
    max_score: float
    comment: str  # one paragraph for the learner; empty where all is right
    shown: notebook_report.Shown  # the report, as HTML and as text

    def worth(self, cell_points: float) -> float | None:
        """The score in a cell that is worth so much."""
        if self.score is None or not self.max_score:
            return None if self.score is None else 0.0
        return float(round(self.score * cell_points / self.max_score, 4))


class Row(NamedTuple):
    """One submission and what it earned."""

    assignment: str
    learner: str
    marks: dict[str, Mark]  # by the names of tests cells
    notes: list[str]
    crashed: bool = False


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
    """No mark, for what cannot be judged at all, and why."""
    said = f"Crashed: {says}"
    return {e.anchor: Mark(None, e.points, said, sentence(said)) for e in asked}


def _alone(whole: Result, chapter: ChapterResult, exercise: ExerciseResult) -> Result:
    """The result of one exercise."""
    score, most = exercise["score"], exercise["max_score"]
    part: ChapterResult = {
        **chapter, "score": score, "max_score": most, "exercises": [exercise],
    }  # fmt: skip
    return {**whole, "score": score, "max_score": most, "chapters": [part]}


def without_ours(
    found: Mapping[str, Mark], bench: Bench, package: Package, course: str
) -> dict[str, Mark]:
    """Test cell → its mark, where what `release/` of this course holds solved earns nothing."""
    ours = set(came_solved(package.files, _solved(course), bench.key.table["targets"]))
    cells = {cell for cell in found if cell in bench.by_cell and bench.by_cell[cell].id in ours}
    nothing = sentence(CAME_SOLVED)
    return {
        cell: Mark(0.0, mark.max_score, CAME_SOLVED, nothing) if cell in cells else mark
        for cell, mark in found.items()
    }


@cache
def _solved(course: str) -> dict[str, list[str]]:
    """What was handed out solved; nothing where there is no release yet."""
    try:
        return of_releases([course]).solved if os.path.isdir(course) else {}
    except WrongUse:
        return {}


Resources = dict[str, Any]  # what nbconvert's steps tell each other
Processed = tuple[NotebookNode, Resources]


class RestoreCells(OverwriteCells):  # type: ignore[misc]
    """Gives every cell that nbgrader knows its own metadata, and adds those that were deleted."""

    def preprocess(self, nb: NotebookNode, resources: Resources) -> Processed:
        names = resources["nbgrader"]["notebook"], resources["nbgrader"]["assignment"]
        with Gradebook(resources["nbgrader"]["db_url"]) as gradebook:
            notebook = gradebook.find_notebook(*names)
            tags = {cell.name: _tag(notebook, cell) for cell in notebook.source_cells}
            order = [cell.name for cell in notebook.source_cells]
            _retag(nb, tags)
            for at, cell in enumerate(notebook.source_cells):
                tag = tags[cell.name]
                if (tag["grade"] or tag["task"]) and _index(nb, cell.name) is None:
                    self.log.warning("Cell %s was deleted; it is put back", cell.name)
                    nb.cells.insert(_after(nb, order[:at]), self._again(cell, tag))
        done: Processed = super().preprocess(nb, resources)
        return done

    def _again(self, cell: SourceCell, tag: Tag) -> NotebookNode:
        new = self.missing_cell_transform(
            cell, tag.get("points", 0), is_solution=tag["solution"], is_task=tag["task"]
        )
        new["id"] = cell.name[:64]
        new["metadata"]["nbgrader"] = tag
        return NotebookNode(from_dict(new))


def _tag(notebook: Notebook, cell: SourceCell) -> Tag:
    """nbgrader's metadata of a cell, from the gradebook alone."""
    graded = {c.name: c for c in notebook.grade_cells}
    tasks = {c.name: c for c in notebook.task_cells}
    tag: Tag = {
        "schema_version": 3,
        "grade_id": cell.name,
        "grade": cell.name in graded,
        "solution": cell.name in {c.name for c in notebook.solution_cells},
        "task": cell.name in tasks,
        "locked": cell.locked,
        "cell_type": cell.cell_type,
        "checksum": cell.checksum,
    }
    worth = graded.get(cell.name) or tasks.get(cell.name)
    return tag if worth is None else {**tag, "points": worth.max_score}


def _retag(nb: NotebookNode, tags: dict[str, Tag]) -> None:
    """The last cell of a name keeps it; what has an unknown name, or an earlier copy, loses it."""
    free = dict(tags)
    for cell in reversed(nb.cells):
        old = cell.metadata.pop("nbgrader", None)
        tag = free.pop(str(old.get("grade_id")), None) if isinstance(old, dict) else None
        if tag is not None:
            cell.metadata["nbgrader"] = from_dict(tag)


def _index(nb: NotebookNode, name: str) -> int | None:
    for at, cell in enumerate(nb.cells):
        if cell.metadata.get("nbgrader", {}).get("grade_id") == name:
            return at
    return None


def _after(nb: NotebookNode, before: list[str]) -> int:
    """Where a cell belongs that was handed out after these."""
    places = [at for at in (_index(nb, name) for name in before) if at is not None]
    return max(places) + 1 if places else len(nb.cells)


class JudgeAnswers(NbGraderPreprocessor):  # type: ignore[misc]
    """Judges the answers of a notebook, and writes the marks into its tests cells."""

    results = Unicode(
        "", help="A folder of `grader grade`: judge with its class's secret inputs and points."
    ).tag(config=True)
    reveal = Bool(False, help="Whether feedback shows the numbers of hidden checks.").tag(
        config=True
    )

    isolation = Enum(
        LEVELS, default_value=FOR_MARKS, help="Judge with no less isolation: see SECURITY.md."
    ).tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: Resources) -> Processed:
        course, names = self.parent.parent.coursedir, resources["nbgrader"]
        code = [cell for cell in nb.cells if cell.cell_type == "code"]
        tests = [cell for cell in code if utils.is_grade(cell) and not utils.is_solution(cell)]
        known = self.bench(course.root).by_cell
        named = [known.get(cell.metadata.nbgrader["grade_id"]) for cell in tests]
        asked = [exercise for exercise in named if exercise is not None]
        where = course.submitted_directory, names["student"], names["assignment"]
        row = self.judge_submission(course.root, course.format_path(*where), asked)
        for note in row.notes:
            self.log.warning("%s: %s", row.learner, note)
        for cell in tests:
            self._write(cell, row.marks.get(cell.metadata.nbgrader["grade_id"]))
        came = arrival(resources["metadata"]["path"])
        if came is not None:
            nb.metadata[HANDED_IN] = str(came)
        nb.metadata.pop(CRASHED, None)  # which a learner may have written
        if row.crashed:
            nb.metadata[CRASHED] = row.notes[0]
        resources["grader"] = row.marks
        return nb, resources

    def bench(self, course: str) -> Bench:
        """The course and the key that the submissions in a course's folder are judged with."""
        return bench(os.path.join(course, self.results) if self.results else "")

    def judge_submission(self, course: str, place: str, asked: list[Exercise]) -> Row:
        """What a submission earned, read where it was handed in and as it came.

        `nbgrader autograde` and `grader gradebook` both ask here, so that their marks are the same
        whatever nbgrader makes of the notebook.
        """
        judge = self.bench(course)
        learner, assignment = place.split(os.sep)[-2:]
        first = first_in(os.path.join(course, "source", assignment))
        try:
            if os.path.islink(os.path.dirname(place)):
                raise WrongUse(f"{os.path.dirname(place)} cannot be judged: {LINK}")
            made = read(place, judge.course.stubs(first), asked)
        except WrongUse as error:
            says = str(error).replace(f"{course}{os.sep}", "")  # the learner reads it, too
            return Row(assignment, learner, crashed(asked, says), [says], True)
        given = outline.given(judge.key.outline, first)
        found = marks(judge, made, asked, given, self.reveal, self.isolation)
        found = without_ours(found, judge, made.package, course)
        return Row(assignment, learner, found, made.notes)

    def _write(self, cell: NotebookNode, mark: Mark | None) -> None:
        """Without an output a tests cell would earn all of its points."""
        if mark is None:
            name = cell.metadata.nbgrader["grade_id"]
            self.log.error("Cell %s is no exercise of this course, and was not run", name)
            says = "This cell is no exercise of the course, so nothing judged it."
            cell.outputs = [new_output("error", ename="NotJudged", evalue=says, traceback=[says])]
            return
        data = {"text/html": mark.shown.rich, "text/plain": mark.shown.plain}
        score = repr(mark.worth(float(cell.metadata.nbgrader["points"])) or 0.0)
        cell.execution_count = 1
        cell.outputs = [
            new_output("display_data", data=data),
            new_output("execute_result", data={"text/plain": score}, execution_count=1),
        ]
