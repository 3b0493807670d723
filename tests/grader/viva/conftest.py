"""One package, and one lot of questions about it, for all tests of the folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from exercises.chapter3.variants import ELEMENTWISE
from grader.course.key_source import open_key
from grader.course.package import Package, digest
from grader.grade_package import Grading
from grader.learner.viva.kinds import draw
from grader.learner.viva.question import Question
from grader.learner.viva.subject import Subject
from grader.sandbox.fork_client import LaterNursery

from ..whole_course import whole_course

IDS = [
    f"chapter3.{name}"
    for name in (
        "transpose.forward", "summation.forward", "sigmoid.forward", "mul.backward", "div.backward",
        "div.operator", "summation.backward", "matmul.backward", "backward", "broadcasting",
        "bughunt.mend",
    )
]  # fmt: skip
COUNT, SEED = 30, "d"


def package_of(bodies: dict[str, str] | None = None) -> Package:
    """The reference, with other bodies for some targets, as a package that lies nowhere."""
    sources = whole_course().patched(bodies or {})
    files = {name: text.encode() for name, text in sources.items()}
    return Package("/nowhere/babygrad", files, digest(files))


class Asked(NamedTuple):
    """A package, and questions about it."""

    subject: Subject
    questions: list[Question]

    def probe(self, question: Question) -> int:
        """The probe that a question's call is made by."""
        chapter = self.subject.chapter
        return next(
            number
            for number, row in enumerate(chapter.probes)
            if row["exercise"] == question.exercise
            and self.subject.setting_of(number)[0] == question.setting
        )


def asked_about(package: Package, chapter: str, launch, ids: list[str], count: int) -> Asked:
    key = open_key()
    rows = key.chapter(chapter, launch)
    given = {row["id"] for row in rows.exercises if row["given"]}
    every = [row["id"] for row in rows.exercises]
    # What is not asked about is not judged either: that would take long.
    given |= set(every) - set(ids or every)
    subject = Subject(Grading(key, package, launch, given), rows, ids or every)
    return Asked(subject, draw(subject, count, SEED))


@pytest.fixture(scope="session")
def nursery() -> Iterator[LaterNursery]:
    with LaterNursery() as shared:
        yield shared


@pytest.fixture(scope="session")
def asked(nursery: LaterNursery) -> Asked:
    """Questions about some exercises, written in another way than the reference."""
    package = package_of(ELEMENTWISE[0].bodies)
    return asked_about(package, "chapter3", nursery.launch, IDS, COUNT)


def written(package: Package, folder: Path) -> str:
    """The package in a folder, for the command."""
    for name, data in package.files.items():
        path = folder / "babygrad" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return str(folder)
