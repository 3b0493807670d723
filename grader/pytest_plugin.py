"""pytest as a front end: `pytest tests/chapter3 --package DIR`, one item per check, and in a
workspace `pytest -p grader.pytest_plugin`, one item per exercise, in the file of its target.

They are judged in the worker, as by `grader check`; pytest only shows the results, and imports none
of the learner's files. A chapter is judged once, when its first item runs.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from . import root
from .course import package
from .course.key_file import Key
from .course.outline import chapter_of, is_chapter
from .errors import OurFault, WrongUse
from .learner.own_file import asked_in, spans_in
from .learner.selection import find_changed, find_given, key_for, open_grading
from .learner.terminal import details
from .learner.wording import Style, format_unimportable
from .learner.workspace import is_workspace
from .result import iter_exercises, result
from .sandbox.launch import start_worker
from .verdict import BLOCKED, BROKEN, GIVEN, PASSED, PENDING

if TYPE_CHECKING:
    from .result_rows import CheckResult, ExerciseResult, Unloadable

SKIPPED = (PENDING, BLOCKED, GIVEN)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("grader")
    group.addoption("--package", metavar="DIR", help=f"the {package.NAME} package to judge")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse an invalid --package at once, with a usage error."""
    place = config.getoption("--package")
    if place is not None:
        try:
            package.find_package_folder(place)
        except WrongUse as error:
            raise pytest.UsageError(str(error)) from error


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path, parent: pytest.Collector
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Collect checks from a chapter's `suite.py`, and exercises from a learner's file.

    They take the place of modules, which pytest would import.
    """
    usual = yield
    if file_path.name == "suite.py" and is_chapter(file_path.parent.name):
        return [*usual, Suite.from_parent(parent, path=file_path)]
    if file_path.suffix == ".py" and _package_around(file_path) is not None:
        return [LearnerFile.from_parent(parent, path=file_path)]
    return usual


@pytest.hookimpl(tryfirst=True)
def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a learner's package as a plain folder: of a package pytest imports `__init__.py`."""
    return None if _package_around(path) is None else pytest.Dir.from_parent(parent, path=path)


def _package_around(path: Path) -> Path | None:
    """Return the workspace's package that is, or holds, a path; None if there is none."""
    around = (each for each in (path, *path.parents) if each.name == package.NAME)
    return next((each for each in around if is_workspace(str(each))), None)


class PackageJudge:
    """The package under test, and the chapters judged so far; one per package in a pytest run."""

    def __init__(self, place: str) -> None:
        self.folder = package.find_package_folder(place)
        self.package = package.read_package(self.folder)
        self.key: Key = key_for(self.folder)
        written = find_given(self.key, self.folder)
        self.given = written - find_changed(self.key, self.package, written)
        self._chapters: dict[str, dict[str, ExerciseResult]] = {}
        self.unloadable: list[Unloadable] = []  # failed imports that are not reported yet

    def exercise(self, id: str) -> ExerciseResult:
        """Return an exercise's canonical result; its chapter is judged at the first call."""
        name = chapter_of(id)
        if name not in self._chapters:
            ids = [id for id, _, _ in self.key.outline if id.startswith(f"{name}.")]
            grading = open_grading(self.key, self.package, start_worker, ids)
            found = result(grading, grading.grade(ids))
            self.unloadable += found["unloadable"]
            self._chapters[name] = {e["id"]: e for e in iter_exercises(found)}
        return self._chapters[name][id]


JUDGES = pytest.StashKey[dict[str, PackageJudge]]()


def _judge(config: pytest.Config, place: str) -> PackageJudge:
    judges = config.stash.setdefault(JUDGES, {})
    if place not in judges:
        judges[place] = PackageJudge(place)
    return judges[place]


class Suite(pytest.File):
    """The checks of one chapter."""

    def collect(self) -> Iterator[CheckItem]:
        place = self.config.getoption("--package") or root.path("solutions")
        judge = _judge(self.config, place)
        for check in judge.key.chapter(self.path.parent.name).checks:
            yield CheckItem.from_parent(
                self, name=check["id"], judge=judge, id=check["exercise"], title=check["title"]
            )


class LearnerFile(pytest.File):
    """The exercises of one file of a workspace; if it does not parse, all at line 1."""

    def collect(self) -> Iterator[ExerciseItem]:
        folder = _package_around(self.path)
        judge = _judge(self.config, str(folder))
        name = self.path.relative_to(judge.folder).as_posix()
        spans = spans_in(name, judge.package.text(name))
        lines: dict[str, int] = {}
        for target, id in asked_in(name, judge.key.table["targets"], judge.given).items():
            lines.setdefault(id, spans.get(target, (1, 1))[0] - 1)
        for id, line in lines.items():
            yield ExerciseItem.from_parent(self, name=id, judge=judge, id=id, line=line)


class NotPassed(Exception):
    """Marks an item as failed; `repr_failure` writes the report."""


class ExerciseItem(pytest.Item):
    """A test item that shows one exercise."""

    exercise: ExerciseResult

    def __init__(
        self, *, judge: PackageJudge, id: str, title: str = "", line: int | None = None, **rest: Any
    ) -> None:
        super().__init__(**rest)
        self.judge = judge
        self.id = id
        self.title = title
        self.line = line
        self.funcargs: dict[str, object] = {}  # other plugins (pytest-lsp) look for it

    def setup(self) -> None:
        if self.id in self.judge.given:
            pytest.skip("given: written for you")
        self.exercise = self.judge.exercise(self.id)
        status = self.status()
        usual = "changed by you, and right" if status == GIVEN else ""
        says = next((c["message"] for c in self.checks() if c["status"] == status), usual)
        if status == BROKEN:
            raise OurFault(says)
        if status in SKIPPED:
            pytest.skip(f"{status}: {says}")

    def checks(self) -> list[CheckResult]:
        """Return the checks that this item shows."""
        return self.exercise["checks"]

    def status(self) -> str:
        return self.exercise["status"]

    def runtest(self) -> None:
        if self.status() != PASSED:
            raise NotPassed

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        if not isinstance(excinfo.value, NotPassed):
            return super().repr_failure(excinfo, style)
        untold, style = self.judge.unloadable, Style(False, 80)
        for cause in [each for each in untold if self.id in each["exercises"]]:
            untold.remove(cause)
            place = cause["location"] or ""
            return "\n".join(format_unimportable(cause["message"].rstrip("."), place, style))
        return "\n".join(details({**self.exercise, "checks": self.checks()}, style))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, self.line, f"{self.name}: {self.title}" if self.title else self.name


class CheckItem(ExerciseItem):
    """A test item that shows one check."""

    def checks(self) -> list[CheckResult]:
        return [c for c in self.exercise["checks"] if c["id"] == self.name]

    def status(self) -> str:
        return self.checks()[0]["status"]
