"""The watch judges the exercises whose text a save changed, and finds the next chapter.

Its fork server has a worker ready at once, also after an accident.
"""

from __future__ import annotations

import os
import signal

import pytest

from grader.course.key_source import open_key
from grader.editor.watch_session import EditTracker, RestartingForkServer, WatchSession
from grader.learner.workspace import read_progress, write_progress
from grader.sandbox.launch import stop_worker


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
    warm = RestartingForkServer()
    try:
        stop_worker(warm.fork())
        worker = warm.fork()
        die(warm)
        stop_worker(worker)
        stop_worker(warm.fork())
        die(warm)
        stop_worker(warm.fork())
        assert warm.restarts == 1
    finally:
        warm.close()


@pytest.mark.parametrize("names", [[], ["chapter3"]])
def test_where_all_is_passed_n_goes_on_to_the_next_chapter(names, workspace):
    place, key, warm = str(workspace / "babygrad"), open_key(), RestartingForkServer()
    passed = {"status": "passed", "score": 1.0, "max_score": 1.0, "blocked_by": []}
    mine = [id for id, _, given in key.outline if id.startswith("chapter3.") and not given]
    try:
        session = WatchSession(key, place, names, warm)
        note = write_progress(place, dict.fromkeys(mine, passed), "0" * 64)
        session.statuses = read_progress(place)
        assert not note and session.next() is None
        assert str(session.go_on()).startswith("chapter4.")
        assert session.ids and all(id.startswith("chapter4.") for id in session.ids)
    finally:
        warm.close()
