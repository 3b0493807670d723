"""Theorems, proved by several processes: each takes a chapter or some exercises at a time."""

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
from ..course.load import Course, place_of
from ..errors import OurFault
from ..memo import Memo
from .proof import Problem, Proof
from .theorems import CHAPTER, EXERCISE, THEOREMS, Theorem

AT_A_TIME = 4  # exercises: few enough that no process ends long before the others

Unit = tuple[str, frozenset[str], frozenset[str]]  # theorem, exercises, and whose mistakes

_proof: Proof | None = None
_open = ExitStack()  # of a process: what its proof leans on, until it ends


def units(theorem: Theorem, proof: Proof) -> list[frozenset[str]]:
    """The exercises of each piece that a theorem is proved in."""
    ids = [e.id for e in proof.exercises]
    if theorem.each == EXERCISE:
        return [frozenset(ids[n : n + AT_A_TIME]) for n in range(0, len(ids), AT_A_TIME)]
    if theorem.each == CHAPTER:
        chapters = [f"{chapter.id}." for chapter in proof.chapters]
        return [frozenset(id for id in ids if id.startswith(name)) for name in chapters]
    return [frozenset(ids)]


class Found(NamedTuple):
    """What a theorem has brought: all exceptions to it, and what it counted."""

    problems: list[Problem]
    notes: list[str]


def found(theorem: Theorem, proof: Proof) -> Found:
    """Prove a theorem; that it cannot be proved is an exception to it."""
    proof.notes = []
    try:
        return Found(list(theorem.problems(proof)), proof.notes)
    except OurFault as error:
        return Found([Problem(theorem.id, str(error), "mend this first")], proof.notes)
    except Exception as error:  # in code of the course's own, most likely
        what = f"cannot be proved: {type(error).__name__}: {error}{place_of(error)}"
        return Found([Problem(theorem.id, what, "mend this first")], proof.notes)


def proved(
    theorems: Iterable[Theorem],
    proof: Proof,
    course: Callable[[], Course],
    jobs: int,
) -> Iterator[tuple[Theorem, Found]]:
    """Each theorem with what it brought, in their order, as they are done.

    Args:
        course: makes the course once more, in another process.
    """
    # Spawned, not forked: torch may be loaded here, and a fork of it hangs.
    context = multiprocessing.get_context("spawn")
    start = course, proof.seed, proof.ids
    with ProcessPoolExecutor(jobs, context, _begin, start) as pool:
        asked = [
            (t, [pool.submit(_unit, (t.id, ids, proof.own)) for ids in units(t, proof)])
            for t in theorems
        ]
        for theorem, pieces in asked:
            yield theorem, _together([piece.result() for piece in pieces])


def _together(pieces: list[Found]) -> Found:
    return Found(
        list(dict.fromkeys(problem for piece in pieces for problem in piece.problems)),
        [note for piece in pieces for note in piece.notes],
    )


def collect_seldom() -> None:
    """Most of what a proof makes lives as long as it does: to look for garbage as often as Python
    usually does takes an eighth of an audit."""
    gc.set_threshold(100_000, 10, 10)


def _begin(course: Callable[[], Course], seed: str, ids: frozenset[str]) -> None:
    """In a new process: leave Ctrl-C to the parent, end with it, and get ready."""
    global _proof
    collect_seldom()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    interrupt.end_with_parent()
    atexit.register(_open.close)
    _proof = _open.enter_context(Proof(course(), seed, ids=ids, memo=Memo(), remembers=True))


def _unit(unit: Unit) -> Found:
    assert _proof is not None
    name, ids, own = unit
    theorem = next(t for t in THEOREMS if t.id == name)
    part = _proof.about(ids)
    part.own = ids & own
    return found(theorem, part)
