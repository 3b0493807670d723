"""Print the reports on the wrong code of `tests/subtle/` and `tests/held_out/`.

Whether a sentence is true, vague or false no script can tell: this one prints what there is to be
read, beside what was changed in the reference. At the end it counts what is certain: rows with
full points, rows of which a known mistake is named, of which a relation to the right numbers is
said, and of which only the difference is shown; and the lines of the longest report.

    python benchmarks/what_is_said.py [CHAPTER …]
"""

from __future__ import annotations

import difflib
import math
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from grader.audit.proof import CourseCheck  # noqa: E402
from grader.course.load import read_course  # noqa: E402
from grader.course.package import Package  # noqa: E402
from grader.grade_package import Grading  # noqa: E402
from grader.judge.judge import ExerciseVerdict  # noqa: E402
from grader.learner.terminal import details  # noqa: E402
from grader.learner.wording import Style  # noqa: E402
from grader.result import iter_exercises, result  # noqa: E402
from grader.verdict import WRONG  # noqa: E402
from tests.held_out import wrong_bodies  # noqa: E402
from tests.subtle import bodies  # noqa: E402


def main() -> None:
    course = read_course()
    for chapter in sys.argv[1:] or [chapter.id for chapter in course.chapters]:
        ids = frozenset(id for id in course.exercises if id.startswith(f"{chapter}."))
        rows = [*bodies(course, chapter), *wrong_bodies(course, chapter)]
        ends: Counter[str] = Counter()
        longest = 0
        with CourseCheck(course, ids=ids) as proof:
            for name, target, body in rows:
                exercise = course.owner[target]
                verdict, said = judge(proof, exercise.id, course.replace_bodies({target: body}))
                is_full = math.isclose(verdict.score, exercise.points)
                end = "full points" if is_full else kind(verdict)
                ends[end] += 1
                longest = max(longest, len(said))
                print(f"\n== {chapter}: {name} [{end}]")
                right = course.regions[target].body.splitlines()
                changed = difflib.unified_diff(right, body.splitlines(), lineterm="", n=0)
                print(*(f"   {line}" for line in [*changed][2:]), sep="\n")
                print(*(f"   | {line}" for line in said), sep="\n")
        print(f"\n{chapter}: {len(rows)} wrong solutions: {dict(ends)}", end="")
        print(f"; the longest report has {longest} lines", flush=True)


def judge(
    proof: CourseCheck, id: str, sources: dict[str, str]
) -> tuple[ExerciseVerdict, list[str]]:
    """Return the verdict on one exercise and the report that a learner reads."""
    package = Package("babygrad", {name: text.encode() for name, text in sources.items()}, "")
    grading = Grading(proof.key, package, proof.launch, set(), reference=proof.course.solved)
    verdicts = grading.grade([id])
    (exercise,) = iter_exercises(result(grading, verdicts))
    is_wrong = exercise["status"] in WRONG
    return verdicts[id], details(exercise, Style(False, 80)) if is_wrong else []


def kind(verdict: ExerciseVerdict) -> str:
    """Return how much a report says: named, related or shown."""
    if verdict.mistakes:
        return "named"
    return "related" if any(check.inferred for check in verdict.checks) else "shown"


if __name__ == "__main__":
    main()
