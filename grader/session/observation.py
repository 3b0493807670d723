"""What a session brings back: an observation per probe, and where the definitions stand."""

from __future__ import annotations

from typing import Any, NamedTuple


class Observation(NamedTuple):
    """What came of one probe.

    Attributes:
        kind: ``arrays``; ``raised`` (an exception), ``complained`` (not readable as arrays),
            ``died``, ``hung``, ``garbled`` (not a frame), ``skipped`` (after one of those).
        texts: for ``raised``: type, message, file, line; else message.
        parts: for ``arrays``: the arrays, by part.
    """

    kind: str
    texts: dict[str, str]
    parts: dict[str, list[Any]]


class Definition(NamedTuple):
    """Where a definition stands in the learner's package, and whether it is still a stub."""

    target: str
    file: str
    first: int
    last: int
    stub: bool


class Run(NamedTuple):
    """All that a session brought back."""

    protections: list[str]
    definitions: dict[str, Definition]
    absent: set[str]
    unloadable: Observation | None
    observations: dict[int, Observation]
    entered: dict[int, set[tuple[str, int]]]
    output: str


def definitions(text: str) -> dict[str, Definition]:
    """The definitions that a worker listed, a line each; what is no such line is left out."""
    found: dict[str, Definition] = {}
    for line in text.splitlines():
        target, file, first, last, stub = (*line.split("\t"), "", "", "", "")[:5]
        if first.isdigit() and last.isdigit():
            found[target] = Definition(target, file, int(first), int(last), stub == "1")
    return found
