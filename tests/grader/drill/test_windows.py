"""Without POSIX every command ends in one sentence that says where to go."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader import root
from grader.commands import TABLE
from grader.errors import WINDOWS

AS_ON_WINDOWS = """
import os, select, signal, _signal, sys
for name in ("fcntl", "grp", "posix", "pty", "pwd", "resource", "termios", "tty"):
    sys.modules[name] = None
for name in ("fork", "getuid", "killpg", "posix_spawn", "setsid", "set_blocking", "uname"):
    vars(os).pop(name, None)
for name in ("SIGALRM", "SIGHUP", "SIGKILL", "setitimer"):
    delattr(signal, name)
    delattr(_signal, name)
del select.poll
sys.platform = "win32"
"""
# Every line by one process: what is imported for one of them, and should not be, ends them all.
EVERY = """
import contextlib, io, json, runpy
ended = []
for line in json.loads(sys.argv[1]):
    sys.argv[1:] = line
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            DOOR
        except SystemExit as end:
            ended.append([end.code, out.getvalue(), err.getvalue()])
print(json.dumps(ended))
"""
DOORS = {
    "module": "runpy.run_module('grader', run_name='__main__', alter_sys=True)",
    "script": "import grader.cli; sys.exit(grader.cli.main())",
}
MORE = ["", "--help", "--version", "check --help", "check chapter1 --json", "nonsense"]


def on_windows(program: str, *arguments: str, cwd: Path) -> str:
    """Run a program as on Windows; return what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", AS_ON_WINDOWS + program, *arguments], cwd=cwd,
        env={**os.environ, "PYTHONPATH": root.ROOT}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("door", DOORS)
def test_every_command_says_where_to_go(door, tmp_path):
    lines = [line.split() for line in (*TABLE, *MORE)]
    program = EVERY.replace("DOOR", DOORS[door])
    ended = json.loads(on_windows(program, json.dumps(lines), cwd=tmp_path))
    assert ended == [[2, "", f"grader: {WINDOWS}\n"]] * len(lines)
    assert not list(tmp_path.iterdir())


def test_a_notebook_says_it_too(workspace):
    program = "from grader.notebook import check; assert check('chapter3.sub') == 0.0"
    assert WINDOWS in " ".join(on_windows(program, cwd=workspace).split())


def test_it_is_one_sentence_that_names_both_ways():
    assert WINDOWS.count(". ") == 0 and WINDOWS.endswith(").")
    assert "WSL" in WINDOWS and "book in a browser" in WINDOWS and WINDOWS.isascii()
