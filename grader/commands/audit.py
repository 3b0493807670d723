"""`grader audit`: all problems of the course at once, each with its mend."""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

from ..audit.proof import Problem, Proof
from ..audit.theorems import THEOREMS, Theorem
from ..errors import OurFault


def run(options: argparse.Namespace, workers: list[Any]) -> int:
    """Exit status 0 where every theorem holds, else 3: a broken course is our fault."""
    broken = 0
    with Proof() as proof:
        for theorem in THEOREMS:
            started = time.monotonic()
            problems = _problems(theorem, proof)
            broken += len(problems)
            seconds = time.monotonic() - started
            mark = "ok" if not problems else f"{len(problems)} problem(s)"
            print(f"{theorem.id:<12} {theorem.claim:<48} {mark:<14} {seconds:.1f} s")
            for problem in problems:
                print(f"    {problem.where}: {problem.what}\n      mend: {problem.mend}")
            sys.stdout.flush()
    print("The course holds together." if not broken else f"{broken} problem(s).")
    return 3 if broken else 0


def _problems(theorem: Theorem, proof: Proof) -> list[Problem]:
    try:
        return list(theorem.problems(proof))
    except OurFault as error:
        return [Problem(theorem.id, str(error), "mend this first")]
