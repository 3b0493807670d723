"""Follow-through: judge an exercise with the learner's own code for it and the reference around.

An early error must not cost the later chapters. The learner's definitions of the exercise's targets
(then of its whole section, for code that uses its neighbours) are put into the reference, and the
exercise is judged again, by another worker. Only the marks are kept: output and values of this run
are never shown.

Circular code (Sub made of Negate, Negate made of Sub) would pass one by one within the reference.
So gains are ordered: an exercise keeps its gain only if it passes in a run where all gaining
exercises are the learner's own, except those placed before it. No exercise is placed before itself,
so a circle gains nothing, whatever its members earn alone.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Container, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from ...course import Exercise
from ...course.key_file import Key
from ...course.load import Course
from ...course.outline import chapter_no, chapter_of, given_ids
from ...course.package import Package
from ...course.splice import Piece, find_pieces, helpers, target_file, with_pieces
from ...course.syntax_tree import NO_PYTHON
from ...grade_package import Grading
from ...result import iter_exercises
from ...result_rows import Result
from ...sandbox.isolation import LEVELS
from ...sandbox.launch import Worker
from ...sandbox.session import ImportTime
from ...verdict import BLOCKED, CRASHED, FAILED, OUT_OF_MEMORY

# Statuses that another exercise's error can cause. A timeout is left out: judging it again is slow.
WORTH_A_SECOND_LOOK = frozenset({BLOCKED, FAILED, CRASHED, OUT_OF_MEMORY})

SECONDS = 300.0  # for one submission; after that, the other exercises keep their own marks


@dataclass
class FollowThrough:
    """Judges exercises of one learner within the reference instead of the learner's other code."""

    course: Course
    stubs: Callable[[int], dict[str, str]]  # `Course.stubs`, cached: all submissions need it
    key: Key
    launch: Callable[[], Worker]
    learner: Package
    least: str = LEVELS[0]
    # its clock is shared with the ordinary run
    imports: ImportTime = field(default_factory=ImportTime)
    says: str = ""

    def __post_init__(self) -> None:
        self.until = self._now() + SECONDS
        self._mine: dict[str, Mapping[str, Piece]] = {}

    def score(self, id: str) -> float:
        """Return the most points that the learner's code for an exercise earns in the reference."""
        exercise = self.course.exercises[id]
        return self._earned({id: exercise.points}, *self._beside([id]))[id]

    def _earned(self, enough: dict[str, float], *beside: str) -> dict[str, float]:
        """Return what exercises of a chapter earn together, as the learner's, within the reference.

        Args:
            enough: exercise → points that need no second run.
            beside: targets that are the learner's too in a second run, for code that uses its
                neighbours.
        """
        exercises = [self.course.exercises[id] for id in enough]
        own = [target for exercise in exercises for target in exercise.targets]
        best, tried = dict.fromkeys(enough, 0.0), None
        for targets in filter(None, (own, list(beside))):
            files = self.package(targets, set(own), chapter_no(exercises[0].chapter))
            if files is not None and files != tried:
                earned = self._judged(list(enough), files)
                best = {id: max(best[id], earned[id]) for id in enough}
            tried = files
            if all(best[id] >= enough[id] for id in enough) or self.is_over():
                break
        return best

    def is_over(self) -> bool:
        """Whether the time is up; if so, note it for the record in `says`."""
        if self.imports.grant() and self._now() < self.until:
            return False
        self.says = "Follow-through ran out of time: some exercises keep their own marks."
        return True

    def _now(self) -> float:
        """Return the CPU seconds of workers and this process, the same on a busy machine."""
        return self.imports.spent + time.process_time()

    def together(self, ids: list[str]) -> dict[str, float]:
        """Return what the written ones of these exercises earn together, as the learner's.

        Each gets less help from the reference than alone, so what passes counts: one run settles
        most of what an early error has blocked.
        """
        exercises = [self.course.exercises[id] for id in ids]
        written = {e.id: e.points for e in exercises if self._is_written(e)}
        return self._earned(written) if len(written) > 1 else {}

    def circular(self, gained: dict[str, float]) -> set[str]:
        """Return the exercises whose gains rest on a circle; ``gained``: exercise → points alone.

        All of them are judged together, as the learner's. One that earns there what it earns alone
        gets its place in the order. If that is less than full points, the reference takes its part
        in the next run, for those after it.
        """
        left, before = set(gained), set[str]()
        while left and not self.is_over():
            own = {id: points for id, points in gained.items() if id not in before}
            earned = self._earned(own, *self._beside(own, before)) if len(own) > 1 else own
            placed = {id for id in left if earned[id] >= gained[id]}
            left -= placed
            partly = {id for id in placed if gained[id] < self.course.exercises[id].points}
            if not partly:
                break
            before |= partly
        return left

    def _is_written(self, exercise: Exercise) -> bool:
        files = self.right(chapter_no(exercise.chapter))
        places = (target_file(target, files) for target in exercise.targets)
        return all(inner in self._pieces(name) for name, inner in places)

    def _beside(self, ids: Iterable[str], but: Container[str] = ()) -> list[str]:
        """Return all targets in the sections of these exercises, except those of ``but``."""
        exercises = self.course.exercises
        sections = {exercises[id].section for id in ids}
        return [
            target
            for e in exercises.values()
            if e.section in sections and not e.given and e.id not in but
            for target in e.targets
        ]

    def package(self, targets: list[str], needed: set[str], chapter: int) -> dict[str, str] | None:
        """Put these definitions of the learner's into the reference, up to a chapter.

        None if one of ``needed`` is missing: the reference must not earn its marks.
        """
        files = self.right(chapter)
        places = {target: target_file(target, files) for target in targets}
        for name in {name for name, _ in places.values()}:
            wanted = {target: inner for target, (file, inner) in places.items() if file == name}
            mine = self._pieces(name)
            if any(wanted[target] not in mine for target in needed & wanted.keys()):
                return None
            chosen = [mine[inner] for inner in wanted.values() if inner in mine]
            more = helpers(mine, chosen, set(find_pieces(files[name])))
            files[name] = with_pieces(files[name], [*chosen, *more])
        return files

    def right(self, chapter: int) -> dict[str, str]:
        """Return the reference up to this chapter and stubs after it, so that answers cannot use
        reference code of later chapters."""
        return dict(self.stubs(chapter + 1))

    def _pieces(self, name: str) -> Mapping[str, Piece]:
        if name not in self._mine:
            text = self.learner.files.get(name, b"").decode("utf-8", "replace")
            self._mine[name] = {}
            with suppress(*NO_PYTHON):
                self._mine[name] = find_pieces(text.replace("\r\n", "\n"))
        return self._mine[name]

    def _judged(self, ids: list[str], files: dict[str, str]) -> dict[str, float]:
        texts = {name: text.encode("utf-8", "replace") for name, text in files.items()}
        digest = hashlib.sha256(repr(sorted(texts.items())).encode()).hexdigest()
        package = Package(self.learner.folder, texts, digest)
        given = given_ids(self.key)
        grading = Grading(
            self.key, package, self.launch, given, least=self.least, imports=self.imports
        )
        verdicts = grading.grade(ids)
        return {id: verdict.score for id, verdict in verdicts.items()}


def compute_follow_through(result: Result, follow: FollowThrough) -> dict[str, float]:
    """Return exercise → its points with follow-through, for a whole canonical result."""
    exercises = iter_exercises(result)
    own = {e["id"]: float(e["score"]) for e in exercises}
    found = dict(own)
    blocked: dict[str, float] = {}
    for chapter in result["chapters"]:
        ids = [e["id"] for e in chapter["exercises"] if e["status"] == BLOCKED]
        blocked |= {} if follow.is_over() else follow.together(ids)
    alone: dict[str, dict[str, float]] = {}
    for e in exercises:
        best = round(max(found[e["id"]], blocked.get(e["id"], 0.0)), 4)
        again = e["status"] in WORTH_A_SECOND_LOOK and best < e["max_score"]
        if again and not follow.is_over() and round(score := follow.score(e["id"]), 4) > best:
            alone.setdefault(chapter_of(e["id"]), {})[e["id"]] = score
        found[e["id"]] = best
    for name, scores in alone.items():
        # Gains from `together` stay; the others must hold beside them.
        beside = {id: s for id, s in blocked.items() if chapter_of(id) == name and s}
        found.update({id: round(s, 4) for id, s in scores.items()})
        less = set(scores) if follow.is_over() else follow.circular(beside | scores)
        found.update({id: own[id] for id in less})
    return found
