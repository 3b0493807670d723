"""The pipes of one worker, written and read against the clock.

Whatever the worker does or leaves undone, every call here ends in time and keeps a bounded number
of bytes.

A limit is in seconds of the processor: on a busy machine they last longer, which must cost nobody a
mark. What computes nothing (it sleeps, or waits for what never comes) uses none of them, so that
the wall clock has a say as well: `IDLE` of its seconds count as one. Where the grader itself was
stopped (a lid was shut, a container paused) nobody waited, and nothing of it counts.
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
from .isolation import KEEPER
from .launch import Worker, end
from .observation import BadFrame, Frame, Observation, Reader

IDLE = 2
SHORTEST, LONGEST = 0.005, 0.5  # seconds from one look at the clocks to the next
OF_ALL_THREADS = 2  # which clock of a process: as `make_process_cpuclock` of the kernel has it


def used(pid: int) -> float:
    """Seconds of the processor that a process has used; 0 where that cannot be known."""
    if sys.platform != "linux":
        return 0.0
    try:
        return time.clock_gettime(~pid << 3 | OF_ALL_THREADS)
    except OSError:  # it is gone
        return 0.0


class Deadline:
    """When a worker has had enough time, from now on."""

    def __init__(self, pid: int, seconds: float, idle: float | None = None) -> None:
        self.pid = pid
        self.seconds = seconds  # of the processor
        self.idle = IDLE * seconds if idle is None else idle  # of the wall clock
        self.most = min(seconds, self.idle)  # what is left at the beginning
        self.begun, self.before = time.monotonic(), used(pid)
        self.looked = self.begun

    def left(self) -> float:
        """How many seconds it surely has left; none are left at 0 or below."""
        return min(self.seconds - self._used(), self.idle - self._passed())

    def took(self) -> float:
        """The seconds that count so far."""
        return max(self._used(), self._passed() / IDLE)

    def slept(self) -> bool:
        """Whether time is up for what has computed little."""
        return self._passed() >= self.idle and self._used() < self.seconds / 10

    def _used(self) -> float:
        return used(self.pid) - self.before

    def _passed(self) -> float:
        """Seconds of the wall clock in which the grader ran: it looks every `LONGEST` of them."""
        now = time.monotonic()
        if now > self.looked + 2 * LONGEST:
            self.begun += now - self.looked - LONGEST
        self.looked = now
        return now - self.begun


class Allowance:
    """Seconds that several deadlines share, one after the other."""

    def __init__(self, seconds: float) -> None:
        self.left = seconds

    def next(self, most: float) -> float:
        """Seconds for the next of them; 0 where there is no time left for one."""
        return max(0.0, min(most, self.left))

    def took(self, seconds: float) -> None:
        self.left -= seconds


START_SECONDS = 30.0  # for starting and importing NumPy, before any learner code
MOST_OUTPUT = 64 << 10
PIECE = 1 << 16
MOST_LEFT = 16  # pieces of output that are still read of a worker that is done


class Channel:
    """One worker and what has come of it; what it prints goes to ``output``, as far as it fits."""

    def __init__(self, worker: Worker, output: bytearray) -> None:
        self.worker = worker
        self.output = output
        self.nonce = os.urandom(16)
        self.reader = Reader(self.nonce)
        self.protections: list[str] = []
        self.ended = False
        self.open = [worker.frames, worker.output]
        os.set_blocking(worker.request, False)

    def send(self, value: Any) -> None:
        """Send a request; where the worker does not take it, its missing answer tells."""
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

    def at_hand(self) -> Frame | Observation | None:
        """The next frame, or what is none, as far as it has been read; no clock is asked."""
        try:
            return self.reader.next()
        except BadFrame as error:
            return Observation("garbled", {"message": str(error)}, {})

    def receive(self, deadline: Deadline) -> Frame | Observation | None:
        """The next frame, or how the worker failed to send one; None when time is up."""
        found, left = self.at_hand(), deadline.most
        while found is None and left > 0:  # however busy the pipes are
            for fd in _ready(self.open, select.POLLIN, _soon(left)):
                data = os.read(fd, PIECE)
                if fd == self.worker.output:
                    self._keep(data)
                elif data:
                    self.reader.feed(data)
                else:
                    return self._death()
            found, left = self.at_hand(), deadline.left()
        return found

    def close(self) -> int:
        """End the worker; its status."""
        self.ended = True
        for _ in range(MOST_LEFT):
            if not _ready([fd for fd in self.open if fd == self.worker.output], select.POLLIN, 0.0):
                break
            self._keep(os.read(self.worker.output, PIECE))
        return end(self.worker, KEEPER in self.protections)

    def _keep(self, data: bytes) -> None:
        self.output += data[: max(0, MOST_OUTPUT - len(self.output))]
        if not data:
            self.open.remove(self.worker.output)

    def _death(self) -> Observation:
        """The frames' pipe was closed: how did the worker end?"""
        status = self.close()
        signalled = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0
        return Observation("died", {"signal": str(signalled), "code": str(code)}, {})


def _soon(left: float) -> float:
    """When to look at clocks again that have so many seconds left."""
    return time.monotonic() + min(max(left, SHORTEST), LONGEST)


def _ready(fds: list[int], event: int, deadline: float) -> list[int]:
    """Which of these can be read or written without waiting, or are closed at the other end."""
    poll = select.poll()  # not `select`, which knows no descriptor above 1023
    for fd in fds:
        poll.register(fd, event)
    if interrupt.bell >= 0:
        poll.register(interrupt.bell, select.POLLIN)
    while True:
        left = max(0.0, deadline - time.monotonic())
        found = [fd for fd, _ in poll.poll(1000 * left)]
        if found != [interrupt.bell]:
            return [fd for fd in found if fd != interrupt.bell]
        interrupt.hush()
