"""Answers as every machine writes them: without the last bits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grader.arrays import Array
from grader.course.compare import TOLERANCES, difference
from grader.course.settled_answers import DIFFERENCES, EXACT, settled


@given(st.lists(st.floats(width=32, allow_nan=False), min_size=1, max_size=5))
@example([0.0, -0.0, 1e-30, 1.0])
@example([float("inf"), 0.1])
@example([3.4028220466166163e38])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_what_is_settled_stays_right_and_settled(dtype, values):
    array = Array(dtype, (len(values),), np.array(values, dtype).tobytes())
    once = settled({"value": [array]})
    assert settled(once) == once
    if np.isfinite(values).all():
        assert difference(once["value"][0], array, "exact") is None


@pytest.mark.parametrize("values", [[-0.0, 0.0], [1e-16, -3e-17], [-0.0, 2e-15, 100.0]])
def test_nothing_is_zero_and_has_one_face(values):
    """A gradient that is zero by nature is what rounding left over, another on each processor."""
    array = Array("float64", (len(values),), np.array(values).tobytes())
    (found,) = settled({"value": [array]})["value"]
    expected = [value if value > 1 else 0.0 for value in values]
    assert bytes(found.data) == np.array(expected).tobytes()


@pytest.mark.parametrize(
    ("oracle", "roundings"), [("exact", EXACT), ("finite_difference", DIFFERENCES)]
)
def test_what_is_nothing_lies_far_within_what_the_judge_lets_pass(oracle, roundings):
    for dtype, rounding in roundings.items():
        assert 40 * rounding.nothing < TOLERANCES[oracle, dtype].absolute


def test_settled_nans_have_one_face():
    faces = np.array([np.nan, -np.nan])
    (array,) = settled({"value": [Array("float64", (2,), faces.tobytes())]})["value"]
    assert bytes(array.data)[:8] == bytes(array.data)[8:]
