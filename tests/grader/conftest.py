"""Packages to judge, and the public command to judge them with."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from grader import root
from grader.course.key_source import open_key
from grader.course.load import Course
from grader.memo import Memo

from . import (
    examples,  # noqa: F401  (its profile is that of all)
    warm_start,
)
from .machine import confinable, enough
from .made_once import made_once
from .whole_course import whole_course

__all__ = ["confinable"]  # a fixture

REFERENCE = root.path("solutions", "babygrad")


def asked_in(chapter: str) -> int:
    """Return the number of exercises of a chapter that a learner writes."""
    return sum(not exercise["given"] for exercise in open_key().chapter(chapter).exercises)


class Ran(NamedTuple):
    """The end of a command: its exit status, and what it said."""

    status: int
    out: str
    err: str

    @property
    def result(self) -> dict[str, Any]:
        return json.loads(self.out)

    def exercises(self) -> dict[str, dict[str, Any]]:
        return {e["id"]: e for c in self.result["chapters"] for e in c["exercises"]}

    def statuses(self) -> dict[str, str]:
        return {id: e["status"] for id, e in self.exercises().items()}


def run_grader(
    *arguments: str,
    cwd: Path | None = None,
    stdin: str | None = None,
    seconds: int = 600,
    **environment: str,
) -> Ran:
    """`grader …` as a process of its own, output captured as text; with `enough` isolation."""
    around = {**os.environ, "PYTHONPATH": root.ROOT, **environment}
    return Ran(*warm_start.run([*enough(*arguments)], cwd, around, stdin, seconds))


@pytest.fixture(scope="session")
def grader() -> Callable[..., Ran]:
    return run_grader


@pytest.fixture(scope="session")
def course() -> Course:
    return whole_course()


@pytest.fixture(scope="session")
def proof() -> Any:
    """The course under proof: its key and a fork server, shared by a whole test run."""
    audit = pytest.importorskip("grader.audit.proof")  # one copy of the grader has none
    with audit.CourseCheck(whole_course(), key=open_key(), memo=Memo()) as shared:
        yield shared


@pytest.fixture(scope="session")
def torch() -> Any:
    """PyTorch, which takes two seconds to import: its tests run in one process of a run."""
    return pytest.importorskip("torch")


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory, grader: Callable[..., Ran]) -> Path:
    """A workspace that begins at chapter 3, as `grader init` makes it."""

    def make(place: Path) -> None:
        assert grader("init", "work", "--from", "chapter3", cwd=place).status == 0

    return made_once(tmp_path_factory, "begun", make) / "work"


@pytest.fixture
def workspace(begun: Path, tmp_path: Path) -> Path:
    """A copy of it: tests may change everything."""
    return Path(shutil.copytree(begun, tmp_path / "work"))


@pytest.fixture(scope="module")
def ops(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Chapter 3's file as handed out, in a workspace that the tests of a module share."""
    folder = tmp_path_factory.mktemp("editor")
    assert run_grader("init", "work", "--from", "chapter3", cwd=folder).status == 0
    return folder / "work" / "babygrad" / "ops.py"


@pytest.fixture(scope="module")
def editor(ops: Path) -> Iterator[Any]:
    """An `Editor` on that workspace, with no file open."""
    from .editor import Editor  # needs pygls

    editor = Editor(ops.parents[1])
    yield editor
    assert editor.quit() == 0


@pytest.fixture
def package(tmp_path: Path, course: Course) -> Callable[..., Path]:
    """Writes a workspace: the reference, with other bodies for some targets and other texts."""

    def write(bodies: dict[str, str] | None = None, **texts: str | None) -> Path:
        folder = tmp_path / "work" / "babygrad"
        folder.mkdir(parents=True, exist_ok=True)
        sources: dict[str, str | None] = dict(course.replace_bodies(bodies or {}))
        sources.update({f"{name}.py": text for name, text in texts.items()})
        for name, text in sources.items():
            if text is not None:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_text(text, encoding="utf-8")
        return folder.parent

    return write
