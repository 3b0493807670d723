"""One exercise in a few lines, for places that show plain text to its learner."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...verdict import WRONG
from ..shown import NOTHING, for_learner

if TYPE_CHECKING:
    from ...course.key_rows import CheckResult, ExerciseResult, Sample

NOT_JUDGED = "Not judged:"  # all of an exercise, because its files cannot be imported
SKIPPED = ("passed", "given", "pending", "blocked")


def told(exercise: ExerciseResult, samples: Mapping[str, Sample] = NOTHING) -> str:
    """What a learner reads of an exercise: its checks that failed, and where."""
    if exercise["status"] == "blocked":
        return f"It waits for {', '.join(exercise['blocked_by'])}."
    if exercise["status"] in SKIPPED:
        return exercise["checks"][0]["message"] if exercise["status"] == "pending" else ""
    if is_lost(exercise):
        return str(exercise["checks"][0]["message"])
    parts = []
    for check in (for_learner(each, samples) for each in exercise["checks"]):
        if check["status"] in WRONG:
            lines = [check["title"], check["message"], *_values(check)]
            lines += [check["mistake"]["says"]] if check["mistake"] else []
            lines += [f"In {check['location']}"] if check["location"] else []
            parts.append("\n".join(line for line in lines if line))
    return "\n\n".join(parts)


def is_lost(exercise: ExerciseResult) -> bool:
    """Whether its files could not be imported."""
    checks = exercise["checks"]
    return bool(checks) and checks[0]["message"].startswith(NOT_JUDGED)


def _values(check: CheckResult) -> list[str]:
    if check["yours"] is None:
        return []
    named = {"yours": check["yours"], **check["expected"]}
    return [f"{n.replace('_', ' ')}: {v}" for n, v in named.items() if v is not None]
