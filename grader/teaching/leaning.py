"""On whose code does each failing probe lean? By trial where a formula speaks, else by what it ran.

Where no formula speaks of an exercise's calls (`Tensor.backward`, a layer's `__init__`), it
counts as leant on if it is wrong and the probe ran it: nobody can say more.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..judge.blame import Lean
from ..judge.judge import ExerciseVerdict
from ..key.file import ChapterKey
from ..session.observation import Observation, Run
from ..session.session import Session
from .calls import kind_of
from .repair import Repair, Trial

NOT_AGAIN = ("TimeUp", "MemoryError", "Skipped")


def can_run_again(run: Run, number: int) -> bool:
    """Whether a probe can be run once more without hanging or killing the worker."""
    got = run.observations[number]
    return got.kind in ("arrays", "raised", "complained") and got.texts.get("type") not in NOT_AGAIN


class Leaning:
    """Works out the leans of one chapter's wrong exercises.

    Args:
        targets: definition → its exercise, of the whole course.
        suspects: the exercises that are wrong or not written.

    Attributes:
        leans: (exercise, probe) → what it leans on.
        mended: (exercise, probe) → what came back with others' wrong calls put right, where that
            was not right either: what is its own.
    """

    def __init__(
        self, session: Session, chapter: ChapterKey, targets: Mapping[str, str], suspects: set[str]
    ) -> None:
        self.repair = Repair(session, chapter, targets)
        self.targets = targets
        self.suspects = suspects
        self.leans: dict[tuple[str, int], Lean] = {}
        self.mended: dict[tuple[str, int], Observation] = {}

    def look_into(
        self,
        verdict: ExerciseVerdict,
        run: Run,
        entered: Mapping[tuple[str, int], set[str]],
        ended: Mapping[tuple[str, int], str],
        verdicts: Mapping[str, ExerciseVerdict],
    ) -> None:
        """Find out about every failing probe of one exercise."""
        ran = {n: entered.get((verdict.id, n), set()) - {verdict.id} for n in verdict.failing}
        others = {n: ids & self.suspects for n, ids in ran.items()}
        trials = self._trials(verdict, run, others)
        for number, ids in others.items():
            place = verdict.id, number
            waits_for: frozenset[str] = frozenset()
            if ended.get(place, verdict.id) != verdict.id:
                waits_for = frozenset(id for id in ran[number] if id in verdicts)
            trial = trials.get(number)
            if trial is None or not trial.is_over:
                self.leans[place] = Lean(maybe=frozenset(ids), waits_for=waits_for)
                continue
            if trial.blamed is None and trial.instead and trial.got is not None:
                self.mended[place] = trial.got
            self.leans[place] = Lean(
                frozenset(trial.blamed or ()),
                frozenset(id for id in ids if id in trial.silent or not self._is_known(id)),
                frozenset(trial.owner.values()),
                waits_for,
            )

    def _trials(
        self, verdict: ExerciseVerdict, run: Run, others: Mapping[int, set[str]]
    ) -> dict[int, Trial]:
        known = {n: {id for id in ids if self._is_known(id)} for n, ids in others.items()}
        known = {n: ids for n, ids in known.items() if ids and can_run_again(run, n)}
        trials = self.repair.trials(verdict, known) if known else []
        return {trial.number: trial for trial in trials}

    def _is_known(self, id: str) -> bool:
        """Whether formulas speak of all that this exercise has the learner write."""
        mine = [target for target, owner in self.targets.items() if owner == id]
        return bool(mine) and all(map(kind_of, mine))
