"""One package, judged: probes → worker → observations → judge → blame → diagnosis.

A chapter is a session of its own, so that what brings one down leaves the others alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from .intake.package import Package
from .judge.blame import blame
from .judge.diagnosis import diagnose
from .judge.judge import ExerciseVerdict, Places, judge
from .judge.outcome import Outcomes
from .key.file import ChapterKey, Key
from .session.isolation import LEVELS
from .session.launch import Worker
from .session.observation import Definition, Observation, Run, line_number
from .session.session import IMPORT_SECONDS, Imports, Session, named
from .verdict import WRONG


class Grading:
    """What is known of a package, and what has been judged so far.

    Args:
        launch: starts a worker.
        given: exercises that this workspace holds written.
        first: a worker that is starting already.
        least: the isolation without which nothing is graded.
        session: makes a session, as `Session` does; another may know some answers already.
        imports: the clock of the package's imports, where it is judged more than once.
    """

    def __init__(
        self,
        key: Key,
        package: Package,
        launch: Callable[[], Worker],
        given: set[str],
        first: Worker | None = None,
        least: str = LEVELS[0],
        session: Callable[..., Session] = Session,
        imports: Imports | None = None,
    ) -> None:
        self.key = key
        self.package = package
        self.launch = launch
        self.given = given
        self.first = first
        self.least = least
        self.new_session = session
        self.imports = imports or Imports()
        self.order = {id: n for n, (id, _, _) in enumerate(key.outline)}
        self.protections: list[str] | None = None
        self.definitions: dict[str, Definition] = {}
        self.observations: dict[str, dict[int, Observation]] = {}
        self.unloadable: Observation | None = None
        self.output = ""
        self.seconds = 0.0

    def grade(self, ids: list[str], fail_fast: bool = False) -> dict[str, ExerciseVerdict]:
        """A verdict for every one of these exercises, in the course's order."""
        verdicts: dict[str, ExerciseVerdict] = {}
        started = time.monotonic()
        for name in self.key.chapters:
            mine = [id for id in ids if id.startswith(f"{name}.")]
            if mine:
                verdicts.update(self._chapter(self.key.chapter(name), mine))
                if fail_fast and any(v.status in WRONG for v in verdicts.values()):
                    verdicts = _up_to_first_fault(verdicts)
                    break
        self.seconds = time.monotonic() - started
        return verdicts

    def _chapter(self, chapter: ChapterKey, ids: list[str]) -> dict[str, ExerciseVerdict]:
        session = self._session(chapter, ids)
        outcomes = Outcomes(chapter)
        session.run(outcomes.arrived)
        try:
            verdicts, run, places = self._judged(chapter, ids, session, outcomes)
            wrong = [v for v in verdicts.values() if v.status in WRONG and v.failing]
            if wrong:
                session.trace(sorted({n for v in wrong for n in _traceable(v, run)}))
                entered, ended = self._entered(wrong, run, places)
                statuses = self._statuses(verdicts, entered, session.deadline)
                blame(verdicts, statuses, entered, ended, self.order)
                from .teaching.explain import explain  # rare: kept off the usual path

                explain(session, chapter, [v for v in wrong if v.status in WRONG])
        finally:
            self._keep(chapter, session.close())
        for verdict in verdicts.values():
            if verdict.status in WRONG:
                verdict.mistakes = diagnose(chapter, verdict, run.observations)
                if not verdict.mistakes:
                    from .judge.inference import infer

                    infer(chapter, verdict, run.observations)
        return verdicts

    def _judged(
        self, chapter: ChapterKey, ids: list[str], session: Session, outcomes: Outcomes
    ) -> tuple[dict[str, ExerciseVerdict], Run, Places]:
        run = session.result()
        places = Places(run.definitions, self.key.table["targets"])
        return judge(chapter, ids, self.given, run, places, outcomes), run, places

    def _keep(self, chapter: ChapterKey, run: Run) -> None:
        """What the report needs beside the verdicts."""
        if self.protections is None:
            self.protections = run.protections
        elif run.protections is not None:
            self.protections = [name for name in self.protections if name in run.protections]
        self.definitions.update(run.definitions)
        self.observations[chapter.id] = run.observations
        self.unloadable = self.unloadable or run.unloadable
        self.output += run.output

    def _session(self, chapter: ChapterKey, ids: list[str]) -> Session:
        wanted = set(ids) - self.given
        numbers = [n for n, p in enumerate(chapter.probes) if p["exercise"] in wanted]
        request = {
            "folder": self.package.folder,
            "files": self.package.files,
            "modules": chapter.modules,
            "targets": [t for e in chapter.exercises for t in e["targets"]],
            "programs": chapter.programs,
            "arrays": _arrays(chapter, numbers),
            "probes": [_order(chapter, n) for n in numbers],
            "import_seconds": IMPORT_SECONDS,
        }
        first, self.first = self.first, None
        owners = {n: chapter.probes[n]["exercise"] for n in numbers}
        return self.new_session(self.launch, request, owners, first, self.least, self.imports)

    def _entered(
        self, wrong: list[ExerciseVerdict], run: Run, places: Places
    ) -> tuple[dict[tuple[str, int], set[str]], dict[tuple[str, int], str]]:
        """What each failing probe ran, as it was traced; and where it raised, or was when time
        was up, which is all that is known of one that hung."""
        entered, ended = {}, {}
        for verdict in wrong:
            for number in verdict.failing:
                ran = places.entered(run.entered.get(number, set()))
                texts = run.observations[number].texts
                if texts.get("file"):
                    around = places.around(texts["file"], line_number(texts.get("line", "")))
                    if around is not None:
                        ran = ran | {around}
                        ended[verdict.id, number] = around
                entered[verdict.id, number] = ran
        return entered, ended

    def _statuses(
        self,
        verdicts: dict[str, ExerciseVerdict],
        entered: dict[tuple[str, int], set[str]],
        deadline: float,
    ) -> dict[str, str]:
        """The status of every exercise that failing probes ran; others are judged for this.

        They share the time of the chapter that they are judged for: the worker may have named
        exercises of all chapters.
        """
        statuses = {id: v.status for id, v in verdicts.items()}
        unknown = sorted({id for ran in entered.values() for id in ran} - set(statuses))
        for name in self.key.chapters:
            ids = [id for id in unknown if id.startswith(f"{name}.")]
            if ids:
                chapter = self.key.chapter(name)
                session = self._session(chapter, ids)
                session.deadline = min(session.deadline, deadline)
                session.run()
                others = self._judged(chapter, ids, session, Outcomes(chapter))[0]
                session.close()
                statuses.update({id: v.status for id, v in others.items()})
        return statuses


def _up_to_first_fault(verdicts: dict[str, ExerciseVerdict]) -> dict[str, ExerciseVerdict]:
    ids = list(verdicts)
    first = next(n for n, id in enumerate(ids) if verdicts[id].status in WRONG)
    return {id: verdicts[id] for id in ids[: first + 1]}


def _traceable(verdict: ExerciseVerdict, run: Run) -> list[int]:
    """The failing probes that can be run once more without hanging or killing the worker."""
    return [
        n
        for n in verdict.failing
        if run.observations[n].kind in ("arrays", "raised", "complained")
        and run.observations[n].texts.get("type") not in ("TimeUp", "MemoryError", "Skipped")
    ]


def _arrays(chapter: ChapterKey, numbers: list[int]) -> dict[int, tuple[str, Any, bytes]]:
    """The arrays that the arguments of these probes name."""
    found = {}
    for name in named([chapter.probes[n]["args"] for n in numbers]):
        array = chapter.array(name)
        found[name] = (array.dtype, array.shape, bytes(array.data))
    return found


def _order(chapter: ChapterKey, number: int) -> tuple[int, str, Any, float, str]:
    probe = chapter.probes[number]
    return number, probe["program"], probe["args"], probe["seconds"], probe["exercise"]
