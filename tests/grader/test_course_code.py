"""Predicates: what a worker is asked that looks at answers; `test_own_course.py` sees it run."""

from __future__ import annotations

import pytest

from grader.arrays import Array
from grader.sandbox.course_code import predicate_job, read_predicate
from grader.sandbox.observation import Observation

REQUEST = {
    "folder": "work", "files": {"__init__.py": b"secret"}, "programs": {}, "targets": ["a.b"],
    "import_seconds": 5.0,
    "modules": ["a.py"], "arrays": {0: ("int8", (1,), b"x")}, "predicates": {1: "calls.sound"},
    "probes": [(n, "calls.order", [{"array": 0}], 2.0, "unit1.order") for n in range(3)],
}  # fmt: skip


def test_it_is_given_the_answer_and_the_same_arguments_and_nothing_of_the_package():
    two = [Array("uint8", (2,), b"ab"), Array("int64", (), bytes(8))]
    asked = predicate_job(REQUEST, {1: Observation("arrays", {}, {"value": two})})
    ((number, program, (answer, given), seconds, exercise),) = asked["probes"]
    assert (number, program, seconds, exercise) == (1, "calls.sound", 2.0, "unit1.order")
    assert given == {"array": 0} and asked["arrays"][0] == ("int8", (1,), b"x")
    ((part, names),) = answer["dict"]
    sent = [asked["arrays"][each["array"]] for each in names]
    assert part == "value" and sent == [("uint8", (2,), b"ab"), ("int64", (), bytes(8))]
    assert asked["files"] == {"__init__.py": b""} and not asked["modules"] + asked["targets"]


@pytest.mark.parametrize(
    ("kind", "texts", "why"),
    [
        ("raised", {"type": "KeyError", "message": "hidden"}, "KeyError"),
        ("raised", {"type": "TimeUp"}, "it ran out of time"), ("died", {"signal": "9"}, "died"),
        ("raised", {"type": "Skipped", "after": "MemoryError"}, "it asked for too much memory"),
    ],
)  # fmt: skip
def test_what_it_fails_by_is_its_authors_fault_and_tells_no_input(kind, texts, why):
    got = read_predicate("calls.sound", Observation(kind, texts, {}))
    says = f"failed: {why}. That is its author's fault, not yours."
    assert got.kind == "broken" and got.texts["message"].endswith(says)
    assert "hidden" not in got.texts["message"]
