"""Who has a package's code run: its sessions, and the cases that are judged by them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from ..about import COURSE
from ..course.key_file import ChapterKey, Key
from ..course.package import Package
from ..sandbox.isolation import ANY
from ..sandbox.launch import Worker
from ..sandbox.observation import Definition, Observation
from ..sandbox.session import IMPORT_SECONDS, Imports, Session
from .case import Case, can_run_again
from .judge import Places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..sandbox.worker.request import Job

Reference = Callable[[], Mapping[str, str]]
IsRight = Callable[[int, Observation], bool]


class Runner:
    """Opens and runs cases of one package, and keeps what a report needs of what came back.

    Args:
        launch: starts a worker.
        given: exercises that this workspace holds written.
        first: a worker that is starting already.
        least: the isolation without which nothing is graded.
        session: makes a session, as `Session` does; another may know some answers already.
        reference: the files of the reference, where they may be read (`judge/repair.py`).
        imports: the clock of the package's imports, where it is judged more than once.
        apart: whether what learner code says of a public probe has to come from a worker that
            knows no hidden input (`judge/public_only.py`): its learner reads it and hands in again.

    Attributes:
        protections: those that held in every worker; None while nothing has run.
        observations: chapter → what its probes gave.
        output: what the learner's code has printed.
    """

    def __init__(
        self,
        key: Key,
        package: Package,
        launch: Callable[[], Worker],
        given: set[str],
        first: Worker | None = None,
        least: str = ANY,
        session: Callable[..., Session] = Session,
        reference: Reference | None = None,
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
        self.targets: Mapping[str, str] = key.table["targets"]
        self.order = {id: place for place, (id, _, _) in enumerate(key.outline)}
        self.protections: list[str] | None = None
        self.definitions: dict[str, Definition] = {}
        self.observations: dict[str, dict[int, Observation]] = {}
        self.output = ""

    def open_case(
        self, chapter: ChapterKey, ids: list[str], modules: list[str] | None = None
    ) -> Case:
        """A case of these exercises, whose targets lie in these files; nothing has run yet."""
        return Case(chapter, ids, self.open_session(chapter, ids, modules=modules), self.targets)

    def run_case(self, case: Case) -> None:
        """Run a case's probes, those that have not run apart, and judge what came back."""
        if case.shown is None:
            case.run_probes()
        else:
            from .public_only import run_hidden

            run_hidden(case, case.shown)
        case.judge(self.given)

    def keep_report(self, case: Case) -> None:
        """What the report needs beside the verdicts; later workers' words are not believed."""
        run = case.session.result()
        if self.protections is None:
            self.protections = run.protections
        elif run.protections is not None:
            self.protections = [name for name in self.protections if name in run.protections]
        self.definitions.update(case.run.definitions)
        self.observations.setdefault(case.chapter.id, {}).update(run.observations)
        self.output += run.output

    def open_further(self, ids: set[str], asking: Session) -> list[Case]:
        """Cases of further exercises, one per chapter.

        They share the time of the chapter that they are judged for: the worker may have named
        exercises of all chapters. Their workers start all at once, while the formulas are read.
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

    def run_on(
        self, chapter: ChapterKey, numbers: list[int], files: dict[str, bytes], is_right: IsRight
    ) -> tuple[dict[int, Observation], set[str]]:
        """What these probes give on another package, and what those ran that are not right."""
        session = self.open_session(chapter, [], numbers, files)
        session.run()
        run = session.result()
        wrong = [n for n, got in run.observations.items() if not is_right(n, got)]
        session.trace([n for n in wrong if can_run_again(run, n)])
        session.close()
        entered = Places(run.definitions, self.targets).exercises_entered
        return run.observations, {id for each in run.entered.values() for id in entered(each)}

    def open_session(
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
            "alone": files_alone(chapter),
            "looked_at": {n: list(chapter.probes[n]["answers"]["reference"]) for n in numbers},
        }
        first, self.first = self.first, None
        owners = {n: chapter.probes[n]["exercise"] for n in numbers}
        return self.new_session(self.launch, request, owners, first, self.least, self.imports)


def files_alone(chapter: ChapterKey) -> dict[str, str]:
    """Exercise → its file, of those that have to do without the rest of the package."""
    folder = COURSE.alone["folder"].replace("/", ".")
    return {
        e["id"]: "/".join(e["targets"][0].split(".")[:2]) + ".py"
        for e in chapter.exercises
        if folder and e["targets"][0].startswith(folder)
    }
