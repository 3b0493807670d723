"""What a save has changed: the exercises whose targets read otherwise now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ..course.load import module_of
from ..course.regions import definitions


class Pieces(NamedTuple):
    """A module cut up: the text of every target in it, and all that lies between."""

    targets: dict[str, str]
    rest: list[str]


class Edits(NamedTuple):
    """What differs between two packages.

    Attributes:
        files: the names of the files that differ.
        exercises: those whose targets differ, in no order.
        elsewhere: whether anything else differs: an import, a helper, a file that cannot be cut.
    """

    files: list[str]
    exercises: set[str]
    elsewhere: bool


class Editor:
    """Remembers the last package whose files could be cut up, and compares with the next.

    Args:
        owners: target → its exercise.
    """

    def __init__(self, owners: Mapping[str, str]) -> None:
        self.owners = owners
        self.files: dict[str, bytes] = {}
        self.pieces: dict[str, Pieces] = {}

    def look(self, files: dict[str, bytes]) -> Edits:
        """What differs from the last time; a file that is no Python keeps its last good cut."""
        names = [n for n in sorted({*self.files, *files}) if self.files.get(n) != files.get(n)]
        exercises: set[str] = set()
        elsewhere = False
        for name in names:
            before = self.pieces.get(name, Pieces({}, []))
            after = self._cut(name, files[name]) if name in files else Pieces({}, [])
            if after is None:
                elsewhere = True
                continue
            self.pieces[name] = after
            targets = {*before.targets, *after.targets}
            exercises |= {
                self.owners[t] for t in targets if before.targets.get(t) != after.targets.get(t)
            }
            elsewhere |= before.rest != after.rest
        self.files = dict(files)
        return Edits(names, exercises, elsewhere)

    def _cut(self, name: str, data: bytes) -> Pieces | None:
        text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n")
        try:
            spans = definitions(module_of(name), text)
        except (SyntaxError, ValueError, RecursionError):
            return None
        lines = text.split("\n")
        targets = {t: "\n".join(lines[top - 1 : end]) for t, (top, end) in spans.items()
                   if t in self.owners}  # fmt: skip
        taken = {n for t in targets for n in range(spans[t][0] - 1, spans[t][1])}
        rest = [line for n, line in enumerate(lines) if n not in taken and line.strip()]
        return Pieces(targets, rest)
