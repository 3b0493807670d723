"""Where new processes cannot be forbidden: one who stays behind and ends them all.

The worker forks. The child goes on as the worker; the parent, which runs no learner code, becomes
the next of kin of every process that loses its own parent (Linux: a subreaper). When the
worker has ended, or the grader has closed its end of the frames, it kills what is left and ends
the way the worker did.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time

from syscalls import COLUMN, call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

NAME = "no process outlives the run"
SET_DUMPABLE, SUBREAPER = 4, 36
PATIENCE = 1.5  # seconds for killing what goes on forking


def stand_by(request_fd: int, frames_fd: int) -> bool:
    """True in the child, which is the worker; False where there is no keeper to be had."""
    if sys.platform != "linux" or COLUMN is None or not hasattr(os, "pidfd_open"):
        return False
    if call("prctl", SUBREAPER, 1, 0, 0, 0) != 0:
        return False
    pid = os.fork()
    if pid == 0:
        os.setsid()
        return True
    try:
        call("prctl", SET_DUMPABLE, 0, 0, 0, 0)  # the worker cannot trace it
        nothing = os.open(os.devnull, os.O_RDWR)
        for fd in (request_fd, 1, 2):
            os.dup2(nothing, fd)
        leave(keep(pid, frames_fd))
    finally:
        os._exit(1)


def keep(pid: int, frames_fd: int) -> int:
    """Wait for the worker's end or the grader's; kill everything; the worker's wait status."""
    ended = os.pidfd_open(pid)
    poll = select.poll()
    poll.register(ended, select.POLLIN)
    poll.register(frames_fd, 0)  # an error there: nobody reads any more
    poll.poll()
    status = None
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        status = reap(pid, status)
        left = children()
        if not left:
            break
        for child in left:
            try:
                os.kill(child, signal.SIGKILL)
            except OSError:
                pass
    return status or 0


def reap(worker: int, status: int | None) -> int | None:
    """Bury all that are dead; the worker's status, as soon as it is among them."""
    while True:
        try:
            pid, found = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return status
        if pid == 0:
            return status
        if pid == worker:
            status = found


def children() -> list[int]:
    """The processes whose parent this one is."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    parent = file.read().rpartition(b")")[2].split()[1]
            except OSError:
                continue
            if int(parent) == os.getpid():
                found.append(int(name))
    return found


def leave(status: int) -> NoReturn:
    """End as the worker ended."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.WEXITSTATUS(status))
