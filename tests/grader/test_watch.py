"""`grader watch` as it runs: real file events, a pipe or a terminal, and no sleeping."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import termios
import time

import pytest

from grader import root
from grader.course.key_source import open_key
from grader.learner import own_file as definition

from .conftest import asked_in

pytest.importorskip("watchfiles")

SECONDS = 300  # nothing takes as long; a machine with more to do than it can takes some
READY = r"q(?:\x1b\[0m)? quit"


class Watch:
    """A running watch: what it says is read until something has come, or time is up."""

    def __init__(self, workspace, *arguments, terminal=False, ready=READY):
        self.ops = workspace / "babygrad" / "ops.py"
        ours, theirs = pty.openpty() if terminal else os.pipe()
        self.reading = ours
        self.process = subprocess.Popen(
            [sys.executable, "-m", "grader", "watch", *arguments],
            cwd=workspace, env={**os.environ, "PYTHONPATH": root.ROOT, "TERM": "xterm"},
            stdin=theirs if terminal else subprocess.PIPE, stdout=theirs, stderr=theirs,
            start_new_session=terminal, preexec_fn=_own_terminal if terminal else None,
        )  # fmt: skip
        self.keys = ours if terminal else self.process.stdin.fileno()
        self.theirs, self.rest = theirs, ""
        self.until(ready)

    def until(self, pattern):
        """Return the output up to a pattern, with it."""
        deadline = time.monotonic() + SECONDS
        while (found := re.search(pattern, self.rest)) is None:
            left = deadline - time.monotonic()
            assert left > 0 and self.process.poll() is None, f"no {pattern} in:\n{self.rest}"
            if select.select([self.reading], [], [], min(left, 0.5))[0]:
                self.rest += os.read(self.reading, 1 << 16).decode()
        told, self.rest = self.rest[: found.end()], self.rest[found.end() :]
        return told

    def save(self, text, by_rename=True):
        """Write the file; in place, a busy machine may let it be judged empty in between."""
        place = self.ops.with_name("ops.py~new") if by_rename else self.ops
        place.write_text(text)
        if by_rename:
            place.replace(self.ops)

    def write(self, name, body, **how):
        text = self.ops.read_text()
        self.save(definition.with_body(text, definition.find_definition(text, name), [body]), **how)

    def press(self, key):
        os.write(self.keys, key.encode())

    def judged(self, pattern):
        """Return the output from a pattern to the end of its screen."""
        return self.until(pattern) + self.until(READY)

    def quit(self):
        self.press("q")
        return self.process.wait(SECONDS)


def _own_terminal():
    import fcntl

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@pytest.fixture
def workspace(workspace):
    open_key()  # where it has to be built first, that is not the watch's time
    return workspace


@pytest.fixture
def watch(workspace):
    started = []

    def start(*arguments, **how):
        started.append(Watch(workspace, *arguments, **how))
        return started[-1]

    yield start
    for each in started:
        each.process.kill()
        each.process.wait()


def test_what_was_edited_is_judged_first_then_what_depends_on_it(watch, workspace, grader):
    seen = watch()
    seen.write("Sub.forward", "return b - a")
    said = seen.judged("✗ chapter3.sub.forward failed")
    assert "ops.py saved" in said
    assert "\x1b" not in said
    seen.write("Sub.forward", "return a - b")
    seen.judged("✓ passed    chapter3.sub.forward")
    seen.write("Sub.backward", "return out_grad, negate(out_grad)", by_rename=False)
    seen.judged("chapter3.sub.backward is blocked by chapter3.negate.forward")
    seen.write("Negate.forward", "return -a")
    seen.judged("✓ passed    chapter3.negate.forward\nchecked too, and as before: 1 exercise\n")
    seen.write("Negate.backward", "return negate(out_grad)")
    seen.until("✓ passed    chapter3.negate.backward")
    said = seen.judged("✓ passed    chapter3.sub.backward")
    assert f"4 of {asked_in('chapter3')} exercises passed" in said
    assert seen.quit() == 1
    assert f"4 of {asked_in('chapter3')}" in grader("status", cwd=workspace).out


def test_the_keys(watch):
    seen = watch()
    seen.press("h")
    assert "chapter3.sub.forward, hint 1 of " in seen.until("again")
    seen.press("l")
    assert re.search(r"3\.2 +· pending +Sub\.forward", seen.until(READY))
    seen.press("n")
    seen.judged("section 3.2")
    seen.press("c")
    seen.judged(f"{asked_in('chapter3')} pending")
    assert seen.quit() == 1


@pytest.mark.long
def test_it_survives_what_editors_and_learners_do_to_files(watch, workspace):
    seen = watch()
    good = seen.ops.read_text()
    seen.save(good.replace("class Sub(", "class Sub((", 1))
    said = seen.until(READY)
    assert "cannot be imported" in said and "SyntaxError" in said and "ops.py, line" in said
    seen.ops.rename(seen.ops.with_name("ops.old"))
    seen.judged("cannot be imported")
    seen.save(good)
    assert "cannot be imported" not in seen.until(READY)
    seen.write("Sub.forward", "return a - b")
    seen.judged("✓ passed    chapter3.sub.forward")
    away = workspace / "away"
    (workspace / "babygrad").rename(away)
    seen.judged("is gone")
    shutil.copytree(away, workspace / "babygrad")
    # A copy comes file by file: it is looked at as often as it changes, and at its end.
    seen.until(rf"1 of {asked_in('chapter3')} exercises passed\nNext: write")
    seen.until(READY)
    while select.select([seen.reading], [], [], 1)[0]:
        seen.until(READY)
    seen.write("Sub.forward", "return b - a")
    seen.judged("chapter3.sub.forward failed")
    assert seen.quit() == 1


def test_an_endless_loop_costs_its_exercise_and_the_watch_goes_on(watch):
    seen = watch()
    seen.write("Sub.forward", "while True: pass")
    seen.judged("chapter3.sub.forward timed out")
    seen.write("Sub.forward", "import os; os._exit(3)")
    seen.judged("chapter3.sub.forward crashed")
    seen.write("Sub.forward", "return a - b")
    seen.judged("✓ passed    chapter3.sub.forward")


def test_on_a_terminal_keys_need_no_enter_and_it_is_put_back(watch):
    seen = watch(terminal=True)
    assert not termios.tcgetattr(seen.theirs)[3] & termios.ICANON
    seen.press("\x1b[A")  # an arrow means nothing here
    seen.write("Sub.forward", "return a - b")
    said = seen.until(READY)
    assert "\x1b[2J" in said and "\x1b[32m" in said  # a screen of its own, in colour
    assert "✓ passed" in said
    assert seen.quit() == 1
    assert termios.tcgetattr(seen.theirs)[3] & termios.ICANON


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_and_puts_the_terminal_back(sent, watch):
    seen = watch(terminal=True)
    seen.process.send_signal(sent)
    assert seen.process.wait(SECONDS) == 130
    assert termios.tcgetattr(seen.theirs)[3] & termios.ICANON


def test_without_watchfiles_it_says_what_to_install(workspace, tmp_path):
    (tmp_path / "shadow").mkdir()
    (tmp_path / "shadow" / "watchfiles.py").write_text("raise ImportError\n")
    done = subprocess.run(
        [sys.executable, "-m", "grader", "watch"], cwd=workspace, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": f"{tmp_path / 'shadow'}:{root.ROOT}"}, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "pip install 'babygrad-course[watch]'" in done.stderr
