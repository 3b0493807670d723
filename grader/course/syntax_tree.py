"""Parse Python in any thread; extract the text of targets and the regions of solutions.

A region lies between `### BEGIN SOLUTION` and `### END SOLUTION` in the reference. Its owner is the
innermost definition around it, written as a target: module and qualified name, `ops.Div.backward`.
A region is always the whole body below the docstring.

CPython before 3.11.8 counts the depth of the trees that all threads are making in one number, and
raises SystemError if it does not come out (python/cpython#106905): so there is a lock. A library
that makes trees of its own (PyTorch does) is called with the same lock; if one makes a tree in
another thread all the same, ours is made once more.
"""

from __future__ import annotations

import ast
import re
import textwrap
from _thread import RLock
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ..errors import OurFault

if TYPE_CHECKING:
    from ..sandbox.observation import Definition as Known

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
ONE_AT_A_TIME = RLock()
MOST_TRIES = 20
BLOCKS = "body", "orelse", "finalbody", "handlers", "cases"  # of a node: what holds statements
# Raised for a text that is no Python, by `compile` too: by syntax, null bytes or surrogates, depth.
NO_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError)


class TooComplex(SyntaxError):
    """A source that Python's own parser has no room for."""


def parse(text: str) -> ast.Module:
    """Parse a module as `ast.parse` does.

    Raises:
        one of `NO_PYTHON`: `TooComplex` where the parser has no room, SyntaxError for other depths.
    """
    return cast(ast.Module, _tree(text, "exec"))


def expression(text: str) -> ast.Expression:
    """Parse a single expression; raises the same."""
    return cast(ast.Expression, _tree(text, "eval"))


def _tree(text: str, mode: str) -> ast.AST:
    with ONE_AT_A_TIME:
        for _ in range(MOST_TRIES - 1):
            try:
                return ast.parse(text, mode=mode)
            except SystemError:
                continue
            except MemoryError as error:
                raise TooComplex("it is too deep or too large to be parsed") from error
            except RecursionError as error:  # a sum of thousands of terms
                raise SyntaxError("it is nested too deeply to be looked into") from error
        return ast.parse(text, mode=mode)


def statement_lines(node: ast.stmt) -> tuple[int, int]:
    """Return the first and last line of a statement, with its decorators."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(d.lineno for d in decorators)]), node.end_lineno or node.lineno


@lru_cache(maxsize=4)  # of one file several things are asked for, one after another
def parse_once(text: str) -> ast.Module:
    """Parse a module, or return the tree that was made of the same text; leave it as it is."""
    return parse(text)


@lru_cache(maxsize=4)
def find_definitions(text: str) -> Mapping[str, Definition]:
    """Map qualified names to nodes, for every definition of a module, outer ones first."""
    found: dict[str, Definition] = {}

    def visit(node: ast.AST, path: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, Definition):
                found[f"{path}{child.name}"] = child
                visit(child, f"{path}{child.name}.")

    visit(parse_once(text), "")
    return found


def parse_literal(text: str) -> Any:
    """Evaluate a literal (a number, a text, a tuple …) as `ast.literal_eval` does."""
    return ast.literal_eval(expression(text.lstrip(" \t")))


# ---- the text of targets --------------------------------------------------------------------


def own_text(
    files: Mapping[str, bytes], definitions: Mapping[str, Known], targets: Iterable[str]
) -> str:
    """Return the learner's definitions of these targets, without comments and docstrings.

    Empty if they are missing or are no Python by themselves.
    """
    found = []
    for target in targets:
        place = definitions.get(target)
        if place is not None and place.file in files:
            text = files[place.file].decode("utf-8", "replace")
            lines = text.splitlines()[place.first - 1 : _end(text, place)]
            found.append(normalize_source(textwrap.dedent("\n".join(lines))))
    return "\n".join(found)


def _end(text: str, place: Known) -> int:
    """Return a definition's last line: a worker does not know lines of closing brackets."""
    try:
        return _last_lines(text).get(place.first, place.last)
    except NO_PYTHON:
        return place.last


@lru_cache(maxsize=8)  # each wrong exercise of a file asks
def _last_lines(text: str) -> Mapping[int, int]:
    """Map the first line of every definition to its last one, or to that of the longest."""
    found: dict[int, int] = {}
    todo: list[ast.AST] = [parse(text)]
    for node in todo:  # grows during the loop; no expression holds a definition
        for name in BLOCKS:
            todo += getattr(node, name, ())
        if isinstance(node, Definition):
            first, last = statement_lines(node)
            found[first] = max(last, found.get(first, last))
    return found


def normalize_source(text: str) -> str:
    """Return Python spaced as by `ast.unparse`, without comments and docstrings."""
    with suppress(*NO_PYTHON):
        tree = parse(text)
        for node in ast.walk(tree):
            body = getattr(node, "body", None)
            if not isinstance(body, list) or len(body) < 2:
                continue
            if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
                del body[0]
        return ast.unparse(tree)
    return ""


def find_functions(module: str, tree: ast.Module) -> dict[str, ast.FunctionDef]:
    """Map targets to definitions, for every function of a module and of its classes."""
    found: dict[str, ast.FunctionDef] = {}

    def visit(node: ast.AST, path: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef):
                found[f"{path}.{child.name}"] = child
            elif isinstance(child, ast.ClassDef):
                visit(child, f"{path}.{child.name}")

    visit(tree, module)
    return found


def statements(node: Definition) -> list[ast.stmt]:
    """Return the body of a definition without its docstring."""
    return node.body[ast.get_docstring(node, clean=False) is not None :]


def is_stub(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether the body is a docstring at most, and `raise NotImplementedError`."""
    body = statements(function)
    if len(body) != 1 or not isinstance(body[0], ast.Raise):
        return False
    raised = body[0].exc.func if isinstance(body[0].exc, ast.Call) else body[0].exc
    return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"


def does_nothing(body: list[ast.stmt]) -> bool:
    """Whether a body is nothing but `pass`, `...`, texts, and `return` without a value."""
    idle = re.compile(r"pass|return( None)?|\.\.\.|('|\").*", re.DOTALL)
    return all(idle.fullmatch(ast.unparse(each)) for each in body)


# ---- regions --------------------------------------------------------------------------

BEGIN = "### BEGIN SOLUTION"
END = "### END SOLUTION"


class Region(NamedTuple):
    """Lines ``first`` … ``last`` (the markers, counted from 0) inside ``owner``."""

    owner: str
    first: int
    last: int
    indent: str
    body: str


@lru_cache(maxsize=64)  # an author's loop asks for the reference's over and over
def regions(module: str, text: str) -> tuple[Region, ...]:
    """Return the regions of a module's text, in order.

    Raises:
        OurFault: a marker without its partner, or a region that no definition holds.
    """
    spans = locate_definitions(module, text)
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
    # Spans come outermost first, so the last one around the region is the innermost.
    return Region(around[-1], first, last, indent, body)


def locate_definitions(module: str, text: str) -> dict[str, tuple[int, int]]:
    """Map targets to their first and last line (from 1), for all definitions of a module."""
    return {
        f"{module}.{name}": (node.lineno, node.end_lineno or node.lineno)
        for name, node in find_definitions(text).items()
    }


def rewritten(module: str, text: str, new_body: Callable[[Region], str]) -> str:
    """Replace every region of ``text``, markers included, by ``new_body(region)``."""
    lines = text.splitlines()
    for region in reversed(regions(module, text)):
        body = textwrap.indent(textwrap.dedent(new_body(region)).strip("\n"), region.indent)
        lines[region.first : region.last + 1] = body.splitlines()
    return "\n".join(lines) + "\n"


def remove_markers(text: str) -> str:
    """Return a module's text without markers: the whole reference, solved."""
    lines = (line for line in text.splitlines() if line.strip() not in (BEGIN, END))
    return "\n".join(lines) + "\n"


def make_stub_body(exercise: str, section: str) -> str:
    """Return the text of a stub: what to read, what to run, and `raise NotImplementedError`."""
    return (
        f"# Yours to write: section {section}; `grader check {exercise}`\nraise NotImplementedError"
    )


def without_docstrings(text: str) -> str:
    """Remove the docstrings of a module's definitions; its own stays, as do comments."""
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
