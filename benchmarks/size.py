"""Weigh `grader/` promise by promise: lines of Python, of the files that keep it.

Where a file serves several, it counts for the one that it was written for; the first row of the
table that names it has it, and a file that no row names ends the script.

    python benchmarks/size.py
"""

from __future__ import annotations

import sys
from fnmatch import fnmatch
from pathlib import Path

HOUSE = Path(__file__).resolve().parent.parent / "grader"
# A promise → its files.
PROMISES = {
    "`viva`": "viva/*",
    "`watch` and `lsp`, tests of an editor": "editor/* pytest_plugin.py",
    "`import`": "importing/*",
    "`show`, `hint`, `reset`, `solution`, `repro`, `status`": "learner/exercise_card.py "
    "learner/own_file.py learner/script.py commands/exercise.py commands/solution.py "
    "commands/status.py",
    "notebooks": "notebooks/* notebook.py",
    "workspaces, choices, the report; reading what others send": "learner/* commands/check.py "
    "commands/workspaces.py",
    "the book, its graphs, pages that grade": "book/*",
    "nbgrader": "classroom/nbgrader/* classroom/commands/nbgrader_course.py",
    "Gradescope, Canvas, Moodle, JUnit, GitHub, pages": "classroom/exports/*",
    "releases, and what they may not hold; `course.toml`": "classroom/release/* "
    "classroom/marks/overlay.py classroom/commands/release.py",
    "who wrote alike, what came solved, follow-through": "classroom/intake/normal_form.py "
    "classroom/analysis/similar.py classroom/intake/handed_out.py "
    "classroom/marks/follow_through.py",
    "rosters, due dates, open answers, `insights`, `explain`": "classroom/marks/roster.py "
    "classroom/marks/lateness.py classroom/analysis/open_answers.py "
    "classroom/analysis/item_analysis.py classroom/commands/explain.py "
    "classroom/commands/class_results.py",
    "hand-ins: read, judged, kept, resumed, shared out": "classroom/*",
    "audits: invariants, mutants, what was judged before": "audit/*",
    "the key: sources, seeds, oracles, slices": "course/*",
    "verdicts, blame, mistakes by name, what numbers say": "judge/*",
    "workers: confined, forked, counted; what may not be touched": "sandbox/*",
    "the command line, streams, Ctrl-C, the memo, the result": "commands/__init__.py *.py",
}


def main() -> None:
    left = {p.relative_to(HOUSE).as_posix(): p for p in HOUSE.rglob("*.py")}
    total, files = 0, len(left)
    for promise, patterns in PROMISES.items():
        mine = [name for name in left if any(fnmatch(name, each) for each in patterns.split())]
        lines = sum(len(left.pop(name).read_text("utf-8").splitlines()) for name in mine)
        total += lines
        print(f"{lines:7,}  {len(mine):4}  {promise}")
    if left:
        sys.exit(f"no promise has {', '.join(left)}")
    print(f"{total:7,}  {files:4}  in all")


if __name__ == "__main__":
    main()
