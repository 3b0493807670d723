"""Whose fault is it? An exercise is blocked where what fails comes right without the others.

A wrong `Negate` makes a right `Sub.backward` give exactly the numbers of a forgotten minus; no
tolerance tells these apart, but putting `Negate` right does. What each failing probe leans on
was found out before (`grader/judge/dependency.py`); here it is weighed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from ..verdict import BLOCKED, WRONG
from .judge import ExerciseVerdict

ORDER = Mapping[str, int]


class Lean(NamedTuple):
    """What one failing probe of one exercise leans on.

    Attributes:
        sure: with the calls of these put right, it came right.
        maybe: exercises that are wrong, that it ran, and of whose calls no formula speaks.
        beside: their calls were wrong, and with these put right it was not yet right; it may have
            run on into what nobody saw it run.
        waits_for: exercises that it ran and that are blocked, where it ended in code of another:
            they have not been seen right.
    """

    sure: frozenset[str] = frozenset()
    maybe: frozenset[str] = frozenset()
    beside: frozenset[str] = frozenset()
    waits_for: frozenset[str] = frozenset()


Leans = Mapping[tuple[str, int], Lean]
OWN = Lean()
# Whether a probe comes right with these exercises solved; None where nobody can say.
Referee = Callable[[ExerciseVerdict, int, frozenset[str]], bool | None]


def blame(
    verdicts: Mapping[str, ExerciseVerdict],
    leans: Leans,
    suspects: set[str],
    order: ORDER,
    referee: Referee = lambda verdict, number, ids: None,
) -> None:
    """Turn what merely leans on wrong code into ``blocked``, in place.

    Args:
        verdicts: of every exercise that is judged, and of those that their failing probes ran.
        suspects: the exercises that are wrong or not written.
        order: exercise → its place in the course.
        referee: asked where no formula speaks.
    """
    weigh = Scales(verdicts, leans, referee)
    wrong = sorted((v for v in verdicts.values() if v.status in WRONG), key=lambda v: order[v.id])
    open_ = {v.id: v for v in wrong if v.failing and all(_leans(v, leans))}
    at_fault = suspects - set(open_)  # some probe of theirs fails that leans on nothing
    while open_:
        settled = [v.id for v in open_.values() if weigh.settle(v, at_fault, set(open_))]
        # Where all that is left leans on each other, the one that explains most of the others is
        # at fault; of several such, the earliest. Only those count that lean on each other, so
        # that one exercise alone is judged as it is among all.
        circle = [] if settled else _circle(open_, leans)
        for id in settled or [max(circle, key=lambda id: _explains(id, circle, leans, open_))]:
            verdict = open_.pop(id)
            if verdict.status in WRONG:
                at_fault.add(id)
    for verdict in wrong:
        if verdict.status in WRONG:
            _spare(verdict, verdicts, leans, order)
        else:
            _block(verdict, _roots(set(verdict.blocked_by), verdicts, order), verdicts)


def kept(verdicts: Mapping[str, ExerciseVerdict]) -> Callable[[], None]:
    """Makes undone what `blame` does to these from now on."""
    checks = [(c, c.status, c.says, c.blocked_by) for v in verdicts.values() for c in v.checks]
    blocked = {id: verdict.blocked_by for id, verdict in verdicts.items()}

    def undo() -> None:
        for check, status, says, by in checks:
            check.status, check.says, check.blocked_by = status, says, by
        for id, by in blocked.items():
            verdicts[id].blocked_by = by

    return undo


def _leans(verdict: ExerciseVerdict, leans: Leans) -> list[bool]:
    found = (leans.get((verdict.id, n), OWN) for n in verdict.failing)
    return [bool(lean.sure or _others(lean)) for lean in found]


class Scales:
    """Decides about one exercise after the other, as far as is known what is at fault."""

    def __init__(
        self, verdicts: Mapping[str, ExerciseVerdict], leans: Leans, referee: Referee
    ) -> None:
        self.verdicts = verdicts
        self.leans = leans
        self.referee = referee

    def settle(self, verdict: ExerciseVerdict, at_fault: set[str], undecided: set[str]) -> bool:
        """Block it where each failing probe leans on what is at fault; whether its part is clear.

        It is clear, too, where a failing probe leans on none that is or may yet turn out to be
        at fault and waits for none.
        """
        blockers: set[str] = set()
        is_clear = True
        for number in verdict.failing:
            lean = self.leans[verdict.id, number]
            found = lean.sure or self._guilty(verdict, number, lean, at_fault)
            if found:
                blockers |= found
            elif _others(lean) & undecided:
                is_clear = False
            else:
                return True
        if is_clear:
            _block(verdict, sorted(blockers), self.verdicts)
        return is_clear

    def _guilty(
        self, verdict: ExerciseVerdict, number: int, lean: Lean, at_fault: set[str]
    ) -> frozenset[str]:
        """Those at fault that this probe leans on; none where it fails without their faults."""
        guilty = _others(lean) & at_fault
        if not guilty:
            waiting = (v for id in lean.waits_for if (v := self.verdicts[id]).status == BLOCKED)
            return frozenset(blocker for v in waiting for blocker in v.blocked_by)
        answer = self.referee(verdict, number, guilty)
        everyone = frozenset(at_fault - {verdict.id})
        # What is right now may run for the first time into what else is at fault.
        if not answer and everyone > guilty and self.referee(verdict, number, everyone):
            guilty, answer = everyone, True
        if answer is False or answer is None and not lean.maybe & at_fault:
            return frozenset()
        for id in sorted(guilty) if answer and len(guilty) > 1 else ():
            if self.referee(verdict, number, guilty - {id}):
                guilty -= {id}
        return guilty


def _others(lean: Lean) -> frozenset[str]:
    """All that a probe may lean on."""
    return lean.maybe | lean.beside


def _circle(undecided: Mapping[str, ExerciseVerdict], leans: Leans) -> list[str]:
    """Exercises that lean on each other and on nothing else that is undecided."""
    onto = {
        id: {o for n in v.failing for o in _others(leans[id, n]) if o in undecided}
        for id, v in undecided.items()
    }
    reached: dict[str, set[str]] = {}
    for id in onto:
        seen, todo = {id}, [id]
        while todo:
            for other in onto[todo.pop()] - seen:
                seen.add(other)
                todo.append(other)
        reached[id] = seen
    smallest = min(reached, key=lambda id: len(reached[id]))
    return [id for id in undecided if id in reached[smallest]]


def _explains(
    id: str, circle: list[str], leans: Leans, undecided: Mapping[str, ExerciseVerdict]
) -> int:
    """How many of the others would be blocked, were this one at fault."""
    others = (undecided[other] for other in circle if other != id)
    return sum(
        all(lean.sure or id in lean.maybe for n in v.failing for lean in [leans[v.id, n]])
        for v in others
    )


def _roots(blockers: set[str], verdicts: Mapping[str, ExerciseVerdict], order: ORDER) -> list[str]:
    """What is really at fault, where one of the blockers is blocked itself."""
    found, todo, seen = set(), list(blockers), set(blockers)
    while todo:
        id = todo.pop()
        verdict = verdicts.get(id)
        if verdict is None or verdict.status != BLOCKED or not verdict.blocked_by:
            found.add(id)
            continue
        todo += [other for other in verdict.blocked_by if other not in seen]
        seen.update(verdict.blocked_by)
    return sorted(found or blockers, key=lambda id: order[id])


def _spare(
    verdict: ExerciseVerdict,
    verdicts: Mapping[str, ExerciseVerdict],
    leans: Leans,
    order: ORDER,
) -> None:
    """Of an exercise that is at fault: the checks that come right without others are blocked."""
    for check in verdict.checks:
        sure = [leans.get((verdict.id, n), OWN).sure for n in check.failing]
        if check.status in WRONG and check.failing and all(sure):
            check.blocked_by = _roots(set().union(*sure), verdicts, order)
            check.status, check.says = BLOCKED, _says(check.blocked_by, verdicts)


def _block(
    verdict: ExerciseVerdict, blockers: list[str], verdicts: Mapping[str, ExerciseVerdict]
) -> None:
    verdict.blocked_by = blockers
    for check in verdict.checks:
        if check.status in WRONG or check.status == BLOCKED and check.failing:
            check.status = BLOCKED
            check.blocked_by = blockers
            check.says = _says(blockers, verdicts)


def _says(blockers: list[str], verdicts: Mapping[str, ExerciseVerdict]) -> str:
    given = [id for id in blockers if id in verdicts and verdicts[id].given]
    if given:
        return (
            f"It ran {' and '.join(given)}, which was given, and reads otherwise than it was "
            "handed out; put that back first."
        )
    which = "which is" if len(blockers) == 1 else "which are"
    return f"It ran {' and '.join(blockers)}, {which} wrong; mend that first."
