"""Bodies as code: a class below an exercise holds its mistakes, one below a variant right bodies.

    @exercise("ops.Mul.backward", points=2)
    class BACKWARD:
        '''The slope of a · b along a is b.'''

        swapped = edit("b, out_grad * a", "a, out_grad * b")
        '''You scaled each gradient by its own input, not by the other one.'''

        def whole_product(self, out_grad, node):
            '''You multiplied by the whole product.'''
            return out_grad * node, out_grad * node

        @before("return b")
        def doubled(self, out_grad):
            '''You doubled `out_grad` on its way.'''
            out_grad = out_grad + out_grad

`_` in a name stands for `-`, and one at its end for nothing (`or_`). A function whose name begins
with `_` is no mistake: it is what edits are `of`, if that is not the reference.
"""

from __future__ import annotations

import ast
import inspect
import os
import re
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from .. import root
from ..errors import OurFault
from .schema import USED, Exercise, Mistake, Variant
from .syntax_tree import parse, parse_once

Row = Callable[[object], Mistake]


def exercise(name: str, **more: Any) -> Callable[[type], Exercise]:
    """Create an `Exercise` whose mistakes are the rows of the decorated class, and whose hints are
    the paragraphs of its docstring.

    Args:
        name: its id; or, without ``targets``, its one target, from which the id follows.
    """

    def read(rows: type) -> Exercise:
        texts = (rows.__doc__ or "").split("\n\n")
        hints = tuple(" ".join(text.split()) for text in texts if text.strip())
        named = {} if "targets" in more else {"targets": (name,)}
        id = id_of(name, rows.__module__) if named else name
        return Exercise(id, wrong=rows, **{"hints": hints, "needs": USED, **named, **more})

    return read


def id_of(target: str, module: str) -> str:
    """Return the id of a target: ``nn.Linear.__init__`` in chapter 4 gives chapter4.linear.init."""
    _, found, below = module.partition("exercises.")
    if not found:
        raise OurFault(f"{module} is no chapter's: give {target} an id and targets.")
    chapter, definition = below.partition(".")[0], target.partition(".")[2].lower()
    return f"{chapter}." + re.sub(r"__(\w+?)__", r"\1", definition)


def edit(*change: Any, **more: Any) -> Mistake:
    """Create a mistake by (old text, new text) in one place of the reference, or by several pairs.

    Args:
        of: a function above, which is edited in place of the reference.
    """
    return Mistake("", edit=change, **more)


def body(text: str, **more: Any) -> Mistake:
    """Create a mistake with a wrong body of one line."""
    return Mistake("", text, **more)


def mistake(**more: Any) -> Row:
    """Decorate a wrong function with further fields of its `Mistake`: ``@also(shown_by=…)``."""
    return lambda function: Mistake("", **more)


@dataclass(frozen=True)
class Lines:
    """A step of an edit: whole lines of a body, and the lines of a function that come there."""

    first: str  # a text that one line of the body holds, and no other; empty for the first line
    last: str = ""  # a text of the last line that goes; by default the first is the only one
    keeps: str = ""  # ``before`` or ``after``: no line goes, the new ones come there
    text: str = ""  # the new lines

    def put_into(self, body: str, where: str) -> str:
        """Return a body with the new lines in it, as deep as the line that they are named by.

        Raises:
            OurFault: not one line holds the first text, or none from there the last.
        """
        lines = body.split("\n")
        starts = [n for n, line in enumerate(lines) if self.first in line] if self.first else [0]
        ends = (
            [n + 1 for n in range(starts[0], len(lines)) if self.last in lines[n]] if starts else []
        )
        if len(starts) != 1 or not ends:
            raise OurFault(
                f"{where}: one line has to hold {self.first!r}, and one from there on "
                f"{self.last!r}; {len(starts)} lines hold the first."
            )
        goes = {"before": (starts[0],) * 2, "after": (starts[0] + 1,) * 2}
        start, end = goes.get(self.keeps, (starts[0], ends[0]))
        margin = lines[starts[0]].partition(lines[starts[0]].lstrip())[0]
        return "\n".join([*lines[:start], textwrap.indent(self.text, margin), *lines[end:]])


def instead(first: str, last: str = "", edits: tuple[Any, ...] = (), **more: Any) -> Row:
    """Decorate lines that replace those of the reference from one text to another.

    The function's parameters are the local names that its lines use.

    Args:
        last: a text of the last line that goes; by default ``first`` is of the only one.
        edits: pairs (old text, new text) that change the reference before that.
        more: fields of the `Mistake`; with ``of=`` the lines are those of that function.
    """
    return mistake(edit=(*edits, Lines(first, last)), **more)


def before(line: str, edits: tuple[Any, ...] = (), **more: Any) -> Row:
    """Decorate lines that come before the one of the reference that holds a text."""
    return mistake(edit=(*edits, Lines(line, keeps="before")), **more)


def after(line: str, edits: tuple[Any, ...] = (), **more: Any) -> Row:
    """Decorate lines that come after the one of the reference that holds a text."""
    return mistake(edit=(*edits, Lines(line, keeps="after")), **more)


@dataclass(frozen=True)
class EachResult:
    """A step of an edit: each result that a body returns goes through an expression."""

    through: str  # with ``{}`` for the result, in parentheses unless it is a call or a name

    def put_into(self, body: str, where: str) -> str:
        """Return a body with the expression around each result, or around each of a tuple's.

        Raises:
            OurFault: the body returns nothing, or a result that runs over several lines.
        """
        lines = body.encode().split(b"\n")  # a place in Python's tree counts bytes
        results = [each for node in _returns(parse(body)) for each in _results(node)]
        if not results or any(each.lineno != each.end_lineno for each in results):
            raise OurFault(f"{where}: every result has to be on one line, and there has to be one.")
        for each in reversed(results):
            line = lines[each.lineno - 1]
            before, after = line[: each.col_offset], line[each.end_col_offset :]
            result = ast.unparse(each)
            alone = isinstance(each, ast.Name | ast.Call | ast.Attribute)
            changed = self.through.format(result if alone else f"({result})")
            lines[each.lineno - 1] = before + changed.encode() + after
        return b"\n".join(lines).decode()


def _returns(node: ast.AST) -> Iterator[ast.Return]:
    """Yield what returns from a body, in order, and not from a function inside it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Return):
            yield child
        elif not isinstance(child, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            yield from _returns(child)


def _results(node: ast.Return) -> list[ast.expr]:
    several = isinstance(node.value, ast.Tuple) and node.value.elts
    return several or ([node.value] if node.value else [])


def result(through: str, **more: Any) -> Mistake:
    """Create a mistake that does something to each result of the reference, ``{}``: whatever the
    reference is, ``np.float32({})`` makes its results float32.
    """
    return Mistake("", edit=(EachResult(through),), **more)


def first(line: str, **more: Any) -> Mistake:
    """Create a mistake with one line more, before those of the reference, whatever they are."""
    return Mistake("", edit=(Lines("", keeps="before", text=line),), **more)


also = mistake  # as courses written for 1.0 call it


@dataclass(frozen=True)
class Right:
    """A row of a `variant`: a right body of one definition, as text or as the function below it."""

    target: str
    text: str = ""

    def __call__(self, function: object) -> Right:
        return self


right = Right


def variant(name: str, **more: Any) -> Callable[[type], Variant]:
    """Create a `Variant` whose bodies are the rows of the decorated class; none is ever called."""

    def read(rows: type) -> Variant:
        place, text, held = _find_class(rows)
        bodies: dict[str, str] = {}
        for row_name, node, _ in _rows(held):
            row = vars(rows)[row_name]
            if not isinstance(row, Right) or row.target in bodies:
                raise OurFault(f"{place}, line {node.lineno}: begin with @right(…), of one target.")
            if isinstance(node, ast.FunctionDef):
                row = replace(row, text=_text(node, text.splitlines()))
            bodies[row.target] = row.text
        return Variant(name, bodies, **more)

    return read


@dataclass(frozen=True)
class Broken:
    """Bodies that break one clause of a promise alone; each has its clause as docstring."""

    name: str  # what promises: a target, a class, or the box of an exercise
    rows: type


def broken(name: str) -> Callable[[type], Broken]:
    """Create a `Broken` whose bodies are the rows of the decorated class; in `broken.py`."""
    return lambda rows: Broken(name, rows)


def _find_class(rows: type) -> tuple[str, str, ast.ClassDef]:
    """Return the file of a class as it is told, its text, and the definition in it."""
    path = inspect.getfile(rows)
    place = os.path.relpath(path, root.ROOT).replace(os.sep, "/")
    text = Path(path).read_text("utf-8")
    classes = (each for each in parse_once(text).body if isinstance(each, ast.ClassDef))
    held = [each for each in classes if each.name == rows.__name__]
    if len(held) != 1:
        raise OurFault(f"{place}: a class of bodies needs a name of its own: {rows.__name__}.")
    return place, text, held[0]


def read_mistakes(rows: type) -> tuple[Mistake, ...]:
    """Read the mistakes of a class, in its order. Nothing in it is ever called.

    Raises:
        OurFault: a row without a sentence, an edit that does not fit, two rows of one name.
    """
    found = read_bodies(rows)
    for row in found:
        if not row.says:
            raise OurFault(
                f"{row.where}: the mistake {row.name} needs a sentence, as its docstring."
            )
    return found


def read_bodies(rows: type) -> tuple[Mistake, ...]:
    """Read the bodies of a class, right or wrong ones, in its order, with or without sentences.

    A row that is a tuple stands for those in it, which another class has named.
    """
    place, text, held = _find_class(rows)
    found: dict[str, Mistake] = {}
    bodies: dict[int, str] = {}  # of the rows so far, by what the class holds
    for name, node, docstring in _rows(held):
        row, where = vars(rows)[name], f"{place}, line {node.lineno}"
        several = row if isinstance(row, tuple) else ()
        made = _as_mistake(row)
        if isinstance(node, ast.FunctionDef):
            made = _with_text(made, _text(node, text.splitlines()))
        if made.of:
            whole = apply_edit(bodies.get(id(made.of), ""), made.edit, where)
            made = replace(made, body=whole, edit=(), of=None)
        bodies[id(row)] = made.body
        called = name.rstrip("_").replace("_", "-")
        says = made.says or " ".join(docstring.split())
        for each in several or (replace(made, name=called, says=says, where=where),):
            if each.name in found:
                raise OurFault(f"{where}: a second mistake is called {each.name}.")
            found[each.name] = each
    return tuple(made for made in found.values() if not made.name.startswith("-"))


def _as_mistake(row: object) -> Mistake:
    if isinstance(row, Right):
        return Mistake("", row.text, target=row.target)
    return row if isinstance(row, Mistake) else Mistake("")


def _with_text(made: Mistake, text: str) -> Mistake:
    """Return a row with the text of its function, which is the body, or lines of an edit."""
    if not made.edit:
        return replace(made, body=text)
    steps = (replace(step, text=text) if isinstance(step, Lines) else step for step in made.edit)
    return replace(made, edit=tuple(steps))


def apply_edit(text: str, change: tuple[Any, ...], where: str) -> str:
    """Replace old by new in a text, for one pair (old, new) or for several in turn.

    Raises:
        OurFault: the old text does not stand there exactly once, or the new one is the same.
    """
    for step in (change,) if isinstance(change[0], str) else change:
        if isinstance(step, Lines | EachResult):
            text = step.put_into(text, where)
            continue
        old, new = step
        if text.count(old) != 1 or old == new:
            raise OurFault(
                f"{where}: an edit has to change exactly one place; {old!r} stands there "
                f"{text.count(old)} times, and {new!r} comes in its place."
            )
        text = text.replace(old, new)
    return text


def _rows(held: ast.ClassDef) -> Iterator[tuple[str, ast.stmt, str]]:
    """Yield name, statement and docstring of each row; an edit's is the text below it."""
    for node, below in zip_longest(held.body, held.body[1:]):
        if isinstance(node, ast.FunctionDef):
            yield node.name, node, _string(node.body[0])
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node, _string(below)


def _string(node: ast.stmt | None) -> str:
    text = node.value if isinstance(node, ast.Expr) else None
    return str(text.value) if isinstance(text, ast.Constant) else ""


def _text(function: ast.FunctionDef, lines: list[str]) -> str:
    """Return a function's body as it stands in its file, with comments, without the docstring."""
    first = function.body[0]
    before = first.end_lineno if _string(first) else first.lineno - 1
    return textwrap.dedent("\n".join(lines[before : function.end_lineno]))
