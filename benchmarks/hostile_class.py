"""Compare a class that has one of each attack in it with the same class without.

All hand in right solutions of chapter 3; in the second class one learner for each group of
`tests/hostile/cases` hands in a case of it instead. One process judges both, at the level that
marks need. First the script compares every neighbour's mark with its mark in the class without
attacks; then it prints the ratio of processor time, workers included.

    python benchmarks/hostile_class.py [--count 40] [--draw 0] [--pairs 3]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

from grade_throughput import CHAPTER, ROOT, hand_in_right, the_course
from processor import spend, take_in

GOAL = 1.5
HONEST = ("benign", "records", "planted", "rooms", "replay", "archives")  # or of whole classes
SECTIONS = {"body", "before", "after", "file"}
NO_PACKAGE = {"class", "room", "wrong use", "full", "runs"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--draw", type=int, default=0, help="which case stands for each group")
    parser.add_argument("--pairs", type=int, default=3)
    options = parser.parse_args()
    take_in()
    with tempfile.TemporaryDirectory() as folder:
        hand_in_right(folder, "without", options.count)
        attacks = choose(random.Random(options.draw))
        shutil.copytree(os.path.join(folder, "without"), os.path.join(folder, "with"))
        apart = max(1, options.count // len(attacks))
        hostile = {f"s{number * apart:04}": case for number, case in enumerate(attacks)}
        # The process that must live is this one; `processor.used` waits for all others.
        words = {
            "CANARY": os.path.join(folder, "canary"), "HARM": "harm", "ROOT": ROOT, "PORT": "9",
            "VICTIM": str(os.getpid()), "ESC": "\x1b",
        }  # fmt: skip
        for learner, case in hostile.items():
            attack(os.path.join(folder, "with", learner), case, words)
        grade(folder, "without", 1)  # builds the key
        pairs = [
            [grade(folder, name, options.count) for name in ("without", "with")]
            for _ in range(options.pairs)
        ]
        assert not os.path.exists(words["CANARY"]), "a file was written outside"
    for (_, before), (_, after) in pairs:
        changed = [who for who in before if who not in hostile and before[who] != after[who]]
        assert not changed, f"neighbours with another mark: {changed}"
        gained = [who for who in hostile if after[who] > before[who]]
        assert not gained, f"an attack that earns more than right code: {gained}"
    ratio = statistics.median(after[0] / before[0] for before, after in pairs)
    print(*(case.name for case in attacks), sep="\n")
    print(
        f"{len(attacks)} attacks among {options.count}: {ratio:.2f} × the class without, processor "
        f"time (median of {options.pairs} pairs; {pairs[0][0][0]:.1f} s; goal ≤ {GOAL}); all "
        f"{options.count - len(attacks)} neighbours have their marks"
    )


def choose(draw: random.Random) -> list:
    """Choose a case of every group that is one package of this chapter."""
    sys.path.insert(0, ROOT)
    from tests.hostile.loader import cases

    groups: dict[str, list] = {}
    for case in cases():
        is_package = {words[0] for words, _ in case.sections} <= SECTIONS and case.sections
        here = case.chapters <= {CHAPTER} and all(
            ".." not in words[-1] for words, _ in case.sections
        )
        if is_package and here and case.group not in HONEST and not NO_PACKAGE & case.says.keys():
            groups.setdefault(case.group, []).append(case)
    return [draw.choice(found) for found in groups.values()]


def attack(place: str, case, words: dict[str, str]) -> None:
    """Put a case in the place of a hand-in."""
    from tests.hostile.loader import write

    shutil.rmtree(place)
    write(case, the_course(), Path(place, "babygrad"), words)


def grade(folder: str, name: str, count: int) -> tuple[float, dict[str, float]]:
    """Grade a class; return the seconds of processor, and learner → mark."""
    with tempfile.TemporaryDirectory(dir=folder) as out:
        places = sorted(str(path) for path in Path(folder, name).iterdir())[:count]
        command = [sys.executable, "-m", "grader", "grade", *places, "--out", out, "--seed",
                   "public", "--chapters", CHAPTER, "--jobs", "1"]  # fmt: skip
        seconds, _ = spend(command, folder, {**os.environ, "PYTHONPATH": ROOT})
        lines = Path(out, "results.jsonl").read_text(encoding="utf-8").splitlines()
    rows = {row["learner"]: row for row in map(json.loads, lines)}
    assert len(rows) == count, f"{len(rows)} of {count} were judged"
    return seconds, {who: row["mark"] or 0.0 for who, row in rows.items()}


if __name__ == "__main__":
    main()
