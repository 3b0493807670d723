"""Judge one chapter: turn observations into a verdict per check and per exercise.

The order of the questions: is it given, is it written, could the package be imported, what did
every check's probes give, and (in `blame`) is another exercise at fault.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

from ..about import COURSE
from ..course.key_file import ChapterKey
from ..course.package import module_of
from ..reason import Reason, because
from ..sandbox.observation import Observation, Run
from ..verdict import BLOCKED, BROKEN, CRASHED, GIVEN, PASSED, PENDING, REFUSED, WORST_FIRST, WRONG
from .outcome import Outcome, Outcomes, hides_code, outcome_of_import
from .source_map import SourceMap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

    from ..course.key_rows import CheckRow, ExerciseRow


Finding = tuple[str, str]  # the name of a mistake or of a fact, and its sentence
Inferred = Mapping[str, list[Finding]]  # check → what may explain it
Notes = Mapping[str, list[str]]  # check → lines
NOTHING: Mapping[str, list[Any]] = MappingProxyType({})
MOST_BESIDE_A_FAILURE = 0.9  # share of an exercise's points, if one of its checks fails


def worst(words: list[str]) -> str:
    """Return the worst of these statuses; ``broken`` if there are none."""
    return min(words, key=WORST_FIRST.index, default=BROKEN)


class CheckVerdict:
    """The status of one check, and the smallest probe that shows it."""

    def __init__(self, check: CheckRow, status: str, reason: Reason | None = None) -> None:
        self.check = check
        self.status = status
        self.reason = reason
        self.probe: int | None = None
        self.outcome: Outcome | None = None
        self.failing: list[int] = []
        self.waiting: list[int] = []  # probes that ran into a stub of another exercise
        self.blocked_by: list[str] = []
        self.inferred: list[Finding] = []
        self.notes: list[str] = []

    @property
    def id(self) -> str:
        return str(self.check["id"])

    @property
    def says(self) -> str:
        return self.reason.says if self.reason else ""

    def with_findings(self, inferred: Inferred, notes: Notes) -> CheckVerdict:
        """Return a copy with what was found out about this check."""
        made = copy.copy(self)
        made.inferred = inferred.get(self.id, self.inferred)
        made.notes = notes.get(self.id, self.notes)
        return made


class ExerciseVerdict:
    """The status of one exercise, made of its checks."""

    def __init__(self, exercise: ExerciseRow, given: bool) -> None:
        self.exercise = exercise
        self.given = given
        self.checks: list[CheckVerdict] = []
        self.blocked_by: list[str] = []
        self.mistakes: list[Finding] = []
        self.forced: str | None = GIVEN if given else None
        self.reason: Reason | None = None
        self.unloadable: Observation | None = None  # the failed import of its files

    @property
    def id(self) -> str:
        return str(self.exercise["id"])

    @property
    def says(self) -> str:
        return self.reason.says if self.reason else ""

    @property
    def counted(self) -> list[CheckVerdict]:
        """The checks that can earn points; a stretch, of weight 0, blames nobody."""
        return [check for check in self.checks if check.check["weight"]]

    @property
    def status(self) -> str:
        if self.forced:
            return self.forced
        statuses = [c.status for c in self.counted]
        # The first wrong check is the one that the report shows and that is to be fixed first.
        wrong = [status for status in statuses if status in WRONG]
        found = wrong[0] if wrong and worst(statuses) in WRONG else worst(statuses)
        return GIVEN if self.given and found == PASSED else found

    def with_findings(
        self, mistakes: list[Finding], inferred: Inferred = NOTHING, notes: Notes = NOTHING
    ) -> ExerciseVerdict:
        """Return a copy with the mistakes that fit, and what was found out about its checks."""
        made = copy.copy(self)
        made.mistakes = mistakes
        made.checks = [check.with_findings(inferred, notes) for check in self.checks]
        return made

    def points(self, *checks: CheckVerdict) -> float:
        """Return the points that these checks earn; none unless the first check, the value, passes.

        Wrong code earns nothing for leaving its inputs alone.
        """
        if not self.checks or self.checks[0].status != PASSED:
            return 0.0
        return self.worth(*[c for c in checks if c.status == PASSED])

    def worth(self, *checks: CheckVerdict) -> float:
        """Return the points that these checks are worth: by weight, but failures cost a tenth.

        Example: 4 points, weights of 39 that pass and 1 that fails: worth 3.6 and 0.4.
        """
        scale, total = scale_weights(tuple([(c.check["weight"], c.status) for c in self.checks]))
        mine = sum([c.check["weight"] * scale.get(c.status, 1) for c in checks])
        return self.max_score * float(mine / (total or 1))  # exactly 1.0 if all is earned

    @property
    def lacks_something(self) -> bool:
        """Whether a file or a definition is missing."""
        is_absent = self.reason is not None and self.reason.kind == "absent"
        return is_absent or (self.unloadable is not None and "lacks" in self.unloadable.texts)

    @property
    def score(self) -> float:
        return self.points(*self.checks)

    @property
    def max_score(self) -> float:
        return 0.0 if self.given else float(self.exercise["points"])

    @property
    def failing(self) -> list[int]:
        """Numbers of the probes that show a failure which costs points, sorted."""
        return sorted({n for c in self.counted if c.status in WRONG for n in c.failing})

    def name_blockers(self) -> None:
        """Let the exercise wait for those that its counted checks wait for."""
        self.blocked_by = sorted({id for check in self.counted for id in check.blocked_by})


@lru_cache  # of an exercise each check asks
def scale_weights(weights: tuple[tuple[float, str], ...]) -> tuple[Mapping[str, float], float]:
    """Return what a check's weight is multiplied by, by its status, and the sum of all weights."""
    total = sum([weight for weight, _ in weights])
    right = sum([weight for weight, status in weights if status == PASSED])
    wrong = sum([weight for weight, status in weights if status in WRONG])
    kept = min(right, MOST_BESIDE_A_FAILURE * total) if wrong else right
    # The failed checks gain what those that pass lose: blocked ones are worth the same.
    passes, fails = kept / (right or 1), (wrong + (right - kept)) / (wrong or 1)
    return {PASSED: passes, **dict.fromkeys(WRONG, fails)}, total


class Evidence(NamedTuple):
    """The inputs of the verdicts about a chapter's exercises."""

    chapter: ChapterKey
    run: Run
    places: SourceMap
    outcomes: Outcomes
    files: Mapping[str, bytes]  # of the package


def judge_exercises(
    seen: Evidence, ids: list[str], given: set[str], changed: Container[str] = ()
) -> dict[str, ExerciseVerdict]:
    """Return a verdict for each of these exercises of the chapter, before any blame.

    Args:
        changed: those of the given ones that are judged all the same, for no points.
    """
    verdicts = {}
    by_exercise: dict[str, list[CheckRow]] = {}
    for check in seen.chapter.checks:
        by_exercise.setdefault(check["exercise"], []).append(check)
    for exercise in seen.chapter.exercises:
        if exercise["id"] in ids:
            verdict = ExerciseVerdict(exercise, exercise["given"] or exercise["id"] in given)
            verdicts[verdict.id] = verdict
            # A stretch comes last: a report shows the first check that failed.
            checks = sorted(by_exercise.get(verdict.id, []), key=lambda check: not check["weight"])
            if not verdict.given or (verdict.id in changed and checks):
                verdict.forced = None
                _judge_exercise(seen, verdict, checks)
    return verdicts


def _judge_exercise(seen: Evidence, verdict: ExerciseVerdict, checks: list[CheckRow]) -> None:
    run = seen.run
    missing = why_pending(verdict.exercise, seen)
    if missing is not None:
        verdict.forced, verdict.reason = PENDING, missing
        verdict.checks = [CheckVerdict(check, PENDING, missing) for check in checks]
        return
    banned = _broken_rule(verdict.exercise, run)
    if banned is not None:
        _refuse(verdict, checks, banned, checks[0])
        return
    verdict.unloadable = run.unloadable or _lost(checks, run)
    if verdict.unloadable is not None:
        found = outcome_of_import(verdict.unloadable)
        verdict.forced, verdict.reason = found.status, found.reason
        what = f"{COURSE.name}/{found.file}" if found.file else "the package"
        what += f", refused for its line {found.line}," if verdict.forced == REFUSED else ""
        reason = because("not_imported", what)
        verdict.checks = [CheckVerdict(check, verdict.forced, reason) for check in checks]
        return
    verdict.checks = [_judge_check(seen, check) for check in checks]
    refused = [c for c in verdict.checks if c.outcome and c.outcome.status == REFUSED]
    if refused:
        saw = next((c for c in refused if not c.check["hidden"]), refused[0])
        assert saw.outcome is not None
        _refuse(verdict, checks, saw.outcome, saw.check if saw.check["hidden"] else checks[0])
    verdict.name_blockers()


def _lost(checks: list[CheckRow], run: Run) -> Observation | None:
    """Return the failed import of a file that one of these checks needed, if any."""
    found = (run.observations.get(n) for check in checks for n in check["probes"])
    return next((got for got in found if got and got.texts.get("by") == "import"), None)


def _broken_rule(exercise: ExerciseRow, run: Run) -> Outcome | None:
    """Return the refusal of an exercise by a rule that its file breaks as a whole."""
    for broken in run.refused:
        module = f"{module_of(broken.counts_for)}."
        if module == "__init__." or any(t.startswith(module) for t in exercise["targets"]):
            return Outcome(REFUSED, because("refused", broken.says), None, broken.file, broken.line)
    return None


def _refuse(
    verdict: ExerciseVerdict, checks: list[CheckRow], found: Outcome, teller: CheckRow
) -> None:
    """Refuse a whole exercise for a broken rule, whatever its checks gave.

    Args:
        teller: the check that says why. If it is hidden, its outcome is kept from the others: the
            words may be learner code's, and reveal a hidden input.
    """
    verdict.forced, verdict.reason = REFUSED, found.reason
    later = because("not_judged")
    verdict.checks = []
    for check in checks:
        each = CheckVerdict(check, REFUSED, found.reason if check is teller else later)
        each.outcome = None if teller["hidden"] and check is not teller else found
        verdict.checks.append(each)


def why_pending(exercise: ExerciseRow, seen: Evidence) -> Reason | None:
    """Return the reason why an exercise is pending; None if all of its targets are written."""
    from .misplaced import find_misplaced  # not needed by a finished package

    run, places = seen.run, seen.places
    for target in exercise["targets"]:
        is_stub = places.is_stub(target)
        if is_stub or target in run.absent:
            found = find_misplaced(target, places.definitions, places.ours)
            if found:
                return found
            name = short_name(target)
            if is_stub:
                stub = places.definitions[target]
                if hides_code(seen.files.get(stub.file, b""), stub.last):
                    return because("below_raise", name, stub.file, stub.last)
                return because("stub", name)
            holder, _, last = name.rpartition(".")
            return because("absent", holder or target.partition(".")[0] + ".py", last)
    return None


def short_name(target: str) -> str:
    """Return a target without its module, as a learner says it."""
    return target.partition(".")[2]


def _judge_check(seen: Evidence, check: CheckRow) -> CheckVerdict:
    """Return the worst outcome of a check's probes, and the first probe that shows it."""
    verdict = CheckVerdict(check, PASSED)
    for number in check["probes"]:
        found = seen.outcomes.of(check, number, seen.run.observations[number])
        if found.status == PASSED:
            continue
        found, blocker = _waits_for(seen, check, found)
        if blocker:
            verdict.blocked_by.append(blocker)
            if found.ran:
                verdict.waiting.append(number)
        elif found.status in WRONG and found.ran:
            verdict.failing.append(number)
        if verdict.probe is None or worst([found.status, verdict.status]) != verdict.status:
            verdict.probe, verdict.outcome = number, found
            verdict.status, verdict.reason = found.status, found.reason
    return verdict


def _waits_for(seen: Evidence, check: CheckRow, found: Outcome) -> tuple[Outcome, str]:
    """Turn an outcome raised in another exercise's target into blocked by that exercise."""
    if found.status not in (PENDING, REFUSED):
        return found, ""
    other = seen.places.exercise_around(found.file, found.line)
    if found.status == REFUSED:
        if other in (None, check["exercise"]):
            return found, ""
        where = f"{COURSE.name}/{found.file}"
        reason = because("needs_refused", other, where, found.line, found.says)
        return found._replace(status=BLOCKED, reason=reason), str(other)
    if other is None or not is_unwritten(other, seen.places):
        needs = _needs(seen.chapter, check["exercise"])
        unseen = (id for id in needs if seen.places.can_be_in(id, found.file))
        unwritten = (id for id in needs if is_unwritten(id, seen.places))
        inheriting = seen.places.exercises_inheriting(found.file, found.line)
        other = next(chain(unseen, unwritten, inheriting), other)
    if other is not None and other != check["exercise"]:
        return found._replace(status=BLOCKED, reason=because("needs_unwritten", other)), other
    reached = because("reached", found.file, found.line)
    return found._replace(status=CRASHED, reason=reached if other else because("unwritten")), ""


def _needs(chapter: ChapterKey, id: str) -> list[str]:
    """Return all that an exercise needs, directly or not, the nearest first."""
    needs = {e["id"]: e["needs"] for e in chapter.exercises}
    found = list(needs.get(id, ()))
    for each in found:  # grows during the loop
        found += [need for need in needs.get(each, ()) if need not in found]
    return found


def is_unwritten(id: str, places: SourceMap) -> bool:
    """Whether one of an exercise's targets is a stub, or missing."""
    targets = [target for target, owner in places.owners.items() if owner == id]
    return any(map(places.is_unwritten, targets))
