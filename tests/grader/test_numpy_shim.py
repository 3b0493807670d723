"""A stand-in for NumPy, where a page has none: what it sends is what NumPy sends."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from grader.book.page.page_judge import worker_module


@pytest.mark.parametrize("dtype", ["float64", "float32", "bool", "int64", "uint8"])
@pytest.mark.parametrize("value", [1, [1, 0, 1], [[1, 0], [0, 1], [1, 1]]])
def test_the_stand_in_sends_what_numpy_sends(dtype, value):
    wire, standin = worker_module("wire"), worker_module("numpy_shim")
    mine, right = standin.array(value, dtype), np.array(value, dtype)
    assert wire._array_field("x", mine) == wire._array_field("x", right)
    assert mine.dtype.str == right.dtype.str and mine.ravel().tobytes() == right.tobytes()


def test_the_stand_in_takes_its_types_from_the_numbers():
    standin = worker_module("numpy_shim")
    for value in (1.5, [1, 2.5], [1, 2], [True, False]):
        assert standin.array(value).dtype.str == np.array(value).dtype.str
    rows = [standin.array([1.0, 2.0]), standin.array([3.0])]
    assert list(standin.concatenate(rows)) == [1.0, 2.0, 3.0]
    assert list(standin.frombuffer(b"ab", standin.uint8)) == [97, 98]
    with pytest.raises(ValueError, match="one length"):
        standin.array([[1.0], [2.0, 3.0]])


def test_the_stand_in_has_numpys_ends_of_functions():
    standin = worker_module("numpy_shim")
    with np.errstate(all="ignore"):
        for name in ("sin", "exp", "log"):
            for x in (0.0, 0.3, -2.0, 800.0, 2.5):
                mine, right = getattr(standin, name)(x), float(getattr(np, name)(x))
                assert mine == pytest.approx(right, nan_ok=True)


def test_where_numpy_is_the_stand_in_is_never_lent():
    standin = worker_module("numpy_shim")
    with standin.install_numpy_shim():
        assert sys.modules["numpy"] is np
    assert sys.modules["numpy"] is np
