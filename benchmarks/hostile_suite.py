"""Judge every hostile and benign case in all four ways, and print how many hold in each.

The ways are the two levels of isolation, as root and as nobody; only root can become nobody, so
anybody else gets two of them. A way is judged group by group, and each finished group is a line of
`--log`: run the script again with the same file, and it continues after the last group.

    python benchmarks/hostile_suite.py [--log FILE] [--way nobody-confined …] [--processes 0]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEST = "tests/hostile/test_hostile.py::test_case"
OUTCOMES = ("passed", "skipped", "failed")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--log", type=Path, help="a file that keeps what is known already")
    parser.add_argument("--way", nargs="+", help="root-confined, nobody-process …; all by default")
    parser.add_argument("--processes", default="0", help="as many tests at once, for pytest -n")
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    slices = {
        name: tests for name, tests in slices_of_suite() if name[0] in (options.way or [name[0]])
    }
    if not slices:
        parser.error("no such way here")
    known = read_log(options.log)
    for name, tests in slices.items():
        if name not in known:
            known[name] = judge(tests, options.processes)
            told = {"way": name[0], "group": name[1], **known[name]}
            print(json.dumps(told), file=sys.stderr, flush=True)
            if options.log:
                with options.log.open("a", encoding="utf-8") as log:
                    print(json.dumps(told), file=log)
    for way in dict.fromkeys(way for way, _ in slices):
        parts = [known[name] for name in slices if name[0] == way]
        counts = {outcome: sum(len(part[outcome]) for part in parts) for outcome in OUTCOMES}
        print(f"{way}:", ", ".join(f"{count} {outcome}" for outcome, count in counts.items()))
        for part in parts:
            print(*(f"  {name}" for name in part["failed"]), sep="\n", end="" or None)


def slices_of_suite() -> Iterator[tuple[tuple[str, str], list[str]]]:
    """Yield (way, group) and the names of its tests."""
    from tests.hostile.test_hostile import ways

    found: dict[tuple[str, str], list[str]] = {}
    for each in ways():
        case, nobody, highest = each.values
        who = "nobody" if nobody or os.getuid() else "root"
        found.setdefault((f"{who}-{highest}", case.group), []).append(each.id)
    yield from sorted(found.items())


def judge(names: list[str], processes: str) -> dict[str, list[str]]:
    """Run these tests; return outcome → names. A test that did not run is a failed one."""
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder, "told.xml")
        command = [sys.executable, "-m", "pytest", "-n", processes, "--whole", "-m", "", "-o",
                   "junit_family=xunit1", f"--junitxml={told}"]  # fmt: skip
        tests = [f"{TEST}[{name}]" for name in names]
        done = subprocess.run(
            [*command, *tests], cwd=ROOT, capture_output=True, text=True, check=False
        )
        if not told.exists():
            sys.exit(f"pytest ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr}")
        outcomes = {case.get("name"): outcome(case) for case in ET.parse(told).iter("testcase")}
    ended = {name: outcomes.get(f"test_case[{name}]", "failed") for name in names}
    if "failed" in ended.values():
        print(done.stdout[-20_000:], file=sys.stderr)
    return {word: [name for name in names if ended[name] == word] for word in OUTCOMES}


def outcome(case: ET.Element) -> str:
    """Return how a test of the report ended."""
    kinds = Counter(child.tag for child in case)
    if kinds["failure"] or kinds["error"]:
        return "failed"
    return "skipped" if kinds["skipped"] else "passed"


def read_log(log: Path | None) -> dict[tuple[str, str], dict[str, list[str]]]:
    """Return what an earlier run has written: (way, group) → outcome → names."""
    lines = log.read_text(encoding="utf-8").splitlines() if log and log.exists() else []
    told = [json.loads(line) for line in lines]
    return {(row["way"], row["group"]): {word: row[word] for word in OUTCOMES} for row in told}


if __name__ == "__main__":
    main()
