"""Weigh `grader/` promise by promise: lines of Python, of the files that keep it; then the core
and each product.

Where a file serves several, it counts for the one that it was written for; the first row of the
table that names it has it, and a file that no row names ends the script.

    python benchmarks/size.py
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path

HOUSE = Path(__file__).resolve().parent.parent / "grader"
sys.path.insert(0, str(HOUSE.parent))

from grader.products import PUBLISHED, USES  # noqa: E402

# A promise → its files.
PROMISES = {
    "`viva`": "viva/*",
    "`watch` and `lsp`, tests of an editor": "editor/* pytest_plugin.py",
    "`import`": "importing/*",
    "`show`, `hint`, `reset`, `solution`, `repro`, `status`": "learner/exercise_card.py "
    "learner/own_file.py learner/script.py commands/exercise.py commands/solution.py "
    "commands/status.py",
    "notebooks": "notebooks/* notebook.py",
    "workspaces, choices, the report; reading files from others": "learner/* commands/check.py "
    "commands/workspaces.py",
    "the book, its graphs, pages that grade": "book/*",
    "nbgrader": "classroom/nbgrader/* classroom/commands/nbgrader_course.py",
    "Gradescope, Canvas, Moodle, JUnit, GitHub, pages": "classroom/exports/*",
    "releases, and their leaks; `course.toml`": "classroom/release/* "
    "classroom/marks/overlay.py classroom/commands/release.py",
    "similar code, code that came solved, follow-through": "classroom/intake/normal_form.py "
    "classroom/analysis/similar.py classroom/intake/handed_out.py "
    "classroom/marks/follow_through.py",
    "rosters, due dates, open answers, `insights`, `explain`": "classroom/marks/roster.py "
    "classroom/marks/lateness.py classroom/analysis/open_answers.py "
    "classroom/analysis/item_analysis.py classroom/commands/explain.py "
    "classroom/commands/class_results.py",
    "hand-ins: read, judged, kept, resumed, shared out": "classroom/*",
    "audits: invariants, mutants, earlier judgments": "audit/*",
    "the key: sources, seeds, oracles, slices": "course/*",
    "verdicts, blame, mistakes by name, clues in numbers": "judge/*",
    "workers: confined, forked, counted, guarded": "sandbox/*",
    "the command line, streams, Ctrl-C, the memo, the result": "commands/__init__.py *.py",
}


def main() -> None:
    left = {p.relative_to(HOUSE).as_posix(): p for p in HOUSE.rglob("*.py")}
    total, files = 0, len(left)
    products = Counter({name: count_lines(paths) for name, paths in by_product(left).items()})
    for promise, patterns in PROMISES.items():
        mine = [name for name in left if any(fnmatch(name, each) for each in patterns.split())]
        lines = count_lines([left.pop(name) for name in mine])
        total += lines
        print(f"{lines:7,}  {len(mine):4}  {promise}")
    if left:
        sys.exit(f"no promise has {', '.join(left)}")
    print(f"{total:7,}  {files:4}  in all\n")
    for name, lines in products.most_common():
        print(f"{lines:7,}  {name}")


def count_lines(paths: Iterable[Path]) -> int:
    """Count the lines of some files."""
    return sum(len(path.read_text("utf-8").splitlines()) for path in paths)


def by_product(files: dict[str, Path]) -> dict[str, list[Path]]:
    """Map each product to its files, and "the core" to all others."""
    found: dict[str, list[Path]] = {}
    for name, path in files.items():
        room = name.partition("/")[0].removesuffix(".py")
        room = PUBLISHED.get(room, room)
        found.setdefault(room if room in USES else "the core", []).append(path)
    return found


if __name__ == "__main__":
    main()
