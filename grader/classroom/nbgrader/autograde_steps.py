"""Steps of `nbgrader autograde`: restore missing cells, judge the answers, and compute the marks.

No kernel runs. `JudgeAnswers` replaces nbgrader's `Execute`: it reads the answers as text, from the
submission itself and not from nbgrader's copy, judges the resulting package in the worker, and
writes into every test cell the report that `check(...)` would have shown, and as the cell's result
the points, a Python float.

By default course and key are those of the grader, with hidden inputs from the public seed. With a
folder of `grader grade` they are the class's: its secret inputs, and the instructor's exercises and
points.
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
from ...course.load import Course, read_course
from ...course.package import LINK, NAME, Package
from ...course.schema import Exercise
from ...errors import OurFault, WrongUse
from ...grade_package import Grading
from ...notebooks import notebook_report
from ...notebooks.notebook_report import format_sentence
from ...notebooks.notebook_source import CRASHED, Tag
from ...result import result
from ...result_rows import ChapterResult, ExerciseResult, Result
from ...sandbox.isolation import FOR_MARKS, LEVELS
from ...sandbox.launch import start_worker
from ..intake.handed_out import find_came_solved, read_first_chapter, read_releases
from ..intake.submission import Submission, read_submission
from ..marks.cohort import open_class_key
from ..marks.overlay import load_course
from ..marks.record import CAME_SOLVED, drop_false_locations
from ..marks.results import read_batch
from .hooks import HANDED_IN, find_arrival


@dataclass(frozen=True)
class CourseAndKey:
    """The course and the key to judge with."""

    course: Course
    key: Key

    @cached_property
    def by_cell(self) -> dict[str, Exercise]:
        """Test cell → its exercise."""
        return {e.anchor: e for e in self.course.exercises.values()}

    def asked(self, assignment: str) -> list[Exercise]:
        """Return the exercises of an assignment, without given ones."""
        every = self.course.exercises.values()
        return [e for e in every if e.chapter == assignment and not e.given]


def assignment_number(assignment: str) -> int:
    """Return the chapter number of an assignment; 0 if it is no chapter."""
    return outline.chapter_no(assignment) if outline.is_chapter(assignment) else 0


def first_in(folder: str) -> int:
    """Return the number of the first chapter that is the learner's in an assignment's package.

    It is 0 if earlier chapters are theirs too: the handed-out workspace beside it says so.
    """
    number = assignment_number(os.path.basename(folder))
    return 0 if number != 1 and read_first_chapter(folder) == 1 else number


@cache
def open_course_and_key(results: str = "") -> CourseAndKey:
    """Open the course and key of a class's results; without a folder, the grader's own.

    Raises:
        WrongUse: the folder holds no key.
    """
    if not results:
        return CourseAndKey(read_course(), open_key())
    try:
        overlay = read_batch(results).get("course")
        return CourseAndKey(
            load_course(overlay), open_class_key(os.path.join(results, "answers.key"), overlay)
        )
    except (OSError, OurFault) as error:
        raise WrongUse(
            f"{results} holds no key of a class. Name a folder of `grader grade`, or make one with "
            "`grader notebooks OUT --results RESULTS`."
        ) from error


ANSWER = "-answer"  # suffix of an answer cell's name; without it, it is the test cell's


class Mark(NamedTuple):
    """The mark of an exercise in a notebook."""

    # score, max_score: in the course's points; a cell's points may differ.
    score: float | None  # None if it could not be judged, which is not a 0
    max_score: float
    comment: str  # a paragraph for the learner; empty if all is right
    shown: notebook_report.HtmlOutput  # the report, as HTML and as text

    def worth(self, cell_points: float) -> float | None:
        """Return the score scaled to a cell's points."""
        if self.score is None or not self.max_score:
            return None if self.score is None else 0.0
        return float(round(self.score * cell_points / self.max_score, 4))


class SubmissionMarks(NamedTuple):
    """A submission and its marks."""

    assignment: str
    learner: str
    marks: dict[str, Mark]  # by test cell
    notes: list[str]
    crashed: bool = False


def judge_cells(
    bench: CourseAndKey,
    submission: Submission,
    asked: list[Exercise],
    came_written: set[str],
    reveal: bool = False,
    least: str = FOR_MARKS,
) -> dict[str, Mark]:
    """Judge a submission in the worker; return test cell → mark.

    Raises:
        WrongUse: workers here are less isolated than was demanded.
    """
    grading = Grading(
        bench.key, submission.package, start_worker, came_written, least=least,
        public_only=not reveal,
        reference=bench.course.solved,
    )  # fmt: skip
    verdicts = grading.grade([e.id for e in asked])
    whole = drop_false_locations(result(grading, verdicts), submission.package.files)
    whole = notebook_report.map_lines_to_cells(whole, submission.package.files, submission.answers)
    return marks_of_result(whole, {id: v.score for id, v in verdicts.items()}, reveal)


def marks_of_result(
    whole: Result, scores: Mapping[str, float], reveal: bool = False
) -> dict[str, Mark]:
    """Return test cell → mark from a canonical result; ``scores`` replace its points."""
    whole = whole if reveal else notebook_report.redact(whole)
    # Learners need not see the instructor's path of the submission.
    whole = {**whole, "package": {**whole["package"], "path": NAME}}
    found = {}
    for chapter in whole["chapters"]:
        for exercise in chapter["exercises"]:
            shown = notebook_report.format_report(_alone(whole, chapter, exercise))
            score = scores.get(exercise["id"], exercise["score"])
            says = notebook_report.remark(exercise)
            found[outline.anchor_of(exercise["id"])] = Mark(
                score, exercise["max_score"], says, shown
            )
    return found


def mark_crashed(asked: list[Exercise], says: str) -> dict[str, Mark]:
    """Return test cell → no mark, with the reason why the submission cannot be judged."""
    said = f"Crashed: {says}"
    return {e.anchor: Mark(None, e.points, said, format_sentence(said)) for e in asked}


def _alone(whole: Result, chapter: ChapterResult, exercise: ExerciseResult) -> Result:
    """Cut a result down to one exercise."""
    score, most = exercise["score"], exercise["max_score"]
    part: ChapterResult = {
        **chapter, "score": score, "max_score": most, "exercises": [exercise],
    }  # fmt: skip
    return {**whole, "score": score, "max_score": most, "chapters": [part]}


def without_ours(
    found: Mapping[str, Mark], bench: CourseAndKey, package: Package, course: str
) -> dict[str, Mark]:
    """Return the marks with 0 for code that this course's `release/` holds solved."""
    ours = set(find_came_solved(package.files, _solved(course), bench.key.table["targets"]))
    cells = {cell for cell in found if cell in bench.by_cell and bench.by_cell[cell].id in ours}
    nothing = format_sentence(CAME_SOLVED)
    return {
        cell: Mark(0.0, mark.max_score, CAME_SOLVED, nothing) if cell in cells else mark
        for cell, mark in found.items()
    }


@cache
def _solved(course: str) -> dict[str, list[str]]:
    """Return target → digests of the solved code in the course's `release/`, if there is one."""
    try:
        return read_releases([course]).solved if os.path.isdir(course) else {}
    except WrongUse:
        return {}


Resources = dict[str, Any]  # passed between nbconvert's preprocessors
Processed = tuple[NotebookNode, Resources]


class RestoreCells(OverwriteCells):  # type: ignore[misc]
    """Restores the metadata of nbgrader's cells, and puts deleted graded cells back."""

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
    """Return nbgrader's metadata of a cell, from the gradebook only."""
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
    """Restore the metadata of the last cell of each name; drop it from copies and unknown cells."""
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
    """Return the index at which to insert a cell that follows these."""
    places = [at for at in (_index(nb, name) for name in before) if at is not None]
    return max(places) + 1 if places else len(nb.cells)


class JudgeAnswers(NbGraderPreprocessor):  # type: ignore[misc]
    """Judges the answers of a notebook, and writes the marks into its test cells."""

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
        came = find_arrival(resources["metadata"]["path"])
        if came is not None:
            nb.metadata[HANDED_IN] = str(came)
        nb.metadata.pop(CRASHED, None)  # a learner may have set it
        if row.crashed:
            nb.metadata[CRASHED] = row.notes[0]
        resources["grader"] = row.marks
        return nb, resources

    def bench(self, course: str) -> CourseAndKey:
        """Return the course and key with which the submissions in a course's folder are judged."""
        return open_course_and_key(os.path.join(course, self.results) if self.results else "")

    def judge_submission(self, course: str, place: str, asked: list[Exercise]) -> SubmissionMarks:
        """Judge a submission as it was handed in, not nbgrader's copy.

        `nbgrader autograde` and `grader gradebook` both call this, so that their marks are equal.
        """
        judge = self.bench(course)
        learner, assignment = place.split(os.sep)[-2:]
        first = first_in(os.path.join(course, "source", assignment))
        try:
            if os.path.islink(os.path.dirname(place)):
                raise WrongUse(f"{os.path.dirname(place)} cannot be judged: {LINK}")
            made = read_submission(place, judge.course.stubs(first), asked)
        except WrongUse as error:
            says = str(error).replace(f"{course}{os.sep}", "")  # the learner reads it, too
            return SubmissionMarks(assignment, learner, mark_crashed(asked, says), [says], True)
        given = outline.given_ids(judge.key, first)
        found = judge_cells(judge, made, asked, given, self.reveal, self.isolation)
        found = without_ours(found, judge, made.package, course)
        return SubmissionMarks(assignment, learner, found, made.notes)

    def _write(self, cell: NotebookNode, mark: Mark | None) -> None:
        """Write a mark into a test cell, or an error: without output it would earn full points."""
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
