"""Reading any file ends within bounds of time and memory; a sentence names the bound it met."""

from __future__ import annotations

import os
import re
import resource
import select
import signal
import socket
import sys
import tempfile
from functools import partial
from pathlib import Path

import pytest

from grader.classroom.intake import limited_call as limits
from grader.classroom.intake.limited_call import OutOfBounds, limited_call
from grader.errors import OurFault, WrongUse
from grader.sandbox.worker import syscalls

VALUES = [None, {"ops.py": b"\xff\0", "\udcff": ["é", 2.5, True]}, frozenset({"a"}), b"x" * 300_000]


@pytest.mark.parametrize("value", VALUES)
def test_what_it_returns_arrives(value):
    assert limited_call(lambda: value) == value


def endless() -> None:
    re.match("(a+)+$", "a" * 60 + "b")  # one call of C, which no signal's handler interrupts


def asleep() -> None:
    signal.pause()


def crash() -> None:
    os.kill(os.getpid(), signal.SIGTRAP)


def wrong() -> None:
    raise WrongUse("Hand in a package.")


def at_the_disk() -> None:
    with tempfile.TemporaryFile() as file:
        file.write(b"x")


ENDS = {
    endless: (OutOfBounds, "more than 1 s of the processor"),
    asleep: (OutOfBounds, "of the processor"),
    crash: (OutOfBounds, "ends the process that does [(]signal 5[)]"),
    lambda: b"x" * (600 << 20): (OutOfBounds, "more than 512 MB of memory"),
    lambda: b"x" * 2_000_000: (OutOfBounds, "it holds more than 1 MB"),
    lambda: object(): (OurFault, "ValueError"),
    lambda: 1 // 0: (OurFault, "ZeroDivisionError"),
    wrong: (WrongUse, "^Hand in a package.$"),
    at_the_disk: (OurFault, "OSError|PermissionError"),
}


@pytest.mark.parametrize("work", ENDS)
def test_what_goes_too_far_is_a_sentence_and_leaves_no_process(work, monkeypatch):
    monkeypatch.setattr(limits, "SECONDS", 1)
    monkeypatch.setattr(limits, "IDLE", 1.0 if work is asleep else 120.0)
    monkeypatch.setattr(limits, "MOST_ANSWER", 1 << 20)
    fork, children = os.fork, []
    monkeypatch.setattr(os, "fork", lambda: children.append(fork()) or children[-1])
    kind, says = ENDS[work]
    with pytest.raises(kind, match=says):
        limited_call(work)
    with pytest.raises(ProcessLookupError):
        os.kill(children[0], 0)


def test_a_child_whose_parent_is_gone_ends():
    """The child's answer is larger than a pipe holds, and nobody reads it."""
    answer, told = os.pipe()
    parent = os.fork()
    if not parent:
        limits._read = lambda fd, deadline: os._exit(0)
        limited_call(lambda: b"x" * 1_000_000)
    os.waitpid(parent, 0)
    os.close(told)
    assert select.select([answer], [], [], 60)[0]  # the last who held the other end is gone
    os.close(answer)


def test_the_bounds_are_the_childs_alone():
    before = [resource.getrlimit(n) for n in (resource.RLIMIT_CPU, resource.RLIMIT_AS)]
    inside = limited_call(lambda: resource.getrlimit(resource.RLIMIT_CPU)[0])
    assert inside == limits.SECONDS
    assert before == [resource.getrlimit(n) for n in (resource.RLIMIT_CPU, resource.RLIMIT_AS)]


CLOSED = {
    "making a folder": lambda folder, pid: os.mkdir(f"{folder}/new"),
    "making a file": lambda folder, pid: Path(folder, "new").touch(),
    "writing": lambda folder, pid: Path(folder, "there").write_bytes(b""),
    "removing": lambda folder, pid: os.unlink(f"{folder}/there"),
    "renaming": lambda folder, pid: os.rename(f"{folder}/there", f"{folder}/elsewhere"),
    "linking": lambda folder, pid: os.symlink("there", f"{folder}/link"),
    "modes": lambda folder, pid: os.chmod(f"{folder}/there", 0o600),
    "sockets": lambda folder, pid: socket.socket(),
    "processes": lambda folder, pid: os.fork(),
    "programs": lambda folder, pid: os.execv(sys.executable, [sys.executable, "-c", ""]),
    "signals": lambda folder, pid: os.kill(pid, 0),
}


HAS_LANDLOCK = syscalls.COLUMN is not None and syscalls.call("landlock_create_ruleset", 0, 0, 1) > 0


@pytest.mark.skipif(
    not (HAS_LANDLOCK and syscalls.has_filters()), reason="nothing can be closed by this kernel"
)
@pytest.mark.parametrize("what", CLOSED)
def test_a_call_can_read_and_change_nothing(what, tmp_path):
    there = tmp_path / "there"
    there.write_bytes(b"x")
    attempt = partial(CLOSED[what], tmp_path, os.getpid())
    assert limited_call(there.read_bytes) == b"x"
    with pytest.raises(OurFault, match="PermissionError"):
        limited_call(attempt)
    assert [each.name for each in tmp_path.iterdir()] == ["there"] and there.read_bytes() == b"x"
