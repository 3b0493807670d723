"""On whose code does each failing probe lean? By trial where a formula speaks, else by what it ran.

Where no formula speaks of an exercise's calls (`Tensor.backward`, a layer's `__init__`), it
counts as leant on if it is wrong and the probe ran it: nobody can say more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..course.key_file import ChapterKey
from ..sandbox.observation import Observation, Run, line_number
from ..sandbox.session import Session
from .blame import Lean
from .call_repair import Repair, Trial
from .judge import ExerciseVerdict
from .true_calls import kind_of

Place = tuple[str, int]  # an exercise, and a probe of it that fails
NOT_AGAIN = ("TimeUp", "MemoryError", "Skipped")


def can_run_again(run: Run, number: int) -> bool:
    """Whether a probe can be run once more without hanging or killing the worker."""
    got = run.observations[number]
    return got.kind in ("arrays", "raised", "complained") and got.texts.get("type") not in NOT_AGAIN


def trace(case: Any) -> None:
    """What each failing probe of a `Case` ran; and where it raised, or was when time was up,
    which is all that is known of one that hung."""
    failing = {n for v in case.wrong for n in v.failing if can_run_again(case.run, n)}
    case.session.trace(sorted(failing))
    for verdict in case.wrong:
        for number in verdict.failing:
            ran = case.places.entered(case.run.entered.get(number, set()))
            texts = case.run.observations[number].texts
            if texts.get("file"):
                around = case.places.around(texts["file"], line_number(texts.get("line", "")))
                if around is not None:
                    ran = ran | {around}
                    case.ended[verdict.id, number] = around
            case.entered[verdict.id, number] = ran


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
        self.leans: dict[Place, Lean] = {}
        self.mended: dict[Place, Observation] = {}
        self._known: dict[str, bool] = {}

    def look_into(
        self,
        wrong: Sequence[ExerciseVerdict],
        run: Run,
        entered: Mapping[Place, set[str]],
        ended: Mapping[Place, str],
        verdicts: Mapping[str, ExerciseVerdict],
    ) -> None:
        """Find out about every failing probe of these exercises."""
        ran = {(v.id, n): entered.get((v.id, n), set()) - {v.id} for v in wrong for n in v.failing}
        others = {place: ids & self.suspects for place, ids in ran.items()}
        trials = self._trials(wrong, run, others)
        for place, ids in others.items():
            waits_for: frozenset[str] = frozenset()
            if ended.get(place, place[0]) != place[0]:
                waits_for = frozenset(id for id in ran[place] if id in verdicts)
            trial = trials.get(place)
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
        self, wrong: Sequence[ExerciseVerdict], run: Run, others: Mapping[Place, set[str]]
    ) -> dict[Place, Trial]:
        trials: list[Trial] = []
        for verdict in wrong:
            known = {
                number: known
                for number in verdict.failing
                if can_run_again(run, number)
                and (known := set(filter(self._is_known, others[verdict.id, number])))
            }
            trials += self.repair.of(verdict, known) if known else []
        self.repair.finish(trials)
        return {(trial.verdict.id, trial.number): trial for trial in trials}

    def _is_known(self, id: str) -> bool:
        """Whether formulas speak of all that this exercise has the learner write."""
        if id not in self._known:
            mine = [target for target, owner in self.targets.items() if owner == id]
            self._known[id] = bool(mine) and all(map(kind_of, mine))
        return self._known[id]
