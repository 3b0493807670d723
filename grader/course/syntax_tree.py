"""Python text as a tree, in any thread.

CPython before 3.11.8 counts the depth of the trees that all threads are making in one number, and
raises SystemError where it does not come out (python/cpython#106905): so one at a time. A library
that makes trees of its own (PyTorch does) is called with the same lock; where one is in another
thread all the same, ours is made once more.
"""

from __future__ import annotations

import ast
from _thread import RLock
from typing import Any, cast

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
ONE_AT_A_TIME = RLock()
MOST_TRIES = 20


def parse(text: str) -> ast.Module:
    """`ast.parse` of a text.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: as `ast.parse` does.
    """
    return cast(ast.Module, _tree(text, "exec"))


def expression(text: str) -> ast.Expression:
    """`ast.parse` of a text that holds one expression; raises the same."""
    return cast(ast.Expression, _tree(text, "eval"))


def _tree(text: str, mode: str) -> ast.AST:
    with ONE_AT_A_TIME:
        for _ in range(MOST_TRIES - 1):
            try:
                return ast.parse(text, mode=mode)
            except SystemError:
                continue
        return ast.parse(text, mode=mode)


def span(node: ast.stmt) -> tuple[int, int]:
    """The first and last line of a statement, its decorators included."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(d.lineno for d in decorators)]), node.end_lineno or node.lineno


def find_definitions(text: str) -> dict[str, Definition]:
    """Qualified name → its node, for every definition of a module, the outer ones first."""
    found: dict[str, Definition] = {}

    def visit(node: ast.AST, path: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, Definition):
                found[f"{path}{child.name}"] = child
                visit(child, f"{path}{child.name}.")

    visit(parse(text), "")
    return found


def literal(text: str) -> Any:
    """`ast.literal_eval` of a text, a number, a text, a tuple …; raises the same."""
    return ast.literal_eval(expression(text.lstrip(" \t")))
