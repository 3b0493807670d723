"""Write notes into a copy of a package, by which its functions say what they do, without a trace.

def count(items):          def count(items):
                               __told__.enter('ops.py:1')
    found = 0                  __told__.line(2)
                               found = 0
    for each in items:         __told__.line(3)
                               for each in __told__.each(3, items):
        found += 1                 __told__.line(4)
                                   found += 1
    return found               __told__.line(5)
                               return __told__.gave(found)
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from functools import lru_cache

from ..course.syntax_tree import NO_PYTHON, Definition, parse, statement_lines

NOTE = "__told__"  # as in `line_trace.py`, which has it among Python's builtins meanwhile


def add_notes(files: Mapping[str, bytes], wanted: Collection[str]) -> dict[str, bytes]:
    """Return the files of a package with notes.

    Args:
        wanted: FILE:LINE of functions that tell their lines, too; others tell that they are called.
    """
    return {name: _with_notes(name, data, frozenset(wanted)) for name, data in files.items()}


@lru_cache(maxsize=64)  # a changed copy shares all other files
def _with_notes(name: str, data: bytes, wanted: frozenset[str]) -> bytes:
    try:
        tree = parse(data.decode("utf-8-sig"))
        NoteWriter(name, wanted).visit(tree)
        return ast.unparse(tree).encode()
    except NO_PYTHON:
        return data


class NoteWriter(ast.NodeTransformer):
    """Writes notes into the functions of a file."""

    def __init__(self, file: str, wanted: frozenset[str]) -> None:
        self.file, self.wanted = file, wanted
        self.place = ""  # of the innermost definition

    def visit(self, node: ast.AST) -> ast.AST | list[ast.AST]:
        around = self.place
        if isinstance(node, Definition):
            is_function = isinstance(node, ast.FunctionDef)
            self.place = f"{self.file}:{statement_lines(node)[0]}" if is_function else ""
        self.generic_visit(node)
        if self.place in self.wanted:
            note_inside(node)
        if isinstance(node, ast.FunctionDef):
            first = ast.get_docstring(node, clean=False) is not None
            node.body.insert(first, note("enter", self.place))
        self.place = around
        if around not in self.wanted or not isinstance(node, ast.stmt) or is_silent(node):
            return node
        return [note("line", statement_lines(node)[0]), node]


def note_inside(node: ast.AST) -> None:
    """Write what a statement tells while it runs: each round, its end, its result."""
    if isinstance(node, ast.Return):
        node.value = call("gave", node.value or ast.Constant(None))
    elif isinstance(node, ast.For):
        node.iter = call("each", ast.Constant(node.lineno), node.iter)
    elif isinstance(node, ast.While):
        node.test = ast.BoolOp(ast.Or(), [note("line", node.lineno).value, node.test])
    elif isinstance(node, ast.With):
        node.body = [ast.Try(node.body, [], [], [note("line", node.lineno)])]
    elif isinstance(node, ast.FunctionDef):
        node.body.append(ast.Return(call("gave", ast.Constant(None))))


def is_silent(node: ast.stmt) -> bool:
    """Whether nothing tells that a statement begins; of `while` its condition does."""
    is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_docstring or isinstance(node, ast.Global | ast.Nonlocal | ast.While)


def note(name: str, what: str | int) -> ast.Expr:
    return ast.Expr(call(name, ast.Constant(what)))


def call(name: str, *given: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(ast.Name(NOTE, ast.Load()), name, ast.Load()), [*given], [])
