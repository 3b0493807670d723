"""A process that ends in the middle of its answer: nobody waits for the other half."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import struct
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from grader.classroom import judging

DEADLINE = 120  # seconds, of a machine however busy; what hangs would hang for ever


def half_an_answer(mark: str, earlier: None) -> str:
    """The first time: some bytes of an answer of a thousand, and then nothing more."""
    if os.path.exists(mark):
        return f"{mark} is judged"
    (results,) = {id(o): o for o in gc.get_objects() if type(o).__name__ == "SimpleQueue"}.values()
    os.write(results._writer.fileno(), struct.pack("!i", 1000) + b"half")
    Path(mark).touch()
    if mark.endswith("killed"):
        os.kill(os.getpid(), signal.SIGKILL)
    signal.pause()
    return ""


@pytest.fixture
def plain_pool(monkeypatch):
    """Processes that judge nobody, and a limit to this test's own patience."""

    def executor(*_: object) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(2, multiprocessing.get_context("spawn"))

    def overdue(*_: object) -> None:
        raise TimeoutError

    monkeypatch.setattr(judging, "make_pool", executor)
    monkeypatch.setattr(judging, "_record", half_an_answer)
    before = signal.signal(signal.SIGALRM, overdue)
    signal.alarm(DEADLINE)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def test_a_batch_that_is_stopped_ends(plain_pool, tmp_path):
    mark = tmp_path / "stopped"
    with pytest.raises(KeyboardInterrupt), judging._pool(None, 2, 0) as processes:
        judging.submit_task(processes, (str(mark), None))
        while not mark.exists():
            time.sleep(0.01)
        raise KeyboardInterrupt


def test_a_batch_goes_on_without_a_process_that_was_killed(plain_pool, tmp_path):
    names = [str(tmp_path / name) for name in ("a killed", "b")]
    Path(names[1]).touch()
    done = dict(judging.judge_in_pool(names, lambda name: None, None, 2, 0))
    assert done == {(name, None): f"{name} is judged" for name in names}
