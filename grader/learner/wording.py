"""The same event in the same words, everywhere: statuses, arrays, points, and small phrases; and
how a terminal gets them: colour and wrapping, in a few lines: `check` may not wait for a library.
"""

from __future__ import annotations

import json
import os
import re
import time
from typing import TYPE_CHECKING, TextIO

from ..about import COURSE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..course.key_rows import ExerciseRow
    from ..result_rows import IsolationResult


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


# status → (mark, word, colour); the word carries the meaning, the colour only helps.
WORDS = {
    "passed": ("✓", "passed", "green"),
    "given": ("·", "given", "dim"),
    "pending": ("·", "pending", ""),
    "blocked": ("◦", "blocked", "yellow"),
    "failed": ("✗", "failed", "red"),
    "crashed": ("✗", "crashed", "red"),
    "timed_out": ("✗", "timed out", "red"),
    "out_of_memory": ("✗", "out of memory", "red"),
    "refused": ("✗", "refused", "red"),
    "broken": ("!", "broken (our fault)", "red"),
}
ORDER = tuple(WORDS)


def points(value: float) -> str:
    """A mark without needless zeros: ``1.5``, ``2``."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def percent(share: float) -> str:
    """A share as people read it, rounded in one way everywhere."""
    return f"{100 * share:.0f} %"


def numbers(value: object, digits: int = 6) -> str:
    """Nested lists as one line, six digits each; anything else as it is."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return f"[{', '.join(numbers(item, digits) for item in value)}]"
    if isinstance(value, float):
        return f"{value or 0.0:.{digits}g}"  # nobody wants to read -0
    return json.dumps(value)


# What a protection keeps from learner code, in a word; the result holds their full names.
HELD = (
    ("closed", {
        "files (Landlock)": "files", "no sockets (seccomp)": "network",
        "no new processes (seccomp)": "processes", "no signals to others (seccomp)": "signals",
        "no doors into the kernel (seccomp)": "kernel",
    }),
    ("limited", {"memory limit": "memory", "cpu limit": "time"}),
)  # fmt: skip


def isolation(found: IsolationResult) -> list[str]:
    """The level that held, and what it kept from learner code."""
    reduced = " (reduced isolation: see SECURITY.md)" if found["missing"] else ""
    groups = []
    for verb, names in HELD:
        words = [word for name, word in names.items() if name in found["protections"]]
        groups += [f"{verb}: {', '.join(words)}"] if words else []
    lines = [f"isolation: {found['level']}{reduced}"]
    return lines + ([f"({'; '.join(groups)})"] if groups else [])


def counted(number: float, thing: str) -> str:
    """``1 point``, ``2.5 points``."""
    return f"{points(number)} {thing}{'' if number == 1 else 's'}"


def first_of(names: Sequence[str], most: int) -> str:
    """The first of these names, and how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def plain(text: str) -> str:
    """An answer without case, quotes, backticks and needless space."""
    return " ".join(text.replace("`", "").strip().strip("\"'").lower().split())


def worth(value: float) -> str:
    """What an exercise is worth."""
    return counted(value, "point") if value else "no points"


def minutes(number: float) -> str:
    """How long the prose says that it takes."""
    return f"about {counted(number, 'minute')}"


def stars(difficulty: int) -> str:
    """How hard it is, as the prose writes it: ``★★☆``."""
    return "★" * difficulty + "☆" * (3 - difficulty)


def state(status: str, style: Style, width: int = 0) -> str:
    """Mark and word of a status, coloured and padded."""
    mark, word, colour = WORDS[status]
    return style.paint(colour, f"{mark} {word}") + " " * max(0, width - len(word))


def bar(done: float, total: float, width: int) -> str:
    """How much is done, as a bar; full only when everything is."""
    filled = int(width * done / total) if total else 0
    return "█" * filled + "░" * (width - filled)


def when(seconds: float) -> str:
    """A time of today as a clock tells it, an earlier one with its date."""
    then = time.localtime(seconds)
    today = time.localtime()[:3] == then[:3]
    return time.strftime("%H:%M" if today else "%d %b %H:%M", then)


def waits(id: str, others: list[str]) -> str:
    """An exercise that cannot be judged yet, and what it waits for."""
    return f"{id} is blocked by {' and '.join(others) or 'another exercise'}."


def unimportable(says: str, place: str, style: Style) -> list[str]:
    """The package as a whole does not work; ``place`` is «ops.py:60», or empty."""
    where = f" ({COURSE.name}/{place.replace(':', ', line ')})" if place else ""
    folder = COURSE.alone["folder"]
    alone = bool(folder) and place.startswith(folder)
    what = f"{COURSE.name}/{place.partition(':')[0]}" if alone else "Your package"
    return [
        style.paint("red", f"✗ {what} cannot be imported."),
        *style.wrap(f"{says}{where}.", "  ", "  "),
        "  Fix this first; then every exercise is judged again.",
    ]


def next_step(id: str | None, exercise: ExerciseRow | None, status: str) -> str:
    """One sentence: what to do now."""
    if id is None or exercise is None:
        return "All of it is right."
    if status == "blocked":
        return f"Next: what {id} waits for."
    if WORDS[status][0] in "✗!":
        return f"Next: fix {id}."
    return f"Next: write {exercise['title']} (section {exercise['section']}, {id})."
