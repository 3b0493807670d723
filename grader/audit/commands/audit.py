"""`grader audit [NAME …]`: all problems of a course at once, each with its mend."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from ...commands import OVERLAY, command, flag, option
from ...course.load import Course, read_course
from ...course.rows import PUBLIC_SEED
from ...learner.typed_names import exercises_of
from ...memo import Memo
from ...products import find_hook
from ..invariants import (
    AT_A_TIME,
    CORNERS,
    INVARIANTS,
    MUTANTS,
    Found,
    Invariant,
    check_invariant,
    check_invariants,
    collect_seldom,
)
from ..mutants import Score
from ..mutants import chapters as scores_of_chapters
from ..proof import CourseCheck

OVERLAID = "course with an overlay"


@command(
    "audit",
    option("names", "NAME", "audit only this: chapter3.div, 3.4 …", nargs="*"),
    option("--jobs", "N", "number of processes (default: all cores)", type=int),
    flag(
        "--mutants",
        "change the reference in every small way instead; list the changes that cost no points",
    ),
    flag(
        "--corners",
        "the same under a condition, such as float32 or an option; the report lists the survivors, "
        "which are no problem: this is not proved yet",
    ),
    *([OVERLAY] if find_hook(OVERLAID) else ()),
)
def run_audit(options: argparse.Namespace) -> int:
    """Exit status 0 where every invariant holds, else 3: a broken course is our fault."""
    collect_seldom()
    load_overlaid = find_hook(OVERLAID)
    load = partial(load_overlaid, options.course) if load_overlaid else read_course
    memo = Memo()
    with proof_of(load(), options.names, memo) as proof:
        known: set[str] = set()  # said already: what breaks one proof may break the next
        asked = [*MUTANTS] * options.mutants + [CORNERS] * options.corners
        results = partial(_mutants, asked) if asked else _results
        broken = sum(_told(each, known) for each in results(proof, load, options.jobs))
    memo.prune()
    about = " ".join(options.names)
    whole = f"{about}: it holds." if about else "The course holds together."
    print(whole if not broken else f"{broken} problem(s).")
    return 3 if broken else 0


def proof_of(course: Course, names: list[str], memo: Memo) -> CourseCheck:
    """The proof of what was named; of an overlay's own mistakes only, where there is one.

    The mistakes that an overlay does not bring are proved by the plain audit.
    """
    ids = frozenset(exercises_of(course, names)) if names else None
    if course.added is None:
        return CourseCheck(course, ids=ids, memo=memo, remembers=True)
    seed = course.drawn_from(PUBLIC_SEED)
    return CourseCheck(course, seed, ids=ids, own=course.added, memo=memo, remembers=True)


def invariants(course: Course) -> list[Invariant]:
    """All of them; the public stubs hold nothing of an overlay."""
    is_plain = course.added is None
    return [t for t in INVARIANTS if is_plain or t.id != "5-stripped"]


Result = tuple[Invariant, Found, float]


def _results(proof: CourseCheck, load: Callable[[], Course], jobs: int | None) -> Iterator[Result]:
    """Prove what needs no run first; then the key, without which nothing else can be proved."""
    every = invariants(proof.course)
    yield from _here([t for t in every if not t.runs], proof)
    running = [t for t in every if t.runs]
    key, rest = running[:2], running[2:]  # the oracles, and that every mistake can be run
    for result in _here(key, proof):
        yield result
        if result[1].problems:
            return
    count = min(jobs or os.cpu_count() or 1, len(proof.ids) // AT_A_TIME)
    if count < 2:
        yield from _here(rest, proof)
        return
    started = time.monotonic()
    for invariant, said in check_invariants(rest, proof, load, count):
        yield invariant, said, time.monotonic() - started
        started = time.monotonic()


def _mutants(
    asked: list[Invariant], proof: CourseCheck, load: Callable[[], Course], jobs: int | None
) -> Iterator[Result]:
    """The invariants that take minutes; their notes end with a line for each chapter and kind."""
    assert proof.key  # made once, for all processes
    started = time.monotonic()
    count = min(jobs or os.cpu_count() or 1, len(proof.ids))
    for invariant, (problems, notes) in check_invariants(asked, proof, load, count):
        notes = [*notes, *scores_of_chapters(note for note in notes if isinstance(note, Score))]
        yield invariant, Found(problems, notes), time.monotonic() - started
        started = time.monotonic()


def _here(some: Iterable[Invariant], proof: CourseCheck) -> Iterator[Result]:
    for invariant in some:
        started = time.monotonic()
        yield invariant, check_invariant(invariant, proof), time.monotonic() - started


def _told(result: Result, known: set[str]) -> int:
    """Print an invariant with its problems; how many of these are new."""
    invariant, (found, notes), seconds = result
    problems = [problem for problem in found if problem.what not in known]
    known |= {problem.what for problem in problems if problem.where == invariant.id}
    mark = "ok" if not found else f"{len(problems)} problem(s)" if problems else "as above"
    print(f"{invariant.id:<12} {invariant.claim:<48} {mark:<14} {seconds:.1f} s")
    for note in notes:
        print(f"    {note}")
    for problem in problems:
        print(f"    {problem.where}: {problem.what}\n      mend: {problem.mend}")
    sys.stdout.flush()
    return len(problems)
