"""The rule that some files work alone: below one folder, which the course names, a file uses
nothing else of the package.

It is read off the imports before anything runs. And while a probe of such a file runs, no function
of another file may be entered: it can get hold of these without an import.
"""

from __future__ import annotations

import sys
from contextlib import nullcontext

import lazy_imports
import rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Collection, Iterator, Mapping
    from contextlib import AbstractContextManager
    from types import FrameType
    from typing import Any

    from rules import Broken, Note
else:
    ast = lazy_imports.Later("ast")

UNWATCHED = nullcontext()
MOST_EVENTS = 20_000  # of one probe that are looked at: a few milliseconds


class Alone:
    """The rule of one course.

    Args:
        package: the name of the learner's package.
        folder: ``engines/``; where it is empty, no file works alone.
        says: what is said of a file that does not.
    """

    def __init__(self, package: str, folder: str, says: str) -> None:
        self.package = package
        self.folder = folder
        self.says = says

    def broken(self, files: Mapping[str, bytes], holders: Collection[str]) -> list[Broken]:
        """(file it counts for, file, line, sentence) of every import that breaks the rule."""
        return [
            (file, file, line, self.says)
            for file in holders
            if self.folder and file.startswith(self.folder) and file in files
            for line in self.own_imports(rules.parsed(files[file]))
        ]

    def own_imports(self, tree: ast.AST) -> Iterator[int]:
        """The lines in which something of the learner's own package is imported."""
        for node in ast.walk(tree):
            relative = isinstance(node, ast.ImportFrom) and node.level
            names = rules.imported(node)
            if relative or any(name.startswith(".") or self.is_own(name) for name in names):
                yield rules.line_of(node)

    def is_own(self, name: str) -> bool:
        return name.partition(".")[0] == self.package

    def watch(self, folder: str, file: str | None, note: Note) -> AbstractContextManager[None]:
        """What looks on while a probe of this file runs; where there is none, at nothing."""
        if not file:
            return UNWATCHED
        return Watch(folder, file, lambda file, line: note(file, line, self.says))


class Watch:
    """A context in which a call into another file of the package is noted, the first one.

    Args:
        folder: where the learner's files lie.
        file: the engine's.
        note: is called with file and line.
    """

    def __init__(self, folder: str, file: str, note: Callable[[str, int], None]) -> None:
        self.prefix, self.file, self.note = f"{folder}/", file, note
        self.own = f"{folder}/{file}"
        self.look = self.seen  # one object: `self.seen` is another at every look
        self.before: Any = None
        self.left = MOST_EVENTS

    def __enter__(self) -> None:
        self.before = sys.getprofile()
        sys.setprofile(self.look)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        # An exception out of `seen` itself, the end of time, takes it off as well.
        taken_off = self.left and kind is None and sys.getprofile() is not self.look
        sys.setprofile(self.before)
        if taken_off:
            self.note(self.file, 1)

    def seen(self, frame: FrameType, event: str, arg: Any) -> None:
        if self.before is not None:
            self.before(frame, event, arg)
        self.left -= 1
        if not self.left:
            sys.setprofile(self.before)
        name = frame.f_code.co_filename
        if event != "call" or name == self.own or not name.startswith(self.prefix):
            return
        self.left = 0
        sys.setprofile(self.before)
        place: FrameType | None = frame
        while place is not None and place.f_code.co_filename != self.own:
            place = place.f_back
        self.note(self.file, 1 if place is None else place.f_lineno)
