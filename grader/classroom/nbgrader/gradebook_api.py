"""Judge the submissions of an nbgrader course, and write the marks into its gradebook.

The gradebook is written through its API; marks and comments that a person gave are kept.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from nbformat import NotebookNode
from nbformat.v4 import new_notebook
from nbgrader.api import Gradebook, InvalidEntry, MissingEntry, SubmittedAssignment
from nbgrader.plugins import CsvExportPlugin
from nbgrader.preprocessors import AssignLatePenalties, NbGraderPreprocessor
from sqlalchemy import make_url
from sqlalchemy.exc import OperationalError, SQLAlchemyError
from traitlets import TraitError
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from ...course.outline import is_chapter, spell
from ...errors import WrongUse
from ..marks.record import Record
from ..marks.results import Results, read_batch
from . import autograde_steps as book
from .assignments import SETTINGS
from .autograde_steps import (
    ANSWER,
    CourseAndKey,
    JudgeAnswers,
    Processed,
    Resources,
    SubmissionMarks,
    assignment_number,
    open_course_and_key,
)


class NbgraderCourse(NamedTuple):
    """An nbgrader course: a folder with an `nbgrader_config.py`."""

    folder: str
    assignments: list[str]  # in the order of their chapters
    settings: Config  # from `nbgrader_config.py`
    db_url: str  # the gradebook's SQLAlchemy URL
    judge: JudgeAnswers  # the step of `nbgrader autograde` that judges, with these settings

    @property
    def bench(self) -> CourseAndKey:
        """The course and the key with which its submissions are judged."""
        return self.judge.bench(self.folder)

    def submitted(self, learner: str, assignment: str) -> str:
        return os.path.join(self.folder, "submitted", learner, assignment)


def open_course(folder: str, db_url: str | None = None) -> NbgraderCourse:
    """Open a course that `grader notebooks` wrote.

    Raises:
        WrongUse: there is none, or its settings cannot be read.
    """
    folder = os.path.abspath(folder)
    source = os.path.join(folder, "source")
    if not os.path.isdir(source):
        raise WrongUse(
            f"{folder} is no nbgrader course: it has no source/. Write one with "
            "`grader notebooks OUT`, and name OUT here."
        )
    names = sorted((n for n in os.listdir(source) if assignment_number(n)), key=assignment_number)
    settings, judge = _settings(folder)
    db_url = db_url or settings.CourseDirectory.get("db_url")
    return NbgraderCourse(
        folder, names, settings, db_url or f"sqlite:///{folder}/gradebook.db", judge
    )


def _settings(folder: str) -> tuple[Config, JudgeAnswers]:
    """Read the settings like nbgrader; return them and a judge with them."""
    path = os.path.join(folder, SETTINGS)
    if not os.path.exists(path):
        raise WrongUse(f"{path} is not there. `grader notebooks {folder}` writes it anew.")
    sys.path.append(folder)  # like nbgrader: a rule for lateness may be a module beside it
    try:
        settings = PyFileConfigLoader(SETTINGS, path=folder).load_config()
        return settings, JudgeAnswers(config=settings)
    except (Exception, SystemExit) as error:
        if isinstance(error, TraitError):
            raise WrongUse(f"{path}: {error}") from error
        raise WrongUse(f"{path} cannot be loaded: {error or type(error).__name__}.") from error


def rows(course: NbgraderCourse, assignments: Iterable[str]) -> Iterator[SubmissionMarks]:
    """Judge every submission of these assignments; those that cannot be judged are `crashed`."""
    for assignment in find_assignments(course, assignments):
        asked = course.bench.asked(assignment)
        for learner in _learners(course.folder, assignment):
            place = course.submitted(learner, assignment)
            yield course.judge.judge_submission(course.folder, place, asked)


def find_assignments(course: NbgraderCourse, assignments: Iterable[str]) -> list[str]:
    """These assignments; one that is called as a chapter may be typed loosely: ``3``."""
    wanted = [name if name in course.assignments else spell(name) for name in assignments]
    for assignment in wanted:
        if assignment not in course.assignments:
            there = ", ".join(course.assignments)
            raise WrongUse(f"The course has no assignment {assignment}. Choose from {there}.")
    return wanted


def _learners(folder: str, assignment: str) -> list[str]:
    """Return the learners with a folder for an assignment, even an empty one."""
    places = sorted(Path(folder, "submitted").glob(f"*/{assignment}"))
    return [place.parent.name for place in places if place.is_dir()]


Place = tuple[str, ...]  # notebook, assignment, learner


def open_gradebook(db_url: str) -> Gradebook:
    """Open the gradebook at a SQLAlchemy URL.

    Raises:
        WrongUse: it cannot be opened.
    """
    # nbgrader starts `alembic` from PATH.
    here = os.path.dirname(sys.executable)
    if here not in os.environ.get("PATH", "").split(os.pathsep):
        os.environ["PATH"] = here + os.pathsep + os.environ.get("PATH", "")
    try:
        return Gradebook(db_url)
    except (SQLAlchemyError, ImportError, OSError) as error:
        says = f"The gradebook {_shown(db_url)} cannot be opened: {_short(error)}."
        raise WrongUse(says) from error


def write_marks(
    gradebook: Gradebook, place: Place, marks: Mapping[str, book.Mark], came: datetime | None = None
) -> list[str]:
    """Write a notebook's marks and comments; return the cells that the gradebook does not know.

    A person's marks and comments are kept. A cell with a person's mark is flagged for manual
    grading again, as by nbgrader.

    Raises:
        WrongUse: the gradebook is locked, or does not know the assignment.
    """
    notebook, assignment, learner = place
    try:
        gradebook.update_or_create_student(learner)
        when = {} if came is None else {"timestamp": came}
        gradebook.update_or_create_submission(assignment, learner, **when)
        unknown = [name for name, mark in marks.items() if not _one(gradebook, place, name, mark)]
        gradebook.db.commit()
        return unknown
    except MissingEntry as error:
        gradebook.db.rollback()
        raise WrongUse(
            f"The gradebook does not know {assignment}. Run `nbgrader generate_assignment "
            f"{assignment}` first."
        ) from error
    except (OperationalError, InvalidEntry) as error:
        gradebook.db.rollback()
        raise WrongUse(
            f"The gradebook cannot be written to: {_short(error)}. Close what else uses it "
            "(formgrader, another nbgrader), and run this again."
        ) from error


def _one(gradebook: Gradebook, place: Place, name: str, mark: book.Mark) -> bool:
    """Write a cell's mark; return False if the gradebook has no such cell."""
    try:
        grade = gradebook.find_grade(name, *place)
    except MissingEntry:
        return False
    grade.auto_score = mark.worth(grade.max_score)
    grade.needs_manual_grade = grade.manual_score is not None or grade.auto_score is None
    with suppress(MissingEntry):  # no answer cell, no comment
        found = gradebook.find_comment(f"{name}{ANSWER}", *place)
        # nbgrader renders it as Markdown: a zero-width space after `<` keeps it from being HTML.
        found.auto_comment = mark.comment.replace("<", "<\u200b") or None
    return True


def settle_lateness(course: NbgraderCourse, place: Place) -> None:
    """Apply the course's own lateness penalties, by nbgrader's step for it."""
    names = dict(zip(("notebook", "assignment", "student"), place, strict=True))
    resources = {"nbgrader": {**names, "db_url": course.db_url}}
    AssignLatePenalties(config=course.settings).preprocess(new_notebook(), resources)


def _shown(db_url: str) -> str:
    """Return the URL without its password."""
    try:
        return make_url(db_url).render_as_string(hide_password=True)
    except SQLAlchemyError:
        return "that --db names"


def _short(error: BaseException) -> str:
    """Return the database driver's message, without the SQL statement."""
    first = str(getattr(error, "orig", None) or error).splitlines()[0]
    return first.removeprefix("(sqlite3.OperationalError) ")


class SaveComments(NbGraderPreprocessor):  # type: ignore[misc]
    """Writes marks and comments of `JudgeAnswers` into the gradebook, like `grader gradebook`."""

    def preprocess(self, nb: NotebookNode, resources: Resources) -> Processed:
        names = (resources["nbgrader"][part] for part in ("notebook", "assignment", "student"))
        place = tuple(names)
        with Gradebook(resources["nbgrader"]["db_url"]) as gradebook:
            for cell, mark in resources.get("grader", {}).items():
                _one(gradebook, place, cell, mark)
            gradebook.db.commit()
        return nb, resources


class ExportMarks(CsvExportPlugin):  # type: ignore[misc]
    """Exports nbgrader's table of marks, with empty cells for submissions without a mark.

    `ann,11.0,0.0,11.0,11.0` stays; `eve,0.0,0.0,0.0,11.0` becomes `eve,,,,11.0` if hers crashed.
    """

    def export(self, gradebook: Gradebook) -> None:
        super().export(gradebook)
        unmarked = tuple(
            f"{of.name},{of.duedate or ''},{each.timestamp or ''},{each.student_id},"
            for of in gradebook.assignments
            for each in of.submissions
            if not _is_marked(each)
        )
        path = Path(self.to or "grades.csv")
        lines = path.read_text().splitlines(keepends=True)
        without = (",,,,".join(line.rsplit(",", 4)[::4]) for line in lines)
        pairs = zip(lines, without, strict=True)
        path.write_text("".join(w if old.startswith(unmarked) else old for old, w in pairs))


def _is_marked(submission: SubmittedAssignment) -> bool:
    """Whether any of its cells has a mark, from the judge or from a person."""
    grades = (grade for notebook in submission.notebooks for grade in notebook.grades)
    return any(each.auto_score is not None or each.manual_score is not None for each in grades)


def rows_of_results(folder: str, assignments: Iterable[str]) -> Iterator[SubmissionMarks]:
    """Yield a row per graded learner and assignment from a folder of results.

    Raises:
        WrongUse: the folder holds no results, or none of these assignments.
    """
    results = Results(folder)
    if not os.path.isdir(results.learners):
        make = f"`grader grade … --out {folder}`"
        raise WrongUse(f"{folder} holds no results. Make some with {make}.")
    batch = read_batch(folder)
    asked = list(assignments)
    wanted = [name for name in asked if name in batch.get("chapters", ())]
    if not wanted:
        more = f"--out {folder} --chapters {' '.join(asked)}"
        raise WrongUse(
            f"{folder} holds no marks of {' or '.join(asked)}. Make some: `grader grade … {more}`."
        )
    judge = open_course_and_key(folder)
    for record in results.each(refuse=True):
        learner, mine = learner_and_assignments(record, wanted)
        for assignment in mine:
            yield marks_of_record(judge, record, learner, assignment)


def learner_and_assignments(record: Record, wanted: list[str]) -> tuple[str, list[str]]:
    """Return the learner of a record, and which of the wanted assignments it is about.

    A submission from `submitted/LEARNER/ASSIGNMENT` is about this one only.
    """
    folder, name = os.path.split(record["submission"])
    if is_chapter(name) and os.path.basename(os.path.dirname(folder)) == "submitted":
        return os.path.basename(folder), [name] if name in wanted else []
    return record["learner"], wanted


def marks_of_record(
    judge: CourseAndKey, record: Record, learner: str, assignment: str
) -> SubmissionMarks:
    """Return a learner's marks in an assignment."""
    whole = record["result"]
    if whole is None:
        says = record.get("says") or "It could not be judged."
        marks = book.mark_crashed(judge.asked(assignment), says)
        return SubmissionMarks(assignment, learner, marks, [says], True)
    chapters = [chapter for chapter in whole["chapters"] if chapter["id"] == assignment]
    scores = {id: float(entry["mark"]) for id, entry in record["marks"].items()}
    return SubmissionMarks(
        assignment, learner, book.marks_of_result({**whole, "chapters": chapters}, scores), []
    )
