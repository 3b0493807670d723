"""The warm parent of a watch: a worker is there at once, also after an accident."""

from __future__ import annotations

import os
import signal

from grader.learner.warm import Warm
from grader.sandbox.launch import end, numpy_folder


def die(warm):
    """Kill the warm parent, and wait until it is dead."""
    pid = warm._nursery._pid
    os.kill(pid, signal.SIGKILL)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)


def test_the_warm_parent_is_replaced_when_it_dies():
    warm = Warm(numpy_folder())
    try:
        end(warm.launch())
        worker = warm.launch()
        die(warm)
        end(worker)
        end(warm.launch())
        die(warm)
        end(warm.launch())
        assert warm.restarts == 1
    finally:
        warm.close()
