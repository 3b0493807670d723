"""Cache of runs and judgments, for `grader audit` alone: nothing runs or is judged twice.

A run's cache key is a digest of all that it depends on: the worker, Python, NumPy, the package, the
programs, the inputs. The judge is no part of it, so editing the judge reruns no mistake. A run that
a time limit influenced is not cached.

A judgment depends on all that the judge reads. Which chapters of the key these are, and which
exercises' mistakes, is known only afterwards. So there are two entries: the question → the parts
that were read; the question and the contents of these parts → the verdicts. For example, an edit of
a mistake in `mul` changes the contents of `mul`: only judgments that read `mul` are made anew.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from .. import about, root
from ..arrays import parts_of, plain_parts
from ..course.key_file import ChapterKey, Key
from ..course.outline import chapter_of
from ..course.source_digest import JUDGE as MAKERS
from ..course.source_digest import but_exercises, files_below, hash_environment, hash_files
from ..judge.judge import CheckVerdict, ExerciseVerdict
from ..memo import Memo, hash_values
from ..reason import Reason
from ..sandbox.launch import Worker
from ..sandbox.observation import Definition, Frame, Observation, Violation
from ..sandbox.session import ANSWERS, Session

if TYPE_CHECKING:
    from ..course.key_file import Launch
    from ..course.key_rows import Gives
    from ..sandbox.worker.request import Job, Order

CLOCKED = ("TimeUp", "Skipped", "MemoryError")  # exceptions that another run may not raise


class Replayed(Session):
    """A session whose answers are cached.

    It takes the arguments of `Session`, and drops those that only a learner's run needs.
    """

    def __init__(
        self,
        memo: Memo,
        launch: Callable[[], Worker],
        request: Job,
        exercises: dict[int, str],
        *_: object,
    ) -> None:
        super().__init__(launch, request, exercises)
        self.memo = memo
        self.name = hash_values(hash_environment(), _named(request), sorted(exercises.items()))
        self.told: list[tuple[Order, float]] = []  # orders that no worker has had yet
        self.orders = ""
        self.clocked = False  # whether a time limit influenced a later order

    @property
    def is_deterministic(self) -> bool:
        """Whether another run would give the same."""
        late = self.reduced_timeouts or self.is_unresponsive or self.clocked
        return not late and all(
            got.kind in ANSWERS and got.texts.get("type") not in CLOCKED
            for got in (*self.observations.values(), *filter(None, [self.unloadable]))
        )

    def run(self, arrived: Callable[[int, Observation], object] = lambda number, got: None) -> None:
        known = self.memo.recall(self.name)
        if known is None:
            super().run(arrived)
            if self.is_deterministic:
                self.memo.remember(self.name, self._run())
            return
        self._recall(known)
        for number, got in self.observations.items():
            arrived(number, got)

    def trace(self, numbers: list[int]) -> None:
        name = hash_values(self.name, "trace", numbers)
        known = self.memo.recall(name)
        if known is not None:
            self.entered.update({n: {(file, line) for file, line in e} for n, e in known})
            return
        super().trace(numbers)
        self.clocked |= not set(numbers) <= self.entered.keys()
        if self.is_deterministic:
            self.memo.remember(name, [(n, sorted(self.entered[n])) for n in numbers])

    def ask(self, order: Order, seconds: float) -> Iterator[Frame]:
        self.orders = hash_values(self.name, self.orders, _plain(order))
        known = self.memo.recall(self.orders)
        if known is not None:
            self.told.append((order, seconds))
            yield from (_frame(each) for each in known)
            return
        while self.told:  # the worker needs the earlier orders first
            for _ in super().ask(*self.told.pop(0)):
                pass
        got = list(super().ask(order, seconds))
        self.clocked |= any(frame.texts.get("type") in CLOCKED for frame in got)
        if not self.is_unresponsive and not self.clocked:
            self.memo.remember(self.orders, [_kept(frame) for frame in got])
        yield from got

    def _run(self) -> tuple[object, ...]:
        bad = self.unloadable
        return (
            self.protections,
            [tuple(each) for each in self.definitions.values()],
            sorted(self.absent),
            None if bad is None else (bad.kind, bad.texts),
            [tuple(each) for each in self.refused],
            [(n, _kept(got)) for n, got in self.observations.items()],
            bytes(self.output),
        )

    def _recall(self, known: Any) -> None:
        self.protections, found, absent, bad, refused, observations, output = known
        self.definitions = {each[0]: Definition(*each) for each in found}
        self.absent = set(absent)
        self.unloadable = None if bad is None else Observation(bad[0], bad[1], {})
        self.refused = [Violation(*each) for each in refused]
        self.observations = {n: Observation(*_frame(got)[1:]) for n, got in observations}
        self.output = bytearray(output)


def _kept(got: Frame | Observation) -> tuple[object, ...]:
    """Convert a frame or an observation to plain Python."""
    return getattr(got, "probe", 0), got.kind, got.texts, plain_parts(got.parts)


def _frame(kept: Any) -> Frame:
    number, kind, texts, parts = kept
    return Frame(number, kind, texts, parts_of(parts))


def _named(request: Job) -> list[tuple[str, object]]:
    """Sort a request by its keys, for a digest; arguments stay, as a key has them in one form."""
    asked = (item for item in _sorted(request) if item[0] != "ours")  # which only saves time
    return [(key, _sorted(each)) for key, each in asked]


def _sorted(value: Any) -> Any:
    """Sort a dict's items by key; return any other value as it is."""
    is_dict = isinstance(value, dict)
    return sorted(value.items(), key=lambda item: repr(item[0])) if is_dict else value


def _plain(value: Any) -> Any:
    """Sort an order by its keys, at any depth."""
    if isinstance(value, dict):
        return [[_plain(key), _plain(each)] for key, each in _sorted(value)]
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return value


# ---- judgments ------------------------------------------------------------------------------

# All that a verdict depends on: `grade_package` and everything that it imports, however late.
JUDGE = (
    *MAKERS, "__init__.py", "about.py", "errors.py", "grade_package.py", "interrupt.py", "judge",
    "disk.py", "log.py", "memo.py", "reason.py", "root.py", "streams.py", "verdict.py",
)  # fmt: skip

Verdicts = dict[str, ExerciseVerdict]
Judging = Callable[[Key, Callable[..., Session]], Verdicts]


OF_MISTAKES = ("mistakes", "told_by_text", "shown_by_text", "idle")  # in an exercise's row
# Fields of verdicts that are cached; outcomes and observations, for reports, are not.
OF_EXERCISE = ("given", "forced", "reason", "blocked_by", "mistakes")
OF_CHECK = ("status", "reason", "failing", "waiting", "blocked_by", "inferred", "notes")


class AccessRecordingKey(Key):
    """A key that records the chapters, and the exercises' mistakes, that were read."""

    def __init__(self, key: Key) -> None:
        self.__dict__.update(key.__dict__)
        self.key = key
        self.into: set[str] = set()
        self._watched: dict[str, ChapterKey] = {}

    def chapter(self, name: str, launch: Launch = None) -> ChapterKey:
        self.into.add(name)
        if name not in self._watched:
            self._watched[name] = chapter = copy.copy(self.key.chapter(name, launch))
            chapter.exercises = [self._row(row) for row in chapter.exercises]
        return self._watched[name]

    def gives(self, exercise: str, launch: Launch = None) -> Gives:
        self.into.add(exercise)
        return self.key.gives(exercise, launch)

    def _row(self, row: Any) -> Any:
        look = partial(self.into.add, row["id"])
        return {**row, **{n: ObservedMapping(row[n], look) for n in OF_MISTAKES}}


class ObservedMapping(Mapping[str, object]):
    """A mapping that calls ``look`` at each access."""

    def __init__(self, inside: Mapping[str, object], look: Callable[[], None]) -> None:
        self.inside, self.look = inside, look

    def __getitem__(self, name: str) -> object:
        self.look()
        return self.inside[name]

    def __iter__(self) -> Iterator[str]:
        self.look()
        return iter(self.inside)

    def __len__(self) -> int:
        self.look()
        return len(self.inside)


class JudgmentCache:
    """A cache of judgments."""

    def __init__(self, memo: Memo) -> None:
        self.memo = memo
        self.content = cache(content)
        self._looked: dict[Key, AccessRecordingKey] = {}  # key → its recording copy

    def judge_or_recall(self, key: Key, asked: object, judging: Judging) -> Verdicts:
        """Return the verdicts of ``judging``, which is called only if they are unknown.

        Args:
            asked: plain values that tell this judgment from every other of the same key.
            judging: judges with the key and the session class that it is given.
        """
        targets, frame = sorted(key.table["targets"].items()), key.table.get("frame")
        name = hash_values(
            hash_environment(),
            hash_judge_sources(),
            key.chapters,
            key.outline,
            targets,
            frame,
            asked,
        )
        into = self.memo.recall(name)
        known = into and self.memo.recall(self._with_contents(name, key, into))
        if known is not None:
            return {each[0]: _restored(key, *each) for each in known}
        looked, sessions = self._looked.setdefault(key, AccessRecordingKey(key)), list[Replayed]()
        looked.into.clear()

        def session(*arguments: Any) -> Session:
            sessions.append(Replayed(self.memo, *arguments))
            return sessions[-1]

        verdicts = judging(looked, session)
        if all(each.is_deterministic for each in sessions):
            into = sorted(looked.into)
            self.memo.remember(name, into)
            told = [_told(verdict) for verdict in verdicts.values()]
            self.memo.remember(self._with_contents(name, key, into), told)
        return verdicts

    def _with_contents(self, name: str, key: Key, into: Iterable[str]) -> str:
        return hash_values(name, [(each, self.content(key, each)) for each in into])


def content(key: Key, part: str) -> str:
    """Return the digest of a chapter without its mistakes; of an exercise, that of its mistakes."""
    chapter = key.chapter(chapter_of(part))
    if part != chapter.id:
        row = next((dict(row) for row in chapter.exercises if row["id"] == part), {})
        return hash_values([row.get(name) for name in OF_MISTAKES], key.mistakes(part))
    rows = [
        {name: value for name, value in row.items() if name not in OF_MISTAKES}
        for row in chapter.index["exercises"]
    ]
    return hash_values(sorted({**chapter.index, "exercises": rows}.items()), bytes(chapter.data))


def _told(verdict: ExerciseVerdict) -> tuple[object, ...]:
    """Convert a verdict to plain Python."""
    checks = [(check.id, _fields(check, OF_CHECK)) for check in verdict.checks]
    return verdict.id, _fields(verdict, OF_EXERCISE), checks


def _fields(holder: CheckVerdict | ExerciseVerdict, names: tuple[str, ...]) -> list[object]:
    found = (vars(holder)[name] for name in names)
    return [tuple(each) if isinstance(each, Reason) else each for each in found]


def _restored(key: Key, id: str, told: Any, checks: Any) -> ExerciseVerdict:
    chapter = key.chapter(chapter_of(id))
    verdict = ExerciseVerdict(next(e for e in chapter.exercises if e["id"] == id), False)
    vars(verdict).update(zip(OF_EXERCISE, told, strict=True))
    verdict.reason = verdict.reason and Reason(*verdict.reason)
    rows = {check["id"]: check for check in chapter.checks if check["exercise"] == id}
    for name, values in checks:
        check = CheckVerdict(rows[name], "")
        vars(check).update(zip(OF_CHECK, values, strict=True))
        check.reason = check.reason and Reason(*check.reason)
        verdict.checks.append(check)
    return verdict


@cache
def hash_judge_sources() -> str:
    """Return a fingerprint of the judge: its sources, the course's descriptions, the ops' rows."""
    places = [os.path.join(root.PACKAGE, name) for name in JUDGE]
    places += [root.path(name) for name in (*about.metadata_files(), "exercises")]
    return hash_files(files_below(places), told=but_exercises)
