"""The table: a theorem per row. `grader audit` walks it, and so does the test suite."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from . import blame, course, mistakes, wrecks
from .proof import Problem, Proof


class Theorem(NamedTuple):
    """A claim about the course, and what looks for exceptions to it."""

    id: str
    claim: str
    problems: Callable[[Proof], Iterator[Problem]]


THEOREMS = (
    Theorem("4-oracles", "the reference agrees with every oracle", course.oracles_agree),
    Theorem("1-reference", "the reference passes everything", course.reference_passes),
    Theorem("2-stubs", "every stub is pending and earns nothing", course.stubs_are_pending),
    Theorem("3-alone", "every mistake is named by its own sentence", mistakes.alone),
    Theorem("3-float32", "… in float32", mistakes.in_float32),
    Theorem("3-numpy", "… rewritten with NumPy", mistakes.with_numpy),
    Theorem("3-pairs", "… and in pairs nothing false is said", mistakes.in_pairs),
    Theorem("5-stripped", "babygrad/ is the stripped reference", course.package_is_stripped),
    Theorem("6-regions", "every solution region has one exercise", course.regions_have_exercises),
    Theorem("6-whole", "every exercise has an anchor, hints, points", course.exercises_are_whole),
    Theorem("6-order", "no chapter needs a later one", course.chapters_stand_alone),
    Theorem("7-variants", "other right solutions pass", course.variants_pass),
    Theorem("8-leaks", "a workspace holds no answer of its own", course.no_answer_leaks),
    Theorem("9-taught", "what is tested is announced", course.behaviours_are_taught),
    Theorem("11-blame", "blocked and failed agree with repair", blame.agrees_with_repair),
    Theorem("12-wrecks", "no ruin is told a cause that is not there", wrecks.told_nothing_false),
)
