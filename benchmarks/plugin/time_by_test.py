"""A plugin of pytest that writes down the processor time of each test, for `quick_suite.py`.

A process that serves many tests (a fork server, a browser) is waited for at the end of the run, and
would be charged to the last test or to none; a worker that outlives its parent, to nobody. So the
tests' process takes in what is left behind, and after each test reads in `/proc` what was used
below it. (Linux; elsewhere only processes that were waited for count.)
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from collections.abc import Generator
from functools import cache
from pathlib import Path

import pytest

OUT = Path(os.environ["TIME_BY_TEST"])  # a folder
TICKS = os.sysconf("SC_CLK_TCK")
PR_SET_CHILD_SUBREAPER = 36


def pytest_configure() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children(pid: int, thread: str) -> list[int]:
    try:
        return [*map(int, Path(f"/proc/{pid}/task/{thread}/children").read_text().split())]
    except OSError:  # it has ended
        return []


ended: dict[int, float] = {}  # seconds of processes that nobody has waited for, and nobody will


def seconds_of(pid: int) -> float:
    """Return the processor time of a process, of those it waited for, and of all alive below it."""
    if pid in ended:
        return ended[pid]
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    seconds = sum(map(int, fields[11:15])) / TICKS
    if fields[0] == "Z":
        return ended.setdefault(pid, seconds)
    return seconds + sum(map(seconds_of, children(pid, str(pid))))


def used() -> tuple[float, float]:
    """Seconds of this process, and of all that it has started."""
    times = os.times()
    threads = os.listdir("/proc/self/task") if sys.platform == "linux" else []
    below = {pid for each in threads for pid in children(os.getpid(), each)}
    for pid in ended.keys() - below:  # somebody has waited for it after all
        del ended[pid]
    alive = sum(map(seconds_of, below))
    return times.user + times.system, times.children_user + times.children_system + alive


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Write a row: the test, its own seconds, those of the processes below."""
    before = used()
    done = yield
    own, below = (after - first for after, first in zip(used(), before, strict=True))
    with open(OUT / f"{os.getpid()}.jsonl", "a", encoding="utf-8") as file:
        file.write(json.dumps([item.nodeid, own, below]) + "\n")
    return done


@cache
def note_first(pid: int) -> None:
    """Write how much was used when the first result of a process came."""
    (OUT / f"{pid}.first").write_text(str(sum(used())))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "call":
        note_first(os.getpid())
