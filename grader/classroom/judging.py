"""Judge submissions: unchanged results are kept, the rest is run, with a process per core.

Each process has its own fork server. If a process dies, its submission is judged again, alone; if
that fails too, its row says so.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import cache, cached_property, partial
from types import FrameType
from typing import TypeVar

from .. import __version__, interrupt, log
from ..course import outline
from ..course.key_source import open_key
from ..course.package import Package
from ..errors import OurFault, WrongUse, one_line
from ..grade_package import Grading
from ..result import iter_exercises, result
from ..result_rows import ChapterResult, PublicFailure, Result
from ..sandbox.isolation import LEVELS
from ..sandbox.launch import ONE_THREAD, ForkServer
from ..sandbox.session import ImportTime
from ..verdict import BROKEN
from .analysis.open_answers import read_answers
from .analysis.similar import CommonCode, collect_common_code, fingerprint_files
from .intake.handed_out import choose_stubs, find_came_solved, hash_bodies, read_revealed
from .intake.handins import HandIn
from .intake.loose_files import read_hand_in
from .intake.submission import Findings, Submission, read_handin, remember_parsable
from .marks.cohort import Cohort, open_class_key
from .marks.follow_through import FollowThrough, compute_follow_through
from .marks.overlay import load_course
from .marks.record import (
    GRADED,
    OUR_FAULT,
    SCHEMA,
    UNREADABLE,
    JudgedRecord,
    Record,
    RecordHead,
    choose_samples,
    compute_marks,
    describe_missing_files,
    describe_unimportable,
    drop_false_locations,
    find_hidden_failures,
    record_fault,
    replace_chapters,
)

T = TypeVar("T")
SECONDS = 1800  # for a whole submission; a single endless loop times out long before


class TooSlow(Exception):
    """A submission took longer than its time limit."""


class SubmissionJudge:
    """Judges submissions one after another, in one process, with one fork server."""

    def __init__(self, cohort: Cohort, seconds: int = SECONDS) -> None:
        self.cohort = cohort
        self.seconds = seconds
        self.key = open_class_key(cohort.key_path, cohort.overlay)
        self.course = load_course(cohort.overlay)
        self.stubs = cache(partial(self.course.stubs, route=cohort.route))
        self.workers = ForkServer(reads_in=True)
        self.first = cohort.first
        self.solved = cohort.handed_out.solved if cohort.handed_out is not None else {}

    @cached_property
    def _known(self) -> CommonCode:
        """Code to ignore in comparisons; read last of the shared data, all of which `gc` skips."""
        found = collect_common_code(self.course, self.first)
        stubs = self.stubs(self.first)
        if self.solved:
            hash_bodies(stubs)
        remember_parsable([*stubs.values(), *self.course.solved().values()])
        gc.collect()
        gc.freeze()
        return found

    @cached_property
    def _under(self) -> dict[str, str] | None:
        """The stubs that fill up a partial package; None if they are not known."""
        known = self.cohort.handed_out is not None
        return choose_stubs(self.stubs, self.cohort.chapters, known)

    @cached_property
    def _owners(self) -> dict[str, str]:
        """Target → exercise, of those that learners were to write."""
        asked = set(outline.of_chapters(self.key.outline, self.cohort.chapters))
        asked -= outline.given_ids(self.key, self.first, self.cohort.route)
        return {t: id for t, id in self.key.table["targets"].items() if id in asked}

    def record(self, handin: HandIn, earlier: Record | None) -> Record:
        """Judge a submission and return its record, whatever is in it.

        Each sub-room is passed once: the hand-in is read and looked at within bounds (`intake/`,
        `analysis/`), judged here, then worth its marks (`marks/`).

        Raises:
            WrongUse: workers here are less isolated than was demanded.
        """
        head: RecordHead = {
            "schema": SCHEMA, "learner": handin.learner, "submission": handin.path,
            "whose": handin.whose or handin.learner,
        }  # fmt: skip
        try:
            look = partial(self._look, handin.path, self._known, self._owners)
            learner, notes, seen = read_handin(handin.path, self.course, look, self._under or {})
        except WrongUse as error:
            return record_fault({**head, "status": UNREADABLE}, one_line(str(error)), earlier)
        except Exception as error:
            return record_fault({**head, "status": OUR_FAULT}, describe_our_fault(error), earlier)
        head["sha256"] = learner.sha256
        try:
            said = one_line(" ".join(notes))
            graded: RecordHead = {**head, **seen, "status": GRADED, "says": said}
            with log.timed("classroom", "%s", handin.path):
                judged = self._retry(graded, learner, earlier)
            whole, names = judged["result"], self.course.solutions
            if says := describe_missing_files(whole, learner, names, self._under):
                return record_fault({**head, "sha256": None, "status": UNREADABLE}, says, earlier)
            return compute_marks(judged, self.cohort.policy)
        except WrongUse:
            raise  # less isolation than was demanded: nobody is to be judged here
        except Exception as error:
            return record_fault({**head, "status": OUR_FAULT}, describe_our_fault(error), earlier)

    def _look(
        self, path: str, known: CommonCode, owners: dict[str, str], made: Submission
    ) -> Findings:
        """Return what else a record says of the files; runs inside `limited_call`."""
        taken = made.taken or read_hand_in(path, self.course.solutions)
        revealed = read_revealed(path, self.course.exercises)
        solved = find_came_solved(made.package.files, self.solved, owners)
        return {
            "revealed": revealed,
            "came_solved": sorted({*made.package.ours, *solved} & {*owners.values()}),
            "answers": read_answers(taken, self.course.chapters, self.cohort.chapters),
            "prints": fingerprint_files(made.package.files, known),
        }

    def _retry(self, head: RecordHead, learner: Package, earlier: Record | None) -> JudgedRecord:
        """Judge; after an error try again with a new fork server: learner code may have hit it."""
        judge = partial(self._judge, head, learner, earlier)
        try:
            return limit_time(self.seconds, judge)
        except Exception as error:
            self.end()
            if isinstance(error, TooSlow | WrongUse):
                raise
            return limit_time(self.seconds, judge)

    def _judge(self, head: RecordHead, learner: Package, earlier: Record | None) -> JudgedRecord:
        kept = find_reusable_chapters(
            earlier, learner.sha256, self.cohort.suites, self.cohort.isolation
        )
        todo = [name for name in self.cohort.chapters if name not in kept]
        old = earlier if kept and earlier is not None and earlier["result"] is not None else None
        follow: dict[str, float] = {}
        samples: dict[str, PublicFailure] = {}
        says = [head["says"]]
        if todo:
            imports = ImportTime()
            whole = self._judge_chapters(learner, todo, imports)
            after = FollowThrough(
                self.course, self.stubs, self.key, self.workers.fork, learner,
                self.cohort.isolation, imports,
            )  # fmt: skip
            follow = compute_follow_through(whole, after)
            says.append(after.says)
            hidden = find_hidden_failures(whole) if self.cohort.samples else []
            if hidden:
                samples = choose_samples(whole, self._judge_publicly(learner, hidden))
            drop_false_locations(whole, learner.files)
        else:
            assert old is not None
            whole = old["result"]
        chapters = {chapter["id"]: chapter for chapter in whole["chapters"]} | kept
        made = replace_chapters(whole, [chapters[name] for name in self.cohort.chapters])
        if old is not None:
            follow |= old["follow_through_by_exercise"]
            samples = old.get("samples", {}) | samples
            made["unloadable"] += old["result"]["unloadable"] if todo else []
        ids = {e["id"] for e in iter_exercises(made)}
        return {
            **head, "version": __version__, "result": made, "samples": samples,
            "suites": {name: self.cohort.suites[name] for name in self.cohort.chapters},
            "says": " ".join(filter(None, (describe_unimportable(made), *says))),
            "follow_through_by_exercise": {id: s for id, s in follow.items() if id in ids},
        }  # fmt: skip

    def _judge_chapters(self, learner: Package, chapters: list[str], imports: ImportTime) -> Result:
        given = outline.given_ids(self.key, self.first, self.cohort.route)
        ids = outline.of_chapters(self.key.outline, chapters)
        least = self.cohort.isolation
        grading = Grading(
            self.key, learner, self.workers.fork, given, least=least, imports=imports,
            public_only=True,
            reference=self.course.solved,
        )  # fmt: skip
        verdicts = grading.grade(ids)
        broken = [id for id, verdict in verdicts.items() if verdict.status == BROKEN]
        if broken:
            checks = [check for id in broken for check in verdicts[id].checks]
            says = dict.fromkeys(check.says for check in checks if check.status == BROKEN)
            raise OurFault(f"nothing could be said about {', '.join(broken)}. {' '.join(says)}")
        return result(grading, verdicts)

    def _judge_publicly(self, learner: Package, ids: list[str]) -> Result:
        """Judge exercises that fail only for hidden inputs with public ones, to be shown."""
        public = open_key()
        given = outline.given_ids(public, self.first, self.cohort.route)
        grading = Grading(public, learner, self.workers.fork, given, None, self.cohort.isolation)
        verdicts = grading.grade([id for id, _, _ in public.outline if id in ids])
        return drop_false_locations(result(grading, verdicts), learner.files)

    def end(self) -> None:
        """End the fork server; the next worker starts a new one."""
        self.workers.close()


def find_reusable_chapters(
    earlier: Record | None, sha256: str, suites: dict[str, str], least: str = LEVELS[0]
) -> dict[str, ChapterResult]:
    """Return the chapters of an earlier record that are still valid: same code, suite and grader,
    judged with no less isolation than is demanded now."""
    if (
        earlier is None
        or earlier["result"] is None
        or earlier.get("sha256") != sha256
        or earlier.get("version") != __version__
        or LEVELS.index(earlier["result"]["isolation"]["level"]) < LEVELS.index(least)
    ):
        return {}
    chapters = {chapter["id"]: chapter for chapter in earlier["result"]["chapters"]}
    return {
        name: chapter
        for name, chapter in chapters.items()
        if earlier["suites"].get(name) == suites.get(name)
    }


def describe_our_fault(error: Exception) -> str:
    """Describe an error of ours; with its type unless its message is ours."""
    known = isinstance(error, (OurFault, TooSlow))
    return one_line(str(error) if known else f"{type(error).__name__}: {error}")


def limit_time(seconds: int, work: Callable[[], T]) -> T:
    """Call ``work``; raise `TooSlow` in this process's main thread after so many seconds."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise TooSlow(f"It was not judged within {seconds} s. Grade it alone with a higher --time.")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return work()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# ---- many at once -----------------------------------------------------------------------

Task = tuple[HandIn, Record | None]  # a submission, and its earlier record
EarlierReader = Callable[[HandIn], Record | None]  # reads its earlier record, when it is its turn

GLANCE = 1.0  # seconds between checks for Ctrl-C and for lost processes

_judge: SubmissionJudge | None = None


def judge_in_pool(
    handins: Iterable[HandIn], read: EarlierReader, cohort: Cohort, jobs: int, seconds: int
) -> Generator[tuple[Task, Record], None, None]:
    """Judge submissions; yield each task with its record when done, with few in memory."""
    todo = deque(handins)
    while todo:
        suspects = yield from _until_broken(todo, read, cohort, min(jobs, len(todo)), seconds)
        for task in suspects:
            yield task, judge_alone(task, cohort, seconds)


def _until_broken(
    todo: deque[HandIn], read: EarlierReader, cohort: Cohort, jobs: int, seconds: int
) -> Generator[tuple[Task, Record], None, list[Task]]:
    """Work through ``todo``; return the tasks that were running when a process died."""
    running: dict[Future[Record], Task] = {}
    with _pool(cohort, jobs, seconds) as pool:
        try:
            while todo or running:
                while todo and len(running) < 2 * jobs:
                    handin = todo.popleft()
                    task = handin, read(handin)
                    running[submit_task(pool, task)] = task
                done = wait(running, GLANCE, FIRST_COMPLETED).done
                if not done and _lost(pool):
                    _give_up(pool)
                for future in done:
                    record = future.result()
                    yield running.pop(future), record
        except BrokenProcessPool:
            return list(running.values())
    return []


def submit_task(pool: ProcessPoolExecutor, task: Task) -> Future[Record]:
    """Submit a task with SIGINT blocked. The pool may start a process or threads, which inherit
    that: the terminal sends Ctrl-C to all processes, and only this thread should handle it."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return pool.submit(_record, *task)
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def judge_alone(task: Task, cohort: Cohort, seconds: int) -> Record:
    """Judge a task in a process of its own; if that dies too, return a record that says so."""
    with _pool(cohort, 1, seconds) as pool:
        try:
            return submit_task(pool, task).result()
        except BrokenProcessPool:
            return record_loss(task, "The process that judged it was ended from outside, twice.")


def record_loss(task: Task, says: str) -> Record:
    """Return a record for a task whose process has died."""
    handin, earlier = task
    head: RecordHead = {
        "schema": SCHEMA, "learner": handin.learner, "submission": handin.path, "status": OUR_FAULT,
    }  # fmt: skip
    return record_fault(head, says, earlier)


@contextmanager
def _pool(cohort: Cohort, jobs: int, seconds: int) -> Iterator[ProcessPoolExecutor]:
    pool = make_pool(cohort, jobs, seconds)
    try:
        yield pool
    except BaseException:  # stopped: unfinished submissions are judged when the batch is resumed
        _give_up(pool)
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _lost(pool: ProcessPoolExecutor) -> bool:
    """Whether a process has ended unnoticed by the pool, which waits for the rest of an answer that
    was cut short."""
    return any(not process.is_alive() for process in list((pool._processes or {}).values()))


def _give_up(pool: ProcessPoolExecutor) -> None:
    """Kill all processes of a pool, and close the writing end of its result pipe here: only then
    does the pool see the end of half an answer, and break."""
    for process in multiprocessing.active_children():
        process.kill()
    writer = getattr(pool._result_queue, "_writer", None)
    if writer is not None:
        writer.close()


def make_pool(cohort: Cohort, jobs: int, seconds: int) -> ProcessPoolExecutor:
    """Make a pool of processes that judge. They are spawned, not forked: a child must not inherit
    the lock of the results, nor a lock that a thread holds. NumPy gets one thread in each."""
    os.environ.update(ONE_THREAD)  # the processes inherit it
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(jobs, context, _begin, (cohort, seconds))


def _begin(cohort: Cohort, seconds: int) -> None:
    """Prepare a new process: end with the parent, leave Ctrl-C to it, open the judge."""
    global _judge
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    interrupt.end_with_parent()
    _judge = SubmissionJudge(cohort, seconds)


def _record(handin: HandIn, earlier: Record | None) -> Record:
    assert _judge is not None
    return _judge.record(handin, earlier)
