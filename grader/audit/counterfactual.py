"""Theorem 11: blame is counterfactual. «Blocked by X» and «failed» agree with what repair does.

Two mistakes at once are judged; then each of them alone, which is the pair with the other one
repaired. An exercise that is said to be blocked has to pass once what blocks it is repaired, one
that is said to have failed has to fail whatever else is. What is put in as a repair may lean on
the fault that is left (the reference's `-x` is `x * -1`): then it is no repair yet, and whoever
waits for it still waits. Nine in ten agree, and every exception is told.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from ..judge.judge import ExerciseVerdict
from ..verdict import BLOCKED, GIVEN, PASSED, WRONG
from .mistake_theorems import Known, all_pairs
from .proof import Problem, Proof, target_of

PAIRS = 8  # of each chapter
MOST_ASTRAY = 0.1  # where two faults meet, the calls alone cannot always tell
MEND = "no formula speaks of the calls that are blamed, or the reference does not fit: see blame"

Verdicts = dict[str, ExerciseVerdict]


class Agreement(NamedTuple):
    """What was said of one exercise of a pair, and whether repair bears it out."""

    where: str
    said: str  # blocked · failed
    holds: bool
    what: str


class Repairs:
    """Judges pairs of mistakes, and each of their mistakes alone, which is kept."""

    def __init__(self, proof: Proof) -> None:
        self.proof = proof
        self._alone: dict[tuple[str, str], Verdicts] = {}

    def alone(self, known: Known) -> Verdicts:
        """What is said where the other mistakes are repaired."""
        exercise, mistake = known
        place = exercise.id, mistake.name
        if place not in self._alone:
            self._alone[place] = self._judged(known)
        return self._alone[place]

    def _judged(self, *known: Known) -> Verdicts:
        bodies = {target_of(e, m): m.body for e, m in known}
        sources = self.proof.course.patched(bodies)
        return self.proof.judge(sources, self.proof.chapter_ids(known[0][0]))

    def agreements(self, one: Known, two: Known) -> Iterator[Agreement]:
        """Of every exercise that is not right with both of these mistakes."""
        made = {known[0].id: known for known in (one, two)}
        where = " and ".join(f"{e.id}: {m.name}" for e, m in made.values())
        for verdict in self._judged(one, two).values():
            if verdict.status == BLOCKED:
                left = [known for id, known in made.items() if id not in verdict.blocked_by]
                holds = set(verdict.blocked_by) <= set(made) and self._comes_right(verdict, left)
                what = f"{verdict.id} is said to be blocked by {verdict.blocked_by}"
                yield Agreement(where, "blocked", holds, what)
            elif verdict.status in WRONG:
                own = [known for id, known in made.items() if id == verdict.id]
                what = f"{verdict.id} is said to have {verdict.status}"
                yield Agreement(where, "failed", not self._passes(verdict, own), what)

    def _comes_right(self, verdict: ExerciseVerdict, left: list[Known]) -> bool:
        """Whether it passes with these left, or waits for a repair that they keep from working."""
        for known in left:
            found = self.alone(known)
            waits = found[verdict.id].status == BLOCKED and any(
                found[id].status == BLOCKED for id in verdict.blocked_by
            )
            if not waits and not self._passes(verdict, [known]):
                return False
        return True

    def _passes(self, verdict: ExerciseVerdict, left: list[Known]) -> bool:
        """Whether it passes with only these mistakes left."""
        return all(self.alone(known)[verdict.id].status in (PASSED, GIVEN) for known in left)


def agrees_with_repair(proof: Proof, count: int = PAIRS) -> Iterator[Problem]:
    """Theorem 11, over some pairs of each chapter: a mistake in question, and any other."""
    repairs = Repairs(proof)
    for chapter in proof.chapters:
        known = [(e, m) for e in chapter.exercises for m in e.mistakes]
        pairs = all_pairs(known, proof.own)
        drawn = random.Random(chapter.id).sample(pairs, min(count, len(pairs)))
        found = [a for one, two in drawn for a in repairs.agreements(one, two)]
        proof.notes.append(f"{chapter.id}, {len(drawn)} pairs: {counted(found)}")
        astray = [a for a in found if not a.holds]
        if len(astray) > MOST_ASTRAY * len(found):
            yield from (Problem(a.where, a.what, MEND) for a in astray)
        proof.notes += [f"not so: {a.where}: {a.what}" for a in astray]


def counted(found: list[Agreement]) -> str:
    """How many of each kind agree."""
    told = []
    for said in ("blocked", "failed"):
        mine = [a for a in found if a.said == said]
        told.append(f"{sum(a.holds for a in mine)} of {len(mine)} rightly {said}")
    return ", ".join(told)
