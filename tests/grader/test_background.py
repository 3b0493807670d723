"""Judging in a thread: a newer save ends an older run, and nothing that was owed is lost."""

from __future__ import annotations

import os
import select
import threading

import pytest

from grader.course.key_source import open_key
from grader.editor.background import Background, CancellableRun, Cancelled
from grader.learner import own_file as definition
from grader.sandbox.launch import ForkServer, stop_worker

SECONDS = 300
KILLED = [{"message": "It ended the Python process by kill.", "location": None, "exercises": []}]


def has_ended(worker):
    """Whether a process ends by itself: nobody holds the other end of its pipe any more."""
    while select.select([worker.frames], [], [], 60)[0]:
        if not os.read(worker.frames, 1 << 16):
            return True
    return False


def test_a_stopped_run_has_no_workers_and_starts_none():
    run = CancellableRun()
    with ForkServer(restarts=True, keep=run.keep) as warm:
        first, second = warm.fork(), warm.fork()
        stop_worker(first)
        run.stop()
        assert has_ended(second) and stop_worker(second) == 9
        with pytest.raises(Cancelled):
            warm.fork()
        run.reap()
        assert not run._living
        stop_worker(warm.fork())


class Told:
    """Collects what a background process has told so far."""

    def __init__(self):
        self.rounds, self.said = [], []
        self.news = threading.Condition()

    def take(self, where, what):
        with self.news:
            where.append(what)
            self.news.notify_all()

    def until(self, is_so):
        with self.news:
            assert self.news.wait_for(is_so, SECONDS), (self.rounds, self.said)


@pytest.fixture
def told():
    return Told()


@pytest.fixture
def background(workspace, told):
    made = Background(
        open_key(), str(workspace / "babygrad"),
        lambda faults: told.take(told.rounds, faults), lambda says: told.take(told.said, says),
    )  # fmt: skip
    yield made
    made.close()


def test_what_goes_wrong_with_an_order_is_said_and_the_next_is_carried_out(background, told):
    def bad(session):
        raise ZeroDivisionError("of ours")

    background._put(bad)
    background.check("chapter3.sub.forward")
    told.until(lambda: len(told.said) == 2)
    assert "Our fault, not yours: ZeroDivisionError: of ours" in told.said[0]
    assert told.said[1] == "chapter3.sub.forward: pending" and told.rounds == [[]]


def test_what_a_stopped_run_has_not_judged_is_judged_by_the_next(background, told, workspace):
    ops = workspace / "babygrad" / "ops.py"
    text = ops.read_text()
    begun = threading.Event()

    def stopped(session):
        background._run.stop()  # as by a newer save that comes now
        begun.set()
        yield from session.saved()

    background.check("chapter3.sub.forward")
    told.until(lambda: told.said)
    wrong = definition.with_body(
        text, definition.find_definition(text, "Sub.forward"), ["return b - a"]
    )
    ops.write_text(wrong)
    background._put(stopped)
    assert begun.wait(SECONDS)
    ops.write_text(wrong + "# the same, and a comment\n")
    background.save()
    told.until(lambda: any(told.rounds))
    assert [fault.code for fault in told.rounds[-1]] == ["chapter3.sub.forward"]


def test_what_comes_of_a_worker_that_a_save_has_killed_is_not_told(background, told, workspace):
    """The run had read what the save then announced, so nothing has changed since."""
    ops = workspace / "babygrad" / "ops.py"
    text = ops.read_text()
    read = threading.Event()

    def killed(session):
        (found,) = [*session.saved()][:1]
        background._run.stop()  # as by a save that comes when the last worker runs
        read.set()
        yield found._replace(result={**found.result, "unloadable": KILLED})

    background.check("chapter3.sub.forward")
    told.until(lambda: told.said)
    ops.write_text(
        definition.with_body(
            text, definition.find_definition(text, "Sub.forward"), ["return b - a"]
        )
    )
    background._put(killed)
    assert read.wait(SECONDS)
    background.save()
    told.until(lambda: any(told.rounds))
    assert [fault.code for fault in told.rounds[-1]] == ["chapter3.sub.forward"]
