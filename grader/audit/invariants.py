"""The table of invariants, quick ones first, and their proof by several processes."""

from __future__ import annotations

import atexit
import gc
import multiprocessing
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from typing import NamedTuple

from .. import interrupt
from ..about import COURSE
from ..course.load import Course, describe_error
from ..errors import OurFault
from ..memo import Memo
from . import (
    consistency,
    corners,
    mistakes,
    mutants,
    order_of_sums,
    promises,
    told,
    unearned,
    variety,
)
from .proof import CourseCheck, Problem

WHOLE, CHAPTER, EXERCISE = "whole", "chapter", "exercise"


class Invariant(NamedTuple):
    """A claim about the course, and the function that looks for exceptions to it."""

    id: str
    claim: str
    problems: Callable[[CourseCheck], Iterator[Problem]]
    # Its unit: the ``whole`` course, a ``chapter``, or an ``exercise``. Units are proved in
    # parallel, by as many processes as there are.
    each: str = CHAPTER
    runs: bool = True  # whether it runs code; without that it is proved at once


INVARIANTS = (
    Invariant("5-stripped", f"{COURSE.name}/ is the stripped reference",
              consistency.package_is_stripped, WHOLE, runs=False),
    Invariant("6-regions", "every solution region has one exercise",
              consistency.regions_have_exercises, WHOLE, runs=False),
    Invariant("6-whole", "every exercise has an anchor, hints, points",
              consistency.exercises_are_whole, runs=False),
    Invariant("6-kinds", "the short route asks for some of each kind",
              consistency.kinds_are_alike, runs=False),
    Invariant("6-formulas", "what hides formulas fits, and hides them",
              consistency.formulas_are_hidden, WHOLE, runs=False),
    Invariant("2-hidden", "hiding formulas changes docstrings alone",
              consistency.hidden_stubs_are_stubs, WHOLE, runs=False),
    Invariant("6-numbers", "a box's number is what is checked",
              consistency.numbers_are_checked, runs=False),
    Invariant("8-leaks", "a workspace holds no answer of its own",
              consistency.no_answer_leaks, runs=False),
    Invariant("10-applied", "no mistake or variant is the reference",
              consistency.bodies_are_applied, runs=False),
    Invariant("9-taught", "what is tested is announced",
              promises.behaviours_are_taught, runs=False),
    Invariant("17-promises", "what is announced is tested",
              promises.promises_are_tested, runs=False),
    Invariant("13-seeds", "no two seeds ask the same", unearned.nothing_is_shared, runs=False),
    Invariant("4-oracles", "the reference agrees with every oracle",
              consistency.oracles_agree, WHOLE),
    Invariant("3-run", "every mistake can be run", consistency.mistakes_run, WHOLE),
    Invariant("1-reference", "the reference passes everything", consistency.reference_passes),
    Invariant("2-stubs", "every stub is pending and earns nothing", consistency.stubs_are_pending),
    Invariant("2-short", "… and so on the short route", consistency.short_route_holds),
    Invariant("6-order", "no chapter needs a later one", consistency.chapters_stand_alone),
    Invariant("7-variants", "other right solutions pass", consistency.variants_pass),
    Invariant("7-sums", "no answer depends on the order of a sum",
              order_of_sums.sums_have_no_order),
    Invariant("3-alone", "every mistake is named by its own sentence",
              mistakes.single_mistakes_are_named, EXERCISE),
    Invariant("3-float32", "… in float32", mistakes.in_float32, EXERCISE),
    Invariant("3-numpy", "… rewritten with NumPy", mistakes.with_numpy, EXERCISE),
    Invariant("3-pairs", "… and in pairs nothing false is said", mistakes.in_pairs),
    Invariant("17-clauses", "a body that breaks one clause loses points",
              promises.clauses_are_broken),
    Invariant("19-variety", "what a probe is made of moves an answer",
              variety.every_place_counts, EXERCISE),
    Invariant("11-blame", "blocked and failed agree with repair, 9 in 10",
              mistakes.agrees_with_repair),
    Invariant("12-wrecks", "no ruin is told a cause that is not there", mutants.no_misdiagnosis),
    Invariant("13-replay", "one seed's answers are another's errors", unearned.nothing_is_replayed),
    Invariant("14-borrowed", "what travels to the worker earns nothing", unearned.earns_nothing),
)  # fmt: skip
# These take minutes, and have their own option: `grader audit --mutants`.
MUTANTS = (
    Invariant("15-mutants", "no mutant of the reference survives", mutants.none_survives, EXERCISE),
    Invariant("16-told", "a mistake is named where its sentence was read", told.sentences_are_read,
              EXERCISE),
)  # fmt: skip
# So has this one; it finds no problem, it reports: `grader audit --corners`.
CORNERS = Invariant("15-corners", "mutants in a corner are reported, not proved",
                    corners.report_corners, EXERCISE)  # fmt: skip


AT_A_TIME = 4  # exercises per unit: few enough that all processes end at about the same time

Unit = tuple[str, frozenset[str], frozenset[str]]  # invariant, exercises, and whose mistakes

_proof: CourseCheck | None = None
_open = ExitStack()  # per process: closes its proof at the end


def units(invariant: Invariant, proof: CourseCheck) -> list[frozenset[str]]:
    """Return the exercises of each unit that an invariant is proved in."""
    ids = [e.id for e in proof.exercises]
    if invariant.each == EXERCISE:
        return [frozenset(ids[n : n + AT_A_TIME]) for n in range(0, len(ids), AT_A_TIME)]
    if invariant.each == CHAPTER:
        chapters = [f"{chapter.id}." for chapter in proof.chapters]
        return [frozenset(id for id in ids if id.startswith(name)) for name in chapters]
    return [frozenset(ids)]


class Found(NamedTuple):
    """The result of a proof: all exceptions to the invariant, and its counts."""

    problems: list[Problem]
    notes: list[object]


def check_invariant(invariant: Invariant, proof: CourseCheck) -> Found:
    """Prove an invariant; a failing proof is an exception to it."""
    proof.notes = []
    try:
        return Found(list(invariant.problems(proof)), proof.notes)
    except OurFault as error:
        return Found([Problem(invariant.id, str(error), "mend this first")], proof.notes)
    except Exception as error:  # most likely in the course's own code
        what = f"cannot be proved: {describe_error(error)}"
        return Found([Problem(invariant.id, what, "mend this first")], proof.notes)


def check_invariants(
    invariants: Iterable[Invariant],
    proof: CourseCheck,
    course: Callable[[], Course],
    jobs: int,
) -> Iterator[tuple[Invariant, Found]]:
    """Yield each invariant with its result, in order, as they are done."""
    # Spawned, not forked: torch may be loaded here, and would hang in a fork.
    context = multiprocessing.get_context("spawn")
    start = course, proof.seed, proof.ids
    with ProcessPoolExecutor(jobs, context, _begin, start) as pool:
        asked = [
            (t, [pool.submit(_unit, (t.id, ids, proof.own)) for ids in units(t, proof)])
            for t in invariants
        ]
        for invariant, pieces in asked:
            found = [piece.result() for piece in pieces]
            problems = dict.fromkeys(problem for each in found for problem in each.problems)
            yield invariant, Found([*problems], [note for each in found for note in each.notes])


def collect_seldom() -> None:
    """Collect garbage rarely: at Python's rate it takes an eighth of an audit, and finds little."""
    gc.set_threshold(100_000, 10, 10)


def _begin(course: Callable[[], Course], seed: str, ids: frozenset[str]) -> None:
    """Prepare a new process: leave Ctrl-C to the parent, end with it, make its proof."""
    global _proof
    collect_seldom()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    interrupt.end_with_parent()
    atexit.register(_open.close)
    _proof = _open.enter_context(CourseCheck(course(), seed, ids=ids, memo=Memo(), remembers=True))


def _unit(unit: Unit) -> Found:
    assert _proof is not None
    name, ids, own = unit
    invariant = next(t for t in (*INVARIANTS, *MUTANTS, CORNERS) if t.id == name)
    part = _proof.about(ids)
    part.own = ids & own
    return check_invariant(invariant, part)
