"""Write and read the pipes of one worker within a time limit.

Whatever the worker does, every call here ends in time and keeps a bounded number of bytes.

A limit is in processor seconds, so a busy machine costs nobody a mark. Code that sleeps or waits
uses none of them, so the wall clock limits it too: `IDLE` of its seconds count as one. Time in
which the grader itself was stopped (a closed lid, a paused container), or in which the worker waits
for a processor, does not count.
"""

from __future__ import annotations

import marshal
import os
import select
import struct
import sys
import time
from typing import Any

from .. import interrupt
from .isolation import SUBREAPER
from .launch import Worker, stop_worker
from .observation import BadFrame, Frame, FrameReader, Observation

IDLE = 2
SHORTEST, LONGEST = 0.005, 0.5  # seconds between two looks at the clocks
OF_ALL_THREADS = 2  # CPUCLOCK_SCHED of a whole process, as in the kernel's `make_process_cpuclock`


def cpu_seconds(pid: int) -> float:
    """Return the processor seconds that a process has used; 0 if they cannot be read."""
    if sys.platform != "linux":
        return 0.0
    try:
        # The clock id of another process. For pid 100: ~100 << 3 | 2 == -806.
        return time.clock_gettime(~pid << 3 | OF_ALL_THREADS)
    except OSError:  # it is gone
        return 0.0


def queue_seconds(pid: int) -> float:
    """Return the seconds in which a process could run and had no processor; 0 if unknown."""
    try:
        with open(f"/proc/{pid}/schedstat", "rb") as file:
            # Nanoseconds on a processor, nanoseconds in its queue, turns: `513367 118642 7`.
            return int(file.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


class Deadline:
    """A time limit for a worker, counted from the creation of this object."""

    def __init__(self, pid: int, seconds: float, idle: float | None = None) -> None:
        self.pid = pid
        self.seconds = seconds  # of the processor
        self.idle = IDLE * seconds if idle is None else idle  # of the wall clock
        self.most = min(seconds, self.idle)  # seconds left at the start
        self.begun, self.before = time.monotonic(), cpu_seconds(pid)
        self.looked = self.begun
        self.queued: float | None = None  # as last read

    def left(self) -> float:
        """Return the seconds that are surely left; 0 or less when time is up."""
        return min(self.seconds - self._used(), self.idle - self._passed())

    def charged_seconds(self) -> float:
        """Return the seconds that count so far."""
        return max(self._used(), self._passed() / IDLE)

    def was_idle(self) -> bool:
        """Whether time is up although little was computed."""
        return self._passed() >= self.idle and self._used() < self.seconds / 10

    def _used(self) -> float:
        return cpu_seconds(self.pid) - self.before

    def _passed(self) -> float:
        """Return wall-clock seconds in which the grader ran: 60 s of a pause count as `LONGEST`."""
        now = time.monotonic()
        if now > self.looked + 2 * LONGEST:  # it looks at least every `LONGEST`: it was stopped
            self.begun += now - self.looked - LONGEST
        self.looked = now
        if now - self.begun > self.idle / 2:  # before that, nothing need be read
            queued = queue_seconds(self.pid)
            self.begun += queued - (queued if self.queued is None else self.queued)
            self.queued = queued
        return now - self.begun


class TimeBudget:
    """A budget of seconds that several deadlines share, one after the other."""

    def __init__(self, seconds: float) -> None:
        self.left = seconds

    def grant(self, most: float) -> float:
        """Return the seconds for the next deadline; 0 when the budget is spent."""
        return max(0.0, min(most, self.left))

    def spend(self, seconds: float) -> None:
        self.left -= seconds


START_SECONDS = 30.0  # to start and import NumPy, before any learner code
MOST_OUTPUT = 64 << 10
PIECE = 1 << 16
MOST_LEFT = 16  # pieces of output that are still read after a worker is done


class Channel:
    """Talk to one worker; append what it prints to ``output``, up to `MOST_OUTPUT` bytes."""

    def __init__(self, worker: Worker, output: bytearray) -> None:
        self.worker = worker
        self.output = output
        self.nonce = os.urandom(16)
        self.reader = FrameReader(self.nonce)
        self.protections: list[str] = []
        self.ended = False
        self.open = [worker.frames, worker.output]
        os.set_blocking(worker.request, False)

    def send(self, value: Any) -> None:
        """Send a request. If the worker does not take it, the missing answer shows that later."""
        plain = marshal.dumps(value)
        data = memoryview(struct.pack("<I", len(plain)) + plain)
        deadline = Deadline(self.worker.pid, START_SECONDS)
        while data:
            try:
                data = data[os.write(self.worker.request, data) :]
            except BlockingIOError:
                if (left := deadline.left()) <= 0:
                    return
                _ready([self.worker.request], select.POLLOUT, _soon(left))
            except BrokenPipeError:
                return

    def next_buffered(self) -> Frame | Observation | None:
        """Return the next frame already read, or None; an observation if the bytes are no frame."""
        try:
            return self.reader.next()
        except BadFrame as error:
            return Observation("garbled", {"message": str(error)}, {})

    def receive(self, deadline: Deadline) -> Frame | Observation | None:
        """Return the next frame, or how the worker failed to send one; None when time is up."""
        found, left = self.next_buffered(), deadline.most
        while found is None and left > 0:  # checked after each read: a worker may write without end
            for fd in _ready(self.open, select.POLLIN, _soon(left)):
                data = os.read(fd, PIECE)
                if fd == self.worker.output:
                    self._keep(data)
                elif data:
                    self.reader.feed(data)
                else:
                    return self._death()
            found, left = self.next_buffered(), deadline.left()
        return found

    def close(self) -> int:
        """End the worker; return its status as `os.waitpid` gives it."""
        self.ended = True
        for _ in range(MOST_LEFT):
            if not _ready([fd for fd in self.open if fd == self.worker.output], select.POLLIN, 0.0):
                break
            self._keep(os.read(self.worker.output, PIECE))
        return stop_worker(self.worker, SUBREAPER in self.protections)

    def _keep(self, data: bytes) -> None:
        self.output += data[: max(0, MOST_OUTPUT - len(self.output))]
        if not data:
            self.open.remove(self.worker.output)

    def _death(self) -> Observation:
        """Return how the worker ended, after it closed the frames' pipe."""
        status = self.close()
        signalled = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0
        return Observation("died", {"signal": str(signalled), "code": str(code)}, {})


def _soon(left: float) -> float:
    """Return when to look at the clocks again, given the seconds that are left."""
    return time.monotonic() + min(max(left, SHORTEST), LONGEST)


def _ready(fds: list[int], event: int, deadline: float) -> list[int]:
    """Return the descriptors that can be read or written without waiting, or whose peer is gone."""
    poll = select.poll()  # `select` takes no descriptor above 1023
    for fd in fds:
        poll.register(fd, event)
    if interrupt.wakeup_fd >= 0:
        poll.register(interrupt.wakeup_fd, select.POLLIN)
    while True:
        left = max(0.0, deadline - time.monotonic())
        found = [fd for fd, _ in poll.poll(1000 * left)]
        if found != [interrupt.wakeup_fd]:
            return [fd for fd in found if fd != interrupt.wakeup_fd]
        interrupt.drain_wakeup()
