"""Measure the first line of the README: an environment, the course in it, a first verdict.

It reads the line from the README, runs its parts unchanged in a copy of the tree, and compares them
with an environment with NumPy. Everything is processor time with all processes, the median of some
rounds, in which all trees take turns; a round before them fills pip's cache. `--beside DIR`
measures another tree, too (an earlier commit's, from `git worktree add DIR COMMIT`). The last rows
are a check in that installation, with bytecode and with PYTHONDONTWRITEBYTECODE, which many
container images set.

    python benchmarks/install.py [--rounds 3] [--beside DIR]
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from statistics import median

from processor import spend, take_in

ROOT = Path(__file__).resolve().parent.parent
FIRST_LINE = re.compile(r"^\$ (.+)$", re.MULTILINE)
ENTER = ". .venv/bin/activate"
NUMPY = "an environment with NumPy"
VENV, INSTALL, REST, WHOLE = "an environment", "pip install .", "init and check", "the whole line"
PENDING = 1  # the status of a check of stubs
CHECK, SILENT = "a second check", "the same, PYTHONDONTWRITEBYTECODE=1"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--beside", metavar="DIR", type=Path, help="another tree")
    options = parser.parse_args()
    take_in()
    trees = {"now": ROOT} | ({"beside": options.beside.resolve()} if options.beside else {})
    spent: dict[tuple[str, str], list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="install-") as folder:
        for number in range(options.rounds + 1):
            for row, seconds in one_round(Path(folder), trees):
                spent[row] += [seconds] if number else []
    numpy = median(spent["", NUMPY])
    for (when, what), seconds in spent.items():
        here = median(seconds)
        print(f"{when:<12}{what:<38}{here:6.2f} s{here / numpy:6.2f} ×", flush=True)


def one_round(folder: Path, trees: dict[str, Path]) -> list[tuple[tuple[str, str], float]]:
    """((tree, part), processor seconds) of everything once."""
    bare = folder / "bare"
    bare.mkdir()
    seconds = run(bare, f"{sys.executable} -m venv .venv && {ENTER} && pip install numpy")
    found = [(("", NUMPY), seconds)]
    for when, tree in trees.items():
        place = folder / when
        copy(tree, place)
        found += [((when, what), seconds) for what, seconds in first_line(place).items()]
        shutil.rmtree(place)
    shutil.rmtree(bare)
    return found


def copy(tree: Path, place: Path) -> None:
    """The files of a checkout, as they are now."""
    listed = subprocess.check_output(["git", "ls-files", "-z"], cwd=tree, text=True)
    for name in filter(None, listed.split("\0")):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(tree / name, place / name)


def first_line(place: Path) -> dict[str, float]:
    """The processor time of each part of the README's first line, and of all of it."""
    found = FIRST_LINE.search((place / "README.md").read_text(encoding="utf-8"))
    assert found is not None
    make, install, rest = found[1].partition(f" && {INSTALL} && ")
    assert install, f"The first line of the README holds no {INSTALL}: {found[1]}"
    check = rest.rpartition(" && ")[2]
    spent = {
        VENV: run(place, make.replace("python3", sys.executable)),
        INSTALL: run(place, f"{ENTER} && {INSTALL}"),
        REST: run(place, f"{ENTER} && {rest}", PENDING),
    }
    spent[WHOLE] = sum(spent.values())
    spent[CHECK] = run(place, f"{ENTER} && cd work && {check}", PENDING)
    spent[SILENT] = run(place, f"{ENTER} && cd work && PYTHONDONTWRITEBYTECODE=1 {check}", PENDING)
    return spent


def run(place: Path, line: str, status: int = 0) -> float:
    """Processor seconds of a line of a shell, which has to end with this status."""
    cache = place / "cache"  # no answer key of an earlier round
    pip = place.parent / "pip"
    around = {**os.environ, "XDG_CACHE_HOME": str(cache), "PIP_CACHE_DIR": str(pip)}
    for name in ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "VIRTUAL_ENV"):
        around.pop(name, None)
    return spend(["bash", "-c", line], place, around, {status})[0]


if __name__ == "__main__":
    main()
