"""The grader's side of a fork server: workers in a millisecond, for many runs in a row.

The first worker of `check` leaves such a server behind before it is confined (`worker/main.py`). It
has NumPy loaded and has seen nothing of the learner's; what looks into a failure is forked from it.
Most checks need none: `socket` is imported with the first order.
"""

from __future__ import annotations

import os
import struct
import sys

from ..errors import OurFault
from .isolation import highest
from .launch import SIGKILL, WORKER, Worker, launch, needed_numpy, pipes, spawn

NUMBER = struct.Struct("<i")

PATIENCE = 30.0  # at worst NumPy is imported on a slow machine


class Nursery:
    """A process with NumPy loaded that forks a worker whenever it is asked for one."""

    def __init__(self, folder: str) -> None:
        import socket

        self._orders, theirs = socket.socketpair()
        theirs.set_inheritable(True)
        main, fd = os.path.join(WORKER, "main.py"), str(theirs.fileno())
        try:
            self._pid = spawn([sys.executable, "-I", "-S", main, folder, highest(), fd])
        except BaseException:
            self._orders.close()
            raise
        finally:
            theirs.close()
        self._orders.settimeout(PATIENCE)

    def launch(self) -> Worker:
        """A new worker, forked."""
        import socket

        ours, theirs = pipes()
        try:
            try:
                socket.send_fds(self._orders, [b"F"], theirs)
            finally:
                for fd in theirs:
                    os.close(fd)
            return Worker(self._answer(), *ours, wait=self._wait)
        except BaseException:
            for fd in ours:  # nobody else will: there is no worker that they belong to
                os.close(fd)
            raise

    def _wait(self, pid: int) -> int:
        self._orders.sendall(b"W" + NUMBER.pack(pid))
        return self._answer()

    def _answer(self) -> int:
        try:
            answer = self._orders.recv(NUMBER.size)
        except OSError:
            answer = b""
        if len(answer) < NUMBER.size:
            raise OurFault("the process that starts workers has ended or hangs; grade once more.")
        number: int = NUMBER.unpack(answer)[0]
        return number

    def __enter__(self) -> Nursery:
        return self

    def __exit__(self, *_: object) -> None:
        self._orders.close()
        os.kill(self._pid, SIGKILL)
        os.waitpid(self._pid, 0)


class LaterNursery:
    """A nursery that starts with the first worker that is asked for."""

    def __init__(self) -> None:
        self._nursery: Nursery | None = None

    def launch(self) -> Worker:
        """A new worker, forked."""
        if self._nursery is None:
            self._nursery = Nursery(needed_numpy())
        return self._nursery.launch()

    def __enter__(self) -> LaterNursery:
        return self

    def __exit__(self, *_: object) -> None:
        nursery, self._nursery = self._nursery, None
        if nursery is not None:
            nursery.__exit__()


class Adopted(Nursery):
    """A nursery that a worker left behind: it ends with its socket, and is no child of ours."""

    def __init__(self, orders: int) -> None:
        import socket

        self._orders = socket.socket(fileno=orders)
        self._orders.settimeout(PATIENCE)

    def close(self) -> None:
        self._orders.close()


class Heirs:
    """Starts workers from the nursery of the first one; fresh ones where nobody answers there.

    Args:
        first: the worker that left it behind; its socket belongs to this object from now on.
    """

    def __init__(self, first: Worker | None) -> None:
        self._orders = -1
        if first is not None:
            self._orders, first.orders = first.orders, -1
        self._nursery: Adopted | None = None

    def launch(self) -> Worker:
        """A new worker."""
        if self._orders >= 0:
            self._nursery, self._orders = Adopted(self._orders), -1
        if self._nursery is not None:
            try:
                return self._nursery.launch()
            except (OSError, OurFault):
                self.close()
        return launch()

    def close(self) -> None:
        """Let the nursery go; it ends with its socket."""
        if self._nursery is not None:
            self._nursery.close()
            self._nursery = None
        elif self._orders >= 0:
            os.close(self._orders)
            self._orders = -1
