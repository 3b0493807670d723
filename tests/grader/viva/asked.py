"""Packages that lie nowhere, and questions about them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from grader.course.key_source import open_key
from grader.course.package import Package, hash_package
from grader.grade_package import Grading
from grader.viva.kinds import draw_questions
from grader.viva.question import VivaQuestion
from grader.viva.subject import Subject

from ..whole_course import whole_course

SEED = "d"


def package_of(bodies: dict[str, str] | None = None) -> Package:
    """Return the reference with other bodies for some targets, as a package without a folder."""
    sources = whole_course().replace_bodies(bodies or {})
    return package_with({name: text.encode() for name, text in sources.items()})


def package_with(files: dict[str, bytes]) -> Package:
    return Package("/nowhere/babygrad", files, hash_package(files))


class Asked(NamedTuple):
    """A package, and questions about it."""

    subject: Subject
    questions: list[VivaQuestion]

    def probe(self, question: VivaQuestion) -> int:
        """Return the probe that makes a question's call."""
        return self.probes(question.exercise)["\n".join(question.setting)]

    def probes(self, exercise: str) -> dict[str, int]:
        """Map each description of an exercise's probes to the first probe with it."""
        subject = self.subject
        numbers = [n for n, row in enumerate(subject.chapter.probes) if row["exercise"] == exercise]
        return {"\n".join(subject.setting_of(n)[0]): n for n in reversed(numbers)}


def asked_about(package: Package, chapter: str, launch, ids: list[str], count: int) -> Asked:
    key = open_key()
    rows = key.chapter(chapter, launch)
    given = {row["id"] for row in rows.exercises if row["given"]}
    every = [row["id"] for row in rows.exercises]
    # What is not asked about is not judged either: that would take long.
    given |= set(every) - set(ids or every)
    subject = Subject(Grading(key, package, launch, given), rows, ids or every)
    return Asked(subject, draw_questions(subject, count, SEED))


def written(files: dict[str, bytes], folder: Path) -> str:
    """Write a package into a folder for a command; return the folder."""
    for name, data in files.items():
        path = folder / "babygrad" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return str(folder)
