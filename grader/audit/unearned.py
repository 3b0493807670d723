"""Invariants 13 and 14: points are earned by the learner's own code, and for one seed alone.

Every seed has its own probes, and the answers to one earn nothing for another. Code that is sent to
the worker earns nothing in the place of a learner's.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import combinations
from typing import cast

from .. import root
from ..course import Check, Exercise, Probe
from ..course.key_encoding import encode_args
from ..course.key_file import ArrayStore, ChapterKey
from ..course.modules import import_module, public_words
from ..course.package import module_of, read_texts
from ..course.splice import target_file
from ..course.syntax_tree import find_functions, parse
from ..judge.judge import CheckVerdict, ExerciseVerdict
from ..judge.outcome import compare_probe
from ..memo import hash_values
from ..sandbox.observation import Observation
from ..verdict import FAILED, PASSED
from .proof import CourseCheck, Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..course.key_rows import CheckRow, ExerciseRow


OTHERS = ("seed 0", "seed 1")
MOST = 0.02  # share of a chapter's points for probes that are the same with every seed
MOST_REPLAYED = 0.2  # … for an exercise whose answers hardly vary: a count, a name, «it raises»


def nothing_is_shared(proof: CourseCheck) -> Iterator[Problem]:
    """Check invariant 13: no two seeds share a probe, but those of checks that say why."""
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
    """Return the points of an exercise of which these checks pass."""
    # Only the fields of the row that a score depends on.
    row = cast("ExerciseRow", {"id": exercise.id, "points": exercise.points})
    verdict = ExerciseVerdict(row, exercise.given)
    verdict.checks = [
        CheckVerdict(cast("CheckRow", {"weight": c.weight}), PASSED if c.id in passed else FAILED)
        for c in checks
        if c.exercise == exercise.id
    ]
    return verdict.score if verdict.checks else 0.0


def name(probe: Probe) -> str:
    """Return a digest of all that is sent of a probe."""
    arrays = ArrayStore()
    args = encode_args(list(probe.args), arrays)
    return hash_values(repr((probe.program, args, arrays.index)), bytes(arrays.data))


def nothing_is_replayed(proof: CourseCheck) -> Iterator[Problem]:
    """Check invariant 13: right answers for one seed, probe by probe, earn nothing with another."""
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
    """Yield (exercise, points) that the answers in ``known`` earn for the probes of ``asked``."""
    right = {check["id"]: check["probes"] for check in known.checks}
    for exercise in asked.exercises:
        verdict = ExerciseVerdict(exercise, bool(exercise["given"]))
        for check in (c for c in asked.checks if c["exercise"] == verdict.id):
            passed = len(right.get(check["id"], ())) == len(check["probes"]) and all(
                compare_probe(asked, check, number, reference_observation(known, earlier)).status
                == PASSED
                for number, earlier in zip(check["probes"], right[check["id"]], strict=True)
            )
            verdict.checks.append(CheckVerdict(check, PASSED if passed else FAILED))
        yield verdict.id, verdict.score


def reference_observation(key: ChapterKey, number: int) -> Observation:
    """Return the reference's answer to a probe as an observation."""
    return Observation("arrays", {}, key.parts(key.probes[number]["answers"]["reference"]))


# Imports the programs anew, without their guards, as code that has disabled them could.
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


def earns_nothing(proof: CourseCheck) -> Iterator[Problem]:
    """Check invariant 14: no helper of the programs earns points in place of a target.

    Each target of a chapter is bound to a helper that takes as many arguments, run anew from its
    text, so that no guard protects it; then to the next, until every target was bound to all that
    fit it. An exercise none of whose targets fits any helper has nothing to borrow.
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


def matching(proof: CourseCheck, chapter: str, count: int) -> list[str]:
    """Return expressions for the helpers that take so many arguments.

    Programs are left out: they return arrays by the names of their parts.
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
    """Map definitions to how many arguments they are called with, ``self`` included."""
    return {
        target: len(function.args.args)
        for file, text in sources.items()
        for target, function in find_functions(module_of(file), parse(text)).items()
    }


def takes(helper: Callable[..., object], count: int) -> bool:
    try:
        inspect.signature(helper).bind(*range(count))
    except (TypeError, ValueError):
        return False
    return True


@cache
def travelling() -> list[tuple[str, Callable[..., object]]]:
    """Return (expression that leads to it in a worker, function) of all that the programs hold."""
    found = []
    for name in map(module_of, read_texts(root.path("tests", "programs"))):
        if name != "__init__":
            module = import_module(f"tests.programs.{name}")
            words = f'sys.modules["programs.{name}"]'
            found += list(collect_functions(vars(module), words, "{}.{}"))
    return found


def collect_functions(
    held: dict[str, object] | tuple[object, ...], words: str, way: str
) -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield the functions in a namespace, also those in its tables."""
    pairs = held.items() if isinstance(held, dict) else enumerate(held)
    for key, value in pairs:
        here = way.format(words, key if way == "{}.{}" else repr(key))
        if str(key).startswith("__"):
            continue
        module = public_words(getattr(value, "__module__", ""))
        if inspect.isfunction(value) and module.startswith("tests.programs."):
            yield here, value
        elif isinstance(value, (dict, tuple)):
            yield from collect_functions(value, here, "{}[{}]")


def substitute(
    proof: CourseCheck, targets: Iterable[str], helpers: dict[str, str], texts: dict[str, str]
) -> dict[str, str]:
    """Return the reference, its targets bound to the worker's helpers; other targets raise."""
    sources = proof.course.replace_bodies(dict.fromkeys(targets, "raise ValueError"))
    lifting = set()
    for target, helper in helpers.items():
        file, inner = target_file(target, sources)
        if file not in lifting:
            lifting.add(file)
            sources[file] += LIFT.format(texts=texts)
        lifted = helper.replace("programs.", "lifted.", 1)
        module = lifted.split('"')[1]
        sources[file] += PUT.format(module=module, target=inner, helper=lifted)
    return sources
