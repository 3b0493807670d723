"""Wire format of the pipes: requests come in as marshal, observations go out as typed frames.

A request comes from the grader, which is trusted. A frame goes to the grader, which trusts nothing:
it is a fixed header, then fields of a name, a dtype, a shape and raw bytes. The reader of these
frames is `grader/sandbox/observation.py`; both must change together.

    frame   = magic(4) nonce(16) probe(u32) kind(u8) fields(u8) payload length(u32) payload
    payload = field*;  field = name length(u8) name dtype(u8) ndim(u8) size(u64)* bytes
"""

from __future__ import annotations

import io
import marshal
import os
import struct
import sys
from functools import lru_cache

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from request import Arrays

    Numbers = np.ndarray[Any, Any]
    Field = tuple[str, Numbers]  # a name, and an array
    Encoded = tuple[str, bytes]  # a name, and the bytes of its field


MAGIC = b"bgF1"
HEADER = struct.Struct("<4s16sIBBI")
REQUEST = struct.Struct("<I")

HELLO, LOADED, ARRAYS, RAISED, COMPLAINED, TRACED, NODE, DONE = range(8)

TEXT = 0
# dtype as NumPy abbreviates it (`np.dtype.str`, native byte order) → its code.
DTYPES = {
    np.dtype(name).str: code
    for code, name in enumerate(
        ("float64", "float32", "bool", "int64", "int32", "int16", "int8",
         "uint64", "uint32", "uint16", "uint8"),
        start=1,
    )
}  # fmt: skip
MOST_BYTES = 16 << 20
MOST_FIELDS = 64
MOST_AXES = 8
MOST_TEXT = 64 << 10


class Unsendable(Exception):
    """An array that may not cross; the message says why, in the learner's terms."""

    def __init__(self, message: str, dtype: object = "") -> None:
        super().__init__(message)
        self.dtype = dtype  # if that is why


def read_request(fd: int) -> Any:
    """Read the next request; None if the grader has closed the pipe."""
    head = read_exactly(fd, REQUEST.size)
    body = None if head is None else read_exactly(fd, REQUEST.unpack(head)[0])
    return None if body is None else marshal.loads(body)


def read_exactly(fd: int, count: int) -> bytes | None:
    pieces = []
    while count:
        piece = os.read(fd, min(count, 1 << 20))
        if not piece:
            return None
        pieces.append(piece)
        count -= len(piece)
    return b"".join(pieces)


HOLDS = (dict, list)  # plain forms that may hold an array


def decode_argument(value: Any, arrays: Arrays) -> Any:
    """Convert an argument from its plain form: ``{"array": 0}`` becomes a copy of array 0."""
    kind = type(value)
    if kind is dict:
        if "array" in value:
            dtype, shape, data = arrays[value["array"]]
            return np.ndarray(shape, dtype, data).copy()
        if "tuple" in value:
            inside = value["tuple"]
            return tuple([decode_argument(v, arrays) if type(v) in HOLDS else v for v in inside])
        if "slice" in value:
            return slice(*value["slice"])
        if "dict" in value:
            return {
                decode_argument(key, arrays): decode_argument(item, arrays)
                for key, item in value["dict"]
            }
        return {key: decode_argument(item, arrays) for key, item in value.items()}
    if kind is list:
        return [decode_argument(each, arrays) if type(each) in HOLDS else each for each in value]
    return value


class Sender:
    """Write frames to the grader."""

    def __init__(self, fd: int, nonce: bytes) -> None:
        self.fd = fd
        self.nonce = nonce

    def send(self, probe: int, kind: int, arrays: Iterable[Field] = (), **texts: object) -> None:
        """Send one frame. ``arrays``: (name, ndarray) pairs; ``texts``: fields of text.

        Raises:
            Unsendable: before anything is written.
        """
        self.send_encoded(probe, kind, encode(arrays), **texts)

    def send_encoded(self, probe: int, kind: int, arrays: list[Encoded], **texts: object) -> None:
        """Send one frame, as `send` does, of arrays that are encoded already."""
        fields = [_text_field(name, text) for name, text in texts.items()]
        fields += [data for _, data in arrays]
        payload = b"".join(fields)
        if len(payload) > MOST_BYTES or len(fields) > MOST_FIELDS:
            raise Unsendable(f"the result is too large ({len(payload)} bytes).")
        frame = HEADER.pack(MAGIC, self.nonce, probe, kind, len(fields), len(payload)) + payload
        self.put(frame)

    def put(self, frame: bytes) -> None:
        view = memoryview(frame)
        while view:
            view = view[os.write(self.fd, view) :]


def encode(arrays: Iterable[Field]) -> list[Encoded]:
    """Encode arrays as fields; equal names, dtypes, shapes and values give equal bytes.

    Raises:
        Unsendable: one of them may not cross.
    """
    return [(name, _array_field(name, array)) for name, array in arrays]


def _text_field(name: str, text: object) -> bytes:
    data = str(text)[:MOST_TEXT].encode("utf-8", "replace")[:MOST_TEXT]
    return _field_head(name, TEXT, (len(data),)) + data


def _array_field(name: str, array: Numbers) -> bytes:
    code = DTYPES.get(array.dtype.str)
    if code is None and array.dtype.newbyteorder("=").str in DTYPES:
        return _array_field(name, array.astype(array.dtype.newbyteorder("=")))
    if code is None:
        says = f"its dtype is {array.dtype}; float64 or float32 was expected."
        raise Unsendable(says, array.dtype)
    if array.ndim > MOST_AXES:
        raise Unsendable(f"it has {array.ndim} axes.")
    return _field_head(name, code, array.shape) + array.tobytes()


@lru_cache(maxsize=1024)
def _field_head(name: str, code: int, shape: tuple[int, ...]) -> bytes:
    label = name.encode("ascii")
    return struct.pack(
        f"<B{len(label)}sBB{len(shape)}Q", len(label), label, code, len(shape), *shape
    )


def flush() -> None:
    """Write out what learner code has printed."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError, io.UnsupportedOperation):
            pass
