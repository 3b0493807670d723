"""Returned values are compared as arrays; texts, sets and dicts are compared as such."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from grader.course import Exercise, returns
from grader.course.returned import Complaint, value

EXERCISE = Exercise("unit1.turned", targets=("first.turned",))


def given(found: object, right: object) -> list[np.ndarray]:
    """Return the arrays for a learner's result, from a check that expects ``right``."""
    (probe,) = returns(EXERCISE, "value", (1,), right, "it is said").probes
    module = SimpleNamespace(turned=lambda one: found)
    return value(SimpleNamespace(first=module), *probe.args)["value"]


@pytest.mark.parametrize(
    ("found", "right", "same"),
    [
        ({"b": 1, "a": [2, 3]}, {"a": (2, 3), "b": 1}, True), ({"a": "1"}, {"a": 1}, False),
        ({3, 1, 2}, {1, 2, 3}, True), ({"a", "b"}, {"a, b"}, False), ("ab", "ab", True),
        ({"a": np.int64(2)}, {"a": 2}, True), ([1.5, 2.0], (1.5, 2), True), ([1], [2], False),
    ],
)  # fmt: skip
def test_it_is_right_if_it_is_the_same_whatever_its_order(found, right, same):
    check = returns(EXERCISE, "value", (1,), right, "it is said")
    (mine,), (theirs,) = given(found, right), check.probes[0].oracles["right"]()["value"]
    assert (mine.shape == theirs.shape and np.array_equal(mine, theirs)) == same
    assert check.compare == ("close" if isinstance(right, (list, tuple)) else "text")


@pytest.mark.parametrize(
    ("found", "right", "says"),
    [(None, 1, "did you forget `return`"), ("{'a'}", {"a"}, "a str; a set was expected")],
)
def test_what_is_of_another_kind_is_told(found, right, says):
    with pytest.raises(Complaint, match=says):
        given(found, right)


def test_a_call_shows_what_it_is_given_and_names_its_arrays():
    check = returns(EXERCISE, "value", (np.ones(3), [1], "x"), 2, "it is said", hidden=True)
    assert check.probes[0].call == "turned(a, [1], 'x')" and check.hidden
    assert check.says == "turned returns the right value."
