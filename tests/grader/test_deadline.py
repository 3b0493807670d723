"""A busy machine costs nobody a mark: only what has computed for too long, or slept, is timed out.

A worker that is stopped from outside is what a busy machine makes of it: it wants to go on, and
gets no processor.
"""

from __future__ import annotations

import marshal
import os
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from grader import root
from grader.course.key_file import Key
from grader.course.key_source import open_key
from grader.course.load import Course
from grader.course.package import Package
from grader.grade_package import Grading
from grader.sandbox import channel
from grader.sandbox.channel import Channel, Deadline, queue_seconds
from grader.sandbox.launch import ForkServer, Worker, require_numpy, spawn_process
from grader.sandbox.session import GRACE, TIMEOUT_DIVISOR, Session

IDS = ["chapter3.sub.forward", "chapter3.div.forward", "chapter3.exp.forward",
       "chapter3.log.forward", "chapter3.mul.backward"]  # fmt: skip
HANGS = {
    "computes": "while True:\n    pass",
    "computes in C": "return sum(iter(int, 1))",
    "catches": "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
}
SECONDS = 1.2  # for every probe here
PAUSE = 0.72  # seconds without a processor: more than a probe may compute then, with all grace
WINDOW = 0.24  # seconds between two pauses, in which a busy machine lets it compute at last


class Busy:
    """Stops every worker for a while, again and again, from the moment on that time ran out."""

    def __init__(self, launch: Callable[[], Worker]) -> None:
        self.launch_one = launch
        self.pids: list[int] = []
        self.pauses = 0
        self.begun, self.over = threading.Event(), threading.Event()
        self.stopped = threading.Event()  # set, where nothing is to be waited for
        self.stopped.set()

    def launch(self) -> Worker:
        worker = self.launch_one()
        self.pids.append(worker.pid)
        return worker

    def session(self, launch: Any, request: Any, *rest: Any) -> Session:
        """A session whose probes have little time, and that says when it has run out."""
        assert SECONDS / TIMEOUT_DIVISOR + GRACE / 2 < PAUSE < SECONDS * channel.IDLE / 3
        probes = [(n, name, args, SECONDS, e) for n, name, args, _, e in request["probes"]]
        session = Session(launch, {**request, "probes": probes}, *rest)
        session._receive = self.look(session, session._receive)  # type: ignore[method-assign]
        return session

    def look(self, session: Session, receive: Callable[[Channel, int], Any]) -> Any:
        def looked(channel: Channel, number: int) -> Any:
            found = receive(channel, number)
            if (
                session.reduced_timeouts
                or found.kind == "hung"
                or found.texts.get("type") == "TimeUp"
            ):
                self.begun.set()
                self.stopped.wait()  # else all may be over before the other thread begins
            return found

        return looked

    def tell(self, number: int) -> None:
        for pid in self.pids:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass

    def pausing(self) -> None:
        self.begun.wait(600)
        while not self.over.is_set():
            self.tell(signal.SIGSTOP)
            self.stopped.set()
            self.over.wait(PAUSE)
            self.tell(signal.SIGCONT)
            self.pauses += 1
            self.over.wait(WINDOW)

    @contextmanager
    def around(self) -> Iterator[None]:
        thread = threading.Thread(target=self.pausing)
        self.stopped.clear()
        thread.start()
        try:
            yield
        finally:
            self.over.set()
            self.begun.set()
            thread.join()
            self.tell(signal.SIGCONT)


@pytest.fixture(scope="module")
def key() -> Key:
    return open_key()


def statuses(key: Key, course: Course, body: str, busy: bool) -> dict[str, str]:
    files = {n: t.encode() for n, t in course.replace_bodies({"ops.Sub.forward": body}).items()}
    with ForkServer(require_numpy()) as fork_server:
        machine = Busy(fork_server.fork)
        grading = Grading(
            key, Package("/l/babygrad", files, ""), machine.launch, set(), session=machine.session
        )
        if not busy:
            return {id: v.status for id, v in grading.grade(IDS).items()}
        with machine.around():
            found = {id: v.status for id, v in grading.grade(IDS).items()}
        assert machine.pauses
        return found


@pytest.mark.sampled(quick=3)
@pytest.mark.parametrize("hang", HANGS)
def test_without_a_processor_nothing_else_is_timed_out(key: Key, course: Course, hang: str) -> None:
    found = statuses(key, course, HANGS[hang], busy=True)
    assert found.pop("chapter3.sub.forward") == "timed_out"
    assert found == dict.fromkeys(found, "passed")


def test_who_sleeps_is_timed_out_and_costs_the_others_little_time(key: Key, course: Course) -> None:
    started = time.monotonic()
    found = statuses(key, course, "import time\ntime.sleep(600)", busy=False)
    assert found.pop("chapter3.sub.forward") == "timed_out"
    assert found == dict.fromkeys(found, "passed")
    assert time.monotonic() - started < 300  # nobody has waited for the sleeper


class Stopped:
    """The clock of a grader that was stopped for ten minutes, once, while it waited for an answer.

    Attributes:
        answered: whether the answer had come by then; else the worker was stopped, too.
    """

    def __init__(self, answered: bool) -> None:
        self.answered, self.lost, self.looks = answered, 0.0, 0
        self.ready = channel._ready

    def monotonic(self) -> float:
        return time.monotonic() + self.lost

    def __getattr__(self, name: str) -> Any:
        return getattr(time, name)

    def _ready(self, fds: list[int], event: int, deadline: float) -> list[int]:
        found = self.ready(fds, event, deadline)
        self.looks += bool(found) and event == select.POLLIN
        if self.looks == 2 and not self.lost:
            self.lost = 600.0
            return found if self.answered else []
        return found


@pytest.mark.sampled(quick=2)
@pytest.mark.parametrize("answered", [True, False])
def test_a_grader_that_was_stopped_takes_nobodys_time(
    key: Key, course: Course, monkeypatch: pytest.MonkeyPatch, answered: bool
) -> None:
    clock = Stopped(answered)
    monkeypatch.setattr(channel, "time", clock)
    monkeypatch.setattr(channel, "_ready", clock._ready)
    found = statuses(key, course, HANGS["computes"], busy=False)
    assert clock.lost and found.pop("chapter3.sub.forward") == "timed_out"
    assert found == dict.fromkeys(found, "passed")


def test_a_grader_that_was_stopped_still_sends_all_of_a_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here, there = os.pipe()
    clock, taken = Stopped(answered=False), bytearray()

    def ready(fds: list[int], event: int, until: float) -> list[int]:
        if not clock.lost:  # the pipe is full, and whoever reads it was stopped, too
            clock.lost = 600.0
            return []
        taken.extend(os.read(here, 1 << 16))
        return fds

    monkeypatch.setattr(channel, "time", clock)
    monkeypatch.setattr(channel, "_ready", ready)
    said = bytes(1 << 20)
    channel.Channel(Worker(os.getpid(), there, -1, -1), bytearray()).send(said)
    os.close(there)
    while data := os.read(here, 1 << 16):
        taken.extend(data)
    os.close(here)
    assert marshal.loads(taken[4:]) == said


LATE = """
import signal, clock
now = 0.0
clock.monotonic = lambda: now
clock.Clock.wind()
with clock.Clock(60.0):
    now = 3600.0  # an hour in which nothing ran, and then the alarm
    signal.raise_signal(signal.SIGALRM)
    assert signal.getitimer(signal.ITIMER_REAL)[0] > 60, "it is not waited for once more"
    now += 120.0
    try:
        signal.raise_signal(signal.SIGALRM)
    except clock.TimeUp as error:
        print(*error.args)
"""


BUSY = """
import signal, time, clock
clock.Clock.wind()
with clock.Clock(0.4, 600):
    until = time.process_time() + 0.1
    while time.process_time() < until:  # and the wall clock is over
        pass
    signal.raise_signal(signal.SIGALRM)
    try:
        signal.raise_signal(signal.SIGALRM)
    except clock.TimeUp as error:
        print("up", *error.args)
"""


@pytest.mark.parametrize("program, says", [(LATE, "asleep\n"), (BUSY, "up\n")])
def test_a_workers_alarm_is_set_once_more_if_it_was_stopped_or_computes(
    program: str, says: str
) -> None:
    told = subprocess.run(
        [sys.executable, "-c", program], cwd=os.path.join(root.PACKAGE, "sandbox", "worker"),
        text=True, capture_output=True, check=True,
    )  # fmt: skip
    assert told.stdout == says


def test_waiting_for_a_processor_takes_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that waits in the queue for nine tenths of each look has ten times as long."""
    clock, queued, passed = Stopped(answered=True), 0.0, 0.0
    monkeypatch.setattr(channel, "time", clock)
    monkeypatch.setattr(channel, "queue_seconds", lambda pid: queued)
    deadline = Deadline(os.getpid(), 600.0, 10.0)
    while deadline.left() > 0:
        clock.lost, queued, passed = clock.lost + 0.5, queued + 0.45, passed + 0.5
    assert 50.0 < passed < 60.0  # five seconds as they come, and five at a tenth


def test_the_queue_of_a_process_is_read_on_linux() -> None:
    assert queue_seconds(os.getpid()) >= 0.0 == queue_seconds(-1)


def test_the_time_of_a_process_is_that_of_the_processor() -> None:
    """Of this one as it tells it itself; of one that sleeps, hardly any."""
    until = time.process_time() + 0.05
    one, mine = Deadline(os.getpid(), 600.0), time.process_time()
    while time.process_time() < until:
        pass
    assert one.charged_seconds() >= 0.9 * (time.process_time() - mine) > 0
    assert not one.was_idle() and one.left() < 600.0
    sleeper = spawn_process([str(shutil.which("sleep")), "600"])
    try:
        other = Deadline(sleeper, 600.0, 0.05)
        assert other.left() > 0
        while other.left() > 0:
            time.sleep(0.01)
        assert other.was_idle()
    finally:
        os.kill(sleeper, signal.SIGKILL)
        os.waitpid(sleeper, 0)
    assert channel.cpu_seconds(sleeper) == 0.0  # it is gone
