"""The reader of frames believes nothing, and reads back what the writer wrote."""

from __future__ import annotations

import os
import struct
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from grader.sandbox.launch import WORKER
from grader.sandbox.observation import HEADER, MAGIC, SHORT, BadFrame, FrameReader, printable

NONCE = b"n" * 16
DTYPES = st.sampled_from(
    ["float64", "float32", "bool", "int64", "int32", "int16", "int8", "uint64", "uint8"]
)


@pytest.fixture(scope="module")
def wire():
    sys.path.insert(0, WORKER)
    try:
        import wire
    finally:
        sys.path.remove(WORKER)
    return wire


def written(wire, *arguments, **texts) -> bytes:
    read, write = os.pipe()
    try:
        wire.Sender(write, NONCE).send(*arguments, **texts)
        os.close(write)
        write = -1
        return b"".join(iter(lambda: os.read(read, 1 << 16), b""))
    finally:
        os.close(read)
        if write >= 0:
            os.close(write)


@given(
    arrays=st.lists(
        DTYPES.flatmap(
            lambda d: hnp.arrays(d, hnp.array_shapes(min_dims=0, max_dims=4, max_side=4))
        ),
        max_size=4,
    ),
    text=st.text(max_size=40),
    cut=st.integers(1, 7),
)
def test_what_is_written_is_read(wire, arrays, text, cut):
    data = written(wire, 7, wire.ARRAYS, [("value", a) for a in arrays], message=text)
    reader = FrameReader(NONCE)
    frame = None
    for at in range(0, len(data), cut):
        assert frame is None
        reader.feed(data[at : at + cut])
        frame = reader.next()
    assert frame is not None and frame.probe == 7 and frame.kind == "arrays"
    got = frame.parts.get("value", [])
    assert len(got) == len(arrays)
    for mine, array in zip(got, arrays, strict=True):
        assert (mine.dtype, mine.shape) == (array.dtype.name, array.shape)
        assert bytes(mine.data) == array.tobytes()
    assert not any(ord(c) < 32 and c not in "\n\t" for c in frame.texts["message"])


@given(data=st.binary(max_size=200))
def test_noise_is_no_frame(data):
    reader = FrameReader(NONCE)
    reader.feed(data)
    try:
        assert reader.next() is None
    except BadFrame:
        pass


@given(at=st.integers(0, 200), value=st.integers(0, 255))
def test_a_changed_byte_never_crashes_the_reader(wire, at, value):
    data = bytearray(written(wire, 1, wire.ARRAYS, [("value", np.arange(6.0).reshape(2, 3))]))
    data[at % len(data)] = value
    reader = FrameReader(NONCE)
    reader.feed(bytes(data))
    try:
        reader.next()
    except BadFrame:
        pass


@pytest.mark.parametrize("dtype", ["object", "complex128", "float16", "datetime64[s]", "U3"])
def test_what_may_not_cross_is_refused_by_the_writer(wire, dtype):
    array = np.zeros(2, dtype=dtype)
    with pytest.raises(wire.Unsendable):
        wire.Sender(-1, NONCE).send(0, wire.ARRAYS, [("value", array)])


@given(
    data=st.lists(st.binary(max_size=80), max_size=6),
    kind=st.integers(0, 255),
    count=st.integers(0, 255),
    length=st.integers(0, 1 << 32).map(lambda n: min(n, (1 << 32) - 1)),
)
def test_a_frame_with_the_right_mark_never_crashes_the_reader(data, kind, count, length):
    reader = FrameReader(NONCE)
    payload = b"".join(data)
    honest = len(payload) if length % 2 else length
    reader.feed(HEADER.pack(MAGIC, NONCE, 1, kind % 8, count % 70, honest))
    try:
        for piece in data:
            reader.feed(piece)
            reader.next()
    except BadFrame:
        pass


@given(shape=st.lists(st.integers(0, (1 << 64) - 1), max_size=8), code=st.integers(0, 12))
def test_no_shape_is_believed(shape, code):
    field = b"\x01v" + struct.pack(f"<BB{len(shape)}Q", code, len(shape), *shape)
    reader = FrameReader(NONCE)
    reader.feed(HEADER.pack(MAGIC, NONCE, 1, 2, 1, len(field)) + field)
    try:
        frame = reader.next()
    except BadFrame:
        return
    for arrays in frame.parts.values():
        assert arrays[0].nested() == []


@given(data=st.binary(max_size=300))
def test_text_of_a_worker_is_harmless(data):
    assert all(c.isprintable() or c in "\n\t" for c in printable(data))


@pytest.mark.parametrize(
    "text", ["\x1b[31m", "\x9b31m", "\u202e", "\u2066", "\u200b", "\ufeff", "\r", "\x07", "\u2028"]
)
def test_what_steers_a_terminal_is_taken_out(text):
    assert text not in printable(f"a{text}b".encode())


def test_lone_surrogates_do_not_reach_the_report():
    printable("\udcff\ud800".encode("utf-8", "surrogatepass")).encode("utf-8")


@pytest.mark.parametrize("name", ["type", "file", "line", "op"])
def test_a_name_of_a_worker_stays_in_its_line(wire, name):
    reader = FrameReader(NONCE)
    reader.feed(written(wire, 1, wire.RAISED, **{name: "ops.py\nall of it\tis right\r\n" * 99}))
    text = reader.next().texts[name]
    assert "\n" not in text and "\t" not in text and len(text) <= SHORT.get(name, 1 << 16)
