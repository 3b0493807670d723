"""Nothing outlives its run, and no run outlives its grader."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader import root
from grader.sandbox.isolation import CONFINED, HIGHEST, PROCESS, SUBREAPER

from .users import me, written

DAEMON = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.mkdir({place!r} + f"/{{os.getpid()}}")
        for fd in range(3, 64):
            try: os.close(fd)
            except OSError: pass
        while True: time.sleep(0.01)
    os._exit(0)
while not [name for name in os.listdir({place!r}) if name.isdigit()]: pass
{then}
"""


@pytest.mark.skipif(sys.platform != "linux", reason="a keeper needs Linux")
@pytest.mark.parametrize(
    "then",
    [
        pytest.param("pass", marks=pytest.mark.long), "os._exit(0)",
        pytest.param("while True: pass", marks=pytest.mark.long),
        pytest.param("os.kill(os.getpid(), 9)", marks=pytest.mark.long),
    ],
)  # fmt: skip
def test_no_daemon_outlives_its_run(place, then):
    folder = written(place, "")
    Path(folder, "babygrad", "ops.py").write_text(DAEMON.format(place=folder, then=then))
    result = me(place)("--package", folder, **{HIGHEST: PROCESS})
    assert SUBREAPER in result["isolation"]["protections"]
    pids = [int(p.name) for p in Path(folder).iterdir() if p.name.isdigit()]
    assert pids, result["unloadable"]
    assert not [pid for pid in pids if os.path.exists(f"/proc/{pid}")]


@pytest.mark.skipif(sys.platform != "linux", reason="death with the parent needs Linux")
@pytest.mark.sampled(quick=2)
@pytest.mark.parametrize("level", [CONFINED, PROCESS])
def test_the_worker_dies_with_the_grader(place, level):
    folder = written(place, "while True: pass\n")
    grader = subprocess.Popen(
        [sys.executable, "-m", "grader", "check", "chapter3.div", "--package", folder],
        env={**os.environ, "PYTHONPATH": root.ROOT, HIGHEST: level},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        workers = waited(lambda: busy(grader.pid))
    finally:
        grader.kill()
        grader.wait()
    assert waited(lambda: not [pid for pid in workers if os.path.exists(f"/proc/{pid}/exe")])


def busy(parent: int) -> list[int]:
    """The descendants of a process, as soon as one of them has worked for a while."""
    found, times = [parent], []
    for pid in found:
        for other in filter(str.isdigit, os.listdir("/proc")):
            try:
                fields = Path("/proc", other, "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == pid:
                found.append(int(other))
                times.append(int(fields[11]))
    return found[1:] if max(times, default=0) > 60 else []


def waited(what: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + 600
    while not (found := what()) and time.monotonic() < deadline:
        pass
    return found
