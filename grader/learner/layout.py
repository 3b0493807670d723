"""What fits a narrow terminal: arrays a row of numbers per line, and lines folded at spaces."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from ..arrays import index_of
from ..streams import NARROW, columns
from .wording import Style, numbers

if TYPE_CHECKING:
    from ..result_rows import CheckResult


class Room(NamedTuple):
    """How much is shown of a failure."""

    rows: int  # of an array
    inputs: int  # of a call
    also: int  # further checks that are named; where none is, there are no gaps, either


ALL = 1000
ROOMY = Room(ALL, ALL, 3)
FIRST = 25  # column of what stands beside a label
MOST_ROWS = 6  # of an array: with more of them its numbers follow each other
MOST_PRINTED = 20  # lines of what the learner's code has printed

DIGITS = (6, 9, 12, 17)  # as many as it takes for what differs to differ
SIDES = (
    ("yours", "yours"),
    ("right", "right"),
    ("finite_difference", "finite difference"),
    ("pytorch", "PyTorch"),
    ("reference", "reference"),
)


def laid_out(head: str, text: str, style: Style, most: int = ALL) -> list[str]:
    """``head`` and a nested list, or findings; in few rows where one line is too narrow."""
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
    """The first lines, and a sign where there are more."""
    if len(lines) <= most:
        return lines
    last = lines[most - 1]
    last = last if len(last) + len(" …") <= style.width else last.rpartition(" ")[0]
    return [*lines[: most - 1], f"{last} …"]


def _rows(text: str) -> list[tuple[int, str]]:
    """The text cut between ``], [``: how many brackets are open, and what follows; words are cut
    between their findings."""
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


def lines(text: str, style: Style, room: Room = ROOMY) -> Iterator[str]:
    """Lines as they stand, and in several where they are too long."""
    rows = text.splitlines()
    left_out = [row for row in rows if " = " in row][room.inputs :]
    for row in rows:
        name, equals, value = row.partition(" = ")
        if row in left_out:
            if row == left_out[-1]:
                yield f"      … and {len(left_out)} more."
        elif not row and not room.also:
            continue
        elif len(row) + 6 <= style.width:
            yield f"      {row}".rstrip()
        elif name.isidentifier() and value.startswith("[["):
            yield from laid_out(f"      {name}{equals}", value, style, room.rows)
        else:
            is_array = bool(equals) and value.startswith("[")
            folded = style.wrap(row, "        ", "      ")
            yield from _cut(folded, room.rows, style) if is_array else folded


def sides(check: CheckResult, style: Style, room: Room = ROOMY) -> Iterator[str]:
    """Yours beside what the oracles say; the reference only where no oracle speaks.

    An array for which there is no room is shown from the first value on that is wrong.
    """
    values = {"yours": check["yours"], **check["expected"]}
    if values["yours"] is None:
        return
    if values["finite_difference"] is not None or values["pytorch"] is not None:
        values["reference"] = None
    yield ""
    shown = {key: value for key, value in values.items() if value is not None}
    texts = _texts(shown)
    if any(len(laid_out(" " * FIRST, text, style)) > room.rows for text in texts.values()):
        texts = _from_where_wrong(shown)
    labels = {**dict(SIDES), **check.get("labels", {})}
    right = [key for key in texts if key != "yours"]
    if len(right) > 1 and len({texts[key] for key in right}) == 1:
        texts = {"yours": texts["yours"], "right": texts[right[0]]}  # all oracles agree
    for key, _ in SIDES:
        if key in texts:
            head = f"{'':6}{labels[key]:<{FIRST - 7}} "
            if style.narrow:
                yield style.paint("red" if key == "yours" else "green", head.rstrip())
                head = " " * 8
            for line in laid_out(head, texts[key], style, room.rows):
                yield style.paint("red" if key == "yours" else "green", line)


def _texts(values: dict[str, object]) -> dict[str, str]:
    """Each side in numbers; as shapes, where the shapes differ: then no number tells anything."""
    shapes = {key: shape(value) for key, value in values.items()}
    if None not in shapes.values() and len(set(shapes.values())) > 1:
        return {key: f"shape {found}" for key, found in shapes.items()}
    texts: dict[str, str] = {}
    for digits in DIGITS:
        texts = {key: numbers(value, digits) for key, value in values.items()}
        if len(set(texts.values())) > 1:
            break
    return texts


def _from_where_wrong(values: dict[str, object]) -> dict[str, str]:
    """Each side in numbers, or in findings, from the first one on that is not right."""
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
    wrong = (n for n, pair in enumerate(pairs) if len(set(map(numbers, pair))) > 1)
    at = next(wrong, 0)
    place = f"from {index_of(sizes, at)} on: " if at else ""
    texts = _texts({key: row[at:] for key, row in rows.items()})
    return {key: f"{place}{text}" for key, text in texts.items()}


def _flat(value: object) -> list[object]:
    if not isinstance(value, list):
        return [value]
    return [each for inner in value for each in _flat(inner)]


def shape(value: object) -> tuple[int, ...] | None:
    """The shape of nested lists of numbers; None of anything else, and where a 0 is in it."""
    if isinstance(value, str) or value == []:
        return None
    if not isinstance(value, list):
        return ()
    inner = shape(value[0])
    return None if inner is None else (len(value), *inner)


def said_by_code(printed: str, style: Style, most: int = MOST_PRINTED) -> Iterator[str]:
    """What the learner's own code has printed, marked as theirs, and bounded."""
    if not printed.strip():
        return
    yield style.paint("dim", "Your code printed:")
    found: list[str] = []
    for line in printed.splitlines():
        fits = len(line) + 4 <= style.width
        found += [f"  | {line}"] if fits else style.wrap(line, "  |   ", "  | ")
    for line in found[:most]:
        yield style.paint("dim", line[: style.width])
    if found[most:]:
        yield style.paint("dim", f"  | … and {len(found) - most} more lines")


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
            self._stream.write("\r" + fold_line(text[1:], width - 1)[0])
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
        lines = fold_line(text, width, self._used, self._indent)
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


def fold_line(text: str, width: int, used: int = 0, indent: str = "") -> list[str]:
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
