"""`grader audit`: all problems of the course at once, each with its mend."""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

from ..audit.proof import Problem, Proof
from ..audit.theorems import THEOREMS, Theorem
from ..errors import OurFault
from ..making.build import PUBLIC_SEED
from .options import COURSE, Options

SAYS = "prove that the course holds together"
OPTIONS: Options = (COURSE,)


def run(options: argparse.Namespace, workers: list[Any]) -> int:
    """Exit status 0 where every theorem holds, else 3: a broken course is our fault."""
    broken = 0
    theorems, proof = _asked(options.course)
    with proof:
        for theorem in theorems:
            started = time.monotonic()
            problems = _problems(theorem, proof)
            broken += len(problems)
            seconds = time.monotonic() - started
            mark = "ok" if not problems else f"{len(problems)} problem(s)"
            print(f"{theorem.id:<12} {theorem.claim:<48} {mark:<14} {seconds:.1f} s")
            for note in proof.notes:
                print(f"    {note}")
            proof.notes.clear()
            for problem in problems:
                print(f"    {problem.where}: {problem.what}\n      mend: {problem.mend}")
            sys.stdout.flush()
    print("The course holds together." if not broken else f"{broken} problem(s).")
    return 3 if broken else 0


def _asked(overlay: str | None) -> tuple[list[Theorem], Proof]:
    """All theorems about the course; with an overlay on top, those that it can break.

    The public `babygrad/` holds nothing of it, and the mistakes that it does not bring are proved
    by the plain audit.
    """
    if overlay is None:
        return list(THEOREMS), Proof()
    from ..instructor.overlay import overlaid_course
    from ..instructor.release import ProofOf

    course = overlaid_course(overlay)
    theorems = [t for t in THEOREMS if t.id != "5-stripped"]
    return theorems, ProofOf(course, course.own, f"{PUBLIC_SEED} {course.overlay.mark}")


def _problems(theorem: Theorem, proof: Proof) -> list[Problem]:
    try:
        return list(theorem.problems(proof))
    except OurFault as error:
        return [Problem(theorem.id, str(error), "mend this first")]
