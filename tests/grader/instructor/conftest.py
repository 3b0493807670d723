"""A small class, handed in and graded once for all tests that only read its results."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from grader.classroom import judging
from grader.classroom.marks.cohort import Cohort
from grader.course.key_source import open_key
from grader.course.load import Course
from tests.grader.conftest import run_grader
from tests.grader.made_once import made_once

from .classroom import Classroom

CHAPTER = "chapter3"
SMALL = "chapter7"  # the chapter of the small room
FORMULA = '=HYPERLINK("http://x")&<script>alert(1)</script>'


def write_package(folder: Path, texts: dict[str, str]) -> Path:
    for name, text in texts.items():
        path = folder / "babygrad" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def wrong(course: Any, **bodies: str) -> dict[str, str]:
    """The reference with other bodies, named `ops__Mul__backward`."""
    return course.replace_bodies({name.replace("__", "."): body for name, body in bodies.items()})


@pytest.fixture(scope="session")
def hand_in(course) -> Callable[[Path], Path]:
    """Writes a class of seven into a folder."""

    def write(folder: Path) -> Path:
        write_package(folder / "ada", course.solved())
        write_package(folder / "copy", course.solved())
        write_package(folder / FORMULA.replace("/", "_"), course.stubs(3))
        write_package(folder / "名前", wrong(course, ops__Mul__backward="return out_grad"))
        write_package(folder / "mo", wrong(course, ops__Mul__backward="return out_grad, out_grad"))
        write_package(folder / "late", wrong(course, tensor__Tensor__backward="raise KeyError(3)"))
        (folder / "empty").mkdir()
        return folder

    return write


@pytest.fixture(scope="session")
def graded(tmp_path_factory, hand_in) -> Path:
    """The results of that class; tests must not write to them."""

    def make(base: Path) -> None:
        open_key()  # built here where it is not, which a loaded machine may take minutes for
        hand_in(base / "in")
        ran = run_grader(
            "grade", str(base / "in"), "--out", str(base / "results"), "--seed", "public",
            "--chapters", CHAPTER, "--jobs", "1",
        )  # fmt: skip
        assert ran.status == 1, ran.err

    return made_once(tmp_path_factory, "class", make) / "results"


def records(folder: Path) -> dict[str, dict[str, Any]]:
    lines = (folder / "results.jsonl").read_text(encoding="utf-8").splitlines()
    return {row["learner"]: row for row in map(json.loads, lines)}


@pytest.fixture(scope="session")
def class_room(tmp_path_factory: pytest.TempPathFactory, course: Course) -> Classroom:
    """An nbgrader course: Ann, all right; Bob, one mistake; Eve, a broken notebook; Dan, nothing.

    Nothing is marked yet, and tests must not write to it.
    """

    def make(place: Path) -> None:
        room = Classroom.made(place / "course", course, SMALL)
        wrong = room.exercises[1]
        room.hand_in("ann", room.notebook(room.right))
        room.hand_in("bob", room.notebook(
            lambda e: room.mistaken(e, e.mistakes[0]) if e is wrong else room.right(e)
        ))  # fmt: skip
        room.hand_in("eve", "{")
        (room.folder / "submitted" / "dan" / SMALL).mkdir(parents=True)

    return Classroom(made_once(tmp_path_factory, "small", make) / "course", course, SMALL)


@pytest.fixture
def room(class_room: Classroom, tmp_path: Path) -> Classroom:
    """A copy of it: tests may change everything."""
    shutil.copytree(class_room.folder, tmp_path / "course")
    return Classroom(tmp_path / "course", class_room.course, SMALL)


class JudgeHere:
    """Stands in for the pool that judges a class: each submission is judged here, at once."""

    _processes = None

    def __init__(self, cohort: Cohort, jobs: int, seconds: int) -> None:
        self.judge = judging.SubmissionJudge(cohort, seconds)

    def submit(self, function: object, *task: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(self.judge.record(*task))
        return done

    def shutdown(self, cancel_futures: bool) -> None:
        self.judge.end()


@pytest.fixture
def judged_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets `grader grade` start no process, which takes a second to import what this one has."""
    monkeypatch.setattr(judging, "make_pool", JudgeHere)


@pytest.fixture
def grade(grader, tmp_path: Path) -> Callable[..., Any]:
    """`grader grade` of chapter 3, into `out`."""

    def run(*arguments: str, out: str = "out", **environment: str):
        return grader(
            "grade", *arguments, "--out", str(tmp_path / out), "--chapters", CHAPTER,
            "--jobs", "1", **environment,
        )  # fmt: skip

    return run
