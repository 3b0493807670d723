"""What was judged before: the same package, held against the same answers, is not judged again.

A judgment is named by all that the judge reads. Which chapters of the key it will look into, and
which exercises' mistakes, is known only once it is done; so they are kept under the name of what is
asked, and what was said under that name with their contents. An edit of a mistake changes what is
kept of one exercise, and what was said where nobody looked there stands.

Only `grader audit` remembers: a test that puts something else in the judge's place is not answered
from what the judge said.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from .. import about, root
from ..course.key_file import ChapterKey, Key
from ..course.outline import chapter_of
from ..course.source_digest import JUDGE as MAKERS
from ..course.source_digest import but_exercises, files_below, hash_files, machine
from ..judge.judge import CheckVerdict, ExerciseVerdict
from ..memo import Memo, digest
from ..sandbox.session import Session
from .replay import Replayed

if TYPE_CHECKING:
    from ..course.key_file import Launch
    from ..course.key_rows import Gives

# All that has a say in a verdict: `grade` and everything that it imports, however late.
JUDGE = (
    *MAKERS, "__init__.py", "about.py", "errors.py", "grade_package.py", "interrupt.py", "judge",
    "log.py", "memo.py", "root.py", "streams.py", "verdict.py",
)  # fmt: skip

Verdicts = dict[str, ExerciseVerdict]
Judging = Callable[[Key, Callable[..., Session]], Verdicts]


OF_MISTAKES = ("mistakes", "told_by_text", "shown_by_text")  # in an exercise's row


class Looked(Key):
    """A key that knows which of its chapters, and which exercises' mistakes, were looked into."""

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
        return {**row, **{n: Watched(row[n], look) for n in OF_MISTAKES}}


class Watched(Mapping[str, object]):
    """A mapping that tells when anybody looks into it."""

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


class Memory:
    """Judgments in a memo."""

    def __init__(self, memo: Memo) -> None:
        self.memo = memo
        self._looked: dict[Key, Looked] = {}  # a key → the same, watched
        # (key, what was looked into) → its digest
        self._contents: dict[tuple[Key, str], str] = {}

    def judged(self, key: Key, asked: object, judging: Judging) -> Verdicts:
        """The verdicts of ``judging``, which is asked only where they are not known.

        What a report shows beside them (outcomes, observations) is not kept.

        Args:
            asked: plain values that tell this judgment from every other of the same key.
            judging: judges with the key and the sessions that it is given.
        """
        table = key.chapters, key.outline, sorted(key.table["targets"].items())
        name = digest(machine(), judge(), table, asked)
        into = self.memo.recall(name)
        known = into and self.memo.recall(self._with_contents(name, key, into))
        if known is not None:
            return {each[0]: _restored(key, each) for each in known}
        looked, sessions = self._looked.setdefault(key, Looked(key)), list[Replayed]()
        looked.into.clear()

        def session(*arguments: Any) -> Session:
            sessions.append(Replayed(self.memo, *arguments))
            return sessions[-1]

        verdicts = judging(looked, session)
        if all(each.settled for each in sessions):
            into = sorted(looked.into)
            self.memo.remember(name, into)
            self.memo.remember(
                self._with_contents(name, key, into), [*map(_kept, verdicts.values())]
            )
        return verdicts

    def _with_contents(self, name: str, key: Key, into: Iterable[str]) -> str:
        return digest(name, [(each, self._content(key, each)) for each in into])

    def _content(self, key: Key, part: str) -> str:
        if (key, part) not in self._contents:
            self._contents[key, part] = content(key, part)
        return self._contents[key, part]


def content(key: Key, part: str) -> str:
    """The digest of a chapter without its mistakes; of an exercise, that of its mistakes."""
    chapter = key.chapter(chapter_of(part))
    if part != chapter.id:
        row = next((dict(row) for row in chapter.exercises if row["id"] == part), {})
        return digest([row.get(name) for name in OF_MISTAKES], key.mistakes(part))
    rows = [
        {name: value for name, value in row.items() if name not in OF_MISTAKES}
        for row in chapter.index["exercises"]
    ]
    return digest(sorted({**chapter.index, "exercises": rows}.items()), bytes(chapter.data))


def _kept(verdict: ExerciseVerdict) -> tuple[object, ...]:
    """A verdict as plain Python."""
    checks = [
        (c.check["id"], c.status, c.says, c.failing, c.waiting, c.blocked_by, c.inferred, c.notes)
        for c in verdict.checks
    ]
    told = verdict.given, verdict.forced, verdict.says, verdict.blocked_by, verdict.mistakes
    return verdict.id, *told, checks


def _restored(key: Key, kept: Any) -> ExerciseVerdict:
    id, given, forced, says, blocked_by, mistakes, checks = kept
    chapter = key.chapter(chapter_of(id))
    verdict = ExerciseVerdict(next(e for e in chapter.exercises if e["id"] == id), given)
    verdict.forced, verdict.says = forced, says
    verdict.blocked_by, verdict.mistakes = blocked_by, mistakes
    rows = {check["id"]: check for check in chapter.checks if check["exercise"] == id}
    for name, status, said, failing, waiting, blocked, inferred, notes in checks:
        check = CheckVerdict(rows[name], status, said)
        check.failing, check.waiting, check.blocked_by = failing, waiting, blocked
        check.inferred, check.notes = inferred, notes
        verdict.checks.append(check)
    return verdict


@cache
def judge() -> str:
    """Names the judge: its sources, what is said of the course, and the ops' rows."""
    places = [os.path.join(root.PACKAGE, name) for name in JUDGE]
    places += [root.path(name) for name in (*about.files(), "exercises")]
    return hash_files(files_below(places), told=but_exercises)
