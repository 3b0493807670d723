"""What the known mistakes of an exercise give for its probes: each is run as a learner's code is.

This is asked for when an exercise fails, and beforehand for a key that goes where there are no
sources.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

from ..errors import OurFault
from ..memo import digest
from ..sandbox.launch import Worker
from ..sandbox.observation import Observation
from ..sandbox.session import Session
from . import Exercise
from .build_chapter import Progress, job, round_answer, why
from .key_file import ChapterKey, gives_slice
from .load import Course

if TYPE_CHECKING:
    from ..sandbox.worker.request import Job
    from .key_rows import Outcome

ENDED = ("type", "message")  # of how a mistake ended; where it ended is the mistake's own


class MistakeRuns:
    """The runs of an exercise's mistakes.

    Args:
        chapter: the slice of the exercise's chapter.
    """

    def __init__(self, course: Course, exercise: Exercise, chapter: ChapterKey) -> None:
        self.course = course
        self.exercise = exercise
        self.chapter = chapter
        rows = enumerate(chapter.probes)
        self.numbers = [n for n, probe in rows if probe["exercise"] == exercise.id]
        self.arrays = {n: a for each in self.numbers for n, a in chapter.inputs(each).items()}

    def name(self) -> str:
        """Names all that what the mistakes give depends on."""
        mistakes = [(m.name, m.target, m.body) for m in self.exercise.mistakes]
        sources = sorted(self.course.solutions.items()), self.exercise.targets, mistakes
        request = self._job({})
        asked = request["modules"], sorted(self.chapter.programs.items()), request["probes"]
        parts = sorted((n, sorted(parts)) for n, parts in self._parts().items())
        return digest("mistakes", sources, asked, sorted(self.arrays.items()), parts)

    def slice(
        self, launch: Callable[[], Worker], session: Callable[..., Session], say: Progress
    ) -> bytes:
        """What each mistake gives, as the bytes of the exercise's slice.

        Raises:
            OurFault: with some of them the package cannot be imported; all are named.
        """
        lost, gives, parts = [], {}, self._parts()
        read: set[str] = set()  # the files that the package is imported from
        owners = dict.fromkeys(self.numbers, self.exercise.id)
        for mistake in self.exercise.mistakes:
            say(f"{self.exercise.id}: {mistake.name}")
            target = mistake.target or self.exercise.targets[0]
            sources = self.course.patched({target: mistake.body})
            request = self._job(sources)
            request["ours"] = [n for n in read if sources[n] == self.course.solutions[n]]
            one = session(launch, request, owners)
            one.run()
            run = one.close()
            if run.unloadable is not None:
                lost.append(f"{self.exercise.id}: {mistake.name}: {why(run.unloadable)}")
            read.update(found.file for found in run.definitions.values())
            gives[mistake.name] = {n: _outcome(o, parts[n]) for n, o in run.observations.items()}
        if lost:
            says = "With these mistakes the package cannot be imported:"
            raise OurFault("\n  ".join([says, *lost]))
        return gives_slice(gives)

    def _job(self, sources: dict[str, str]) -> Job:
        chapter, orders = self.chapter, [self.chapter.order(n) for n in self.numbers]
        return job(sources, chapter.modules, chapter.programs, orders, self.arrays)

    def _parts(self) -> Mapping[int, set[str]]:
        """The number of each probe, and the parts of its results that any check looks at."""
        served = self.chapter.served
        return {n: {check["part"] for check in served(n)} for n in self.numbers}


def _outcome(observation: Observation, parts: set[str]) -> Outcome:
    """Of an observation what diagnosis compares."""
    if observation.kind != "arrays":
        texts = observation.texts
        ended: Any = {key: texts[key] for key in ENDED if key in texts}
        return cast("Outcome", {"ended": observation.kind, **ended})
    return {"parts": round_answer({p: a for p, a in observation.parts.items() if p in parts})}
