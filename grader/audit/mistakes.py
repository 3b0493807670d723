"""Invariants 3 and 11 about mistakes, alone and beside others.

Every mistake fails its exercise, costs a tenth of its points or more, and is diagnosed by its own
sentence. Alone, the exercise fails and everything that depends on it is blocked. In float32 and
rewritten with NumPy, the sentence is still found. In pairs, nothing false is said.

Blame is counterfactual: «blocked by X» and «failed» agree with what repair does. Two mistakes are
judged together; then each alone, which is the pair with the other one repaired. A blocked exercise
must pass once its blockers are repaired; a failed one must fail whatever else is repaired. The
repair itself may depend on the remaining fault (the reference's `-x` is `x * -1`): then it is no
repair yet, and exercises that wait for it still wait. Nine in ten agree, and every exception is
told.
"""

from __future__ import annotations

import itertools
import math
import random
import re
import textwrap
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from ..about import COURSE, FILE
from ..course import Chapter, Exercise, Mistake
from ..course.outline import chapter_no
from ..errors import OurFault
from ..judge.judge import ExerciseVerdict
from ..verdict import BLOCKED, GIVEN, PASSED, WRONG
from .proof import CourseCheck, Problem, costs_enough
from .replay import Verdicts

PAIRS = 60
MOST_ASTRAY = 0.05  # share of the pairs that may be blamed wrongly
WRITES = re.compile(r"\w\.\w+ [-+*/]= ")  # an augmented assignment to an attribute

Known = tuple[Exercise, Mistake]

MEND_FAIL = "give the exercise a sample that shows it, or drop the mistake"
MEND_NAME = "tell the mistakes apart by a sample, or merge them"
MEND_LEAN = "the check leans on another exercise in a way that blame cannot see"


def judge_with(proof: CourseCheck, *known: Known) -> Verdicts:
    """Judge a package that is right but for these mistakes, over their whole chapter."""
    sources = proof.course.replace_bodies({e.target_of(m): m.body for e, m in known})
    return proof.judge(sources, proof.chapter_ids(known[0][0]))


def single_mistakes_are_named(proof: CourseCheck) -> Iterator[Problem]:
    """Check invariant 3: each mistake in an otherwise right package is named, and blocks others."""
    for exercise, mistake in proof.mistakes():
        verdicts = judge_with(proof, (exercise, mistake))
        yield from _own_sentence(exercise, mistake, verdicts[exercise.id], "alone")
        for other in verdicts.values():
            if other.status in WRONG and other.id != exercise.id:
                what = f"{other.id} is {other.status} because of it, not blocked"
                yield Problem(f"{exercise.id}: {mistake.name}", what, MEND_LEAN)
            elif other.status == BLOCKED and other.blocked_by != [exercise.id]:
                what = f"{other.id} is said to be blocked by {other.blocked_by}"
                yield Problem(f"{exercise.id}: {mistake.name}", what, MEND_LEAN)


def in_float32(proof: CourseCheck) -> Iterator[Problem]:
    """Check invariant 3: each mistake is named in a package whose every result is float32.

    `course.json` says under ``narrow`` how the reference becomes one; without it there is nothing
    to prove. Many a first draft is such a package.
    """
    if not COURSE.narrow:
        return
    handed_out = narrow(proof.course.solved())
    for exercise, mistake in proof.mistakes():
        sources = narrow(proof.course.replace_bodies({exercise.target_of(mistake): mistake.body}))
        begins = chapter_no(exercise.id)
        verdicts = proof.judge(sources, [exercise.id], begins=begins, handed_out=handed_out)
        yield from _own_sentence(exercise, mistake, verdicts[exercise.id], "in float32")


def narrow(sources: dict[str, str]) -> dict[str, str]:
    """Edit a package so that it makes float32 of everything."""
    if not COURSE.narrow:
        return sources
    name, old, new = COURSE.narrow
    if old not in sources[name]:
        raise OurFault(f"{FILE}: narrow speaks of {old!r}, which does not stand in {name}.")
    return {**sources, name: sources[name].replace(old, new)}


def with_numpy(proof: CourseCheck) -> Iterator[Problem]:
    """Check invariant 3: each mistake of an op's backward is named if its values leave the graph.

    `course.json` says under ``detached`` what has a graph; without it there is nothing to prove. A
    rule that writes into its input has left the graph already: then there are two causes to name.
    """
    pattern = COURSE.detached["targets"] if COURSE.detached else r"(?!)"
    for exercise, mistake in proof.mistakes():
        target = exercise.target_of(mistake)
        if not re.fullmatch(pattern, target) or WRITES.search(mistake.body):
            continue
        sources = proof.course.replace_bodies({target: detach(mistake.body)})
        verdict = proof.judge(sources, [exercise.id])[exercise.id]
        yield from _own_sentence(exercise, mistake, verdict, "rewritten with NumPy")


def detach(body: str) -> str:
    """Return the same rule, its results detached from the graph, as NumPy would give them."""
    kind, call = COURSE.detached["type"], COURSE.detached["call"]
    return (
        "def rule(self, out_grad, node):\n"
        + textwrap.indent(textwrap.dedent(body).strip("\n"), "    ")
        + "\nfound = rule(self, out_grad, node)\n"
        f"if isinstance(found, {kind}):\n"
        f"    return found.{call}\n"
        "if isinstance(found, (tuple, list)):\n"
        f"    return tuple(g.{call} if isinstance(g, {kind}) else g for g in found)\n"
        "return found"
    )


def in_pairs(proof: CourseCheck) -> Iterator[Problem]:
    """Check invariant 3: of two mistakes at once only these two are named, and only these two fail.

    If two faults meet, the calls alone cannot always tell which waits for which (invariant 11): few
    exercises may fail instead of being blocked, and each of them is told.
    """
    asked = [(e, m) for c in proof.chapters for e in c.exercises for m in e.mistakes]
    mine = all_pairs(asked, proof.own)
    every = sum(map(count_of_pairs, proof.course.chapters))
    count = math.ceil(PAIRS * len(mine) / every) if every else 0
    drawn = random.Random(0).sample(mine, min(count, len(mine)))
    found = [problem for one, two in drawn for problem in pair(proof, one, two)]
    leaning = [problem for problem in found if problem.mend == MEND_LEAN]
    yield from (problem for problem in found if problem.mend != MEND_LEAN)
    if len(leaning) > MOST_ASTRAY * len(drawn):
        yield from leaning
    proof.notes += [f"{len(drawn)} pairs, not so: {p.where}: {p.what}" for p in leaning]


def all_pairs(known: list[Known], own: frozenset[str] | None = None) -> list[tuple[Known, Known]]:
    """Return all pairs of mistakes of two exercises of a chapter, at least one among ``own``."""
    chapters = [list(each) for _, each in itertools.groupby(known, lambda e: e[0].chapter)]
    named = [
        [(e.id, own is None or e.id in own, (e, m)) for e, m in chapter] for chapter in chapters
    ]
    return [
        (one, two)
        for chapter in named
        for (id, mine, one), (other, too, two) in itertools.combinations(chapter, 2)
        if (mine or too) and id != other
    ]


def count_of_pairs(chapter: Chapter) -> int:
    """Count a chapter's pairs of mistakes of two exercises."""
    # 3, 2 and 1 mistakes make (36 - 14) / 2 == 11 pairs.
    counts = [len(exercise.mistakes) for exercise in chapter.exercises]
    return (sum(counts) ** 2 - sum(n * n for n in counts)) // 2


def pair(proof: CourseCheck, one: Known, two: Known) -> Iterator[Problem]:
    """Yield the problems of the verdicts with one pair of mistakes."""
    verdicts = judge_with(proof, one, two)
    made = {e.id: m.name for e, m in (one, two)}
    where = " and ".join(f"{id}: {name}" for id, name in made.items())
    for verdict in verdicts.values():
        named = [name for name, _ in verdict.mistakes]
        if verdict.status in WRONG and verdict.id not in made:
            yield Problem(where, f"{verdict.id} is {verdict.status}, not blocked", MEND_LEAN)
        if named and made.get(verdict.id) not in named:
            yield Problem(where, f"{verdict.id} is said to be {named}", MEND_NAME)
        if not set(verdict.blocked_by) <= set(made):
            what = f"{verdict.id} is said to be blocked by {verdict.blocked_by}"
            yield Problem(where, what, MEND_LEAN)
    # One may undo the other: if `dtype` is ignored, not passing it on does no harm.
    if not any(verdicts[id].status in {*WRONG, BLOCKED} for id in made):
        yield Problem(where, "neither is failed", MEND_FAIL)


def _own_sentence(
    exercise: Exercise, mistake: Mistake, verdict: ExerciseVerdict, how: str
) -> Iterator[Problem]:
    where = f"{exercise.id}: {mistake.name} ({how})"
    named = [name for name, _ in verdict.mistakes]
    if verdict.status not in WRONG:
        yield Problem(where, f"the exercise is {verdict.status}", MEND_FAIL)
        return
    if named != [mistake.name]:
        yield Problem(where, f"is diagnosed as {named or 'nothing'}", MEND_NAME)
    if not costs_enough(verdict.score, verdict.max_score):
        what = f"it earns {verdict.score:g} of {verdict.max_score:g} points"
        yield Problem(where, what, MEND_FAIL)


REPAIRED_PAIRS = 8  # per chapter
MOST_DISAGREEING = 0.1  # share that may disagree: calls alone do not always separate two faults
MEND = "the reference does not fit the mistake: see docs/decisions/blame.md"


class Agreement(NamedTuple):
    """One verdict about an exercise with a pair of mistakes, and whether repair confirms it."""

    where: str
    said: str  # blocked · failed
    holds: bool
    what: str


class Repairs:
    """Judge pairs of mistakes, and each of their mistakes alone, which is cached."""

    def __init__(self, proof: CourseCheck) -> None:
        self.proof = proof
        # Verdicts with one mistake alone: the others are repaired.
        self.alone = cache(lambda known: judge_with(proof, known))

    def agreements(self, one: Known, two: Known) -> Iterator[Agreement]:
        """Yield an agreement for every exercise that is not right with both of these mistakes."""
        made = {known[0].id: known for known in (one, two)}
        where = " and ".join(f"{e.id}: {m.name}" for e, m in made.values())
        for verdict in judge_with(self.proof, one, two).values():
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
        """Whether an exercise passes with these left, or waits for a repair that they break."""
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


def agrees_with_repair(proof: CourseCheck, count: int = REPAIRED_PAIRS) -> Iterator[Problem]:
    """Check invariant 11, over some pairs of each chapter: a mistake in question, and any other."""
    repairs = Repairs(proof)
    for chapter in proof.chapters:
        known = [(e, m) for e in chapter.exercises for m in e.mistakes]
        pairs = all_pairs(known, proof.own)
        drawn = random.Random(chapter.id).sample(pairs, min(count, len(pairs)))
        found = [a for one, two in drawn for a in repairs.agreements(one, two)]
        proof.notes.append(f"{chapter.id}, {len(drawn)} pairs: {count_agreements(found)}")
        astray = [a for a in found if not a.holds]
        if len(astray) > MOST_DISAGREEING * len(found):
            yield from (Problem(a.where, a.what, MEND) for a in astray)
        proof.notes += [f"not so: {a.where}: {a.what}" for a in astray]


def count_agreements(found: list[Agreement]) -> str:
    """Say how many verdicts of each kind agree."""
    told = []
    for said in ("blocked", "failed"):
        mine = [a for a in found if a.said == said]
        told.append(f"{sum(a.holds for a in mine)} of {len(mine)} rightly {said}")
    return ", ".join(told)
