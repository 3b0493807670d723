"""Measure what a newcomer waits for: a first verdict, a first test.

Every figure is processor time of a command with all its processes, beside `import numpy` in the
same run. Commands run in a copy of the last commit with an empty cache; with `--before COMMIT` in a
copy of that commit too.

    python benchmarks/first_verdict.py                    some minutes
    python benchmarks/first_verdict.py --before COMMIT
"""

from __future__ import annotations

import argparse
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from statistics import median

from processor import spend, take_in

ROOT = Path(__file__).resolve().parent.parent
RUNS = 5
KEY = """
import sys
from grader.course.make_key import KeyBuilder, make_in_parallel
from grader.course.load import read_course
from grader.course import PUBLIC_SEED
chapters, with_mistakes = sys.argv[1].split(), sys.argv[2] == "1"
course = read_course()
names = [c.id for c in course.chapters if not chapters or c.id in chapters]
key = KeyBuilder(course, PUBLIC_SEED).key()
make_in_parallel(key, key.slice, names)
if with_mistakes:
    ids = [e.id for e in course.exercises.values() if e.chapter in names]
    make_in_parallel(key, key.mistakes, ids)
"""
RIGHT = "return out_grad / b, -out_grad * a / (b * b)"  # wrong without its minus
KEYS = (
    ("the key of chapter 3", "chapter3", "0"),
    ("… with what mistakes give", "chapter3", "1"),
    ("the key of all chapters", "", "0"),
    ("… with what mistakes give", "", "1"),
)


class Copy:
    """A commit, or the tree as it stands, unpacked; with a cache of its own."""

    def __init__(self, place: Path, commit: str) -> None:
        self.place, self.cache = place / "course", place / "cache"
        data = subprocess.check_output(["git", "archive", commit], cwd=ROOT)
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            archive.extractall(self.place, filter="data")
        self.environment = {
            **os.environ, "XDG_CACHE_HOME": str(self.cache), "PYTHONPATH": str(self.place),
        }  # fmt: skip

    def forget(self) -> None:
        shutil.rmtree(self.cache, ignore_errors=True)

    def run(self, *command: str) -> float:
        """Processor seconds of a Python command; it may say that something is not right yet."""
        return spend([sys.executable, *command], self.place, self.environment)[0]

    def package(self, *, wrong: bool) -> str:
        """The reference as a learner's package, right or with one rule wrong."""
        folder = self.place / ("wrong" if wrong else "right")
        shutil.copytree(self.place / "solutions" / "babygrad", folder / "babygrad")
        if wrong:
            ops = folder / "babygrad" / "ops.py"
            text = ops.read_text(encoding="utf-8")
            assert RIGHT in text
            ops.write_text(text.replace(RIGHT, RIGHT.replace("-", "")), encoding="utf-8")
        return str(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--before", metavar="COMMIT", help="measure this commit, too")
    options = parser.parse_args()
    take_in()
    with tempfile.TemporaryDirectory(prefix="first-verdict-") as folder:
        copies = {"now": Copy(Path(folder) / "now", "HEAD")}
        if options.before:
            copies["before"] = Copy(Path(folder) / "before", options.before)
        numpy = median(copies["now"].run("-c", "import numpy") for _ in range(RUNS))
        print(f"{'import numpy':<44}{numpy:8.2f} s")
        for when, copy in copies.items():
            waits(copy, when, numpy)
        for what, chapters, mistakes in KEYS:
            told(what, "now", copies["now"].run("-c", KEY, chapters, mistakes), numpy)


def waits(copy: Copy, when: str, numpy: float) -> None:
    """Measure a fresh checkout, command by command; the first compiles it, too."""
    right, wrong = copy.package(wrong=False), copy.package(wrong=True)
    for name in ("3.13", "chapter3"):
        copy.forget()
        told(f"the first check {name}", when, copy.run(*check(name, right)), numpy)
    told("the second", when, copy.run(*check("chapter3", right)), numpy)
    told("the first that fails", when, copy.run(*check("chapter3", wrong)), numpy)
    told("the second", when, copy.run(*check("chapter3", wrong)), numpy)
    copy.forget()
    test = "tests/grader/test_compare.py"
    told(f"pytest {test}", when, copy.run("-m", "pytest", test), numpy)


def check(name: str, package: str) -> list[str]:
    return ["-m", "grader", "check", name, "--package", package]


def told(what: str, when: str, seconds: float, numpy: float) -> None:
    print(f"{what:<36}{when:<8}{seconds:8.2f} s{seconds / numpy:8.1f} ×", flush=True)


if __name__ == "__main__":
    main()
