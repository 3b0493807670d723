"""Derive what an exercise needs from its code: it uses exercises before it in its chapter.

It uses functions and classes of its own file, and of those that its file imports, by their names;
methods of its own class; and by `super()` those of the class below it. A method needs the
`__init__` of its class, and a `backward` its `forward`. A function that no learner writes stands
for what it uses itself: `ops.negate` calls an object of `Negate`, so it needs `Negate.forward`.

The order is that of use, the method's own class first.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from .package import module_of
from .schema import USED, Chapter, Exercise
from .syntax_tree import parse, regions


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
    names: dict[str, str]  # what the file imports from the package, such as `tensor.Tensor`
    bases: dict[str, str]  # class → the class below it
    written: Mapping[str, ast.AST]  # target → the body that a learner writes
    given: dict[str, ast.AST]  # functions that no learner writes


@lru_cache(maxsize=64)  # as `regions`: every exercise asks for the same few
def _read(module: str, text: str) -> _Module:
    top = parse(text).body
    imports = (node for node in top if isinstance(node, ast.ImportFrom) and node.level == 1)
    functions = {f"{module}.{f.name}": f for f in top if isinstance(f, ast.FunctionDef)}
    written = {region.owner: parse(region.body) for region in regions(module, text)}
    return _Module(
        {
            each.asname or each.name: f"{node.module or ''}.{each.name}".strip(".")
            for node in imports
            for each in node.names
        },
        {c.name: ast.unparse(c.bases[0]) for c in top if isinstance(c, ast.ClassDef) and c.bases},
        written,
        {name: ast.Module(f.body, []) for name, f in functions.items() if name not in written},
    )


def _used(target: str, texts: Mapping[str, str], callers: tuple[str, ...]) -> Iterator[str]:
    """Yield the targets that a body of the reference may use, and names that are none.

    Args:
        callers: empty for a body that a learner writes; else those that call this given one.
    """
    name = next((name for name in texts if target.startswith(f"{name}.")), "")
    module = _read(name, texts[name]) if name else _Module({}, {}, {}, {})
    body = (module.given if callers else module.written).get(target)
    owner, _, method = target.rpartition(".")
    if owner != name and not callers:
        yield f"{owner}.__init__"
        yield f"{owner}.forward" if method == "backward" else ""
    for node in _in_order(body) if body and target not in callers else ():
        used = _meant(node, owner, name, module)
        yield from (used, f"{used}.__init__", f"{used}.forward" if callers else "")
        yield from _used(used, texts, (*callers, target))


def _meant(node: ast.AST, owner: str, name: str, module: _Module) -> str:
    """Return the target that a name or an attribute means; empty if only a run could tell."""
    match node:
        case ast.Name(id=first):
            return module.names.get(first, f"{name}.{first}")
        case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=last):
            return f"{owner}.{last}"
        case ast.Attribute(value=ast.Name(id=first), attr=last) if first in module.names:
            return f"{module.names[first]}.{last}"
        case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=last):
            below = module.bases.get(owner.rpartition(".")[2], "")
            return f"{module.names.get(below, f'{name}.{below}')}.{last}"
    return ""


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and those in it, as they stand in the text."""
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _in_order(child)
