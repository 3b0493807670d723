"""The learner's package on the desk: judged again after a save, the edited exercise first.

A save is compared with the last one, target by target; the fork server may die, the watch goes on.
"""

from __future__ import annotations

import struct
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ..course import package
from ..course.key_file import Key
from ..course.package import module_of
from ..course.syntax_tree import definitions
from ..errors import OurFault, WrongUse
from ..grade_package import Grading
from ..result import exercises_of, result
from ..sandbox.launch import Nursery, Worker
from ..verdict import GIVEN, PASSED, PENDING
from . import choice, own_file, workspace

if TYPE_CHECKING:
    from ..judge.judge import ExerciseVerdict
    from ..result_rows import ExerciseResult, Result


class Pieces(NamedTuple):
    """A module cut up: the text of every target in it, and all that lies between."""

    targets: dict[str, str]
    rest: list[str]


class Edits(NamedTuple):
    """What differs between two packages."""

    files: list[str]  # the names of the files that differ
    exercises: set[str]  # those whose targets differ, in no order
    elsewhere: bool  # whether anything else differs: an import, a helper, a file that cannot be cut


class Editor:
    """Remembers the last package whose files could be cut up, and compares with the next."""

    def __init__(self, owners: Mapping[str, str]) -> None:
        self.owners = owners  # target → its exercise
        self.files: dict[str, bytes] = {}
        self.pieces: dict[str, Pieces] = {}

    def look(self, files: dict[str, bytes]) -> Edits:
        """What differs from the last time; a file that is no Python keeps its last good cut."""
        names = [n for n in sorted({*self.files, *files}) if self.files.get(n) != files.get(n)]
        exercises: set[str] = set()
        elsewhere = False
        for name in names:
            before = self.pieces.get(name, Pieces({}, []))
            after = self._cut(name, files[name]) if name in files else Pieces({}, [])
            if after is None:
                elsewhere = True
                continue
            self.pieces[name] = after
            targets = {*before.targets, *after.targets}
            exercises |= {
                self.owners[t] for t in targets if before.targets.get(t) != after.targets.get(t)
            }
            elsewhere |= before.rest != after.rest
        self.files = dict(files)
        return Edits(names, exercises, elsewhere)

    def _cut(self, name: str, data: bytes) -> Pieces | None:
        text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n")
        try:
            spans = definitions(module_of(name), text)
        except (SyntaxError, ValueError, RecursionError):
            return None
        lines = text.split("\n")
        targets = {t: "\n".join(lines[top - 1 : end]) for t, (top, end) in spans.items()
                   if t in self.owners}  # fmt: skip
        taken = {n for t in targets for n in range(spans[t][0] - 1, spans[t][1])}
        rest = [line for n, line in enumerate(lines) if n not in taken and line.strip()]
        return Pieces(targets, rest)


KILLED = 9  # how `waitpid` tells of a process that was killed
GONE = (OSError, struct.error, OurFault)  # nobody answers any more


class Warm(Nursery):
    """A nursery in whose place a new one starts where it is gone."""

    restarts = 0

    def launch(self) -> Worker:
        """A new worker, forked from the warm parent."""
        try:
            worker = super().launch()
        except GONE:
            self.close()
            self.restarts += 1
            worker = super().launch()
        worker.wait = self._reaper(worker.wait)
        return worker

    def _reaper(self, bury: Callable[[int], int]) -> Callable[[int], int]:
        def wait(pid: int) -> int:
            self.forget(pid)
            try:
                return bury(pid)
            except GONE:  # its parent is; and so is it, after `end`
                self.close()
                return KILLED

        return wait

    def forget(self, pid: int) -> None:
        """From here on the number may be another process's."""

    def close(self) -> None:
        """End the warm parent."""
        try:
            self.__exit__()
        except (ProcessLookupError, ChildProcessError):
            pass


HALF_SAVED = 0.05  # seconds; many an editor empties a file before it writes it


class Round(NamedTuple):
    """One batch of exercises, judged."""

    why: str  # what it was about: ``edited``, ``dependents`` or ``all``
    files: list[str]  # the files that were saved
    result: Result  # the canonical result
    # What kept the package from being imported, and the place; else empty.
    unloadable: tuple[str, str] | None
    before: dict[str, str]  # the statuses that these exercises had
    printed: str  # what the learner's code has printed
    gone: frozenset[str] = frozenset()  # those of the files that are not there any more

    @property
    def exercises(self) -> list[ExerciseResult]:
        return exercises_of(self.result)


class Desk:
    """What is known while the watch runs."""

    def __init__(self, key: Key, folder: str, names: list[str], warm: Warm) -> None:
        self.key = key
        self.folder = folder
        self.warm = warm
        self.names = names  # to check at first and on «check all»; without any, the chapter
        self.ids = choice.choose(key, folder, names)
        self.given = choice.given(key, folder)
        self.editor = Editor(key.table["targets"])
        self.learner = package.read(folder)
        self.editor.look(self.learner.files)
        self.statuses = workspace.read_progress(folder)
        self.blocked_by: dict[str, list[str]] = {}
        self.needs = {e["id"]: e["needs"] for c in key.chapters for e in key.chapter(c).exercises}
        self.order = [id for id, _, _ in key.outline]
        self.current: str | None = None
        self.owed: set[str] = set()  # what was edited and is not judged yet
        self.unsure = False  # whether anything else was edited that these may need
        self.importable = True
        self.note = ""

    def all(self) -> Iterator[Round]:
        """Judge everything that was asked for."""
        self.learner = self._read()
        self.editor.look(self.learner.files)
        yield self._judge("all", [], self.ids)

    def saved(self) -> Iterator[Round]:
        """Judge what a save has touched, then what depends on it; nothing if nothing changed.

        Raises:
            WrongUse: the package cannot be read, or is not there.
        """
        learner = self._read()
        if not learner.files:
            self.learner = learner
            raise WrongUse(f"{self.folder} is gone. Its return will be noticed.")
        if learner.sha256 == self.learner.sha256:
            return
        self.learner = learner
        edits = self.editor.look(learner.files)
        edited = self.owed = edits.exercises | self.owed
        elsewhere = self.unsure = edits.elsewhere or self.unsure
        first = [id for id in self.order if id in edited]
        if first:
            self.current = next((id for id in first if id not in self.given), self.current)
        else:  # an import, a helper: what is being worked on is nearest to it
            first = [id for id in (self.working_on() or self.ids[0],) if id not in self.given]
        if first:
            yield self._judge("edited", edits.files, first)
        others = self._dependents(edited, everything=elsewhere)
        others = [id for id in others if id not in first]
        if others and self.importable:
            yield self._judge("dependents", edits.files, others)
        if self.importable:  # else it is judged once it can be imported
            self.owed, self.unsure = set(), False

    def these(self, ids: list[str]) -> Iterator[Round]:
        """Judge what a save has touched, then these."""
        yield from self.saved()
        if ids:
            yield self._judge("all", [], ids)

    def give_up(self) -> None:
        """A run was stopped: what it has not judged is owed, and the files count as not seen."""
        self.learner = self.learner._replace(sha256="")

    def status_of(self, id: str) -> str:
        """What is known of an exercise."""
        return self.statuses.get(id, GIVEN if id in self.given else PENDING)

    def working_on(self) -> str | None:
        """The exercise that was edited or asked for last, until it is passed; then the next."""
        if self.current is not None and self.statuses.get(self.current) != PASSED:
            return self.current
        return self.next()

    def go_on(self) -> str | None:
        """Turn to the next exercise, in the next chapter where all that is watched is done."""
        if self.next() is None:
            self.ids = choice.choose(self.key, self.folder, [])
        self.current = self.next()
        return self.current

    def next(self) -> str | None:
        """The exercise to go on with, of those that are watched; None where all are passed."""
        mine = {id: s for id, s in self.statuses.items() if id in self.ids}
        aside = set(self.order) - set(self.ids) | self.given
        return choice.upcoming(self.key, mine, aside)

    def _read(self) -> package.Package:
        """The package as it stands; once more where a save or a move was only half done."""
        try:
            learner = package.read(self.folder)
        except WrongUse:
            return package.read(self.folder)
        if all(data or not self.learner.files.get(name) for name, data in learner.files.items()):
            return learner
        time.sleep(HALF_SAVED)
        return package.read(self.folder)

    def _dependents(self, edited: set[str], *, everything: bool) -> list[str]:
        """What has been written and needs what was edited, directly or not."""
        reached, grown = set(edited), True
        while grown:
            more = {id for id, needs in self.needs.items() if reached.intersection(needs)}
            more |= {id for id, others in self.blocked_by.items() if reached.intersection(others)}
            grown = not more <= reached
            reached |= more
        return [
            id
            for id in self.order
            if (everything or id in reached) and self.statuses.get(id, PENDING) != PENDING
            and id not in self.given
        ]  # fmt: skip

    def _judge(self, why: str, files: list[str], ids: list[str]) -> Round:
        before = {id: self.statuses.get(id, PENDING) for id in ids}
        try:
            grading, verdicts = self._grade(ids)
        except OurFault:  # a worker that was not born: the warm parent may have died just now
            self.warm.close()
            grading, verdicts = self._grade(ids)
        judged = result(grading, verdicts)
        broken = judged["unloadable"]
        self.importable = not broken
        found = workspace.marks({id: v for id, v in verdicts.items() if v.unloadable is None})
        self.statuses.update({id: mark["status"] for id, mark in found.items()})
        # Who has waited for whom once is remembered: nothing else tells of it when it breaks again.
        self.blocked_by.update({id: m["blocked_by"] for id, m in found.items() if m["blocked_by"]})
        lost = next((v for v in verdicts.values() if v.lacks_something), None)
        notes = own_file.find_obstacles(self.key, self.folder, lost.id) if lost else []
        if found:
            notes += [workspace.write_progress(self.folder, found, self.learner.sha256)]
        self.note = " ".join(filter(None, notes))
        told = (broken[0]["message"], broken[0]["location"] or "") if broken else None
        gone = frozenset(files) - set(self.learner.files)
        return Round(why, files, judged, told, before, grading.output, gone)

    def _grade(self, ids: list[str]) -> tuple[Grading, dict[str, ExerciseVerdict]]:
        grading = choice.open_grading(self.key, self.learner, self.warm.launch, ids)
        return grading, grading.grade(ids)
