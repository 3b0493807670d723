"""Theorem 13: a seed asks what no other asks, and the answers to one earn nothing for another."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import combinations
from typing import cast

from ..course import Check, Exercise, Probe
from ..course.key_file import Arrays, ChapterKey
from ..course.plain_values import plain_args
from ..judge.judge import CheckVerdict, ExerciseVerdict
from ..judge.outcome import outcome
from ..sandbox.observation import Observation
from ..verdict import FAILED, PASSED
from .proof import Problem, Proof

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..course.key_rows import CheckRow, ExerciseRow

OTHERS = ("seed 0", "seed 1")
MOST = 0.02  # of a chapter's points, for what is asked with every seed
MOST_REPLAYED = 0.2  # … for one exercise whose answers hardly vary: a count, a name, «it raises»


def nothing_is_shared(proof: Proof) -> Iterator[Problem]:
    """No probe of one seed is asked with another, but those of checks that say why."""
    for chapter in proof.chapters:
        suites = [proof.course.checks(chapter, seed) for seed in (proof.seed, *OTHERS)]
        named = [{c.id: set(map(name, c.probes)) for c in suite} for suite in suites]
        for (one, mine), (_, others) in combinations(zip(suites, named, strict=True), 2):
            asked = set().union(*others.values())
            same = {id for id, names in mine.items() if names & asked}
            for check in one:
                if check.id in same and not check.fixed:
                    what = "asks the same with two seeds"
                    yield Problem(check.id, what, "draw its inputs, or say in `fixed` why not")
            worth = sum(e.points for e in chapter.exercises)
            most = sum(earned(e, one, same) for e in chapter.exercises)
            if most >= MOST * worth and most:
                what = f"{most:g} of {worth:g} points for what every seed asks"
                yield Problem(chapter.id, what, "draw more of its inputs")


def earned(exercise: Exercise, checks: list[Check], passed: set[str]) -> float:
    """The points of an exercise of which these checks pass."""
    # Of a row only what a score is made of.
    row = cast("ExerciseRow", {"id": exercise.id, "points": exercise.points})
    verdict = ExerciseVerdict(row, exercise.given)
    verdict.checks = [
        CheckVerdict(cast("CheckRow", {"weight": c.weight}), PASSED if c.id in passed else FAILED)
        for c in checks
        if c.exercise == exercise.id
    ]
    return verdict.score if verdict.checks else 0.0


def name(probe: Probe) -> str:
    """Names a probe by all that is sent of it."""
    arrays = Arrays()
    args = plain_args(list(probe.args), arrays)
    told = repr((probe.program, args, arrays.index)).encode()
    return hashlib.sha256(told + bytes(arrays.data)).hexdigest()


def nothing_is_replayed(proof: Proof) -> Iterator[Problem]:
    """What right code gave with one seed, handed in for another, probe by probe in their order."""
    known, secret = proof.key, proof.key_of(OTHERS[0])
    for chapter in proof.chapters:
        found = replayed(known.chapter(chapter.id), secret.chapter(chapter.id))
        worth = sum(exercise.points for exercise in chapter.exercises)
        for id, points in found:
            if points:
                proof.notes.append(f"{id}: {points:g} of the {worth:g} points of {chapter.id}")
            if points > MOST_REPLAYED * worth:
                what = f"{points:g} of {worth:g} points for the answers of another seed"
                yield Problem(id, what, "let the answer of its first check depend on the seed")


def replayed(known: ChapterKey, asked: ChapterKey) -> Iterator[tuple[str, float]]:
    """Exercise → points that the answers in ``known`` earn where ``asked`` is asked."""
    right = {check["id"]: check["probes"] for check in known.checks}
    for exercise in asked.exercises:
        verdict = ExerciseVerdict(exercise, bool(exercise["given"]))
        for check in (c for c in asked.checks if c["exercise"] == verdict.id):
            passed = len(right.get(check["id"], ())) == len(check["probes"]) and all(
                outcome(asked, check, number, answer(known, earlier)).status == PASSED
                for number, earlier in zip(check["probes"], right[check["id"]], strict=True)
            )
            verdict.checks.append(CheckVerdict(check, PASSED if passed else FAILED))
        yield verdict.id, verdict.score


def answer(key: ChapterKey, number: int) -> Observation:
    """What the reference gives for a probe, as if it had come back."""
    return Observation("arrays", {}, key.parts(key.probes[number]["answers"]["reference"]))
