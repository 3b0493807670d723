"""Starting a worker: what is known before, and what is left of one that has ended."""

from __future__ import annotations

import os
import time

import numpy as np
import pytest

from grader.errors import OurFault
from grader.sandbox.launch import (
    PATIENCE,
    SIGKILL,
    Worker,
    find_numpy,
    numpy_version,
    open_pipes,
    require_numpy,
    start_worker,
    stop_worker,
)


def test_the_version_of_numpy_is_known_without_importing_it():
    assert numpy_version() == np.__version__


def test_every_pipe_has_one_end_on_each_side():
    ours, theirs = open_pipes()
    try:
        os.write(ours[0], b"request")
        assert os.read(theirs[0], 9) == b"request"
        for mine, other in zip(ours[1:], theirs[1:], strict=True):
            os.write(other, b"answer")
            assert os.read(mine, 9) == b"answer"
    finally:
        for fd in (*ours, *theirs):
            os.close(fd)


def test_a_worker_that_is_ended_leaves_no_process_and_no_descriptor():
    before = set(os.listdir("/dev/fd"))
    worker = start_worker()
    deadline = time.monotonic() + PATIENCE
    while os.getsid(worker.pid) != worker.pid:  # one that was forked makes its session itself
        assert time.monotonic() < deadline, "it has no session of its own"
        os.sched_yield()
    status = stop_worker(worker)
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == SIGKILL
    with pytest.raises(ProcessLookupError):
        os.kill(worker.pid, 0)
    assert set(os.listdir("/dev/fd")) == before


def test_who_reaps_a_worker_is_asked():
    ours, theirs = open_pipes()
    for fd in theirs:
        os.close(fd)
    asked = []
    worker = Worker(2**22 + 1, *ours, wait=lambda pid: asked.append(pid) or 7)
    assert stop_worker(worker, has_reaper=True) == 7 and asked == [worker.pid]


def test_without_numpy_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr("sys.meta_path", [])
    assert find_numpy() is None and numpy_version() == ""
    with pytest.raises(OurFault, match="pip install numpy"):
        require_numpy()
