"""pytest as a front end: `pytest tests/chapter3 --package DIR`, one item per check.

The checks are judged in the worker exactly as `grader check` does; pytest only shows them. A
chapter is judged once, when its first item runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from . import root
from .course import package
from .course.key_file import Key
from .course.key_source import open_key
from .course.outline import is_chapter
from .errors import OurFault, WrongUse
from .grade_package import Grading
from .judge.judge import CheckVerdict
from .learner.choice import given
from .learner.style import Style
from .learner.terminal import details
from .learner.wording import unimportable
from .result import result
from .sandbox.launch import launch
from .verdict import BLOCKED, BROKEN, GIVEN, PASSED, PENDING

if TYPE_CHECKING:
    from .course.key_rows import CheckRow, ExerciseResult, Unloadable

    Judged = tuple[CheckVerdict, ExerciseResult]

SKIPPED = (PENDING, BLOCKED, GIVEN)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("grader")
    group.addoption("--package", metavar="DIR", help=f"the {package.NAME} package to judge")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse a wrong --package at once, as a wrong use of the command."""
    place = config.getoption("--package")
    if place is not None:
        try:
            package.find(place)
        except WrongUse as error:
            raise pytest.UsageError(str(error)) from error


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Suite | None:
    """A chapter's `suite.py` is a collection of checks."""
    if file_path.name == "suite.py" and is_chapter(file_path.parent.name):
        return Suite.from_parent(parent, path=file_path)
    return None


class Judge:
    """The package under test, and the chapters judged so far. One for a whole pytest run."""

    def __init__(self, place: str | None) -> None:
        self.folder = package.find(place or root.path("solutions"))
        self.package = package.read(self.folder)
        self.key: Key = open_key()
        self._chapters: dict[str, dict[str, Judged]] = {}
        self.unloadable: list[Unloadable] = []  # what cannot be imported and is not said yet

    def given(self) -> set[str]:
        return given(self.key, self.folder)

    def chapter(self, name: str) -> dict[str, Judged]:
        """Check id → (its verdict, its exercise in the canonical result)."""
        if name not in self._chapters:
            ids = [id for id, _, _ in self.key.outline if id.startswith(f"{name}.")]
            grading = Grading(self.key, self.package, launch, self.given())
            verdicts = grading.grade(ids)
            found = result(grading, verdicts)
            self.unloadable += found["unloadable"]
            exercises = found["chapters"][0]["exercises"]
            self._chapters[name] = {
                check.check["id"]: (check, exercise)
                for exercise in exercises
                for check in verdicts[exercise["id"]].checks
            }
        return self._chapters[name]


JUDGE = pytest.StashKey[Judge]()


class Suite(pytest.File):
    """The checks of one chapter."""

    def collect(self) -> Iterator[CheckItem]:
        stash = self.config.stash
        if JUDGE not in stash:
            stash[JUDGE] = Judge(self.config.getoption("--package"))
        for check in stash[JUDGE].key.chapter(self.path.parent.name).checks:
            yield CheckItem.from_parent(self, name=check["id"], check=check)


class CheckFailed(Exception):
    """What a failed check has to say."""


class CheckItem(pytest.Item):
    """One check."""

    def __init__(self, *, check: CheckRow, **rest: Any) -> None:
        super().__init__(**rest)
        self.check = check
        self.verdict: CheckVerdict | None = None
        self.exercise: ExerciseResult

    def setup(self) -> None:
        judge = self.config.stash[JUDGE]
        if self.check["exercise"] in judge.given():
            pytest.skip("given: written for you")
        judged = judge.chapter(self.path.parent.name)
        self.verdict, self.exercise = judged[self.check["id"]]
        if self.verdict.status == BROKEN:
            raise OurFault(self.verdict.says)
        if self.verdict.status in SKIPPED:
            pytest.skip(f"{self.verdict.status}: {self.verdict.says}")

    def runtest(self) -> None:
        assert self.verdict is not None
        if self.verdict.status != PASSED:
            raise CheckFailed

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        if not isinstance(excinfo.value, CheckFailed):
            return super().repr_failure(excinfo, style)
        untold, style = self.config.stash[JUDGE].unloadable, Style(False, 80)
        for cause in [each for each in untold if self.exercise["id"] in each["exercises"]]:
            untold.remove(cause)
            place = cause["location"] or ""
            return "\n".join(unimportable(cause["message"].rstrip("."), place, style))
        mine = [c for c in self.exercise["checks"] if c["id"] == self.check["id"]]
        return "\n".join(details({**self.exercise, "checks": mine}, style))

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, f"{self.check['id']}: {self.check['title']}"
