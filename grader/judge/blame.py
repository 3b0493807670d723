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
    ended: Mapping[tuple[str, int], str],
    order: ORDER,
) -> None:
    """Turn what merely leans on wrong code into ``blocked``, in place.

    Args:
        statuses: exercise → status, of every exercise that any probe ran.
        entered: (exercise, probe) → the exercises whose targets that probe ran.
        ended: (exercise, probe) → the exercise in whose code that probe raised, or hung.
        order: exercise → its place in the course.
    """
    suspects = {id for id, status in statuses.items() if status in WRONG or status == PENDING}
    wrong = sorted((v for v in verdicts.values() if v.status in WRONG), key=lambda v: order[v.id])
    open_ = {
        v.id: v
        for v in wrong
        if v.failing and all(_others(v, n, entered, suspects) for n in v.failing)
    }
    at_fault = suspects - set(open_)  # some probe of theirs fails that ran no other wrong code
    while open_:
        settled = []
        for id, verdict in open_.items():
            waits_for = _waits_for(verdict, verdicts, entered, ended)
            if _settle(verdict, entered, at_fault, set(open_), order, waits_for):
                settled.append(id)
        # Where all that is left lean on each other, the one that explains most of the others is
        # at fault; of several such, the earliest.
        for id in settled or [max(open_, key=lambda id: _explains(id, open_, entered, at_fault))]:
            verdict = open_.pop(id)
            if verdict.status in WRONG:
                at_fault.add(id)


def _explains(
    id: str,
    undecided: Mapping[str, ExerciseVerdict],
    entered: Mapping[tuple[str, int], set[str]],
    at_fault: set[str],
) -> int:
    """How many of the others would be blocked, were this one at fault."""
    guilty = at_fault | {id}
    others = (v for v in undecided.values() if v.id != id)
    return sum(all(_others(v, n, entered, guilty) for n in v.failing) for v in others)


def _settle(
    verdict: ExerciseVerdict,
    entered: Mapping[tuple[str, int], set[str]],
    at_fault: set[str],
    undecided: set[str],
    order: ORDER,
    waits_for: Mapping[int, set[str]],
) -> bool:
    """Block it where each failing probe ran code that is at fault; whether its part is clear.

    It is clear, too, where a failing probe ran none that is or may yet turn out to be at fault
    and waits for none.
    """
    blockers: set[str] = set()
    clear = True
    for number in verdict.failing:
        if not _others(verdict, number, entered, at_fault | undecided):
            if not waits_for.get(number):
                return True
            blockers |= waits_for[number]
            continue
        guilty = _others(verdict, number, entered, at_fault)
        blockers |= {min(guilty, key=order.__getitem__)} if guilty else set()
        clear = clear and bool(guilty)
    if clear:
        _block(verdict, sorted(blockers, key=order.__getitem__))
    return clear


def _waits_for(
    verdict: ExerciseVerdict,
    verdicts: Mapping[str, ExerciseVerdict],
    entered: Mapping[tuple[str, int], set[str]],
    ended: Mapping[tuple[str, int], str],
) -> dict[int, set[str]]:
    """Probe → what has to be mended first, where it ended in another's code and ran code that is
    blocked: that may be wrong as well, for it has not been seen right."""
    found: dict[int, set[str]] = {}
    for number in verdict.failing:
        place = verdict.id, number
        if ended.get(place, verdict.id) != verdict.id:
            ran = (verdicts[id] for id in entered[place] if id in verdicts)
            found[number] = {id for v in ran if v.status == BLOCKED for id in v.blocked_by}
    return found


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
