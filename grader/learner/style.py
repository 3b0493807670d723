"""Colour and wrapping for a terminal, in a few lines: `check` may not wait for a library."""

from __future__ import annotations

import os
import re
from typing import TextIO

WHOLE = re.compile(r"[^\s`]*(?:`[^`]*`[^\s`]*)+|\S+")
NARROW = 60
CODES = {"red": "31", "green": "32", "yellow": "33", "cyan": "36", "bold": "1", "dim": "2"}


class Style:
    """How to write to one stream: with colour or without, and how wide."""

    def __init__(self, colour: bool, width: int, book: str | None = None) -> None:
        self.colour = colour
        self.width = width
        self.book = book  # the address of the built book, where there is one

    @property
    def narrow(self) -> bool:
        """Whether columns side by side would leave no room for words."""
        return self.width < NARROW

    @classmethod
    def of(cls, stream: TextIO) -> Style:
        """Colour on a terminal that wants it; at most 100 columns, 80 in a file."""
        terminal = stream.isatty()
        wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        width = 80
        if terminal:
            try:
                width = min(100, os.get_terminal_size(stream.fileno()).columns)
            except OSError:
                pass
        return cls(terminal and wanted, width)

    def paint(self, name: str, text: str) -> str:
        return f"\x1b[{CODES[name]}m{text}\x1b[0m" if self.colour and name else text

    def link(self, text: str, to: str) -> str:
        """``text``, which a terminal that knows how lets one click: a place in the book."""
        if not (self.colour and self.book) or self.narrow:
            return text
        return f"\x1b]8;;{self.book}{to}\x1b\\{text}\x1b]8;;\x1b\\"

    def _words(self, text: str, indent: int) -> list[str]:
        """The words of a text; what stands in backticks is one word, so that it can be copied."""
        if "`" not in text:
            return text.split()
        words: list[str] = []
        for word in WHOLE.findall(text):
            words += [word] if len(word) + indent <= self.width else word.split()
        return words

    def wrap(self, text: str, indent: str = "", first: str | None = None) -> list[str]:
        """``text`` in lines no wider than the terminal, as long as its words allow."""
        lines, line = [], indent if first is None else first
        empty = True
        for word in self._words(text, len(indent)):
            if not empty and len(line) + 1 + len(word) > self.width:
                lines.append(line)
                line, empty = indent, True
            line += word if empty else f" {word}"
            empty = False
        return [*lines, line] if not empty else lines
