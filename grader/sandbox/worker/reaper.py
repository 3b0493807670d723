"""Subreaper: kill leftover processes where seccomp cannot forbid forking.

The worker forks. The child runs learner code; the parent becomes a subreaper
(PR_SET_CHILD_SUBREAPER of Linux), so that orphaned grandchildren become its children. When the
worker has ended, or the grader has closed `frames`, it kills them and ends as the worker did.
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
PATIENCE = 1.5  # seconds to kill processes that go on forking


def become_subreaper(request_fd: int, frames_fd: int) -> bool:
    """Fork; return True in the child, False without a subreaper. The parent does not return."""
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
        exit_like(kill_when_over(pid, frames_fd))
    finally:
        os._exit(1)


def kill_when_over(pid: int, frames_fd: int) -> int:
    """Wait for the worker's end or the grader's; kill all children; return the worker's status."""
    ended = os.pidfd_open(pid)
    poll = select.poll()
    poll.register(ended, select.POLLIN)
    poll.register(frames_fd, 0)  # POLLERR: the grader has closed its end
    poll.poll()
    status = None
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        status = reap_children(pid, status)
        left = list_children()
        if not left:
            break
        for child in left:
            try:
                os.kill(child, signal.SIGKILL)
            except OSError:
                pass
    return status or 0


def reap_children(worker: int, status: int | None) -> int | None:
    """Reap all dead children; return the worker's status if it is among them, else ``status``."""
    while True:
        try:
            pid, found = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return status
        if pid == 0:
            return status
        if pid == worker:
            status = found


def list_children() -> list[int]:
    """Return the pids of this process's children."""
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


def exit_like(status: int) -> NoReturn:
    """End as the worker ended: by its signal or with its exit code."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.WEXITSTATUS(status))
