"""A learner's functions as text: their lines, and what might stand in the place of one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from ...about import COURSE
from ...course.mutation import SYNTAX, mutants
from ...course.outside import plain
from ...course.syntax_tree import Definition, find_definitions, parse, span

MOST_LINES = 40  # of a function that is quoted
MOST_MOVED = 4  # lines in a row
SIMPLE = (ast.Assign, ast.AugAssign, ast.Return, ast.Raise, ast.Expr)


@lru_cache(maxsize=64)  # of a copy with one change all other files are the same
def read(data: bytes) -> tuple[list[str], dict[str, Definition]]:
    """A file's lines and definitions; none where it is no UTF-8, or would steer a terminal."""
    try:
        text = re.sub("\r\n?", "\n", data.decode("utf-8-sig"))
        return (text.split("\n"), find_definitions(text)) if plain(text) == text else ([], {})
    except (SyntaxError, ValueError, RecursionError):
        return [], {}


class Function(NamedTuple):
    """A function that an exercise had written, or one inside it."""

    exercise: str
    name: str
    file: str
    node: ast.FunctionDef
    text: list[str]  # of the whole file

    @property
    def title(self) -> str:
        return f"{self.name} ({COURSE.name}/{self.file})"

    @property
    def place(self) -> str:
        """Its file and first line."""
        return f"{self.file}:{span(self.node)[0]}"

    def line(self, number: int) -> str:
        return self.text[number - 1].strip()

    @property
    def lines(self) -> dict[int, ast.stmt]:
        """Number → the one statement of a line that has no part of another."""
        found: dict[int, ast.stmt | None] = {}
        for each in _statements(self.node):
            inside = None if isinstance(each, Definition) else getattr(each, "body", None)
            last = inside[0].lineno - 1 if inside else each.end_lineno or 0
            begins = not self.text[each.lineno - 1][: each.col_offset].strip()
            alone = begins and last <= each.lineno and _is_told(each)
            for number in range(each.lineno, max(last, each.lineno) + 1):
                found[number] = each if alone and number not in found else None
        return {number: each for number, each in found.items() if each is not None}

    @property
    def blocks(self) -> list[list[int]]:
        """Three or four lines in a row, none of which is a branch or a loop."""
        simple = [(n, each) for n, each in self.lines.items() if isinstance(each, SIMPLE)]
        rows = groupby(enumerate(simple), lambda it: (it[1][0] - it[0], it[1][1].col_offset))
        found = [[number for _, (number, _) in row][-MOST_MOVED:] for _, row in rows]
        return [row for row in found if len(row) > 2]

    def quote(self, mark: int = 0) -> tuple[str, ...]:
        """Its lines with their numbers, without its docstring; a marked one has a `>`."""
        shown = list(range(self.node.lineno, (self.node.end_lineno or 0) + 1))
        if ast.get_docstring(self.node, clean=False) is not None:
            first, last = span(self.node.body[0])
            shown = [n for n in shown if not first <= n <= last]
        if len(shown) > MOST_LINES and mark:
            shown = [n for n in shown if abs(n - mark) <= MOST_LINES // 2]
        return tuple(f"{'>' if n == mark else ' '}{n:>4} | {self.text[n - 1]}" for n in shown)


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """What a function does, in order, without what the functions in it do."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
        if not isinstance(child, Definition):
            yield from _statements(child)


def _is_told(statement: ast.stmt) -> bool:
    """Whether Python says when it begins; of what is a constant it may not."""
    inside = statement.value if isinstance(statement, ast.Expr) else None
    constant = isinstance(getattr(statement, "test", inside), ast.Constant)
    return isinstance(statement, (*SIMPLE, ast.If, ast.For, ast.While)) and not constant


def other_lines(line: str) -> list[str]:
    """What might stand in a line's place, by the operators of the audit."""
    head = line.endswith(":")
    try:
        body = ast.unparse(parse(f"{line} pass" if head else line))
    except SyntaxError:  # such as an `elif`
        return []
    found = [m.body.split("\n") for m in mutants(body, [], {}) if m.kind in SYNTAX]
    return [first for first, *rest in found if len(rest) == head == first.endswith(":")]
