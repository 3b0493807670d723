"""Find undetected faults: an exercise passes its own checks, and makes a right one fail.

Say that the second call of `Tensor.backward` does nothing, and no check of its own calls it twice.
Then a right `Adam.step` fails, and nothing that is wrong explains it. So the reference is put in
the place of what passed and ran, and then in the place of all but the one in question:

    a failing probe of A             with B solved     with A and all but B solved
    B has an undetected fault        comes right       is still wrong
    A relies on an unpromised thing  comes right       comes right
    A has a fault of its own         is still wrong    (not asked)
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from functools import cache, partial
from typing import NamedTuple

from ..course.splice import find_edited, with_solved
from ..verdict import PASSED
from .blame import Place, TrialRunner, is_mended
from .judge import ExerciseVerdict
from .runner import Case, Runner, can_run_again


def find_undetected(
    runner: Runner, cases: list[Case], ran: Mapping[Place, frozenset[str]]
) -> tuple[frozenset[str], set[Place]]:
    """Return exercises that passed and make others fail, and probes that fail for no such fault.

    Args:
        ran: failing probes that nothing explains → the exercises that they ran.
    """
    asked = {id for ids in ran.values() for id in ids}
    verdicts = [v for case in cases for v in case.verdicts.values() if v.id in asked]
    passed = find_own(runner, {v.id for v in verdicts if v.status == PASSED})
    trials = TrialRunner(runner, cases, {place: ids & passed for place, ids in ran.items()})
    found, relying = set[str](), set[Place]()
    for case in cases if passed else ():
        hopeful = {
            n: v
            for v in case.wrong
            for n in v.failing
            if trials.dependencies.get((v.id, n)) and trials.try_out(v, n, passed).is_right
        }
        leave = cache(partial(_solve_all_but, runner, case, hopeful, passed))
        innocent = {hopeful[n].id for n in leave(passed).wrong}
        relying |= {(v.id, n) for n, v in hopeful.items() if v.id not in innocent}
        for n in sorted(leave(passed).wrong):
            ids = trials.dependencies[hopeful[n].id, n]
            trial = partial(trials.try_out, hopeful[n], n)
            while not trial(ids & found).is_right and n in leave(ids - found).wrong:
                found.update(_narrow(n, leave, sorted(ids - found)))
    return frozenset(found), relying


def find_own(runner: Runner, ids: Container[str]) -> frozenset[str]:
    """Return those of these exercises that differ from the reference; none if it is not at hand."""
    owners = {target: id for target, id in runner.targets.items() if id in ids}
    if not owners or runner.reference is None:
        return frozenset()
    return frozenset(find_edited(owners, runner.package.files, runner.reference()))


class Left(NamedTuple):
    """The outcome of probes with all exercises solved but some."""

    wrong: set[int]  # probes
    ran: Mapping[int, frozenset[str]]  # probe → exercises


def _solve_all_but(
    runner: Runner, case: Case, hopeful: Mapping[int, ExerciseVerdict], passed: frozenset[str],
    some: frozenset[str],
) -> Left:  # fmt: skip
    """Run these probes with all solved but some of those that passed.

    All probes before them run again, too: a fault may show from the tenth call on.
    """
    ids = find_own(runner, {v.id for v in hopeful.values()}) | passed - some
    if not ids or not hopeful or runner.reference is None:
        return Left({*hopeful}, {})  # as wrong as they were
    files = with_solved(runner.package.files, runner.targets, runner.reference(), ids)
    before = [n for n in case.run.observations if n < max(hopeful) and can_run_again(case.run, n)]
    asked = sorted({*before, *hopeful}) if files else []
    run = partial(runner.run_probes_on, case.session, case.chapter, asked, files or {})
    found = run(lambda n, got: n not in hopeful)
    got = {n: found[n][0] for n in hopeful if n in found}
    wrong = {n for n, each in got.items() if is_mended(case, hopeful[n], n, each) is False}
    # A call that returned nothing is wrong, too: for that, no reference fails to fit.
    wrong |= {n for n in got if "'NoneType' object" in got[n].texts.get("message", "")}
    return Left(wrong, {n: found[n][1] for n in got})


def _narrow(number: int, leave: Callable[[frozenset[str]], Left], ids: list[str]) -> list[str]:
    """Return which of these exercises break a probe with all else solved: as few as possible.

    An unusual `sub` calls a faulty `negate`: the probe is right with either of them solved. With
    `negate` solved `sub` still runs, but not the other way round: so `sub` may be right.
    """
    size = len(ids)
    while size := size // 2:
        for at in range(0, len(ids), size):
            fewer = ids[:at] + ids[at + size :]
            if number in leave(frozenset(fewer)).wrong:
                return _narrow(number, leave, fewer)
    others = {id: frozenset(ids) - {id} for id in ids if ids[1:]}
    return [id for id in others if others[id] <= leave(others[id]).ran[number]] or ids
