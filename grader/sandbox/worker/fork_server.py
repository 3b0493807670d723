"""Fork server: a process with NumPy loaded that forks each worker in a millisecond.

Orders come over a Unix socket, one at a time: `F` with three descriptors (request, frames, output)
forks a worker and answers its pid; `W` and a pid waits for it and answers its status; `R` reads in
what workers may read and answers 0.
"""

from __future__ import annotations

import os
import signal
import socket
import struct
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Work = Callable[[int, int], None]

NUMBER = struct.Struct("<i")
PATIENCE = 3.0


def serve_forever(fd: int, work: Work, read_in: Callable[[], None]) -> None:
    """Serve orders until the grader closes its end, or is gone before an answer reaches it."""
    with socket.socket(fileno=fd) as orders:
        try:
            while serve_order(orders, work, read_in):
                pass
        except (BrokenPipeError, ConnectionResetError):
            pass


def serve_order(orders: socket.socket, work: Work, read_in: Callable[[], None]) -> bool:
    """Serve one order; return False when no more will come."""
    message, fds, _, _ = socket.recv_fds(orders, 16, 3)
    if not message:
        return False
    if message[:1] == b"F":
        answer = fork_worker_process(orders, fds, work)
    elif message == b"R":
        answer = 0
        read_in()
    else:
        answer = wait_for_worker(NUMBER.unpack(message[1:])[0])
    orders.sendall(NUMBER.pack(answer))
    return True


def wait_for_worker(pid: int) -> int:
    """Wait for a killed worker; return its status, or SIGKILL if a tracer keeps it."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        found, status = os.waitpid(pid, os.WNOHANG)
        if found:
            return status
        time.sleep(0.0002)
    return signal.SIGKILL


def fork_worker_process(orders: socket.socket, fds: list[int], work: Work) -> int:
    pid = os.fork()
    if pid:
        for fd in fds:
            os.close(fd)
        return pid
    try:
        os.setsid()
        orders.close()
        request, frames, output = fds
        nothing = os.open(os.devnull, os.O_RDONLY)  # opened per fork: no two share its flags
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.close(output)
        work(request, frames)
        os._exit(0)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(1)
