"""A probe's time limit: in processor seconds, and in wall-clock seconds for code that sleeps."""

from __future__ import annotations

import signal
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

ASLEEP, IDLE = "asleep", 2  # the latter as in `channel.py` of the grader
LATE = 1.0  # an alarm this many seconds late shows that the process was stopped when it was due
BUSY = 20  # with a 20th of its processor seconds used since the last alarm, code did not sleep


class TimeUp(BaseException):
    """The probe's time is over. Not an Exception, so that `except Exception` lets it through."""


class Clock:
    """A limit in processor seconds; beyond it, `TimeUp` is raised in learner code.

    Code that sleeps has ``idle`` wall-clock seconds; without it, `IDLE` times ``seconds``.
    """

    given = 0.0  # processor seconds of the running limit
    waits, due = 0.0, 0.0  # its wall-clock seconds, and when they are over
    unused = 0.0  # processor seconds that were left when these began

    def __init__(self, seconds: float, idle: float | None = None) -> None:
        self.seconds = seconds
        self.idle = IDLE * seconds if idle is None else idle

    @staticmethod
    def wind() -> None:
        """Install the signal handlers, before the first limit."""
        signal.signal(signal.SIGPROF, _time_up)
        signal.signal(signal.SIGALRM, _wake_up)

    def __enter__(self) -> None:
        Clock.given = self.seconds
        signal.setitimer(signal.ITIMER_PROF, self.seconds)
        Clock.wait(self.idle)

    @staticmethod
    def wait(seconds: float) -> None:
        """Raise `TimeUp` after so many wall-clock seconds from now."""
        Clock.waits, Clock.due = seconds, monotonic() + seconds
        Clock.unused = signal.getitimer(signal.ITIMER_PROF)[0]
        signal.setitimer(signal.ITIMER_REAL, seconds)

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)


def _time_up(signum: int, frame: FrameType | None) -> None:
    raise TimeUp


def _wake_up(signum: int, frame: FrameType | None) -> None:
    if monotonic() - Clock.due > LATE:  # stopped from outside: start it anew
        return Clock.wait(Clock.waits)
    left = signal.getitimer(signal.ITIMER_PROF)[0]  # most is left if it slept
    if Clock.unused - left > Clock.given / BUSY:  # it computes, with little of a busy processor
        return Clock.wait(Clock.waits)
    raise TimeUp(ASLEEP) if left > 0.9 * Clock.given else TimeUp
