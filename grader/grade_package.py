"""One package, judged: probes → worker → observations → judge → blame → diagnosis.

A chapter is a session of its own, so that what brings one down leaves the others alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING

from .about import COURSE
from .course.key_file import ChapterKey, Key
from .course.package import Package
from .judge.blame import Lean, blame, kept
from .judge.diagnosis import diagnose, read
from .judge.judge import ExerciseVerdict, Places, judge
from .judge.outcome import Outcomes
from .sandbox.isolation import LEVELS
from .sandbox.launch import Worker
from .sandbox.observation import Definition, Observation, Run
from .sandbox.session import IMPORT_SECONDS, Imports, Session
from .verdict import PENDING, WRONG

if TYPE_CHECKING:
    from .judge.substitution import Referee
    from .sandbox.worker.request import Job


class Case:
    """Exercises of one chapter that are judged together, and all that is found out about them.

    Attributes:
        entered: (exercise, probe) → the exercises whose targets that failing probe ran.
        ended: (exercise, probe) → the exercise in whose code that probe raised, or hung.
        shown: where what a class reads was run, if it was run apart.
    """

    run: Run
    places: Places
    verdicts: dict[str, ExerciseVerdict]

    def __init__(self, chapter: ChapterKey, ids: list[str], session: Session) -> None:
        self.chapter = chapter
        self.ids = ids
        self.session = session
        self.outcomes = Outcomes(chapter)
        self.shown: Session | None = None
        self.entered: dict[tuple[str, int], set[str]] = {}
        self.ended: dict[tuple[str, int], str] = {}

    def arrived(self, number: int, got: Observation) -> None:
        """Judge it; formulas that will be needed are read while the worker goes on."""
        self.outcomes.arrived(number, got)
        if len(self.outcomes.wrong) > 1:
            _formulas(self.chapter)

    def telling(self, apart: bool) -> Session | None:
        """The session whose words its learner may read."""
        return self.shown if apart else self.session

    def close(self) -> None:
        """End its workers."""
        for session in filter(None, (self.shown, self.session)):
            session.close()

    @property
    def wrong(self) -> list[ExerciseVerdict]:
        """The exercises that failing probes show to be wrong."""
        return [v for v in self.verdicts.values() if v.status in WRONG and v.failing]


class Grading:
    """What is known of a package, and what has been judged so far.

    Args:
        launch: starts a worker.
        given: exercises that this workspace holds written.
        first: a worker that is starting already.
        least: the isolation without which nothing is graded.
        session: makes a session, as `Session` does; another may know some answers already.
        reference: the files of the reference, where they may be read (`judge/substitution.py`).
        imports: the clock of the package's imports, where it is judged more than once.
        apart: whether what learner code says of a public probe has to come from a worker that
            knows no hidden input (`judge/public_only.py`): its learner reads it and hands in again.
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
        reference: Callable[[], Mapping[str, str]] | None = None,
        imports: Imports | None = None,
        apart: bool = False,
    ) -> None:
        self.key = key
        self.package = package
        self.launch = launch
        self.given = given
        self.first = first
        self.least = least
        self.new_session = session
        self.reference = cache(reference) if reference is not None else None
        self.imports = imports or Imports()
        self.apart = apart
        self.order = {id: n for n, (id, _, _) in enumerate(key.outline)}
        self.protections: list[str] | None = None
        self.definitions: dict[str, Definition] = {}
        self.observations: dict[str, dict[int, Observation]] = {}
        self.output = ""
        self.seconds = 0.0

    def grade(self, ids: list[str], fail_fast: bool = False) -> dict[str, ExerciseVerdict]:
        """A verdict for every one of these exercises, in the course's order."""
        verdicts: dict[str, ExerciseVerdict] = {}
        started = time.monotonic()
        for name in self.key.chapters:
            mine = [id for id in ids if id.startswith(f"{name}.")]
            if mine:
                chapter = self.key.chapter(name, self.launch)
                verdicts.update(self._chapter(chapter, mine))
                verdicts.update(self._by_file(chapter, verdicts, mine))
                if fail_fast and any(v.status in WRONG for v in verdicts.values()):
                    verdicts = _up_to_first_fault(verdicts)
                    break
        self.seconds = time.monotonic() - started
        return verdicts

    def _by_file(
        self, chapter: ChapterKey, verdicts: Mapping[str, ExerciseVerdict], ids: list[str]
    ) -> dict[str, ExerciseVerdict]:
        """Files that work alone, each for itself: what cannot be imported costs only its own."""
        lone = {id: file for id, file in _alone(chapter).items() if id in ids}
        if not any(verdicts[id].unloadable for id in lone):
            return {}
        found: dict[str, ExerciseVerdict] = {}
        for file in dict.fromkeys(lone.values()):
            mine = [id for id in ids if lone.get(id) == file]
            found.update(self._chapter(chapter, mine, [file]))
        return found

    def _chapter(
        self, chapter: ChapterKey, ids: list[str], modules: list[str] | None = None
    ) -> dict[str, ExerciseVerdict]:
        """Verdicts for exercises of one chapter, whose targets lie in these files of it."""
        case = self._case(chapter, ids, modules)
        try:
            self._run(case)
            verdicts, wrong, mended = case.verdicts, case.wrong, {}
            self._look_again(case)
            if wrong:
                mended = self._blamed(case)
                self._explain(case, [v for v in wrong if v.status in WRONG])
        finally:
            case.close()
        self._keep(case)
        for verdict in verdicts.values():
            if verdict.status in WRONG:
                own = {n: got for (id, n), got in mended.items() if id == verdict.id}
                self._diagnosed(case, verdict, own)
        return verdicts

    def _explain(self, case: Case, wrong: list[ExerciseVerdict]) -> None:
        from .judge.added_explanation import explain  # rare: kept off the usual path

        if session := case.telling(self.apart):
            explain(session, case.chapter, wrong)

    def at_first(self, chapter: ChapterKey, ids: list[str]) -> dict[str, ExerciseVerdict]:
        """Verdicts before anybody is blamed, and before anything is explained."""
        case = self._case(chapter, ids)
        try:
            self._run(case)
        finally:
            case.close()
        return case.verdicts

    def _diagnosed(
        self, case: Case, verdict: ExerciseVerdict, mended: dict[int, Observation]
    ) -> None:
        """Name the mistake, or say what numbers say; of numbers that nobody else has spoilt."""
        got = {**case.run.observations, **mended}

        def text() -> str:
            from .course.learner_source import own_text  # rare: kept off the usual path

            return own_text(self.package.files, case.run.definitions, verdict.exercise["targets"])

        gives = partial(self.key.gives, verdict.id, self.launch)
        verdict.mistakes = diagnose(case.chapter, verdict, got, gives, text, self.package.files)
        if not verdict.mistakes and not mended:
            from .judge.inference import infer

            infer(case.chapter, verdict, got, self.package.files)
            read(verdict, text)

    def _case(self, chapter: ChapterKey, ids: list[str], modules: list[str] | None = None) -> Case:
        return Case(chapter, ids, self._session(chapter, ids, modules=modules))

    def _run(self, case: Case) -> None:
        """Run a case's probes, and judge what came back."""
        case.session.run(case.arrived)
        self._read(case)
        if self.apart:
            from .judge.public_only import once_more

            case.shown = once_more(case, self._session)
            if case.shown is not None:
                self._read(case)
        case.verdicts = judge(
            case.chapter, case.ids, self.given, case.run, case.places, case.outcomes
        )

    def _read(self, case: Case) -> None:
        """Take what the session brought back."""
        case.run = case.session.result()
        case.places = Places(case.run.definitions, self.key.table["targets"])

    def _blamed(self, case: Case) -> dict[tuple[str, int], Observation]:
        """Find out what is at fault; what each failing probe gave without the faults of others.

        Exercises that failing probes ran are judged too, and what theirs ran, so that one
        exercise alone is judged as it is among all; and where they run on once others are
        solved, what they run into.
        """
        from .judge.dependency import trace

        cases, verdicts = [case], dict(case.verdicts)
        try:
            trace(case)
            self._draw_in(set().union(*case.entered.values()), cases, verdicts)
            while True:
                before, known = kept(verdicts), set(verdicts)
                referee, mended = self._weighed(cases, verdicts)
                self._draw_in(referee.ran, cases, verdicts)
                if not any(verdicts[id].status in WRONG for id in set(verdicts) - known):
                    return {**mended, **referee.mended}
                before()
        finally:
            for other in cases[1:]:
                other.close()

    def _weighed(
        self, cases: list[Case], verdicts: dict[str, ExerciseVerdict]
    ) -> tuple[Referee, dict[tuple[str, int], Observation]]:
        """Say who is blocked, in place, as far as is known what is wrong."""
        from .judge.dependency import Leaning
        from .judge.edited_given import given_edited
        from .judge.substitution import Referee

        targets, files = self.key.table["targets"], self.package.files
        suspects = {id for id, v in verdicts.items() if v.status in WRONG | {PENDING}}
        suspects |= given_edited(cases, self.given, targets, files, self.reference)
        leans: dict[tuple[str, int], Lean] = {}
        mended: dict[tuple[str, int], Observation] = {}
        referee = Referee(files, targets, self.reference, self._again)
        referee.failing = [(one.chapter, v) for one in cases for v in one.wrong]
        for one in cases:
            referee.before.setdefault(one.chapter.id, {}).update(one.run.observations)
            leaning = Leaning(one.session, one.chapter, targets, suspects)
            leaning.look_into(one.wrong, one.run, one.entered, one.ended, verdicts)
            leans.update(leaning.leans)
            mended.update(leaning.mended)
        blame(verdicts, leans, suspects, self.order, referee)
        return referee, mended

    def _draw_in(
        self, ids: set[str], cases: list[Case], verdicts: dict[str, ExerciseVerdict]
    ) -> None:
        """Judge these too, and what failing probes of theirs ran; adds to both, in place."""
        from .judge.dependency import trace

        while others := self._others(ids - set(verdicts), cases[0].session):
            cases += others
            if sum(v.status in WRONG for v in verdicts.values()) > 1:
                for other in others:  # they will be needed, and the workers are only starting
                    _formulas(other.chapter)
            for other in others:
                self._run(other)
                verdicts.update(other.verdicts)
                trace(other)
            ids = {id for other in others for ran in other.entered.values() for id in ran}

    def _look_again(self, case: Case) -> None:
        """Exercises that wait for what is not written: do they, or have they failed?"""
        waiting = [v for v in case.verdicts.values() if any(c.waiting for c in v.checks)]
        if waiting and (session := case.telling(self.apart)):
            from .judge.waiting import look_again

            for verdict in waiting:
                look_again(session, case.chapter, self.key.table["targets"], verdict, case.run)

    def _others(self, ids: set[str], asking: Session) -> list[Case]:
        """Further exercises to judge, a case per chapter.

        They share the time of the chapter that they are judged for: the worker may have named
        exercises of all chapters. Their workers start all at once, while the formulas are read.
        """
        found = []
        for name in self.key.chapters:
            mine = sorted(id for id in ids if id.startswith(f"{name}."))
            if mine:
                chapter = self.key.chapter(name, self.launch)
                given = self.given | {e["id"] for e in chapter.exercises if e["given"]}
                early = self.new_session is Session and set(mine) - given
                self.first = self.launch() if early else None
                other = self._case(chapter, mine)
                other.session.time = asking.time
                found.append(other)
        return found

    def _again(
        self,
        chapter: ChapterKey,
        numbers: list[int],
        files: dict[str, bytes],
        is_right: Callable[[int, Observation], bool],
    ) -> tuple[dict[int, Observation], set[str]]:
        """What these probes give on another package, and what those ran that are not right."""
        from .judge.dependency import can_run_again

        session = self._session(chapter, [], numbers, files)
        session.run()
        run = session.result()
        wrong = [n for n, got in run.observations.items() if not is_right(n, got)]
        session.trace([n for n in wrong if can_run_again(run, n)])
        session.close()
        ran = Places(run.definitions, self.key.table["targets"]).entered
        return run.observations, {id for each in run.entered.values() for id in ran(each)}

    def _keep(self, case: Case) -> None:
        """What the report needs beside the verdicts; later workers' words are not believed."""
        run = case.session.result()
        if self.protections is None:
            self.protections = run.protections
        elif run.protections is not None:
            self.protections = [name for name in self.protections if name in run.protections]
        self.definitions.update(case.run.definitions)
        self.observations.setdefault(case.chapter.id, {}).update(run.observations)
        self.output += run.output

    def _session(
        self,
        chapter: ChapterKey,
        ids: list[str],
        numbers: list[int] | None = None,
        files: dict[str, bytes] | None = None,
        modules: list[str] | None = None,
    ) -> Session:
        """A session for the probes of these exercises, or for these probes."""
        wanted = set(ids) - self.given
        if numbers is None:
            numbers = [n for n, p in enumerate(chapter.probes) if p["exercise"] in wanted]
        request: Job = {
            "folder": self.package.folder,
            "files": self.package.files if files is None else files,
            "modules": chapter.modules if modules is None else modules,
            "targets": [t for e in chapter.exercises for t in e["targets"]],
            "programs": self.key.programs(chapter),
            "arrays": {k: array for n in numbers for k, array in chapter.inputs(n).items()},
            "probes": [chapter.order(n) for n in numbers],
            "import_seconds": IMPORT_SECONDS,
            "alone": _alone(chapter),
            "looked_at": {n: list(chapter.probes[n]["answers"]["reference"]) for n in numbers},
        }
        first, self.first = self.first, None
        owners = {n: chapter.probes[n]["exercise"] for n in numbers}
        return self.new_session(self.launch, request, owners, first, self.least, self.imports)


def _formulas(chapter: ChapterKey) -> None:
    """Read the ops' formulas, once, if the chapter has ops."""
    from .judge.formulas import OPS

    if f"{OPS}.py" in chapter.modules:
        from .judge.fault_localisation import rows

        rows()


def _up_to_first_fault(verdicts: dict[str, ExerciseVerdict]) -> dict[str, ExerciseVerdict]:
    ids = list(verdicts)
    first = next(n for n, id in enumerate(ids) if verdicts[id].status in WRONG)
    return {id: verdicts[id] for id in ids[: first + 1]}


def _alone(chapter: ChapterKey) -> dict[str, str]:
    """Exercise → its file, of those that have to do without the rest of the package."""
    folder = COURSE.alone["folder"].replace("/", ".")
    return {
        e["id"]: "/".join(e["targets"][0].split(".")[:2]) + ".py"
        for e in chapter.exercises
        if folder and e["targets"][0].startswith(folder)
    }
