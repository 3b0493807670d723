"""A target: where it stands in the learner's own file, its head, its body, and its text; and in the
reference the region that holds its solution.

A region is what stands between `### BEGIN SOLUTION` and `### END SOLUTION`. Its owner is the
innermost definition around it, written as a target: module and qualified name,
`ops.Div.backward`. A region is always the whole body below the docstring.
"""

from __future__ import annotations

import ast
import io
import os
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ..errors import OurFault
from .syntax_tree import Definition, find_definitions, parse, span

if TYPE_CHECKING:
    from ..sandbox.observation import Definition as Known


def own_text(
    files: Mapping[str, bytes], definitions: Mapping[str, Known], targets: Iterable[str]
) -> str:
    """The learner's definitions of these targets, without comments and docstrings.

    Empty where they are not there or are no Python by themselves.
    """
    found = []
    for target in targets:
        place = definitions.get(target)
        if place is not None and place.file in files:
            text = files[place.file].decode("utf-8", "replace")
            lines = text.splitlines()[place.first - 1 : _end(text, place)]
            found.append(plain(textwrap.dedent("\n".join(lines))))
    return "\n".join(found)


def _end(text: str, place: Known) -> int:
    """The last line of a definition: a worker knows only the last one that is run, and after that
    may come brackets that close."""
    try:
        nodes = [node for node in ast.walk(parse(text)) if isinstance(node, Definition)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return place.last
    return max(
        (last for first, last in map(span, nodes) if first == place.first), default=place.last
    )


def plain(text: str) -> str:
    """Python spaced as `ast.unparse` does, without comments and docstrings."""
    try:
        tree = parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if not isinstance(body, list) or len(body) < 2:
            continue
        if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            del body[0]
    try:
        return ast.unparse(tree)
    except RecursionError:  # a sum of thousands of terms
        return ""


class Place(NamedTuple):
    """A definition in a text; lines are counted from 1.

    Attributes:
        top: its first line, decorators included.
        body: the first line below signature and docstring; one past the end where there is none.
        last: its last line.
        column: how far the body is indented.
        inline: where the body begins in the line of the signature, if it does.
    """

    top: int
    body: int
    last: int
    column: int
    inline: int | None


def file_of(folder: str, target: str) -> str:
    """The path of the file that a target belongs to: ``…/engines/closures.py``."""
    parts = target.split(".")
    for length in range(len(parts) - 1, 0, -1):
        path = os.path.join(folder, *parts[:length]) + ".py"
        if os.path.exists(path):
            return path
    return os.path.join(folder, f"{parts[0]}.py")


def inside(folder: str, target: str) -> str:
    """The name of a target within its file: ``Div.backward``."""
    module = os.path.relpath(file_of(folder, target), folder).removesuffix(".py")
    return target[len(module) + 1 :]


def lines_of(text: str) -> list[str]:
    """The lines as Python counts them, ends included (`str.splitlines` also cuts elsewhere)."""
    return list(io.StringIO(text, newline=""))


def _bare(text: str) -> list[str]:
    return [line.rstrip("\r\n") for line in lines_of(text)]


def find(text: str, name: str) -> Place | None:
    """Where ``name`` is defined, the last time if it is more often; None where it is not.

    Raises:
        SyntaxError: the text is no Python.
    """
    found: ast.AST = parse(text.removeprefix("\ufeff"))
    for part in name.split("."):
        inner = [n for n in _statements(found) if isinstance(n, Definition) and n.name == part]
        if not inner:
            return None
        found = inner[-1]
    assert isinstance(found, Definition)
    return _place(found, text)


def _statements(node: ast.AST) -> list[ast.AST]:
    """What is defined directly below a node, under `if` and `try` too."""
    found: list[ast.AST] = []
    for child in ast.iter_child_nodes(node):
        found.append(child)
        if not isinstance(child, Definition | ast.expr):
            found += _statements(child)
    return found


def _place(node: Definition, text: str) -> Place:
    lines = _bare(text)
    top, _ = span(node)
    first = node.body[0]
    before = lines[first.lineno - 1].encode()[: first.col_offset]
    if before.strip():  # `def f(self): return 1`
        return Place(top, first.lineno, node.end_lineno or 0, node.col_offset + 4, first.col_offset)
    column = first.col_offset
    last = _with_comments(lines, node.end_lineno or 0, column)
    if ast.get_docstring(node, clean=False) is not None:
        return Place(top, (first.end_lineno or 0) + 1, last, column, None)
    body = first.lineno
    while body > 1 and _is_comment(lines[body - 2]):
        body -= 1
    return Place(top, body, last, column, None)


def _is_comment(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


def _with_comments(lines: list[str], last: int, column: int) -> int:
    """The last line of a body with the comments that follow it, as far as they are indented."""
    found = last
    for number in range(last, len(lines)):
        line = lines[number]
        if not _is_comment(line) or (line.strip() and len(line) - len(line.lstrip()) < column):
            break
        found = number + 1 if line.strip() else found
    return found


def find_roughly(text: str, name: str) -> Place | None:
    """Like `find`, by indentation alone: for a text that is no Python at the moment."""
    lines = _bare(text)
    first, end, column = 0, len(lines), -1
    for part in name.split("."):
        opening = re.compile(rf"(\s*)(?:async\s+def|def|class)\s+{re.escape(part)}\b")
        found = [(n, m) for n in range(first, end) if (m := opening.match(lines[n]))]
        found = [(n, m) for n, m in found if len(m[1]) > column]
        if not found:
            return None
        number, match = found[-1]
        first, column = number + 1, len(match[1])
        end = next((n for n in range(first, end) if _leaves(lines[n], column)), end)
    while end > first and not lines[end - 1].strip():
        end -= 1
    body = _after_signature(lines, first, end)
    return None if body is None else Place(first, body + 1, end, column + 4, None)


def _leaves(line: str, column: int) -> bool:
    """Whether a line lies outside of a block whose head is indented by ``column``."""
    stripped = line.lstrip()
    return bool(stripped) and len(line) - len(stripped) <= column and stripped[0] not in ")]}"


def _after_signature(lines: list[str], first: int, end: int) -> int | None:
    """The number, from 0, of the first line below signature and docstring."""
    ends = (n for n in range(first - 1, end) if lines[n].partition("#")[0].rstrip().endswith(":"))
    signature = next(ends, None)
    if signature is None:
        return None
    body = signature + 1
    quote = lines[body].strip()[:3] if body < end else ""
    if quote not in ('"""', "'''"):
        return body
    if lines[body].count(quote) > 1:
        return body + 1
    return next((n + 1 for n in range(body + 1, end) if quote in lines[n]), body)


def head(text: str, place: Place) -> list[str]:
    """Signature and docstring, without the indentation."""
    lines = _bare(text)[place.top - 1 : place.body - (place.inline is None)]
    if place.inline is not None:
        lines[-1] = lines[-1].encode()[: place.inline].decode().rstrip()
    margin = min((len(li) - len(li.lstrip()) for li in lines if li.strip()), default=0)
    return [line[margin:] for line in lines]


def with_body(text: str, place: Place, body: list[str]) -> str:
    """``text`` with another body in this place; every other line stays as it is."""
    lines = lines_of(text)
    newline = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    fresh = [f"{' ' * place.column}{line}{newline}" for line in body]
    before, after = lines[: place.body - 1], lines[place.last :]
    if place.inline is not None:
        signature = lines[place.body - 1].encode()[: place.inline].decode().rstrip()
        fresh = [f"{signature}{newline}", *fresh]
    elif before and not before[-1].endswith("\n"):
        before[-1] += newline
    return "".join([*before, *fresh, *after])


def functions(module: str, tree: ast.Module) -> dict[str, ast.FunctionDef]:
    """Target → its definition, for every function of a module, in its classes too."""
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
    """The body of a definition without its docstring."""
    return node.body[ast.get_docstring(node, clean=False) is not None :]


def is_stub(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether the body is a docstring at most, and `raise NotImplementedError`."""
    body = statements(function)
    if len(body) != 1 or not isinstance(body[0], ast.Raise):
        return False
    raised = body[0].exc.func if isinstance(body[0].exc, ast.Call) else body[0].exc
    return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"


# ---- regions --------------------------------------------------------------------------

BEGIN = "### BEGIN SOLUTION"
END = "### END SOLUTION"


class Region(NamedTuple):
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
