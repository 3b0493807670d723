"""Theorem 12: generic ruins of every target are never told a cause that is not there.

A wreck is made from the reference by a tool, so its cause is known: it is the change. What it is
told is held against that change:

- A known mistake may be named only where the mistake changes, too, something that the wreck
  changes, or where its sentence is tied to the text by `has` and `lacks` and so was let through.
- What is inferred from numbers is a fact about numbers, and is tried as such where it is said.
- What is said of an exception has to speak of a word that stands on the line that raised it.
"""

from __future__ import annotations

import ast
import copy
import random
import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from ..course import Exercise, Mistake
from ..course.syntax_tree import parse
from ..judge.diagnosis import MISSPELT as SET_IN_VAIN
from .proof import Problem, Proof, definition_of, target_of

Changes = Iterator[Callable[[], None]]
MISSPELT = "an attribute misspelt"
OF_EACH = 2  # wrecks per exercise that are judged
MEND = "say what is seen, or tie the sentence to the text with `has` or `lacks`"


class Wreck(NamedTuple):
    """A ruined body of one target, and how it was made."""

    exercise: Exercise
    target: str
    kind: str
    body: str


def wrecks(proof: Proof) -> Iterator[Wreck]:
    """Every wreck of every target."""
    for target, region in proof.course.regions.items():
        exercise = proof.course.owner.get(target)
        if exercise is None or exercise.given or exercise.id not in proof.ids:
            continue
        parameters = _parameters(proof, target)
        for kind, body in bodies(region.body, parameters):
            yield Wreck(exercise, target, kind, body)


def _parameters(proof: Proof, target: str) -> list[str]:
    """The names of a target's parameters, without `self`."""
    arguments = getattr(definition_of(proof.course, target), "args", None)
    names = [a.arg for a in arguments.args] if arguments else []
    return [name for name in names if name != "self"]


def bodies(body: str, parameters: list[str]) -> Iterator[tuple[str, str]]:
    """(kind, body) of every wreck of one body."""
    first = parameters[0] if parameters else "self"
    yield "gives None", "return None"
    yield "gives its input", f"return {first}"
    yield "gives a constant", "return 7.0"
    yield "gives an array of zeros", "import numpy\nreturn numpy.zeros((2, 3))"
    yield "gives an array of ones", "import numpy\nreturn numpy.ones((2, 3))"
    tree = parse(textwrap.dedent(body).strip("\n"))
    for kind, change in CHANGES.items():
        for number in range(sum(1 for _ in change(tree))):
            ruined = copy.deepcopy(tree)
            for place, apply in enumerate(change(ruined)):
                if place == number:
                    apply()
                    break
            yield kind, ast.unparse(ast.fix_missing_locations(ruined))


def _blocks(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        for field in ("body", "orelse"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                yield block


def _calls_forgotten(tree: ast.AST) -> Changes:
    """A statement that is only a call becomes nothing."""
    for block in _blocks(tree):
        for i, each in enumerate(block):
            if isinstance(each, ast.Expr) and isinstance(each.value, ast.Call):
                yield partial(block.__setitem__, i, ast.Pass())


def _rules_dropped(tree: ast.AST) -> Changes:
    """An attribute that is not set; for a Value this is its rule."""
    for block in _blocks(tree):
        for i, each in enumerate(block):
            targets = each.targets if isinstance(each, ast.Assign) else []
            if any(isinstance(t, ast.Attribute) for t in targets):
                yield partial(block.__setitem__, i, ast.Pass())


def _misspelt(tree: ast.AST) -> Changes:
    """An attribute whose second and third letters have changed places."""
    seen = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and len(node.attr) > 3 and node.attr not in seen:
            seen.add(node.attr)
            wrong = node.attr[0] + node.attr[2] + node.attr[1] + node.attr[3:]
            if wrong != node.attr:
                yield partial(setattr, node, "attr", wrong)


def _wrong_variable(tree: ast.AST) -> Changes:
    """One of two variables where the other belongs."""
    stored = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)
              and isinstance(n.ctx, ast.Store)}  # fmt: skip
    read = [n for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)
            and n.id in stored]  # fmt: skip
    for node in read:
        for other in sorted(stored - {node.id})[:1]:
            yield partial(setattr, node, "id", other)


def _off_by_one(tree: ast.AST) -> Changes:
    """A whole number that is one too large: an index, an axis, an exponent."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            yield partial(setattr, node, "value", node.value + 1)


CHANGES: dict[str, Callable[[ast.AST], Changes]] = {
    "a call forgotten": _calls_forgotten,
    "an attribute not set": _rules_dropped,
    MISSPELT: _misspelt,
    "the wrong one of two variables": _wrong_variable,
    "off by one": _off_by_one,
}


def told_nothing_false(proof: Proof, of_each: int = OF_EACH) -> Iterator[Problem]:
    """Theorem 12, over some wrecks of every exercise."""
    every: dict[str, list[Wreck]] = {}
    for wreck in wrecks(proof):
        every.setdefault(wreck.exercise.id, []).append(wreck)
    counts: Counter[str] = Counter()
    for id, mine in every.items():
        for wreck in random.Random(id).sample(mine, min(of_each, len(mine))):
            yield from examine(proof, wreck, counts)
    told = ", ".join(f"{n} {what}" for what, n in sorted(counts.items()))
    proof.notes.append(f"{sum(counts.values())} wrecks: {told}")


def examine(proof: Proof, wreck: Wreck, counts: Counter[str]) -> Iterator[Problem]:
    """What one wreck is told that is not there."""
    sources = proof.course.patched({wreck.target: wreck.body})
    verdict = proof.judge(sources, [wreck.exercise.id])[wreck.exercise.id]
    where = f"{wreck.exercise.id}: {wreck.kind} in {wreck.target}"
    named = dict(verdict.mistakes)
    inferred = [f for check in verdict.checks for f in check.inferred]
    counts["named" if named else "inferred" if inferred else verdict.status] += 1
    known = {m.name: m for m in wreck.exercise.mistakes}
    for name, says in named.items():
        if name == SET_IN_VAIN:
            there = wreck.kind == MISSPELT
        else:
            there = is_there(proof, wreck, known[name])
        if not there:
            what = f"is told «{says}»\n{textwrap.indent(wreck.body, '      | ')}"
            yield Problem(where, what, MEND)


def is_there(proof: Proof, wreck: Wreck, mistake: Mistake) -> bool:
    """Whether a mistake's cause stands in a wreck: they change the same, or the text decided."""
    if mistake.has or mistake.lacks:
        return True
    target = target_of(wreck.exercise, mistake)
    if target != wreck.target:
        return False
    right = words(proof.course.regions[target].body)
    mine, theirs = words(wreck.body), words(mistake.body)
    changed = (right - mine) + (mine - right)
    return bool(changed & ((right - theirs) + (theirs - right)))


def words(body: str) -> Counter[str]:
    """What a body says, without comments and white space."""
    text = ast.unparse(parse(textwrap.dedent(body).strip("\n")))
    return Counter(re.findall(r"\w+|[^\w\s]", text))
