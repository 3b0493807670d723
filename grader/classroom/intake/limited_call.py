"""Run a call in a forked child, with limits for time, memory and the size of the answer.

Untrusted input (an archive, a notebook, a source) can make a reader run without end, and Python
interrupts neither a regular expression nor a parser: each is one call into C. So it is read in a
fork, which starts in milliseconds once our modules are loaded, and is killed at a limit. Where the
kernel can (seccomp, Landlock), the fork may not write, create or remove files, start processes or
open sockets.
"""

from __future__ import annotations

import gc
import marshal
import os
import resource
import select
import signal
import struct
import warnings
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from ...errors import OurFault, WrongUse
from ...sandbox.channel import LONGEST, PIECE, Deadline
from ...sandbox.worker import syscalls

T = TypeVar("T")
SECONDS = 2  # of CPU time; whole ones, as RLIMIT_CPU counts
IDLE = 120.0  # seconds by the clock: a disk may be slow, or the machine busy
MEMORY = 512 << 20  # bytes in addition to those of this process
MOST_ANSWER = 64 << 20  # bytes
RETURNED, WRONG_USE, NO_MEMORY, RAISED = "returned", "wrong use", "no memory", "raised"
NO_NEW_PRIVS = 38  # of `prctl`
TO_CHANGE_FILES = 0b1_1111_1111_0011  # Landlock's rights except reading files and folders
MOST_SAID = 2000  # characters of an exception


class OutOfBounds(WrongUse):
    """A limit was exceeded while reading; the message ends a sentence about the submission."""


def limited_call(work: Callable[[], T]) -> T:
    """Call ``work`` in a fork; return its result, plain values for `marshal`.

    Raises:
        OutOfBounds: it exceeded a limit, or its process died.
        WrongUse: ``work`` raised it.
        OurFault: ``work`` raised anything else.
    """
    ours, theirs = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # our other thread only waits
        pid = os.fork()
    if not pid:
        os.close(ours)  # so that the child's write fails if the parent is gone
        _serve(work, theirs)
    os.close(theirs)
    try:
        answer = _read(ours, Deadline(pid, SECONDS, IDLE))
    finally:
        os.close(ours)
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
    try:
        how, value = marshal.loads(answer)
    except (EOFError, ValueError, TypeError) as error:  # it is cut short
        raise OutOfBounds(_end(status)) from error
    if how == NO_MEMORY:
        raise OutOfBounds(f"to read it takes more than {MEMORY >> 20} MB of memory.")
    if how == WRONG_USE:
        raise WrongUse(value)
    if how == RAISED:
        raise OurFault(f"a hand-in could not be read ({value}).")
    done: T = value
    return done


def _read(fd: int, deadline: Deadline) -> bytes:
    """Read everything that a child sends until it ends, or time is up.

    Raises:
        OutOfBounds: it sends more than `MOST_ANSWER` bytes.
    """
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    answer = bytearray()
    while deadline.left() > 0:
        if not poll.poll(1000 * LONGEST):
            continue
        piece = os.read(fd, PIECE)
        answer += piece
        if len(answer) > MOST_ANSWER:
            raise OutOfBounds(f"it holds more than {MOST_ANSWER >> 20} MB.")
        if not piece:
            break
    return bytes(answer)


def _end(status: int) -> str:
    """Describe the end of a child that has not sent its whole answer."""
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    if number in (signal.SIGXCPU, signal.SIGKILL):
        return f"to read it takes more than {SECONDS} s of the processor."
    return f"to read it ends the process that does (signal {number})."


def _serve(work: Callable[[], object], fd: int) -> NoReturn:
    """In the child: set limits, do the work, send the outcome, and exit."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent gets it, and kills this one
        gc.disable()  # a collection would copy every page shared with the parent
        _bound()
        _confine()
        with open(fd, "wb") as answer:
            answer.write(_outcome(work))
    finally:
        os._exit(0)


def _bound() -> None:
    """Set resource limits: CPU time, no file writes, no core dump, memory."""
    bounds = {"CPU": SECONDS, "FSIZE": 0, "CORE": 0}
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            bounds["AS"] = int(file.read().split()[0]) * resource.getpagesize() + MEMORY
    except OSError:
        pass  # systems without /proc do not enforce this limit either
    for name, most in bounds.items():
        number = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(number)[1]
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(number, (least, hard))


def _confine() -> None:
    """Forbid this process to change files, start processes or open sockets (Landlock, seccomp)."""
    if syscalls.COLUMN is None:
        return
    syscalls.call("prctl", NO_NEW_PRIVS, 1, 0, 0, 0)
    ruleset = syscalls.call("landlock_create_ruleset", struct.pack("<Q", TO_CHANGE_FILES), 8, 0)
    if ruleset >= 0:
        syscalls.call("landlock_restrict_self", ruleset, 0)
    syscalls.enter_filter()


def _outcome(work: Callable[[], Any]) -> bytes:
    try:
        return marshal.dumps((RETURNED, work()))
    except MemoryError:
        return marshal.dumps((NO_MEMORY, ""))
    except WrongUse as error:
        return marshal.dumps((WRONG_USE, str(error)))
    except Exception as error:
        return marshal.dumps((RAISED, f"{type(error).__name__}: {error}"[:MOST_SAID]))
