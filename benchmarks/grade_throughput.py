"""Measure a submission of a class beside one `grader check`: processor time, workers counted.

Two classes hand in chapter 3. In one a third is right, and the others each have one of the course's
known mistakes, so that follow-through, diagnosis and blame have work to do. In the other all are
right: the reference, and the course's other right solutions of the chapter. `grader grade` judges
both; `grader check` judges some of the same packages, one process each, before and after. We quote
the ratio of the two, which is the same on a slow, a fast and a busy machine. A class shares the
time of the start: the script prints a right submission with its part of that and, from a class of
one beside, without. The floor below both is a worker alone, which imports the package and runs the
same probes without a judge; a class has two of them for each right submission, because public
probes run apart. `--beside DIR` does the same with the sources in another folder (an earlier
commit's, from `git worktree add DIR COMMIT`), with a separate cache.

    python benchmarks/grade_throughput.py [--count 40] [--jobs 1] [--checks 8] [--beside DIR]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
from itertools import cycle
from typing import NamedTuple

from processor import spend, take_in

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GRADER = [sys.executable, "-c", "from grader.cli import main; main()"]
CHAPTER = "chapter3"
GOAL_RATIO, GOAL_RIGHT = 1.0, 0.4
# Tells the seconds of one worker after the other: of so many, less what the fork server itself
# takes; and of those that import the package and run no probe.
WORKERS = """
import resource, sys
from grader.grade_package import Grading
from grader.course.package import read_package
from grader.course.key_source import open_key
from grader.sandbox.launch import ForkServer, require_numpy

key, package, count = open_key(), read_package(sys.argv[1]), int(sys.argv[3])
chapter = key.chapter(sys.argv[2])

def used():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime

def run(times, ids):
    before = used()
    with ForkServer(require_numpy()) as fork_server:
        for _ in range(times):
            session = Grading(key, package, fork_server.fork, set()).open_session(chapter, ids)
            session.run() if ids else session.load()
            session.close()
    return used() - before

for ids in [each["id"] for each in chapter.exercises], []:
    run(1, ids)
    one = run(1, ids)
    print((run(count + 1, ids) - one) / count)
"""


class Figures(NamedTuple):
    """Seconds of the processor: of one check of a class's packages, and of a submission."""

    check: float
    mixed: float
    known: float  # when all of it is known
    check_right: float
    right: float
    more: float  # one right submission more
    floor: float  # a worker alone
    empty: float  # one without a probe

    def told(self, count: int, jobs: int) -> str:
        values = self.right, self.more, self.floor, self.empty
        share, more, floor, empty = (value / self.check_right for value in values)
        return (
            f"one grader check       {1000 * self.check:8.0f} ms, "
            f"{1000 * self.check_right:.0f} ms where all is right\n"
            f"grader grade           {1000 * self.mixed:8.0f} ms a submission "
            f"({count} with --jobs {jobs})\n"
            f"grader grade           {self.mixed / self.check:8.2f} × one grader check "
            f"(goal ≤ {GOAL_RATIO})\n"
            f"a right submission     {share:8.2f} × one grader check "
            f"(goal ≤ {GOAL_RIGHT}); {more:.2f} × without what starting takes\n"
            f"a worker alone         {floor:8.2f} × one grader check; "
            f"{empty:.2f} × where it runs no probe\n"
            f"and once more          {1000 * self.known:8.1f} ms a submission, all kept"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--checks", type=int, default=8)
    parser.add_argument("--beside", metavar="DIR", help="other sources, measured first")
    options = parser.parse_args()
    take_in()
    for tree in filter(None, (options.beside and os.path.abspath(options.beside), ROOT)):
        with tempfile.TemporaryDirectory() as folder:
            hand_in(folder, options.count)
            hand_in_right(folder, "one", 1)
            hand_in_right(folder, "right", options.count)
            figures = measure(folder, tree, options.count, options.jobs, options.checks)
        if options.beside:
            print(f"{'now' if tree == ROOT else tree}:")
        print(figures.told(options.count, options.jobs), flush=True)


def hand_in(folder: str, count: int) -> None:
    """The mixed class, in `folder/in`; what they write in is the same for no two of them."""
    course = the_course()
    mistakes = [
        (mistake.target or exercise.targets[0], mistake.body)
        for exercise in course.exercises.values()
        if exercise.chapter == CHAPTER
        for mistake in exercise.mistakes
    ]
    for number in range(count):
        target, body = mistakes[number % len(mistakes)]
        texts = course.replace_bodies({target: body} if number % 3 else {})
        write(folder, "in", number, texts, files_asked(course))


def hand_in_right(folder: str, name: str, count: int) -> None:
    """A class of right ones: the reference and the chapter's variants in turn."""
    course = the_course()
    chapter = next(chapter for chapter in course.chapters if chapter.id == CHAPTER)
    whole = [dict(v.bodies) for v in chapter.variants if not v.edits and not v.but]
    turns = cycle([{}, *whole])
    for number, bodies in zip(range(count), turns, strict=False):
        write(folder, name, number, course.replace_bodies(bodies), files_asked(course))


def the_course():
    sys.path.insert(0, ROOT)
    from grader.course.load import read_course

    return read_course()


def files_asked(course) -> set[str]:
    """The files that a class at this chapter writes in; the others are as they were handed out."""
    asked = set()
    for chapter in course.chapters:
        asked |= {t.split(".")[0] + ".py" for e in chapter.exercises for t in e.targets}
        if chapter.id == CHAPTER:
            break
    return asked


def write(folder: str, name: str, number: int, texts: dict[str, str], own: set[str]) -> None:
    """A hand-in; of its files these are nobody else's, byte for byte."""
    learner = f"s{number:04}"
    for file, text in texts.items():
        path = os.path.join(folder, name, learner, "babygrad", file)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write(f"{text}# {learner}\n" if file in own else text)


def measure(folder: str, tree: str, count: int, jobs: int, checks: int) -> Figures:
    """Each class between two halves of the checks of its packages, and a class of one's, too."""
    check(folder, tree, "right", 0)  # builds the key where it is not there
    grade(folder, tree, "one", jobs, 1, "--again")  # works out, once, what everybody has
    few = range(min(count, checks))
    alone: dict[str, list[float]] = {}
    whole: dict[str, float] = {}
    for name in ("in", "right"):
        before = [check(folder, tree, name, number) for number in few]
        start = grade(folder, tree, "one", jobs, 1, "--again")
        whole[name] = grade(folder, tree, name, jobs, count, "--again")
        one = (start + grade(folder, tree, "one", jobs, 1, "--again")) / 2
        alone[name] = before + [check(folder, tree, name, number) for number in few]
    known = grade(folder, tree, "in", jobs, count)
    return Figures(
        statistics.median(alone["in"]), whole["in"] / count, known / count,
        statistics.median(alone["right"]), whole["right"] / count,
        (whole["right"] - one) / max(1, count - 1), *workers(folder, tree, count),
    )  # fmt: skip


def check(folder: str, tree: str, name: str, number: int) -> float:
    package = os.path.join(folder, name, f"s{number:04}")
    return computed(tree, [*GRADER, "check", CHAPTER, "--json", "--package", package])[0]


def workers(folder: str, tree: str, count: int) -> tuple[float, float]:
    """Seconds of one worker alone, of so many; and of one that runs no probe."""
    package = os.path.join(folder, "one", "s0000", "babygrad")
    said = computed(tree, [sys.executable, "-c", WORKERS, package, CHAPTER, str(count)])[1]
    alone, empty = map(float, said.split())
    return alone, empty


def grade(folder: str, tree: str, name: str, jobs: int, count: int, *options: str) -> float:
    out = os.path.join(folder, f"{name}.out")
    seconds, said = computed(tree, [
        *GRADER, "grade", os.path.join(folder, name), "--out", out, "--seed", "public",
        "--chapters", CHAPTER, "--jobs", str(jobs), *options,
    ])  # fmt: skip
    assert ("0 kept" if options else "0 judged") in said, said[-400:]
    with open(os.path.join(out, "results.jsonl"), encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    assert len(rows) == count and all(row["status"] == "graded" for row in rows)
    assert name == "in" or all(row["mark"] == row["max_mark"] for row in rows)
    return seconds


def computed(tree: str, command: list[str]) -> tuple[float, str]:
    """Seconds of the processor that a command takes, workers included, and what it says."""
    environment = {**os.environ, "PYTHONPATH": tree}
    if tree != ROOT:
        environment["XDG_CACHE_HOME"] = os.path.join(tree, ".cache")
    return spend(command, tree, environment)


if __name__ == "__main__":
    main()
