"""Requests cross the pipes unchanged, and only plain arrays come back."""

from __future__ import annotations

import json
import marshal
import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from grader.course.key_encoding import encode_args
from grader.course.key_file import ArrayStore
from grader.errors import OurFault
from grader.learner.script import literal_source
from grader.sandbox.observation import FrameReader
from grader.sandbox.worker import wire

from .examples import SOME

NONCE = bytes(range(16))
ARRAYS = st.sampled_from(["float64", "float32", "int32", "uint8", "bool", ">f8", ">i4"]).flatmap(
    lambda dtype: hnp.arrays(dtype, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0))
)


class Kept(wire.Sender):
    """A writer into memory."""

    def put(self, frame: bytes) -> None:
        self.frame = frame


def crossed(arrays=(), **texts):
    sender = Kept(-1, NONCE)
    sender.send(7, wire.ARRAYS, arrays, **texts)
    reader = FrameReader(NONCE)
    reader.feed(sender.frame)
    return reader.next()


@SOME
@given(array=ARRAYS)
def test_an_array_arrives_with_its_shape_and_its_values(array):
    frame = crossed([("value", array)])
    (found,) = frame.parts["value"]
    assert (frame.probe, frame.kind, found.shape) == (7, "arrays", array.shape)
    np.testing.assert_array_equal(found.values(), array.ravel().tolist())
    assert found.dtype == array.dtype.newbyteorder("=").name


def test_texts_are_cut_and_what_is_no_text_is_written_out():
    assert crossed(message="x" * (wire.MOST_TEXT + 9)).texts["message"] == "x" * 4000
    assert crossed(line=12).texts == {"line": "12"}
    assert crossed(message="a\udcff").texts == {"message": "a?"}


@pytest.mark.parametrize(
    ("array", "says"),
    [(np.zeros(2, complex), "dtype is complex128"), (np.array(["a"]), "its dtype is <U1"),
     (np.zeros((1,) * 9), "it has 9 axes"), (np.array([object()]), "dtype is object"),
     (np.zeros(wire.MOST_BYTES // 8 + 1), "too large")],
)  # fmt: skip
def test_what_may_not_cross_is_refused_before_anything_is_written(array, says):
    sender = Kept(-1, NONCE)
    with pytest.raises(wire.Unsendable, match=says):
        sender.send(0, wire.ARRAYS, [("value", array)])
    assert not hasattr(sender, "frame")


def test_more_fields_than_a_frame_may_have_are_refused():
    with pytest.raises(wire.Unsendable):
        crossed([("value", np.zeros(1))] * (wire.MOST_FIELDS + 1))


@SOME
@given(value=st.recursive(st.integers(-9, 9) | st.text(max_size=3), st.lists, max_leaves=6))
def test_a_request_is_read_as_it_was_sent(value):
    reading, writing = os.pipe()
    try:
        data = marshal.dumps(value)
        os.write(writing, wire.REQUEST.pack(len(data)) + data)
        assert wire.read_request(reading) == value
        os.write(writing, wire.REQUEST.pack(9) + b"cut")
        os.close(writing)
        writing = -1
        assert wire.read_request(reading) is None and wire.read_exactly(reading, 1) is None
    finally:
        for fd in (reading, writing):
            if fd >= 0:
                os.close(fd)


def test_arguments_are_revived_from_their_plain_form():
    arrays = {0: ("float32", (2, 1), np.array([1, 2], "float32").tobytes())}
    plain = {"tuple": [{"array": 0}, {"slice": [0, None, 2]}, [{"mode": "x"}], 3]}
    array, cut, (named,), three = wire.decode_argument(plain, arrays)
    np.testing.assert_array_equal(array, np.array([[1], [2]], "float32"))
    assert cut == slice(0, None, 2) and named == {"mode": "x"} and three == 3
    array[0] = 9  # a copy of its own, which may be written to
    assert wire.decode_argument({"array": 0}, arrays)[0] == 1


PLAIN = st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3)
KEYS = PLAIN | st.sampled_from(["array", "tuple", "slice", "dict"]) | st.tuples(PLAIN, PLAIN)


def with_types(value):
    """Return a value that equals another only if their types are equal too."""
    if isinstance(value, dict):
        return [(with_types(key), with_types(item)) for key, item in value.items()]
    inner = [with_types(each) for each in value] if isinstance(value, list | tuple) else value
    return type(value), inner


@SOME
@given(
    value=st.recursive(
        PLAIN | st.floats(allow_nan=False),
        lambda each: st.lists(each) | st.tuples(each, each) | st.dictionaries(KEYS, each),
        max_leaves=6,
    )
)
def test_an_argument_arrives_as_the_suite_wrote_it(value):
    """Trees and graphs arrive too, though JSON makes texts of keys; a script writes the same."""
    plain = json.loads(json.dumps(encode_args(value, ArrayStore())))
    assert with_types(wire.decode_argument(plain, {})) == with_types(value)
    assert with_types(eval(literal_source(None, plain), {"np": np})) == with_types(value)


@pytest.mark.parametrize("value", [{1, 2}, b"x", 2j, np.int64(3), [object()]])
def test_what_cannot_travel_is_named(value):
    with pytest.raises(OurFault, match=r"holds a (set|bytes|complex|int64|object)\. Arguments are"):
        encode_args({"a": value}, ArrayStore())


def test_a_frame_is_written_whole_whatever_a_pipe_takes_at_once(monkeypatch):
    taken = bytearray()
    monkeypatch.setattr(os, "write", lambda fd, data: taken.extend(data[:3]) or min(3, len(data)))
    wire.Sender(1, NONCE).put(b"0123456789")
    assert taken == b"0123456789"
