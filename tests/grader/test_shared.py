"""The worker imports nothing of the grader, so its constants are compared with ours."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from grader.judge import fault_localisation
from grader.sandbox import channel, observation, session

WORKER = Path(observation.__file__).parent / "worker"


@pytest.fixture(scope="module")
def worker():
    """Return the import of a worker's module by its bare name, as the worker does it."""
    before = set(sys.modules)
    sys.path.insert(0, str(WORKER))
    yield importlib.import_module
    sys.path.remove(str(WORKER))
    for name in set(sys.modules) - before:
        if (
            getattr(sys.modules[name], "__file__", None)
            and str(WORKER) in sys.modules[name].__file__
        ):
            del sys.modules[name]


def test_frames_are_written_as_they_are_read(worker):
    wire = worker("wire")
    assert (wire.MAGIC, wire.HEADER.format) == (observation.MAGIC, observation.HEADER.format)
    assert [getattr(wire, kind.upper()) for kind in observation.KINDS] == [
        *range(len(observation.KINDS))
    ]
    limits = ("MOST_BYTES", "MOST_FIELDS", "MOST_AXES", "MOST_TEXT")
    assert [getattr(wire, n) for n in limits] == [getattr(observation, n) for n in limits]
    import numpy as np

    codes = [wire.DTYPES[np.dtype(name).str] for name in observation.DTYPES[1:]]
    assert codes == [*range(1, len(observation.DTYPES))]


def test_time_is_cut_short_alike(worker):
    clock = worker("clock")
    assert worker("run").TIMEOUT_DIVISOR == session.TIMEOUT_DIVISOR
    assert clock.IDLE == channel.IDLE
    log, judge = worker("call_log"), fault_localisation
    assert (log.MOST_NODES, log.MOST_VALUES) == (judge.MOST_CALLS, judge.MOST_VALUES)
