"""How long a worker may take, whatever else the machine is busy with.

A limit is in seconds of the processor: on a busy machine they last longer, which must cost nobody
a mark. What computes nothing (it sleeps, or waits for what never comes) uses none of them, so
that the wall clock has a say as well: `IDLE` of its seconds count as one. Where the grader itself
was stopped (a lid was shut, a container paused) nobody waited, and nothing of it counts.
"""

from __future__ import annotations

import sys
import time

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
    """When a worker has had enough time, from now on.

    Args:
        seconds: of the processor.
        idle: of the wall clock, where it is not `IDLE` times as many.
    """

    def __init__(self, pid: int, seconds: float, idle: float | None = None) -> None:
        self.pid = pid
        self.seconds = seconds
        self.idle = IDLE * seconds if idle is None else idle
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
