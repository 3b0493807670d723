"""What is wrong, as places in files that an editor can point at."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from ..about import COURSE
from ..course.load import module_of
from ..course.target import definitions, file_of
from ..result import is_a_line
from ..verdict import WRONG
from .desk import Desk, Round
from .layout import sides
from .terminal import reason, wrong_checks
from .wording import Style

if TYPE_CHECKING:
    from ..course.key_rows import ExerciseResult, Unloadable

IMPORT = f"import {COURSE.name}"
ENTRY = "__init__.py"


class Fault(NamedTuple):
    """A line that is wrong.

    Attributes:
        file: its path below the package.
        line: counted from 1.
        columns: where the text of the line begins and ends, in UTF-16 as editors count.
        code: the exercise; `IMPORT` where the package cannot be imported.
        says: what is wrong, in one line.
        call: the smallest call that shows it, its inputs, and both results.
    """

    file: str
    line: int
    columns: tuple[int, int]
    code: str
    says: str
    call: str = ""


class Place(NamedTuple):
    """A line by the innermost definition around it, so that it moves along with that."""

    file: str
    line: int
    around: str
    below: int


class Board:
    """What is wrong of all that was judged so far: a round brings news of its exercises alone."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.failing: dict[str, ExerciseResult] = {}
        self.unloadable: list[Unloadable] = []
        self._places: dict[str, Place] = {}

    def take(self, found: Round) -> None:
        """Note what a round has brought; what could not be imported tells nothing of the rest."""
        self.unloadable = found.result["unloadable"]
        unknown = {id for cause in self.unloadable for id in cause["exercises"]}
        for exercise in found.exercises:
            id = exercise["id"]
            if id in unknown:
                continue
            self.failing.pop(id, None)
            if exercise["status"] in WRONG:
                self.failing[id] = exercise
                self._places[id] = self._place(exercise)

    def faults(self) -> list[Fault]:
        """All of them, where they stand now."""
        if self.unloadable:
            return [self._broken(cause) for cause in self.unloadable]
        spans = {name: self._spans(name) for name in {p.file for p in self._places.values()}}
        return [
            self._fault(exercise, self._places[id], spans[self._places[id].file])
            for id, exercise in self.failing.items()
        ]

    def _broken(self, cause: Unloadable) -> Fault:
        file, _, line = (cause["location"] or "").rpartition(":")
        if not (line.isdecimal() and is_a_line(self.desk.learner.files, file, int(line))):
            file, line = ENTRY, "1"
        says = " ".join(cause["message"].split())
        return Fault(file, int(line), self._columns(file, int(line)), IMPORT, says)

    def _fault(
        self, exercise: ExerciseResult, place: Place, spans: Mapping[str, tuple[int, int]]
    ) -> Fault:
        check = wrong_checks(exercise)[0]
        line = spans[place.around][0] + place.below if place.around in spans else place.line
        says = check["mistake"]["says"] if check["mistake"] is not None else reason(check)
        call = check["message"].partition("\n\n")[0].rpartition("\n")[0]
        shown = [call, *(side.strip() for side in sides(check, Style(False, 80)))]
        return Fault(
            place.file, line, self._columns(place.file, line), exercise["id"],
            " ".join(says.split()), "\n".join(filter(None, shown)),
        )  # fmt: skip

    def _columns(self, file: str, line: int) -> tuple[int, int]:
        text = "".join(self.desk.learner.text(file).split("\n")[line - 1 : line]).rstrip()
        return len(text) - len(text.lstrip()), len(text.encode("utf-16-le")) // 2

    def _place(self, exercise: ExerciseResult) -> Place:
        """Where a report says that it is; where it says nothing, in the file it belongs to."""
        file, _, line = (wrong_checks(exercise)[0]["location"] or "").rpartition(":")
        if not (line.isdecimal() and is_a_line(self.desk.learner.files, file, int(line))):
            owners = self.desk.key.table["targets"]
            target = next(t for t, id in owners.items() if id == exercise["id"])
            file, line = os.path.relpath(file_of(self.desk.folder, target), self.desk.folder), "1"
        around, below = "", int(line)
        for name, (top, last) in self._spans(file).items():
            if top <= int(line) <= last:  # the innermost comes last
                around, below = name, int(line) - top
        return Place(file, int(line), around, below)

    def _spans(self, file: str) -> Mapping[str, tuple[int, int]]:
        try:
            return definitions(module_of(file), self.desk.learner.text(file))
        except (SyntaxError, ValueError, RecursionError):
            return {}
