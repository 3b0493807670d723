"""The judge's arithmetic without NumPy gives what NumPy gives."""

from __future__ import annotations

import operator

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from grader.arrays import Array, broadcast_index, elementwise, make_array, sum_to, swap_axes

from .examples import SOME

SHAPES = hnp.array_shapes(min_dims=0, max_dims=3, min_side=1, max_side=3)


def held(array: np.ndarray) -> Array:
    return make_array(array.shape, array.ravel().tolist())


def numbered(shape: tuple[int, ...]) -> np.ndarray:
    return np.arange(float(np.prod(shape, dtype=int))).reshape(shape)


@SOME
@given(data=st.data())
def test_axes_in_another_order_are_those_of_numpy(data):
    array = numbered(data.draw(SHAPES))
    order = tuple(data.draw(st.permutations(range(array.ndim))))
    found = swap_axes(held(array), order)
    np.testing.assert_array_equal(found.nested(), array.transpose(order))


@SOME
@given(shape=SHAPES, data=st.data())
def test_a_sum_goes_down_to_every_shape_that_broadcasts_to_it(shape, data):
    array = numbered(shape)
    dropped = data.draw(st.integers(0, array.ndim))
    small = tuple(1 if data.draw(st.booleans()) else n for n in shape[dropped:])
    found = sum_to(held(array), small)
    if np.prod(small) == array.size:
        assert found is None
    else:
        ones = (1,) * dropped + small
        axes = tuple(i for i, n in enumerate(ones) if n != shape[i])
        right = array.sum(axes, keepdims=True).reshape(small)
        np.testing.assert_array_equal(found.nested(), right)


def test_what_does_not_broadcast_has_no_sum():
    array = held(numbered((2, 3)))
    assert sum_to(array, (2,)) is None and sum_to(array, (1, 2, 1)) is None
    assert sum_to(array, (2, 3)) is None


def test_every_element_stems_from_one_of_the_smaller_shape():
    assert broadcast_index((1, 3), (2, 3)) == [0, 1, 2, 0, 1, 2]
    assert broadcast_index((2, 1), (2, 3)) == [0, 0, 0, 1, 1, 1]
    assert broadcast_index((), ()) == [0]


def test_one_value_goes_with_any_shape_and_other_sizes_do_not():
    two, three = (make_array((n,), [float(i) for i in range(n)]) for n in (2, 3))
    assert elementwise(operator.add, two, make_array((), [5.0])).values() == [5.0, 6.0]
    assert elementwise(operator.add, two, three) is None
