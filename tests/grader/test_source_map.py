"""The map from lines to exercises, and what it tells of a package that lacks a definition."""

from __future__ import annotations

import pytest

from grader.judge.source_map import SourceMap
from grader.sandbox.observation import Definition

# A base class of the course, and two ops: `Sub` has no `forward`, `Mul.forward` is a stub.
DEFINED = [
    Definition("ops.Function", "ops.py", 1, 9, False),
    Definition("ops.Function.forward", "ops.py", 5, 7, False),
    Definition("ops.Sub", "ops.py", 10, 19, False),
    Definition("ops.Sub.backward", "ops.py", 12, 15, False),
    Definition("ops.Mul", "ops.py", 20, 29, False),
    Definition("ops.Mul.forward", "ops.py", 22, 25, True),
]
OWNERS = {
    "ops.Function": "c1.function", "ops.Sub.forward": "c1.sub", "ops.Sub.backward": "c1.back",
    "ops.Mul.forward": "c1.mul", "nn.Linear.forward": "c2.linear",
}  # fmt: skip


@pytest.fixture
def places() -> SourceMap:
    return SourceMap({d.target: d for d in DEFINED}, OWNERS, frozenset({"ops.Function.forward"}))


@pytest.mark.parametrize(
    ("target", "is_missing", "is_unwritten"),
    [("ops.Sub.forward", True, True), ("ops.Mul.forward", False, True),
     ("ops.Sub.backward", False, False), ("nn.Linear.forward", False, False)],
)  # fmt: skip
def test_missing_is_what_a_listed_file_lacks(places, target, is_missing, is_unwritten):
    assert places.is_missing(target) is is_missing
    assert places.is_unwritten(target) is is_unwritten
    assert places.is_listed(target) is target.startswith("ops.")


def test_a_file_that_nobody_imported_can_hold_an_exercise(places):
    assert places.can_be_in("c2.linear", "nn.py")
    assert not places.can_be_in("c1.sub", "ops.py") and not places.can_be_in("c1.sub", "nn.py")


@pytest.mark.parametrize(("line", "owner"), [(13, "c1.back"), (6, "c1.function"), (28, None)])
def test_a_line_lies_in_the_exercise_around_it(places, line, owner):
    assert places.exercise_around("ops.py", line) == owner
    assert places.exercise_around("nn.py", line) is None


def test_what_is_entered_is_known_by_its_first_line(places):
    assert places.exercises_entered({("ops.py", 12), ("ops.py", 13), ("nn.py", 12)}) == {"c1.back"}
    assert places.exercises_entered({("ops.py", 1)}) == {"c1.function"}


@pytest.mark.parametrize(
    ("line", "lacking"), [(6, ["c1.sub"]), (13, []), (24, ["c1.sub"]), (99, [])]
)
def test_a_method_that_raises_may_be_inherited_by_what_lacks_one(places, line, lacking):
    assert [*places.exercises_inheriting("ops.py", line)] == lacking
