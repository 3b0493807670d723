"""How many submissions `grader grade` judges in a second, beside one `grader check` at a time.

A synthetic class hands in chapter 3: a third right, the others each with one of the course's known
mistakes, so that follow-through, diagnosis and blame have work to do. `grader grade` judges the
class; `grader check` judges some of the same packages, one process each, before and after. What is
quoted is the ratio of the two, which says the same on a slow machine and on a fast one.

    python benchmarks/grade_throughput.py [--count 40] [--jobs 1] [--checks 8]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GRADER = [sys.executable, "-c", "from grader.cli import main; main()"]
CHAPTER = "chapter3"
GOAL_RATIO = 1.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--checks", type=int, default=8)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        names = hand_in(folder, options.count)
        seconds = measure(folder, names, options.jobs, options.checks)
    once, whole, again = seconds
    each = whole / options.count
    print(f"one grader check       {1000 * once:8.0f} ms (median of {2 * options.checks})")
    print(f"grader grade           {1000 * each:8.0f} ms a submission, {1 / each:.1f} a second "
          f"({options.count} with --jobs {options.jobs}, {whole:.0f} s)")  # fmt: skip
    print(f"grader grade           {each / once:8.2f} × one grader check (goal ≤ {GOAL_RATIO})")
    print(f"and once more          {1000 * again / options.count:8.1f} ms a submission, all kept")


def hand_in(folder: str, count: int) -> list[str]:
    """The class, in `folder/in`; no two hand in the same bytes."""
    sys.path.insert(0, ROOT)
    from grader.course.load import load

    course = load()
    mistakes = [
        (mistake.target or exercise.targets[0], mistake.body)
        for exercise in course.exercises.values()
        if exercise.chapter == CHAPTER
        for mistake in exercise.mistakes
    ]
    names = [f"s{number:04}" for number in range(count)]
    for number, name in enumerate(names):
        target, body = mistakes[number % len(mistakes)]
        for file, text in course.patched({target: body} if number % 3 else {}).items():
            path = os.path.join(folder, "in", name, "babygrad", file)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as out:
                out.write(f"{text}# {name}\n")
    return names


def measure(folder: str, names: list[str], jobs: int, checks: int) -> tuple[float, float, float]:
    """Seconds of one check, of the class, and of the class when all of it is known."""
    few = names[:checks]
    check(folder, names[0])  # builds the key where it is not there
    singles = [check(folder, name) for name in few]
    whole = grade(folder, jobs, len(names), "0 kept")
    singles += [check(folder, name) for name in few]
    again = grade(folder, jobs, len(names), "0 judged")
    return statistics.median(singles), whole, again


def check(folder: str, name: str) -> float:
    package = os.path.join(folder, "in", name)
    return timed([*GRADER, "check", CHAPTER, "--json", "--package", package])[0]


def grade(folder: str, jobs: int, count: int, says: str) -> float:
    out = os.path.join(folder, "out")
    seconds, said = timed([
        *GRADER, "grade", os.path.join(folder, "in"), "--out", out, "--seed", "public",
        "--chapters", CHAPTER, "--jobs", str(jobs),
    ])  # fmt: skip
    assert says in said, said[-400:]
    with open(os.path.join(out, "results.jsonl"), encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    assert len(rows) == count and all(row["status"] == "graded" for row in rows)
    return seconds


def timed(command: list[str]) -> tuple[float, str]:
    started = time.perf_counter()
    environment = {**os.environ, "PYTHONPATH": ROOT}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return time.perf_counter() - started, done.stdout


if __name__ == "__main__":
    main()
