"""Many submissions at once: a process per core, each with its own warm parent of workers.

A process that dies takes nothing with it: what it was judging is judged once more, alone, and gets
a row that says so where that fails too.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NoReturn

from .. import interrupt
from ..sandbox.launch import ONE_THREAD
from .cohort import Cohort
from .handins import HandIn
from .judging import Judge, fault
from .record import OUR_FAULT, SCHEMA, Head, Record

if TYPE_CHECKING:
    from tqdm import tqdm


class Progress:
    """Counts submissions on stderr."""

    def __init__(self, total: int) -> None:
        self.bar: tqdm[NoReturn] | None = None
        with suppress(ImportError):  # it comes with the `instructor` extra; nobody needs it
            from tqdm import tqdm

            self.bar = tqdm(
                total=total, unit="submission", file=sys.stderr, dynamic_ncols=True, disable=None
            )

    def step(self, learner: str) -> None:
        if self.bar is not None:
            self.bar.set_postfix_str(learner[:24], refresh=False)
            self.bar.update()

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


Task = tuple[HandIn, Record | None]  # a submission, and its earlier record
Read = Callable[[HandIn], Record | None]  # its earlier record, read when it is its turn

GLANCE = 1.0  # seconds after which Python is given a moment to see a Ctrl-C

_judge: Judge | None = None


def run(
    handins: Iterable[HandIn], read: Read, cohort: Cohort, jobs: int, seconds: int
) -> Generator[tuple[Task, Record], None, None]:
    """Each task with its record, as they are done; few of them are in memory at a time."""
    todo = deque(handins)
    while todo:
        suspects = yield from _until_broken(todo, read, cohort, min(jobs, len(todo)), seconds)
        for task in suspects:
            yield task, alone(task, cohort, seconds)


def _until_broken(
    todo: deque[HandIn], read: Read, cohort: Cohort, jobs: int, seconds: int
) -> Generator[tuple[Task, Record], None, list[Task]]:
    """Work through ``todo``; returns the tasks that were running when a process died."""
    running: dict[Future[Record], Task] = {}
    with _pool(cohort, jobs, seconds) as pool:
        try:
            while todo or running:
                while todo and len(running) < 2 * jobs:
                    handin = todo.popleft()
                    task = handin, read(handin)
                    running[submitted(pool, task)] = task
                done = wait(running, GLANCE, FIRST_COMPLETED).done
                if not done and _lost(pool):
                    _give_up(pool)
                for future in done:
                    record = future.result()
                    yield running.pop(future), record
        except BrokenProcessPool:
            return list(running.values())
    return []


def submitted(pool: ProcessPoolExecutor, task: Task) -> Future[Record]:
    """Hand a task to the pool, which may start a process for it: one that no Ctrl-C meets, for
    the terminal sends that to all of them, and its threads leave it to this one."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return pool.submit(_record, *task)
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def alone(task: Task, cohort: Cohort, seconds: int) -> Record:
    """A task in a process for it alone; a row that says so where that one dies, too."""
    with _pool(cohort, 1, seconds) as pool:
        try:
            return submitted(pool, task).result()
        except BrokenProcessPool:
            return record_loss(task, "The process that judged it was ended from outside, twice.")


def record_loss(task: Task, says: str) -> Record:
    """A row for a task whose process is gone."""
    handin, earlier = task
    head: Head = {
        "schema": SCHEMA, "learner": handin.learner, "submission": handin.path, "status": OUR_FAULT,
    }  # fmt: skip
    return fault(head, says, earlier)


@contextmanager
def _pool(cohort: Cohort, jobs: int, seconds: int) -> Iterator[ProcessPoolExecutor]:
    pool = executor(cohort, jobs, seconds)
    try:
        yield pool
    except BaseException:  # stopped: what is being judged is judged when the batch goes on
        _give_up(pool)
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _lost(pool: ProcessPoolExecutor) -> bool:
    """True if a process has ended and the pool has not noticed: it waits for the rest of an
    answer that was cut short."""
    return any(not process.is_alive() for process in list((pool._processes or {}).values()))


def _give_up(pool: ProcessPoolExecutor) -> None:
    """End all processes of a pool, and let it see that: the end of half an answer comes only when
    nobody holds the writing end of its pipe any more, and this process holds it, too."""
    for process in multiprocessing.active_children():
        process.kill()
    writer = getattr(pool._result_queue, "_writer", None)
    if writer is not None:
        writer.close()


def executor(cohort: Cohort, jobs: int, seconds: int) -> ProcessPoolExecutor:
    """Processes that judge. Spawned, not forked: a child must not hold the lock of the results,
    nor a half-held thread. NumPy has one in each of them: they are as many as there are cores."""
    os.environ.update(ONE_THREAD)  # which they inherit
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(jobs, context, _begin, (cohort, seconds))


def _begin(cohort: Cohort, seconds: int) -> None:
    """In a new process: end with the parent, leave Ctrl-C to it, and get ready."""
    global _judge
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    interrupt.end_with_parent()
    _judge = Judge(cohort, seconds)


def _record(handin: HandIn, earlier: Record | None) -> Record:
    assert _judge is not None
    return _judge.record(handin, earlier)
