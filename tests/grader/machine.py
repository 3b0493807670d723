"""What this machine offers, by the grader's own word, and what is asked of it where that is less.

A test whose subject is the confinement itself uses the fixture `confinable`, which skips it where
there is none; all others judge with the strongest level that there is.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from typing import Any

import pytest

from grader import root
from grader.sandbox.isolation import CONFINED, FOR_MARKS

MARKING = (("grade",), ("export", "gradescope"))  # commands that demand the strongest by themselves


@functools.cache
def isolation() -> dict[str, Any]:
    """What the result of a check says of it: its level, the protections, what is missing."""
    done = subprocess.run(
        [sys.executable, "-m", "grader", "check", "chapter3.sub", "--json", "--package",
         os.path.join(root.ROOT, "solutions")],
        env={**os.environ, "PYTHONPATH": root.ROOT}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)["isolation"]
    return found


def strongest() -> str:
    """The level that workers have here."""
    return str(isolation()["level"])


def enough(*arguments: str) -> tuple[str, ...]:
    """A command line that gives marks on this machine: where there is no more, with less."""
    marks = any(arguments[: len(words)] == words for words in MARKING)
    if not marks or "--isolation" in arguments or strongest() == FOR_MARKS:
        return arguments
    return *arguments, "--isolation", strongest()


def settings() -> str:
    """The same for nbgrader: what its settings have to say here."""
    if strongest() == FOR_MARKS:
        return ""
    return f'\nc.JudgeAnswers.isolation = "{strongest()}"\n'


@pytest.fixture(scope="session")
def confinable() -> None:
    """Skips the test where the kernel does not confine."""
    if strongest() != CONFINED:
        pytest.skip(f"this machine does not confine; missing: {', '.join(isolation()['missing'])}")
