"""The key of the course's sources, without a file: slices are made on demand, and cached.

`check` opens this one in a checkout and where pip has installed the sources; the code that makes
slices is imported only if one is missing.
"""

from __future__ import annotations

import sys
from functools import cached_property

from ..memo import Memo, hash_values
from .key_file import ChapterKey, Key
from .outline import chapter_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Protocol

    from .key_file import Json, Launch

    class Maker(Protocol):
        """Make slices, as `make_key.KeyBuilder` does."""

        launch: Launch

        def prepare(self) -> None: ...
        def chapter(self, name: str, launch: Launch) -> bytes: ...
        def mistakes(self, chapter: ChapterKey, id: str, launch: Launch) -> bytes: ...


def entry_beside(slice_name: str) -> str:
    """Return the cache key of what is kept beside a slice: its index, which `marshal` reads in half
    the time of `json`, and the unrounded answers of the reference."""
    return hash_values("beside a slice", slice_name, sys.version)


class MadeKey(Key):
    """A key without a file; its table has the cache keys of its chapters' slices."""

    def __init__(
        self, table: Json, memo: Memo | None, making: Callable[[], Maker], recalls: bool = False
    ) -> None:
        self.table = {**table, "chapters": table["names"], "mistakes": {}}
        # Whether an answer with the reference's own bits is right without a comparison. Not for an
        # audit: it proves that the reference is right.
        self.recalls = recalls
        self.path = ""
        self.memo = memo  # keeps slices from one command to the next
        self._making = making
        self._open, self._gives = {}, {}
        self._programs: dict[str, bytes] = {}  # chapter → its programs, compiled
        self._kept: dict[str, bytes] = {}  # in place of a memo

    @cached_property
    def making(self) -> Maker:
        """Object that makes slices; created once, as it loads the course."""
        return self._making()

    def prepare(self, chapters: Iterable[str]) -> None:
        """Prepare to make these chapters' slices in several threads, if some are not cached."""
        names = [self.table["names"][chapter] for chapter in chapters]
        if any(self.memo is None or self.memo.get(name) is None for name in names):
            self.making.prepare()

    def _read_chapter(self, name: str, launch: Launch) -> ChapterKey:
        data, entry = self.slice(name, launch), entry_beside(self.table["names"][name])
        index, exact = (self.memo and self.memo.recall(entry)) or (None, {})
        found = ChapterKey(data, index)
        found.exact = exact if self.recalls else {}
        return found

    def slice(self, name: str, launch: Launch = None) -> bytes:
        entry = self.table["names"][name]
        return self._once(
            entry, f"the answers of {name}", lambda: self.making.chapter(name, launch)
        )

    def mistakes(self, exercise: str, launch: Launch = None) -> bytes:
        name = chapter_of(exercise)
        entry = hash_values("mistakes", self.table["names"][name], exercise)

        def make() -> bytes:
            return self.making.mistakes(self.chapter(name, launch), exercise, launch)

        return self._once(entry, f"what mistakes give in {exercise}", make)

    def programs(self, chapter: ChapterKey) -> bytes:
        """Return a chapter's compiled programs, read once: each session of a failure takes them."""
        from ..sandbox.session import compile_programs  # callers have a session: it is loaded

        if chapter.id not in self._programs:
            texts = chapter.programs
            name = hash_values("guarded programs", sys.version, sorted(texts.items()))
            self._programs[chapter.id] = self._once(
                name, f"the programs of {chapter.id}", lambda: compile_programs(texts)
            )
        return self._programs[chapter.id]

    def _once(self, name: str, what: str, make: Callable[[], bytes]) -> bytes:
        """Return an entry of the memo, or, without a memo, of this object; make it if missing."""
        if self.memo is not None:
            return self.memo.get_or_make(name, what, make)
        if name not in self._kept:
            self._kept[name] = make()
        return self._kept[name]
