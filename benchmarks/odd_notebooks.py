"""Count the marks of odd notebooks that reach nbgrader's gradebook: right, wrong, missing.

A class of nbgrader hands in chapter 7: the same right answers in 26 odd ways (names, encodings,
formats, cells, files beside it; `tests/grader/instructor/odd_notebooks.py` makes them). `EXPECTED`
says what a person who opens the file would give. `grader gradebook` judges the class, and the
script reads what `nbgrader export` writes. The extra `instructor` is needed.

    python benchmarks/odd_notebooks.py [--beside DIR]

`--beside DIR` does the same with the grader in another folder (an earlier commit's, from `git
worktree add DIR COMMIT`), first.
"""

from __future__ import annotations

import argparse
import csv
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, ROOT)

from grader.course.load import read_course  # noqa: E402
from tests.grader.instructor.classroom import Classroom  # noqa: E402
from tests.grader.instructor.odd_notebooks import SOLVED, STUB, odd_notebooks  # noqa: E402

CHAPTER = "chapter7"
ALL, NO_MARK = "all points", "no mark"
WITHOUT_GAIN = "8 of 11"  # two exercises wait for it
EXPECTED = {
    "chapter7-Copy1.ipynb": ALL, "chapter7 (2).ipynb": ALL, "chapter7.IPYNB": ALL,
    "Untitled.ipynb": ALL, "work in chapter7.ipynb": ALL, "MACOSX in chapter7.ipynb": NO_MARK,
    "byte order mark": ALL, "UTF-16": ALL, "CRLF": ALL, "truncated": NO_MARK, "empty": NO_MARK,
    "a page": NO_MARK, "a zip alone": ALL, "format 3": ALL, "minor 99": ALL, "no metadata": ALL,
    "no ids": ALL, "tests deleted": ALL, "tests edited": ALL, "no tags": ALL,
    "an answer twice": ALL, "an answer that is no Python": WITHOUT_GAIN, "more points": ALL,
    "a checkpoint": ALL, "a copy that is wrong": ALL, "nothing at all": NO_MARK,
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--beside", metavar="DIR", help="another grader, measured first")
    options = parser.parse_args()
    for tree in filter(None, (options.beside and os.path.abspath(options.beside), ROOT)):
        with tempfile.TemporaryDirectory() as folder:
            found = grade_class(Path(folder, "course"), tree)
        count = Counter(
            "right" if found[name] == expected else "missing" if found[name] == NO_MARK else "wrong"
            for name, expected in EXPECTED.items()
        )
        told = ", ".join(f"{count[kind]} {kind}" for kind in ("right", "wrong", "missing"))
        print(f"{'now' if tree == ROOT else tree}: {told}")
        for name, expected in EXPECTED.items():
            if found[name] != expected:
                print(f"  {name}: {found[name]}, expected {expected}")


class Room(Classroom):
    """A class that the grader of any folder judges."""

    def __init__(self, folder: Path, tree: str) -> None:
        super().__init__(folder, read_course(), CHAPTER)
        self.tree = tree

    def run(self, module: str, *arguments: str, cwd: Path | None = None, ok: bool = True) -> str:
        around = {**os.environ, "PYTHONPATH": self.tree, "PYTHONWARNINGS": "ignore"}
        command = [sys.executable, "-m", module, *arguments]
        done = subprocess.run(
            command, cwd=cwd or self.folder, env=around, capture_output=True, text=True, check=ok
        )
        return done.stdout


def grade_class(folder: Path, tree: str) -> dict[str, str]:
    """Return what each odd notebook earned, in the words of `EXPECTED`."""
    room = Room(folder, tree)
    words = str(folder), CHAPTER, "--seed", "public"
    room.run("grader", "notebooks", *words, cwd=folder.parent)
    room.run("nbgrader", "generate_assignment", CHAPTER)
    right = room.notebook(room.right)
    odd = odd_notebooks(right, room.notebook(lambda e: None))
    for learner in EXPECTED:
        place = folder / "submitted" / learner / CHAPTER
        place.mkdir(parents=True)
        for name, data in odd[learner].items():
            assert data not in (None, SOLVED, STUB), "a folder, or a package"
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_bytes(data)
    room.run("grader", "gradebook", str(folder), ok=False)
    room.run("nbgrader", "export")
    whole = sum(e.points for e in room.exercises)
    with open(folder / "grades.csv", encoding="utf-8") as file:
        scores = {row["student_id"]: row["score"] for row in csv.DictReader(file)}
    return {name: describe(scores.get(name, ""), whole) for name in EXPECTED}


def describe(score: str, whole: float) -> str:
    if not score:
        return NO_MARK
    return ALL if float(score) == whole else f"{float(score):g} of {whole}"


if __name__ == "__main__":
    main()
