"""The grader's side of a warm parent: workers in a millisecond, for many runs in a row."""

from __future__ import annotations

import os
import signal
import socket
import struct
import sys

from ..errors import OurFault
from .isolation import highest
from .launch import WORKER, Worker, needed_numpy, pipes, spawn

NUMBER = struct.Struct("<i")
PATIENCE = 30.0  # at worst NumPy is imported on a slow machine


class Nursery:
    """A process with NumPy loaded that forks a worker whenever it is asked for one."""

    def __init__(self, folder: str) -> None:
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
        os.kill(self._pid, signal.SIGKILL)
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
        self._orders = socket.socket(fileno=orders)
        self._orders.settimeout(PATIENCE)

    def close(self) -> None:
        self._orders.close()
