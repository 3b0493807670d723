"""An nbgrader course on disk: its assignments, what was handed in, and the marks of all of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from traitlets import TraitError
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from ...course.package import LINK
from ...course.schema import Exercise
from ...errors import WrongUse
from ..submission import read
from . import cell_marks as book
from .assignments import SETTINGS
from .autograde_steps import Arrival, JudgeAnswers, arrival, without_ours
from .cell_marks import Bench, bench, earlier_in, number_of


class NbgraderCourse(NamedTuple):
    """The folder of an `nbgrader_config.py`."""

    folder: str
    assignments: list[str]  # in the order of their chapters
    settings: Config  # what `nbgrader_config.py` says
    db_url: str  # where its gradebook is
    judge: JudgeAnswers  # the step of `nbgrader autograde` that judges here, as it is configured

    @property
    def bench(self) -> Bench:
        """The course and the key that its submissions are judged with."""
        named = self.judge.results
        return bench(os.path.join(self.folder, named) if named else "")

    def submitted(self, learner: str, assignment: str) -> str:
        return os.path.join(self.folder, "submitted", learner, assignment)

    def arrival(self, learner: str, assignment: str, log: str = "") -> Arrival | None:
        """When it was handed in, by a log or by its own word; None where nobody says so."""
        return arrival(self.submitted(learner, assignment), log)


class Row(NamedTuple):
    """One submission and what it earned."""

    assignment: str
    learner: str
    marks: dict[str, book.Mark]
    notes: list[str]
    crashed: bool = False


def open_course(folder: str, db_url: str | None = None) -> NbgraderCourse:
    """A course that `grader notebooks` wrote."""
    folder = os.path.abspath(folder)
    source = os.path.join(folder, "source")
    if not os.path.isdir(source):
        raise WrongUse(
            f"{folder} is no nbgrader course: it has no source/. Write one with "
            "`grader notebooks OUT`, and name OUT here."
        )
    names = sorted((n for n in os.listdir(source) if number_of(n)), key=number_of)
    settings, judge = _settings(folder)
    db_url = db_url or settings.CourseDirectory.get("db_url")
    return NbgraderCourse(
        folder, names, settings, db_url or f"sqlite:///{folder}/gradebook.db", judge
    )


def _settings(folder: str) -> tuple[Config, JudgeAnswers]:
    """The settings as nbgrader reads them, and the judge that they make."""
    path = os.path.join(folder, SETTINGS)
    if not os.path.exists(path):
        raise WrongUse(f"{path} is not there. `grader notebooks {folder}` writes it anew.")
    sys.path.append(folder)  # as nbgrader does: a rule for lateness may be a file beside it
    try:
        settings = PyFileConfigLoader(SETTINGS, path=folder).load_config()
        return settings, JudgeAnswers(config=settings)
    except (Exception, SystemExit) as error:
        if isinstance(error, TraitError):
            raise WrongUse(f"{path}: {error}") from error
        raise WrongUse(f"{path} cannot be loaded: {error or type(error).__name__}.") from error


def rows(course: NbgraderCourse, assignments: Iterable[str]) -> Iterator[Row]:
    """Every submission of these assignments, judged; one that cannot be is marked as crashed."""
    for assignment in known(course, assignments):
        asked = course.bench.asked(assignment)
        for learner in _learners(course.folder, assignment):
            yield judged(course, assignment, learner, asked)


def known(course: NbgraderCourse, assignments: Iterable[str]) -> list[str]:
    """These assignments."""
    wanted = list(assignments)
    for assignment in wanted:
        if assignment not in course.assignments:
            there = ", ".join(course.assignments)
            raise WrongUse(f"The course has no assignment {assignment}. Choose from {there}.")
    return wanted


def judged(course: NbgraderCourse, assignment: str, learner: str, asked: list[Exercise]) -> Row:
    """One submission's row."""
    earlier = earlier_in(os.path.join(course.folder, "source", assignment))
    stubs = course.bench.stubs(assignment, earlier)
    place = course.submitted(learner, assignment)
    try:
        if os.path.islink(os.path.dirname(place)):
            raise WrongUse(f"{os.path.dirname(place)} cannot be judged: {LINK}")
        made = read(place, stubs, asked)
    except WrongUse as error:
        says = str(error).replace(f"{course.folder}{os.sep}", "")  # the learner reads it, too
        return Row(assignment, learner, book.crashed(asked, says), [says], True)
    given = course.bench.given(assignment, earlier)
    judge = course.judge
    marks = book.marks(course.bench, made, asked, given, judge.reveal, judge.isolation)
    marks = without_ours(marks, course.bench, made.package, course.folder)
    return Row(assignment, learner, marks, made.notes)


def _learners(folder: str, assignment: str) -> list[str]:
    """Who has a folder for this assignment; an empty one counts, and is marked as crashed."""
    submitted = os.path.join(folder, "submitted")
    if not os.path.isdir(submitted):
        return []
    names = sorted(os.listdir(submitted))
    return [n for n in names if os.path.isdir(os.path.join(submitted, n, assignment))]
