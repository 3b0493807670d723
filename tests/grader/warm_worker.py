"""A worker of a command in `warm_start.py` that has no NumPy to import: its process is forked.

Nothing but imports is left out: each fork runs the worker's `main.py` from its first line, with
its own arguments, pipes and session, and is confined as a fresh one. The start of its worker is
half of what a `check` takes. `tests/grader/drill`, and a test process's own workers, start it
afresh.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import sys
from typing import Any

KILLED = 9
MAIN = 3  # where `main.py` stands in the command that `launch.py` starts: after `python -I -S`


class Forks:
    """The process that is forked, as commands see it: all of them share this socket."""

    def __init__(self) -> None:
        from grader.sandbox import launch

        self.numpy = launch.require_numpy()
        self.spawn = launch.spawn_process
        self.control, theirs = socket.socketpair()
        theirs.set_inheritable(True)
        command = [sys.executable, "-I", "-S", __file__, launch.WORKER, self.numpy]
        self.spawn([*command, str(theirs.fileno())])
        theirs.close()
        self.lives: dict[int, socket.socket] = {}  # a worker's number → who tells how it ended
        launch.spawn_process = self.fork
        launch.Worker.__init__.__defaults__ = (self.wait,)
        launch.ForkServer.close = lambda fork_server: self.end(fork_server)

    def fork(self, command: list[str], output: int | None = None) -> int:
        """Start a worker from the warm process, in place of `launch.spawn_process`."""
        if command[MAIN + 1 : MAIN + 2] != [self.numpy]:
            return self.spawn(command, output)
        ours, theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)
        with theirs:
            socket.send_fds(self.control, [b"!"], [theirs.fileno()])
        fds = [2 if output is None else output, *map(int, command[MAIN + 3 :])]
        socket.send_fds(ours, [json.dumps(command[MAIN : MAIN + 3]).encode()], fds)
        pid = int(ours.recv(16))
        self.lives[pid] = ours
        return pid

    def wait(self, pid: int) -> int:
        """Wait for a stopped worker; return its exit status."""
        if pid not in self.lives:
            return os.waitpid(pid, 0)[1]
        with self.lives.pop(pid) as life:
            return int(life.recv(16) or KILLED)

    def end(self, fork_server: Any) -> None:
        """Stop the fork server, in place of `ForkServer.close`."""
        orders, fork_server._orders = fork_server._orders, None
        pid, fork_server._pid = fork_server._pid, 0
        if orders is not None:
            orders.close()
        if pid:
            with contextlib.suppress(ProcessLookupError):  # it has ended by that, and is buried
                os.kill(pid, KILLED)
            self.wait(pid)


# ---- the process that is forked ---------------------------------------------------------------


def serve(control: socket.socket) -> None:
    """Start a process that forks a worker for each socket received, until nobody asks any more."""
    while True:
        word, fds, _, _ = socket.recv_fds(control, 1, 1)
        if not word:
            return
        if os.fork() == 0:
            control.close()
            attend(socket.socket(fileno=fds[0]))
            os._exit(0)
        os.close(fds[0])
        while reaped():
            pass


def reaped() -> bool:
    """Reap one child; tell whether there was one."""
    try:
        return os.waitpid(-1, os.WNOHANG)[0] > 0
    except ChildProcessError:
        return False


def attend(life: socket.socket) -> None:
    """Fork a worker, and tell how it ended; it dies with this process, this one with its grader."""
    asked, fds, _, _ = socket.recv_fds(life, 1 << 16, 4)
    pid = os.fork()
    if pid == 0:
        life.close()
        become(json.loads(asked), *fds)
    for fd in fds:
        os.close(fd)
    life.sendall(b"%d" % pid)
    ended = os.pidfd_open(pid)
    poll = select.poll()
    for fd in (life.fileno(), ended):
        poll.register(fd, select.POLLIN)
    if (ended, select.POLLIN) in poll.poll():
        with contextlib.suppress(BrokenPipeError):  # its grader is done
            life.sendall(b"%d" % os.waitpid(pid, 0)[1])


def become(command: list[str], output: int, *fds: int) -> None:
    """Run the worker as if Python had just started `main.py`."""
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDONLY)
    for fd, place in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(fd, place)
    sys.argv = [*command, *map(str, fds)]
    main = type(sys)("__main__")
    main.__file__ = command[0]
    sys.modules["__main__"] = main
    try:
        with open(command[0], encoding="utf-8") as file:
            code = compile(file.read(), command[0], "exec")
        exec(code, vars(main))
        os._exit(0)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(1)


if __name__ == "__main__":
    worker, numpy, fd = sys.argv[1:]
    sys.path.insert(0, worker)
    import importer

    importer.install(finder := importer.NumpyFinder(numpy))
    importer.import_numpy()
    import confine  # noqa: F401
    import run  # noqa: F401
    import tamper_guard  # noqa: F401
    import wire  # noqa: F401

    sys.path.remove(worker)
    sys.meta_path.remove(finder)
    serve(socket.socket(fileno=int(fd)))
