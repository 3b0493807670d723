"""What a class reads of a public call comes from a worker that knows no hidden input."""

from __future__ import annotations

from typing import Any

import pytest

from grader.course.key_file import Key
from grader.course.key_source import open_key
from grader.course.load import Course
from grader.course.package import Package
from grader.grade_package import Grading
from grader.result import result
from grader.sandbox.fork_client import Nursery
from grader.sandbox.launch import needed_numpy

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


def checks(key: Key, course: Course, body: str, apart: bool) -> list[dict[str, Any]]:
    """The checks of a division that was written so, in a class or by its own learner."""
    files = {n: t.encode() for n, t in course.patched({"ops.Div.forward": body}).items()}
    with Nursery(needed_numpy()) as nursery:
        package = Package("/l/babygrad", files, "")
        grading = Grading(key, package, nursery.launch, set(), apart=apart)
        found = result(grading, grading.grade(IDS))
    sub, div = found["chapters"][0]["exercises"]
    assert (div["score"], sub["status"]) == (0, "passed")
    return list(div["checks"])


def said(found: list[dict[str, Any]], hidden: bool) -> set[str]:
    """What was said of the values, without the call and its inputs."""
    names = {"value", "more"}
    mine = [c for c in found if c["hidden"] == hidden and c["id"].rpartition("/")[2] in names]
    assert mine
    return {str(c["yours"] or c["message"].splitlines()[-1]) for c in mine}


@pytest.mark.parametrize("way", SAYS)
def test_nothing_hidden_is_said_of_a_public_call(key: Key, course: Course, way: str) -> None:
    plain = checks(key, course, SAYS[way], apart=False)
    assert said(plain, hidden=False) == said(plain, hidden=True)  # so it could be told
    apart = checks(key, course, SAYS[way], apart=True)
    assert said(apart, hidden=True) == said(plain, hidden=True)  # for the staff alone
    assert not said(apart, hidden=False) & said(plain, hidden=True)


def test_what_comes_right_by_itself_is_wrong_all_the_same(key: Key, course: Course) -> None:
    request = "frame.f_locals['self'].request"
    asked = f"{{p[4] for p in {request}['probes'] if p[0] in {request}['run']}}"
    beside = f"if {asked} != {{'chapter3.div.forward'}}:"
    body = f"{SEEN}{beside}\n    raise ValueError(shapes)\nreturn a / b"
    found = checks(key, course, body, apart=True)
    assert {c["status"] for c in found} == {"failed", "crashed"}
    assert "by itself this one comes out right" in str(found[0]["message"])


def test_right_code_is_told_nothing_and_runs_once(key: Key, course: Course) -> None:
    files = {n: t.encode() for n, t in course.solved().items()}
    with Nursery(needed_numpy()) as nursery:
        grading = Grading(key, Package("/l/babygrad", files, ""), nursery.launch, set(), apart=True)
        verdicts = grading.grade(IDS)
    assert {v.status for v in verdicts.values()} == {"passed"}
