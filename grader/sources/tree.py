"""Python text as a tree, in any thread.

CPython before 3.11.8 counts the depth of the trees that all threads are making in one number, and
raises SystemError where it does not come out (python/cpython#106905): so one at a time.
"""

from __future__ import annotations

import ast
from _thread import allocate_lock
from typing import Any

_ONE_AT_A_TIME = allocate_lock()


def parse(text: str) -> ast.Module:
    """`ast.parse` of a text.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: as `ast.parse` does.
    """
    with _ONE_AT_A_TIME:
        return ast.parse(text)


def expression(text: str) -> ast.Expression:
    """`ast.parse` of a text that holds one expression; raises the same."""
    with _ONE_AT_A_TIME:
        return ast.parse(text, mode="eval")


def literal(text: str) -> Any:
    """`ast.literal_eval` of a text, a number, a text, a tuple …; raises the same."""
    return ast.literal_eval(expression(text.lstrip(" \t")))
