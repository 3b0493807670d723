"""Tell whether two learners are wrong in the same way: the same values, mistake, or exception."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

from ...result_rows import CheckResult, ExerciseResult, Unloadable
from ...verdict import OUT_OF_MEMORY, TIMED_OUT, WRONG

# Reasons that two have in common by chance: a limit, a signal, a call that came before.
UNTELLING = frozenset({
    "hung", "time_up", "processor_time", "memory", "memory_for", "signal", "exit_status", "garbled",
    "after_died", "after_hung", "after_full", "after_late", "not_imported", "not_judged",
})  # fmt: skip
LIMITS = (TIMED_OUT, OUT_OF_MEMORY)


def tells_something(exercise: ExerciseResult, causes: Iterable[Unloadable] = ()) -> bool:
    """Whether it shows how an exercise is wrong: a value, a mistake, what was raised."""
    if exercise["status"] not in WRONG:
        return False
    wrong = [check for check in exercise["checks"] if check["status"] in WRONG]
    return any(exercise["id"] in cause["exercises"] for cause in causes) or any(
        check["yours"] is not None
        or check["mistake"]
        or not (check["status"] in LIMITS or _name_reason(check) in UNTELLING)
        for check in wrong
    )


def _name_reason(check: CheckResult) -> str:
    """Return the kind of a check's reason; version 1.0 kept none."""
    reason = check.get("reason")
    return reason["name"] if reason else ""


def fingerprint_answers(exercise: ExerciseResult, causes: Iterable[Unloadable] = ()) -> bytes:
    """Return a digest of an exercise's checks: statuses, values, mistakes and messages; of one that
    was lost with its package's import, of what that said and where."""
    checks = [
        [c["id"], c["status"], c["yours"], c["mistake"] and c["mistake"]["name"], c["message"]]
        for c in exercise["checks"]
    ]
    ends = [[c["message"], c["location"]] for c in causes if exercise["id"] in c["exercises"]]
    text = json.dumps([exercise["id"], checks, ends], sort_keys=True)
    return hashlib.sha256(text.encode()).digest()[:12]
