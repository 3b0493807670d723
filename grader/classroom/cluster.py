"""Judge a batch on Dask: with workers on this machine, or those of a scheduler.

A submission is sent as bytes, to workers that do not share our disk, and written to files there.
Unfit files stay unfit: links stay links, pipes stay pipes, a file with a second hard link gets one
again, and one that is too large arrives too large. The targets of links are not sent; of other
files that nobody reads only the size is.

Only the coordinator reads submissions and writes results; submissions and the key are sent as
bytes, so that a worker needs only the grader. When a worker is lost, its submission runs again;
workers may come and go. Dask runs tasks in threads, but the time limit is a signal to a process's
main thread; so each worker judges in processes of its own, with the pool's code.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import tempfile
import threading
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import NamedTuple

import dask
import distributed
from distributed import Client, KilledWorker, LocalCluster, WorkerPlugin, as_completed, get_worker

from ..course.package import MOST_BYTES, MOST_TOTAL, BadFile, Flaw, safe_bytes
from ..errors import WrongUse
from .intake.archive_reader import (
    ASIDE,
    MOST_ARCHIVE,
    MOST_ENTRIES,
    NOTEBOOK,
    is_of_a_tool,
)
from .intake.handed_out import MOST_STATE, STATE
from .intake.handins import HandIn
from .intake.loose_files import list_beside
from .intake.package_files import ARCHIVES, HIDDEN_TEXT
from .judging import EarlierReader, Task, judge_alone, make_pool, record_loss, submit_task
from .marks.cohort import Cohort
from .marks.record import Record

FILE, LARGE, LINK, PIPE, TWICE, FOLDER = "file", "large", "link", "pipe", "twice", "folder"
# File ending → the most bytes that the grader reads of it; of all other files it reads none.
READ = {".py": MOST_BYTES, HIDDEN_TEXT: MOST_BYTES, ".json": MOST_STATE} | dict.fromkeys(
    (NOTEBOOK, NOTEBOOK + ASIDE, *ARCHIVES), MOST_ARCHIVE
)
MOST_PAYLOAD = MOST_ARCHIVE + MOST_TOTAL  # bytes of a whole submission


class SubmissionPayload(NamedTuple):
    """A submission as a job's payload: its path, and its entries (path below, kind, bytes)."""

    path: str
    entries: list[tuple[str, str, bytes]]


def serialize_submission(path: str) -> SubmissionPayload:
    """Read a submission into a payload, with what its person has handed in beside it, within the
    limits of each file and of the total."""
    path = os.path.abspath(path)
    beside = [each for each in list_beside(path) if each != path]
    entries: list[tuple[str, str, bytes]] = []
    room = MOST_PAYLOAD
    for whole in (path, *beside):
        inside = "" if whole == path else os.path.join("..", os.path.basename(whole))
        entries.append(_entry(whole, inside, room))
        room = max(0, room - len(entries[-1][2]))
    if entries[0][1] == FOLDER:
        for base, folders, names in os.walk(path):
            folders[:] = [name for name in folders if name == STATE or not is_of_a_tool(name)]
            for name in [*folders, *names]:
                whole = os.path.join(base, name)
                entries.append(_entry(whole, os.path.relpath(whole, path), room))
                room = max(0, room - len(entries[-1][2]))
                if len(entries) > MOST_ENTRIES + 1:
                    return SubmissionPayload(path, entries)  # the worker refuses it
    return SubmissionPayload(path, entries)


def _entry(path: str, inside: str, room: int) -> tuple[str, str, bytes]:
    try:
        state = os.lstat(path)
    except OSError:
        return inside, "", b""
    if stat.S_ISLNK(state.st_mode):
        return inside, LINK, os.fsencode(os.readlink(path))
    if stat.S_ISDIR(state.st_mode):
        return inside, FOLDER, b""
    if not stat.S_ISREG(state.st_mode):
        return inside, PIPE, b""
    most = max((n for ending, n in READ.items() if path.lower().endswith(ending)), default=0)
    try:
        return inside, FILE, safe_bytes(path, min(most, room))
    except BadFile as error:
        if error.flaw is Flaw.TOO_LARGE:
            return inside, LARGE, b"%d" % min(state.st_size, MOST_ARCHIVE + 1)
        return inside, TWICE if error.flaw is Flaw.SECOND_NAME else PIPE, b""


@contextmanager
def materialize_submission(payload: SubmissionPayload) -> Iterator[str]:
    """Write a payload to temporary files for the block; yield the submission's path."""
    top = tempfile.mkdtemp(prefix="grader-payload-")
    try:
        place = os.path.join(top, *payload.path.split(os.sep)[-3:])
        os.makedirs(os.path.dirname(place), exist_ok=True)
        for inside, kind, data in payload.entries:
            whole = os.path.normpath(os.path.join(place, inside))
            _materialize(whole, kind, data, top)
        yield place
    finally:
        shutil.rmtree(top, ignore_errors=True)


def _materialize(path: str, kind: str, data: bytes, top: str) -> None:
    if kind == FOLDER:
        os.makedirs(path, exist_ok=True)
    elif kind == LINK:
        os.symlink(os.fsdecode(data), path)
    elif kind == PIPE:
        os.mkfifo(path)
    elif kind in (FILE, LARGE, TWICE):
        with open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            if kind == LARGE:
                file.truncate(int(data))
            else:
                file.write(data)
        if kind == TWICE:
            os.link(path, tempfile.mktemp(prefix="second-", dir=top))


LOCAL = "local"
NAME = "grader"
SECONDS_TO_COME = 60  # to wait for a scheduler's file, and for the first worker
DAEMON = "distributed.worker.daemon"  # must be off: a daemon may not start processes


def judge_on_cluster(
    handins: Iterable[HandIn], read: EarlierReader, cohort: Cohort, where: str, jobs: int,
    seconds: int,
) -> Generator[tuple[Task, Record], None, None]:  # fmt: skip
    """Judge submissions; yield each task with its record when it is done.

    At most two per worker thread are in flight, so that few are in memory.

    Raises:
        WrongUse: there is no scheduler, or a worker isolates too little.
    """
    todo: deque[HandIn] = deque(handins)
    running: dict[str, Task] = {}
    with _client(where, jobs) as client:
        client.register_plugin(DaskPlugin(cohort, seconds), name=NAME)
        done = as_completed()
        while todo or running:
            while todo and len(running) < 2 * max(1, sum(client.nthreads().values())):
                handin = todo.popleft()
                task = handin, read(handin)
                payload = None if where == LOCAL else serialize_submission(handin.path)
                future = client.submit(_judged, *task, payload, pure=False)
                running[future.key] = task
                done.add(future)
            future = next(done)
            task = running.pop(future.key)
            try:
                record: Record = future.result()
            except KilledWorker:
                record = record_loss(task, "Each worker that judged it was lost.")
            yield task, record


@contextmanager
def _client(where: str, jobs: int) -> Iterator[Client]:
    """Open a client of a local cluster, an address, or a scheduler's file."""
    quiet = {DAEMON: False, "distributed.admin.tick.interval": "1s"}
    if where == LOCAL:
        with (
            dask.config.set(quiet),
            LocalCluster(
                n_workers=jobs, threads_per_worker=1, dashboard_address=None, silence_logs=50
            ) as cluster,
            Client(cluster) as client,
        ):
            yield client
        return
    try:
        client = Client(**_place(where), timeout=SECONDS_TO_COME)
    except (OSError, TimeoutError, ValueError, RuntimeError) as error:
        raise WrongUse(
            f"There is no scheduler at {where} ({error}). Start one with `dask scheduler "
            "--scheduler-file FILE`, and name FILE or its address."
        ) from error
    except TypeError as error:  # Dask raises it if it has no certificate
        raise WrongUse(
            f"The scheduler at {where} wants certificates. Say which with DASK_CONFIG: see "
            "docs/scaling.md."
        ) from error
    with client:
        client.wait_for_workers(1, timeout=SECONDS_TO_COME)
        yield client


def _place(where: str) -> dict[str, str]:
    """Return `Client`'s argument for an address, or for a scheduler's file, waiting for the file.

    A scheduler that was started at the same moment writes its file once it can be reached.

    Raises:
        FileNotFoundError: the file does not appear in time.
    """
    if ":" in where and not os.path.exists(where):
        return {"address": where}
    last = time.monotonic() + SECONDS_TO_COME
    while not os.path.isfile(where):
        if time.monotonic() > last:
            raise FileNotFoundError("the file has not come")
        time.sleep(0.1)
    return {"scheduler_file": where}


class DaskPlugin(WorkerPlugin):  # type: ignore[misc]
    """Gives each worker the key, on its own disk, and a process pool that judges.

    As a registered plugin it also reaches workers that join later, or restart.
    """

    name = NAME

    def __init__(self, cohort: Cohort, seconds: int) -> None:
        self.cohort = cohort
        self.seconds = seconds
        with open(cohort.key_path, "rb") as file:
            self.key = file.read()

    def setup(self, worker: distributed.Worker) -> None:
        self.folder = tempfile.mkdtemp(prefix="grader-", dir=worker.local_directory)
        self.lock = threading.Lock()
        self.jobs = worker.state.nthreads
        self.pool: ProcessPoolExecutor | None = None
        path = os.path.join(self.folder, "answers.key")
        with open(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600), "wb") as file:
            file.write(self.key)
        self.cohort = self.cohort._replace(key_path=path)

    def teardown(self, worker: distributed.Worker) -> None:
        self._end(self.pool)
        shutil.rmtree(self.folder, ignore_errors=True)

    def record(self, handin: HandIn, earlier: Record | None) -> Record:
        """Judge a submission; if its process dies, judge it again, alone."""
        pool = None
        try:
            with self.lock:
                if self.pool is None:
                    self.pool = make_pool(self.cohort, self.jobs, self.seconds)
                pool = self.pool
                future = submit_task(pool, (handin, earlier))
            return future.result()
        except BrokenProcessPool:
            self._end(pool)
            return judge_alone((handin, earlier), self.cohort, self.seconds)

    def _end(self, pool: ProcessPoolExecutor | None) -> None:
        with self.lock:
            if pool is not None and self.pool is pool:
                self.pool = None
                pool.shutdown(wait=False, cancel_futures=True)


def _judged(handin: HandIn, earlier: Record | None, payload: SubmissionPayload | None) -> Record:
    """Judge a submission on a worker: the task that Dask runs."""
    bench: DaskPlugin = get_worker().plugins[NAME]
    if payload is None:
        return bench.record(handin, earlier)
    with materialize_submission(payload) as place:
        record = bench.record(handin._replace(path=place), earlier)
        # Paths in the record: the worker's temporary one becomes the instructor's.
        here, there = (json.dumps(path)[1:-1] for path in (place, handin.path))
        found: Record = json.loads(json.dumps(record).replace(here, there))
        return found
