"""The watch judges the exercises whose text a save changed, and finds the next chapter.

Its fork server has a worker ready at once, also after an accident.
"""

from __future__ import annotations

import os
import signal

import pytest

from grader.course.key_source import open_key
from grader.editor.watch_session import EditTracker, WatchSession
from grader.learner.workspace import read_progress, write_progress
from grader.sandbox.launch import ForkServer, stop_worker


def test_only_what_reads_otherwise_counts_as_edited():
    owners = {"ops.A.f": "x.a", "ops.g": "x.g"}
    editor = EditTracker(owners)
    text = (
        "import numpy\n\n\nclass A:\n    def f(self):\n        return 1\n\n\ndef g():\n    pass\n"
    )
    editor.diff({"ops.py": text.encode()})
    assert editor.diff({"ops.py": text.encode()}) == ([], set(), False)
    moved = "\n" + text.replace("return 1", "return 2")
    assert editor.diff({"ops.py": moved.encode()}) == (["ops.py"], {"x.a"}, False)
    broken = moved.replace("pass", "pass (")
    assert editor.diff({"ops.py": broken.encode()}) == (["ops.py"], set(), True)
    assert editor.diff({"ops.py": moved.replace("pass", "return 3").encode()}).exercises == {"x.g"}
    assert editor.diff({"ops.py": moved.replace("numpy", "math").encode()}).elsewhere
    assert editor.diff({}) == (["ops.py"], {"x.a", "x.g"}, True)


def die(warm):
    """Kill the warm parent, and wait until it is dead."""
    pid = warm._pid
    os.kill(pid, signal.SIGKILL)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)


def test_the_warm_parent_is_replaced_when_it_dies():
    with ForkServer(restarts=True) as warm:
        worker, pids = warm.fork(), [warm._pid]
        die(warm)
        assert stop_worker(worker) == signal.SIGKILL
        for _ in range(2):
            stop_worker(warm.fork())
            pids.append(warm._pid)
            die(warm)
        assert len({*pids}) == 3 and 0 not in pids


def test_a_worker_of_a_dead_fork_server_leaves_its_successor_alone():
    with ForkServer(restarts=True) as warm:
        early = warm.fork()
        die(warm)
        stop_worker(warm.fork())
        successor = warm._pid
        stop_worker(early)
        stop_worker(warm.fork())
        assert warm._pid == successor


@pytest.mark.parametrize("names", [[], ["chapter3"]])
def test_where_all_is_passed_n_goes_on_to_the_next_chapter(names, workspace):
    place, key = str(workspace / "babygrad"), open_key()
    passed = {"status": "passed", "score": 1.0, "max_score": 1.0, "blocked_by": []}
    mine = [id for id, _, given in key.outline if id.startswith("chapter3.") and not given]
    with ForkServer(restarts=True) as warm:
        session = WatchSession(key, place, names, warm)
        note = write_progress(place, dict.fromkeys(mine, passed), "0" * 64)
        session.statuses = read_progress(place)
        assert not note and session.next() is None
        assert str(session.go_on()).startswith("chapter4.")
        assert session.ids and all(id.startswith("chapter4.") for id in session.ids)
