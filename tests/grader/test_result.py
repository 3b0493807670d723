"""The canonical result: arrays as words, and what nobody may read taken out of a check."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from grader.course.key_encoding import to_buffer
from grader.result import (
    MOST_VALUES,
    _first_difference,
    _read_out,
    hide_answers,
    hide_inputs,
    is_a_line,
    list_array,
    without_place,
)

from .examples import SOME


@SOME
@given(array=hnp.arrays("float64", hnp.array_shapes(max_dims=3, max_side=4)))
def test_every_array_can_stand_in_json(array):
    found = list_array(to_buffer(array))
    json.dumps(found, allow_nan=False)
    if array.size <= MOST_VALUES and np.isfinite(array).all():
        np.testing.assert_array_equal(found, array)


def test_what_is_no_number_of_json_is_a_word():
    assert list_array(to_buffer(np.array([math.nan, math.inf, -math.inf]))) == [
        "nan",
        "inf",
        "-inf",
    ]


def test_a_large_array_is_described():
    assert isinstance(list_array(to_buffer(np.zeros(MOST_VALUES))), list)
    large = list_array(to_buffer(np.arange(65.0).reshape(5, 13)))
    assert large == "float64 array of shape (5, 13): 0, 1, 2, 3, …"


def test_a_large_array_is_shown_from_where_it_is_wrong():
    right = to_buffer(np.arange(65.0).reshape(5, 13))
    wrong = to_buffer(np.where(np.arange(65) == 28, -1.0, np.arange(65.0)).reshape(5, 13))
    at = _first_difference(wrong, right)
    assert at == 28 and _first_difference(right, right) == 0
    shown = list_array(wrong, at=at)
    assert shown == "float64 array of shape (5, 13), from [2, 2] on: -1, 29, 30, 31, …"
    assert _first_difference(to_buffer(np.ones(65)), right) == 0  # other shapes, other places


def test_text_is_listed_as_text_only_where_a_check_compares_texts():
    array = to_buffer(np.frombuffer(b"ab", np.uint8))
    assert list_array(array, as_text=True) == "ab" and list_array(array) == [97, 98]
    assert list_array(to_buffer(np.array([1.0])), as_text=True) == [1.0]


@pytest.mark.parametrize(
    ("file", "line", "right"),
    [("ops.py", 1, True), ("ops.py", 3, True), ("ops.py", 4, False), ("ops.py", 0, False),
     ("nn.py", 1, False)],
)  # fmt: skip
def test_only_a_place_that_is_there_is_told(file, line, right):
    assert is_a_line({"ops.py": b"a\nb\nc"}, file, line) is right


def check(**mistake):
    return {
        "id": "x", "message": "f(42)", "location": "ops.py:42", "yours": [42.0],
        "expected": {"reference": [1.0], "finite_difference": None, "pytorch": None},
        "mistake": mistake or None, "status": "failed",
    }  # fmt: skip


def test_of_a_hidden_check_a_mistake_stays_and_numbers_and_lines_go():
    found = hide_inputs(check(name="twice", says="You doubled it."), "It fails.")
    assert "42" not in json.dumps(found) and found["message"] == "It fails."
    assert found["expected"] == hide_answers() and found["mistake"]["name"] == "twice"


def test_a_fact_that_holds_a_number_goes_too():
    for name in ("inferred:factor", "a + inferred:offset"):
        assert without_place(check(name=name, says="42 times"))["mistake"] is None
    assert without_place(check(name="inferred:sign", says="s"))["mistake"] is not None
    assert without_place(check())["mistake"] is None
    assert without_place(check())["yours"] == [42.0]  # only the place


@SOME
@given(number=st.integers(-10_000, 10_000), parts=st.integers(1, 30))
def test_an_input_is_read_out_without_rounding_errors(number, parts):
    """A sum of many small steps is off in the last digits: 0.1 + 0.2."""
    value = sum([number / 100 / parts] * parts)
    for dtype in ("float64", "float32"):
        stored = np.array([[value]], dtype).astype(float).tolist()
        assert str(_read_out(stored, dtype)) == str([[round(number / 100, 2) + 0.0]])
    assert _read_out([1, True, "nan"], "int64") == [1, True, "nan"]
