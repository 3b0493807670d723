"""Weigh blame: an exercise is blocked if its failures come right without the faults of others.

A wrong `Negate` makes a right `Sub.backward` give exactly the numbers of a forgotten minus; no
tolerance tells these apart, but putting `Negate` right does. The exercises that each failing probe
ran were traced before (`grader/judge/attribution.py`); here solutions are tried out and weighed. No
verdict changes: the result says which exercise waits for which.

For example, of three exercises a probe fails each:

    negate.forward   depends on nothing   at fault from the start
    sub.backward     depends on negate    comes right without its fault: blocked by it
    broadcasting     depends on sub       unclear while sub is undecided; once sub is blocked, it is
                                          not at fault, and broadcasting fails by itself

If nothing is known but that ``a`` may depend on ``b``, ``b`` on ``a``, and ``c`` on ``a``, nothing
is settled. The cycle is ``a`` and ``b``, as neither depends on ``c``. The earlier of them, ``a``,
is at fault, and the next round blocks ``b`` and ``c`` by it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from ..course.key_file import ChapterKey
from ..course.splice import with_solved
from ..sandbox.observation import Observation
from ..verdict import WRONG
from .judge import CheckVerdict, ExerciseVerdict
from .outcome import all_equal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..course.key_rows import CheckRow
    from .runner import Case, Runner

Order = Mapping[str, int]  # exercise → its place in the course
Place = tuple[str, int]  # an exercise, and a probe of it that fails
# → the exercises that it ran and that may be at fault
Dependencies = Mapping[Place, frozenset[str]]
Verdicts = Mapping[str, ExerciseVerdict]


class TrialResult(NamedTuple):
    """The result of a failing probe with some exercises solved."""

    is_right: bool | None  # None if unknown
    ran: frozenset[str] = frozenset()  # the exercises that it ran then, if it is not right


NOTHING_MISSING: Dependencies = MappingProxyType({})
Try = Callable[[ExerciseVerdict, int, frozenset[str]], TrialResult]


class Blame(NamedTuple):
    """The exercises and checks that wait for other exercises."""

    blocked: dict[str, list[str]]  # → the exercises at fault for all its failures, in order
    # (exercise with a fault of its own, check of it) → the exercises at fault for that check
    exonerated: dict[tuple[str, str], list[str]]


def resolve_blame(
    verdicts: Verdicts,
    dependencies: Dependencies,
    suspects: set[str],
    order: Order,
    try_out: Try,
    missing: Dependencies = NOTHING_MISSING,
) -> Blame:
    """Decide which of the wrong exercises are blocked, and by which others.

    Args:
        verdicts: of every exercise that is judged, and of those that their failing probes ran.
        suspects: the exercises that are wrong or not written.
        missing: those of the dependencies that no trace shows, since a definition is not there.
    """
    resolver = BlameResolver(dependencies, try_out, missing)
    wrong = sorted((v for v in verdicts.values() if v.status in WRONG), key=lambda v: order[v.id])
    open_ = {
        v.id: v for v in wrong if v.failing and all(dependencies.get((v.id, n)) for n in v.failing)
    }
    at_fault = suspects - set(open_)  # one of their failing probes depends on no suspect
    blame = Blame({}, {})
    while open_:
        found = {id: resolver.find_blockers(v, at_fault, set(open_)) for id, v in open_.items()}
        settled = {id: blockers for id, blockers in found.items() if blockers is not None}
        # If nothing is settled, the earliest of a cycle is at fault. Exercises that only depend on
        # the cycle do not count, so that one exercise alone is judged as it is among all.
        for id, blockers in (
            settled or {_circle(open_, dependencies)[0]: frozenset[str]()}
        ).items():
            del open_[id]
            if blockers:
                blame.blocked[id] = sorted(blockers, key=order.__getitem__)
            else:
                at_fault.add(id)
    for verdict in wrong:
        if verdict.id not in blame.blocked:
            for check, culprits in resolver.exonerated_checks(verdict, at_fault):
                blame.exonerated[verdict.id, check] = sorted(culprits, key=order.__getitem__)
    return blame


class BlameResolver:
    """Decide about one exercise at a time, given the exercises known to be at fault."""

    def __init__(self, dependencies: Dependencies, try_out: Try, missing: Dependencies) -> None:
        self.dependencies = dependencies
        self.try_out = try_out
        self.missing = missing

    def find_blockers(
        self, verdict: ExerciseVerdict, at_fault: set[str], undecided: set[str]
    ) -> frozenset[str] | None:
        """Return the exercises that block this one: none if it is at fault, None while unclear.

        It is at fault if a failing probe depends on no exercise that is at fault or undecided.
        """
        blockers: set[str] = set()
        is_clear = True
        for number in verdict.failing:
            found = self._culprits(verdict, number, at_fault)
            if found:
                blockers |= found
            elif self.dependencies[verdict.id, number] & undecided:
                is_clear = False
            else:
                return frozenset()
        return frozenset(blockers) if is_clear else None

    def exonerated_checks(
        self, verdict: ExerciseVerdict, at_fault: set[str]
    ) -> Iterator[tuple[str, frozenset[str]]]:
        """Yield checks of an exercise at fault that fail by others alone, with those others."""
        for check in verdict.checks:
            if check.status in WRONG and check.failing:
                found = [self._culprits(verdict, n, at_fault, for_sure=True) for n in check.failing]
                if all(found):
                    yield check.check["id"], frozenset().union(*found)

    def _culprits(
        self, verdict: ExerciseVerdict, number: int, at_fault: set[str], for_sure: bool = False
    ) -> frozenset[str]:
        """Return the exercises at fault that make this probe fail; none if it fails by itself.

        An unknown trial counts as blocked by them, unless it must be known ``for_sure``. What is
        missing, and may have nothing to do with the probe, must be.
        """
        place = verdict.id, number
        culprits = self.dependencies.get(place, frozenset()) & at_fault
        if (missing := self.missing.get(place, frozenset()) & culprits) and not for_sure:
            found = self._weigh(verdict, number, culprits, at_fault, for_sure=True)
            return found or self._weigh(verdict, number, culprits - missing, at_fault, for_sure)
        return self._weigh(verdict, number, culprits, at_fault, for_sure)

    def _weigh(
        self, verdict: ExerciseVerdict, number: int, culprits: frozenset[str], at_fault: set[str],
        for_sure: bool,
    ) -> frozenset[str]:  # fmt: skip
        """Return those of the culprits without which the probe fails; none if it fails with all."""
        if not culprits:
            return culprits
        is_right, ran = self.try_out(verdict, number, culprits)
        # Past the solved code, the probe may now reach further exercises at fault.
        while not is_right and (more := ran & at_fault - culprits - {verdict.id}):
            culprits |= more
            is_right, ran = self.try_out(verdict, number, culprits)
        if is_right is False or is_right is None and for_sure:
            return frozenset()
        # It ran the wrong mul and the wrong negate, and passes with both solved. It passes without
        # mul's solution, too: mul is dropped. It fails without negate's: the result is {negate}.
        for id in sorted(culprits) if is_right and len(culprits) > 1 else ():
            if self.try_out(verdict, number, culprits - {id}).is_right:
                culprits -= {id}
        return culprits


def _circle(undecided: Verdicts, dependencies: Dependencies) -> list[str]:
    """Return a smallest set of undecided exercises that depend on no undecided one outside it."""
    onto = {
        id: {o for n in v.failing for o in dependencies[id, n] if o in undecided}
        for id, v in undecided.items()
    }
    reached: dict[str, set[str]] = {}
    for id in onto:
        seen, todo = {id}, [id]
        while todo:
            for other in onto[todo.pop()] - seen:
                seen.add(other)
                todo.append(other)
        reached[id] = seen
    smallest = min(reached, key=lambda id: len(reached[id]))
    return [id for id in undecided if id in reached[smallest]]


# ---- would it come right if another's exercise were right? ------------------------------------
#
# If the reference may be read, its definitions of these exercises are put into the learner's files,
# and the failing probes run once more, in a worker of their own; all else stays the learner's.
# Nothing that this run printed or returned is shown, and it earns no points.

# Probe → its outcome, and the exercises that it ran if that is not right.
Gave = dict[int, tuple[Observation, frozenset[str]]]
# Raised if the reference does not fit the learner's other code: a name is missing. Any other
# exception is wrong.
MISFITS = ("AttributeError", "ImportError", "ModuleNotFoundError", "NameError")


class TrialRunner:
    """Try failing probes with other exercises solved."""

    def __init__(self, runner: Runner, cases: list[Case], dependencies: Dependencies) -> None:
        self.runner = runner
        self.cases = cases  # all reruns share the time of the first one
        self.dependencies = dependencies
        self.still_wrong: dict[Place, Observation] = {}  # outcomes that were still wrong
        self.ran: set[str] = set()  # all exercises that the trials ran
        self._known: dict[tuple[str, frozenset[str]], Gave] = {}

    def try_out(self, verdict: ExerciseVerdict, number: int, ids: frozenset[str]) -> TrialResult:
        """Run this probe with these exercises solved; runs are remembered."""
        if self.runner.reference is None or not ids:
            return TrialResult(None)
        case = next(case for case in self.cases if case.verdicts.get(verdict.id) is verdict)
        chapter = case.chapter
        gave = self._known.setdefault((chapter.id, ids), {})
        if number not in gave:
            gave |= self._run(chapter, ids, number, gave)
        if number not in gave:
            return TrialResult(None)
        got, ran = gave[number]
        is_right = is_mended(case, verdict, number, got)
        if not is_right and got.kind in ("arrays", "complained"):
            self.still_wrong[verdict.id, number] = got
        return TrialResult(is_right, frozenset() if is_right else ran)

    def _run(
        self, chapter: ChapterKey, ids: frozenset[str], number: int, known: Container[int]
    ) -> Gave:
        """Run a probe with these exercises solved, and others that will be asked for as well.

        At first these are the probes that depend on all of the exercises; if it depends on fewer,
        those that depend on one of them.
        """
        runner = self.runner
        assert runner.reference is not None
        files = with_solved(runner.package.files, runner.targets, runner.reference(), ids)
        if files is None:
            return {}
        cases = [case for case in self.cases if case.chapter is chapter]
        mine = [(case, v) for case in cases for v in case.wrong if v.id not in ids]
        failing = {n: (case, v) for case, v in mine for n in v.failing if n not in known}
        shared = {
            n: len(ids & self.dependencies.get((v.id, n), frozenset()))
            for n, (_, v) in failing.items()
        }
        least = 1 if shared.get(number, 0) < len(ids) else len(ids)
        depending = [n for n, count in shared.items() if count >= least]
        found = runner.run_probes_on(
            self.cases[0].session, chapter, sorted(depending if number in depending else failing),
            files, lambda n, got: is_mended(*failing[n], n, got) is True,
        )  # fmt: skip
        self.ran.update(*(ran for _, ran in found.values()))
        return found


def is_mended(case: Case, verdict: ExerciseVerdict, number: int, got: Observation) -> bool | None:
    """Whether a probe that failed is right now; None if the reference does not fit."""
    failed = [check for check in verdict.counted if number in check.failing]
    if matches_answers(case.chapter, number, failed, got):
        return True
    return False if is_own_failure(got) or _alike(got, case.run.observations[number]) else None


def matches_answers(
    chapter: ChapterKey, number: int, checks: list[CheckVerdict], got: Observation
) -> bool:
    """Whether an outcome is right, by the reference, for every check that had failed."""
    if got.kind != "arrays":
        return False

    def is_right(check: CheckRow) -> bool:
        right, mine = (
            chapter.reference_arrays(number, check["part"]),
            got.parts.get(check["part"], []),
        )
        return all_equal(check, mine, right, "finite_difference", loose=True)

    return all(is_right(check.check) for check in checks)


def is_own_failure(got: Observation) -> bool:
    """Whether a wrong outcome is the code's own, and not due to a reference that does not fit."""
    if got.kind == "raised":
        return got.texts.get("type") not in MISFITS and got.texts.get("by") != "import"
    return got.kind in ("arrays", "complained")


def _alike(one: Observation, other: Observation) -> bool:
    """Whether both raised the same in the same file; lines move with what was put in."""
    said = (
        (got.kind, *(got.texts.get(name) for name in ("type", "message", "file", "by")))
        for got in (one, other)
    )
    return one.kind == "raised" and next(said) == next(said)
