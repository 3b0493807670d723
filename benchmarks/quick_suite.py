"""What the second line of the README takes: the quick tests, and where their time goes.

It runs them as the README does, all by themselves; with `--beside DIR` those of another tree first
(an earlier commit's, from `git worktree add DIR COMMIT`), each with an empty cache. Told are the
time by the clock, the tests, and which share of the tests' own time each folder has; what is quoted
is the ratio of the two. It takes as long as the tests do: some ten minutes on two cores.

    python benchmarks/quick_suite.py [--beside DIR]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from typing import NamedTuple
from xml.etree import ElementTree

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PYTEST = [sys.executable, "-m", "pytest", "-n", "auto", "--dist", "loadgroup"]
DEPTH = 3  # of a test's place: tests.grader.instructor


class Took(NamedTuple):
    """What the tests of a tree took."""

    seconds: float
    by_folder: Counter[str]
    tests: Counter[str]


def run(tree: str) -> Took:
    with tempfile.TemporaryDirectory() as folder:
        told = os.path.join(folder, "told.xml")
        around = {**os.environ, "PYTHONPATH": tree, "XDG_CACHE_HOME": folder}
        begun = time.monotonic()
        done = subprocess.run([*PYTEST, f"--junitxml={told}"], cwd=tree, env=around, check=False)
        seconds = time.monotonic() - begun
        print(f"{tree}: exit status {done.returncode}")
        cases = [*ElementTree.parse(told).iter("testcase")]
    by_folder, tests = Counter[str](), Counter[str]()
    for case in cases:
        place = ".".join(case.get("classname", "").split(".")[:DEPTH])
        folder = place if os.path.isdir(os.path.join(tree, *place.split("."))) else "tests.grader"
        by_folder[folder] += float(case.get("time", 0.0))
        tests[folder] += 1
    return Took(seconds, by_folder, tests)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--beside", metavar="DIR", help="another tree, whose tests run first")
    options = parser.parse_args()
    before = run(os.path.abspath(options.beside)) if options.beside else None
    now = run(ROOT)
    for folder, seconds in now.by_folder.most_common():
        share = 100 * seconds / now.by_folder.total()
        print(f"{share:4.0f} %  {now.tests[folder]:5} tests  {folder}")
    print(f"{now.tests.total()} tests in {now.seconds:.0f} s")
    if before is not None:
        each = [took.seconds / took.tests.total() for took in (before, now)]
        print(f"{before.tests.total()} tests in {before.seconds:.0f} s before")
        ratio = now.seconds / before.seconds
        print(f"{ratio:.2f} × as long; {each[1] / each[0]:.2f} × for each test")


if __name__ == "__main__":
    main()
