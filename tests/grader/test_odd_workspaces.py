"""A workspace in an odd state: each command of a learner names the file, and says what to do.

Each state is one change to a workspace that begins at chapter 3; each command is then asked about
an exercise of it.
"""

from __future__ import annotations

import io
import itertools
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from grader.course.key_source import open_key
from grader.editor.commands.watch import _rounds
from grader.editor.screen import Screen
from grader.editor.watch_session import WatchSession
from grader.sandbox.launch import ForkServer

DIV, LINEAR = "chapter3.div.forward", "chapter4.linear.forward"
HEAD = "    def forward(self, a: NDArray, b: NDArray) -> NDArray:\n"
STUB = "raise NotImplementedError"
LOOP = "\nmodel = Linear(2, 3)\nfor step in range(3):\n    model(Tensor([[1.0, 2.0]]))\n"
COMMANDS = ("check", "show", "hint", "repro", "status", "reset", "watch")
LATIN = "\nGRÖSSE = 1\n".encode("latin-1")
MY = "class Div:\n    def forward(self, a, b):\n        return a / b\n"


class Odd(NamedTuple):
    """A state, and what is said of it."""

    change: Callable[[Path], object]  # to the package
    words: tuple[str, ...]
    commands: tuple[str, ...] = COMMANDS  # those that have to say so
    id: str = DIV


def rewrite(name: str, new: Callable[[str], str], encoding: str = "utf-8"):
    def change(package: Path) -> None:
        text = (package / name).read_text(encoding="utf-8")
        (package / name).write_bytes(new(text).encode(encoding))

    return change


def in_div(text: str, old: str, new: str) -> str:
    """The text with one thing changed in the forward of Div."""
    before, head, after = text.partition("class Div(")
    return before + head + after.replace(old, new, 1)


def as_folder(package: Path) -> None:
    (package / "ops.py").unlink()
    (package / "ops.py").mkdir()


def as_link(package: Path) -> None:
    (package / "ops.py").rename(package.parent / "other.py")
    (package / "ops.py").symlink_to(package.parent / "other.py")


FRESH = ("`grader init new`",)
ENCODED = ("babygrad/ops.py", "UTF-8", "ave it as")
UNREAD = ("ops.py", "it is a link. Put a copy of what it leads to in its place.")
WRITTEN = re.compile(r"(grader check chapter4\.linear\.forward`\n +)raise NotImplementedError")
STATES = {
    "a file deleted": Odd(
        lambda at: (at / "ops.py").unlink(), ("babygrad/ops.py is not there.", *FRESH)
    ),
    "a file deleted that may be": Odd(
        lambda at: (at / "nn.py").unlink(), ("babygrad/nn.py is not there.", *FRESH),
        ("check", "show", "hint", "repro", "reset", "watch"), LINEAR,
    ),
    "a method deleted": Odd(
        rewrite("ops.py", lambda text: in_div(text, HEAD, "    def other(self, a, b):\n")),
        ("babygrad/ops.py has no Div.forward.", "`def` line", *FRESH),
        ("check", "show", "hint", "repro", "reset", "watch"),
    ),
    "solved elsewhere": Odd(
        lambda at: (at / "my.py").write_text(MY),
        ("Div.forward is in my.py, line 2.", "move it there"), ("check", "repro"),
    ),
    "a copy's name": Odd(
        lambda at: (at / "ops.py").rename(at / "ops (1).py"),
        ("babygrad/ops.py is not there.", "`ops (1).py`", "rename it to ops.py"),
    ),
    "a text's name": Odd(
        lambda at: (at / "ops.py").rename(at / "ops.py.txt"),
        ("babygrad/ops.py is not there.", "`ops.py.txt`", "rename it to ops.py"),
    ),
    "another case": Odd(
        lambda at: at.rename(at.parent / "BabyGrad"),
        ("no babygrad folder", "`BabyGrad`", "rename it"), COMMANDS[:-1],
    ),
    "UTF-16": Odd(rewrite("ops.py", str, "utf-16"), ENCODED),
    "null bytes": Odd(rewrite("ops.py", lambda text: f"{text}\0"), ENCODED),
    "Latin-1": Odd(
        lambda at: (at / "ops.py").write_bytes((at / "ops.py").read_bytes() + LATIN),
        ("babygrad/ops.py", "utf-8"), ("check", "repro", "watch"),
    ),
    "a bracket left open": Odd(
        rewrite("ops.py", lambda text: in_div(text, STUB, "return a / (b")),
        ("babygrad/ops.py, line {return a / (b}", "was never closed"),
        ("check", "show", "hint", "repro", "status", "watch"),
    ),
    "no Python at the end": Odd(
        rewrite("ops.py", lambda text: f"{text}\ndef more(:\n"),
        ("babygrad/ops.py, line {def more(:}", "invalid syntax"),
    ),
    "a loop at the end": Odd(
        rewrite("nn.py", lambda text: WRITTEN.sub(r"\1return x", text) + LOOP),
        ("babygrad/nn.py, line {model = Linear(2, 3)}", "in its own script"),
        ("check", "repro", "watch"), LINEAR,
    ),
    "a stub above the code": Odd(
        rewrite("ops.py", lambda text: in_div(text, STUB, f"{STUB}\n        return a / b")),
        ("Div.forward", f"below `{STUB}`", "ops.py, line", "Delete that line."),
        ("check", "repro"),
    ),
    "a folder": Odd(as_folder, ("babygrad/ops.py cannot be read: it is a folder.",)),
    "a link": Odd(as_link, UNREAD, COMMANDS[:-1]),
}  # fmt: skip
CASES = [(s, c) for s, c in itertools.product(STATES, COMMANDS) if c in STATES[s].commands]


def told(command: str, id: str, workspace: Path, grader) -> str:
    """All that a command says of an exercise, in one line."""
    if command == "watch":
        stream = io.StringIO()
        with ForkServer(restarts=True) as warm:
            session = WatchSession(open_key(), str(workspace / "babygrad"), [id], warm)
            _rounds(session, Screen(stream), session.all())
        return " ".join(stream.getvalue().split())
    more = {"status": (), "reset": (id, "--yes")}.get(command, (id,))
    ran = grader(command, *more, cwd=workspace)
    assert "Traceback" not in ran.out + ran.err
    return " ".join((ran.out + ran.err).split())


@pytest.mark.sampled(quick=8, long=4)
@pytest.mark.parametrize("name, command", CASES)
def test_an_odd_state_is_told_by_name(name, command, workspace, grader, monkeypatch):
    monkeypatch.chdir(workspace)
    odd = STATES[name]
    odd.change(workspace / "babygrad")
    said = told(command, odd.id, workspace, grader)
    for words in odd.words:
        head, brace, line = words.partition("{")
        if brace:  # the number of a line that is quoted
            file = workspace / head.partition(",")[0]
            lines = [each.strip() for each in file.read_text(encoding="utf-8").splitlines()]
            words = f"{head}{lines.index(line.rstrip('}')) + 1}"
        assert words in said, said
    for false in ("is a stub already", "source code string", "has no forward yet"):
        assert false not in said, said


def test_a_workspace_in_order_is_told_nothing_odd(workspace, grader):
    for command in COMMANDS[:-1]:
        said = told(command, DIV, workspace, grader)
        assert not any(words in said for words in ("is not there", "cannot be", "UTF-8", "Mend"))
