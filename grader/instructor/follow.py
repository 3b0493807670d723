"""Follow-through: an exercise judged with the learner's own code for it and right code around.

One early error must not cost the later chapters. The learner's definitions of the exercise's
targets (then of its whole section, for code that leans on its neighbours) are put into the
reference, and the exercise is judged once more, by another worker. Only the marks are kept:
nothing that this run printed or returned is ever shown.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from ..course import Exercise
from ..course.load import Course
from ..grade import Grading
from ..key.file import Key
from ..package import Package
from ..session.launch import Worker
from ..verdict import BLOCKED, CRASHED, FAILED, OUT_OF_MEMORY
from .splice import Piece, helpers, pieces, with_pieces

# What another's error can have caused. A loop without end is the learner's own, and dear.
WORTH_A_SECOND_LOOK = frozenset({BLOCKED, FAILED, CRASHED, OUT_OF_MEMORY})


class FollowThrough:
    """Judges exercises of one learner apart from the learner's other code."""

    def __init__(
        self, course: Course, key: Key, launch: Callable[[], Worker], learner: Package
    ) -> None:
        self.course = course
        self.key = key
        self.launch = launch
        self.learner = learner
        self._right: dict[int, dict[str, str]] = {}
        self._mine: dict[str, dict[str, Piece]] = {}

    def score(self, id: str) -> float:
        """The best that the learner's own code for this exercise earns among right code."""
        exercise = self.course.exercises[id]
        best = 0.0
        chapter = int(exercise.chapter.removeprefix("chapter"))
        for targets in (list(exercise.targets), self._section(exercise)):
            files = self.package(targets, set(exercise.targets), chapter)
            if files is not None:
                best = max(best, self._judged(id, files))
            if best >= exercise.points:
                break
        return best

    def _section(self, exercise: Exercise) -> list[str]:
        """The targets of everything that the exercise's section asks for."""
        return [
            target
            for other in self.course.exercises.values()
            if other.section == exercise.section and not other.given
            for target in other.targets
        ]

    def right(self, chapter: int) -> dict[str, str]:
        """The reference up to this chapter, and stubs from there on: an answer must not lean on
        right code of ours that the exercise does not build on."""
        if chapter not in self._right:
            self._right[chapter] = self.course.stubs(chapter + 1)
        return self._right[chapter]

    def package(self, targets: list[str], needed: set[str], chapter: int) -> dict[str, str] | None:
        """The reference of a chapter with these definitions of the learner's.

        None where one that is needed is missing: right code must never earn its marks.
        """
        files = dict(self.right(chapter))
        for name in {file_of(target, files) for target in targets}:
            wanted = [t for t in targets if file_of(t, files) == name]
            mine = self._pieces(name)
            short = {target: target[len(name) - 2 :] for target in wanted}
            if any(short[t] not in mine for t in needed & set(wanted)):
                return None
            chosen = [mine[short[t]] for t in wanted if short[t] in mine]
            more = helpers(mine, chosen, set(pieces(files[name])))
            files[name] = with_pieces(files[name], [*chosen, *more])
        return files

    def _pieces(self, name: str) -> dict[str, Piece]:
        if name not in self._mine:
            text = self.learner.files.get(name, b"").decode("utf-8", "replace")
            try:
                self._mine[name] = pieces(text.replace("\r\n", "\n"))
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                self._mine[name] = {}
        return self._mine[name]

    def _judged(self, id: str, files: dict[str, str]) -> float:
        texts = {name: text.encode("utf-8", "replace") for name, text in files.items()}
        digest = hashlib.sha256(repr(sorted(texts.items())).encode()).hexdigest()
        package = Package(self.learner.folder, texts, digest)
        given = {id for id, _, is_given in self.key.outline if is_given}
        return Grading(self.key, package, self.launch, given).grade([id])[id].score


def file_of(target: str, files: dict[str, str]) -> str:
    """The file of a target: ``engines.closures.Value`` → ``engines/closures.py``."""
    parts = target.split(".")
    for n in range(len(parts) - 1, 0, -1):
        name = "/".join(parts[:n]) + ".py"
        if name in files:
            return name
    return parts[0] + ".py"


def marks(result: dict[str, Any], follow: FollowThrough) -> dict[str, float]:
    """Exercise → its points with follow-through, for all that a canonical result holds."""
    found = {}
    for chapter in result["chapters"]:
        for exercise in chapter["exercises"]:
            own = float(exercise["score"])
            if exercise["status"] in WORTH_A_SECOND_LOOK and own < exercise["max_score"]:
                own = round(max(own, follow.score(exercise["id"])), 4)
            found[exercise["id"]] = own
    return found
