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
        broken = cache(partial(_broken_by, runner, case, hopeful, passed))
        innocent = {hopeful[n].id for n in broken(passed)}
        relying |= {(v.id, n) for n, v in hopeful.items() if v.id not in innocent}
        for n in sorted(broken(passed)):
            ids = trials.dependencies[hopeful[n].id, n]
            trial = partial(trials.try_out, hopeful[n], n)
            while not trial(ids & found).is_right and n in broken(ids - found):
                found.update(_narrow(n, broken, sorted(ids - found)))
    return frozenset(found), relying


def find_own(runner: Runner, ids: Container[str]) -> frozenset[str]:
    """Return those of these exercises that differ from the reference; none if it is not at hand."""
    owners = {target: id for target, id in runner.targets.items() if id in ids}
    if not owners or runner.reference is None:
        return frozenset()
    return frozenset(find_edited(owners, runner.package.files, runner.reference()))


def _broken_by(
    runner: Runner, case: Case, hopeful: Mapping[int, ExerciseVerdict], passed: frozenset[str],
    some: frozenset[str],
) -> set[int]:  # fmt: skip
    """Return the probes that are wrong with all solved but some of those that passed.

    All probes before them run again, too: a fault may show from the tenth call on.
    """
    ids = find_own(runner, {v.id for v in hopeful.values()}) | passed - some
    if not ids or not hopeful or runner.reference is None:
        return {*hopeful}  # as wrong as they were
    files = with_solved(runner.package.files, runner.targets, runner.reference(), ids)
    before = [n for n in case.run.observations if n < max(hopeful) and can_run_again(case.run, n)]
    asked = sorted({*before, *hopeful}) if files else []
    found = runner.run_probes_on(case.session, case.chapter, asked, files or {}, lambda *_: True)
    got = {n: found[n][0] for n in hopeful if n in found}
    wrong = {n for n, each in got.items() if is_mended(case, hopeful[n], n, each) is False}
    # A call that returned nothing is wrong, too: for that, no reference fails to fit.
    return wrong | {n for n in got if "'NoneType' object" in got[n].texts.get("message", "")}


def _narrow(number: int, broken: Callable[[frozenset[str]], set[int]], ids: list[str]) -> list[str]:
    """Halve these exercises, as long as one half breaks a probe with all else solved."""
    halves = (ids[: len(ids) // 2], ids[len(ids) // 2 :]) if ids[1:] else ()
    half = next((half for half in halves if number in broken(frozenset(half))), None)
    return ids if half is None else _narrow(number, broken, half)
