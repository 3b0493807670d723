"""Measure an author's waits: an audit of one exercise, of all, after an edit; and a cold key.

It runs in a copy of this checkout with an empty cache. Ratios compare processor time (all processes
of a command), which another load on the machine does not stretch; if a second core matters, they
compare the clock.

    python benchmarks/author_loop.py            a few minutes
    python benchmarks/author_loop.py --whole    the audit with one process and with two, too
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from processor import take_in, used

ROOT = Path(__file__).resolve().parent.parent
EXERCISE = "chapter3.div.backward"
# A mistake of it that gives other numbers then.
FILE, MISTAKE = "exercises/chapter3/div.py", 'b_not_squared = edit("(b * b)", "{}")'
BODIES = ("b", "(3 * b)", "(5 * b)")
JUDGE = "grader/course/compare.py"


class Spent(NamedTuple):
    """Processor seconds of a command with all its processes, and seconds of the clock."""

    cpu: float
    wall: float


class Copy:
    """A copy of this checkout, so that edits change nobody's work."""

    def __init__(self, folder: str) -> None:
        self.place = Path(folder) / "course"
        self.cache = Path(folder) / "cache"
        files = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True)
        for name in filter(None, files.split("\0")):
            (self.place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.place / name)

    def run(self, *arguments: str) -> Spent:
        """Run a `grader` command, which must succeed."""
        before, started = used(), time.monotonic()
        done = subprocess.run(
            [sys.executable, "-m", "grader", *arguments],
            cwd=self.place,
            env={**os.environ, "XDG_CACHE_HOME": str(self.cache), "PYTHONPATH": str(self.place)},
            capture_output=True,
            text=True,
            check=False,
        )
        wall, cpu = time.monotonic() - started, used() - before
        if done.returncode:
            sys.exit(f"{' '.join(arguments)}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return Spent(cpu, wall)

    def edit(self, name: str, old: str, new: str) -> None:
        path = self.place / name
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{name} does not hold {old}"
        path.write_text(text.replace(old, new), encoding="utf-8")

    def forget(self) -> None:
        shutil.rmtree(self.cache, ignore_errors=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--whole", action="store_true")
    options = parser.parse_args()
    take_in()
    with tempfile.TemporaryDirectory(prefix="author-loop-") as folder:
        copy = Copy(folder)
        solutions = ("--package", "solutions")
        cold = copy.run("check", "chapter3", *solutions)
        check = min(copy.run("check", "chapter3", *solutions) for _ in range(5))
        print(f"cold key                     {cold.cpu:6.1f} s of processor time")
        whole = copy.run("audit")
        told("whole audit, nothing known", whole, cold, "a cold key")
        copy.run("audit", EXERCISE)
        one = min(copy.run("audit", EXERCISE) for _ in range(3))
        told(f"audit {EXERCISE}", one, check, "`check chapter3`")
        copy.edit(FILE, *map(MISTAKE.format, BODIES[:2]))
        told("… after an edit of a mistake", copy.run("audit", EXERCISE), check, "`check chapter3`")
        copy.run("audit")
        told("whole audit, all known", copy.run("audit"), whole, "the first")
        copy.edit(FILE, *map(MISTAKE.format, BODIES[1:]))
        told("… after an edit of a mistake", copy.run("audit"), whole, "the first")
        with (copy.place / JUDGE).open("a", encoding="utf-8") as file:
            file.write("\n# an edit\n")
        told("… after an edit of the judge", copy.run("audit"), whole, "the first")
        if options.whole:
            copy.forget()
            alone = copy.run("audit", "--jobs", "1")
            copy.forget()
            two = copy.run("audit", "--jobs", "2")
            print(f"two processes: {alone.wall / two.wall:.2f} × as quick as one")


def told(what: str, spent: Spent, other: Spent, name: str) -> None:
    ratio = spent.cpu / other.cpu
    print(f"{what:<40} {spent.cpu:7.1f} s   {ratio:6.2f} × {name}", flush=True)


if __name__ == "__main__":
    main()
