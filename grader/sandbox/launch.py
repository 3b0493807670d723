"""Start workers: fresh isolated Pythons with private pipes, or forks of a Python that has NumPy.

This is on the hot path of `check`: the worker starts when this module has been read, so it imports
nothing that Python has not loaded by then (`typing`, `signal` and `enum` come to a third of the
time that an empty Python takes to start).
"""

from __future__ import annotations

import os
import sys
import time

from ..errors import OurFault
from .isolation import CONFINED, requested_level

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from socket import socket as Socket

SIGKILL, SIGPIPE = 9, 13  # the same on every POSIX system; `signal` would import `enum`

WORKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "worker")

# For BLAS: starting a thread pool costs more than a probe's small arrays gain.
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
ENVIRONMENT = {**ONE_THREAD, "LC_ALL": "C.UTF-8", "PATH": os.defpath}

PATIENCE = 3.0  # seconds that a killed process may take to end


def _wait(pid: int) -> int:
    """Wait for a process that was told to end; return its status, SIGKILL if a tracer keeps it."""
    killed = False
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            found, status = os.waitpid(pid, os.WNOHANG)
        except ChildProcessError:  # already reaped elsewhere in this process
            return SIGKILL
        if found:
            return status
        if time.monotonic() > deadline:
            if killed:
                return SIGKILL
            killed, deadline = True, deadline + PATIENCE
            kill_group(pid)
        time.sleep(0.0002)


def kill_group(pid: int) -> None:
    """Kill a process and its process group at once."""
    for deliver in (os.killpg, os.kill):
        try:
            deliver(pid, SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass


class Worker:
    """A running worker: its process, the grader's ends of the three pipes, and who reaps it."""

    __slots__ = ("pid", "request", "frames", "output", "wait", "orders")

    def __init__(
        self, pid: int, request: int, frames: int, output: int, wait: Callable[[int], int] = _wait
    ) -> None:
        self.pid = pid
        self.request = request
        self.frames = frames
        self.output = output
        self.wait = wait
        self.orders = -1  # the socket of the fork server that it leaves behind; -1 for none


def find_numpy() -> str | None:
    """Return NumPy's folder, found without importing it; None if NumPy is not installed."""
    for finder in sys.meta_path:
        spec = finder.find_spec("numpy", None)
        if spec is not None and spec.origin:
            return os.path.dirname(spec.origin)
    return None


def require_numpy() -> str:
    """Return NumPy's folder; raise OurFault without one: it is a dependency of the grader."""
    folder = find_numpy()
    if folder is None:
        raise OurFault("NumPy is not installed beside the grader; run `pip install numpy`.")
    return folder


def start_worker() -> Worker:
    """Start a fresh worker; find NumPy first."""
    return spawn_worker(require_numpy())


def numpy_version() -> str:
    """Return NumPy's version, read without importing it; empty if its files do not say."""
    try:
        with open(os.path.join(find_numpy() or "", "version.py"), encoding="utf-8") as file:
            lines = file.read().splitlines()
    except OSError:
        return ""
    told = (line.partition(" = ")[2] for line in lines if line.startswith("version = "))
    return next(told, "").strip("\"'")


def open_pipes() -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Open pipes for request, frames and output; return the grader's ends, then the worker's."""
    request_read, request_write = os.pipe()
    frames_read, frames_write = os.pipe()
    output_read, output_write = os.pipe()
    return (request_write, frames_read, output_read), (request_read, frames_write, output_write)


def spawn_worker(folder: str, with_fork_server: bool = False) -> Worker:
    """Start a worker that imports NumPy from ``folder`` at once.

    Args:
        with_fork_server: leave a fork server behind (`AdoptedForkServer`), if this system can.
    """
    ours, theirs = open_pipes()
    _, _, output_write = theirs
    can_leave_one = sys.platform == "linux" and requested_level() == CONFINED
    orders, *socket = _orders() if with_fork_server and can_leave_one else (-1,)
    passed = [*theirs[:2], *socket]
    for fd in passed:
        os.set_inheritable(fd, True)
    command = [
        sys.executable, "-I", "-S", os.path.join(WORKER, "main.py"),
        folder, requested_level(), *map(str, passed),
    ]  # fmt: skip
    pid = spawn_process(command, output_write)
    for fd in {*theirs, *passed}:
        os.close(fd)
    worker = Worker(pid, *ours)
    worker.orders = orders
    return worker


def spawn_process(command: list[str], output: int | None = None) -> int:
    """Start a command in its own session, with an empty stdin; return its pid.

    It prints to ``output``, or, without one, to this process's stdout and stderr.
    """
    writes = () if output is None else ((output, 1), (output, 2))
    try:
        opened = (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0)
        actions = [opened, *((os.POSIX_SPAWN_DUP2, *pair) for pair in writes)]
        return os.posix_spawn(
            command[0], command, ENVIRONMENT,
            file_actions=actions, setsid=True, setsigdef=[SIGPIPE],
        )  # fmt: skip
    except (AttributeError, NotImplementedError):  # a Python built for an older system
        return _forked(command, writes)


def _forked(command: list[str], writes: Iterable[tuple[int, int]]) -> int:
    """Do the same as `spawn_process`, by fork and exec."""
    if pid := os.fork():
        return pid
    try:
        os.setsid()
        for fd, name in ((os.open(os.devnull, os.O_RDONLY), 0), *writes):
            os.dup2(fd, name)
        os.execve(command[0], command, ENVIRONMENT)
    finally:
        os._exit(127)


def _orders() -> tuple[int, int]:
    """Return both ends of a socket pair. `socket` would import `selectors`; `_socket` does not."""
    import _socket

    ours, theirs = _socket.socketpair()
    return ours.detach(), theirs.detach()


def stop_worker(worker: Worker, has_reaper: bool = False) -> int:
    """Kill the worker and its children; return its status as `os.waitpid` gives it.

    With a subreaper (``kept``), ``worker.pid`` is the subreaper: SIGKILL would end it before it has
    killed the rest. Closing ``frames`` tells it that the grader is done.
    """
    if not has_reaper:
        kill_group(worker.pid)
    for fd in (worker.request, worker.frames, worker.output, worker.orders):
        if fd >= 0:
            os.close(fd)
    return worker.wait(worker.pid)


# ---- forked workers -------------------------------------------------------------------------
#
# A fork server (`ForkServer`) has NumPy loaded and forks a worker in a millisecond. The first
# worker of `check` leaves one behind before it is confined (`worker/main.py`), so it has seen no
# learner code; the workers that look into a failure are forked from it. Most checks need none, so
# `socket` is imported with the first order.

SIZE = 4  # bytes of a number, as `worker/fork_server.py` packs it
FORKING = 30.0  # seconds at most for an answer: at worst a slow machine imports NumPy


class ForkServer:
    """Fork workers from one process that has NumPy loaded.

    The process starts with the first worker; if it has ended, with the next one.
    """

    def __init__(self, folder: str | None = None) -> None:
        self.folder = folder  # where NumPy lies
        self._orders: Socket | None = None

    def start(self) -> Socket:
        """Start the process; return the socket that takes its orders."""
        import socket

        ours, theirs = socket.socketpair()
        theirs.set_inheritable(True)
        main, fd = os.path.join(WORKER, "main.py"), str(theirs.fileno())
        try:
            folder = self.folder or require_numpy()
            self._pid = spawn_process(
                [sys.executable, "-I", "-S", main, folder, requested_level(), fd]
            )
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        ours.settimeout(FORKING)
        self._orders = ours
        return ours

    def fork(self) -> Worker:
        """Fork a worker."""
        import socket

        orders = self._orders or self.start()

        def wait(pid: int) -> int:
            orders.sendall(b"W" + pid.to_bytes(SIZE, "little"))
            return _answer(orders)

        ours, theirs = open_pipes()
        try:
            try:
                socket.send_fds(orders, [b"F"], theirs)
            finally:
                for fd in theirs:
                    os.close(fd)
            return Worker(_answer(orders), *ours, wait=wait)
        except BaseException:
            for fd in ours:  # no worker owns them
                os.close(fd)
            raise

    def __enter__(self) -> ForkServer:
        return self

    def __exit__(self, *_: object) -> None:
        orders, self._orders = self._orders, None
        if orders is not None:
            orders.close()
            os.kill(self._pid, SIGKILL)
            os.waitpid(self._pid, 0)


def _answer(orders: Socket) -> int:
    try:
        answer = orders.recv(SIZE)
    except OSError:
        answer = b""
    if len(answer) < SIZE:
        raise OurFault("the process that starts workers has ended or hangs; grade once more.")
    return int.from_bytes(answer, "little", signed=True)


class AdoptedForkServer(ForkServer):
    """Fork workers from the server that the first worker left behind; without it, start fresh ones.

    That server ends with its socket and is no child of this process.

    Args:
        first: the worker that left it behind; its socket belongs to this object from now on.
    """

    def __init__(self, first: Worker | None) -> None:
        super().__init__()
        self._left = -1  # the socket, until the first worker is asked for
        if first is not None:
            self._left, first.orders = first.orders, -1

    def fork(self) -> Worker:
        """Fork a worker, or start a fresh one if the fork server does not answer."""
        if self._left >= 0:
            import socket

            self._orders, self._left = socket.socket(fileno=self._left), -1
            self._orders.settimeout(FORKING)
        if self._orders is not None:
            try:
                return super().fork()
            except (OSError, OurFault):
                self.close()
        return start_worker()

    def close(self) -> None:
        """Close the socket, which ends the fork server."""
        if self._orders is not None:
            self._orders.close()
        elif self._left >= 0:
            os.close(self._left)
        self._orders, self._left = None, -1
