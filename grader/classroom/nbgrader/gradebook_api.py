"""Marks into nbgrader's gradebook, through its API; what a person wrote there is kept."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from nbformat import NotebookNode
from nbformat.v4 import new_notebook
from nbgrader.api import Gradebook, InvalidEntry, MissingEntry
from nbgrader.preprocessors import AssignLatePenalties, NbGraderPreprocessor
from sqlalchemy import make_url
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from ...course.outline import is_chapter
from ...errors import WrongUse
from ..record import Record
from ..results import Results, batch_at
from . import cell_marks as book
from .autograde_steps import Processed, Resources
from .cell_marks import ANSWER, Bench, bench
from .course_folder import NbgraderCourse, Row

Place = tuple[str, ...]  # notebook, assignment, learner


def open_gradebook(db_url: str) -> Gradebook:
    """The gradebook of a database URL, as SQLAlchemy writes it."""
    # nbgrader starts `alembic` by its name.
    here = os.path.dirname(sys.executable)
    if here not in os.environ.get("PATH", "").split(os.pathsep):
        os.environ["PATH"] = here + os.pathsep + os.environ.get("PATH", "")
    try:
        return Gradebook(db_url)
    except (SQLAlchemyError, ImportError, OSError) as error:
        says = f"The gradebook {_shown(db_url)} cannot be opened: {_short(error)}."
        raise WrongUse(says) from error


def write(
    gradebook: Gradebook, place: Place, marks: Mapping[str, book.Mark], came: datetime | None = None
) -> list[str]:
    """Write marks and comments of one notebook; the cells that the gradebook does not know.

    A mark that a person gave, and a person's comment, stay what they are. A cell that has a
    person's mark is put on the list to be looked at again, as nbgrader does.
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
    """One cell's mark; False where the gradebook has no such cell."""
    try:
        grade = gradebook.find_grade(name, *place)
    except MissingEntry:
        return False
    grade.auto_score = mark.worth(grade.max_score)
    grade.needs_manual_grade = grade.manual_score is not None
    comment(gradebook, f"{name}{book.ANSWER}", place, mark.comment)
    return True


def settle_lateness(course: NbgraderCourse, place: Place) -> None:
    """Subtract what the course's settings subtract for lateness: nbgrader's own step does it."""
    names = dict(zip(("notebook", "assignment", "student"), place, strict=True))
    resources = {"nbgrader": {**names, "db_url": course.db_url}}
    AssignLatePenalties(config=course.settings).preprocess(new_notebook(), resources)


def comment(gradebook: Gradebook, cell: str, place: Place, says: str) -> None:
    """The automatic comment of a cell; one that is not there needs none."""
    try:
        found = gradebook.find_comment(cell, *place)
    except MissingEntry:
        return
    # nbgrader shows it as Markdown: what stands in angles stays text by a space without width.
    found.auto_comment = says.replace("<", "<\u200b") or None


def _shown(db_url: str) -> str:
    """The URL without its password."""
    try:
        return make_url(db_url).render_as_string(hide_password=True)
    except SQLAlchemyError:
        return "that --db names"


def _short(error: BaseException) -> str:
    """The driver's own words, without the statement that it was busy with."""
    first = str(getattr(error, "orig", None) or error).splitlines()[0]
    return first.removeprefix("(sqlite3.OperationalError) ")


class SaveComments(NbGraderPreprocessor):  # type: ignore[misc]
    """Keeps what `JudgeAnswers` has to say, as nbgrader's own comment below each answer."""

    def preprocess(self, nb: NotebookNode, resources: Resources) -> Processed:
        names = (resources["nbgrader"][part] for part in ("notebook", "assignment", "student"))
        place = tuple(names)
        with Gradebook(resources["nbgrader"]["db_url"]) as gradebook:
            for cell, says in resources.get("grader", {}).items():
                comment(gradebook, f"{cell}{ANSWER}", place, says)
            gradebook.db.commit()
        return nb, resources


def rows(folder: str, assignments: Iterable[str]) -> Iterator[Row]:
    """A row per learner and assignment that was graded."""
    results = Results(folder)
    if not os.path.isdir(results.learners):
        make = f"`grader grade … --out {folder}`"
        raise WrongUse(f"{folder} holds no results. Make some with {make}.")
    batch = batch_at(folder)
    asked = list(assignments)
    wanted = [name for name in asked if name in batch.get("chapters", ())]
    if not wanted:
        more = f"--out {folder} --chapters {' '.join(asked)}"
        raise WrongUse(
            f"{folder} holds no marks of {' or '.join(asked)}. Make some: `grader grade … {more}`."
        )
    judge = bench(folder)
    for record in results.each(refuse=True):
        learner, mine = whose(record, wanted)
        for assignment in mine:
            yield row(judge, record, learner, assignment)


def whose(record: Record, wanted: list[str]) -> tuple[str, list[str]]:
    """The learner of a record, and the assignments that it is about.

    What came from `submitted/LEARNER/ASSIGNMENT` is about this one only.
    """
    folder, name = os.path.split(record["submission"])
    if is_chapter(name) and os.path.basename(os.path.dirname(folder)) == "submitted":
        return os.path.basename(folder), [name] if name in wanted else []
    return record["learner"], wanted


def row(judge: Bench, record: Record, learner: str, assignment: str) -> Row:
    """One learner's marks in one assignment."""
    whole = record["result"]
    if whole is None:
        says = record.get("says") or "It could not be judged."
        marks = book.crashed(judge.asked(assignment), says)
        return Row(assignment, learner, marks, [says], True)
    chapters = [chapter for chapter in whole["chapters"] if chapter["id"] == assignment]
    scores = {id: float(entry["mark"]) for id, entry in record["marks"].items()}
    return Row(assignment, learner, book.of_result({**whole, "chapters": chapters}, scores), [])
