"""Derive what an exercise needs from its code: it uses exercises before it in its chapter.

It uses functions and classes of its own file, and of those that its file imports, by their names;
methods of its own class; and by `super()` those of the class below it. A method needs the
`__init__` of its class, and a `backward` its `forward`. A function that no learner writes stands
for what it uses itself: `ops.negate` calls an object of `Negate`, so it needs `Negate.forward`.

The order is that of use, the method's own class first.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from .package import module_of
from .schema import USED, Chapter, Exercise
from .syntax_tree import parse, parse_once, regions


def needs_of(exercise: Exercise, chapter: Chapter, solutions: Mapping[str, str]) -> tuple[str, ...]:
    """Return the ids of the exercises that one needs: its own row's, or those its code uses."""
    if exercise.needs != USED:
        return exercise.needs
    earlier = chapter.exercises[: chapter.exercises.index(exercise)]
    asked_by = {target: e.id for e in earlier if not e.given for target in e.targets}
    texts = tuple((module_of(name), text) for name, text in solutions.items())
    used = (name for target in exercise.targets for name in _all_used(target, texts))
    return tuple(dict.fromkeys(asked_by[name] for name in used if name in asked_by))


@lru_cache(maxsize=1024)  # a command may read the course more than once
def _all_used(target: str, texts: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_used(target, dict(texts), ())))


class _Module(NamedTuple):
    written: Mapping[str, tuple[str, ...]]  # target → what its body uses, which a learner writes
    given: Mapping[str, tuple[str, ...]]  # the same of functions that no learner writes


class _Names(NamedTuple):
    module: str
    imported: Mapping[str, str]  # what the file imports from the package, such as `tensor.Tensor`
    bases: Mapping[str, str]  # class → the class below it


@lru_cache(maxsize=64)  # as `regions`: every exercise asks for the same few
def _read(module: str, text: str) -> _Module:
    top = parse_once(text).body
    imports = (node for node in top if isinstance(node, ast.ImportFrom) and node.level == 1)
    functions = {f"{module}.{f.name}": f for f in top if isinstance(f, ast.FunctionDef)}
    bodies = {region.owner: parse(region.body).body for region in regions(module, text)}
    names = _Names(
        module,
        {
            each.asname or each.name: f"{node.module or ''}.{each.name}".strip(".")
            for node in imports
            for each in node.names
        },
        {c.name: ast.unparse(c.bases[0]) for c in top if isinstance(c, ast.ClassDef) and c.bases},
    )
    return _Module(
        {target: _uses(body, target, names) for target, body in bodies.items()},
        {name: _uses(f.body, name, names) for name, f in functions.items() if name not in bodies},
    )


def _used(target: str, texts: Mapping[str, str], callers: tuple[str, ...]) -> Iterator[str]:
    """Yield the targets that a body of the reference may use, and names that are none.

    Args:
        callers: empty for a body that a learner writes; else those that call this given one.
    """
    name = next((name for name in texts if target.startswith(f"{name}.")), "")
    module = _read(name, texts[name]) if name else _Module({}, {})
    uses = (module.given if callers else module.written).get(target, ())
    owner, _, method = target.rpartition(".")
    if owner != name and not callers:
        yield f"{owner}.__init__"
        yield f"{owner}.forward" if method == "backward" else ""
    for used in uses if target not in callers else ():
        yield from (used, f"{used}.__init__", f"{used}.forward" if callers else "")
        yield from _used(used, texts, (*callers, target))


def _uses(body: Sequence[ast.stmt], target: str, names: _Names) -> tuple[str, ...]:
    """Return the targets that a body's names and attributes mean, each once, in their order."""
    owner = target.rpartition(".")[0]
    meant = (_meant(node, owner, names) for node in _in_order(body))
    return tuple(dict.fromkeys(filter(None, meant)))


def _meant(node: ast.AST, owner: str, names: _Names) -> str:
    """Return the target that a name or an attribute means; empty if only a run could tell."""
    match node:
        case ast.Name(id=first):
            return names.imported.get(first, f"{names.module}.{first}")
        case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=last):
            return f"{owner}.{last}"
        case ast.Attribute(value=ast.Name(id=first), attr=last) if first in names.imported:
            return f"{names.imported[first]}.{last}"
        case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=last):
            below = names.bases.get(owner.rpartition(".")[2], "")
            return f"{names.imported.get(below, f'{names.module}.{below}')}.{last}"
    return ""


def _in_order(body: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """Yield all names and attributes in these nodes, as they stand in the text."""
    left = list(reversed(body))
    while left:
        node = left.pop()
        if isinstance(node, ast.Name | ast.Attribute):
            yield node
        if not isinstance(node, ast.Name | ast.Constant):
            left.extend(reversed(list(ast.iter_child_nodes(node))))
