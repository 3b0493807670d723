"""Plain typed buffers: every dtype that travels reads back as NumPy would have it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from grader.arrays import FORMATS, Array

from .examples import SOME


def held(array: np.ndarray) -> Array:
    return Array(array.dtype.name, array.shape, array.tobytes())


@pytest.mark.parametrize("dtype", FORMATS)
def test_values_are_those_of_numpy(dtype):
    array = np.array([[0, 1, 1], [1, 0, 1]], dtype)
    assert held(array).values() == array.ravel().tolist()
    assert held(array).nested() == array.tolist()
    assert FORMATS[dtype][1] == array.itemsize


@SOME
@given(array=hnp.arrays("float64", hnp.array_shapes(min_dims=0, max_dims=4, min_side=1)))
def test_lists_are_nested_as_the_shape_says(array):
    np.testing.assert_array_equal(held(array).nested(), array)


def test_an_empty_array_is_an_empty_list_however_long_its_other_axes_claim_to_be():
    assert Array("float64", (0, 10**12), b"").nested() == []
    assert Array("float64", (10**12, 0), b"").nested() == []


@pytest.mark.parametrize(
    ("dtype", "kind"),
    [("float32", "float"), ("float64", "float"), ("bool", "bool"), ("int8", "int"),
     ("uint64", "int")],
)  # fmt: skip
def test_a_kind_is_the_dtype_without_its_size_and_sign(dtype, kind):
    assert Array(dtype, (), b"").kind == kind


@SOME
@given(text=st.text())
def test_text_travels_as_its_bytes(text):
    data = text.encode("utf-8", "replace")
    assert Array("uint8", (len(data),), data).text() == data.decode()


def test_bytes_that_are_no_text_become_one_that_can_be_shown():
    assert Array("uint8", (2,), b"a\xff").text() == "a\N{REPLACEMENT CHARACTER}"
