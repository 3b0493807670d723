"""The warm parent: it holds nothing worth stealing, and leaves nothing open where it fails."""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from grader import root
from grader.course.key_source import open_key
from grader.errors import OurFault
from grader.sandbox.channel import Channel
from grader.sandbox.isolation import CONFINED, HIGHEST, SUBREAPER
from grader.sandbox.launch import (
    ENVIRONMENT,
    ForkServer,
    Worker,
    find_numpy,
    stop_worker,
)

from .. import without
from ..conftest import run_grader
from ..machine import isolation

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs Linux's /proc")
SECRET = "a-secret-of-the-grader"


@pytest.fixture
def fork_server() -> Iterator[ForkServer]:
    folder = find_numpy()
    assert folder is not None
    with ForkServer(folder) as made:
        made.start()
        yield made


def descriptors() -> set[str]:
    return set(os.listdir("/proc/self/fd"))


def test_a_launch_that_fails_leaves_nothing_open(fork_server):
    os.kill(fork_server._pid, signal.SIGKILL)
    os.waitid(os.P_PID, fork_server._pid, os.WEXITED | os.WNOWAIT)
    before = descriptors()
    for _ in range(3):
        with pytest.raises((OurFault, OSError)):
            fork_server.fork()
    assert descriptors() == before


def settled(worker: Worker) -> list[int]:
    """Its descriptors, once it has put away those of its parent: streams, request and frames."""
    deadline = time.monotonic() + 600
    while len(held := os.listdir(f"/proc/{worker.pid}/fd")) != 5:
        assert time.monotonic() < deadline, held
        time.sleep(0.001)
    return sorted(map(int, held))


@pytest.mark.skipif(platform.machine() not in without.AUDIT, reason="no numbers for this one")
def test_workers_share_no_stream_and_no_memory(fork_server):
    """Flags of a stream, or a page that two may write to, would be words for another worker."""
    compare = (312, 272)[list(without.AUDIT).index(platform.machine())]  # kcmp
    libc = ctypes.CDLL(None, use_errno=True)
    one, other = fork_server.fork(), fork_server.fork()
    try:
        for mine in settled(one):
            for theirs in settled(other):
                differs = libc.syscall(compare, one.pid, other.pid, 0, mine, theirs)
                if differs < 0:
                    pytest.skip("the kernel compares no descriptors for this user")
                assert differs > 0, (mine, theirs)
        with open(f"/proc/{one.pid}/maps") as file:
            modes = {line.split()[1] for line in file}
        assert "rw-p" in modes and not {mode for mode in modes if mode[1] == "w" and mode[3] == "s"}
    finally:
        stop_worker(one)
        stop_worker(other)


def test_an_answer_that_never_comes_leaves_nothing_open(fork_server):
    fork_server.fork()
    fork_server._orders.settimeout(0.05)
    os.kill(fork_server._pid, signal.SIGSTOP)
    before = descriptors()
    with pytest.raises(OurFault, match="grade once more"):
        fork_server.fork()
    assert descriptors() == before


def test_a_warm_parent_that_cannot_start_leaves_nothing_open(monkeypatch):
    def refused(*arguments: object, **named: object) -> int:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("grader.sandbox.launch.spawn_process", refused)
    before = descriptors()
    with pytest.raises(OSError, match="unavailable"):
        ForkServer("/nowhere").fork()
    assert descriptors() == before


def read(pid: int, name: str) -> bytes:
    with open(f"/proc/{pid}/{name}", "rb") as file:
        return file.read()


def fds(pid: int) -> dict[str, str]:
    folder = f"/proc/{pid}/fd"
    return {fd: os.readlink(f"{folder}/{fd}").partition(":")[0] for fd in os.listdir(folder)}


@pytest.fixture
def alone(monkeypatch) -> None:
    """Workers without a keeper, whom we would see in their place."""
    monkeypatch.delenv(HIGHEST, raising=False)
    if SUBREAPER in isolation()["protections"]:
        pytest.skip("this kernel has no seccomp: a keeper stands before every worker")


@pytest.mark.skipif(os.getuid() != 0, reason="only root can look into a process that is closed")
def test_the_warm_parent_holds_no_secret(monkeypatch, alone):
    monkeypatch.setenv("GRADER_SECRET", SECRET)
    key = open_key()
    answers = key.chapter("chapter3")
    folder = find_numpy()
    assert folder is not None
    with ForkServer(folder) as fork_server:
        worker = fork_server.fork()
        channel = Channel(worker, bytearray())
        for pid in (fork_server._pid, worker.pid):
            told = dict(each.partition(b"=")[::2] for each in read(pid, "environ").split(b"\0"))
            assert set(told) - {b""} == {name.encode() for name in ENVIRONMENT}
            assert os.readlink(f"/proc/{pid}/cwd") == "/"
            maps = read(pid, "maps").decode()
            assert ".key" not in maps and "torch" not in maps
            memory = writable(pid, maps)
            assert b"openblas" in memory.lower()  # it was read at all
            assert SECRET.encode() not in memory
            title = answers.checks[0]["title"].encode()
            assert title not in memory
        settle(lambda: len(fds(worker.pid)) == 5)
        rest = sorted(kind for fd, kind in fds(fork_server._pid).items() if int(fd) > 2)
        assert rest in (["socket"], ["anon_inode", "socket"])  # orders; what Landlock shall allow
        assert list(fds(worker.pid).values()).count("pipe") == 4
        channel.close()


def parent(pid: int) -> int:
    return int(read(pid, "stat").rpartition(b")")[2].split()[1])


def test_another_fork_server_takes_the_place_of_one_that_is_gone(alone):
    with ForkServer(restarts=True) as fork_server:
        first = fork_server.fork()
        killed = parent(first.pid)
        os.kill(killed, signal.SIGKILL)
        second = fork_server.fork()
        assert parent(second.pid) not in (killed, os.getpid())
        for worker in (first, second):
            stop_worker(worker)


COUNTED = """
import sys
from grader.cli import early_worker, run_command_line
from grader.sandbox import launch
spawn, commands = launch.spawn_process, []
def spawn_counted(*arguments):
    commands.append(arguments)
    return spawn(*arguments)
launch.spawn_process = spawn_counted
run_command_line(sys.argv[1:], early_worker(sys.argv[1:]))
print(len(commands), file=sys.stderr)
"""


@pytest.mark.parametrize(("bodies", "processes"), [
    ({}, 1), ({"ops.Mul.backward": "a, b = node._inputs\nreturn a, b"}, 2),
])  # fmt: skip
def test_check_starts_a_fork_server_only_where_something_fails(package, bodies, processes):
    words = "check", "chapter3.mul", "--package", str(package(bodies))
    run_grader(*words)  # makes the answer keys, for which processes are started, too
    command = [sys.executable, "-c", COUNTED, *words]
    environment = {**os.environ, "PYTHONPATH": root.ROOT}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stderr.split() == [str(processes)], done.stderr


def test_the_heirs_are_as_confined_as_the_first(package, confinable):
    """Nothing would be judged if one of the workers that look into a failure were less so."""
    place = str(package({"ops.Mul.backward": "a, b = node._inputs\nreturn a, b"}))
    ran = run_grader("check", "chapter3.mul", "--isolation", CONFINED, "--package", place, "--json")
    assert ran.status == 1, ran.err
    assert ran.result["isolation"]["level"] == CONFINED


def settle(holds) -> None:
    """A forked worker lets go of what it does not need a moment after it was forked."""
    deadline = time.monotonic() + 600
    while not holds() and time.monotonic() < deadline:
        os.sched_yield()


def writable(pid: int, maps: str) -> bytes:
    """Return the memory of a process that it can write to."""
    found = []
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        for line in maps.splitlines():
            span, mode = line.split()[:2]
            first, last = (int(end, 16) for end in span.split("-"))
            if mode.startswith("rw") and last - first < 64 << 20:
                try:
                    memory.seek(first)
                    found.append(memory.read(last - first))
                except OSError:
                    pass  # not memory of that kind
    return b"".join(found)
