"""On whose code does each failing probe lean? By trial where a formula speaks, else by what it ran.

Where no formula speaks of an exercise's calls (`Tensor.backward`, a layer's `__init__`), it
counts as leant on if it is wrong and the probe ran it: nobody can say more. Code that was given
counts as wrong where it was edited, and a stub is asked what waits for it: `out_grad @ b` in
`Mul.backward` runs into the stub of `__matmul__`, and is wrong all the same.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from ..course.key_file import ChapterKey
from ..sandbox.observation import Definition, Observation, line_number
from ..sandbox.session import Session
from ..verdict import BLOCKED, CRASHED, PENDING, WRONG
from .blame import Lean, Place
from .judge import CheckVerdict, ExerciseVerdict, short_name
from .outcome import Outcome, outcome
from .repair import CallRepair, Trial
from .runner import Case, can_run_again
from .true_calls import kind_of

WITH_IT = "(With {} put right, which is not written yet.)"
Targets = Mapping[str, str]  # definition → its exercise
Ran = dict[Place, frozenset[str]]  # failing probe → the exercises that it ran


# ---- what a probe ran -----------------------------------------------------------------------


def trace_case(case: Case) -> Ran:
    """Which exercises each failing probe of a case ran; of one that hung, only where it was."""
    failing = {n for v in case.wrong for n in v.failing if can_run_again(case.run, n)}
    case.session.trace(sorted(failing))
    return {(v.id, number): _trace(case, number) for v in case.wrong for number in v.failing}


def _trace(case: Case, number: int) -> frozenset[str]:
    """The exercises whose targets a probe entered, and in whose code it raised or was stopped."""
    entered = case.places.exercises_entered(case.run.entered.get(number, set()))
    texts = case.run.observations[number].texts
    line = line_number(texts.get("line", ""))
    around = case.places.exercise_around(texts["file"], line) if texts.get("file") else None
    return frozenset(entered | {around} if around is not None else entered)


# ---- on whom it leans -----------------------------------------------------------------------


class Leaning(NamedTuple):
    """On whom a case's failing probes lean.

    Attributes:
        leans: a lean for each of them.
        mended: what came back with others' wrong calls put right, where that was not right
            either: what is its own.
    """

    leans: dict[Place, Lean]
    mended: dict[Place, Observation]


def find_leans(case: Case, ran: Ran, suspects: set[str]) -> Leaning:
    """Find out about every failing probe of a case.

    Args:
        suspects: the exercises that are wrong or not written, and given ones that were edited.
    """
    mine = [(v.id, n) for v in case.wrong for n in v.failing]
    suspected = {place: (ran[place] - {place[0]}) & suspects for place in mine}
    trials = _try_calls(case, suspected)
    found = Leaning({}, {})
    for place, ids in suspected.items():
        trial = trials.get(place)
        found.leans[place] = _lean(case.owners, ids, trial)
        if trial is not None and trial.is_over and trial.is_own and trial.got is not None:
            found.mended[place] = trial.got
    return found


def _lean(targets: Targets, ids: frozenset[str], trial: Trial | None) -> Lean:
    """What a trial tells of the suspects that a probe ran."""
    if trial is None or not trial.is_over:
        return Lean(maybe=ids)
    silent = frozenset(id for id in ids if id in trial.silent or not has_formulas(id, targets))
    return Lean(frozenset(trial.blamed or ()), silent, frozenset(trial.owner.values()))


def _try_calls(case: Case, suspects: Mapping[Place, frozenset[str]]) -> dict[Place, Trial]:
    """A trial for each failing probe that ran suspects of whose calls formulas speak."""
    known = {id: has_formulas(id, case.owners) for ids in suspects.values() for id in ids}
    repair = CallRepair(case.session, case.chapter, case.owners)
    trials: list[Trial] = []
    for verdict in case.wrong:
        mine = {
            number: spoken_of
            for number in verdict.failing
            if can_run_again(case.run, number)
            and (spoken_of := {id for id in suspects[verdict.id, number] if known[id]})
        }
        trials += repair.trials_of(verdict, mine) if mine else []
    repair.finish(trials)
    return {(trial.verdict.id, trial.number): trial for trial in trials}


def has_formulas(id: str, targets: Targets) -> bool:
    """Whether formulas speak of all that this exercise has the learner write."""
    mine = [target for target, owner in targets.items() if owner == id]
    return bool(mine) and all(map(kind_of, mine))


# ---- given code that was edited -------------------------------------------------------------


def find_edited(
    cases: Sequence[Case],
    ran: Ran,
    given: set[str],
    files: Mapping[str, bytes],
    reference: Callable[[], Mapping[str, str]] | None,
) -> set[str]:
    """The given exercises that failing probes ran, and that read otherwise than handed out."""
    given = given | {e["id"] for case in cases for e in case.chapter.exercises if e["given"]}
    asked = {id for ids in ran.values() for id in ids} & given
    if not asked or reference is None:
        return set()
    definitions = {t: d for case in cases for t, d in case.run.definitions.items()}
    return _read_otherwise(asked, cases[0].owners, definitions, files, reference())


def _read_otherwise(
    ids: Iterable[str],
    targets: Targets,
    definitions: Mapping[str, Definition],
    files: Mapping[str, bytes],
    reference: Mapping[str, str],
) -> set[str]:
    """Those of these given exercises that read otherwise than they were handed out.

    Args:
        definitions: those of the learner's package.
        reference: the reference's files, without markers.
    """
    wanted, found = set(ids), set[str]()
    for name, place in definitions.items():
        owner = targets.get(name) or targets.get(name.rpartition(".")[0])
        if owner in wanted - found and place.file in reference:
            lines = files[place.file].decode("utf-8", "replace").splitlines()
            own = "".join(f"{line.rstrip()}\n" for line in lines[place.first - 1 : place.last])
            if own not in reference[place.file] and _differs(own, name, reference[place.file]):
                found.add(str(owner))
    return found


def _differs(own: str, name: str, right: str) -> bool:
    """Whether more than spaces, comments and docstrings are different."""
    from ..course.splice import pieces
    from ..course.target import plain

    known = pieces(right)
    parts = name.split(".")
    piece = next((known[n] for i in range(len(parts)) if (n := ".".join(parts[i:])) in known), None)
    if piece is None or piece.kind == "class":
        return False
    mine = plain(textwrap.dedent(own))
    return not mine or mine != plain(textwrap.dedent(piece.text))


# ---- who waits for a stub -------------------------------------------------------------------


def look_again(session: Session, case: Case, verdict: ExerciseVerdict) -> None:
    """Where a check would fail with the stubs written as well, it has failed; in place.

    Args:
        session: the one whose words may be read; in a class, it may know of public probes only.
    """
    known = {id for id in verdict.blocked_by if has_formulas(id, case.owners)}
    waiting = {n for c in verdict.checks for n in c.waiting if can_run_again(case.run, n)}
    waiting &= session.limits.keys()
    if not known or not waiting or any(c.status in WRONG for c in verdict.checks):
        return
    for check in verdict.checks:
        check.failing = list(check.waiting)
    repair = CallRepair(session, case.chapter, case.owners)
    trials = repair.trials_of(verdict, dict.fromkeys(sorted(waiting), known))
    repair.finish(trials)
    for check in verdict.checks:
        check.failing = []
    for trial in trials:
        fault = _own_fault(case, trial, known)
        if fault is not None and trial.got is not None:
            case.run.observations[trial.number] = trial.got
            for check in trial.checks:
                _fail(case.chapter, check, trial, fault, sorted(known))
    verdict.blocked_by = sorted({id for check in verdict.checks for id in check.blocked_by})


def _own_fault(case: Case, trial: Trial, known: set[str]) -> Outcome | None:
    """How it ends with the others put right, if it is wrong even then; else None."""
    if trial.blamed is not None or not trial.is_over or trial.got is None:
        return None
    found = outcome(case.chapter, trial.checks[0].check, trial.number, trial.got)
    if found.status == PENDING and not trial.instead:
        mine = (target for target, id in case.owners.items() if id in known)
        names = " or ".join(sorted(f"`{short_name(target)}`" for target in mine))
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
