"""Judge the learner's package again after each save, the edited exercise first.

A save is compared with the last one, target by target. If the fork server dies, another starts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ..course import package
from ..course.key_file import Key
from ..course.outline import chapter_of
from ..course.package import module_of
from ..course.syntax_tree import NO_PYTHON, locate_definitions
from ..errors import OurFault, WrongUse
from ..grade_package import Grading
from ..learner import own_file, selection, workspace
from ..result import iter_exercises, result
from ..sandbox.launch import ForkServer
from ..verdict import GIVEN, PASSED, PENDING

if TYPE_CHECKING:
    from ..judge.judge import ExerciseVerdict
    from ..result_rows import ExerciseResult, Result


class Pieces(NamedTuple):
    """A module cut into the text of each target, and the lines between them."""

    targets: dict[str, str]
    rest: list[str]


class Edits(NamedTuple):
    """The differences between two versions of a package."""

    files: list[str]  # the names of the files that differ
    exercises: set[str]  # with a target that differs
    elsewhere: bool  # whether anything else differs: an import, a helper, a file that cannot be cut


class EditTracker:
    """Remembers how each file was last cut into targets, and compares the next version with it."""

    def __init__(self, owners: Mapping[str, str]) -> None:
        self.owners = owners  # target → its exercise
        self.files: dict[str, bytes] = {}
        self.pieces: dict[str, Pieces] = {}

    def diff(self, files: dict[str, bytes]) -> Edits:
        """Return the edits since the last call; an unparsable file keeps its last good cut."""
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
            spans = locate_definitions(module_of(name), text)
        except NO_PYTHON:
            return None
        lines = text.split("\n")
        targets = {t: "\n".join(lines[top - 1 : end]) for t, (top, end) in spans.items()
                   if t in self.owners}  # fmt: skip
        taken = {n for t in targets for n in range(spans[t][0] - 1, spans[t][1])}
        rest = [line for n, line in enumerate(lines) if n not in taken and line.strip()]
        return Pieces(targets, rest)


HALF_SAVED = 0.05  # seconds; many editors empty a file before they write it


class JudgedBatch(NamedTuple):
    """The result of one batch of exercises."""

    why: str  # which batch: ``edited``, ``dependents`` or ``all``
    files: list[str]  # the files that were saved
    result: Result  # the canonical result
    # (message, FILE:LINE or "") if the package, or one file of it, cannot be imported.
    unloadable: tuple[str, str] | None
    before: dict[str, str]  # exercise → its status before
    printed: str  # what the learner's code has printed
    gone: frozenset[str] = frozenset()  # those of `files` that were deleted

    @property
    def exercises(self) -> list[ExerciseResult]:
        return iter_exercises(self.result)


class WatchSession:
    """The state of a watch: the package as last read, its statuses, and what is still to judge."""

    def __init__(
        self, key: Key, folder: str, names: list[str], warm: ForkServer,
        prepare: Callable[[set[str]], object] = lambda chapters: None,
    ) -> None:  # fmt: skip
        self.key = key
        self.prepare = prepare  # called with the chapters of what is judged next
        self.folder = folder
        self.warm = warm
        self.names = names  # what «check all» checks; if empty, the current chapter
        self.ids = selection.choose_exercises(key, folder, names)
        self.given = selection.find_given(key, folder)
        self.editor = EditTracker(key.table["targets"])
        self.learner = package.read_package(folder)
        self.editor.diff(self.learner.files)
        self.statuses = workspace.read_progress(folder)
        self.blocked_by: dict[str, list[str]] = {}
        self.order = [id for id, _, _ in key.outline]
        self.current: str | None = None
        self.owed: set[str] = set()  # edited exercises that are not judged yet
        self.unsure = False  # whether an edit outside of targets is not judged yet
        self.importable = True
        self.note = ""

    def all(self) -> Iterator[JudgedBatch]:
        """Judge all watched exercises."""
        self.learner = self._read()
        self.editor.diff(self.learner.files)
        yield self._judge("all", [], self.ids)

    def saved(self) -> Iterator[JudgedBatch]:
        """Judge the edited exercises, then those that depend on them; nothing if nothing changed.

        Raises:
            WrongUse: the package cannot be read, or is gone.
        """
        learner = self._read()
        if not learner.files:
            self.learner = learner
            raise WrongUse(f"{self.folder} is gone. Its return will be noticed.")
        if learner.sha256 == self.learner.sha256:
            return
        self.learner = learner
        edits = self.editor.diff(learner.files)
        edited = self.owed = edits.exercises | self.owed
        elsewhere = self.unsure = edits.elsewhere or self.unsure
        first = [id for id in self.order if id in edited]
        if first:
            self.current = next((id for id in first if id not in self.given), self.current)
        else:  # an import or a helper changed: judge the current exercise first
            first = [id for id in (self.working_on() or self.ids[0],) if id not in self.given]
        if first:
            yield self._judge("edited", edits.files, first)
        others = self._dependents(edited, everything=elsewhere)
        others = [id for id in others if id not in first]
        if others and self.importable:
            yield self._judge("dependents", edits.files, others)
        if self.importable:  # else it stays owed until the package can be imported
            self.owed, self.unsure = set(), False

    def judge_now(self, ids: list[str]) -> Iterator[JudgedBatch]:
        """Judge the effects of a save, then these exercises."""
        yield from self.saved()
        if ids:
            yield self._judge("all", [], ids)

    def forget_unfinished(self) -> None:
        """After a cancelled run, count the files as unseen; what it did not judge stays owed."""
        self.learner = self.learner._replace(sha256="")

    def status_of(self, id: str) -> str:
        """Return an exercise's last status; given or pending if it was never judged."""
        return self.statuses.get(id, GIVEN if id in self.given else PENDING)

    def working_on(self) -> str | None:
        """Return the exercise that was edited or turned to last; if it is passed, the next one."""
        if self.current is not None and self.statuses.get(self.current) != PASSED:
            return self.current
        return self.next()

    def go_on(self) -> str | None:
        """Turn to the next exercise; to the next chapter's if all watched ones are passed."""
        if self.next() is None:
            self.ids = selection.choose_exercises(self.key, self.folder, [])
        self.current = self.next()
        return self.current

    def next(self) -> str | None:
        """Return the watched exercise to go on with; None if all are passed."""
        mine = {id: s for id, s in self.statuses.items() if id in self.ids}
        aside = set(self.order) - set(self.ids) | self.given
        return selection.upcoming(self.key, mine, aside)

    def _read(self) -> package.Package:
        """Read the package; read it again if a save or a move was only half done."""
        try:
            learner = package.read_package(self.folder)
        except WrongUse:
            return package.read_package(self.folder)
        if all(data or not self.learner.files.get(name) for name, data in learner.files.items()):
            return learner
        time.sleep(HALF_SAVED)
        return package.read_package(self.folder)

    def _dependents(self, edited: set[str], *, everything: bool) -> list[str]:
        """List the exercises, judged before, that need an edited one, directly or not."""
        reached, grown = set(edited), True
        while grown:
            more = {id for id, needs in self.key.needs.items() if reached.intersection(needs)}
            more |= {id for id, others in self.blocked_by.items() if reached.intersection(others)}
            grown = not more <= reached
            reached |= more
        return [
            id
            for id in self.order
            if (everything or id in reached) and self.statuses.get(id, PENDING) != PENDING
            and id not in self.given
        ]  # fmt: skip

    def _judge(self, why: str, files: list[str], ids: list[str]) -> JudgedBatch:
        before = {id: self.statuses.get(id, PENDING) for id in ids}
        try:
            grading, verdicts = self._grade(ids)
        except OurFault:  # no worker was forked: the fork server may have died just now
            self.warm.close()
            grading, verdicts = self._grade(ids)
        judged = result(grading, verdicts)
        broken = judged["unloadable"]
        self.importable = not broken
        found = workspace.summarize_verdicts(
            {id: v for id, v in verdicts.items() if v.unloadable is None}
        )
        self.statuses.update({id: mark["status"] for id, mark in found.items()})
        # Remembered: if B was blocked by A once, then B is judged again when A is edited.
        self.blocked_by.update({id: m["blocked_by"] for id, m in found.items() if m["blocked_by"]})
        lost = next((v for v in verdicts.values() if v.lacks_something), None)
        notes = own_file.find_obstacles(self.key, self.folder, lost.id) if lost else []
        if found:
            notes += [workspace.write_progress(self.folder, found, self.learner.sha256)]
        self.note = " ".join(filter(None, notes))
        told = (broken[0]["message"], broken[0]["location"] or "") if broken else None
        gone = frozenset(files) - set(self.learner.files)
        return JudgedBatch(why, files, judged, told, before, grading.output, gone)

    def _grade(self, ids: list[str]) -> tuple[Grading, dict[str, ExerciseVerdict]]:
        self.prepare(set(map(chapter_of, ids)))
        grading = selection.open_grading(self.key, self.learner, self.warm.fork, ids)
        return grading, grading.grade(ids)
