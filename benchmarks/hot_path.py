"""Print every ratio of the hot path in one run, beside another checkout.

- A check of a solved chapter, by the clock and by processor time with the worker, as a multiple of
  `import numpy`. A plain import starts a BLAS thread per core, so the processor time is told beside
  one with a single thread, too, which is how the worker imports it.
- The two floors of `check_latency.py`: a process that starts another one, which imports NumPy and
  the package; the same with the code of the probes, for each chapter. A check can reach no ratio
  below that of its probes alone: fewer or cheaper probes can.
- A check with five mistakes of different kinds, as a multiple of a passing one. Its floor is a
  passing check and the further workers that such a check starts, each of which imports the package
  and runs no probe: whatever tries out code in a process of its own takes that.
- A submission of a class, right or of any kind, as a multiple of one check (`grade_throughput.py`),
  with what one more takes, without the start of the class. Its floor is two workers, because
  public probes run apart.
- A verdict of `watch` after a save (`watch_latency.py`).

All commands of all trees take turns, as whole processes. We quote the least of each, so what a busy
machine adds counts only if it adds to every run. Each tree has its own cache of keys and bytecode,
filled before anything is timed, and its own solutions.

    python benchmarks/hot_path.py [--beside DIR] [--runs 18] [--chapters chapter3,chapter14|all]
                                  [--only check,failing,class,watch] [--count 12]
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import check_failing
import check_latency
import grade_throughput
from processor import spend, take_in

ROOT = check_latency.ROOT
MAIN = check_latency.CHECK[1:3]
PARTS = "check", "failing", "class", "watch"
# What is measured → the most that is wanted of its clock, and of its processor time.
GOALS = {"check chapter3": (1.8, 1.7), "five mistakes": (2.0, 2.0), "right": 0.7, "any": 0.9}
ANY_CHAPTER = (2.2, 2.2)
# A value, a shape, an exception, nothing returned, an order: no two are found in the same way.
FIVE = {
    "chapter3.mul.backward": "swapped",
    "chapter3.summation.backward": "not-expanded",
    "chapter3.matmul.backward": "not-transposed",
    "chapter3.negate.forward": "always-negative",
    "chapter3.topological_order": "root-first",
}


class Spent(NamedTuple):
    """Seconds of one command: by the clock, and of processors."""

    clock: float
    processor: float


class Tree:
    """A checkout, its cache, and its packages."""

    def __init__(self, path: str, place: Path) -> None:
        self.path = os.path.abspath(path)
        self.name = "now" if self.path == ROOT else os.path.basename(self.path)
        self.place = place
        self.environment = {
            **os.environ, "PYTHONPATH": self.path, "PYTHONDONTWRITEBYTECODE": "",
            "XDG_CACHE_HOME": str(place), "PYTHONPYCACHEPREFIX": str(place / "bytecode"),
        }  # fmt: skip

    def check(self, chapter: str, package: str = "") -> list[str]:
        package = package or os.path.join(self.path, "solutions")
        return [sys.executable, *MAIN, "check", chapter, "--package", package]

    def spend(self, command: list[str], more: Mapping[str, str] | None = None) -> Spent:
        started = time.perf_counter()
        processor, _ = spend(command, self.place, {**self.environment, **(more or {})})
        return Spent(time.perf_counter() - started, processor)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--beside", metavar="DIR", help="another checkout, whose runs take turns")
    parser.add_argument("--runs", type=int, default=18)
    parser.add_argument("--chapters", default="chapter3", help="their ids, or all")
    parser.add_argument("--only", default=",".join(PARTS), help="some of these parts")
    parser.add_argument("--count", type=int, default=12, help="submissions of the class")
    options = parser.parse_args()
    parts = set(options.only.split(","))
    if parts - {*PARTS}:
        parser.error(f"--only takes some of {', '.join(PARTS)}")
    take_in()
    with tempfile.TemporaryDirectory() as folder:
        trees = []
        for number, path in enumerate(filter(None, (ROOT, options.beside))):
            trees.append(Tree(path, Path(folder, str(number))))
            trees[-1].place.mkdir()
        print(f"{'':34}" + "".join(f"{tree.name:>12}" for tree in trees) + "        goal")
        if parts & {"check", "failing"}:
            time_checks(trees, parts, named(options.chapters), options.runs)
        if "failing" in parts:
            print_failing_floor(trees, options.runs)
        if "class" in parts:
            time_class(trees, options.count)
        if "watch" in parts:
            time_watch(trees)


def named(chapters: str) -> list[str]:
    if chapters != "all":
        return chapters.split(",")
    return [f"chapter{n}" for n in range(1, 17)]


def time_checks(trees: list[Tree], parts: set[str], chapters: list[str], runs: int) -> None:
    """Let NumPy, the checks, the floors and the failing checks of all trees take turns."""
    jobs: dict[tuple[str, Tree], list[str]] = {}
    for tree in trees:
        for chapter in chapters if "check" in parts else ["chapter3"]:
            jobs[f"check {chapter}", tree] = tree.check(chapter)
        if "failing" in parts:
            package = check_failing.written(tree.place / "five", FIVE)
            jobs["five mistakes", tree] = tree.check("chapter3", str(package))
    for (_, tree), command in jobs.items():
        tree.spend(command)  # the key is made, and everything has been compiled
        tree.spend(command)
    here = trees[0]
    jobs["import numpy", here] = check_latency.NUMPY
    if "check" in parts:
        jobs["floor", here] = check_latency.FLOOR
        for chapter in chapters:
            jobs[f"probes of {chapter}", here] = check_latency.probed(
                here.environment, str(here.place), chapter
            )
    one = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    spent: dict[tuple[str, Tree], list[Spent]] = {job: [] for job in jobs}
    single = []
    for number in range(runs):
        for job in [*jobs][:: -1 if number % 2 else 1]:
            spent[job].append(job[1].spend(jobs[job]))
        single.append(here.spend(check_latency.NUMPY, one))
    least = {job: Spent(*map(min, zip(*each, strict=True))) for job, each in spent.items()}
    numpy, alone = least.pop(("import numpy", here)), min(each.processor for each in single)
    print(
        f"import numpy: {1000 * numpy.clock:.0f} ms, {1000 * numpy.processor:.0f} ms of processor, "
        f"{1000 * alone:.0f} ms with one BLAS thread (least of {runs})"
    )
    for what in dict.fromkeys(what for what, _ in least):
        mine = [least.get((what, tree)) for tree in trees]
        goals = GOALS.get(what, ANY_CHAPTER if what.startswith("check ") else (None, None))
        if what == "five mistakes":
            base = [least["check chapter3", tree] for tree in trees]
            row(f"{what}, clock, × a check", divided(mine, base, 0), goals[0])
            row(f"{what}, processor, × a check", divided(mine, base, 1), goals[1])
            continue
        row(f"{what}, clock", divided(mine, [numpy] * len(trees), 0), goals[0])
        row(f"{what}, processor", divided(mine, [numpy] * len(trees), 1), goals[1])
        beside_one = [Spent(numpy.clock, alone)] * len(trees)
        row(f"{what}, × one thread", divided(mine, beside_one, 1), None)


def print_failing_floor(trees: list[Tree], runs: int) -> None:
    """Print how many workers a check with five mistakes starts, and the floor that follows."""
    floors: list[float | None] = []
    for tree in trees:
        command = tree.check("chapter3", str(tree.place / "five"))
        command.insert(command.index("check"), "--verbose")
        said = subprocess.run(
            command, env=tree.environment, capture_output=True, text=True, check=False
        ).stderr
        workers = len(re.findall(r": worker \d+: .*; the package: ", said))
        package = os.path.join(tree.path, "solutions", "babygrad")
        code = [sys.executable, "-c", grade_throughput.WORKERS, package, "chapter3", str(runs)]
        _, empty = map(float, spend(code, tree.place, tree.environment)[1].split())
        right = min(tree.spend(tree.check("chapter3")).processor for _ in range(runs))
        floors.append(1 + (workers - 1) * empty / right)
        print(f"five mistakes, {tree.name}: {workers} workers, {1000 * empty:.0f} ms each if empty")
    row("five mistakes, floor, × a check", floors, None)


def divided(mine: list[Spent | None], base: list[Spent], at: int) -> list[float | None]:
    pairs = zip(mine, base, strict=True)
    return [None if each is None else each[at] / other[at] for each, other in pairs]


def time_class(trees: list[Tree], count: int) -> None:
    """Judge a class of right submissions, and one of all kinds, in each tree."""
    found = []
    for tree in trees:
        with tempfile.TemporaryDirectory() as folder:
            grade_throughput.hand_in(folder, count)
            grade_throughput.hand_in_right(folder, "one", 1)
            grade_throughput.hand_in_right(folder, "right", count)
            found.append(grade_throughput.measure(folder, tree.path, count, 1, 6))
    ratios = {
        "right": [each.right / each.check_right for each in found],
        "any": [each.mixed / each.check for each in found],
        "worker": [each.floor / each.check_right for each in found],
    }
    row(f"a class of {count}: right, × a check", ratios["right"], GOALS["right"])
    row(f"a class of {count}: any, × a check", ratios["any"], GOALS["any"])
    more: list[float | None] = [each.more / each.check_right for each in found]
    row("one right submission more", more, GOALS["right"])
    row("two workers, the floor", [2 * ratio for ratio in ratios["worker"]], None)


def time_watch(trees: list[Tree]) -> None:
    """Run each tree's own `watch_latency.py`, and print what it says."""
    for tree in trees:
        command = [sys.executable, os.path.join(tree.path, "benchmarks", "watch_latency.py")]
        done = subprocess.run(
            command, cwd=tree.path, env=tree.environment, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        said = done.stdout if not done.returncode else done.stderr[-400:]
        print(f"watch, {tree.name}:\n{said.rstrip()}")


def row(what: str, ratios: list[float | None], goal: float | None) -> None:
    told = "".join(f"{'–':>12}" if each is None else f"{each:>10.2f} ×" for each in ratios)
    print(f"{what:34}{told}{f'      ≤ {goal:g}' if goal else ''}", flush=True)


if __name__ == "__main__":
    main()
