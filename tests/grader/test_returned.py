"""Returned values are compared as arrays; texts, sets and dicts are compared as such."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course import Exercise, returns
from grader.course.compare import data_difference
from grader.course.key_encoding import to_buffer
from grader.course.returned import Complaint, value
from grader.judge.outcome import compare

from .examples import SOME

EXERCISE = Exercise("unit1.turned", targets=("first.turned",))


def call(found: object, right: object) -> dict[str, list[np.ndarray]]:
    """Return the arrays for a learner's result, from a check that expects ``right``."""
    (probe,) = returns(EXERCISE, "value", (1,), right, "it is said").probes
    module = SimpleNamespace(turned=lambda one: found)
    return value(SimpleNamespace(first=module), *probe.args)


def is_right(found: object, right: object) -> bool:
    """Whether a result passes the check that expects ``right``."""
    check = returns(EXERCISE, "value", (1,), right, "it is said")
    (mine,), (theirs,) = (
        call(found, right)[check.part],
        check.probes[0].oracles["right"]()[check.part],
    )
    row = {"compare": check.compare, "scalar_shape": False}
    return compare(row, to_buffer(mine), to_buffer(theirs), "exact") is None


@pytest.mark.parametrize(
    ("found", "right", "same"),
    [
        ({"b": 1, "a": [2, 3]}, {"a": (2, 3), "b": 1}, True), ({"a": "1"}, {"a": 1}, False),
        ({3, 1, 2}, {1, 2, 3}, True), ({"a", "b"}, {"a, b"}, False), ("ab", "ab", True),
        ({"a": np.int64(2)}, {"a": 2}, True), ([1.5, 2.0], (1.5, 2), True), ([1], [2], False),
        ({"a": 0.1 + 0.2}, {"a": 0.3}, True), ({"a": 0.3001}, {"a": 0.3}, False),
        ({"a": np.float32(0.1)}, {"a": 0.1}, True), ({"a": 2}, {"a": 2.0}, True),
        ({"a": 2.0}, {"a": 2}, False), ({"a": True}, {"a": 1}, False),
        ({"a": "0.30"}, {"a": "0.3"}, False),
        ({9.9999999999999, 9.5}, {10.0, 9.5}, True),
        ({(0.1 + 0.2, "a"), (0.3, "b")}, {(0.3, "a"), (0.3, "b")}, True),
        ({0.1 + 0.2: 1, 2.0: 5}, {0.3: 1, 2.0: 5}, True), ([{"a": 0.1 + 0.2}], [{"a": 0.3}], True),
        (["a", 0.1 + 0.2], ("a", 0.3), True), ([[1], [2, 0.1 + 0.2]], [[1], [2, 0.3]], True),
        ({"a": np.array([0.1 + 0.2, 1])}, {"a": [0.3, 1.0]}, True),
        (Counter("aab"), {"a": 2, "b": 1}, True),
        ({"a": float("nan")}, {"a": float("nan")}, True), ({"a": float("inf")}, {"a": 1.0}, False),
        ({"a": 1e-17}, {"a": 0.0}, True), ({"m": 0.0011, "t": 1e6}, {"m": 0.001, "t": 1e6}, False),
        ({"a": 0.3, "b": 0.1 + 0.2}, {"a": 0.1 + 0.2, "b": 0.3}, True),
        ({"a": 10**400}, {"a": 10**400}, True),
        ({"a": -0.5}, {"a": 0.5}, False), ({"a": 0.3}, {"a": 0.3, "b": 1}, False),
        (set(), set(), True),
    ],
)  # fmt: skip
def test_it_is_right_if_it_is_the_same_whatever_its_order_and_last_digit(found, right, same):
    assert is_right(found, right) == same


FLOATS = st.floats(-1e9, 1e9, allow_nan=False)
DATA = st.recursive(
    st.one_of(FLOATS, st.integers(-9, 9), st.booleans(), st.text(max_size=3)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=2), inner, max_size=4)
    ),
    max_leaves=12,
)  # fmt: skip


def shaken(found: object, by: float) -> object:
    """The same data, each float off by this share."""
    if isinstance(found, dict):
        return {key: shaken(each, by) for key, each in reversed(found.items())}
    if isinstance(found, list):
        return [shaken(each, by) for each in found]
    return found * (1 + by) if isinstance(found, float) else found


@SOME
@given(data=st.dictionaries(st.text(max_size=2), DATA, min_size=1, max_size=4))
def test_rounding_never_costs_a_point_and_a_real_difference_always_does(data):
    assert is_right(shaken(data, 1e-12), data)
    far = shaken(data, 1e-3)
    assert is_right(far, data) == (str(far) == str(shaken(data, 0.0)) or not differs(far, data))


def differs(one: object, other: object) -> bool:
    """Whether some float is off by more than the absolute tolerance."""
    if isinstance(one, dict):
        return any(differs(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return any(map(differs, one, other))
    return isinstance(one, float) and abs(one - other) > 1e-11 + 1e-9 * abs(other)


def test_a_report_names_what_is_wrong_and_no_last_digit():
    check = returns(EXERCISE, "value", (1,), {"a": 0.3, "b": 2.5, "c": 1}, "it is said")
    (theirs,) = check.probes[0].oracles["right"]()["data"]
    (mine,) = call({"a": 0.1 + 0.2, "c": 1}, {"a": 1})["data"]
    found = data_difference(to_buffer(mine), to_buffer(theirs), "exact")
    assert found.says == "it is \"{'a': 0.3, 'c': 1}\", not \"{'a': 0.3, 'b': 2.5, 'c': 1}\""


@pytest.mark.parametrize(
    ("found", "right", "says"),
    [(None, 1, "did you forget `return`"), ("{'a'}", {"a"}, "a str; a set was expected")],
)
def test_what_is_of_another_kind_is_told(found, right, says):
    with pytest.raises(Complaint, match=says):
        call(found, right)


def test_a_call_shows_what_it_is_given_and_names_its_arrays():
    check = returns(EXERCISE, "value", (np.ones(3), [1], "x"), 2, "it is said", hidden=True)
    assert check.probes[0].call == "turned(a, [1], 'x')" and check.hidden
    assert check.says == "turned returns the right value."
