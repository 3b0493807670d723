"""Folders that take long to make and never change: one test process makes each for all."""

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
    """Return a folder of this name; the first process of a run that asks fills it with ``make``."""
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
