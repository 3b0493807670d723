"""Theorem 14: what travels to the worker earns nothing in the place of what a learner writes."""

from __future__ import annotations

import ast
import importlib
import inspect
import os
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

from .. import root
from ..course.answer_cells import file_of
from ..course.load import module_of
from ..course.syntax_tree import parse
from .proof import Problem, Proof

PUT = "\nimport sys\n{target} = {helper}\n"


def earns_nothing(proof: Proof) -> Iterator[Problem]:
    """Every helper and every small op that takes as many arguments, by its name, for every target.

    Each target of a chapter is bound to one, so that no frame of the learner's stands between; then
    each to its next, until every one was bound to all that fit it. An exercise none of whose
    targets fits any helper has nothing to borrow.
    """
    for chapter in proof.chapters:
        asked = [e for e in chapter.exercises if e.id in proof.ids and not e.given]
        takers = arguments_of(proof.course.solved())
        fits = {
            target: matching(proof, chapter.id, takers.get(target, 1))
            for exercise in asked
            for target in exercise.targets
        }
        for turn in range(max(map(len, fits.values()), default=0)):
            bound = {target: each[turn % len(each)] for target, each in fits.items() if each}
            ids = [e.id for e in asked if not bound.keys().isdisjoint(e.targets)]
            for id, score in proof.scores(substituted(proof, fits.keys(), bound), ids):
                if score:
                    targets = proof.course.exercises[id].targets
                    told = ", ".join(f"{each} = {bound.get(each, 'nothing')}" for each in targets)
                    what = f"{score:g} points for {told}"
                    yield Problem(id, what, "let the judge do it, or hide what it computes")


def matching(proof: Proof, chapter: str, count: int) -> list[str]:
    """The helpers that take so many arguments, by the words that lead to them.

    A program is none: what it gives is arrays by the names of their parts.
    """
    key = proof.key.chapter(chapter)
    programs = {probe["program"] for probe in key.probes}
    found = []
    for words, helper in travelling():
        module = helper.__module__.rpartition(".")[2]
        is_program = f"{module}.{helper.__name__}" in programs
        if module in key.programs and not is_program and takes(helper, count):
            found.append(words)
    return found


def arguments_of(sources: dict[str, str]) -> dict[str, int]:
    """Definition → how many arguments it is called with, ``self`` included."""
    found: dict[str, int] = {}

    def look(body: list[ast.stmt], path: str) -> None:
        for node in body:
            if isinstance(node, ast.FunctionDef):
                found[f"{path}.{node.name}"] = len(node.args.args)
            if isinstance(node, ast.ClassDef):
                look(node.body, f"{path}.{node.name}")

    for file, text in sources.items():
        look(parse(text).body, module_of(file))
    return found


def takes(helper: Callable[..., Any], count: int) -> bool:
    try:
        inspect.signature(helper).bind(*range(count))
    except (TypeError, ValueError):
        return False
    return True


@cache
def travelling() -> list[tuple[str, Callable[..., Any]]]:
    """(words that lead to it in a worker, function) of all that the programs hold."""
    root.make_importable()
    found = []
    for name in sorted(os.listdir(root.path("tests", "programs"))):
        if name.endswith(".py") and name != "__init__.py":
            module = importlib.import_module(f"tests.programs.{name[:-3]}")
            words = f'sys.modules["programs.{name[:-3]}"]'
            found += list(functions(vars(module), words, "{}.{}"))
    return found


def functions(held: Any, words: str, way: str) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The functions in a namespace, in its tables too."""
    pairs = held.items() if isinstance(held, dict) else enumerate(held)
    for key, value in pairs:
        here = way.format(words, key if way == "{}.{}" else repr(key))
        if str(key).startswith("__"):
            continue
        if inspect.isfunction(value) and value.__module__.startswith("tests.programs."):
            yield here, value
        elif isinstance(value, (dict, tuple)):
            yield from functions(value, here, "{}[{}]")


def substituted(proof: Proof, targets: Iterable[str], helpers: dict[str, str]) -> dict[str, str]:
    """The reference, its targets bound to what the worker holds; the others raise."""
    sources = proof.course.patched(dict.fromkeys(targets, "raise ValueError"))
    for target, helper in helpers.items():
        file, inner = file_of(target, sources)
        sources[file] += PUT.format(target=inner, helper=helper)
    return sources
