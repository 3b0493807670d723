"""Ctrl-C at random moments: status 130, one sentence, the terminal as it was, no process left."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from grader import root
from grader.course.key_source import open_key
from grader.learner.untrusted_files import read_json_or_none

from ..machine import enough
from . import warden

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="orphans are adopted on Linux only")

SAID = "grader: stopped."


def watched(cwd: Path, command: list[str], delays: list[float | None], terminal: bool = False):
    """The reports of these runs."""
    order = {"command": enough(*command), "cwd": str(cwd), "delays": delays, "terminal": terminal}
    done = subprocess.run(
        [sys.executable, warden.__file__, json.dumps(order)], text=True, capture_output=True,
        env={**os.environ, "PYTHONPATH": root.ROOT, "TERM": "xterm"}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def moments(cwd: Path, command: list[str], times: int, terminal: bool = False):
    """Random moments of a command, which takes as long as it takes on this machine, now."""
    (whole,) = watched(cwd, [word.replace("{n}", "whole") for word in command], [None], terminal)
    assert whole["status"] in (0, 1) and not whole["left"], whole
    return [random.uniform(0, whole["seconds"]) for _ in range(times)]


def assert_stopped(report) -> None:
    """Assert that a command ended by Ctrl-C, or earlier, and left nothing behind."""
    assert "Traceback" not in report["said"], report
    assert "Exception ignored" not in report["said"], report
    assert report["sane"] and not report["left"], report
    if report["status"] in (0, 1):
        assert SAID not in report["said"] and report["said"], report
    else:
        assert report["status"] == 130, report
        assert report["said"].count(SAID) == 1, report


@pytest.fixture(scope="session")
def times(is_whole) -> int:
    """Return how often a command is interrupted."""
    return 100 if is_whole else 6


@pytest.fixture
def workspace(workspace):
    open_key()
    return workspace


@pytest.mark.long
@pytest.mark.parametrize("terminal", [False, True], ids=["pipe", "terminal"])
def test_check(terminal, workspace, times):
    command = ["check", "chapter3"]
    reports = watched(workspace, command, moments(workspace, command, times, terminal), terminal)
    for report in reports:
        assert_stopped(report)
    assert any(report["status"] == 130 for report in reports)
    assert {path.name for path in (workspace / ".grader").iterdir()} <= {
        "workspace.json", "progress.json",
    }  # fmt: skip


@pytest.mark.long
def test_watch(workspace, times):
    pytest.importorskip("watchfiles")
    (short,) = watched(workspace, ["check", "chapter3"], [None])
    delays = [random.uniform(0, 2 * short["seconds"]) for _ in range(times)]
    for report in watched(workspace, ["watch"], delays, terminal=True):
        assert report["status"] == 130, report
        assert_stopped(report)


@pytest.mark.long
def test_grade(course, times, tmp_path):
    for n in range(4):
        folder = tmp_path / "in" / f"s{n}" / "babygrad"
        folder.mkdir(parents=True)
        for name, text in {**course.stubs(), "ops.py": f"a = {n}\n"}.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text)
    open_key()
    command = ["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out{n}"), "--jobs", "2",
               "--seed", "public", "--chapters", "chapter3"]  # fmt: skip
    delays = moments(tmp_path, command, max(3, times // 4))
    for number, report in enumerate(watched(tmp_path, command, delays)):
        assert_stopped(report)
        for path in (tmp_path / f"out{number}").glob("learners/*.json.gz"):
            assert read_json_or_none(str(path))["status"] == "graded"
    (again,) = watched(tmp_path, [w.replace("{n}", "0") for w in command], [None])
    assert again["status"] == 0 and len(list((tmp_path / "out0/learners").iterdir())) == 4


# What Ctrl-C meets when it falls right before a wait: the signal comes, and Python has looked.
BEFORE_A_WAIT = """
import os, select, signal, sys
from grader import interrupt
from grader.cli import main
real = select.select
def late(*fds):
    if interrupt.wakeup_fd in fds[0] and not late.done:
        late.done = True
        signal.signal(signal.SIGINT, lambda *_: None)  # as if the handler had had no turn yet
        os.kill(os.getpid(), signal.SIGINT)
        signal.signal(signal.SIGINT, interrupt._take)
        interrupt.was_received = True
    return real(*fds)
late.done = False
select.select = late
main()
"""


def test_one_that_falls_right_before_a_wait_ends_the_wait(workspace):
    pytest.importorskip("watchfiles")
    silent, kept_open = os.pipe()
    done = subprocess.run(
        [sys.executable, "-c", BEFORE_A_WAIT, "watch"], cwd=workspace, stdin=silent, text=True,
        env={**os.environ, "PYTHONPATH": root.ROOT}, capture_output=True, timeout=600, check=False,
    )  # fmt: skip
    os.close(silent)
    os.close(kept_open)
    assert done.returncode == 130 and SAID in done.stderr


SWALLOWED = """
import signal, sys, weakref
from grader.commands import COMMANDS, status
from grader.cli import main
class Thing: pass
def run(options):
    thing = Thing()
    kept = weakref.ref(thing, lambda _: signal.raise_signal(signal.SIGINT))
    del thing  # what is raised in there, nobody hears
    while True:
        pass
COMMANDS["status"] = COMMANDS["status"][0], run
main()
"""

DISGUISED = """
import signal
from grader.commands import COMMANDS, status
from grader.cli import main
def run(options):
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:  # as NumPy does, where it falls into the import of its C parts
        raise ImportError("PyCapsule_Import could not import module")
COMMANDS["status"] = COMMANDS["status"][0], run
main()
"""


@pytest.mark.parametrize("script", [SWALLOWED, DISGUISED], ids=["swallowed", "another error"])
def test_one_that_is_lost_or_disguised_is_an_interrupt_all_the_same(script, workspace):
    done = subprocess.run(
        [sys.executable, "-c", script, "status"], cwd=workspace,
        env={**os.environ, "PYTHONPATH": root.ROOT}, capture_output=True, text=True, timeout=600,
        check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "\ngrader: stopped.\n"


AT_ONCE = """
import os, signal
from grader import interrupt
interrupt.listen(lambda: 130)
interrupt.arm()
interrupt.cleanups.append(lambda: os.write(1, b"put back"))
with interrupt.exit_at_once():
    os.kill(os.getpid(), signal.SIGINT)
"""


def test_an_end_at_once_puts_back_what_has_to_be():
    """An answer key is made by threads, and a watch makes it while it holds the terminal."""
    done = subprocess.run(
        [sys.executable, "-c", AT_ONCE], cwd=root.ROOT, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (130, b"put back"), done.stderr
