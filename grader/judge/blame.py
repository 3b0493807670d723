"""Whose fault is it? An exercise is blocked where what fails comes right without the others.

A wrong `Negate` makes a right `Sub.backward` give exactly the numbers of a forgotten minus; no
tolerance tells these apart, but putting `Negate` right does. What each failing probe leans on
was traced before (`grader/judge/attribution.py`); here it is tried out and weighed. Nothing is
changed: what comes out is who waits for whom.

For example, of three exercises a probe fails each:

    negate.forward   leans on nothing     at fault from the start
    sub.backward     leans on negate      comes right without its fault: blocked by it
    broadcasting     leans on sub         not clear while sub is undecided; once sub is blocked,
                                          it is not at fault, and broadcasting fails by itself

And where nobody can say more than that ``a`` may lean on ``b``, ``b`` on ``a``, and ``c`` on ``a``:
nothing is settled. The circle is ``a`` and ``b``, for neither leans on ``c``. The earlier of them,
``a``, is at fault, and the next round blocks ``b`` and ``c`` by it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from typing import NamedTuple

from ..course.key_file import ChapterKey
from ..course.splice import with_solved
from ..sandbox.observation import Observation
from ..verdict import WRONG
from .judge import CheckVerdict, ExerciseVerdict
from .outcome import are_the_same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..course.key_rows import CheckRow
    from .runner import Case, Runner

Order = Mapping[str, int]  # exercise → its place in the course
Place = tuple[str, int]  # an exercise, and a probe of it that fails
Leans = Mapping[Place, frozenset[str]]  # of the exercises that it ran, those that may be at fault
Verdicts = Mapping[str, ExerciseVerdict]


class Tried(NamedTuple):
    """What came of a failing probe with some exercises solved."""

    is_right: bool | None  # None where nobody can say
    ran: frozenset[str] = frozenset()  # the exercises that it ran then, where it is not


Try = Callable[[ExerciseVerdict, int, frozenset[str]], Tried]


class Blame(NamedTuple):
    """Who waits for whom."""

    blocked: dict[str, list[str]]  # → who is at fault for all that fails in it, in their order
    # (exercise, check) → who is at fault for this check of one that has a fault of its own
    spared: dict[tuple[str, str], list[str]]


def weigh_blame(
    verdicts: Verdicts,
    leans: Leans,
    suspects: set[str],
    order: Order,
    try_out: Try,
) -> Blame:
    """Who waits for whom of all that is wrong.

    Args:
        verdicts: of every exercise that is judged, and of those that their failing probes ran.
        suspects: the exercises that are wrong or not written.
    """
    scales = Scales(leans, try_out)
    wrong = sorted((v for v in verdicts.values() if v.status in WRONG), key=lambda v: order[v.id])
    open_ = {v.id: v for v in wrong if v.failing and all(leans.get((v.id, n)) for n in v.failing)}
    at_fault = suspects - set(open_)  # some probe of theirs fails that leans on nothing
    blame = Blame({}, {})
    while open_:
        found = {id: scales.find_blockers(v, at_fault, set(open_)) for id, v in open_.items()}
        settled = {id: blockers for id, blockers in found.items() if blockers is not None}
        # Where all that is left leans on each other, the earliest is at fault. Only those count
        # that lean on each other, so that one exercise alone is judged as it is among all.
        for id, blockers in (settled or {_circle(open_, leans)[0]: frozenset[str]()}).items():
            del open_[id]
            if blockers:
                blame.blocked[id] = sorted(blockers, key=order.__getitem__)
            else:
                at_fault.add(id)
    for verdict in wrong:
        if verdict.id not in blame.blocked:
            for check, guilty in scales.checks_to_spare(verdict, at_fault):
                blame.spared[verdict.id, check] = sorted(guilty, key=order.__getitem__)
    return blame


class Scales:
    """Decides about one exercise after the other, as far as is known what is at fault."""

    def __init__(self, leans: Leans, try_out: Try) -> None:
        self.leans = leans
        self.try_out = try_out

    def find_blockers(
        self, verdict: ExerciseVerdict, at_fault: set[str], undecided: set[str]
    ) -> frozenset[str] | None:
        """Whom an exercise waits for; nobody, if it is at fault; None as long as that is not clear.

        It is at fault where a failing probe leans on none that is or may yet turn out to be.
        """
        blockers: set[str] = set()
        is_clear = True
        for number in verdict.failing:
            found = self._guilty(verdict, number, at_fault)
            if found:
                blockers |= found
            elif self.leans[verdict.id, number] & undecided:
                is_clear = False
            else:
                return frozenset()
        return frozenset(blockers) if is_clear else None

    def checks_to_spare(
        self, verdict: ExerciseVerdict, at_fault: set[str]
    ) -> Iterator[tuple[str, frozenset[str]]]:
        """Of an exercise that is at fault: the checks that come right without others' faults, and
        without whose."""
        for check in verdict.checks:
            if check.status in WRONG and check.failing:
                found = [self._guilty(verdict, n, at_fault, for_sure=True) for n in check.failing]
                if all(found):
                    yield check.check["id"], frozenset().union(*found)

    def _guilty(
        self, verdict: ExerciseVerdict, number: int, at_fault: set[str], for_sure: bool = False
    ) -> frozenset[str]:
        """Those at fault that this probe leans on; none where it fails without their faults, or
        where that is to be known ``for_sure`` and nobody can say.
        """
        guilty = self.leans.get((verdict.id, number), frozenset()) & at_fault
        if not guilty:
            return guilty
        is_right, ran = self.try_out(verdict, number, guilty)
        # What is right now may run for the first time into what else is at fault.
        while not is_right and (more := ran & at_fault - guilty - {verdict.id}):
            guilty |= more
            is_right, ran = self.try_out(verdict, number, guilty)
        if is_right is False or is_right is None and for_sure:
            return frozenset()
        for id in sorted(guilty) if is_right and len(guilty) > 1 else ():
            if self.try_out(verdict, number, guilty - {id}).is_right:
                guilty -= {id}
        return guilty


def _circle(undecided: Verdicts, leans: Leans) -> list[str]:
    """Exercises that lean on each other and on nothing else that is undecided."""
    onto = {
        id: {o for n in v.failing for o in leans[id, n] if o in undecided}
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
# It is put right, and tried. Where the reference may be read, its definitions of the exercises in
# question are put into the learner's files, and the failing probes run once more, in a worker of
# their own; everything else stays the learner's. Nothing that this run printed or returned is
# shown, and it earns no points.

# Of each probe what it gave, and which exercises it ran where that is not right.
Gave = dict[int, tuple[Observation, frozenset[str]]]
# What is raised where the reference does not fit the learner's other code: a name that is not
# there. Whatever else is raised is wrong.
MISFITS = ("AttributeError", "ImportError", "ModuleNotFoundError", "NameError")


class Repair:
    """Tries out what comes right with which exercises solved."""

    def __init__(self, runner: Runner, cases: list[Case], leans: Leans) -> None:
        self.runner = runner
        self.cases = cases  # the time of the first one is that of all reruns
        self.leans = leans
        self.mended: dict[Place, Observation] = {}  # what came back where it was not right even so
        self.ran: set[str] = set()  # all that was run there
        self._known: dict[tuple[str, frozenset[str]], Gave] = {}

    def try_out(self, verdict: ExerciseVerdict, number: int, ids: frozenset[str]) -> Tried:
        """What comes of this probe with these exercises solved."""
        if self.runner.reference is None or not ids:
            return Tried(None)
        case = next(case for case in self.cases if verdict in case.wrong)
        chapter = case.chapter
        gave = self._known.setdefault((chapter.id, ids), {})
        if number not in gave:
            gave |= self._run(chapter, ids, number, gave)
        if number not in gave:
            return Tried(None)
        got, ran = gave[number]
        if matches_answers(chapter, number, checks_failed_by(verdict, number), got):
            return Tried(True)
        if got.kind in ("arrays", "complained"):
            self.mended[verdict.id, number] = got
        is_wrong = is_own(got) or _alike(got, case.run.observations[number])
        return Tried(False if is_wrong else None, ran)

    def _run(
        self, chapter: ChapterKey, ids: frozenset[str], number: int, known: Container[int]
    ) -> Gave:
        """What a probe gives with these exercises solved; and all that will be asked as well.

        These are at first the probes that lean on one of them.
        """
        runner = self.runner
        assert runner.reference is not None
        files = with_solved(runner.package.files, runner.targets, runner.reference(), ids)
        if files is None:
            return {}
        cases = [case for case in self.cases if case.chapter is chapter]
        mine = [v for case in cases for v in case.wrong if v.id not in ids]
        failing = {n: self.leans[v.id, n] for v in mine for n in v.failing if n not in known}
        leaning = [n for n, leans in failing.items() if leans & ids]

        def is_right(number: int, got: Observation) -> bool:
            failed = [check for v in mine for check in checks_failed_by(v, number)]
            return matches_answers(chapter, number, failed, got)

        asked = leaning if number in leaning else failing
        found = runner.run_on(self.cases[0].session, chapter, sorted(asked), files, is_right)
        self.ran.update(*(ran for _, ran in found.values()))
        return found


def checks_failed_by(verdict: ExerciseVerdict, number: int) -> list[CheckVerdict]:
    """The checks that this probe had failed."""
    return [check for check in verdict.checks if number in check.failing]


def matches_answers(
    chapter: ChapterKey, number: int, checks: list[CheckVerdict], got: Observation
) -> bool:
    """Whether what came back is right, by the reference, for every check that had failed."""
    if got.kind != "arrays":
        return False

    def is_right(check: CheckRow) -> bool:
        right, mine = chapter.right(number, check["part"]), got.parts.get(check["part"], [])
        return are_the_same(check, mine, right, "finite_difference", loose=True)

    return all(is_right(check.check) for check in checks)


def is_own(got: Observation) -> bool:
    """Whether what came back, where it was wrong, is not for the reference that does not fit."""
    if got.kind == "raised":
        return got.texts.get("type") not in MISFITS and got.texts.get("by") != "import"
    return got.kind in ("arrays", "complained")


def _alike(one: Observation, other: Observation) -> bool:
    """Whether both raised the same, in the same file; lines move with what was put in."""
    said = (
        (got.kind, *(got.texts.get(name) for name in ("type", "message", "file", "by")))
        for got in (one, other)
    )
    return one.kind == "raised" and next(said) == next(said)
