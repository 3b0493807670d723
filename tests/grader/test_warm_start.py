"""A command that is forked ends, says and reads as one that Python starts."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from grader import root

from . import warm_start


def started(*arguments: str, cwd, said: str | None = None) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "grader", *arguments], cwd=cwd, input=said or "",
        env={**os.environ, "PYTHONPATH": root.ROOT}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def forked(*arguments: str, cwd, said: str | None = None, **more: str) -> tuple[int, str, str]:
    around = {**os.environ, "PYTHONPATH": root.ROOT, **more}
    return warm_start.run([*arguments], cwd, around, said, 600)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["status"], None),
        (["nonsense"], None),
        (["check", "chapter3.sub.forward"], None),
        (["reset", "chapter3.sub.forward"], "no\n"),
    ],
)
def test_both_say_the_same(words, said, workspace):
    forked(*words, cwd=workspace, said=said)  # the first of all says that it makes a key
    assert forked(*words, cwd=workspace, said=said) == started(*words, cwd=workspace, said=said)


def test_many_run_at_once_each_in_its_folder(workspace, tmp_path):
    forked("status", cwd=workspace)  # makes the keys
    with ThreadPoolExecutor(4) as threads:
        found = [*threads.map(lambda place: forked("status", cwd=place), [workspace, tmp_path] * 2)]
    assert found[0] == found[2] and found[1] == found[3] and found[0][0] != found[1][0]


def test_what_is_looked_at_by_an_import_starts_python(workspace):
    assert "cli" in forked("status", cwd=workspace, GRADER_LOG="info")[2]


def test_one_that_takes_too_long_is_ended(workspace):
    with pytest.raises(TimeoutError):
        warm_start.parent().run(
            {"arguments": ["watch", "chapter3"], "cwd": str(workspace),
             "environment": dict(os.environ)}, None, 1,
        )  # fmt: skip
