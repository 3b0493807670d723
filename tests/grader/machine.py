"""Report the isolation that this machine offers, and let tests ask for no more.

A test whose subject is the confinement itself uses the fixture `confinable`, which skips it where
there is none; all others judge with the strongest level that there is.
"""

from __future__ import annotations

import functools
import json
import os
from typing import Any

import pytest

from grader import root
from grader.sandbox.isolation import CONFINED, FOR_MARKS

from . import warm_start

MARKING = (("grade",), ("export", "gradescope"))  # commands that demand the strongest by themselves


@functools.cache
def isolation() -> dict[str, Any]:
    """Return the isolation as a check reports it: its level, the protections, the missing ones."""
    words = ["check", "chapter3.sub", "--json", "--package", os.path.join(root.ROOT, "solutions")]
    _, out, err = warm_start.run(words, None, {**os.environ, "PYTHONPATH": root.ROOT}, None, 600)
    assert out, err
    found: dict[str, Any] = json.loads(out)["isolation"]
    return found


def strongest() -> str:
    """Return the level that workers reach here."""
    return str(isolation()["level"])


def enough(*arguments: str) -> tuple[str, ...]:
    """Return a command line that gives marks on this machine, with a lower level if need be."""
    marks = any(arguments[: len(words)] == words for words in MARKING)
    if not marks or "--isolation" in arguments or strongest() == FOR_MARKS:
        return arguments
    return *arguments, "--isolation", strongest()


def settings() -> str:
    """Return the line of nbgrader's settings that this machine needs."""
    if strongest() == FOR_MARKS:
        return ""
    return f'\nc.JudgeAnswers.isolation = "{strongest()}"\n'


@pytest.fixture(scope="session")
def confinable() -> None:
    """Skip the test if the kernel does not confine."""
    if strongest() != CONFINED:
        pytest.skip(f"this machine does not confine; missing: {', '.join(isolation()['missing'])}")
