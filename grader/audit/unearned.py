"""Theorems 13 and 14: points are earned with the learner's own code, and for one seed alone.

A seed asks what no other asks, and the answers to one earn nothing for another; what travels to the
worker earns nothing in the place of what a learner writes.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import combinations
from typing import cast

from .. import root
from ..course import Check, Exercise, Probe
from ..course.key_file import Arrays, ChapterKey
from ..course.load import read_package
from ..course.package import module_of
from ..course.plain_values import plain_args
from ..course.splice import file_of
from ..course.syntax_tree import functions as definitions_of
from ..course.syntax_tree import parse
from ..judge.judge import CheckVerdict, ExerciseVerdict
from ..judge.outcome import outcome
from ..memo import digest
from ..sandbox.observation import Observation
from ..verdict import FAILED, PASSED
from .proof import Problem, Proof

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..course.key_rows import CheckRow, ExerciseRow


OTHERS = ("seed 0", "seed 1")
MOST = 0.02  # of a chapter's points, for what is asked with every seed
MOST_REPLAYED = 0.2  # … for one exercise whose answers hardly vary: a count, a name, «it raises»


def nothing_is_shared(proof: Proof) -> Iterator[Problem]:
    """No probe of one seed is asked with another, but those of checks that say why."""
    for chapter in proof.chapters:
        suites = [proof.course.checks(chapter, seed) for seed in (proof.seed, *OTHERS)]
        named = [{c.id: set(map(name, c.probes)) for c in suite} for suite in suites]
        for (one, mine), (_, others) in combinations(zip(suites, named, strict=True), 2):
            asked = set().union(*others.values())
            same = {id for id, names in mine.items() if names & asked}
            for check in one:
                if check.id in same and not check.fixed:
                    what = "asks the same with two seeds"
                    yield Problem(check.id, what, "draw its inputs, or say in `fixed` why not")
            worth = sum(e.points for e in chapter.exercises)
            most = sum(score_of(e, one, same) for e in chapter.exercises)
            if most >= MOST * worth and most:
                what = f"{most:g} of {worth:g} points for what every seed asks"
                yield Problem(chapter.id, what, "draw more of its inputs")


def score_of(exercise: Exercise, checks: list[Check], passed: set[str]) -> float:
    """The points of an exercise of which these checks pass."""
    # Of a row only what a score is made of.
    row = cast("ExerciseRow", {"id": exercise.id, "points": exercise.points})
    verdict = ExerciseVerdict(row, exercise.given)
    verdict.checks = [
        CheckVerdict(cast("CheckRow", {"weight": c.weight}), PASSED if c.id in passed else FAILED)
        for c in checks
        if c.exercise == exercise.id
    ]
    return verdict.score if verdict.checks else 0.0


def name(probe: Probe) -> str:
    """Names a probe by all that is sent of it."""
    arrays = Arrays()
    args = plain_args(list(probe.args), arrays)
    return digest(repr((probe.program, args, arrays.index)), bytes(arrays.data))


def nothing_is_replayed(proof: Proof) -> Iterator[Problem]:
    """What right code gave with one seed, handed in for another, probe by probe in their order."""
    known, secret = proof.key, proof.key_of(OTHERS[0])
    for chapter in proof.chapters:
        found = replay(known.chapter(chapter.id), secret.chapter(chapter.id))
        worth = sum(exercise.points for exercise in chapter.exercises)
        for id, points in found:
            if points:
                proof.notes.append(f"{id}: {points:g} of the {worth:g} points of {chapter.id}")
            if points > MOST_REPLAYED * worth:
                what = f"{points:g} of {worth:g} points for the answers of another seed"
                yield Problem(id, what, "let the answer of its first check depend on the seed")


def replay(known: ChapterKey, asked: ChapterKey) -> Iterator[tuple[str, float]]:
    """Exercise → points that the answers in ``known`` earn where ``asked`` is asked."""
    right = {check["id"]: check["probes"] for check in known.checks}
    for exercise in asked.exercises:
        verdict = ExerciseVerdict(exercise, bool(exercise["given"]))
        for check in (c for c in asked.checks if c["exercise"] == verdict.id):
            passed = len(right.get(check["id"], ())) == len(check["probes"]) and all(
                outcome(asked, check, number, answer(known, earlier)).status == PASSED
                for number, earlier in zip(check["probes"], right[check["id"]], strict=True)
            )
            verdict.checks.append(CheckVerdict(check, PASSED if passed else FAILED))
        yield verdict.id, verdict.score


def answer(key: ChapterKey, number: int) -> Observation:
    """What the reference gives for a probe, as if it had come back."""
    return Observation("arrays", {}, key.parts(key.probes[number]["answers"]["reference"]))


# The programs anew, without what guards them: as who takes a worker apart would have them.
LIFT = """
import importlib.machinery, sys
class Lifted:
    texts = {texts!r}
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "lifted":
            return importlib.machinery.ModuleSpec(name, self, is_package=name == "lifted")
    def create_module(self, spec):
        return None
    def exec_module(self, module):
        name = module.__name__.partition(".")[2] or "__init__"
        exec(compile(self.texts[name], f"programs/{{name}}.py", "exec"), vars(module))
sys.meta_path.insert(0, Lifted())
"""
PUT = "\nimportlib.import_module({module!r})\n{target} = {helper}\n"


def earns_nothing(proof: Proof) -> Iterator[Problem]:
    """Every helper and every small op that takes as many arguments, for every target.

    Each target of a chapter is bound to one, run anew of its text, so that no guard keeps anybody
    from it, whichever way he came by it; then each to its next, until every one was bound to all
    that fit it. An exercise none of whose targets fits any helper has nothing to borrow.
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
            texts = proof.key.chapter(chapter.id).programs
            for id, score in proof.scores(substitute(proof, fits.keys(), bound, texts), ids):
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
    return {
        target: len(function.args.args)
        for file, text in sources.items()
        for target, function in definitions_of(module_of(file), parse(text)).items()
    }


def takes(helper: Callable[..., object], count: int) -> bool:
    try:
        inspect.signature(helper).bind(*range(count))
    except (TypeError, ValueError):
        return False
    return True


@cache
def travelling() -> list[tuple[str, Callable[..., object]]]:
    """(words that lead to it in a worker, function) of all that the programs hold."""
    root.make_importable()
    found = []
    for name in map(module_of, read_package(root.path("tests", "programs"))):
        if name != "__init__":
            module = importlib.import_module(f"tests.programs.{name}")
            words = f'sys.modules["programs.{name}"]'
            found += list(functions(vars(module), words, "{}.{}"))
    return found


def functions(
    held: dict[str, object] | tuple[object, ...], words: str, way: str
) -> Iterator[tuple[str, Callable[..., object]]]:
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


def substitute(
    proof: Proof, targets: Iterable[str], helpers: dict[str, str], texts: dict[str, str]
) -> dict[str, str]:
    """The reference, its targets bound to what the worker holds; the others raise."""
    sources = proof.course.patched(dict.fromkeys(targets, "raise ValueError"))
    lifting = set()
    for target, helper in helpers.items():
        file, inner = file_of(target, sources)
        if file not in lifting:
            lifting.add(file)
            sources[file] += LIFT.format(texts=texts)
        lifted = helper.replace("programs.", "lifted.", 1)
        module = lifted.split('"')[1]
        sources[file] += PUT.format(module=module, target=inner, helper=lifted)
    return sources
