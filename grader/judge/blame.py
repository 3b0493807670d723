"""Whose fault is it? An exercise is blocked where what fails comes right without the others.

A wrong `Negate` makes a right `Sub.backward` give exactly the numbers of a forgotten minus; no
tolerance tells these apart, but putting `Negate` right does. What each failing probe leans on
was found out before (`grader/judge/dependency.py`); here it is weighed. Nothing is changed: what
comes out is who waits for whom.

For example, of three exercises a probe fails each:

    negate.forward   leans on nothing         at fault from the start
    sub.backward     is sure of negate        settled: blocked by it
    broadcasting     may lean on sub          not clear while sub is undecided; once sub is blocked,
                                              it is not at fault, and broadcasting fails by itself

And where nobody can say more than that ``a`` may lean on ``b``, ``b`` on ``a``, and ``c`` on ``a``:
nothing is settled. The circle is ``a`` and ``b``, for neither leans on ``c``. The earlier of them,
``a``, is at fault, and the next round blocks ``b`` and ``c`` by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from ..verdict import BLOCKED, WRONG
from .judge import ExerciseVerdict

Order = Mapping[str, int]  # exercise → its place in the course
Place = tuple[str, int]  # an exercise, and a probe of it that fails


class Lean(NamedTuple):
    """What one failing probe of one exercise leans on.

    Attributes:
        sure: with the calls of these put right, it came right.
        maybe: exercises that are wrong, that it ran, and of whose calls no formula speaks.
        beside: their calls were wrong, and with these put right it was not yet right; it may have
            run on into what nobody saw it run.
    """

    sure: frozenset[str] = frozenset()
    maybe: frozenset[str] = frozenset()
    beside: frozenset[str] = frozenset()

    @property
    def others(self) -> frozenset[str]:
        """All that a probe may lean on."""
        return self.maybe | self.beside


Leans = Mapping[Place, Lean]
Verdicts = Mapping[str, ExerciseVerdict]
OWN = Lean()
# Whether a probe comes right with these exercises solved; None where nobody can say.
ComesRight = Callable[[ExerciseVerdict, int, frozenset[str]], bool | None]


class Blame(NamedTuple):
    """Who waits for whom.

    Attributes:
        blocked: exercise → who is at fault for all that fails in it, in the course's order.
        spared: (exercise, check) → who is at fault for this check of an exercise that has a fault
            of its own.
    """

    blocked: dict[str, list[str]]
    spared: dict[tuple[str, str], list[str]]


def weigh_blame(
    verdicts: Verdicts,
    leans: Leans,
    suspects: set[str],
    order: Order,
    comes_right: ComesRight = lambda verdict, number, ids: None,
) -> Blame:
    """Who waits for whom of all that is wrong.

    Args:
        verdicts: of every exercise that is judged, and of those that their failing probes ran.
        suspects: the exercises that are wrong or not written.
        comes_right: asked where no formula speaks.
    """
    scales = Scales(verdicts, leans, comes_right)
    wrong = sorted((v for v in verdicts.values() if v.status in WRONG), key=lambda v: order[v.id])
    open_ = {v.id: v for v in wrong if v.failing and _leans_throughout(v, leans)}
    at_fault = suspects - set(open_)  # some probe of theirs fails that leans on nothing
    while open_:
        settled = [v.id for v in open_.values() if scales.settle(v, at_fault, set(open_))]
        # Where all that is left leans on each other, the earliest is at fault. Only those count
        # that lean on each other, so that one exercise alone is judged as it is among all.
        for id in settled or _circle(open_, leans)[:1]:
            del open_[id]
            if id not in scales.blocked:
                at_fault.add(id)
    blame = Blame({}, {})
    for verdict in wrong:
        if verdict.id in scales.blocked:
            scales.blocked[verdict.id] = scales.roots(scales.blocked[verdict.id], order)
            blame.blocked[verdict.id] = scales.blocked[verdict.id]
        else:
            for id, sure in _checks_to_spare(verdict, leans):
                blame.spared[verdict.id, id] = scales.roots(sure, order)
    return blame


def _leans_throughout(verdict: ExerciseVerdict, leans: Leans) -> bool:
    """Whether each of its failing probes leans on anything."""
    found = (leans.get((verdict.id, n), OWN) for n in verdict.failing)
    return all(lean.sure or lean.others for lean in found)


class Scales:
    """Decides about one exercise after the other, as far as is known what is at fault.

    Attributes:
        blocked: exercise → whom it waits for, as far as is decided.
    """

    def __init__(self, verdicts: Verdicts, leans: Leans, comes_right: ComesRight) -> None:
        self.verdicts = verdicts
        self.leans = leans
        self.comes_right = comes_right
        self.blocked: dict[str, list[str]] = {}

    def settle(self, verdict: ExerciseVerdict, at_fault: set[str], undecided: set[str]) -> bool:
        """Block it where each failing probe leans on what is at fault; whether its part is clear.

        It is clear, too, where a failing probe leans on none that is or may yet turn out to be
        at fault.
        """
        blockers: set[str] = set()
        is_clear = True
        for number in verdict.failing:
            lean = self.leans[verdict.id, number]
            found = lean.sure or self._guilty(verdict, number, lean, at_fault)
            if found:
                blockers |= found
            elif lean.others & undecided:
                is_clear = False
            else:
                return True
        if is_clear:
            self.blocked[verdict.id] = sorted(blockers)
        return is_clear

    def blockers(self, id: str) -> list[str]:
        """Whom an exercise waits for; none where it does not."""
        if id in self.blocked:
            return self.blocked[id]
        verdict = self.verdicts.get(id)
        return verdict.blocked_by if verdict is not None and verdict.status == BLOCKED else []

    def roots(self, blockers: Iterable[str], order: Order) -> list[str]:
        """What is really at fault, where one of the blockers is blocked itself."""
        found, todo, seen = set(), list(blockers), set(blockers)
        while todo:
            id = todo.pop()
            behind = self.blockers(id)
            if not behind:
                found.add(id)
            todo += [other for other in behind if other not in seen]
            seen.update(behind)
        return sorted(found or blockers, key=lambda id: order[id])

    def _guilty(
        self, verdict: ExerciseVerdict, number: int, lean: Lean, at_fault: set[str]
    ) -> frozenset[str]:
        """Those at fault that this probe leans on; none where it fails without their faults."""
        guilty = lean.others & at_fault
        if not guilty:
            return guilty
        answer = self.comes_right(verdict, number, guilty)
        everyone = frozenset(at_fault - {verdict.id})
        # What is right now may run for the first time into what else is at fault.
        if not answer and everyone > guilty and self.comes_right(verdict, number, everyone):
            guilty, answer = everyone, True
        if answer is False or answer is None and not lean.maybe & at_fault:
            return frozenset()
        for id in sorted(guilty) if answer and len(guilty) > 1 else ():
            if self.comes_right(verdict, number, guilty - {id}):
                guilty -= {id}
        return guilty


def _circle(undecided: Verdicts, leans: Leans) -> list[str]:
    """Exercises that lean on each other and on nothing else that is undecided."""
    onto = {
        id: {o for n in v.failing for o in leans[id, n].others if o in undecided}
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


def _checks_to_spare(
    verdict: ExerciseVerdict, leans: Leans
) -> Iterator[tuple[str, frozenset[str]]]:
    """Of an exercise that is at fault: the checks that come right without others, and without
    whom."""
    for check in verdict.checks:
        sure = [leans.get((verdict.id, n), OWN).sure for n in check.failing]
        if check.status in WRONG and check.failing and all(sure):
            yield check.check["id"], frozenset().union(*sure)
