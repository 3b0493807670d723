"""Derive what an exercise needs from its code: it uses exercises before it in its chapter.

It uses functions and classes of its own file by their names, and methods of its own class. A method
needs the `__init__` of its class, and a `backward` its `forward`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache

from .package import module_of
from .schema import USED, Chapter, Exercise
from .syntax_tree import parse, regions


def needs_of(exercise: Exercise, chapter: Chapter, solutions: Mapping[str, str]) -> tuple[str, ...]:
    """Return the ids of the exercises that one needs: its own row's, or those its code uses."""
    if exercise.needs != USED:
        return exercise.needs
    earlier = chapter.exercises[: chapter.exercises.index(exercise)]
    used = {name for target in exercise.targets for name in _used(target, solutions)}
    return tuple(e.id for e in earlier if not e.given and used.intersection(e.targets))


def _used(target: str, solutions: Mapping[str, str]) -> Iterator[str]:
    """Yield the targets that the reference's body of one may use, and names that are none."""
    for file, text in solutions.items():
        if target.startswith((module := module_of(file)) + "."):
            yield from _names_by_owner(module, text).get(target, ())


@cache  # a command may read the course more than once
def _names_by_owner(module: str, text: str) -> Mapping[str, frozenset[str]]:
    """Map the owners of a file's regions to the names in them."""
    found: dict[str, set[str]] = {}
    for region in regions(module, text):
        found.setdefault(region.owner, set()).update(_names(region.owner, module, region.body))
    return {owner: frozenset(names) for owner, names in found.items()}


def _names(target: str, module: str, body: str) -> Iterator[str]:
    owner, _, method = target.rpartition(".")
    if owner != module:
        yield f"{owner}.__init__"
        yield f"{owner}.forward" if method == "backward" else ""
    for node in ast.walk(parse(body)):
        if isinstance(node, ast.Name):
            yield from (f"{module}.{node.id}", f"{module}.{node.id}.__init__")
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield f"{owner}.{node.attr}" if node.value.id in ("self", "cls") else ""
