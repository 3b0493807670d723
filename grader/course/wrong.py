"""Mistakes as code: beneath an exercise stand its wrong solutions, each with its sentence.

    @exercise("chapter3.mul.backward", targets=("ops.Mul.backward",), points=2)
    class BACKWARD:
        swapped = edit("b, out_grad * a", "a, out_grad * b")
        '''You scaled each gradient by its own input, not by the other one.'''

        def whole_product(self, out_grad, node):
            '''You multiplied by the whole product.'''
            return out_grad * node, out_grad * node

`_` in a name stands for `-`, and one at its end for nothing (`or_`). A function whose name begins
with `_` is no mistake: it is what edits are `of`, where they are none of the reference.
"""

from __future__ import annotations

import ast
import inspect
import os
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import zip_longest
from typing import Any

from .. import root
from ..errors import OurFault
from .schema import Exercise, Mistake
from .syntax_tree import parse


def exercise(id: str, **more: Any) -> Callable[[type], Exercise]:
    """An `Exercise` whose mistakes are the rows of the class beneath."""
    return lambda rows: Exercise(id, wrong=rows, **more)


def edit(*change: Any, **more: Any) -> Mistake:
    """The reference with (old text, new text) in one place, or with several such pairs.

    Args:
        of: a function above, which is changed in place of the reference.
    """
    return Mistake("", edit=change, **more)


def body(text: str, **more: Any) -> Mistake:
    """A wrong body of one line."""
    return Mistake("", text, **more)


def also(**more: Any) -> Callable[[object], Mistake]:
    """A wrong function of which more is to be said than its docstring: ``@also(shown_by=…)``."""
    return lambda function: Mistake("", **more)


def mistakes(rows: type) -> tuple[Mistake, ...]:
    """What a class holds, in its order. It is read; nothing in it is ever called.

    Raises:
        OurFault: a row without a sentence, an edit that does not fit, two rows of one name.
    """
    path = inspect.getfile(rows)
    place = os.path.relpath(path, root.ROOT).replace(os.sep, "/")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    held = [c for c in _top(text) if isinstance(c, ast.ClassDef) and c.name == rows.__name__]
    if len(held) != 1:
        raise OurFault(f"{place}: a class of mistakes needs a name of its own: {rows.__name__}.")
    found: dict[str, Mistake] = {}
    bodies: dict[int, str] = {}  # of the rows so far, by what the class holds
    for name, node, docstring in _rows(held[0]):
        row, where = vars(rows)[name], f"{place}, line {node.lineno}"
        made = row if isinstance(row, Mistake) else Mistake("")
        says = made.says or " ".join(docstring.split())
        if name in found:
            raise OurFault(f"{where}: a second mistake is called {name}.")
        if not says and not name.startswith("_"):
            raise OurFault(f"{where}: the mistake {name} needs a sentence, as its docstring.")
        if isinstance(node, ast.FunctionDef):
            made = replace(made, body=_text(node, text.splitlines()))
        elif made.of:
            whole = apply_edit(bodies.get(id(made.of), ""), made.edit, where)
            made = replace(made, body=whole, edit=(), of=None)
        bodies[id(row)] = made.body
        called = name.rstrip("_").replace("_", "-")
        found[name] = replace(made, name=called, says=says, where=where)
    return tuple(made for name, made in found.items() if not name.startswith("_"))


def apply_edit(text: str, change: tuple[Any, ...], where: str) -> str:
    """A text with (old, new) put in, or with each of several such pairs in turn.

    Raises:
        OurFault: the old text does not stand there exactly once, or the new one is the same.
    """
    for old, new in (change,) if isinstance(change[0], str) else change:
        if text.count(old) != 1 or old == new:
            raise OurFault(
                f"{where}: an edit has to change exactly one place; {old!r} stands there "
                f"{text.count(old)} times, and {new!r} comes in its place."
            )
        text = text.replace(old, new)
    return text


@lru_cache(maxsize=4)  # a file holds several such classes, one after another
def _top(text: str) -> list[ast.stmt]:
    return parse(text).body


def _rows(held: ast.ClassDef) -> Iterator[tuple[str, ast.stmt, str]]:
    """Name, statement and docstring of each row: a function's own, or the text under an edit."""
    for node, below in zip_longest(held.body, held.body[1:]):
        if isinstance(node, ast.FunctionDef):
            yield node.name, node, _string(node.body[0])
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node, _string(below)


def _string(node: ast.stmt | None) -> str:
    text = node.value if isinstance(node, ast.Expr) else None
    return str(text.value) if isinstance(text, ast.Constant) else ""


def _text(function: ast.FunctionDef, lines: list[str]) -> str:
    """A function's body as it stands in its file, comments too, without the docstring."""
    first = function.body[0]
    before = first.end_lineno if _string(first) else first.lineno - 1
    return textwrap.dedent("\n".join(lines[before : function.end_lineno]))
