"""What learners are told of wrong code: every row of `tests/subtle/`, with all sentences about it.

Whether a sentence is true, vague or false no script can tell: this one prints what there is to be
read, beside what was changed in the reference. At the end it counts what is certain: rows with
full points, rows of which a known mistake is named, of which a relation to the right numbers is
said, and of which only the difference is shown.

    python benchmarks/what_is_said.py [CHAPTER …]
"""

from __future__ import annotations

import difflib
import math
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from grader.audit.proof import Proof  # noqa: E402
from grader.course.load import load  # noqa: E402
from grader.judge.judge import ExerciseVerdict  # noqa: E402
from grader.verdict import WRONG  # noqa: E402
from tests.subtle import bodies  # noqa: E402


def main() -> None:
    course = load()
    for chapter in sys.argv[1:] or [chapter.id for chapter in course.chapters]:
        ids = frozenset(id for id in course.exercises if id.startswith(f"{chapter}."))
        rows = bodies(course, chapter)
        ends: Counter[str] = Counter()
        with Proof(course, ids=ids) as proof:
            for name, target, body in rows:
                exercise = course.owner[target]
                verdict = proof.judge(course.patched({target: body}), [exercise.id])[exercise.id]
                is_full = math.isclose(verdict.score, exercise.points)
                end = "full points" if is_full else kind(verdict)
                ends[end] += 1
                print(f"\n== {chapter}: {name} [{end}] {verdict.score:g}/{exercise.points:g}")
                right = course.regions[target].body.splitlines()
                changed = difflib.unified_diff(right, body.splitlines(), lineterm="", n=0)
                print(*(f"   {line}" for line in [*changed][2:]), sep="\n")
                for line in sentences(verdict):
                    print(f"   | {line}")
        print(f"\n{chapter}: {len(rows)} wrong solutions: {dict(ends)}", flush=True)


def kind(verdict: ExerciseVerdict) -> str:
    """How much is said."""
    if verdict.mistakes:
        return "named"
    return "related" if any(check.inferred for check in verdict.checks) else "shown"


def sentences(verdict: ExerciseVerdict) -> Iterator[str]:
    """All that is said of an exercise, its first wrong check as the report shows it."""
    yield verdict.status
    yield from (f"mistake: {says}" for _, says in verdict.mistakes)
    for check in [c for c in verdict.checks if c.status in WRONG][:2]:
        yield f"{check.check['title']}: {check.status}: {check.says}"
        yield from (f"  {says}" for _, says in check.inferred)


if __name__ == "__main__":
    main()
