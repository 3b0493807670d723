"""Does an exercise wait for one that is not written, or would it fail with that one right, too?

`out_grad @ b` in `Mul.backward` runs into the stub of `__matmul__`, and is wrong all the same.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..course.key_file import ChapterKey
from ..sandbox.observation import Run
from ..sandbox.session import Session
from ..verdict import BLOCKED, CRASHED, PENDING, WRONG
from .call_repair import Repair, Trial
from .dependency import can_run_again
from .judge import CheckVerdict, ExerciseVerdict, said
from .outcome import Outcome, outcome
from .true_calls import kind_of

WITH_IT = "(With {} put right, which is not written yet.)"


def look_again(
    session: Session,
    chapter: ChapterKey,
    targets: Mapping[str, str],
    verdict: ExerciseVerdict,
    run: Run,
) -> None:
    """Where a check would fail with the others written as well, it has failed; in place."""
    known = {id for id in verdict.blocked_by if _is_known(id, targets)}
    waiting = {n for c in verdict.checks for n in c.waiting if can_run_again(run, n)}
    waiting &= session.limits.keys()  # in a class, it may know of public probes only
    if not known or not waiting or any(c.status in WRONG for c in verdict.checks):
        return
    for check in verdict.checks:
        check.failing = list(check.waiting)
    repair = Repair(session, chapter, targets)
    trials = repair.of(verdict, dict.fromkeys(sorted(waiting), known))
    repair.finish(trials)
    for check in verdict.checks:
        check.failing = []
    for trial in trials:
        found = _own_fault(chapter, targets, trial, known)
        if found is not None and trial.got is not None:
            run.observations[trial.number] = trial.got
            for check in trial.checks:
                _fail(chapter, check, trial, found, sorted(known))
    verdict.blocked_by = sorted({id for check in verdict.checks for id in check.blocked_by})


def _is_known(id: str, targets: Mapping[str, str]) -> bool:
    return all(kind_of(target) for target, owner in targets.items() if owner == id)


def _own_fault(
    chapter: ChapterKey, targets: Mapping[str, str], trial: Trial, known: set[str]
) -> Outcome | None:
    """How it ends with the others put right, if it is wrong even then; else None."""
    if trial.blamed is not None or not trial.is_over or trial.got is None:
        return None
    check = trial.checks[0].check
    found = outcome(chapter, check, trial.number, trial.got)
    if found.status == PENDING and not trial.instead:
        names = " or ".join(sorted(f"`{said(t)}`" for t, id in targets.items() if id in known))
        says = f"It calls {names} with something that it is not made for, written or not."
        return found._replace(status=CRASHED, says=says)
    return found if found.status in WRONG else None


def _fail(
    chapter: ChapterKey, check: CheckVerdict, trial: Trial, found: Outcome, known: list[str]
) -> None:
    if check.status != BLOCKED:
        return
    mine = outcome(chapter, check.check, trial.number, trial.got) if trial.got else found
    check.outcome = mine if mine.status in WRONG else found
    check.status, check.says, check.probe = check.outcome.status, check.outcome.says, trial.number
    check.failing, check.blocked_by = [trial.number], []
    if trial.instead:
        check.notes.append(WITH_IT.format(" and ".join(known)))
