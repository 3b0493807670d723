"""Theorem 3: every mistake fails its exercise, and is diagnosed by its own sentence.

Alone, the exercise fails and whatever leans on it is blocked. In float32 and rewritten with
NumPy, the sentence is still found. In pairs, nothing false is said.
"""

from __future__ import annotations

import itertools
import math
import random
import re
import textwrap
from collections.abc import Iterator

from ..about import COURSE, FILE
from ..course import Chapter, Exercise, Mistake
from ..course.outline import number_of
from ..errors import OurFault
from ..judge.judge import ExerciseVerdict
from ..verdict import BLOCKED, WRONG
from .proof import Problem, Proof, target_of

PAIRS = 60
MOST_ASTRAY = 0.05  # of these
WRITES = re.compile(r"\w\.\w+ [-+*/]= ")  # into an attribute of something

Known = tuple[Exercise, Mistake]

MEND_FAIL = "give the exercise a sample that shows it, or drop the mistake"
MEND_NAME = "tell the mistakes apart by a sample, or merge them"
MEND_LEAN = "the check leans on another exercise in a way that blame cannot see"


def alone(proof: Proof) -> Iterator[Problem]:
    """Each mistake in an otherwise right package, the whole chapter judged."""
    for exercise, mistake in proof.mistakes():
        sources = proof.course.patched({target_of(exercise, mistake): mistake.body})
        verdicts = proof.judge(sources, proof.chapter_ids(exercise))
        yield from _own_sentence(exercise, mistake, verdicts[exercise.id], "alone")
        for other in verdicts.values():
            if other.status in WRONG and other.id != exercise.id:
                what = f"{other.id} is {other.status} because of it, not blocked"
                yield Problem(f"{exercise.id}: {mistake.name}", what, MEND_LEAN)
            elif other.status == BLOCKED and other.blocked_by != [exercise.id]:
                what = f"{other.id} is said to be blocked by {other.blocked_by}"
                yield Problem(f"{exercise.id}: {mistake.name}", what, MEND_LEAN)


def in_float32(proof: Proof) -> Iterator[Problem]:
    """Each mistake in a package whose every result is float32, as many a first draft has it.

    `course.json` says under ``narrow`` how the reference becomes one; else nothing is to be shown.
    """
    if not COURSE.narrow:
        return
    handed_out = narrow(proof.course.solved())
    for exercise, mistake in proof.mistakes():
        sources = narrow(proof.course.patched({target_of(exercise, mistake): mistake.body}))
        begins = number_of(exercise.id)
        verdict = proof.judge(sources, [exercise.id], begins=begins, handed_out=handed_out)[
            exercise.id
        ]
        yield from _own_sentence(exercise, mistake, verdict, "in float32")


def narrow(sources: dict[str, str]) -> dict[str, str]:
    """A package that makes float32 of everything."""
    if not COURSE.narrow:
        return sources
    name, old, new = COURSE.narrow
    if old not in sources[name]:
        raise OurFault(f"{FILE}: narrow speaks of {old!r}, which does not stand in {name}.")
    return {**sources, name: sources[name].replace(old, new)}


def with_numpy(proof: Proof) -> Iterator[Problem]:
    """Each mistake of an op's backward with its values worked out apart from the graph.

    `course.json` says under ``detached`` what has a graph; else nothing is to be shown. A rule that
    writes into what it was given has left the graph already: then there are two causes to name.
    """
    pattern = COURSE.detached["targets"] if COURSE.detached else r"(?!)"
    for exercise, mistake in proof.mistakes():
        target = target_of(exercise, mistake)
        if not re.fullmatch(pattern, target) or WRITES.search(mistake.body):
            continue
        sources = proof.course.patched({target: detached(mistake.body)})
        verdict = proof.judge(sources, [exercise.id])[exercise.id]
        yield from _own_sentence(exercise, mistake, verdict, "rewritten with NumPy")


def detached(body: str) -> str:
    """The same rule with values that know nothing of the graph, as NumPy would give them."""
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


def in_pairs(proof: Proof) -> Iterator[Problem]:
    """Two mistakes at once: only these two are named, and only these two are failed.

    Where two faults meet, the calls alone cannot always tell who waits for whom (theorem 11): few
    may be failed instead of blocked, and each of them is told.
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
    """Every two mistakes of two exercises of one chapter.

    Args:
        own: the exercises of which one has to be among the two; any by default.
    """
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
    """How many pairs of mistakes of two exercises a chapter has."""
    counts = [len(exercise.mistakes) for exercise in chapter.exercises]
    return (sum(counts) ** 2 - sum(n * n for n in counts)) // 2


def pair(proof: Proof, one: Known, two: Known) -> Iterator[Problem]:
    """What is said of one pair."""
    bodies = {target_of(e, m): m.body for e, m in (one, two)}
    verdicts = proof.judge(proof.course.patched(bodies), proof.chapter_ids(one[0]))
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
    # One may undo the other: where `dtype` is ignored, not to pass it on does no harm.
    if not any(verdicts[id].status in {*WRONG, BLOCKED} for id in made):
        yield Problem(where, "neither is failed", MEND_FAIL)


def _own_sentence(
    exercise: Exercise, mistake: Mistake, verdict: ExerciseVerdict, how: str
) -> Iterator[Problem]:
    where = f"{exercise.id}: {mistake.name} ({how})"
    named = [name for name, _ in verdict.mistakes]
    if verdict.status not in WRONG:
        yield Problem(where, f"the exercise is {verdict.status}", MEND_FAIL)
    elif named != [mistake.name]:
        yield Problem(where, f"is diagnosed as {named or 'nothing'}", MEND_NAME)
