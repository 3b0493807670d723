"""Open worker sessions for a package and run cases in them.

This module stands below all that explains a verdict: blame and explanations ask it to run probes.

What a class reads of public probes comes from a worker that knows no hidden input
(``public_only``). Beside hidden probes, anything that learner code says (an exception, a number, a
name) may quote their inputs, and the next hand-in would have their answers by heart. So public
probes run first, in a worker that gets nothing else and ends before any worker gets a hidden input.
What is said of the package (its definitions, the rules it breaks) comes from there as well.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from functools import cache

from ..about import COURSE
from ..course.key_file import ChapterKey, Key
from ..course.package import Package
from ..sandbox.isolation import ANY
from ..sandbox.launch import Worker
from ..sandbox.observation import Definition, Observation, Run, Violation
from ..sandbox.session import ANSWERS, IMPORT_SECONDS, ImportTime, Session
from ..verdict import WRONG
from .judge import Evidence, ExerciseVerdict, judge_exercises
from .outcome import Outcomes
from .source_map import SourceMap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..sandbox.worker.request import Job

NOT_AGAIN = ("TimeUp", "MemoryError", "Skipped")


class Case:
    """One judgment: some exercises of a chapter, their session, and their verdicts."""

    run: Run  # everything that the session brought back
    places: SourceMap  # line of the learner's package → exercise

    def __init__(
        self, chapter: ChapterKey, ids: list[str], session: Session, owners: Mapping[str, str],
        frame: frozenset[str] = frozenset(),
    ) -> None:  # fmt: skip
        self.chapter = chapter
        self.ids = ids  # all of this chapter
        self.session = session
        self.owners = owners  # definition → its exercise, of the whole course
        self.frame = frame  # the other definitions of the course
        self.outcomes = Outcomes(chapter)
        # the session whose words a class reads (`run_public`)
        self.public_session: Session | None = None
        # If a file could not be imported: one case for each file that works alone.
        self.by_file: list[Case] = []
        self.verdicts: dict[str, ExerciseVerdict] = {}  # before any blame

    def run_probes(self) -> None:
        """Run the probes; judge each as it arrives, while the worker goes on."""
        self.session.run(self.outcomes.judge_probe)
        self.read_session()

    def read_session(self) -> None:
        """Read everything that the session has brought back so far."""
        self.run = self.session.result()
        self.places = SourceMap(self.run.definitions, self.owners, self.frame)

    def judge(self, given: set[str], changed: Container[str] = ()) -> None:
        """Make a verdict for every exercise from what came back."""
        files = self.session.request["files"]
        seen = Evidence(self.chapter, self.run, self.places, self.outcomes, files)
        self.verdicts = judge_exercises(seen, self.ids, given, changed)

    @property
    def wrong(self) -> list[ExerciseVerdict]:
        """Exercises that failing probes show to be wrong."""
        return [v for v in self.verdicts.values() if v.status in WRONG and v.failing]

    def readable_session(self, public_only: bool) -> Session | None:
        """Return the session whose words its learner may read."""
        return self.public_session if public_only else self.session

    def close(self) -> None:
        """End its workers."""
        for session in filter(None, (self.public_session, self.session)):
            session.close()


def can_run_again(run: Run, number: int) -> bool:
    """Whether a probe can run once more without hanging or killing the worker."""
    got = run.observations[number]
    return got.kind in ANSWERS and got.texts.get("type") not in NOT_AGAIN


Reference = Callable[[], Mapping[str, str]]
IsRight = Callable[[int, Observation], bool]


class Runner:
    """Open and run cases of one package; keep what a report needs of the results."""

    def __init__(
        self, key: Key, package: Package, launch: Callable[[], Worker], given: set[str],
        first: Worker | None = None, least: str = ANY,
        session: Callable[..., Session] = Session, reference: Reference | None = None,
        imports: ImportTime | None = None, public_only: bool = False, changed: Container[str] = (),
    ) -> None:  # fmt: skip
        self.key = key
        self.package = package
        self.launch = launch
        self.given = given  # exercises that came written with this workspace
        self.changed = changed  # those of them that are judged all the same, for no points
        self.first = first  # a worker that is already starting
        self.least = least  # without this isolation nothing is graded
        self.new_session = session  # a subclass may know some answers already
        # Its files, if they may be read (`judge/blame.py`).
        self.reference = cache(reference) if reference is not None else None
        self.imports = imports or ImportTime()  # one clock for all judgments of the package
        # A class: show only words from a worker that never got a hidden input (`run_public`). An
        # exception may quote its input, and the learner hands in again.
        self.public_only = public_only
        self.targets: Mapping[str, str] = key.table["targets"]
        self.frame = frozenset(key.table.get("frame", ()))  # a key of 1.0.0 has none
        self.order = {id: place for place, (id, _, _) in enumerate(key.outline)}
        self.protections: list[str] | None = None  # those that held in every worker
        self.definitions: dict[str, Definition] = {}
        self.observations: dict[str, dict[int, Observation]] = {}  # by chapter
        self.output = ""  # printed by the learner's code

    def open_case(
        self, chapter: ChapterKey, ids: list[str], modules: list[str] | None = None
    ) -> Case:
        """Open a case of these exercises, whose targets lie in these files; run nothing yet."""
        session = self.open_session(chapter, ids, modules=modules)
        return Case(chapter, ids, session, self.targets, self.frame)

    def run_case(self, case: Case) -> None:
        """Run a case's probes, but those that ran as public ones, and judge what came back."""
        if case.public_session is None:
            case.run_probes()
        else:
            run_hidden(case, case.public_session)
        case.judge(self.given, self.changed)

    def record_report(self, case: Case) -> None:
        """Keep what the report needs beside the verdicts; definitions are those of the judgment."""
        run = case.session.result()
        if self.protections is None:
            self.protections = run.protections
        elif run.protections is not None:
            self.protections = [name for name in self.protections if name in run.protections]
        self.definitions.update(case.run.definitions)
        self.observations.setdefault(case.chapter.id, {}).update(run.observations)
        self.output += run.output

    def open_dependency_cases(self, ids: set[str], asking: Session) -> list[Case]:
        """Open cases of further exercises, one per chapter; start their workers at once.

        They share the time of the chapter that they are judged for, as the worker may have named
        exercises of all chapters.
        """
        opened = []
        for name in self.key.chapters:
            mine = sorted(id for id in ids if id.startswith(f"{name}."))
            if mine:
                chapter = self.key.chapter(name, self.launch)
                given = self.given | {e["id"] for e in chapter.exercises if e["given"]}
                early = self.new_session is Session and set(mine) - given
                self.first = self.launch() if early else None
                case = self.open_case(chapter, mine)
                case.session.time = asking.time
                opened.append(case)
        return opened

    def run_probes_on(
        self, asking: Session, chapter: ChapterKey, numbers: list[int],
        files: dict[str, bytes], is_right: IsRight,
    ) -> dict[int, tuple[Observation, frozenset[str]]]:  # fmt: skip
        """Run probes on another package; return, by probe, the outcome and what it ran if wrong."""
        session = self.open_session(chapter, [], numbers, files)
        session.time = asking.time  # one budget: an endless probe is not awaited each time anew
        session.run()
        run = session.result()
        wrong = [n for n, got in run.observations.items() if not is_right(n, got)]
        session.trace([n for n in wrong if can_run_again(run, n)])
        session.close()
        entered = SourceMap(run.definitions, self.targets).exercises_entered
        return {
            number: (got, frozenset(entered(run.entered.get(number, set()))))
            for number, got in run.observations.items()
        }

    def open_session(
        self, chapter: ChapterKey, ids: list[str], numbers: list[int] | None = None,
        files: dict[str, bytes] | None = None, modules: list[str] | None = None,
    ) -> Session:  # fmt: skip
        """Open a session for the probes of these exercises, or for these probes."""
        wanted = {id for id in ids if id not in self.given or id in self.changed}
        if numbers is None:
            numbers = [n for n, p in enumerate(chapter.probes) if p["exercise"] in wanted]
        request: Job = {
            "folder": self.package.folder,
            "files": self.package.files if files is None else files,
            "modules": chapter.modules if modules is None else modules,
            "targets": [t for e in chapter.exercises for t in e["targets"]],
            "course_targets": "\n".join(["", *self.targets, *self.frame, ""]),
            "programs": self.key.programs(chapter),
            "arrays": {k: array for n in numbers for k, array in chapter.inputs(n).items()},
            "probes": [chapter.order(n) for n in numbers],
            "import_seconds": IMPORT_SECONDS,
            "alone": standalone_files(chapter),
            "looked_at": {n: list(chapter.probes[n]["answers"]["reference"]) for n in numbers},
            "predicates": chapter.predicates(numbers),
        }
        first, self.first = self.first, None
        owners = {n: chapter.probes[n]["exercise"] for n in numbers}
        return self.new_session(self.launch, request, owners, first, self.least, self.imports)


def standalone_files(chapter: ChapterKey) -> dict[str, str]:
    """Map exercises to their file, if it has to do without the rest of the package."""
    folder = COURSE.alone["folder"].replace("/", ".")
    return {
        e["id"]: "/".join(e["targets"][0].split(".")[:2]) + ".py"
        for e in chapter.exercises
        if folder and e["targets"][0].startswith(folder)
    }


# ---- public feedback for a class --------------------------------------------------------------


UNSAID = {"type": "ImportError", "message": "It can be imported by itself, but not for these."}
REFUSED_BESIDE = "It breaks a rule of the course, though not by itself."


def run_public(case: Case, make: Callable[..., Session]) -> Session:
    """Run the public probes of a case in a session that knows nothing else."""
    shown = make(
        case.chapter, [], public_probe_numbers(case), modules=case.session.request["modules"]
    )
    case.session.exclusive_with, shown.exclusive_with = shown, case.session
    shown.time = case.session.time
    try:
        shown.run(case.outcomes.judge_probe)
        if case.session.exercises and not shown.exercises:
            shown.load()
    finally:
        shown.close()  # later orders, to explain, go to a new worker
    return shown


def run_hidden(case: Case, shown: Session) -> None:
    """Run the other probes and merge the results; all words are those of the public session."""
    session = case.session
    session.reduced_timeouts, session.slept = shown.reduced_timeouts, shown.slept
    session.protections, session.unloadable = shown.protections, shown.unloadable
    session.exercises = {n: e for n, e in session.exercises.items() if n not in shown.exercises}
    skip_with_public(session, shown)
    session.run(case.outcomes.judge_probe)
    if session.unloadable and not shown.unloadable and session.unloadable.kind != "hung":
        session.unloadable = Observation("raised", UNSAID, {})
    for number, got in session.observations.items():
        if got.texts.get("by") == "import":  # a file that only a hidden probe needs: no details
            session.observations[number] = Observation("raised", {**UNSAID, "by": "import"}, {})
    session.observations = dict(sorted((session.observations | shown.observations).items()))
    session.definitions, session.absent = shown.definitions, shown.absent
    session.output = shown.output
    known = {broken.counts_for for broken in shown.refused}
    session.refused = shown.refused + [
        Violation(broken.counts_for, "", 0, REFUSED_BESIDE)
        for broken in session.refused
        if broken.counts_for not in known
    ]
    case.read_session()


def skip_with_public(session: Session, shown: Session) -> None:
    """Skip hidden probes of an exercise whose public part ended a worker."""
    ended = {
        shown.exercises[number]: got.texts["after"] if got.kind == "skipped" else got.kind
        for number, got in shown.observations.items()
        if got.kind not in ANSWERS
    }
    for number, exercise in list(session.exercises.items()):
        if exercise in ended:
            del session.exercises[number]
            session.observations[number] = Observation("skipped", {"after": ended[exercise]}, {})


def public_probe_numbers(case: Case) -> list[int]:
    """Return the probes of the case that any public check looks at."""
    found = {
        number: None
        for check in case.chapter.checks
        if check["exercise"] in case.ids and not check["hidden"]
        for number in check["probes"]
    }
    return [number for number in found if number in case.session.exercises]
