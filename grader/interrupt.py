"""Ctrl-C: raised where it can be borne, once, and never lost.

Left to itself, Python raises KeyboardInterrupt wherever it happens to be: in a callback whose
errors nobody hears, between changing a terminal and noting how it was, in the very lines that
tell of the first one; and one that comes right before a wait is seen after it. Here

- the first interrupt is raised, and later ones only while a clean-up takes long;
- none is raised before `arm`, after `disarm` or inside `held`: it waits for the end of that;
- one that Python has swallowed («Exception ignored in») is raised again a moment later;
- whoever waits for descriptors waits for `bell` too, which rings for an interrupt that came
  after Python's last look.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal` would bring `enum`, which is dear here
import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

AGAIN = 0.01  # seconds after which what was swallowed is raised once more
PATIENCE = 1.0  # how long a clean-up is left alone by further interrupts

came = False  # at least one has
undo: list[Callable[[], None]] = []  # called before an end at once
bell = -1  # readable when one comes; -1 while nobody listens
_due = _armed = False
_raised = 0.0
_holds = 0
_fatal = 0
_farewell: Callable[[], int] = lambda: 130  # noqa: E731


def listen(farewell: Callable[[], int]) -> None:
    """Take over from Python; where the one who started us ignores Ctrl-C, so do we."""
    global bell, _farewell
    _farewell = farewell
    if _signal.getsignal(_signal.SIGINT) is not _signal.default_int_handler:
        return
    sys.unraisablehook = _unraisable
    _signal.signal(_signal.SIGINT, _take)
    try:
        bell, rope = os.pipe()
    except OSError:
        return  # no descriptor is left: whoever needs one will say so
    for fd in (bell, rope):
        os.set_blocking(fd, False)
    _signal.set_wakeup_fd(rope, warn_on_full_buffer=False)


def also(*numbers: int) -> None:
    """Let these signals mean the same."""
    for number in numbers:
        _signal.signal(number, _take)


def arm() -> None:
    """From here on an interrupt is raised, also one that has come already."""
    global _armed
    _armed = True
    _raise_what_is_due()


def disarm() -> None:
    """From here on it is only noted in `came`."""
    global _armed
    _armed = False


def over() -> None:
    """All is done and said: what comes now changes nothing, not even while Python takes itself
    apart, which would give the signal back to the kernel."""
    _signal.signal(_signal.SIGINT, _signal.SIG_IGN)


class held:  # noqa: N801 (reads as a word of the language)
    """``with held():`` no interrupt comes between these lines; it comes after them."""

    def __enter__(self) -> None:
        global _holds
        _holds += 1

    def __exit__(self, *error: object) -> None:
        global _holds
        _holds -= 1
        if error[0] is None:
            _raise_what_is_due()


class fatal:  # noqa: N801
    """``with fatal():`` an interrupt is the end of this process, at once: threads are at work
    that no exception reaches, and nothing has to be put back but by `undo`."""

    def __enter__(self) -> None:
        global _fatal
        _fatal += 1

    def __exit__(self, *error: object) -> None:
        global _fatal
        _fatal -= 1


def end_with_parent() -> None:
    """In a process of a pool: end as soon as the process that started it has ended."""
    import multiprocessing
    import threading

    def wait() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def hush() -> None:
    """Let the bell be silent: it was heard."""
    try:
        os.read(bell, 64)
    except OSError:
        pass


def wait_for(fds: list[int]) -> list[int]:
    """Wait until one of these can be read, however an interrupt falls."""
    import select

    while not came:
        found = select.select([*fds, bell] if bell >= 0 else fds, [], [])[0]
        if found != [bell]:
            return [fd for fd in found if fd != bell]
        hush()  # and Python looks for the signal before the next turn
    raise KeyboardInterrupt  # swallowed by somebody, or just noted


def line() -> str:
    """A line of standard input, waited for so that an interrupt ends the wait."""
    if sys.stdin.isatty():  # in a pipe more may have been read than was asked for
        wait_for([sys.stdin.fileno()])
    return sys.stdin.readline()


def _take(number: int, frame: object) -> None:
    global came, _due
    came = _due = True
    if _raised and time.monotonic() - _raised < PATIENCE:
        _due = False
        return
    _raise_what_is_due()


def _raise_what_is_due() -> None:
    global _due, _raised
    if _due and _armed and _fatal:
        _due = False
        for put_back in tuple(undo):
            put_back()
        os._exit(_farewell())
    if _due and _armed and not _holds:
        _due, _raised = False, time.monotonic()
        raise KeyboardInterrupt


def _unraisable(told: sys.UnraisableHookArgs) -> None:
    """Python could not pass an error on. An interrupt comes again; others are told as ever."""
    global _raised
    if told.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(told)
        return
    _raised = 0.0
    _signal.signal(_signal.SIGALRM, _take)
    _signal.setitimer(_signal.ITIMER_REAL, AGAIN)
