"""The learner's package on the desk: judged again after a save, the edited exercise first."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ..course import package
from ..course.key_file import Key
from ..errors import OurFault, WrongUse
from ..grade_package import Grading
from ..result import result
from ..verdict import GIVEN, PASSED, PENDING
from . import choice, workspace
from .edits import Editor
from .scope import chosen, given
from .warm import Warm

if TYPE_CHECKING:
    from ..course.key_rows import ExerciseResult, Result
    from ..judge.judge import ExerciseVerdict

HALF_SAVED = 0.05  # seconds; many an editor empties a file before it writes it


class Round(NamedTuple):
    """One batch of exercises, judged.

    Attributes:
        why: what it was about: ``edited``, ``dependents`` or ``all``.
        files: the files that were saved.
        result: the canonical result.
        unloadable: what kept the package from being imported, and the place; else empty.
        before: the statuses that these exercises had.
        printed: what the learner's code has printed.
        gone: those of the files that are not there any more.
    """

    why: str
    files: list[str]
    result: Result
    unloadable: tuple[str, str] | None
    before: dict[str, str]
    printed: str
    gone: frozenset[str] = frozenset()

    @property
    def exercises(self) -> list[ExerciseResult]:
        return [e for chapter in self.result["chapters"] for e in chapter["exercises"]]


class Desk:
    """What is known while the watch runs.

    Args:
        names: what to check at first and on «check all»; the current chapter where it is empty.
    """

    def __init__(self, key: Key, folder: str, names: list[str], warm: Warm) -> None:
        self.key = key
        self.folder = folder
        self.warm = warm
        self.names = names
        self.ids = chosen(key, folder, names)
        self.given = given(key, folder)
        self.editor = Editor(key.table["targets"])
        self.learner = package.read(folder)
        self.editor.look(self.learner.files)
        self.statuses = workspace.read_progress(folder)
        self.blocked_by: dict[str, list[str]] = {}
        self.needs = {e["id"]: e["needs"] for c in key.chapters for e in key.chapter(c).exercises}
        self.order = [id for id, _, _ in key.outline]
        self.current: str | None = None
        self.owed: set[str] = set()
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
        edited = edits.exercises | self.owed
        first = [id for id in self.order if id in edited and id not in self.given]
        if first:
            self.current = first[0]
        else:  # an import, a helper: what is being worked on is nearest to it
            first = [id for id in (self.working_on() or self.ids[0],) if id not in self.given]
        if first:
            yield self._judge("edited", edits.files, first)
        self.owed = set() if self.importable else edited  # judged once it can be imported
        others = self._dependents(edited, everything=edits.elsewhere)
        others = [id for id in others if id not in first]
        if others and self.importable:
            yield self._judge("dependents", edits.files, others)

    def working_on(self) -> str | None:
        """The exercise that was edited or asked for last, until it is passed; then the next."""
        if self.current is not None and self.statuses.get(self.current) != PASSED:
            return self.current
        return self.next()

    def go_on(self) -> str | None:
        """Turn to the next exercise, in the next chapter where all that is watched is done."""
        if self.next() is None:
            self.ids = chosen(self.key, self.folder, [])
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
        self.statuses.update({id: m["status"] for id, m in found.items() if m["status"] != GIVEN})
        # Who has waited for whom once is remembered: nothing else tells of it when it breaks again.
        self.blocked_by.update({id: m["blocked_by"] for id, m in found.items() if m["blocked_by"]})
        if found:
            self.note = workspace.write_progress(self.folder, found, self.learner.sha256)
        told = (broken[0]["message"], broken[0]["location"] or "") if broken else None
        gone = frozenset(files) - set(self.learner.files)
        return Round(why, files, judged, told, before, grading.output, gone)

    def _grade(self, ids: list[str]) -> tuple[Grading, dict[str, ExerciseVerdict]]:
        solved = workspace.reference(self.folder)
        grading = Grading(self.key, self.learner, self.warm.launch, self.given, reference=solved)
        return grading, grading.grade(ids)
