"""Definitions in and out of a package: an answer cell's text ⇄ the place it belongs to."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from typing import Any

from ..about import COURSE
from .notebook_source import MARKER, Answer, Definition, inside_strings, span
from .syntax_tree import parse


def located(text: str) -> dict[str, Any]:
    """Qualified name → its node, for every definition of a module."""
    found: dict[str, Any] = {}

    def visit(node: ast.AST, path: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, Definition):
                found[f"{path}{child.name}"] = child
                visit(child, f"{path}{child.name}.")

    visit(parse(text), "")
    return found


def file_of(target: str, names: Iterable[str]) -> tuple[str, str]:
    """The file that a target lies in, and its name there; empty where there is no such file."""
    for name in names:
        module = name.removesuffix(".py").replace("/", ".")
        if target.startswith(f"{module}."):
            return name, target[len(module) + 1 :]
    return "", ""


def definition(text: str, node: Any, end: int = 0) -> str:
    """A definition as text that begins at column 0; it ends at line ``end``, if that is later."""
    first, last = span(node)
    kept = inside_strings(node)
    lines = text.split("\n")
    blank = lines[node.lineno - 1][: node.col_offset]
    mine = enumerate(lines[first - 1 : max(last, end)], first)
    return "\n".join(line if n in kept else line.removeprefix(blank) for n, line in mine)


def as_cell(text: str, name: str, target: str, end: int = 0) -> str:
    """The answer cell of a definition: its text below `@answer`."""
    return f'@{MARKER}("{target}")\n{definition(text, located(text)[name], end)}'


def splice(
    files: Mapping[str, bytes], found: Iterable[Answer]
) -> tuple[dict[str, bytes], list[str]]:
    """The files with every written answer in its place, and a sentence for each that has none.

    An answer with a fault becomes a body that raises it: it costs its own exercise only.
    """
    changed = dict(files)
    notes = []
    by_file: dict[str, list[tuple[str, Answer]]] = {}
    for answer in found:
        name, inner = file_of(answer.target, files)
        if not name:
            notes.append(_nowhere(answer))
        elif answer.written:
            by_file.setdefault(name, []).append((inner, answer))
    for name, mine in by_file.items():
        try:
            text, lost = _into(_text(files[name]), mine)
        except (SyntaxError, ValueError, RecursionError) as error:
            line = getattr(error, "lineno", None)
            where = f"line {line} is no Python" if line else "it cannot be read as Python"
            notes.append(f"{COURSE.name}/{name} takes no answer: {where}.")
            continue
        changed[name] = text.encode()
        notes += lost
    return changed, notes


def _text(data: bytes) -> str:
    return re.sub("\r\n?", "\n", data.decode("utf-8-sig"))


def _into(text: str, mine: list[tuple[str, Answer]]) -> tuple[str, list[str]]:
    """One file with its answers in place."""
    nodes = located(text)
    lines = text.split("\n")
    here = [(nodes[inner], answer) for inner, answer in mine if inner in nodes]
    # From the last to the first: what is replaced below does not move what is above.
    for node, answer in sorted(here, key=lambda pair: -pair[0].lineno):
        first, last = span(node)
        new = answer.text if not answer.fault else _raising(text, node, answer.fault)
        lines[first - 1 : last] = _indented(new, lines[node.lineno - 1][: node.col_offset])
    return "\n".join(lines), [_nowhere(answer) for inner, answer in mine if inner not in nodes]


def _indented(text: str, by: str) -> list[str]:
    kept = inside_strings(parse(text))
    return [
        line if n in kept or not line.strip() else by + line
        for n, line in enumerate(text.split("\n"), 1)
    ]


def _raising(text: str, node: Any, fault: str) -> str:
    """A definition that says what is wrong with the cell that should hold it."""
    head = "".join(f"@{ast.unparse(d)}\n" for d in node.decorator_list)
    return f"{head}def {node.name}(*args, **kwargs):\n    raise SyntaxError({fault!r})"


def _nowhere(answer: Answer) -> str:
    return (
        f'Cell {answer.cell}: `@answer("{answer.target}")` names nothing in the package, '
        "so its definition counts for nothing. Put back the name that the notebook came with."
    )
