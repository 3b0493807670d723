"""`grader …` as a process of its own that has nothing to import: it is forked from one that has.

Half of what a command takes is Python's start and the import of what it needs; a test run has a
thousand of them. `tests/grader/drill` starts the command as it is installed.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

# What Python, NumPy and the grader look at while they are imported: with other values, no fork.
LOOKED_AT = ("PYTHON", "GRADER_", "LANG", "LC_", "TZ", "NPY_", "OPENBLAS_CORETYPE")


def looked_at(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: said for name, said in environment.items() if name.startswith(LOOKED_AT)}


class Parent:
    """The process that is forked, as this one sees it; it ends with this one."""

    def __init__(self, environment: Mapping[str, str], *imports: str) -> None:
        from grader.sandbox.launch import ONE_THREAD

        self.looked_at = looked_at(environment)
        self.turn = threading.Lock()
        self.control, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, __file__, str(theirs.fileno()), *imports],
                pass_fds=[theirs.fileno()], env={**environment, **ONE_THREAD},
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            )  # fmt: skip
        atexit.register(self.end)

    def end(self) -> None:
        self.control.close()
        self.process.wait(60)

    def run(self, asked: dict[str, Any], said: str | None, seconds: int) -> tuple[int, str, str]:
        """The exit status of a command, and what it wrote on its two streams."""
        reply, theirs = socket.socketpair()
        with (
            reply, tempfile.TemporaryFile("w+") as stdin, tempfile.TemporaryFile("w+") as out,
            tempfile.TemporaryFile("w+") as err,
        ):  # fmt: skip
            stdin.write(said or "")
            stdin.seek(0)
            with theirs, self.turn:
                fds = [file.fileno() for file in (theirs, stdin, out, err)]
                socket.send_fds(self.control, [b"!"], fds)
            reply.sendall(json.dumps(asked).encode())
            reply.shutdown(socket.SHUT_WR)
            status = self._ended(reply, seconds)
            out.seek(0)
            err.seek(0)
            return status, out.read(), err.read()

    def _ended(self, reply: socket.socket, seconds: int) -> int:
        reply.settimeout(seconds)
        with reply.makefile() as lines:
            pid = int(lines.readline())
            try:
                return int(lines.readline())
            except TimeoutError:
                os.kill(pid, 9)
                raise


def parent() -> Parent:
    """The one for the environment of the tests."""
    from grader import root

    return parent_for(as_key({**os.environ, "PYTHONPATH": root.ROOT}))


@functools.cache
def parent_for(looked_at: frozenset[tuple[str, str]], *imports: str) -> Parent:
    return Parent({**os.environ, **dict(looked_at)}, *imports)


def as_key(environment: Mapping[str, str]) -> frozenset[tuple[str, str]]:
    return frozenset(looked_at(environment).items())


KEPT: set[frozenset[tuple[str, str]]] = set()  # further environments that many commands run in


def keep(**environment: str) -> None:
    """Let commands be forked in this environment, too; their course is not changed any more."""
    from grader import root

    KEPT.add(as_key({**os.environ, "PYTHONPATH": root.ROOT, **environment}))


def run(
    arguments: list[str], cwd: Path | None, environment: Mapping[str, str], said: str | None,
    seconds: int,
) -> tuple[int, str, str]:  # fmt: skip
    """The exit status of `grader …`, and what it wrote on its two streams."""
    key = as_key(environment)
    if key in KEPT or looked_at(environment) == parent().looked_at:
        place = os.path.abspath(cwd or os.curdir)
        asked = {"arguments": arguments, "cwd": place, "environment": dict(environment)}
        return parent_for(key).run(asked, said, seconds)
    done = subprocess.run(
        [sys.executable, "-m", "grader", *arguments], cwd=cwd, env=environment, input=said,
        capture_output=True, text=True, timeout=seconds, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


# ---- the process that is forked ---------------------------------------------------------------


def serve(control: socket.socket) -> None:
    """Run a command for each four descriptors: the waiting process and the three streams."""
    bell, rope = os.pipe()
    os.set_blocking(rope, False)
    signal.set_wakeup_fd(rope)
    signal.signal(signal.SIGCHLD, lambda *_: None)  # heard by the bell
    waiting: dict[int, socket.socket] = {}
    while True:
        heard = select.select([control, bell], [], [])[0]
        if bell in heard:
            os.read(bell, 64)
            tell_the_end(waiting)
        if control in heard:
            word, fds, _, _ = socket.recv_fds(control, 1, 4)
            if not word:
                return
            pid, reply = begin(control, fds)
            waiting[pid] = reply


def begin(control: socket.socket, fds: list[int]) -> tuple[int, socket.socket]:
    """Fork a command, and tell its number who waits for it."""
    reply = socket.socket(fileno=fds[0])
    pid = os.fork()
    if pid == 0:
        control.close()
        asked = json.loads(b"".join(iter(lambda: reply.recv(1 << 16), b"")))
        reply.close()
        become(asked, fds[1:])
    for fd in fds[1:]:
        os.close(fd)
    reply.sendall(b"%d\n" % pid)
    return pid, reply


def tell_the_end(waiting: dict[int, socket.socket]) -> None:
    """Tell the status of each command that has ended; who waited may have lost patience."""
    with contextlib.suppress(ChildProcessError):
        while ended := os.waitpid(-1, os.WNOHANG):
            pid, status = ended
            if not pid:
                return
            if pid in waiting:
                with waiting.pop(pid) as reply, contextlib.suppress(OSError):
                    reply.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))


def know(course: Any) -> None:
    """Keep in memory what every command that judges a class works out of the course's texts."""
    import tqdm  # noqa: F401

    from grader.classroom.analysis.similar import collect_common_code
    from grader.classroom.files import RECORD, RESULT, conforms
    from grader.classroom.intake.handed_out import hash_bodies
    from grader.course.make_key import KeyBuilder
    from grader.course.splice import find_pieces

    keep_sources()
    KeyBuilder(course, "").table()
    collect_common_code(course, 0)
    hash_bodies(course.stubs(3))
    for schema in (RECORD, RESULT):
        conforms({}, schema)
    for text in (*course.solved().values(), *course.stubs(3).values()):
        find_pieces(text)


def keep_sources() -> None:
    """Let what counts of a source in digests, and its definitions, be worked out once, not by each
    command. A source that has changed since is read anew."""
    from grader.course import source_digest, syntax_tree

    read = source_digest._piece

    @functools.cache
    def piece(path: str, told: Any, size: int, time: int) -> bytes:
        return read(path, told)

    def kept(path: str, told: Any) -> bytes:
        state = os.stat(path)
        return piece(path, told, state.st_size, state.st_mtime_ns)

    source_digest._piece = kept
    definitions = syntax_tree.find_definitions.__wrapped__
    syntax_tree.find_definitions = functools.lru_cache(maxsize=200)(definitions)


def read_key() -> None:
    """Keep in memory the index of each slice that is made. A command takes it from there, so that
    no two readers in one process share what they may change."""
    from grader.course import key_file
    from grader.course.key_source import open_key
    from grader.memo import Memo

    shared, indexes = Memo(), {}
    for data in filter(None, map(shared.get, open_key().table["names"].values())):
        end = key_file.LENGTH.size + key_file.LENGTH.unpack_from(data)[0]
        text = data[key_file.LENGTH.size : end]
        indexes[text] = json.loads(text)

    def loads(text: bytes) -> Any:
        return indexes.pop(text) if text in indexes else json.loads(text)

    key_file.json = types.SimpleNamespace(loads=loads, dumps=json.dumps)


def fork_pools() -> None:
    """Let the processes that judge a class be forks of the command: they have nothing to import."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    from grader.classroom import judging

    forked = multiprocessing.get_context("fork")
    judging.make_pool = lambda cohort, jobs, seconds: ProcessPoolExecutor(
        jobs, forked, judging._begin, (cohort, seconds)
    )


def become(asked: dict[str, Any], streams: list[int]) -> NoReturn:
    """The command itself, in its folder, with its environment and streams. It ends at once: to
    take modules apart would copy every page of the process that it was forked from."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for place, fd in enumerate(streams):
        os.dup2(fd, place)
        os.close(fd)
    os.environ.clear()
    os.environ.update(asked["environment"])
    os.chdir(asked["cwd"])
    sys.argv[1:] = asked["arguments"]
    status = 1
    try:
        runpy.run_module(asked.get("module", "grader"), run_name="__main__", alter_sys=True)
        status = 0
    except SystemExit as end:
        status = int(end.code or 0)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    import gc
    import importlib

    from warm_worker import Forks

    del sys.path[0]  # this folder, whose modules are nobody's by these names
    from grader.commands import TABLE
    from grader.commands import load as load_command
    from grader.course.load import read_course
    from grader.products import has_product

    for name in TABLE:
        load_command(name)
    for name in sys.argv[2:]:
        importlib.import_module(name)
    has_classes = has_product("classroom")
    if has_classes:
        know(read_course())
    read_key()
    if hasattr(os, "pidfd_open"):
        Forks()
        if has_classes:
            fork_pools()
    gc.freeze()
    gc.set_threshold(100_000, 10, 10)  # a command's few objects are not worth a search
    serve(socket.socket(fileno=int(sys.argv[1])))
