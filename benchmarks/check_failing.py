"""Measure `grader check chapter3` on a failing package, as a multiple of a passing check.

It checks a wrong package and a right one in turn, as whole processes, in one run. We quote the
median of the ratios, pair by pair: of the clock time, and of the processor time of the grader and
its workers. One op is wrong, then three, then eight. Python keeps its bytecode, as it does for a
learner.

    python benchmarks/check_failing.py [--runs 15]
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from grader.course.load import read_course  # noqa: E402

GOAL = 2.0
# Exercise → the name of one of its mistakes; the first three, and all eight.
MISTAKES = {
    "chapter3.mul.backward": "swapped",
    "chapter3.div.backward": "forgot-minus",
    "chapter3.tanh.backward": "forgot-out-grad",
    "chapter3.negate.forward": "always-negative",
    "chapter3.summation.backward": "not-expanded",
    "chapter3.matmul.backward": "not-transposed",
    "chapter3.pow.backward": "precedence",
    "chapter3.sqrt.backward": "forgot-out-grad",
}


class Spent(NamedTuple):
    """Seconds of one check: on the wall, and of processors."""

    wall: float
    processor: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=15)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        packages = {
            wrong: written(Path(folder) / str(wrong), dict(list(MISTAKES.items())[:wrong]))
            for wrong in (0, 1, 3, 8)
        }
        for wrong in (0, 8):
            spent(packages[wrong])  # the key is built, and everything has been read once
        pairs = {wrong: [] for wrong in (1, 3, 8)}
        for _ in range(runs):
            for wrong, found in pairs.items():
                found.append((spent(packages[wrong]), spent(packages[0])))
    print(f"a failing check as a multiple of a passing one, medians of {runs} pairs")
    print(f"wrong ops   on the wall   processor time   (goal ≤ {GOAL:g})")
    for wrong, found in pairs.items():
        wall, processor = (
            statistics.median(one[n] / other[n] for one, other in found) for n in range(2)
        )
        print(f"{wrong:9}   {wall:11.2f}   {processor:14.2f}")


def written(place: Path, mistakes: Mapping[str, str]) -> Path:
    """A package with these mistakes: exercise → the name of one."""
    course = read_course()
    bodies = {}
    for id, name in mistakes.items():
        exercise = course.exercises[id]
        bodies[exercise.targets[0]] = next(m for m in exercise.mistakes if m.name == name).body
    for name, text in course.replace_bodies(bodies).items():
        file = place / "babygrad" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return place


def spent(package: Path) -> Spent:
    """Run one check; return its seconds."""
    command = [
        sys.executable, "-c", "from grader.cli import main; main()", "check", "chapter3",
        "--package", str(package),
    ]  # fmt: skip
    environment = {
        **os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(package.parent / "bytecode"),
    }  # fmt: skip
    started = time.perf_counter()
    child = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    wall = time.perf_counter() - started
    if os.waitstatus_to_exitcode(status) > 1:
        sys.exit(f"{' '.join(command)} ended with status {status}")
    return Spent(wall, used.ru_utime + used.ru_stime)


if __name__ == "__main__":
    main()
