"""Whose fault is it? An exercise is blocked where what fails comes right without the others.

A wrong `Negate` makes a right `Sub.backward` give exactly the numbers of a forgotten minus; no
tolerance tells these apart, but putting `Negate` right does. What each failing probe leans on
was traced before (`grader/judge/attribution.py`); here it is weighed. Nothing is changed: what
comes out is who waits for whom.

For example, of three exercises a probe fails each:

    negate.forward   leans on nothing     at fault from the start
    sub.backward     leans on negate      comes right without its fault: blocked by it
    broadcasting     leans on sub         not clear while sub is undecided; once sub is blocked,
                                          it is not at fault, and broadcasting fails by itself

And where nobody can say more than that ``a`` may lean on ``b``, ``b`` on ``a``, and ``c`` on ``a``:
nothing is settled. The circle is ``a`` and ``b``, for neither leans on ``c``. The earlier of them,
``a``, is at fault, and the next round blocks ``b`` and ``c`` by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from ..verdict import WRONG
from .judge import ExerciseVerdict

Order = Mapping[str, int]  # exercise → its place in the course
Place = tuple[str, int]  # an exercise, and a probe of it that fails
Leans = Mapping[Place, frozenset[str]]  # of the exercises that it ran, those that may be at fault
Verdicts = Mapping[str, ExerciseVerdict]


class Tried(NamedTuple):
    """What came of a failing probe with some exercises solved.

    Attributes:
        is_right: whether it came right; None where nobody can say.
        ran: the exercises that it ran then, where it did not.
    """

    is_right: bool | None
    ran: frozenset[str] = frozenset()


Try = Callable[[ExerciseVerdict, int, frozenset[str]], Tried]


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
    try_out: Try,
) -> Blame:
    """Who waits for whom of all that is wrong.

    Args:
        verdicts: of every exercise that is judged, and of those that their failing probes ran.
        suspects: the exercises that are wrong or not written.
    """
    scales = Scales(leans, try_out)
    wrong = sorted((v for v in verdicts.values() if v.status in WRONG), key=lambda v: order[v.id])
    open_ = {v.id: v for v in wrong if v.failing and all(leans.get((v.id, n)) for n in v.failing)}
    at_fault = suspects - set(open_)  # some probe of theirs fails that leans on nothing
    blame = Blame({}, {})
    while open_:
        found = {id: scales.find_blockers(v, at_fault, set(open_)) for id, v in open_.items()}
        settled = {id: blockers for id, blockers in found.items() if blockers is not None}
        # Where all that is left leans on each other, the earliest is at fault. Only those count
        # that lean on each other, so that one exercise alone is judged as it is among all.
        for id, blockers in (settled or {_circle(open_, leans)[0]: frozenset[str]()}).items():
            del open_[id]
            if blockers:
                blame.blocked[id] = sorted(blockers, key=order.__getitem__)
            else:
                at_fault.add(id)
    for verdict in wrong:
        if verdict.id not in blame.blocked:
            for check, guilty in scales.checks_to_spare(verdict, at_fault):
                blame.spared[verdict.id, check] = sorted(guilty, key=order.__getitem__)
    return blame


class Scales:
    """Decides about one exercise after the other, as far as is known what is at fault."""

    def __init__(self, leans: Leans, try_out: Try) -> None:
        self.leans = leans
        self.try_out = try_out

    def find_blockers(
        self, verdict: ExerciseVerdict, at_fault: set[str], undecided: set[str]
    ) -> frozenset[str] | None:
        """Whom an exercise waits for; nobody, if it is at fault; None as long as that is not clear.

        It is at fault where a failing probe leans on none that is or may yet turn out to be.
        """
        blockers: set[str] = set()
        is_clear = True
        for number in verdict.failing:
            found = self._guilty(verdict, number, at_fault)
            if found:
                blockers |= found
            elif self.leans[verdict.id, number] & undecided:
                is_clear = False
            else:
                return frozenset()
        return frozenset(blockers) if is_clear else None

    def checks_to_spare(
        self, verdict: ExerciseVerdict, at_fault: set[str]
    ) -> Iterator[tuple[str, frozenset[str]]]:
        """Of an exercise that is at fault: the checks that come right without others' faults, and
        without whose."""
        for check in verdict.checks:
            if check.status in WRONG and check.failing:
                found = [self._guilty(verdict, n, at_fault, for_sure=True) for n in check.failing]
                if all(found):
                    yield check.check["id"], frozenset().union(*found)

    def _guilty(
        self, verdict: ExerciseVerdict, number: int, at_fault: set[str], for_sure: bool = False
    ) -> frozenset[str]:
        """Those at fault that this probe leans on; none where it fails without their faults.

        Args:
            for_sure: whether it has to have been tried out.
        """
        guilty = self.leans.get((verdict.id, number), frozenset()) & at_fault
        if not guilty:
            return guilty
        is_right, ran = self.try_out(verdict, number, guilty)
        # What is right now may run for the first time into what else is at fault.
        while not is_right and (more := ran & at_fault - guilty - {verdict.id}):
            guilty |= more
            is_right, ran = self.try_out(verdict, number, guilty)
        if is_right is False or is_right is None and for_sure:
            return frozenset()
        for id in sorted(guilty) if is_right and len(guilty) > 1 else ():
            if self.try_out(verdict, number, guilty - {id}).is_right:
                guilty -= {id}
        return guilty


def _circle(undecided: Verdicts, leans: Leans) -> list[str]:
    """Exercises that lean on each other and on nothing else that is undecided."""
    onto = {
        id: {o for n in v.failing for o in leans[id, n] if o in undecided}
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
