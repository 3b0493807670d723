"""Starts a worker: a fresh Python, isolated, in a session of its own, with private pipes; or a fork
of one that has NumPy loaded.

This is on the hot path of `check`: the worker starts when this module has been read, so it
imports nothing that Python has not loaded by then (`typing`, `signal` and `enum` come to a
third of the time that an empty Python takes to start).
"""

from __future__ import annotations

import os
import sys
import time

from ..errors import OurFault
from .isolation import CONFINED, highest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from socket import socket as Socket

SIGKILL, SIGPIPE = 9, 13  # on every POSIX system; `signal` would bring `enum` along

WORKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "worker")

# For BLAS: starting a pool costs more than the small arrays of a probe ever gain.
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
ENVIRONMENT = {**ONE_THREAD, "LC_ALL": "C.UTF-8", "PATH": os.defpath}

PATIENCE = 3.0  # how long a process that was told to end may take


def _wait(pid: int) -> int:
    """The status of a process that has been told to end.

    One that another process traces cannot be buried: then it counts as killed, and is left.
    """
    killed = False
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            found, status = os.waitpid(pid, os.WNOHANG)
        except ChildProcessError:  # buried by somebody else in this process
            return SIGKILL
        if found:
            return status
        if time.monotonic() > deadline:
            if killed:
                return SIGKILL
            killed, deadline = True, deadline + PATIENCE
            kill(pid)
        time.sleep(0.0002)


def kill(pid: int) -> None:
    """End a process and its group at once."""
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
        self.orders = -1  # the socket of the nursery that it leaves behind, where it leaves one


def numpy_folder() -> str | None:
    """Where NumPy lies, found without importing it."""
    for finder in sys.meta_path:
        spec = finder.find_spec("numpy", None)
        if spec is not None and spec.origin:
            return os.path.dirname(spec.origin)
    return None


def needed_numpy() -> str:
    """NumPy's folder; it is a dependency, so that its absence is our fault."""
    folder = numpy_folder()
    if folder is None:
        raise OurFault("NumPy is not installed beside the grader; run `pip install numpy`.")
    return folder


def launch() -> Worker:
    """A fresh worker, wherever NumPy lies."""
    return fresh(needed_numpy())


def numpy_version() -> str:
    """Which NumPy that is, read without importing it; empty where it does not say."""
    try:
        with open(os.path.join(numpy_folder() or "", "version.py"), encoding="utf-8") as file:
            lines = file.read().splitlines()
    except OSError:
        return ""
    told = (line.partition(" = ")[2] for line in lines if line.startswith("version = "))
    return next(told, "").strip("\"'")


def pipes() -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """The pipes of a request, frames and output: the grader's ends, then the worker's."""
    request_read, request_write = os.pipe()
    frames_read, frames_write = os.pipe()
    output_read, output_write = os.pipe()
    return (request_write, frames_read, output_read), (request_read, frames_write, output_write)


def fresh(folder: str, with_nursery: bool = False) -> Worker:
    """A new worker that begins to import NumPy from ``folder`` at once.

    Args:
        with_nursery: it is to leave a nursery behind (`Heirs`), where this system can.
    """
    ours, theirs = pipes()
    _, _, output_write = theirs
    can_leave_one = sys.platform == "linux" and highest() == CONFINED
    orders, *socket = _orders() if with_nursery and can_leave_one else (-1,)
    passed = [*theirs[:2], *socket]
    for fd in passed:
        os.set_inheritable(fd, True)
    command = [
        sys.executable, "-I", "-S", os.path.join(WORKER, "main.py"),
        folder, highest(), *map(str, passed),
    ]  # fmt: skip
    pid = spawn(command, output_write)
    for fd in {*theirs, *passed}:
        os.close(fd)
    worker = Worker(pid, *ours)
    worker.orders = orders
    return worker


def spawn(command: list[str], output: int | None = None) -> int:
    """Start this in a session of its own, with nothing to read; its number.

    What it prints goes to ``output``, or where this process prints.
    """
    writes = () if output is None else ((output, 1), (output, 2))
    try:
        opened = (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0)
        actions = [opened, *((os.POSIX_SPAWN_DUP2, *pair) for pair in writes)]
        return os.posix_spawn(
            command[0], command, ENVIRONMENT,
            file_actions=actions, setsid=True, setsigdef=[SIGPIPE],
        )  # fmt: skip
    except (AttributeError, NotImplementedError):  # a Python that was built for an older system
        return _forked(command, writes)


def _forked(command: list[str], writes: Iterable[tuple[int, int]]) -> int:
    """The same by hand."""
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
    """Both ends of a socket; by the module below `socket`, which would bring `selectors` along."""
    import _socket

    ours, theirs = _socket.socketpair()
    return ours.detach(), theirs.detach()


def end(worker: Worker, kept: bool = False) -> int:
    """Kill what is left of the worker and its children; the exit status as `waitpid` has it.

    One with a keeper is not killed: that nobody reads its frames any more tells the keeper to.
    """
    if not kept:
        kill(worker.pid)
    for fd in (worker.request, worker.frames, worker.output, worker.orders):
        if fd >= 0:
            os.close(fd)
    return worker.wait(worker.pid)


# ---- forked workers -------------------------------------------------------------------------
#
# A nursery has NumPy loaded: workers in a millisecond, for many runs in a row. The first worker of
# `check` leaves one behind before it is confined (`worker/main.py`). It has seen nothing of the
# learner's; what looks into a failure is forked from it. Most checks need none: `socket` is
# imported with the first order.

SIZE = 4  # bytes of a number, as `worker/fork_server.py` packs it
FORKING = 30.0  # seconds at most for an answer: at worst NumPy is imported on a slow machine


class Nursery:
    """A process with NumPy loaded that forks a worker whenever it is asked for one.

    It starts with the first; after its end, with the next.
    """

    def __init__(self, folder: str | None = None) -> None:
        self.folder = folder  # where NumPy lies
        self._orders: Socket | None = None

    def start(self) -> Socket:
        """Start the process; where it takes orders."""
        import socket

        ours, theirs = socket.socketpair()
        theirs.set_inheritable(True)
        main, fd = os.path.join(WORKER, "main.py"), str(theirs.fileno())
        try:
            folder = self.folder or needed_numpy()
            self._pid = spawn([sys.executable, "-I", "-S", main, folder, highest(), fd])
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        ours.settimeout(FORKING)
        self._orders = ours
        return ours

    def launch(self) -> Worker:
        """A new worker, forked."""
        import socket

        orders = self._orders or self.start()

        def wait(pid: int) -> int:
            orders.sendall(b"W" + pid.to_bytes(SIZE, "little"))
            return _answer(orders)

        ours, theirs = pipes()
        try:
            try:
                socket.send_fds(orders, [b"F"], theirs)
            finally:
                for fd in theirs:
                    os.close(fd)
            return Worker(_answer(orders), *ours, wait=wait)
        except BaseException:
            for fd in ours:  # nobody else will: there is no worker that they belong to
                os.close(fd)
            raise

    def __enter__(self) -> Nursery:
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


class Heirs(Nursery):
    """Starts workers from the nursery of the first one, which ends with its socket and is no child
    of ours; fresh ones where nobody answers there.

    Args:
        first: the worker that left it behind; its socket belongs to this object from now on.
    """

    def __init__(self, first: Worker | None) -> None:
        super().__init__()
        self._left = -1  # the socket, as long as nobody has asked for a worker
        if first is not None:
            self._left, first.orders = first.orders, -1

    def launch(self) -> Worker:
        """A new worker."""
        if self._left >= 0:
            import socket

            self._orders, self._left = socket.socket(fileno=self._left), -1
            self._orders.settimeout(FORKING)
        if self._orders is not None:
            try:
                return super().launch()
            except (OSError, OurFault):
                self.close()
        return launch()

    def close(self) -> None:
        """Let the nursery go."""
        if self._orders is not None:
            self._orders.close()
        elif self._left >= 0:
            os.close(self._left)
        self._orders, self._left = None, -1
