"""What takes long to make and nobody changes: one of all test processes makes it for the others."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


def made_once(
    factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]
) -> Path:  # fmt: skip
    """A folder of this name, filled by ``make``: once in a run, however many processes it has."""
    base = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:  # each has a folder of its own in that of the run
        base = base.parent
    place, done = base / name, base / f"{name}.done"
    with open(base / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            shutil.rmtree(place, ignore_errors=True)  # of one whose making has failed
            place.mkdir()
            make(place)
            done.touch()
    return place
