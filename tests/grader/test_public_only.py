"""A class's feedback on public calls comes from a worker that knows no hidden input."""

from __future__ import annotations

from typing import Any

import pytest

from grader.course.key_file import Key
from grader.course.key_source import open_key
from grader.course.load import Course
from grader.course.package import Package
from grader.grade_package import Grading
from grader.judge.judge import ExerciseVerdict
from grader.result import result
from grader.sandbox.launch import ForkServer, require_numpy
from grader.sandbox.session import Session

IDS = ["chapter3.div.forward", "chapter3.sub.forward"]
SEEN = """\
import sys
frame = sys._getframe()
while not hasattr(frame.f_locals.get("self"), "sender"):
    frame = frame.f_back
shapes = str(sorted({shape for _, shape, _ in frame.f_locals["self"].request["arrays"].values()}))
"""
SAYS = {
    "raises": f"{SEEN}raise ValueError(shapes)",
    "gives": f"{SEEN}return np.array(float(len(shapes)))",
}


@pytest.fixture(scope="module")
def key() -> Key:
    return open_key()


def checks(key: Key, course: Course, body: str, public_only: bool) -> list[dict[str, Any]]:
    """Return the checks of this division's code, judged in a class or by its own learner."""
    files = {n: t.encode() for n, t in course.replace_bodies({"ops.Div.forward": body}).items()}
    with ForkServer(require_numpy()) as fork_server:
        package = Package("/l/babygrad", files, "")
        grading = Grading(key, package, fork_server.fork, set(), public_only=public_only)
        found = result(grading, grading.grade(IDS))
    sub, div = found["chapters"][0]["exercises"]
    assert (div["score"], sub["status"]) == (0, "passed")
    return list(div["checks"])


def said(found: list[dict[str, Any]], hidden: bool) -> set[str]:
    """Return what the report says of the values, without the call and its inputs."""
    names = {"value", "more"}
    mine = [c for c in found if c["hidden"] == hidden and c["id"].rpartition("/")[2] in names]
    assert mine
    return {str(c["yours"] or c["message"].splitlines()[-1]) for c in mine}


@pytest.mark.parametrize("way", SAYS)
def test_nothing_hidden_is_said_of_a_public_call(key: Key, course: Course, way: str) -> None:
    plain = checks(key, course, SAYS[way], public_only=False)
    assert said(plain, hidden=False) == said(plain, hidden=True)  # so it could be told
    public_only = checks(key, course, SAYS[way], public_only=True)
    assert said(public_only, hidden=True) == said(plain, hidden=True)  # for the staff alone
    assert not said(public_only, hidden=False) & said(plain, hidden=True)


def graded(
    key: Key, course: Course, ids: list[str] = IDS, session: type[Session] = Session, **bodies: str
) -> dict[str, ExerciseVerdict]:
    """Return a class's verdicts on the reference with these bodies, named `ops__Div__forward`."""
    named = {name.replace("__", "."): body for name, body in bodies.items()}
    return graded_files(key, course.replace_bodies(named), ids, session)


def graded_files(
    key: Key, texts: dict[str, str], ids: list[str], session: type[Session]
) -> dict[str, ExerciseVerdict]:
    files = {name: text.encode() for name, text in texts.items()}
    with ForkServer(require_numpy()) as fork_server:
        package = Package("/l/babygrad", files, "")
        grading = Grading(key, package, fork_server.fork, set(), session=session, public_only=True)
        return grading.grade(ids)


def public_of(key: Key, chapter: str) -> set[int]:
    """Return the probes of a chapter that public checks look at."""
    checks = key.chapter(chapter).checks
    return {n for check in checks if not check["hidden"] for n in check["probes"]}


def test_what_fails_beside_hidden_calls_alone_fails_there(key: Key, course: Course) -> None:
    numbers = "{probe[0] for probe in frame.f_locals['self'].request['probes']}"
    beside = f"{SEEN}if {numbers} - {public_of(key, 'chapter3')}:"
    body = f"{beside}\n    raise ValueError(shapes)\nreturn a / b"
    checks = graded(key, course, ops__Div__forward=body)[IDS[0]].checks
    found = {(check.check["hidden"], check.status) for check in checks}
    assert found == {(False, "passed"), (True, "crashed")}


Started = list[tuple[str, bool, set[int]]]  # chapter, is it told what is hidden, what runs


def noted(key: Key) -> tuple[type[Session], Started]:
    """Return sessions that note each start of a worker; only hidden probes may overlap."""
    started: Started = []
    sessions: set[Noted] = set()

    class Noted(Session):
        def _start(self, todo):  # type: ignore[no-untyped-def]
            channel = super()._start(todo)
            sessions.add(self)
            chapter = self.request["probes"][0][4].partition(".")[0]
            self.told = {p[0] for p in self.request["probes"]} - public_of(key, chapter)
            started.append((chapter, bool(self.told), set(todo)))
            alive = [each for each in sessions if each.channel is not None]
            assert alive == [self] or all(each.told for each in alive)
            return channel

    return Noted, started


def test_all_that_is_public_has_run_before_anything_hidden_is_sent(
    key: Key, course: Course
) -> None:
    session, started = noted(key)
    ids = ["chapter2.init", *IDS, "chapter3.div.backward"]
    wrong = "a, b = node._inputs\nreturn out_grad, out_grad"
    failing = graded(key, course, ids, session, ops__Div__backward=wrong)[ids[-1]].failing
    first = [told for _, told, _ in started].index(True)
    assert {chapter for chapter, _, _ in started[:first]} == {"chapter2", "chapter3"}
    # One explains; in one a public call runs alone, as it gave what an earlier call gave.
    assert [runs for _, told, runs in started[first:] if not told] == [set(), {min(failing)}]
    assert any(runs for _, told, runs in started if told)


def test_files_that_work_alone_run_first_what_is_public_of_them(key: Key, course: Course) -> None:
    """If one file cannot be imported, each file runs in a worker of its own."""
    session, started = noted(key)
    texts = {**course.solved(), "engines/apply.py": "raise ValueError\n"}
    ids = ["chapter11.apply.mul", "chapter11.closure.mul"]
    found = graded_files(key, texts, ids, session)
    assert [found[id].status for id in ids] == ["crashed", "passed"]
    first = [told for _, told, _ in started].index(True)
    assert first > 1 and all(told for _, told, runs in started[first:] if runs)


def test_right_code_is_told_nothing(key: Key, course: Course) -> None:
    assert {v.status for v in graded(key, course).values()} == {"passed"}
