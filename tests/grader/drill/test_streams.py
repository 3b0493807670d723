"""Streams that are closed or full, a folder that is gone, a narrow terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import resource
import struct
import subprocess
import termios

import pytest

from .conftest import ASKED

CLOSED = (">&-", "<&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-")
# command → its status, whoever listens
COMMANDS = {
    f"check {' '.join(ASKED)}": 1,
    "check chapter3.sub.forward --json": 0,
    "status": 1,
    "show chapter3.div.forward": 0,
    "hint chapter3.div.forward": 0,
    "quiz chapter3": 1,
    "repro chapter3.div.forward": 0,
    "check nonsense": 2,
    "--help": 0,
}


def in_shell(command, redirection, bin_grader, work):
    return subprocess.run(
        ["sh", "-c", f'"$GRADER" {command} {redirection}'], cwd=work, text=True, check=False,
        env={**os.environ, "GRADER": bin_grader}, capture_output=True, stdin=subprocess.DEVNULL,
        timeout=600,
    )  # fmt: skip


@pytest.mark.sampled(quick=8, long=2)
@pytest.mark.parametrize("redirection", CLOSED)
@pytest.mark.parametrize("command", COMMANDS)
def test_who_closes_a_stream_gets_the_status(command, redirection, bin_grader, work):
    done = in_shell(command, redirection, bin_grader, work)
    assert done.returncode == COMMANDS[command], done
    assert "Traceback" not in done.stdout + done.stderr
    if "2>" not in redirection and COMMANDS[command] < 2:
        assert done.stderr == ""
    if redirection == "2>&-" and COMMANDS[command] == 2:
        assert done.stdout == ""  # an error is never told among the output


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
@pytest.mark.sampled(quick=3)
@pytest.mark.parametrize("command", COMMANDS)
def test_what_nobody_could_read_is_no_success(command, bin_grader, work):
    done = in_shell(command, ">/dev/full", bin_grader, work)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    told = "no chapter" if COMMANDS[command] == 2 else "No space left on device"
    assert done.stderr.count("grader: ") == 1 and told in done.stderr, done.stderr
    both = in_shell(command, ">/dev/full 2>&1", bin_grader, work)
    assert both.returncode == 2
    errors = in_shell(command, "2>/dev/full", bin_grader, work)
    assert errors.returncode == COMMANDS[command]
    assert bool(errors.stdout) == (errors.returncode < 2)


def test_a_reader_that_has_had_enough(bin_grader, work):
    done = in_shell("check chapter3 --json", "| head -n 1", bin_grader, work)
    assert done.stdout == "{\n" and done.stderr == ""


@pytest.mark.parametrize("command", ["check", "check --json", "status", "init x", "watch"])
def test_the_current_folder_is_gone(command, bin_grader, work):
    script = f'mkdir gone; cd gone; rmdir ../gone; "$GRADER" {command}'
    done = subprocess.run(
        ["sh", "-c", script], cwd=work, text=True, check=False, capture_output=True,
        env={**os.environ, "GRADER": bin_grader}, timeout=600,
    )  # fmt: skip
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert "the folder that you are in is gone" in done.stderr


def test_a_full_disk_leaves_nothing_half_written(drill, work):
    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    before = sorted(path.name for path in (work / ".grader").iterdir())
    for command in (["check", *ASKED], ["hint", ASKED[1]], ["solution", "--reveal", ASKED[1]]):
        ran = drill(*command, cwd=work, preexec_fn=full)
        assert "Traceback" not in ran.err and ran.status < 2, ran
        assert sorted(path.name for path in (work / ".grader").iterdir()) == before


NARROW = [
    ["check", "chapter3"], ["check", *ASKED], ["check", "nonsense"], ["status"],
    ["show", "chapter3.div.backward"], ["hint", "chapter3.div.backward"],
    ["solution", "chapter3.div.backward"], ["solution", "chapter3.div.backward", "--reveal"],
    ["repro", "chapter3.div.forward"], ["quiz", "chapter3"], ["init", "another"],
    ["reset", "chapter3.div.forward"], ["watch"], ["--help"], ["check", "--help"], ["grade"],
]  # fmt: skip


@pytest.mark.sampled(quick=8, long=2)
@pytest.mark.parametrize("width", [40, 60])
@pytest.mark.parametrize("command", NARROW, ids=" ".join)
def test_nothing_is_wider_than_the_terminal(command, width, bin_grader, work):
    if command == ["watch"]:
        pytest.importorskip("watchfiles")
    status, said = on_a_terminal(width, [bin_grader, *command], work)
    assert status in (0, 1, 2) and said.strip()
    wide = [line for line in plain(said) if len(line) > width]
    assert not wide, wide


def on_a_terminal(width, command, cwd):
    """The status of a command and what it wrote; asked, it is answered with q."""
    here, there = pty.openpty()
    fcntl.ioctl(there, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    silent = termios.tcgetattr(there)
    silent[3] &= ~termios.ECHO
    termios.tcsetattr(there, termios.TCSANOW, silent)
    env = {**os.environ, "TERM": "xterm"}
    with subprocess.Popen(command, cwd=cwd, stdin=there, stdout=there, stderr=there, env=env) as p:
        os.close(there)
        os.write(here, b"q\n")
        said = b""
        try:
            while piece := os.read(here, 1 << 16):
                said += piece
        except OSError:
            pass
        status = p.wait(timeout=600)
    os.close(here)
    return status, said.decode()


def plain(said):
    said = re.sub(r"\x1b\]8;;[^\x1b]*\x1b\\", "", said)  # the two ends of a link
    return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", said).replace("\r", "").split("\n")
