"""Observations of workers are kept: the same is not run twice, and what a clock decided is."""

from __future__ import annotations

import pytest

from grader.audit.proof import CourseCheck
from grader.memo import Memo
from grader.sandbox.session import Session


@pytest.fixture(scope="module")
def ids(course):
    return frozenset(id for id in course.exercises if id.startswith("chapter5.clip"))


@pytest.fixture
def counted(course, ids, proof, tmp_path):
    """Verdicts of a package, by a proof with a memo of its own, and how many workers it took."""

    def judge(sources: dict[str, str]):
        with CourseCheck(course, ids=ids, key=proof.key, memo=Memo(str(tmp_path))) as mine:
            launch, started = mine.launch, []
            mine.launch = lambda: started.append(1) or launch()
            return mine.judge(sources), len(started)

    return judge


def said(verdicts) -> list:
    return [
        (v.id, v.status, v.score, v.says, v.mistakes, v.blocked_by, v.failing, v.given,
         [(c.check["id"], c.status, c.says, c.inferred, c.notes) for c in v.checks])
        for v in verdicts.values()
    ]  # fmt: skip


def test_what_was_run_once_is_remembered_with_all_that_is_said_of_it(
    counted, course, ids, is_whole
):
    exercise = next(e for id, e in course.exercises.items() if id in ids and e.mistakes)
    for mistake in exercise.mistakes if is_whole else exercise.mistakes[:3]:
        sources = course.replace_bodies({mistake.target or exercise.targets[0]: mistake.body})
        first, workers = counted(sources)
        again, none = counted(sources)
        assert said(first) == said(again)
        assert workers >= 1 and none == 0, mistake.name


def test_other_code_is_run(counted, course):
    assert counted(course.solved())[1] == 1
    sources = course.solved()
    assert counted({**sources, "optim.py": sources["optim.py"] + "\n# new\n"})[1] == 1


@pytest.fixture
def little_time(monkeypatch):
    """Gives every probe a fifth of a second: a loop runs out of it, as out of any."""
    begin = Session.__init__

    def hasten(session, launch, request, *rest):
        probes = [(n, name, args, 0.2, e) for n, name, args, _, e in request["probes"]]
        begin(session, launch, {**request, "probes": probes}, *rest)

    monkeypatch.setattr(Session, "__init__", hasten)


def test_what_a_clock_has_decided_is_not_kept(little_time, counted, course, ids):
    target = next(e for id, e in course.exercises.items() if id in ids).targets[0]
    sources = course.replace_bodies({target: "while True:\n    pass"})
    for _ in range(2):
        verdicts, workers = counted(sources)
        assert workers and {v.status for v in verdicts.values()} == {"timed_out"}
