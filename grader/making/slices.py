"""What a chapter's key is made of, kept with the runs: what is made of the same is not made again.

Only `grader audit` asks for it, whose theorems need four keys that differ in their seeds and in
whether they hold the mistakes. Answers on which all oracles agreed are named by the sources that
they come from, PyTorch, and what names a run; what mistakes give, by their bodies, too; a slice by
all that its exercises say. So an edit of a mistake asks no oracle again, runs no other exercise's
mistakes, and leaves a slice alone that holds none.
"""

from __future__ import annotations

from dataclasses import astuple
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from ..course import Chapter, Exercise
from ..course.load import Course
from ..session.store import digest, machine, parts_of, plain_parts
from . import pytorch
from .build import Given
from .digest import made_from
from .plain import public

if TYPE_CHECKING:
    from ..session.store import Store


Answers = list[dict[str, Any]]  # of every probe: oracle → part → arrays


class Slices:
    """Kept slices and answers of a course's chapters, for one seed."""

    def __init__(self, store: Store, course: Course, seed: str, with_mistakes: bool) -> None:
        self.store = store
        sources = course.mark, sorted(course.solutions.items())
        self.common = digest(machine(), pytorch.version(), sources)
        self.made_from = cache(partial(made_from, seed))  # chapter → its sources, read once
        self.with_mistakes = with_mistakes

    def get(self, chapter: Chapter) -> tuple[str | None, bytes] | None:
        """The version of PyTorch that was asked for it, and the slice; None where none is kept."""
        known = self.store.get(self._name(chapter))
        return None if known is None else (known[0], known[1])

    def put(self, chapter: Chapter, version: str | None, slice: bytes) -> None:
        self.store.put(self._name(chapter), [version, slice])

    def answers(self, chapter: Chapter) -> tuple[Answers, list[str]] | None:
        """What the oracles said of each probe, and the names of those without a record."""
        known = self.store.get(self._of_answers(chapter))
        if known is None:
            return None
        kept, unrecorded = known
        return [
            {oracle: parts_of(parts) for oracle, parts in each.items()} for each in kept
        ], unrecorded

    def keep_answers(self, chapter: Chapter, answers: Answers, unrecorded: list[str]) -> None:
        kept = [{oracle: plain_parts(parts) for oracle, parts in each.items()} for each in answers]
        self.store.put(self._of_answers(chapter), [kept, unrecorded])

    def given(self, chapter: Chapter, exercise: Exercise) -> list[Given]:
        """What the mistakes of an exercise gave; nothing where it is not kept."""
        known = self.store.get(self._of_given(chapter, exercise)) or ()
        return [
            Given(name, {n: (ended, parts_of(parts)) for n, (ended, parts) in told.items()})
            for name, told in known
        ]

    def keep_given(self, chapter: Chapter, exercise: Exercise, given: list[Given]) -> None:
        kept = [
            (name, {n: (ended, plain_parts(parts)) for n, (ended, parts) in told.items()})
            for name, told in given
        ]
        self.store.put(self._of_given(chapter, exercise), kept)

    def _of_given(self, chapter: Chapter, exercise: Exercise) -> str:
        mistakes = [(m.name, m.target, m.body) for m in exercise.mistakes]
        made_from = self.made_from(chapter.id)
        return digest(self.common, "given", made_from, exercise.id, exercise.targets, mistakes)

    def _of_answers(self, chapter: Chapter) -> str:
        return digest(self.common, "answers", self.made_from(chapter.id))

    def _name(self, chapter: Chapter) -> str:
        rows = [public(exercise) for exercise in chapter.exercises]
        bodies = [astuple(m) for e in chapter.exercises for m in e.mistakes]
        asked = [astuple(question) for question in chapter.questions]
        told = rows, asked, bodies if self.with_mistakes else None
        return digest(self.common, self.made_from(chapter.id), told)
