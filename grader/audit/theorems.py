"""The table: a theorem per row, the quick ones first. `grader audit` and the tests walk it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..about import COURSE
from . import (
    consistency,
    counterfactual,
    distinct_bodies,
    mistake_theorems,
    mutants,
    seeds,
    shipped_code,
)
from .proof import Problem, Proof

WHOLE, CHAPTER, EXERCISE = "whole", "chapter", "exercise"


class Theorem(NamedTuple):
    """A claim about the course, and what looks for exceptions to it.

    Attributes:
        each: what it speaks of, one after the other: the ``whole`` course, a ``chapter``, or an
            ``exercise``. So much of it is proved at a time, by as many processes as there are.
        runs: whether code is run for it; what needs none is proved at once.
    """

    id: str
    claim: str
    problems: Callable[[Proof], Iterator[Problem]]
    each: str = CHAPTER
    runs: bool = True


THEOREMS = (
    Theorem("5-stripped", f"{COURSE.name}/ is the stripped reference",
            consistency.package_is_stripped, WHOLE, runs=False),
    Theorem("6-regions", "every solution region has one exercise",
            consistency.regions_have_exercises, WHOLE, runs=False),
    Theorem("6-whole", "every exercise has an anchor, hints, points",
            consistency.exercises_are_whole, runs=False),
    Theorem("8-leaks", "a workspace holds no answer of its own",
            consistency.no_answer_leaks, runs=False),
    Theorem("10-applied", "no mistake or variant is the reference",
            distinct_bodies.bodies_are_applied, runs=False),
    Theorem("9-taught", "what is tested is announced",
            consistency.behaviours_are_taught, runs=False),
    Theorem("13-seeds", "no two seeds ask the same", seeds.nothing_is_shared, runs=False),
    Theorem("4-oracles", "the reference agrees with every oracle",
            consistency.oracles_agree, WHOLE),
    Theorem("3-run", "every mistake can be run", consistency.mistakes_run, WHOLE),
    Theorem("1-reference", "the reference passes everything", consistency.reference_passes),
    Theorem("2-stubs", "every stub is pending and earns nothing", consistency.stubs_are_pending),
    Theorem("6-order", "no chapter needs a later one", consistency.chapters_stand_alone),
    Theorem("7-variants", "other right solutions pass", consistency.variants_pass),
    Theorem("3-alone", "every mistake is named by its own sentence",
            mistake_theorems.alone, EXERCISE),
    Theorem("3-float32", "… in float32", mistake_theorems.in_float32, EXERCISE),
    Theorem("3-numpy", "… rewritten with NumPy", mistake_theorems.with_numpy, EXERCISE),
    Theorem("3-pairs", "… and in pairs nothing false is said", mistake_theorems.in_pairs),
    Theorem("11-blame", "blocked and failed agree with repair, 9 in 10",
            counterfactual.agrees_with_repair),
    Theorem("12-wrecks", "no ruin is told a cause that is not there", mutants.told_nothing_false),
    Theorem("13-replay", "one seed's answers are another's errors", seeds.nothing_is_replayed),
    Theorem("14-borrowed", "what travels to the worker earns nothing", shipped_code.earns_nothing),
)  # fmt: skip
