"""Values of the key as Python source: run again, they are the same."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from grader.arrays import Array
from grader.learner.literal import WIDTH, array, literal, nested, number

from .examples import SOME
from .small_key import Probes

ARRAYS = st.sampled_from(["float64", "float32", "int64", "bool"]).flatmap(
    lambda dtype: hnp.arrays(dtype, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0))
)


@SOME
@given(found=ARRAYS, column=st.integers(0, 20))
def test_an_array_is_the_same_when_its_text_is_run(found, column):
    text = array(Array(found.dtype.name, found.shape, found.tobytes()), column)
    again = eval(text, {"np": np})
    np.testing.assert_array_equal(again, found)
    assert again.dtype == found.dtype and again.shape == found.shape


@SOME
@given(value=st.recursive(st.integers(-9, 999), lambda x: st.lists(x, min_size=1), max_leaves=40))
def test_lists_stay_within_the_width(value):
    text = nested(value)
    assert eval(text) == value
    assert max(map(len, text.splitlines())) <= WIDTH


@pytest.mark.parametrize(
    ("value", "text"),
    [(float("nan"), "np.nan"), (float("-inf"), "-np.inf"), (0.1, "0.1"), (True, "True"),
     ("a", "'a'"), (None, "None")],
)  # fmt: skip
def test_what_is_no_number_has_a_name(value, text):
    assert number(value) == text


def test_arguments_are_read_out_of_the_key():
    probes = Probes()
    probes.add([1.0], a=[0.5, 2.0])
    key = probes.key([], [])
    here = {"array": key.probes[0]["shown"][0][1]}
    args = {"tuple": [here, {"slice": [1, None, 2]}, {"mode": ["same"]}]}
    text = literal(args, key)
    assert text == "(np.array([0.5, 2.0]), slice(1, None, 2), {'mode': ['same']})"
    assert literal({"tuple": [1]}, key) == "(1,)"
    wide = literal([here] * 12, key)
    assert len(eval(wide, {"np": np})) == 12 and max(map(len, wide.splitlines())) <= WIDTH
