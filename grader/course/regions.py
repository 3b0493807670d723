"""Solution regions in a source text: who owns them, how they are taken out or replaced.

A region is what stands between `### BEGIN SOLUTION` and `### END SOLUTION`. Its owner is the
innermost definition around it, written as a target: module and qualified name,
`ops.Div.backward`. A region is always the whole body below the docstring.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from ..errors import OurFault
from .syntax_tree import Definition, find_definitions, parse

BEGIN = "### BEGIN SOLUTION"
END = "### END SOLUTION"


@dataclass(frozen=True)
class Region:
    """The lines ``first`` … ``last`` (the markers, counted from 0) inside ``owner``."""

    owner: str
    first: int
    last: int
    indent: str
    body: str


@lru_cache(maxsize=64)  # an author's loop asks for those of the reference, over and over
def regions(module: str, text: str) -> tuple[Region, ...]:
    """The regions of a module's text, in order.

    Raises:
        OurFault: a marker without its partner, or a region that no definition holds.
    """
    spans = definitions(module, text)
    lines = text.splitlines()
    found: list[Region] = []
    begin: int | None = None
    for number, line in enumerate(lines):
        if line.strip() == BEGIN:
            if begin is not None:
                raise OurFault(f"{module}.py line {number + 1}: {BEGIN} inside a region.")
            begin = number
        elif line.strip() == END:
            if begin is None:
                raise OurFault(f"{module}.py line {number + 1}: {END} without its BEGIN.")
            found.append(_region(module, lines, begin, number, spans))
            begin = None
    if begin is not None:
        raise OurFault(f"{module}.py line {begin + 1}: {BEGIN} without its END.")
    return tuple(found)


def _region(
    module: str, lines: list[str], first: int, last: int, spans: Mapping[str, tuple[int, int]]
) -> Region:
    around = [name for name, (top, end) in spans.items() if top <= first + 1 <= end]
    if not around:
        raise OurFault(f"{module}.py line {first + 1}: no definition around this region.")
    indent = lines[first][: len(lines[first]) - len(lines[first].lstrip())]
    body = textwrap.dedent("\n".join(lines[first + 1 : last]))
    # Spans come outermost first, so the last one around is the innermost.
    return Region(around[-1], first, last, indent, body)


def definitions(module: str, text: str) -> dict[str, tuple[int, int]]:
    """Every function and class of a module: target → its first and last line (from 1)."""
    return {
        f"{module}.{name}": (node.lineno, node.end_lineno or node.lineno)
        for name, node in find_definitions(text).items()
    }


def rewritten(module: str, text: str, new_body: Callable[[Region], str]) -> str:
    """``text`` with every region, markers included, replaced by ``new_body(region)``."""
    lines = text.splitlines()
    for region in reversed(regions(module, text)):
        body = textwrap.indent(textwrap.dedent(new_body(region)).strip("\n"), region.indent)
        lines[region.first : region.last + 1] = body.splitlines()
    return "\n".join(lines) + "\n"


def remove_markers(text: str) -> str:
    """A module's text without markers: the whole reference, solved."""
    lines = (line for line in text.splitlines() if line.strip() not in (BEGIN, END))
    return "\n".join(lines) + "\n"


def stub(exercise: str, section: str) -> str:
    """What stands in a stub: where to read, what to run, and that nothing is there yet."""
    return (
        f"# Yours to write: section {section}; `grader check {exercise}`\nraise NotImplementedError"
    )


def without_docstrings(text: str) -> str:
    """A module's text without the docstrings of its definitions; its own stays, as do comments."""
    lines = text.splitlines()
    for node in ast.walk(parse(text)):
        if not isinstance(node, Definition):
            continue
        first = node.body[0]
        if ast.get_docstring(node, clean=False) is not None and len(node.body) > 1:
            last = first.end_lineno or first.lineno
            # An empty line between the docstring and the first statement goes with it.
            end = node.body[1].lineno - 1
            while last < end and not lines[last].strip():
                last += 1
            for number in range(first.lineno - 1, last):
                lines[number] = "\0"
    return "\n".join(line for line in lines if line != "\0") + "\n"
