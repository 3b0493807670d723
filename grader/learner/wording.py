"""Word statuses, points, arrays and small phrases in the same way everywhere, and lay them out for
a terminal: colour, wrapping, arrays row by row. No library is used: importing one slows `check`.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple, TextIO

from ..about import COURSE
from ..arrays import index_of
from ..course.compare import LABELS
from ..streams import columns

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from ..course.key_rows import ExerciseRow
    from ..result_rows import CheckResult, ExerciseResult, IsolationResult

    Home = Literal["terminal", "notebook", "page"]

WHOLE = re.compile(r"[^\s`]*(?:`[^`]*`[^\s`]*)+|\S+")
NARROW = 60
CODES = {"red": "31", "green": "32", "yellow": "33", "cyan": "36", "bold": "1", "dim": "2"}


class Style:
    """The colour and width of a stream."""

    def __init__(
        self, colour: bool, width: int, book: str | None = None, home: Home = "terminal"
    ) -> None:
        self.colour = colour
        self.width = width
        self.book = book  # the built book's address, ends with "/"
        self.home = home  # where it is read: only a terminal runs commands

    @property
    def narrow(self) -> bool:
        """True if columns side by side would leave no room for words."""
        return self.width < NARROW

    @classmethod
    def of(cls, stream: TextIO) -> Style:
        """Measure a stream: colour if a terminal wants it; at most 100 columns, 80 in a file."""
        terminal = stream.isatty()
        wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        return cls(terminal and wanted, min(100, columns(stream)) if terminal else 80)

    def paint(self, name: str, text: str) -> str:
        return f"\x1b[{CODES[name]}m{text}\x1b[0m" if self.colour and name else text

    def link(self, text: str, to: str) -> str:
        """Link ``text`` to a place in the book, for terminals with hyperlinks (OSC 8)."""
        if not (self.colour and self.book) or self.narrow:
            return text
        return f"\x1b]8;;{self.book}{to}\x1b\\{text}\x1b]8;;\x1b\\"

    def _words(self, text: str, indent: int) -> list[str]:
        """Split into words; code in backticks is one word if it fits, so that it can be copied."""
        if "`" not in text:
            return text.split()
        words: list[str] = []
        for word in WHOLE.findall(text):
            words += [word] if len(word) + indent <= self.width else word.split()
        return words

    def wrap(self, text: str, indent: str = "", first: str | None = None) -> list[str]:
        """Break ``text`` into lines no wider than the terminal, unless a single word is wider."""
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
    """Format points without needless zeros: ``1.5``, ``2``."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def percent(share: float) -> str:
    """Format a share as a whole percentage: 0.126 is ``13 %``."""
    return f"{100 * share:.0f} %"


def format_numbers(value: object, digits: int = 6) -> str:
    """Format nested lists in one line, floats to six digits; a string is returned as it is."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return f"[{', '.join(format_numbers(item, digits) for item in value)}]"
    if isinstance(value, float):
        return f"{value or 0.0:.{digits}g}"  # 0 instead of -0
    return repr(value)


# Protections, by their full names in the result, and a word for what each guards.
HELD = (
    ("closed", {
        "files (Landlock)": "files", "no sockets (seccomp)": "network",
        "no new processes (seccomp)": "processes", "no signals to others (seccomp)": "signals",
        "no doors into the kernel (seccomp)": "kernel",
    }),
    ("limited", {"memory limit": "memory", "cpu limit": "time"}),
)  # fmt: skip


def isolation(found: IsolationResult) -> list[str]:
    """Say which isolation level held, and what it guarded, in one or two lines."""
    reduced = " (reduced isolation: see SECURITY.md)" if found["missing"] else ""
    groups = []
    for verb, names in HELD:
        words = [word for name, word in names.items() if name in found["protections"]]
        groups += [f"{verb}: {', '.join(words)}"] if words else []
    lines = [f"isolation: {found['level']}{reduced}"]
    return lines + ([f"({'; '.join(groups)})"] if groups else [])


def format_count(number: float, thing: str) -> str:
    """Count a thing: ``1 point``, ``2.5 points``."""
    return f"{points(number)} {thing}{'' if number == 1 else 's'}"


def first_of(names: Sequence[str], most: int) -> str:
    """List the first names, and how many more there are: ``a, b and 3 more``."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def normalize_answer(text: str) -> str:
    """Normalise an answer: no case, quotes, backticks or needless space."""
    return " ".join(text.replace("`", "").strip().strip("\"'").lower().split())


def worth(value: float) -> str:
    """Say how many points an exercise is worth."""
    return format_count(value, "point") if value else "no points"


def minutes(number: float) -> str:
    """Say how many minutes an exercise takes."""
    return f"about {format_count(number, 'minute')}"


def stars(difficulty: int) -> str:
    """Write a difficulty from 1 to 3 as stars: ``★★☆``."""
    return "★" * difficulty + "☆" * (3 - difficulty)


def state(status: str, style: Style, width: int = 0) -> str:
    """Write a status's mark and word, coloured, with the word padded to ``width``."""
    mark, word, colour = WORDS[status]
    return style.paint(colour, f"{mark} {word}") + " " * max(0, width - len(word))


def bar(done: float, total: float, width: int) -> str:
    """Draw progress as a bar of ``width`` characters; it is full only when all is done."""
    filled = int(width * done / total) if total else 0
    return "█" * filled + "░" * (width - filled)


def when(seconds: float) -> str:
    """Format a time (in seconds, as `time.time`): ``14:05`` today, ``03 Nov 14:05`` before."""
    then = time.localtime(seconds)
    today = time.localtime()[:3] == then[:3]
    return time.strftime("%H:%M" if today else "%d %b %H:%M", then)


def waits(id: str, others: list[str]) -> str:
    """Say which exercises block an exercise."""
    return f"{id} is blocked by {' and '.join(others) or 'another exercise'}."


def undetected_fault(exercise: ExerciseResult) -> str:
    """Return the sentence about a blocker that passes its own checks; empty without one."""
    reasons = (check.get("reason") for check in exercise["checks"])  # old records have none
    return next((r["says"] for r in reasons if r and r["name"] == "ran_undetected"), "")


def format_unimportable(says: str, place: str, style: Style, is_all: bool = True) -> list[str]:
    """Say that the package, or only a file of it, cannot be imported, and why.

    Args:
        place: FILE:LINE, ``ops.py:60``, or empty.
    """
    where = f" ({COURSE.name}/{place.replace(':', ', line ')})" if place else ""
    folder = COURSE.alone["folder"]
    alone = bool(place) and (not is_all or bool(folder) and place.startswith(folder))
    what = f"{COURSE.name}/{place.partition(':')[0]}" if alone else "Your package"
    return [
        style.paint("red", f"✗ {what} cannot be imported."),
        *style.wrap(f"{says}{where}.", "  ", "  "),
        "  Fix this first; then every exercise is judged again.",
    ]


def next_step(id: str | None, exercise: ExerciseRow | None, status: str) -> str:
    """Say in one sentence what to do now."""
    if id is None or exercise is None:
        return "All of it is right."
    if status == "blocked":
        return f"Next: what {id} waits for."
    if WORDS[status][0] in "✗!":
        return f"Next: fix {id}."
    return f"Next: write {exercise['title']} (section {exercise['section']}, {id})."


# ---- failures, cut to the room that there is ----------------------------------------------------


class DetailLevel(NamedTuple):
    """Limits to what is shown of a failure."""

    rows: int  # of an array
    inputs: int  # of a call
    also: int  # further checks that are named; with 0, empty lines are left out too


ALL = 1000
FULL_DETAIL = DetailLevel(ALL, ALL, 3)
FIRST = 25  # column at which values begin, after their labels
MOST_ROWS = 6  # of an array; one with more rows is wrapped as one text

DIGITS = (6, 9, 12, 17)  # the first of these for which the sides differ
SIDES = {"yours": "yours", "right": "right", **LABELS}


def laid_out(head: str, text: str, style: Style, most: int = ALL) -> list[str]:
    """Lay out ``head`` and a nested list, or findings: in one line, else row by row."""
    if len(head) + len(text) <= style.width:
        return [head + text]
    found: list[str] = []
    for depth, row in _rows(text):
        indent = " " * (len(head) + depth)
        found += style.wrap(row, indent + " ", indent if found else head)
    if len(found) > MOST_ROWS:
        found = style.wrap(text, " " * (len(head) + 1), head)
    return _cut(found, most, style)


def _cut(lines: list[str], most: int, style: Style) -> list[str]:
    """Keep the first ``most`` lines; end them with " …" if there are more."""
    if len(lines) <= most:
        return lines
    last = lines[most - 1]
    last = last if len(last) + len(" …") <= style.width else last.rpartition(" ")[0]
    return [*lines[: most - 1], f"{last} …"]


def _rows(text: str) -> list[tuple[int, str]]:
    """Cut a text at "], [" into (brackets open before, row), findings at "; ".
    ``[[1, 2], [3, 4]]`` gives (0, "[[1, 2],") and (1, "[3, 4]]")."""
    if "; " in text:
        return [(0, finding) for finding in text.split("; ")]
    rows: list[tuple[int, str]] = []
    depth = begun = start = 0
    for place, letter in enumerate(text):
        if letter == "[" and text[max(0, place - 3) : place] == "], ":
            rows.append((begun, text[start : place - 1]))
            begun, start = depth, place
        depth += (letter == "[") - (letter == "]")
    return [*rows, (begun, text[start:])]


def call_lines(
    check: CheckResult, style: Style, detail: DetailLevel = FULL_DETAIL
) -> Iterator[str]:
    """Yield a check's call and its inputs, as many as there is room for."""
    yield from wrap_lines(check["call"], style, detail)
    rows = list(check["inputs"].items())
    for name, value in rows[: detail.inputs]:
        row, text = f"{name} = {value}", str(value)
        if len(row) + 6 <= style.width:
            yield f"      {row}".rstrip()
        elif name.isidentifier() and text.startswith("[["):
            yield from laid_out(f"      {name} = ", text, style, detail.rows)
        else:
            folded = style.wrap(row, "        ", "      ")
            yield from _cut(folded, detail.rows, style) if text.startswith("[") else folded
    if rows[detail.inputs :]:
        yield f"      … and {len(rows) - detail.inputs} more."


def wrap_lines(text: str, style: Style, detail: DetailLevel = FULL_DETAIL) -> Iterator[str]:
    """Yield a text's lines, indented; those that are too long are folded below their beginning."""
    for row in text.splitlines():
        if len(row) + 6 > style.width:
            begins = " " * (6 + min(len(row) - len(row.lstrip()), style.width // 4))
            yield from style.wrap(row, f"{begins}  ", begins)
        elif row or detail.also:
            yield f"      {row}".rstrip()


def sides(check: CheckResult, style: Style, detail: DetailLevel = FULL_DETAIL) -> Iterator[str]:
    """Yield yours beside the oracles' values; the reference's only if there is no other oracle.

    An array that has no room is shown from its first wrong value on.
    """
    values = {"yours": check["yours"], **check["expected"]}
    if values["yours"] is None or isinstance(values["yours"], bool):  # its message says it all
        return
    if any(values[name] is not None for name in LABELS if name != "reference"):
        values["reference"] = None
    yield ""
    shown = {key: value for key, value in values.items() if value is not None}
    texts = _texts(shown)
    if any(len(laid_out(" " * FIRST, text, style)) > detail.rows for text in texts.values()):
        texts = _from_where_wrong(shown)
    labels = {**SIDES, **check.get("labels", {})}
    right = [key for key in texts if key != "yours"]
    if len(right) > 1 and len({texts[key] for key in right}) == 1:
        texts = {"yours": texts["yours"], "right": texts[right[0]]}  # all oracles agree
    for key in SIDES:
        if key in texts:
            head = f"{'':6}{labels[key]:<{FIRST - 7}} "
            if style.narrow:
                yield style.paint("red" if key == "yours" else "green", head.rstrip())
                head = " " * 8
            for line in laid_out(head, texts[key], style, detail.rows):
                yield style.paint("red" if key == "yours" else "green", line)


def _texts(values: dict[str, object]) -> dict[str, str]:
    """Format each side: as numbers, or as shapes if these differ."""
    shapes = {key: shape(value) for key, value in values.items()}
    if None not in shapes.values() and len(set(shapes.values())) > 1:
        return {key: f"shape {found}" for key, found in shapes.items()}
    texts: dict[str, str] = {}
    for digits in DIGITS:
        texts = {key: format_numbers(value, digits) for key, value in values.items()}
        if len(set(texts.values())) > 1:
            break
    return texts


def _from_where_wrong(values: dict[str, object]) -> dict[str, str]:
    """Format each side, numbers or findings, from the first wrong one on."""
    if any("; " in value for value in values.values() if isinstance(value, str)):
        findings = {key: str(value).split("; ") for key, value in values.items()}
        beside = zip(*findings.values(), strict=False)
        at = sum(1 for _ in takewhile(lambda each: len({*each}) == 1, beside))
        return {k: "… " * (at > 0) + "; ".join(rest[at:]) for k, rest in findings.items()}
    sizes = shape(values["yours"])
    if not sizes or any(shape(value) != sizes for value in values.values()):
        return _texts(values)
    rows = {key: _flat(value) for key, value in values.items()}
    pairs = zip(*list(rows.values())[:2], strict=False)
    wrong = (n for n, pair in enumerate(pairs) if len(set(map(format_numbers, pair))) > 1)
    at = next(wrong, 0)
    place = f"from {index_of(sizes, at)} on: " if at else ""
    texts = _texts({key: row[at:] for key, row in rows.items()})
    return {key: f"{place}{text}" for key, text in texts.items()}


def _flat(value: object) -> list[object]:
    if not isinstance(value, list):
        return [value]
    return [each for inner in value for each in _flat(inner)]


def shape(value: object) -> tuple[int, ...] | None:
    """Return the shape of nested lists of numbers; None for texts and empty lists."""
    if isinstance(value, str) or value == []:
        return None
    if not isinstance(value, list):
        return ()
    inner = shape(value[0])
    return None if inner is None else (len(value), *inner)
