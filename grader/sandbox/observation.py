"""What a session brings back: an observation per probe, and where the definitions stand."""

from __future__ import annotations

from typing import Any, NamedTuple

from .frames import SHORT


class Observation(NamedTuple):
    """What came of one probe.

    Attributes:
        kind: ``arrays``; ``raised`` (an exception), ``complained`` (not readable as arrays),
            ``died``, ``hung``, ``garbled`` (not a frame), ``skipped`` (after one of those).
        texts: for ``raised``: type, message, file, line, trail (``file:line`` of every learner's
            frame, a line each, the innermost first); else message.
        parts: for ``arrays``: the arrays, by part.
    """

    kind: str
    texts: dict[str, str]
    parts: dict[str, list[Any]]


class Definition(NamedTuple):
    """Where a definition stands in the learner's package, and whether it is still a stub.

    Attributes:
        before: the line of an earlier one of the same name that is no stub; 0 where there is none.
    """

    target: str
    file: str
    first: int
    last: int
    stub: bool
    before: int = 0


class Violation(NamedTuple):
    """A rule that a source breaks: the file whose targets it counts for, where, and why."""

    counts_for: str
    file: str
    line: int
    says: str


class Run(NamedTuple):
    """All that a session brought back.

    Attributes:
        protections: what held in every worker; None where none was needed.
    """

    protections: list[str] | None
    definitions: dict[str, Definition]
    absent: set[str]
    unloadable: Observation | None
    observations: dict[int, Observation]
    entered: dict[int, set[tuple[str, int]]]
    output: str
    refused: list[Violation]


def definitions(text: str) -> dict[str, Definition]:
    """The definitions that a worker listed, a line each; what is no such line is left out."""
    found: dict[str, Definition] = {}
    for line in text.splitlines():
        target, file, first, last, stub = (*line.split("\t"), "", "", "", "")[:5]
        if line_number(first) and line_number(last):
            lines = line_number(first), line_number(last)
            earlier = found.get(target)
            before = earlier.first if earlier is not None and not earlier.stub else 0
            place = file[: SHORT["file"]]
            found[target] = Definition(target, place, *lines, stub == "1", before)
    return found


def violations(text: str) -> list[Violation]:
    """The broken rules that a worker listed, a line each; what is no such line is left out."""
    rows = (line.split("\t") for line in text.splitlines())
    return [
        Violation(r[0], r[1][: SHORT["file"]], line_number(r[2]), r[3][: SHORT["message"]])
        for r in rows
        if len(r) == 4
    ]


def line_number(text: str) -> int:
    """A line number that a worker sent; 0 where it is none. The worker may send anything."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0


def hung(seconds: float) -> Observation:
    return Observation("hung", {"message": f"{seconds:g}"}, {})


def out_of_turn() -> Observation:
    return Observation("garbled", {"message": "a frame out of turn"}, {})
