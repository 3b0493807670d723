"""Make the slices of a key, and show the progress.

The results of an exercise's known mistakes are a slice of their own: each mistake runs like a
learner's code, once the exercise fails, or beforehand for a key that goes where there are no
sources.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from queue import SimpleQueue
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast

from .. import interrupt, root
from ..about import COURSE, PYTORCH
from ..arrays import parts_of, plain_parts
from ..errors import OurFault
from ..memo import Memo, hash_values
from ..sandbox.launch import ForkServer, Worker
from ..sandbox.observation import Observation
from ..sandbox.session import Session
from . import PUBLIC_SEED, Exercise, pytorch
from .build_chapter import (
    Answer,
    ChapterBuild,
    Progress,
    index,
    job,
    oracle_answers,
    round_answer,
    stored_answers,
    why,
)
from .key_file import (
    ChapterKey,
    Json,
    Key,
    Slice,
    gives_slice,
    slice_bytes,
    table_of,
    write_key_file,
)
from .load import Course, optional_table, read_course
from .made_key import MadeKey, entry_beside
from .outline import SHORT, chapter_of
from .package import module_of
from .source_digest import content_hashes, hash_environment, made_from
from .syntax_tree import locate_definitions, rewritten

if TYPE_CHECKING:
    from ..sandbox.worker.request import Job
    from .key_file import Exact, Launch, WorkOut
    from .key_rows import MistakeOutcome

T = TypeVar("T")
# Without the record the report lacks a line, nothing else.
UNRECORDED = "no recorded answer of PyTorch for these inputs; `grader record` makes one."


def record_path(chapter: str) -> str:
    """Return the path of a chapter's recorded answers of PyTorch."""
    return root.path("tests", "recorded", f"{chapter}.json")


def make(path: str) -> None:
    """Build the whole public key, with the results of all mistakes, and write it to ``path``.

    Raises:
        OurFault: the course is inconsistent; the message says where.
    """
    save(KeyBuilder(read_course(), PUBLIC_SEED).key(), path, with_mistakes=True)


@dataclass(eq=False)
class KeyBuilder:
    """Make the slices of one key."""

    course: Course
    seed: str
    memo: Memo | None = None  # for slices, answers and runs; the course must equal its files then
    session: Callable[..., Session] = Session  # runs the code of the course
    launch: Launch = None  # starts workers; by default each slice has its own fork server
    # Whether PyTorch is compared with its records. For a seed other than the public one there are
    # none: it is always asked.
    live: bool = False
    torch: ModuleType | None = None

    def __post_init__(self) -> None:
        asked = PYTORCH in COURSE.against and (self.live or self.seed != PUBLIC_SEED)
        self.live = asked and pytorch.is_torch_installed()

    def key(self) -> MadeKey:
        """Return the key, whose slices are made on demand."""
        return MadeKey(self.table(), self.memo, lambda: self)

    def table(self) -> Json:
        """Return the key's table about the whole course, without the places of slices."""
        exercises, chapters = self.course.exercises.values(), self.course.chapters
        built = optional_table("exercises.built", "BUILT")  # chapter → what a learner has built
        versions = (pytorch.Records.read(record_path(chapter.id)).version for chapter in chapters)
        version = pytorch.version() if self.live else next(filter(None, versions), None)
        return {
            "course": COURSE.name,
            "seed": self.seed,
            "torch": {"version": version, "live": self.live},
            "outline": [[e.id, e.section, e.given] for e in exercises],
            "routes": {SHORT: sorted(self.course.solved_on(SHORT))},
            "targets": {target: e.id for e in exercises for target in e.targets},
            "frame": self._frame(),
            "titles": {chapter.id: chapter.title for chapter in chapters},
            "points": {e.id: e.points for e in exercises},
            "needs": {e.id: list(e.needs) for e in exercises},
            "built": {chapter.id: built.get(chapter.id, "") for chapter in chapters},
            "names": self._names(),
        }

    def _frame(self) -> list[str]:
        """List what the files define beside the targets: nobody writes that by another name.

        Bodies are left out. Of a course that is cut to some chapters, others' targets count too.
        """
        every: set[str] = set()
        for name, text in self.course.solutions.items():
            module = module_of(name)
            every |= locate_definitions(
                module, rewritten(module, text, lambda region: "pass")
            ).keys()
        return sorted(every - self.course.owner.keys())

    def _names(self) -> dict[str, str]:
        """Map each chapter to the cache key of its slice: a digest of all that it depends on."""
        torch = pytorch.version() if self.live else None
        sources = content_hashes(self.seed, [chapter.id for chapter in self.course.chapters])
        return {
            name: hash_values("chapter", contents, self.course.key_fingerprint, torch)
            for name, contents in sources.items()
        }

    def prepare(self) -> None:
        """Import PyTorch, while no other thread reads sources."""
        if self.live and self.torch is None:
            self.torch = pytorch.import_torch()

    def chapter(self, name: str, launch: Launch = None) -> bytes:
        """Make the slice of one chapter."""
        chapter = next(chapter for chapter in self.course.chapters if chapter.id == name)
        with self._workers(launch) as start, progress_line(f"the answer key: {name}") as say:
            if not sys.stderr.isatty():
                print(f"building the answer key: {name}", file=sys.stderr, flush=True)
            build = ChapterBuild(self.course, chapter, self.seed, start, self.session)
            answers = self._answers(build, say)
            stored = stored_answers(build, answers)
        for each in build.unrecorded if self.seed == PUBLIC_SEED else ():
            print(f"{each}: {UNRECORDED}", file=sys.stderr)
        data = slice_bytes(index(build, stored), build.arrays)
        if self.memo:
            beside = Slice(data).index, _exact_answers(build, answers)
            self.memo.remember(entry_beside(self._names()[name]), beside)
        return data

    def _answers(self, build: ChapterBuild, say: Progress) -> list[Answer]:
        """Return each oracle's answers for each probe, computed only if they are not cached.

        They are cached apart from the slice: editing a mistake changes the slice, and no answer.
        """
        sources = sorted(self.course.solutions.items())
        made_of = self.course.answers_fingerprint, sources, made_from(self.seed, build.chapter.id)
        name = hash_values("answers", hash_environment(), self.live and pytorch.version(), made_of)
        known = self.memo and self.memo.recall(name)
        if known:
            kept, build.unrecorded = known
            return [{oracle: parts_of(p) for oracle, p in each.items()} for each in kept]
        self.prepare()
        recorded = pytorch.Records.read(record_path(build.chapter.id))
        answers = oracle_answers(build, recorded, self.torch, say)
        if self.memo:
            plain = [{oracle: plain_parts(p) for oracle, p in each.items()} for each in answers]
            self.memo.remember(name, [plain, build.unrecorded])
        return answers

    def mistakes(self, chapter: ChapterKey, id: str, launch: Launch = None) -> bytes:
        """Make the slice of one exercise: what its mistakes give for the probes of its chapter."""
        runs = MistakeRuns(self.course, self.course.exercises[id], chapter)
        name = hash_values(hash_environment(), runs.name()) if self.memo else ""
        known = self.memo and self.memo.get(name)
        if known:
            return known
        with self._workers(launch) as start, progress_line("what mistakes give") as say:
            slice = runs.slice(start, self.session, say)
        if self.memo:
            self.memo.put(name, slice)
        return slice

    @contextmanager
    def _workers(self, launch: Launch) -> Iterator[Callable[[], Worker]]:
        """Provide a function that starts workers: a given one, else a fork server of its own."""
        with ForkServer() as fork_server:
            yield launch or self.launch or fork_server.fork


def _exact_answers(build: ChapterBuild, answers: list[Answer]) -> Exact:
    """Return the reference's own answers, on this machine; a key has them rounded."""
    return {
        number: plain_parts({p: a for p, a in answer["reference"].items() if p in used})
        for number, (answer, used) in enumerate(zip(answers, build.used_parts, strict=True))
    }


def save(
    key: Key, path: str, chapters: Iterable[str] | None = None, *, with_mistakes: bool
) -> None:
    """Write these chapters of a key to a file; missing slices are made on all cores."""
    named = key.chapters if chapters is None else list(chapters)
    write_key_file(path, *contents_of(key, named, with_mistakes))


def contents_of(
    key: Key, chapters: list[str], with_mistakes: bool
) -> tuple[Json, dict[str, bytes], dict[str, bytes]]:
    """Return the contents of a file of these chapters: table, slices, slices of mistakes."""
    ids = [id for id, _, _ in key.outline if with_mistakes and chapter_of(id) in chapters]
    slices = dict(zip(chapters, all_slices(key, chapters), strict=True))
    gives = dict(zip(ids, make_in_parallel(key, key.mistakes, ids), strict=True))
    kept = {"names": {name: key.table["names"][name] for name in chapters}}
    return {**table_of(key, chapters), **kept}, slices, gives


def work_out(course: Callable[[], Course]) -> WorkOut:
    """Return a function that computes, for a key in a file, what an exercise's mistakes give."""

    def mistakes(key: Key, exercise: str, launch: Launch) -> bytes:
        making = KeyBuilder(course(), key.table["seed"], Memo())
        return making.mistakes(key.chapter(chapter_of(exercise)), exercise, launch)

    return mistakes


def all_slices(key: Key, chapters: Iterable[str]) -> list[bytes]:
    """Return the slices of these chapters, made in parallel."""
    if isinstance(key, MadeKey):
        key.prepare(chapters)
    return make_in_parallel(key, key.slice, chapters)


def make_in_parallel(key: Key, ask: Callable[[str, Launch], T], names: Iterable[str]) -> list[T]:
    """Call ``ask`` for each name in parallel, with a fork server per core; return the answers."""
    mine = key.making.launch if isinstance(key, MadeKey) else None
    with interrupt.exit_at_once(), ExitStack() as stack:
        free: SimpleQueue[Launch] = SimpleQueue()
        count = 1 if mine else os.cpu_count() or 1
        for _ in range(count):
            free.put(mine or stack.enter_context(ForkServer()).fork)

        def one(name: str) -> T:
            launch = free.get()
            try:
                return ask(name, launch)
            finally:
                free.put(launch)

        with ThreadPoolExecutor(count) as threads:
            return [*threads.map(one, names)]


@contextmanager
def progress_line(what: str) -> Iterator[Progress]:
    """Show progress on one line of stderr, if it is a terminal."""
    is_one = sys.stderr.isatty()

    def say(now: str) -> None:
        if is_one:
            sys.stderr.write(f"\r\x1b[K{f'building {what}: {now}'[:79]}")
            sys.stderr.flush()

    yield say
    if is_one:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


def record(course: Course, chapters: Collection[str]) -> Iterator[tuple[str, bool]]:
    """Record PyTorch's answers for every probe of these chapters that has a twin.

    Yields:
        The path of each file, and whether it was written: it is left alone if nothing changed.
    """
    torch = pytorch.import_torch()
    for chapter in course.chapters:
        if chapter.id not in chapters:
            continue
        path = record_path(chapter.id)
        build = ChapterBuild(course, chapter, PUBLIC_SEED, launch=_no_worker)
        try:
            recorded = pytorch.Records.read(path)
        except OurFault:
            recorded = pytorch.Records(None, {})  # damaged: start anew
        answers = {
            name: (
                pytorch.Inputs.of(probe.program, probe.args),
                pytorch.run_twin(torch, probe.twin),
            )
            for name, probe in zip(build.names, build.probes, strict=True)
            if probe.twin is not None
        }
        changed = recorded.renew(answers)
        if changed:
            recorded.version = str(torch.__version__)
            recorded.write(path)
        yield path, changed


def _no_worker() -> NoReturn:
    raise OurFault("Recording runs no worker.")


ENDED = ("type", "message")  # kept of an exception; its place is the mistake's own


@dataclass(eq=False)
class MistakeRuns:
    """Run an exercise's mistakes on the probes of its chapter's slice."""

    course: Course
    exercise: Exercise
    chapter: ChapterKey

    def __post_init__(self) -> None:
        chapter, rows = self.chapter, enumerate(self.chapter.probes)
        self.numbers = [n for n, probe in rows if probe["exercise"] == self.exercise.id]
        self.arrays = {n: a for each in self.numbers for n, a in chapter.inputs(each).items()}
        # Probe → the parts of its results that checks look at.
        self.parts = {
            n: {check["part"] for check in chapter.checks_of_probe(n)} for n in self.numbers
        }

    def name(self) -> str:
        """Return a digest of all that the results of the mistakes depend on."""
        mistakes = [(m.name, m.target, m.body) for m in self.exercise.mistakes]
        sources = sorted(self.course.solutions.items()), self.exercise.targets, mistakes
        request = self._job({})
        asked = request["modules"], sorted(self.chapter.programs.items()), request["probes"]
        parts = sorted((n, sorted(parts)) for n, parts in self.parts.items())
        return hash_values("mistakes", sources, asked, sorted(self.arrays.items()), parts)

    def slice(
        self, launch: Callable[[], Worker], session: Callable[..., Session], say: Progress
    ) -> bytes:
        """Run each mistake; return the bytes of the exercise's slice.

        Raises:
            OurFault: with some of them the package cannot be imported; all are named.
        """
        lost, gives = [], {}
        read: set[str] = set()  # the files that the package is imported from
        owners = dict.fromkeys(self.numbers, self.exercise.id)
        for mistake in self.exercise.mistakes:
            say(f"{self.exercise.id}: {mistake.name}")
            target = self.exercise.target_of(mistake)
            sources = self.course.replace_bodies({target: mistake.body})
            request = self._job(sources)
            request["looked_at"] = {n: sorted(used) for n, used in self.parts.items()}
            request["ours"] = [n for n in read if sources[n] == self.course.solutions[n]]
            one = session(launch, request, owners)
            one.run()
            run = one.close()
            if run.unloadable is not None:
                lost.append(f"{self.exercise.id}: {mistake.name}: {why(run.unloadable)}")
            read.update(found.file for found in run.definitions.values())
            got = run.observations.items()
            gives[mistake.name] = {n: _outcome(o, self.parts[n]) for n, o in got}
        if lost:
            says = "With these mistakes the package cannot be imported:"
            raise OurFault("\n  ".join([says, *lost]))
        return gives_slice(gives)

    def _job(self, sources: dict[str, str]) -> Job:
        chapter, orders = self.chapter, [self.chapter.order(n) for n in self.numbers]
        request = job(sources, chapter.modules, chapter.programs, orders, self.arrays)
        return {**request, "predicates": chapter.predicates(self.numbers)}


def _outcome(observation: Observation, parts: set[str]) -> MistakeOutcome:
    """Reduce an observation to what diagnosis compares."""
    if observation.kind != "arrays":
        texts = observation.texts
        ended: Any = {key: texts[key] for key in ENDED if key in texts}
        return cast("MistakeOutcome", {"ended": observation.kind, **ended})
    return {"parts": round_answer({p: a for p, a in observation.parts.items() if p in parts})}
