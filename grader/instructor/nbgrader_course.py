"""An nbgrader course on disk: its assignments, what was handed in, and the marks of all of it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ..course.schema import Exercise
from ..errors import WrongUse
from ..workspace import STATE
from . import nbgrader_marks as book
from .submission import read


class NbgraderCourse(NamedTuple):
    """The folder of an `nbgrader_config.py`, its assignments and its gradebook."""

    folder: str
    assignments: list[str]
    db_url: str


class Row(NamedTuple):
    """One submission and what it earned."""

    assignment: str
    learner: str
    marks: dict[str, book.Mark]
    notes: list[str]
    crashed: bool = False


def open_course(folder: str, db_url: str | None) -> NbgraderCourse:
    """A course that `grader notebooks` wrote.

    Raises:
        WrongUse: there is none.
    """
    source = os.path.join(folder, "source")
    if not os.path.isdir(source):
        raise WrongUse(
            f"{folder} is no nbgrader course: it has no source/. Write one with "
            "`grader notebooks OUT`, and name OUT here."
        )
    names = sorted(n for n in os.listdir(source) if book.number_of(n))
    where = os.path.join(os.path.abspath(folder), "gradebook.db")
    return NbgraderCourse(folder, sorted(names, key=book.number_of), db_url or f"sqlite:///{where}")


def rows(course: NbgraderCourse, assignments: Iterable[str]) -> Iterator[Row]:
    """Every submission of these assignments, judged; one that cannot be is marked as crashed.

    Raises:
        WrongUse: an assignment that the course does not have.
    """
    for assignment in assignments:
        if assignment not in course.assignments:
            known = ", ".join(course.assignments)
            raise WrongUse(f"The course has no assignment {assignment}. Choose from {known}.")
        earlier, asked = earlier_of(course, assignment), asked_in(assignment)
        for learner in _learners(course.folder, assignment):
            place = os.path.join(course.folder, "submitted", learner, assignment)
            yield judged(assignment, learner, place, earlier, asked)


def judged(assignment: str, learner: str, place: str, earlier: str, asked: list[Exercise]) -> Row:
    """One submission's row."""
    try:
        made = read(place, book.stubs(assignment, earlier), asked)
    except WrongUse as error:
        return Row(assignment, learner, book.crashed(asked, str(error)), [str(error)], True)
    marks = book.marks(made, asked, book.given(assignment, earlier), False)
    return Row(assignment, learner, marks, made.notes)


def asked_in(assignment: str) -> list[Exercise]:
    """The exercises that an assignment asks for."""
    return [
        e for e in book.the_course().exercises.values() if e.chapter == assignment and not e.given
    ]


def earlier_of(course: NbgraderCourse, assignment: str) -> str:
    """Whether the chapters before came solved: where the handed-out workspace begins says so."""
    path = os.path.join(course.folder, "source", assignment, STATE, "workspace.json")
    try:
        with open(path, encoding="utf-8") as file:
            state: Any = json.load(file)
        return "given" if state["from"] == assignment else "own"
    except (OSError, ValueError, KeyError, TypeError):
        return "given"


def _learners(folder: str, assignment: str) -> list[str]:
    """Who has a folder for this assignment; an empty one counts, and is marked as crashed."""
    submitted = os.path.join(folder, "submitted")
    if not os.path.isdir(submitted):
        return []
    names = sorted(os.listdir(submitted))
    return [n for n in names if os.path.isdir(os.path.join(submitted, n, assignment))]
