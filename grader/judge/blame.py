"""Whose fault is it? An exercise is blocked where every probe that fails ran another's wrong code.

A wrong `Negate` makes a right `Sub.backward` give exactly the numbers of a forgotten minus; no
tolerance tells these apart, but what was run does.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..verdict import BLOCKED, PENDING, WRONG
from .judge import ExerciseVerdict

ORDER = Mapping[str, int]


def blame(
    verdicts: dict[str, ExerciseVerdict],
    statuses: Mapping[str, str],
    entered: Mapping[tuple[str, int], set[str]],
    order: ORDER,
) -> None:
    """Turn what merely leans on wrong code into ``blocked``, in place.

    Args:
        statuses: exercise → status, of every exercise that any probe ran.
        entered: (exercise, probe) → the exercises whose targets that probe ran.
        order: exercise → its place in the course. Where two lean on each other, the earlier
            one is at fault.
    """
    suspects = {id for id, status in statuses.items() if status in WRONG or status == PENDING}
    wrong = [v for v in verdicts.values() if v.status in WRONG]
    leaning = {v.id for v in wrong if all(_others(v, n, entered, suspects) for n in v.failing)}
    # What is wrong by itself. Code that only ran wrong code may be right: it takes no blame.
    at_fault = suspects - leaning
    for verdict in sorted(wrong, key=lambda v: order[v.id]):
        if verdict.id in at_fault or not verdict.failing:
            continue
        blockers: set[str] = set()
        for number in verdict.failing:
            others = _others(verdict, number, entered, at_fault)
            if not others:
                at_fault.add(verdict.id)
                break
            blockers.add(min(others, key=order.__getitem__))
        else:
            _block(verdict, sorted(blockers, key=order.__getitem__))


def _others(
    verdict: ExerciseVerdict,
    number: int,
    entered: Mapping[tuple[str, int], set[str]],
    suspects: set[str],
) -> set[str]:
    return (entered.get((verdict.id, number), set()) & suspects) - {verdict.id}


def _block(verdict: ExerciseVerdict, blockers: list[str]) -> None:
    verdict.blocked_by = blockers
    for check in verdict.checks:
        if check.status in WRONG:
            check.status = BLOCKED
            check.blocked_by = blockers
            check.says = f"It ran {' and '.join(blockers)}, which is wrong; mend that first."
