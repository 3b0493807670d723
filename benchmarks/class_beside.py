"""Compare the time that a class takes in this tree and in another commit.

Both judge the same hand-ins of chapter 3 (a third right, the others with one known mistake each, as
in `grade_throughput.py`), in turns, each with its own sources and key, at the level that this
machine offers, with the public seed. Before anything is timed both have built their key, and the
right hand-ins have full marks in both. We quote the median of the ratios, pair by pair: of
processor time, workers included, which is the same on a busy machine; and of clock time. A commit
may have more probes than another, so the script prints the number of the chapter's probes in each.

    python benchmarks/class_beside.py COMMIT [--count 12] [--pairs 8] [--marks best] [--then DIR]
"""

from __future__ import annotations

import argparse
import io
import json
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

from grade_throughput import CHAPTER, ROOT, hand_in
from processor import take_in, used

GOAL = 1.1
PROBES = (
    "from grader.course.key_source import open_key; "
    f"print(len(open_key().chapter({CHAPTER!r}).probes))"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("commit")
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--pairs", type=int, default=8)
    parser.add_argument("--marks", default="own")
    parser.add_argument("--then", help="keep the other tree and its key here")
    options = parser.parse_args()
    take_in()
    with tempfile.TemporaryDirectory() as folder:
        then = os.path.abspath(options.then or os.path.join(folder, "then"))
        if not os.path.isdir(then):
            unpack(options.commit, then)
        trees = (ROOT, then)
        hand_in(folder, options.count)
        for tree in trees:
            grade(folder, tree, options.marks)  # builds its key
        asked = [int(python(folder, tree, "-c", PROBES).stdout) for tree in trees]
        pairs = [
            [grade(folder, tree, options.marks) for tree in (trees if n % 2 else trees[::-1])]
            for n in range(options.pairs)
        ]
    print(f"probes of {CHAPTER}   {asked[0]} now, {asked[1]} then: {asked[0] / asked[1]:.2f} ×")
    for at, what in enumerate(("processor time", "time")):
        ratios = [
            one[at] / other[at] if n % 2 else other[at] / one[at]
            for n, (one, other) in enumerate(pairs)
        ]
        low, middle, high = statistics.quantiles(ratios, n=4)
        print(f"a class of {options.count}, {what:<15} {middle:.2f} × {options.commit} (median of "
              f"{options.pairs} pairs; half {low:.2f} to {high:.2f}; goal ≤ {GOAL})")  # fmt: skip


def unpack(commit: str, folder: str) -> None:
    """Unpack the files of a commit; this repository stays unchanged."""
    command = ["git", "-C", ROOT, "archive", commit]
    done = subprocess.run(command, check=True, capture_output=True)
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(folder, filter="data")


def grade(folder: str, tree: str, marks: str) -> tuple[float, float]:
    """Grade the class with this tree's grader; return seconds of processor and clock."""
    started, before = time.perf_counter(), used()
    with tempfile.TemporaryDirectory(dir=folder) as out:
        python(folder, tree, "-m", "grader", "grade", os.path.join(folder, "in"), "--out", out,
               "--seed", "public", "--chapters", CHAPTER, "--jobs", "1",
               "--marks", marks)  # fmt: skip
        seconds = used() - before, time.perf_counter() - started
        lines = Path(out, "results.jsonl").read_text(encoding="utf-8").splitlines()
    for row in map(json.loads, lines):
        right = int(row["learner"].lstrip("s")) % 3 == 0  # as `hand_in` has it
        assert row["status"] == "graded" and (not right or row["mark"] == row["max_mark"]), row
    return seconds


def python(folder: str, tree: str, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": tree}
    if tree != ROOT:
        environment["XDG_CACHE_HOME"] = os.path.join(tree, "cache")
    done = subprocess.run(
        [sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr
    return done


if __name__ == "__main__":
    main()
