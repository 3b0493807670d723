"""Handle Ctrl-C: raise it where it is safe, once, and never lose it.

By default Python raises KeyboardInterrupt anywhere: in a callback whose errors are ignored, between
changing a terminal and saving its old state, in the handler of the first one; and one that comes
right before a blocking wait is seen only after it. Here

- the first interrupt is raised, and later ones only if the clean-up takes longer than `PATIENCE`;
- none is raised before `arm`, after `disarm` or inside `deferred`, but at the end of that;
- one that Python has swallowed («Exception ignored in») is raised again after `AGAIN` seconds;
- waits for descriptors include `wakeup_fd`, the wakeup fd, which also catches an interrupt that
came
  after Python's last check for signals.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal` imports `enum`, which is slow
import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

AGAIN = 0.01  # seconds after which a swallowed interrupt is raised again
PATIENCE = 1.0  # seconds of clean-up during which further interrupts are ignored

was_received = False  # an interrupt has come, raised or not
cleanups: list[Callable[[], None]] = []  # called before the process ends inside `exit_at_once`
wakeup_fd = -1  # readable after an interrupt (`signal.set_wakeup_fd`); -1 before `listen`
_due = _armed = False
_raised = 0.0
_holds = 0
_fatal = 0
_farewell: Callable[[], int] = lambda: 130  # noqa: E731


def listen(farewell: Callable[[], int]) -> None:
    """Install the handler; if our parent process ignores Ctrl-C, so do we."""
    global wakeup_fd, _farewell
    _farewell = farewell
    if _signal.getsignal(_signal.SIGINT) is not _signal.default_int_handler:
        return
    sys.unraisablehook = _unraisable
    _signal.signal(_signal.SIGINT, _take)
    try:
        wakeup_fd, write_end = os.pipe()
    except OSError:
        return  # no descriptor is left; whatever needs one next reports it
    for fd in (wakeup_fd, write_end):
        os.set_blocking(fd, False)
    _signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)


def handle_signals(*numbers: int) -> None:
    """Treat these signals like Ctrl-C."""
    for number in numbers:
        _signal.signal(number, _take)


def arm() -> None:
    """Raise interrupts from here on, also one that has come already."""
    global _armed
    _armed = True
    _raise_what_is_due()


def disarm() -> None:
    """Only note interrupts in `was_received` from here on."""
    global _armed
    _armed = False


def ignore_from_now_on() -> None:
    """Ignore the signal from here on, also during Python's teardown, which would restore the
    kernel's default."""
    _signal.signal(_signal.SIGINT, _signal.SIG_IGN)


class deferred:  # noqa: N801 (reads as a word of the language)
    """``with deferred():`` delays an interrupt to the end of these lines."""

    def __enter__(self) -> None:
        global _holds
        _holds += 1

    def __exit__(self, *error: object) -> None:
        global _holds
        _holds -= 1
        if error[0] is None:
            _raise_what_is_due()


class exit_at_once:  # noqa: N801
    """``with exit_at_once():`` lets an interrupt end this process at once, after `cleanups`:
    inside, threads run that no exception reaches."""

    def __enter__(self) -> None:
        global _fatal
        _fatal += 1

    def __exit__(self, *error: object) -> None:
        global _fatal
        _fatal -= 1


def end_with_parent() -> None:
    """End this process of a pool as soon as its parent process has ended."""
    import multiprocessing
    import threading

    def wait() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def drain_wakeup() -> None:
    """Drain the wakeup fd."""
    try:
        os.read(wakeup_fd, 64)
    except OSError:
        pass


def wait_for(fds: list[int]) -> list[int]:
    """Wait until some of these can be read, and return them; raises KeyboardInterrupt."""
    import select

    while not was_received:
        found = select.select([*fds, wakeup_fd] if wakeup_fd >= 0 else fds, [], [])[0]
        if found != [wakeup_fd]:
            return [fd for fd in found if fd != wakeup_fd]
        drain_wakeup()  # Python runs the signal's handler before the next turn
    raise KeyboardInterrupt  # it was swallowed, or only noted


def read_line() -> str:
    """Read a line of standard input; an interrupt ends the wait."""
    if sys.stdin.isatty():  # of a pipe, Python's buffer may already hold the line
        wait_for([sys.stdin.fileno()])
    return sys.stdin.readline()


def _take(number: int, frame: object) -> None:
    global was_received, _due
    was_received = _due = True
    if _raised and time.monotonic() - _raised < PATIENCE:
        _due = False
        return
    _raise_what_is_due()


def _raise_what_is_due() -> None:
    global _due, _raised
    if _due and _armed and _fatal:
        _due = False
        for put_back in tuple(cleanups):
            put_back()
        os._exit(_farewell())
    if _due and _armed and not _holds:
        _due, _raised = False, time.monotonic()
        raise KeyboardInterrupt


def _unraisable(told: sys.UnraisableHookArgs) -> None:
    """Raise an interrupt again that Python could not pass on; report other errors as usual."""
    global _raised
    if told.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(told)
        return
    _raised = 0.0
    _signal.signal(_signal.SIGALRM, _take)
    _signal.setitimer(_signal.ITIMER_REAL, AGAIN)
