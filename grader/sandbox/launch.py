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
from .isolation import requested_level

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket as Socket
    from collections.abc import Callable, Iterable

    Keep = Callable[["Worker"], object]

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

    __slots__ = ("pid", "request", "frames", "output", "wait")

    def __init__(
        self, pid: int, request: int, frames: int, output: int, wait: Callable[[int], int] = _wait
    ) -> None:
        self.pid = pid
        self.request = request
        self.frames = frames
        self.output = output
        self.wait = wait


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


def spawn_worker(folder: str) -> Worker:
    """Start a worker that imports NumPy from ``folder`` at once."""
    ours, theirs = open_pipes()
    *passed, output_write = theirs
    for fd in passed:
        os.set_inheritable(fd, True)
    command = [
        sys.executable, "-I", "-S", os.path.join(WORKER, "main.py"),
        folder, requested_level(), *map(str, passed),
    ]  # fmt: skip
    pid = spawn_process(command, output_write)
    for fd in theirs:
        os.close(fd)
    return Worker(pid, *ours)


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


def stop_worker(worker: Worker, has_reaper: bool = False) -> int:
    """Kill the worker and its children; return its status as `os.waitpid` gives it.

    With a subreaper (``kept``), ``worker.pid`` is the subreaper: SIGKILL would end it before it has
    killed the rest. Closing ``frames`` tells it that the grader is done.
    """
    if not has_reaper:
        kill_group(worker.pid)
    for fd in (worker.request, worker.frames, worker.output):
        os.close(fd)
    return worker.wait(worker.pid)


# ---- forked workers -------------------------------------------------------------------------
#
# A fork server (`ForkServer`) has NumPy loaded and forks a worker in a millisecond. That of `check`
# starts once something failed: pages that a worker writes to after a fork are copied, 18 ms of 300.

SIZE = 4  # bytes of a number, as `worker/fork_server.py` packs it
FORKING = 30.0  # seconds at most for an answer: at worst a slow machine imports NumPy
GONE = (OSError, OurFault)  # raised where a fork server has ended or hangs


class ForkServer:
    """Fork workers from one process that has NumPy loaded.

    The process starts with the first worker, and ends with the `with` block or `close`; a later
    worker starts another.

    Args:
        folder: where NumPy lies.
        restarts: whether another process takes the place of one that has died.
        keep: called with each new worker; may raise.
        reads_in: whether all that workers may read is read before the first one, so that a
            worker cannot tell by its own clock what another one has read.
    """

    def __init__(
        self,
        folder: str | None = None,
        restarts: bool = False,
        keep: Keep | None = None,
        reads_in: bool = False,
    ) -> None:
        self.folder = folder
        self.restarts = restarts
        self.keep = keep
        self.reads_in = reads_in
        self._orders: Socket | None = None
        self._pid = 0  # 0 without a process that is a child of this one

    def start(self) -> Socket:
        """Start the process; return the socket that takes its orders."""
        import _socket  # `socket` would import `selectors`

        ours, theirs = (end.detach() for end in _socket.socketpair())
        os.set_inheritable(theirs, True)
        try:
            rest = [self.folder or require_numpy(), requested_level(), str(theirs)]
            main = os.path.join(WORKER, "main.py")
            self._pid = spawn_process([sys.executable, "-I", "-S", main, *rest])
        except BaseException:
            os.close(ours)
            raise
        finally:
            os.close(theirs)
        self._orders = _socket.socket(fileno=ours)
        self._orders.settimeout(FORKING)
        if self.reads_in:
            self._orders.sendall(b"R")
            _answer(self._orders)
        return self._orders

    def fork(self) -> Worker:
        """Fork a worker.

        Raises:
            OSError, OurFault: the process has ended, and nothing takes its place.
        """
        try:
            worker = self._fork()
        except GONE:
            if not self.restarts:
                raise
            self.close()
            worker = self._fork()
        if self.keep is not None:
            self.keep(worker)
        return worker

    def _fork(self) -> Worker:
        import _socket
        from array import array  # `socket.send_fds` would import `selectors`

        orders = self._orders or self.start()

        def wait(pid: int) -> int:
            try:
                orders.sendall(b"W" + pid.to_bytes(SIZE, "little"))
                return _answer(orders)
            except GONE:
                if not self.restarts:
                    raise
                if orders is self._orders:
                    self.close()
                return SIGKILL  # by `stop_worker`

        ours, theirs = open_pipes()
        try:
            try:
                rights = _socket.SOL_SOCKET, _socket.SCM_RIGHTS, array("i", theirs)
                orders.sendmsg([b"F"], [rights])
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
        self.close()

    def close(self) -> None:
        """End the process, if there is one."""
        orders, self._orders = self._orders, None
        pid, self._pid = self._pid, 0
        if orders is not None:
            orders.close()
        if pid:
            kill_group(pid)
            _wait(pid)


def _answer(orders: Socket) -> int:
    try:
        answer = orders.recv(SIZE)
    except OSError:
        answer = b""
    if len(answer) < SIZE:
        raise OurFault("the process that starts workers has ended or hangs; grade once more.")
    return int.from_bytes(answer, "little", signed=True)
