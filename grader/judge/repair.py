"""Would it come right if another's exercise were right? Two ways to put it right, and try.

*By call*: failing probes run once more; calls of other exercises that may be wrong are told. Those
that gave a wrong value are put right, the innermost first, and the probe runs again, until it
comes right, or nothing is left to put right. No reference is needed: a formula says what single
calls should give (`true_calls.py`), and everything else stays the learner's.

*By definition*, where the reference lies on this machine for the learner to read anyway, or where
the course itself is proven: its definitions of the exercises in question are put into the
learner's files, and the failing probes run once more, in a worker of their own. Nothing that this
run printed or returned is shown, and it earns no points.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..arrays import Array
from ..course.compare import difference
from ..course.key_file import ChapterKey
from ..sandbox.observation import Frame, Observation
from ..sandbox.session import ANSWERS, Session
from .judge import CheckVerdict, ExerciseVerdict
from .true_calls import OWN, UNKNOWN, Instead, Noted, kind_of, read_call, should_give

if TYPE_CHECKING:
    from ..sandbox.worker.request import Arrays, Order

MOST_ROUNDS = 8
BATCH = 16  # probes of one order
PATIENCE = 6.0  # seconds for all of a chapter

Files = dict[str, bytes]
Reference = Callable[[], Mapping[str, str]]
IsRight = Callable[[int, Observation], bool]
RunOn = Callable[[ChapterKey, list[int], Files, IsRight], tuple[dict[int, Observation], set[str]]]


class Trial:
    """One failing probe: what has been put right so far, and how it ended with that.

    Args:
        kinds: the targets whose calls are told, and what kind of definition each is.

    Attributes:
        blamed: once it has come right, the exercises whose calls had to be put right; else None.
        got: what came of the last run.
        silent: the exercises of whose calls a formula speaks, but not of one that was made here.
    """

    def __init__(self, verdict: ExerciseVerdict, number: int, kinds: dict[str, str]) -> None:
        self.verdict = verdict
        self.number = number
        self.kinds = kinds
        self.checks = checks_failed_by(verdict, number)
        self.instead: dict[str, Instead] = {}
        self.owner: dict[str, str] = {}
        self.blamed: set[str] | None = None
        self.silent: set[str] = set()
        self.got: Observation | None = None
        self.is_over = False

    @property
    def is_own(self) -> bool:
        """Whether something was put right, and it is wrong all the same."""
        return self.blamed is None and bool(self.instead)

    def without(self, exercise: str) -> Trial:
        """The same trial with this exercise's calls left as they are."""
        other = Trial(self.verdict, self.number, self.kinds)
        other.owner = {key: owner for key, owner in self.owner.items() if owner != exercise}
        other.instead = {key: self.instead[key] for key in other.owner}
        return other


class CallRepair:
    """Tries out, probe by probe, on one worker."""

    def __init__(self, session: Session, chapter: ChapterKey, targets: Mapping[str, str]) -> None:
        self.session = session
        self.chapter = chapter
        self.owners = targets
        self.until = time.process_time() + PATIENCE

    def trials_of(self, verdict: ExerciseVerdict, suspects: Mapping[int, set[str]]) -> list[Trial]:
        """A trial for each of these failing probes.

        Args:
            suspects: probe → the exercises whose calls may be put right.
        """
        all_suspects = set().union(*suspects.values())
        kinds = {t: kind_of(t) for t, id in self.owners.items() if id in all_suspects}
        kinds = {target: kind for target, kind in kinds.items() if kind}
        kinds |= dict.fromkeys(verdict.exercise["targets"], OWN)
        return [Trial(verdict, number, kinds) for number in suspects]

    def finish(self, trials: list[Trial]) -> None:
        """Try them out, all of one round together."""
        for _ in range(MOST_ROUNDS):
            going = [trial for trial in trials if not trial.is_over]
            if not going or not self._round(going):
                break
        for trial in trials:
            self._least(trial)

    def _round(self, trials: list[Trial]) -> bool:
        """Run them, and put right what is wrong then. False where the worker failed."""
        for trial, got, calls in self._run(trials):
            trial.got = got
            if trial.instead and matches_answers(self.chapter, trial.number, trial.checks, got):
                trial.blamed, trial.is_over = set(trial.owner.values()), True
                continue
            wrong = self._wrong(calls, trial.verdict.id)
            unknown = {key for key, right in wrong.items() if right is UNKNOWN}
            trial.silent |= {self.owners[c.target] for c in calls if c.key in unknown}
            wrong = {key: right for key, right in wrong.items() if key not in unknown}
            fresh = {key: right for key, right in wrong.items() if key not in trial.instead}
            trial.instead.update(fresh)
            trial.owner.update({c.key: self.owners[c.target] for c in calls if c.key in fresh})
            trial.is_over = not fresh
        return not self.session.mute

    def _wrong(self, calls: list[Noted], exercise: str) -> dict[str, Instead]:
        """The innermost calls that gave something wrong, and what they should give.

        A call that ran this very exercise may be wrong because of that.
        """
        inside: list[set[int]] = [set() for _ in calls]
        for place, call in enumerate(calls):
            around, steps = call.within, 0
            while 0 <= around < place and steps < len(calls):
                inside[around].add(place)
                around, steps = calls[around].within, steps + 1
        found: dict[int, Instead] = {}
        for place in reversed(range(len(calls))):
            runs_it = any(self.owners.get(calls[n].target) == exercise for n in inside[place])
            if not runs_it and not inside[place] & set(found):
                right = should_give(calls[place], self.until)
                if right is not None:
                    found[place] = right
        return {calls[place].key: right for place, right in found.items()}

    def _least(self, trial: Trial) -> None:
        """Blame none that need not be put right."""
        for id in sorted(trial.blamed or ()):
            if len(trial.blamed or ()) > 1:
                other = trial.without(id)
                for _, got, _ in self._run([other]):
                    if matches_answers(self.chapter, other.number, other.checks, got):
                        trial.instead, trial.owner = other.instead, other.owner
                        trial.blamed = set(other.owner.values())

    def _run(self, trials: list[Trial]) -> Iterable[tuple[Trial, Observation, list[Noted]]]:
        for start in range(0, len(trials), BATCH):
            batch = trials[start : start + BATCH]
            arrays: Arrays = {}
            order: Order = {
                "calls": [
                    (t.number, {k: _plain(i, arrays) for k, i in t.instead.items()}, t.kinds)
                    for t in batch
                ],
                "arrays": arrays,
            }  # fmt: skip
            seconds = sum(self.chapter.probes[t.number]["seconds"] for t in batch)
            frames = list(self.session.ask(order, seconds))
            yield from _grouped(batch, frames)


def _grouped(
    batch: list[Trial], frames: list[Frame]
) -> Iterable[tuple[Trial, Observation, list[Noted]]]:
    """The answers of one order: for each probe how it ended, then its calls."""
    groups: list[tuple[Frame, list[Noted]]] = []
    for frame in frames:
        if frame.kind in ANSWERS:
            groups.append((frame, []))
        elif frame.kind == "call" and groups:
            groups[-1][1].append(read_call(frame))
    for trial, (frame, calls) in zip(batch, groups, strict=False):
        if frame.probe != trial.number:
            return
        yield trial, Observation(frame.kind, frame.texts, frame.parts), calls


def _plain(instead: Instead, arrays: Arrays) -> Instead:
    """What a call is to give, its arrays by name."""
    plain: list[Any] = []
    for each in instead:
        if isinstance(each, Array):
            name = f"right{len(arrays)}"
            arrays[name] = (each.dtype, each.shape, bytes(each.data))
            each = name
        plain.append(each)
    return tuple(plain)


def checks_failed_by(verdict: ExerciseVerdict, number: int) -> list[CheckVerdict]:
    """The checks that this probe had failed."""
    return [check for check in verdict.checks if number in check.failing]


def matches_answers(
    chapter: ChapterKey,
    number: int,
    checks: list[CheckVerdict],
    got: Observation,
    with_dtypes: bool = False,
) -> bool:
    """Whether what came back is right for every check that this probe had failed.

    As close as a numeric derivative: a call that was put right gives one, and so may have another
    dtype. Where definitions were put right (``with_dtypes``), what is asked for a dtype has it.
    """
    if got.kind != "arrays":
        return False
    answers = chapter.probes[number]["answers"]["reference"]
    for check in checks:
        part = check.check["part"]
        right = [chapter.array(n) for n in answers.get(part, ())]
        mine = got.parts.get(part, [])
        if len(mine) != len(right):
            return False
        for one, other in zip(mine, right, strict=True):
            alike = check.check["scalar_shape"]
            same_dtype = with_dtypes and check.check["compare"] == "dtype"
            if difference(
                one, other, "finite_difference", same_dtype=same_dtype, rounded=True,
                scalar_shape=alike,
            ):  # fmt: skip
                return False
    return True


class DefinitionRepair:
    """Tries out what comes right with which exercises solved.

    Args:
        files: the learner's package.
        targets: definition → its exercise.
        reference: the reference's files; None where nobody can say.
        run_on: runs probes of a chapter on another package; tells what they gave, and which
            exercises those ran that are not right even then.
        failing: every exercise that is wrong, with its chapter.
        before: chapter → what its probes gave with nothing solved.

    Attributes:
        mended: (exercise, probe) → what came back with others solved, where it was not right.
        ran: all that was run where it did not come right.
    """

    def __init__(
        self,
        files: Mapping[str, bytes],
        targets: Mapping[str, str],
        reference: Reference | None,
        run_on: RunOn,
        failing: list[tuple[ChapterKey, ExerciseVerdict]],
        before: Mapping[str, Mapping[int, Observation]],
    ) -> None:
        self.files = dict(files)
        self.targets = targets
        self.reference = reference
        self.run_on = run_on
        self.failing = failing
        self.before = before
        self.mended: dict[tuple[str, int], Observation] = {}
        self.ran: set[str] = set()
        self._known: dict[tuple[str, frozenset[str]], dict[int, Observation]] = {}

    def comes_right(
        self, verdict: ExerciseVerdict, number: int, ids: frozenset[str]
    ) -> bool | None:
        """Whether this probe comes right with these exercises solved; None: nobody can say."""
        if self.reference is None or not ids:
            return None
        chapter = next(c for c, v in self.failing if v is verdict)
        got = self._observations(chapter, ids).get(number)
        if got is None:
            return None
        checks = checks_failed_by(verdict, number)
        if matches_answers(chapter, number, checks, got, with_dtypes=True):
            return True
        if got.kind not in ("arrays", "complained"):
            # What was put in may not fit the learner's other code; that shows in another error.
            return False if _alike(got, self.before[chapter.id][number]) else None
        self.mended[verdict.id, number] = got
        return False

    def _observations(self, chapter: ChapterKey, ids: frozenset[str]) -> dict[int, Observation]:
        """What all failing probes of a chapter give with these exercises solved."""
        if (chapter.id, ids) not in self._known:
            files = self._with_solved(ids)
            mine = [v for c, v in self.failing if c is chapter and v.id not in ids]
            numbers = sorted({n for v in mine for n in v.failing})

            def is_right(number: int, got: Observation) -> bool:
                failed = [check for v in mine for check in checks_failed_by(v, number)]
                return matches_answers(chapter, number, failed, got, with_dtypes=True)

            found: dict[int, Observation] = {}
            if files is not None:
                found, ran = self.run_on(chapter, numbers, files, is_right)
                self.ran |= ran
            self._known[chapter.id, ids] = found
        return self._known[chapter.id, ids]

    def _with_solved(self, ids: Iterable[str]) -> Files | None:
        from ..course.splice import file_of, pieces, with_pieces

        assert self.reference is not None
        right, files = self.reference(), dict(self.files)
        for target in (t for t, owner in self.targets.items() if owner in ids):
            name, short = file_of(target, right)
            try:
                piece = pieces(right[name])[short]
                text = with_pieces(files[name].decode("utf-8"), [piece])
            except (KeyError, ValueError, SyntaxError, RecursionError, MemoryError):
                return None
            files[name] = text.encode()
        return files


def _alike(one: Observation, other: Observation) -> bool:
    """Whether both raised the same, in the same file; lines move with what was put in."""
    said = (
        (got.kind, *(got.texts.get(name) for name in ("type", "message", "file", "by")))
        for got in (one, other)
    )
    return one.kind == "raised" and next(said) == next(said)
