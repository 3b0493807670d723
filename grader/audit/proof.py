"""What the theorems share: the course, its key, a nursery of workers, and packages from texts."""

from __future__ import annotations

import hashlib
import os
import tempfile
from functools import cached_property
from types import TracebackType
from typing import NamedTuple

from ..course import Exercise, Mistake
from ..course.load import Course, load
from ..grade import Grading
from ..intake.package import Package
from ..judge.judge import ExerciseVerdict
from ..key.file import Key
from ..making.build import PUBLIC_SEED
from ..making.make import make
from ..session.launch import needed_numpy
from ..session.nursery import Nursery

REFERENCE_FOLDER = "/reference/babygrad"  # a name in messages only; nothing is read there


class Problem(NamedTuple):
    """One thing that is not as it should be: where, what, and how to mend it."""

    where: str
    what: str
    mend: str


class Proof:
    """The course under proof, and the means to judge any package against it."""

    def __init__(self, course: Course | None = None, seed: str = PUBLIC_SEED) -> None:
        self.course = course or load()
        self.seed = seed
        self.notes: list[str] = []  # what a theorem counted, for the audit to print
        self.nursery = Nursery(needed_numpy())
        self._folder = tempfile.TemporaryDirectory(prefix="grader-audit-")

    def __enter__(self) -> Proof:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self.nursery.__exit__(kind, error, trace)
        self._folder.cleanup()

    @cached_property
    def key(self) -> Key:
        """The public key, built from what stands in the course now."""
        return self.key_of(self.seed)

    def key_of(self, seed: str) -> Key:
        """The key of any seed."""
        path = os.path.join(self._folder.name, f"{hashlib.sha256(seed.encode()).hexdigest()}.key")
        if not os.path.exists(path):
            make(path, seed, self.course, with_mistakes=seed == self.seed)
        return Key(path)

    def judge(
        self,
        sources: dict[str, str],
        ids: list[str] | None = None,
        key: Key | None = None,
        begins: int = 1,
    ) -> dict[str, ExerciseVerdict]:
        """Verdicts for these exercises (all of them by default) of a package made of texts.

        Args:
            begins: the chapter at which the workspace begins; those before it are given.
        """
        key = key or self.key
        files = {name: text.encode() for name, text in sources.items()}
        package = Package(REFERENCE_FOLDER, files, "")
        early = tuple(f"{c.id}." for c in self.course.chapters if c.number < begins)
        given = {id for id, _, is_given in key.outline if is_given or id.startswith(early)}
        grading = Grading(key, package, self.nursery.launch, given, reference=self.course.solved)
        return grading.grade(ids if ids is not None else [id for id, _, _ in key.outline])

    def mistakes(self) -> list[tuple[Exercise, Mistake]]:
        """Every mistake of the catalogue with its exercise."""
        return [(e, m) for e in self.course.exercises.values() for m in e.mistakes]

    def chapter_ids(self, exercise: Exercise) -> list[str]:
        """All exercises of an exercise's chapter."""
        return [id for id in self.course.exercises if id.startswith(f"{exercise.chapter}.")]


def target_of(exercise: Exercise, mistake: Mistake) -> str:
    """The definition that a mistake rewrites."""
    return mistake.target or exercise.targets[0]
