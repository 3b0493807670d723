"""Attribute the failures of a case: find the exercises at fault.

An exercise is *blocked* by another exactly if its failures come right once the other one is right
and all else stays. `attribute` traces the exercises that each failing probe ran; `blame.py` tries
whether the probe comes right without their faults, and weighs the results. If that explains no
failure, `undetected.py` looks for a fault in exercises that passed. No verdict changes here:
`Attribution.apply_to` makes new ones.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from contextlib import closing
from typing import NamedTuple

from ..course.outline import chapter_of, chapters_up_to
from ..reason import Reason, because
from ..sandbox.observation import Observation, line_number
from ..verdict import BLOCKED, PENDING, WRONG
from .blame import Blame, Place, TrialRunner, resolve_blame
from .judge import CheckVerdict, ExerciseVerdict
from .runner import Case, Runner, can_run_again
from .undetected import find_own, find_undetected

SUSPECT = WRONG | {PENDING}  # what is wrong, or not written, may make others fail


class Attribution(NamedTuple):
    """The exercises at fault for the failures of a case."""

    blame: Blame
    given: frozenset[str] = frozenset()  # the given exercises; one that others wait for was edited
    mended: Mapping[Place, Observation] = {}  # probes still wrong without the faults of others
    undetected: frozenset[str] = frozenset()  # exercises at fault that pass their own checks

    def apply_to(self, verdict: ExerciseVerdict) -> ExerciseVerdict:
        """Copy a verdict; checks that fail only by others' wrong code become ``blocked``."""
        blockers = self.blame.blocked.get(verdict.id)
        made = copy.copy(verdict)
        made.checks = [self._check(verdict, check, blockers) for check in verdict.checks]
        if blockers is not None:
            made.blocked_by = blockers
        return made

    def _check(
        self, verdict: ExerciseVerdict, check: CheckVerdict, blockers: list[str] | None
    ) -> CheckVerdict:
        place, made = (verdict.id, check.check["id"]), copy.copy(check)
        if blockers is None:
            blockers = self.blame.exonerated.get(place)
        if blockers is None or check.status not in WRONG:
            return check
        made.status, made.blocked_by = BLOCKED, blockers
        made.reason = self._reason(verdict.id, blockers)
        return made

    def _reason(self, id: str, blockers: list[str]) -> Reason:
        if given := [other for other in blockers if other in self.given]:
            return because("ran_given", " and ".join(given))
        if wrong := [other for other in blockers if other not in self.undetected]:
            return because("ran_several" if wrong[1:] else "ran_wrong", " and ".join(wrong))
        return because("ran_undetected", " and ".join(blockers), id)


def attribute(case: Case, runner: Runner) -> Attribution:
    """Find the exercises at fault for all failures of a case."""
    with closing(BlameAnalysis(case, runner)) as inquiry:
        return inquiry.attribute_faults()


# ---- what fails -----------------------------------------------------------------------------


class BlameAnalysis:
    """Collect verdicts until the blame is settled: of the case, and of exercises that it ran.

    Exercises that failing probes ran are judged too, and what those ran in turn, so that an
    exercise alone is judged as it is among all. So are exercises that a probe reaches once others
    are solved.
    """

    def __init__(self, case: Case, runner: Runner) -> None:
        self.runner = runner
        self.cases = [case]
        self.verdicts = dict(case.verdicts)
        # failing probe → the exercises that it ran or that are missing; and the missing ones alone
        self.ran: dict[Place, frozenset[str]] = {}
        self.missing: dict[Place, frozenset[str]] = {}
        self.undetected: frozenset[str] = frozenset()

    def attribute_faults(self) -> Attribution:
        """Return the attribution to what is wrong; of the failures left, to what passed."""
        self._draw_in(self._trace(self.cases[0]))
        attribution = self._settle()
        left = {at: self.ran[at] for at in self.ran if at[0] not in attribution.blame.blocked}
        self.undetected, relying = find_undetected(self.runner, self.cases, left)
        self.ran |= {place: self.ran[place] - self.undetected for place in relying}
        return self._settle() if self.undetected else attribution

    def _settle(self) -> Attribution:
        """Weigh the blame until no new wrong exercise turns up; return the attribution.

        For example: `sub.backward` fails, and ran `negate`, so that is judged too, and is wrong.
        With the reference's `negate` put in, `sub.backward` runs on into `mul`, which nothing had
        run: `mul` is judged. If it is right, the attribution stands; if it is wrong, everything is
        weighed once more, with `mul` among the suspects.
        """
        while True:
            attribution, ran_on = self._weigh()
            known = set(self.verdicts)
            self._draw_in(ran_on)
            found = {self.verdicts[id].status for id in self.verdicts.keys() - known}
            if not found & SUSPECT:
                return attribution

    def close(self) -> None:
        """End the workers of the further cases."""
        for case in self.cases[1:]:
            case.close()

    def _trace(self, case: Case) -> set[str]:
        """Return the exercises that a case's failing probes ran or lack; remember them by probe."""
        missing, traced = self._find_missing(case), trace_case(case)
        ran = {place: ids | missing for place, ids in traced.items()}
        self.missing |= {place: missing - ids for place, ids in traced.items()}
        self.ran |= ran
        return {id for ids in ran.values() for id in ids}

    def _find_missing(self, case: Case) -> frozenset[str]:
        """Return the exercises up to a case's chapter that lack a definition, which no trace shows.

        If `Linear.__init__` is misspelt, `Linear(3, 2)` is a TypeError of whatever calls it.
        """
        earlier = chapters_up_to(case.chapter.id, list(self.runner.key.chapters))
        owners = case.places.owners.items() if case.wrong else ()
        missing = {id for target, id in owners if case.places.is_missing(target)}
        return frozenset(id for id in missing if chapter_of(id) in earlier)

    def _draw_in(self, ids: set[str]) -> None:
        """Judge these exercises too, and those that their failing probes ran."""
        while others := self.runner.open_dependency_cases(
            ids - set(self.verdicts), self.cases[0].session
        ):
            self.cases += others
            ids = set()
            for case in others:
                self.runner.run_case(case)
                self.verdicts.update(case.verdicts)
                ids |= self._trace(case)

    def _weigh(self) -> tuple[Attribution, set[str]]:
        """Decide the blame by the verdicts so far; return it, and the exercises that trials ran."""
        verdicts = self.verdicts
        suspects = {id for id, v in verdicts.items() if v.status in SUSPECT}
        suspects |= self._edited() | self.undetected
        dependencies = {place: (ids - {place[0]}) & suspects for place, ids in self.ran.items()}
        repair = TrialRunner(self.runner, self.cases, dependencies)
        blame = resolve_blame(
            verdicts, dependencies, suspects, self.runner.order, repair.try_out, self.missing
        )
        given = frozenset(id for id, v in verdicts.items() if v.given)
        return Attribution(blame, given, repair.still_wrong, self.undetected), repair.ran

    def _edited(self) -> frozenset[str]:
        """Return the given exercises that failing probes ran and that differ from the release."""
        rows = (e for case in self.cases for e in case.chapter.exercises)
        given = self.runner.given | {e["id"] for e in rows if e["given"]}
        asked = {id for ids in self.ran.values() for id in ids} & given
        return find_own(self.runner, asked)


def trace_case(case: Case) -> dict[Place, frozenset[str]]:
    """Trace the exercises that each failing probe ran; of a hung one, only where it stopped."""
    failing = {n for v in case.wrong for n in v.failing if can_run_again(case.run, n)}
    case.session.trace(sorted(failing))
    return {(v.id, number): _trace(case, number) for v in case.wrong for number in v.failing}


def _trace(case: Case, number: int) -> frozenset[str]:
    """Return the exercises whose targets a probe entered, and the one in which it ended."""
    entered = case.places.exercises_entered(case.run.entered.get(number, set()))
    texts = case.run.observations[number].texts
    line = line_number(texts.get("line", ""))
    around = case.places.exercise_around(texts["file"], line) if texts.get("file") else None
    return frozenset(entered | {around} if around is not None else entered)
