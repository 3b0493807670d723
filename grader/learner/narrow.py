"""Lines folded to the width of a narrow terminal, at spaces where there are any."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterable
from typing import Any, TextIO

from ..streams import NARROW, columns

ESCAPE = "\x1b"
# Colours, the two ends of a link, spaces, words.
PIECE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|\x1b\]8;;[^\x1b]*\x1b\\|\s+|[^\s\x1b]+|\x1b")
MOST_INDENT = 0.3  # of the width: further in there would be room for nothing


def fold(names: Iterable[str]) -> None:
    """Fold what is said on these standard streams."""
    for name in names:
        setattr(sys, name, Folded(getattr(sys, name)))


class Folded:
    """A terminal on which no line is wider than it is; measured at every turn, as windows change.

    All else about it is the stream's own.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._used = 0  # columns of the last line, which is not ended yet
        self._indent = ""

    def write(self, text: str) -> int:
        width = columns(self._stream)
        if width >= NARROW:
            self._used = 0
            return self._stream.write(text)
        if text.startswith("\r"):  # a line that is written over and over
            self._stream.write("\r" + folded(text[1:], width - 1)[0])
            return len(text)
        for number, line in enumerate(text.expandtabs().split("\n")):
            if number:
                self._stream.write("\n")
                self._used = 0
            if line:
                self._add(line, width)
        return len(text)

    def _add(self, text: str, width: int) -> None:
        if not self._used:
            self._indent = " " * min(len(text) - len(text.lstrip(" ")), int(MOST_INDENT * width))
        lines = folded(text, width, self._used, self._indent)
        self._used = wide(lines[-1]) + (self._used if len(lines) == 1 else 0)
        self._stream.write("\n".join(lines))

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def wide(text: str) -> int:
    """The columns that a text takes; colours and links take none."""
    if ESCAPE in text:
        text = "".join(piece for piece in PIECE.findall(text) if piece[0] != ESCAPE)
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def folded(text: str, width: int, used: int = 0, indent: str = "") -> list[str]:
    """One line as several, none wider than ``width``.

    Args:
        used: columns that are taken on the first line.
        indent: what the others begin with.
    """
    lines, line = [], ""
    for piece in PIECE.findall(text):
        if used + wide(piece) > width and piece.isspace():
            used = width  # nobody sees it at the end of a line; what follows begins a new one
            continue
        if used + wide(piece) > width and used > len(indent):
            lines.append(line.rstrip(" "))
            line, used = indent, len(indent)
        while used + wide(piece) > width:  # a whole line is too narrow for it
            head = _head(piece, width - used)
            lines.append(line + head)
            piece, line, used = piece[len(head) :], indent, len(indent)
        line += piece
        used += wide(piece)
    return [*lines, line]


def _head(piece: str, room: int) -> str:
    """As many letters as there is room for, and at least one."""
    count = 1
    while count < len(piece) and wide(piece[: count + 1]) <= room:
        count += 1
    return piece[:count]
