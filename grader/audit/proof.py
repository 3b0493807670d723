"""Shared means of the invariants: the course, its key, a fork server, and packages from texts."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property, partial
from typing import NamedTuple

from ..about import COURSE
from ..course import Chapter, Exercise, Mistake, outline
from ..course.key_file import Key
from ..course.load import Course, optional_table, read_course
from ..course.make_key import KeyBuilder, all_slices
from ..course.outline import FULL
from ..course.package import Package
from ..course.rows import PUBLIC_SEED
from ..course.splice import target_file
from ..course.syntax_tree import Definition, find_definitions
from ..grade_package import Grading
from ..judge.judge import MOST_BESIDE_A_FAILURE, ExerciseVerdict
from ..memo import Memo
from ..sandbox.launch import ForkServer, Worker
from ..sandbox.session import Session
from .replay import Judging, JudgmentCache, Replayed, Verdicts

REFERENCE_FOLDER = f"/reference/{COURSE.name}"  # a name in messages only; nothing is read there


class Problem(NamedTuple):
    """An exception to an invariant: where, what, and how to mend it."""

    where: str
    what: str
    mend: str


class CourseCheck:
    """The course under proof, and the means to judge any package against it."""

    def __init__(
        self,
        course: Course | None = None,
        seed: str = PUBLIC_SEED,
        *,
        ids: frozenset[str] | None = None,
        own: frozenset[str] | None = None,
        key: Key | None = None,
        memo: Memo | None = None,
        remembers: bool = False,
    ) -> None:
        self.course = course or read_course()
        self.seed = seed
        self.ids = frozenset(self.course.exercises) if ids is None else ids  # in question
        self.own = self.ids if own is None else own  # those whose mistakes are in question, too
        self.memo = memo  # keeps earlier runs of the same code
        # Judgments and keys, too; then the course must equal its files.
        self.memory = JudgmentCache(memo) if remembers and memo is not None else None
        self.notes: list[object] = []  # an invariant's counts; the audit prints them
        self._keys: dict[str, Key] = {}  # seed and chapters → their key
        self._fork_server = ForkServer()  # a fork server, shared with the proofs of parts
        if key is not None:  # already built, for all chapters in question
            key.recalls = False  # that the reference is right is to be shown
            self.__dict__["key"] = key

    def __enter__(self) -> CourseCheck:
        return self

    def __exit__(self, *error: object) -> None:
        self._fork_server.__exit__(*error)

    def about(self, ids: frozenset[str]) -> CourseCheck:
        """Copy the proof for these exercises alone; the copy ends with this one."""
        part = copy.copy(self)
        part.ids, part.own = self.ids & ids, self.own & ids
        for known in ("chapters", "exercises"):
            part.__dict__.pop(known, None)
        return part

    @cached_property
    def chapters(self) -> tuple[Chapter, ...]:
        """Chapters of the exercises in question."""
        names = {outline.chapter_of(id) for id in self.ids}
        return tuple(chapter for chapter in self.course.chapters if chapter.id in names)

    @cached_property
    def exercises(self) -> list[Exercise]:
        """Exercises in question."""
        return [e for id, e in self.course.exercises.items() if id in self.ids]

    @cached_property
    def key(self) -> Key:
        """Public key, built from the current course."""
        return self.key_of(self.seed)

    def key_of(self, seed: str) -> Key:
        """Make the key of any seed for the chapters in question, with all their slices."""
        names = " ".join([seed, *(chapter.id for chapter in self.chapters)])
        if names not in self._keys:
            memo = self.memo if self.memory is not None else None
            launch = self.launch if len(self.chapters) == 1 else None
            part = replace(self.course, chapters=self.chapters)
            making = KeyBuilder(part, seed, memo, self.session, launch, live=True)
            self._keys[names] = key = making.key()
            all_slices(key, key.chapters)
        return self._keys[names]

    def launch(self) -> Worker:
        """Fork a worker; the fork server starts only with the first one."""
        return self._fork_server.fork()

    @property
    def session(self) -> Callable[..., Session]:
        """Session class that runs probes; with a memo, one that replays known runs."""
        return partial(Replayed, self.memo) if self.memo is not None else Session

    def judge(
        self,
        sources: dict[str, str],
        ids: list[str] | None = None,
        key: Key | None = None,
        begins: int = 1,
        handed_out: dict[str, str] | None = None,
        route: str = FULL,
    ) -> Verdicts:
        """Judge these exercises (by default, all in question) of a package made of texts.

        Args:
            begins: the chapter at which the workspace begins; those before it are given.
            handed_out: the text of given code; by default, the reference.
            route: what it gives solved is given.
        """
        key = key or self.key
        ids = ids if ids is not None else [e.id for e in self.exercises]
        given = outline.given_ids(key, begins, route)
        asked = "judged", sources, ids, sorted(given), handed_out or self.course.solutions

        def judging(key: Key, session: Callable[..., Session]) -> Verdicts:
            grading = Grading(
                key, _package(sources), self.launch, given, session=session,
                reference=lambda: handed_out or self.course.solved(),
            )  # fmt: skip
            return grading.grade(ids)

        return self._known(key, asked, judging)

    def scores(self, sources: dict[str, str], ids: list[str]) -> Iterator[tuple[str, float]]:
        """Yield (exercise id, score) for these exercises, without any blame."""
        yield from ((each.id, each.score) for each in self.first_verdicts(sources, ids))

    def first_verdicts(self, sources: dict[str, str], ids: list[str]) -> Iterator[ExerciseVerdict]:
        """Yield the verdicts of these exercises, without any blame."""

        def judging(key: Key, session: Callable[..., Session]) -> Verdicts:
            grading = Grading(key, _package(sources), self.launch, set(), session=session)
            return grading.grade_without_blame(key.chapter(name), mine)

        for name in {outline.chapter_of(id): None for id in ids}:
            mine = [id for id in ids if outline.chapter_of(id) == name]
            yield from self._known(self.key, ("at first", sources, mine), judging).values()

    def grading(self, sources: dict[str, str]) -> Grading:
        """Return the means to run a package made of texts; nothing of it is cached."""
        return Grading(self.key, _package(sources), self.launch, set())

    def _known(self, key: Key, asked: object, judging: Judging) -> Verdicts:
        """Return the verdicts of ``judging``, cached if there is a memory."""
        if self.memory is None:
            return judging(key, self.session)
        return self.memory.judge_or_recall(key, asked, judging)

    def mistakes(self) -> list[tuple[Exercise, Mistake]]:
        """Return every mistake in question, with its exercise."""
        return [(e, m) for e in self.exercises if e.id in self.own for m in e.mistakes]

    def chapter_ids(self, exercise: Exercise) -> list[str]:
        """Return all exercises of an exercise's chapter."""
        return [id for id in self.course.exercises if id.startswith(f"{exercise.chapter}.")]


def costs_enough(score: float, points: float) -> bool:
    """Whether a score is at most that of an exercise with a failed check."""
    most = MOST_BESIDE_A_FAILURE * points
    return score <= most or math.isclose(score, most)


def _package(sources: dict[str, str]) -> Package:
    return Package(REFERENCE_FOLDER, {n: text.encode() for n, text in sources.items()}, "")


def definition_of(course: Course, target: str) -> Definition:
    """Return a definition of the reference."""
    file, name = target_file(target, course.solutions)
    return find_definitions(course.solutions[file])[name]


def rows_of(chapter: str, targets: Iterable[str], name: str) -> dict[tuple[str, str], str]:
    """Return (target, line) → reason, from `NAME` in `exercises/chapterN/name.py`."""
    table = optional_table(f"exercises.{chapter}.{name}", name.upper())
    return {
        (target, line): reason
        for target in targets
        for reason, lines in table.get(target, {}).items()
        for line in lines
    }


def reads_as(text: str, line: str) -> bool:
    """Whether a row's line names a text; `…` at its end stands for any end."""
    return text.startswith(line[:-1]) if line.endswith("…") else text == line


def collapse_spaces(text: str) -> str:
    """Normalise white space and code quotes."""
    return " ".join(text.replace("``", "`").split())
