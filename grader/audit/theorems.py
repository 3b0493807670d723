"""The table: a theorem per row, the quick ones first. `grader audit` and the tests walk it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..about import COURSE
from . import applied, blame, borrowed, course, mistakes, seeds, wrecks
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
    Theorem("5-stripped", f"{COURSE.name}/ is the stripped reference", course.package_is_stripped,
            WHOLE, runs=False),
    Theorem("6-regions", "every solution region has one exercise", course.regions_have_exercises,
            WHOLE, runs=False),
    Theorem("6-whole", "every exercise has an anchor, hints, points", course.exercises_are_whole,
            runs=False),
    Theorem("8-leaks", "a workspace holds no answer of its own", course.no_answer_leaks,
            runs=False),
    Theorem("10-applied", "no mistake or variant is the reference", applied.bodies_are_applied,
            runs=False),
    Theorem("9-taught", "what is tested is announced", course.behaviours_are_taught, runs=False),
    Theorem("13-seeds", "no two seeds ask the same", seeds.nothing_is_shared, runs=False),
    Theorem("4-oracles", "the reference agrees with every oracle", course.oracles_agree, WHOLE),
    Theorem("3-run", "every mistake can be run", course.mistakes_run, WHOLE),
    Theorem("1-reference", "the reference passes everything", course.reference_passes),
    Theorem("2-stubs", "every stub is pending and earns nothing", course.stubs_are_pending),
    Theorem("6-order", "no chapter needs a later one", course.chapters_stand_alone),
    Theorem("7-variants", "other right solutions pass", course.variants_pass),
    Theorem("3-alone", "every mistake is named by its own sentence", mistakes.alone, EXERCISE),
    Theorem("3-float32", "… in float32", mistakes.in_float32, EXERCISE),
    Theorem("3-numpy", "… rewritten with NumPy", mistakes.with_numpy, EXERCISE),
    Theorem("3-pairs", "… and in pairs nothing false is said", mistakes.in_pairs),
    Theorem("11-blame", "blocked and failed agree with repair, 9 in 10", blame.agrees_with_repair),
    Theorem("12-wrecks", "no ruin is told a cause that is not there", wrecks.told_nothing_false),
    Theorem("13-replay", "one seed's answers are another's errors", seeds.nothing_is_replayed),
    Theorem("14-borrowed", "what travels to the worker earns nothing", borrowed.earns_nothing),
)  # fmt: skip
