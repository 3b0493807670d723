"""Measure the second line of the README: processor time of the quick tests, and where it goes.

It runs them as the README does, all by themselves; with `--beside DIR` those of another tree first
(an earlier commit's, from `git worktree add DIR COMMIT`), each with an empty cache. It prints the
processor time of all processes, including servers and processes left behind; the most expensive
chapters (of tests that name one), folders, files and tests, with the tests' own time and that of
their processes; and the time to the first result of one file. We quote the ratio of two trees. It
takes as long as the tests do: about ten minutes on two cores. (Linux.)

    python benchmarks/quick_suite.py [--beside DIR] [TEST …]
    python benchmarks/quick_suite.py -- -m long       # the long run
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import processor

ROOT = Path(__file__).resolve().parent.parent
PLUGIN = ROOT / "benchmarks" / "plugin"
PYTEST = [sys.executable, "-m", "pytest", "-p", "time_by_test"]
ALL = ["-n", "auto", "--dist", "loadgroup"]
ONE_FILE = "tests/grader/test_arrays.py"
SHOWN = 25  # files, and tests
FIRST_RESULTS = 3
CHAPTER = re.compile(r"(?<![a-z])chapter\d+")


class Seconds(NamedTuple):
    """Processor time of a test's process, and of all processes below it."""

    own: float = 0.0
    below: float = 0.0
    tests: int = 0

    def plus(self, other: Seconds) -> Seconds:
        return Seconds(*(a + b for a, b in zip(self, other, strict=True)))

    @property
    def both(self) -> float:
        return self.own + self.below


class Took(NamedTuple):
    """The time of a tree's tests: by the processor, by the clock, and that of each test."""

    processor: float
    clock: float
    by_test: dict[str, Seconds]
    first_result: float

    def by(self, part: Callable[[str], str]) -> dict[str, Seconds]:
        """The sums over the same part of a test's name."""
        sums: defaultdict[str, Seconds] = defaultdict(Seconds)
        for test, seconds in self.by_test.items():
            sums[part(test)] = sums[part(test)].plus(seconds)
        return sums

    @property
    def of_tests(self) -> float:
        return sum(each.both for each in self.by_test.values())


def file_of(test: str) -> str:
    """`tests/grader/test_x.py::test_it[1]` → `tests/grader/test_x.py`."""
    return test.partition("::")[0]


def folder_of(test: str) -> str:
    return os.path.dirname(file_of(test))


def chapter_of(test: str) -> str:
    """`tests/grader/test_x.py::test_it[1-chapter17]` → `chapter17`."""
    named = {*CHAPTER.findall(test)}
    return named.pop() if len(named) == 1 else "of several, or of none"


def run(tree: Path, arguments: list[str], cache: str, out: str) -> None:
    """Run pytest in a tree; its plugin writes into the folder `out`."""
    around = {
        **os.environ, "PYTHONPATH": f"{tree}{os.pathsep}{PLUGIN}", "XDG_CACHE_HOME": cache,
        "TIME_BY_TEST": out,
    }  # fmt: skip
    done = subprocess.run([*PYTEST, *arguments], cwd=tree, env=around, check=False)
    print(f"{tree}: exit status {done.returncode}", file=sys.stderr)


def measure(tree: Path, tests: list[str]) -> Took:
    with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as out:
        os.chmod(cache, 0o755)  # some tests judge as a user who is not root
        before, begun = processor.used(), time.monotonic()
        run(tree, [*ALL, *tests], cache, out)
        clock, used = time.monotonic() - begun, processor.used() - before
        rows = [json.loads(line) for path in Path(out).glob("*.jsonl") for line in path.open()]
        firsts = []
        for number in range(FIRST_RESULTS):
            alone = os.path.join(out, f"alone{number}")
            os.mkdir(alone)
            run(tree, ["-x", "-n", "0", ONE_FILE], cache, alone)
            firsts += [float(path.read_text()) for path in Path(alone).glob("*.first")]
    return Took(used, clock, {r[0]: Seconds(r[1], r[2], 1) for r in rows}, min(firsts))


def table(title: str, sums: dict[str, Seconds], total: float) -> None:
    print(f"\n  own   below  share  tests  {title}")
    dearest = sorted(sums.items(), key=lambda row: -row[1].both)
    for name, each in dearest[:SHOWN]:
        share = 100 * each.both / total
        print(f"{each.own:5.1f} {each.below:7.1f} {share:4.1f} % {each.tests:6}  {name}")


def tell(took: Took) -> None:
    parts = {"chapter": chapter_of, "folder": folder_of, "file": file_of, "test": str}
    for title, part in parts.items():
        table(title, took.by(part), took.processor)
    rest = took.processor - took.of_tests
    print(f"\n{took.processor:.0f} s of processor time for {len(took.by_test)} tests")
    print(f"{rest:.0f} s of it for what is no test: processes that start, and collect the tests")
    print(f"{took.clock:.0f} s by the clock")
    print(f"{took.first_result:.2f} s of processor time until the first result of {ONE_FILE}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--beside", metavar="DIR", type=Path, help="another tree: its tests first")
    parser.add_argument("tests", nargs="*", metavar="TEST", help="only these, of both trees")
    options = parser.parse_args()
    processor.take_in()
    before = measure(options.beside.resolve(), options.tests) if options.beside else None
    now = measure(ROOT, options.tests)
    tell(now)
    if before is not None:
        print(f"\nbefore: {before.processor:.0f} s for {len(before.by_test)} tests")
        each = [took.processor / len(took.by_test) for took in (before, now)]
        print(f"{now.processor / before.processor:.2f} × the processor time, ", end="")
        print(f"{each[1] / each[0]:.2f} × for each test, ", end="")
        print(f"{now.first_result / before.first_result:.2f} × until a first result")


if __name__ == "__main__":
    main()
