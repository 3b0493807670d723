"""A worker's notes about its ops are read within bounds, whatever they say."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from grader.arrays import FORMATS, Array
from grader.judge import fault_localisation
from grader.judge.fault_localisation import (
    NOT_CHECKED,
    RIGHT,
    WRONG,
    call_of,
    check_call,
    read_rows,
)

SIZES = st.integers(-3, 70) | st.sampled_from([1 << 20, 1 << 62, 10**9, -(10**12)])
SCALARS = st.none() | st.booleans() | SIZES | st.floats() | st.text(max_size=3)
ATTRS = st.lists(SCALARS | st.lists(SCALARS, max_size=4).map(tuple), max_size=3).map(tuple)
ARRAYS = st.sampled_from(sorted(FORMATS)).flatmap(
    lambda d: hnp.arrays(d, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3))
)


def plain(array: np.ndarray) -> Array:
    return Array(array.dtype.name, array.shape, array.tobytes())


def note(op: str, attrs: str, inputs, out_grad, gradients):
    parts = {"input": inputs, "out_grad": [out_grad], "gradient": gradients}
    texts = {"op": op, "attrs": attrs}
    return call_of(texts, {name: [plain(a) for a in arrays] for name, arrays in parts.items()})


@settings(max_examples=150)
@given(data=st.data())
def test_no_note_brings_the_grader_down(data):
    op = data.draw(st.sampled_from(sorted(read_rows())))
    attrs = data.draw(ATTRS.map(repr) | st.text(max_size=20))
    inputs = data.draw(st.lists(ARRAYS, max_size=3))
    gradients = data.draw(st.lists(ARRAYS, max_size=3))
    started = time.process_time()
    found = check_call(note(op, attrs, inputs, data.draw(ARRAYS), gradients))
    assert found.status in (RIGHT, WRONG, NOT_CHECKED)
    assert time.process_time() - started < fault_localisation.PATIENCE + 20


@pytest.mark.parametrize("attrs", ["((200000, 200000),)", "((1 << 40),)", "(10**9,)", "((-1,),)"])
def test_what_an_argument_would_make_is_bounded(attrs):
    one = np.ones(())
    assert check_call(note("BroadcastTo", attrs, [one], one, [one])).status == NOT_CHECKED


def test_large_notes_are_not_checked():
    many = np.ones(fault_localisation.MOST_VALUES)
    assert check_call(note("Exp", "()", [many], many, [many])).status == NOT_CHECKED


def test_time_for_notes_is_bounded():
    some = np.full(100, 0.5)
    call = note("Exp", "()", [some], some, [some])
    assert check_call(call, time.process_time() - 1).status == NOT_CHECKED
    assert check_call(call).status == WRONG


@pytest.mark.parametrize(
    ("op", "attrs", "shape", "out"),
    [
        ("MulScalar", "(250,)", (6,), (6,)), ("Reshape", "((10, 30),)", (300,), (10, 30)),
        ("Summation", "(-1,)", (40, 50), (40,)), ("PowerScalar", "(2,)", (7,), (7,)),
    ],
)  # fmt: skip
def test_what_learners_write_is_within_the_bounds(op, attrs, shape, out):
    inputs = np.linspace(0.5, 1.5, int(np.prod(shape))).reshape(shape)
    call = note(op, attrs, [inputs], np.ones(out), [np.zeros(shape)])
    assert check_call(call).status == WRONG
