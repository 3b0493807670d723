"""Theorem 14: what travels to the worker earns nothing in the place of what a learner writes."""

from __future__ import annotations

import ast
import importlib
import inspect
import os
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from .. import root
from ..course import Exercise
from ..course.load import module_of
from .proof import Problem, Proof

PUT = "\nimport sys\n{target} = {helper}\n"


def earns_nothing(proof: Proof) -> Iterator[Problem]:
    """Every helper and every small op that takes as many arguments, by its name, for every target.

    Each target of an exercise is bound to one, so that no frame of the learner's stands between.
    """
    for exercise in proof.exercises:
        if exercise.given:
            continue
        for helpers in substitutions(proof, exercise):
            verdict = proof.judge(substituted(proof, helpers), [exercise.id])[exercise.id]
            if verdict.score:
                told = ", ".join(f"{target} = {helper}" for target, helper in helpers.items())
                what = f"{verdict.score:g} points for {told}"
                yield Problem(exercise.id, what, "let the judge do it, or hide what it computes")


def substitutions(proof: Proof, exercise: Exercise) -> Iterator[dict[str, str]]:
    """Target → helper, so often that each target was bound to every helper that fits."""
    sent = proof.key.chapter(exercise.chapter).programs
    fits = {target: matching(proof, target, set(sent)) for target in exercise.targets}
    for turn in range(max(map(len, fits.values()))):
        yield {target: each[turn % len(each)] for target, each in fits.items() if each}


def matching(proof: Proof, target: str, sent: set[str]) -> list[str]:
    """The helpers that can be called as the target is, by the words that lead to them."""
    count = arguments_of(proof, target)
    return [
        words
        for words, helper in travelling()
        if helper.__module__.rpartition(".")[2] in sent and takes(helper, count)
    ]


def arguments_of(proof: Proof, target: str) -> int:
    """How many arguments a target is called with, ``self`` included."""
    region = proof.course.regions[target]
    name = target.rpartition(".")[2]
    for file, text in proof.course.solved().items():
        if region.owner.startswith(f"{module_of(file)}."):
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.FunctionDef) and node.name == name:
                    return len(node.args.args)
    return 1


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


def substituted(proof: Proof, helpers: dict[str, str]) -> dict[str, str]:
    """The reference, with these targets bound to what the worker holds."""
    sources = proof.course.patched(dict.fromkeys(helpers, "raise ValueError"))
    for target, helper in helpers.items():
        file = next(n for n in sources if target.startswith(f"{module_of(n)}."))
        inner = target.removeprefix(f"{module_of(file)}.")
        sources[file] += PUT.format(target=inner, helper=helper)
    return sources
