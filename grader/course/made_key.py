"""The key of the course's sources: a slice is made when it is asked for, and kept.

`check` opens this one in a checkout and where pip has installed the sources, so that the module
imports little: what makes a slice is imported when one is missing.
"""

from __future__ import annotations

import sys
from functools import cached_property

from ..memo import Memo, digest
from .key_file import Key
from .outline import chapter_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Protocol

    from .key_file import ChapterKey, Json, Launch

    class Maker(Protocol):
        """Makes slices; `make.Making` does."""

        launch: Launch

        def prepare(self) -> None: ...
        def chapter(self, name: str, launch: Launch) -> bytes: ...
        def mistakes(self, chapter: ChapterKey, id: str, launch: Launch) -> bytes: ...


class MadeKey(Key):
    """A key without a file.

    Args:
        table: what it says of the whole course, the names of its slices among it.
        memo: where slices are kept from one command to the next.
        making: makes what is missing.
    """

    def __init__(self, table: Json, memo: Memo | None, making: Callable[[], Maker]):
        self.table = {**table, "chapters": table["names"], "mistakes": {}}
        self.path = ""
        self.memo = memo
        self._making = making
        self._open, self._gives = {}, {}
        self._kept: dict[str, bytes] = {}  # what would be in the memo

    @cached_property
    def making(self) -> Maker:
        """What makes slices; it reads the course, once."""
        return self._making()

    def prepare(self, chapters: Iterable[str]) -> None:
        """Get ready to make the slices of these chapters in several threads."""
        names = [self.table["names"][chapter] for chapter in chapters]
        if any(self.memo is None or self.memo.get(name) is None for name in names):
            self.making.prepare()

    def slice(self, name: str, launch: Launch = None) -> bytes:
        entry = self.table["names"][name]
        return self._once(
            entry, f"the answers of {name}", lambda: self.making.chapter(name, launch)
        )

    def mistakes(self, exercise: str, launch: Launch = None) -> bytes:
        name = chapter_of(exercise)
        entry = digest("mistakes", self.table["names"][name], exercise)

        def make() -> bytes:
            return self.making.mistakes(self.chapter(name, launch), exercise, launch)

        return self._once(entry, f"what mistakes give in {exercise}", make)

    def programs(self, chapter: ChapterKey) -> bytes:
        from ..sandbox.session import compiled  # whoever asks this has a session

        texts = chapter.programs
        name = digest("guarded programs", sys.version, sorted(texts.items()))
        return self._once(name, f"the programs of {chapter.id}", lambda: compiled(texts))

    def _once(self, name: str, what: str, make: Callable[[], bytes]) -> bytes:
        """An entry of the memo, or of what would be there."""
        if self.memo is not None:
            return self.memo.made(name, what, make)
        if name not in self._kept:
            self._kept[name] = make()
        return self._kept[name]
