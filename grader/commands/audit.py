"""`grader audit [NAME …]`: all problems of the course at once, each with its mend."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

from ..audit.in_parallel import AT_A_TIME, Found, collect_seldom, found, proved
from ..audit.proof import Proof
from ..audit.theorems import THEOREMS, Theorem
from ..classroom.overlay import OverlaidCourse, course_of
from ..course.domains import PUBLIC_SEED
from ..course.load import Course
from ..learner import select
from ..memo import Memo
from .options import COURSE, Options

SAYS = "prove that the course holds together"
OPTIONS: Options = (
    (
        ("names",),
        {"nargs": "*", "metavar": "NAME", "help": "only what concerns it: chapter3.div, 3.4 …"},
    ),
    (("--jobs",), {"type": int, "metavar": "N", "help": "how many processes; all cores"}),
    COURSE,
)


def run(options: argparse.Namespace, workers: list[Any]) -> int:
    """Exit status 0 where every theorem holds, else 3: a broken course is our fault."""
    collect_seldom()
    load = partial(course_of, options.course)
    memo = Memo()
    with asked(load(), options.names, memo) as proof:
        known: set[str] = set()  # said already: what breaks one proof may break the next
        broken = sum(_told(each, known) for each in _results(proof, load, options.jobs))
    memo.prune()
    about = " ".join(options.names)
    whole = f"{about}: it holds." if about else "The course holds together."
    print(whole if not broken else f"{broken} problem(s).")
    return 3 if broken else 0


def asked(course: Course, names: list[str], memo: Memo) -> Proof:
    """The proof of what was named; of an overlay's own mistakes only, where there is one.

    The mistakes that an overlay does not bring are proved by the plain audit.
    """
    ids = frozenset(select.exercises(_names(course), names)) if names else None
    if not isinstance(course, OverlaidCourse):
        return Proof(course, ids=ids, memo=memo, remembers=True)
    seed = f"{PUBLIC_SEED} {course.overlay.mark}"
    return Proof(course, seed, ids=ids, own=course.own, memo=memo, remembers=True)


def theorems(course: Course) -> list[Theorem]:
    """All of them; the public stubs hold nothing of an overlay."""
    overlaid = isinstance(course, OverlaidCourse)
    return [t for t in THEOREMS if not (overlaid and t.id == "5-stripped")]


class OfCourse(NamedTuple):
    """What `select` asks a key for, from a course that may have none."""

    chapters: list[str]
    outline: list[list[Any]]
    table: dict[str, Any]


def _names(course: Course) -> OfCourse:
    every = course.exercises.values()
    return OfCourse(
        [chapter.id for chapter in course.chapters],
        [[e.id, e.section, e.given] for e in every],
        {"targets": {target: e.id for e in every for target in e.targets}},
    )


Result = tuple[Theorem, Found, float]


def _results(proof: Proof, load: Any, jobs: int | None) -> Iterator[Result]:
    """What needs no run first; then the key, without which nothing else can be proved."""
    every = theorems(proof.course)
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
    for theorem, said in proved(rest, proof, load, count):
        yield theorem, said, time.monotonic() - started
        started = time.monotonic()


def _here(some: Iterable[Theorem], proof: Proof) -> Iterator[Result]:
    for theorem in some:
        started = time.monotonic()
        yield theorem, found(theorem, proof), time.monotonic() - started


def _told(result: Result, known: set[str]) -> int:
    """Print a theorem with its problems; how many of these are new."""
    theorem, (found, notes), seconds = result
    problems = [problem for problem in found if problem.what not in known]
    known |= {problem.what for problem in problems if problem.where == theorem.id}
    mark = "ok" if not found else f"{len(problems)} problem(s)" if problems else "as above"
    print(f"{theorem.id:<12} {theorem.claim:<48} {mark:<14} {seconds:.1f} s")
    for note in notes:
        print(f"    {note}")
    for problem in problems:
        print(f"    {problem.where}: {problem.what}\n      mend: {problem.mend}")
    sys.stdout.flush()
    return len(problems)
