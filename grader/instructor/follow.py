"""Follow-through: an exercise judged with the learner's own code for it and right code around.

One early error must not cost the later chapters. The learner's definitions of the exercise's
targets (then of its whole section, for code that leans on its neighbours) are put into the
reference, and the exercise is judged once more, by another worker. Only the marks are kept:
nothing that this run printed or returned is ever shown.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from ..course import Exercise
from ..course.load import Course
from ..grade import Grading
from ..intake.package import Package
from ..key.file import Key
from ..outline import given as given_in
from ..outline import number_of
from ..session.launch import Worker
from ..sources.splice import Piece, helpers, pieces, with_pieces
from ..verdict import BLOCKED, CRASHED, FAILED, OUT_OF_MEMORY

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
        self._mine: dict[str, dict[str, Piece]] = {}

    def score(self, id: str) -> float:
        """The best that the learner's own code for this exercise earns among right code."""
        exercise = self.course.exercises[id]
        best, tried = 0.0, None
        for targets in (list(exercise.targets), self._section(exercise)):
            files = self.package(targets, set(exercise.targets), number_of(exercise.chapter))
            if files is not None and files != tried:
                best = max(best, self._judged([id], files)[id])
            tried = files
            if best >= exercise.points:
                break
        return best

    def together(self, chapter: str, ids: list[str]) -> dict[str, float]:
        """What these exercises of a chapter earn at once, all the code for them the learner's.

        Code that passes so has had less help than it would have alone: one run settles what an
        early error has blocked, most often all of it.
        """
        written = [id for id in ids if self._is_written(self.course.exercises[id])]
        targets = [t for id in written for t in self.course.exercises[id].targets]
        if len(written) < 2:
            return {}
        files = self.package(targets, set(targets), number_of(chapter))
        return {} if files is None else self._judged(written, files)

    def _is_written(self, exercise: Exercise) -> bool:
        files = right(self.course, number_of(exercise.chapter))
        names = [(file_of(target, files), target) for target in exercise.targets]
        return all(target[len(name) - 2 :] in self._pieces(name) for name, target in names)

    def _section(self, exercise: Exercise) -> list[str]:
        """The targets of everything that the exercise's section asks for."""
        return [
            target
            for other in self.course.exercises.values()
            if other.section == exercise.section and not other.given
            for target in other.targets
        ]

    def package(self, targets: list[str], needed: set[str], chapter: int) -> dict[str, str] | None:
        """The reference of a chapter with these definitions of the learner's.

        None where one that is needed is missing: right code must never earn its marks.
        """
        files = right(self.course, chapter)
        for name in {file_of(target, files) for target in targets}:
            wanted = [t for t in targets if file_of(t, files) == name]
            mine = self._pieces(name)
            short = {target: target[len(name) - 2 :] for target in wanted}
            if any(short[t] not in mine for t in needed & set(wanted)):
                return None
            chosen = [mine[short[t]] for t in wanted if short[t] in mine]
            more = helpers(mine, chosen, set(known_pieces(files[name])))
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

    def _judged(self, ids: list[str], files: dict[str, str]) -> dict[str, float]:
        texts = {name: text.encode("utf-8", "replace") for name, text in files.items()}
        digest = hashlib.sha256(repr(sorted(texts.items())).encode()).hexdigest()
        package = Package(self.learner.folder, texts, digest)
        given = given_in(self.key.outline)
        verdicts = Grading(self.key, package, self.launch, given).grade(ids)
        return {id: verdict.score for id, verdict in verdicts.items()}


_RIGHT: dict[int, tuple[Course, dict[str, str]]] = {}  # chapter → of which course, its files


def right(course: Course, chapter: int) -> dict[str, str]:
    """The reference up to this chapter, and stubs from there on: an answer must not lean on right
    code of ours that the exercise does not build on. Every submission asks for the same."""
    if chapter not in _RIGHT or _RIGHT[chapter][0] is not course:
        _RIGHT[chapter] = course, course.stubs(chapter + 1)
    return dict(_RIGHT[chapter][1])


@lru_cache(maxsize=64)
def known_pieces(text: str) -> dict[str, Piece]:
    """The definitions of a file of the reference, which every submission asks for."""
    return pieces(text)


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
    exercises = [e for chapter in result["chapters"] for e in chapter["exercises"]]
    found = {e["id"]: float(e["score"]) for e in exercises}
    blocked: dict[str, float] = {}
    for chapter in result["chapters"]:
        ids = [e["id"] for e in chapter["exercises"] if e["status"] == BLOCKED]
        blocked |= follow.together(chapter["id"], ids)
    for e in exercises:
        best = max(found[e["id"]], blocked.get(e["id"], 0.0))
        if e["status"] in WORTH_A_SECOND_LOOK and round(best, 4) < e["max_score"]:
            best = max(best, follow.score(e["id"]))
        found[e["id"]] = round(best, 4)
    return found
