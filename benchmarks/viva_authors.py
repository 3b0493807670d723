"""Test whether `grader viva` is right about other authors' code: 20 packages that pass chapter 3.

A package is the reference with some of the course's variants, different ones for each; every second
is in Python's own layout, without docstrings and comments. The script draws `--count` questions
about each. It finds every answer again in another way (`tests/grader/viva/answers.py`): by a copy
that reports its own steps, in a plain process, or by `grader check` on a copy with the change that
the question's words describe.

    python benchmarks/viva_authors.py [--packages 20] [--count 20] [--also DIR …]
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from grader.course import package as packages  # noqa: E402
from grader.course.package import Package  # noqa: E402
from grader.sandbox.launch import ForkServer  # noqa: E402
from tests.grader.viva.answers import wrong_answers  # noqa: E402
from tests.grader.viva.asked import asked_about, package_with, written  # noqa: E402
from tests.grader.whole_course import whole_course  # noqa: E402

CHAPTER = "chapter3"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--packages", type=int, default=20)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--also", nargs="*", default=[], help="packages of other people")
    options = parser.parse_args()
    drawn = {p.sha256: p for p in map(by_author, range(1, 2 * options.packages))}
    each = islice(drawn.values(), options.packages)  # some draw the same
    authors = {f"author {n}": package for n, package in enumerate(each, 1)}
    authors |= {
        place: packages.read_package(packages.find_package_folder(place)) for place in options.also
    }
    kinds: Counter[str] = Counter()
    seen, wrong = set(), []
    with ForkServer() as fork_server, tempfile.TemporaryDirectory() as folder:
        for number, (name, package) in enumerate(authors.items()):
            asked = asked_about(package, CHAPTER, fork_server.fork, [], options.count)
            found = wrong_answers(asked, Path(folder) / str(number), statuses)
            kinds.update(question.kind for question in asked.questions)
            seen |= {(q.asks, q.setting, q.code) for q in asked.questions}
            wrong += found
            passing, count = len(asked.subject.ids), len(asked.questions)
            mine = {question.kind for question in asked.questions}
            said = f"{passing} exercises pass, {count} questions of {len(mine)} kinds"
            print(f"{name}: {said}, {len(found)} answers wrong", flush=True)
    different = len({package.sha256 for package in authors.values()})
    print(f"\n{different} packages, {kinds.total()} questions, {len(seen)} different")
    print(", ".join(f"{kind} {count}" for kind, count in kinds.most_common()))
    print(f"answers that are another one by the second way: {len(wrong)}")
    for each in wrong:
        print("", *each, sep="\n  ")
    return int(bool(wrong))


def by_author(number: int) -> Package:
    """The reference with some variants that do not get in each other's way."""
    course = whole_course()
    rng = random.Random(number)
    variants = next(chapter for chapter in course.chapters if chapter.id == CHAPTER).variants
    bodies: dict[str, str] = {}
    edits = []
    for variant in rng.sample(variants, len(variants)):
        if rng.random() < 0.7 and not bodies.keys() & variant.bodies.keys():
            bodies |= variant.bodies
            edits += variant.edits
    sources = course.replace_bodies(bodies)
    for file, old, new in edits:
        sources[file] = sources[file].replace(old, new, 1)
    if number % 2:
        sources = {file: in_another_hand(text) for file, text in sources.items()}
    return package_with({file: text.encode() for file, text in sources.items()})


def in_another_hand(text: str) -> str:
    """A file as Python prints it, without docstrings and comments."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node):
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree) + "\n"


def statuses(files: dict[str, bytes], ids: list[str], folder: Path) -> dict[str, str]:
    """Exercise → how `grader check` says that it ends."""
    command = [sys.executable, "-m", "grader", "check", *ids, "--json", "--package"]
    done = subprocess.run([*command, written(files, folder)], capture_output=True, check=False)
    chapters = json.loads(done.stdout)["chapters"]
    return {row["id"]: row["status"] for each in chapters for row in each["exercises"]}


if __name__ == "__main__":
    sys.exit(main())
