"""Follow-through: an exercise judged with the learner's own code for it and right code around.

One early error must not cost the later chapters. The learner's definitions of the exercise's
targets (then of its whole section, for code that leans on its neighbours) are put into the
reference, and the exercise is judged once more, by another worker. Only the marks are kept:
nothing that this run printed or returned is ever shown.

What leans on itself (a Sub made of Negate, a Negate made of Sub) would pass one by one among right
code. So points stand in an order: those that an exercise gains come from a run in which all that
gains is the learner's own, but what stands before it: there right code may help. Nobody stands
before itself, so no circle gains anything, whatever its members are worth by themselves.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field

from ..course import Exercise
from ..course.key_file import Key
from ..course.load import Course
from ..course.outline import chapter_of, number_of
from ..course.outline import given as given_in
from ..course.package import Package
from ..course.splice import Piece, file_of, helpers, pieces, with_pieces
from ..grade_package import Grading
from ..result import exercises_of
from ..result_rows import Result
from ..sandbox.isolation import LEVELS
from ..sandbox.launch import Worker
from ..sandbox.session import Imports
from ..verdict import BLOCKED, CRASHED, FAILED, OUT_OF_MEMORY

# What another's error can have caused. A loop without end is the learner's own, and dear.
WORTH_A_SECOND_LOOK = frozenset({BLOCKED, FAILED, CRASHED, OUT_OF_MEMORY})

SECONDS = 300.0  # for one submission: after them, what was not looked at again keeps its own marks


@dataclass
class FollowThrough:
    """Judges exercises of one learner apart from the learner's other code."""

    course: Course
    stubs: Callable[[int], dict[str, str]]  # the course's; every submission asks for the same
    key: Key
    launch: Callable[[], Worker]
    learner: Package
    least: str = LEVELS[0]
    imports: Imports = field(default_factory=Imports)  # its clock is shared with the ordinary run
    says: str = ""

    def __post_init__(self) -> None:
        self.until = self._now() + SECONDS
        self._mine: dict[str, Mapping[str, Piece]] = {}

    def score(self, id: str) -> float:
        """The best that the learner's own code for this exercise earns among right code."""
        exercise = self.course.exercises[id]
        return self._earned({id: exercise.points}, *self._beside([id]))[id]

    def _earned(self, enough: dict[str, float], *beside: str) -> dict[str, float]:
        """What exercises of a chapter earn among right code, all of them the learner's own.

        Args:
            enough: the exercises, and the points at which nobody asks for more.
            beside: targets that are the learner's, too, in a second run if it takes one: for code
                that leans on its neighbours.
        """
        exercises = [self.course.exercises[id] for id in enough]
        own = [target for exercise in exercises for target in exercise.targets]
        best, tried = dict.fromkeys(enough, 0.0), None
        for targets in filter(None, (own, list(beside))):
            files = self.package(targets, set(own), number_of(exercises[0].chapter))
            if files is not None and files != tried:
                earned = self._judged(list(enough), files)
                best = {id: max(best[id], earned[id]) for id in enough}
            tried = files
            if all(best[id] >= enough[id] for id in enough) or self.is_over():
                break
        return best

    def is_over(self) -> bool:
        """Whether its time is up, which the record is to say."""
        if self.imports.next() and self._now() < self.until:
            return False
        self.says = "Follow-through ran out of time: some exercises keep their own marks."
        return True

    def _now(self) -> float:
        """Seconds that its workers and this process have computed: no machine is too busy."""
        return self.imports.spent + time.process_time()

    def together(self, ids: list[str]) -> dict[str, float]:
        """What these exercises of a chapter earn at once, all the code for them the learner's.

        Code that passes so has had less help than it would have alone: one run settles what an
        early error has blocked, most often all of it.
        """
        exercises = [self.course.exercises[id] for id in ids]
        written = {e.id: e.points for e in exercises if self._is_written(e)}
        return self._earned(written) if len(written) > 1 else {}

    def circular(self, gained: dict[str, float]) -> set[str]:
        """Of all that gains in a chapter, with what it is worth among right code: who leans on
        itself, or on those who do.

        All of it stands side by side, the learner's own. Who is worth there what it is worth alone
        has its place in the order. Where that is not all of the points, right code may take its
        part from now on, for those that come after.
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
        files = self.right(number_of(exercise.chapter))
        places = (file_of(target, files) for target in exercise.targets)
        return all(inner in self._pieces(name) for name, inner in places)

    def _beside(self, ids: Iterable[str], but: Container[str] = ()) -> list[str]:
        """The targets of everything that the sections of these exercises ask for."""
        exercises = self.course.exercises
        sections = {exercises[id].section for id in ids}
        return [
            target
            for e in exercises.values()
            if e.section in sections and not e.given and e.id not in but
            for target in e.targets
        ]

    def package(self, targets: list[str], needed: set[str], chapter: int) -> dict[str, str] | None:
        """The reference of a chapter with these definitions of the learner's.

        None where one that is needed is missing: right code must never earn its marks.
        """
        files = self.right(chapter)
        places = {target: file_of(target, files) for target in targets}
        for name in {name for name, _ in places.values()}:
            wanted = {target: inner for target, (file, inner) in places.items() if file == name}
            mine = self._pieces(name)
            if any(wanted[target] not in mine for target in needed & wanted.keys()):
                return None
            chosen = [mine[inner] for inner in wanted.values() if inner in mine]
            more = helpers(mine, chosen, set(pieces(files[name])))
            files[name] = with_pieces(files[name], [*chosen, *more])
        return files

    def right(self, chapter: int) -> dict[str, str]:
        """The reference up to this chapter, and stubs from there on: an answer must not lean on
        right code of ours that the exercise does not build on."""
        return dict(self.stubs(chapter + 1))

    def _pieces(self, name: str) -> Mapping[str, Piece]:
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
        grading = Grading(
            self.key, package, self.launch, given, least=self.least, imports=self.imports
        )
        verdicts = grading.grade(ids)
        return {id: verdict.score for id, verdict in verdicts.items()}


def marks(result: Result, follow: FollowThrough) -> dict[str, float]:
    """Exercise → its points with follow-through, for all that a canonical result holds."""
    exercises = exercises_of(result)
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
        # What was judged side by side already stays, and the others have to stand beside it.
        beside = {id: s for id, s in blocked.items() if chapter_of(id) == name and s}
        found.update({id: round(s, 4) for id, s in scores.items()})
        less = set(scores) if follow.is_over() else follow.circular(beside | scores)
        found.update({id: own[id] for id in less})
    return found
