"""A probe's time: in seconds of the processor, with a later word for the wall clock."""

from __future__ import annotations

import signal
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

ASLEEP, IDLE = "asleep", 2  # as in `session.py` and `channel.py` of the grader
LATE = 1.0  # seconds after which an alarm shows that nothing ran when it was due


class TimeUp(BaseException):
    """The probe's time is over. Not an Exception, so that `except Exception` lets it through."""


class Clock:
    """A limit in seconds of the processor; beyond it, `TimeUp` is raised in learner code.

    What sleeps has ``idle`` seconds of the wall clock; `IDLE` times as many, if none are said.
    """

    given = 0.0  # seconds of the processor for what runs now
    waits, due = 0.0, 0.0  # seconds of the wall clock for it, and when they are over

    def __init__(self, seconds: float, idle: float | None = None) -> None:
        self.seconds = seconds
        self.idle = IDLE * seconds if idle is None else idle

    @staticmethod
    def wind() -> None:
        """Before the first of them."""
        signal.signal(signal.SIGPROF, _time_up)
        signal.signal(signal.SIGALRM, _wake_up)

    def __enter__(self) -> None:
        Clock.given = self.seconds
        Clock.wait(self.idle)
        signal.setitimer(signal.ITIMER_PROF, self.seconds)

    @staticmethod
    def wait(seconds: float) -> None:
        """So long from now on."""
        Clock.waits, Clock.due = seconds, monotonic() + seconds
        signal.setitimer(signal.ITIMER_REAL, seconds)

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)


def _time_up(signum: int, frame: FrameType | None) -> None:
    raise TimeUp


def _wake_up(signum: int, frame: FrameType | None) -> None:
    if monotonic() - Clock.due > LATE:  # stopped from outside: what it had not is not taken
        return Clock.wait(Clock.waits)
    left = signal.getitimer(signal.ITIMER_PROF)[0]  # much of it, where little was computed
    raise TimeUp(ASLEEP) if left > 0.9 * Clock.given else TimeUp
