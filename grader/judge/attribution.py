"""Whose fault is what fails in a case? The one place that is asked, and what it answers.

An exercise is *blocked* by another exactly when what fails in it comes right once the other one is
right and all else stays. `attribute` traces what each failing probe ran (`dependency.py`), tries
out whether it comes right without others' faults (`repair.py`), and weighs what that tells
(`blame.py`). It changes no verdict: `Attribution.apply_to` makes new ones.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import NamedTuple

from ..sandbox.observation import Observation
from ..verdict import BLOCKED, PENDING, WRONG
from .blame import Blame, Lean, Place, weigh_blame
from .dependency import Ran, find_edited, find_leans, trace_case
from .judge import CheckVerdict, ExerciseVerdict
from .repair import DefinitionRepair
from .runner import Case, Runner, read_formulas


class Attribution(NamedTuple):
    """What is at fault, of all that fails in a case.

    Attributes:
        blame: who waits for whom.
        given: those who are waited for and were given: they were edited.
        mended: (exercise, probe) → what it gave without the faults of others, where that was
            not right either.
    """

    blame: Blame
    given: frozenset[str]
    mended: Mapping[Place, Observation]

    def apply_to(self, verdict: ExerciseVerdict) -> ExerciseVerdict:
        """The same verdict with what merely leans on others' wrong code as ``blocked``."""
        blockers = self.blame.blocked.get(verdict.id)
        made = copy.copy(verdict)
        made.checks = [self._check(verdict.id, check, blockers) for check in verdict.checks]
        made.blocked_by = verdict.blocked_by if blockers is None else blockers
        return made

    def _check(self, id: str, check: CheckVerdict, blockers: list[str] | None) -> CheckVerdict:
        if blockers is None:
            blockers = self.blame.spared.get((id, check.check["id"]))
        if blockers is None or check.status not in WRONG:
            return check
        made = copy.copy(check)
        made.status, made.blocked_by, made.says = BLOCKED, blockers, self._sentence(blockers)
        return made

    def _sentence(self, blockers: list[str]) -> str:
        given = [id for id in blockers if id in self.given]
        if given:
            return (
                f"It ran {' and '.join(given)}, which was given, and has been changed; put that "
                "back first."
            )
        which = "which is" if len(blockers) == 1 else "which are"
        return f"It ran {' and '.join(blockers)}, {which} wrong; fix that first."


NOBODY = Attribution(Blame({}, {}), frozenset(), {})


def attribute(case: Case, runner: Runner) -> Attribution:
    """Find out what is at fault for all that fails in a case.

    Args:
        runner: has further exercises judged, and probes run on packages that are put right.
    """
    inquiry = Inquiry(case, runner)
    try:
        return inquiry.conclude()
    finally:
        inquiry.close()


class Inquiry:
    """All that is known so far: the case, and those of the exercises that it ran.

    Exercises that failing probes ran are judged too, and what theirs ran, so that one exercise
    alone is judged as it is among all; and where they run on once others are solved, what they
    run into.
    """

    def __init__(self, case: Case, runner: Runner) -> None:
        self.runner = runner
        self.cases = [case]
        self.verdicts = dict(case.verdicts)
        self.ran: Ran = {}

    def conclude(self) -> Attribution:
        """Weigh all that is known, until that brings up nothing further that is wrong.

        For example: `sub.backward` fails, and ran `negate`, so that is judged too, and is wrong.
        With the reference's `negate` put in, `sub.backward` runs on into `mul`, which nothing had
        run: it is drawn in. Is it right, then nobody else can be at fault; is it wrong, then
        everything is weighed once more, with `mul` among the suspects.
        """
        self._draw_in(self._trace(self.cases[0]))
        while True:
            attribution, ran_on = self._weigh()
            known = set(self.verdicts)
            self._draw_in(ran_on)
            if not any(self.verdicts[id].status in WRONG for id in self.verdicts.keys() - known):
                return attribution

    def close(self) -> None:
        """End the workers of what was drawn in."""
        for case in self.cases[1:]:
            case.close()

    def _trace(self, case: Case) -> set[str]:
        """What a case's failing probes ran; it is remembered by probe."""
        ran = trace_case(case)
        self.ran |= ran
        return {id for ids in ran.values() for id in ids}

    def _draw_in(self, ids: set[str]) -> None:
        """Judge these too, and what failing probes of theirs ran."""
        while others := self.runner.open_further(ids - set(self.verdicts), self.cases[0].session):
            self.cases += others
            if sum(v.status in WRONG for v in self.verdicts.values()) > 1:
                for case in others:  # they will be needed, and the workers are only starting
                    read_formulas(case.chapter)
            ids = set()
            for case in others:
                self.runner.run_case(case)
                self.verdicts.update(case.verdicts)
                ids |= self._trace(case)

    def _weigh(self) -> tuple[Attribution, set[str]]:
        """Who waits for whom, as far as is known what is wrong; and what was run on into."""
        runner, verdicts = self.runner, self.verdicts
        suspects = {id for id, v in verdicts.items() if v.status in WRONG | {PENDING}}
        suspects |= find_edited(
            self.cases, self.ran, runner.given, runner.package.files, runner.reference
        )
        repair = self._repair()
        leans: dict[Place, Lean] = {}
        mended: dict[Place, Observation] = {}
        for case in self.cases:
            found = find_leans(case, self.ran, suspects)
            leans |= found.leans
            mended |= found.mended
        blame = weigh_blame(verdicts, leans, suspects, runner.order, repair.comes_right)
        given = frozenset(id for id, v in verdicts.items() if v.given)
        return Attribution(blame, given, {**mended, **repair.mended}), repair.ran

    def _repair(self) -> DefinitionRepair:
        """What puts the reference's definitions in, where they may be read."""
        runner = self.runner
        before: dict[str, dict[int, Observation]] = {}
        for case in self.cases:
            before.setdefault(case.chapter.id, {}).update(case.run.observations)
        return DefinitionRepair(
            runner.package.files,
            runner.targets,
            runner.reference,
            runner.run_on,
            [(case.chapter, verdict) for case in self.cases for verdict in case.wrong],
            before,
        )
