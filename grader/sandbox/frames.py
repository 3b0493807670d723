"""Reads the frames of a worker, and believes nothing: lengths, counts, names, dtypes, nonce.

The writer is `grader/sandbox/worker/wire.py`; both must change together.
"""

from __future__ import annotations

import math
import struct
from functools import lru_cache
from typing import NamedTuple

from ..arrays import FORMATS, Array

MAGIC = b"bgF1"
HEADER = struct.Struct("<4s16sIBBI")
KINDS = ("hello", "loaded", "arrays", "raised", "complained", "traced", "node", "done", "call")
DTYPES = (
    "text", "float64", "float32", "bool", "int64", "int32", "int16", "int8",
    "uint64", "uint32", "uint16", "uint8",
)  # fmt: skip
MOST_BYTES = 16 << 20
MOST_FIELDS = 64
MOST_AXES = 8
MOST_TEXT = 64 << 10
SMALL = 1 << 10  # bytes of a payload that is remembered
# What goes into reports is short, whatever the worker sends.
SHORT = {"message": 4000, "type": 100, "file": 300, "line": 10}
# A name that went on in a new line could pose as ours.
ONE_LINE = ("type", "file", "line", "op", "target")


class BadFrame(Exception):
    """What arrived is not a frame of this protocol; the worker cannot be trusted any further."""


class Frame(NamedTuple):
    """One message: which probe it is about, its kind, its texts and its arrays by part."""

    probe: int
    kind: str
    texts: dict[str, str]
    parts: dict[str, list[Array]]


class Reader:
    """Collects bytes and cuts them into frames."""

    def __init__(self, nonce: bytes) -> None:
        self.nonce = nonce
        self.buffer = bytearray()

    def feed(self, data: bytes) -> None:
        self.buffer += data

    def next(self) -> Frame | None:
        """The next whole frame; None while it has not arrived.

        Raises:
            BadFrame: the bytes cannot be one.
        """
        if len(self.buffer) < HEADER.size:
            return None
        magic, nonce, probe, kind, count, length = HEADER.unpack_from(self.buffer)
        if magic != MAGIC or nonce != self.nonce:
            raise BadFrame("a frame with a wrong mark")
        if kind >= len(KINDS) or count > MOST_FIELDS or length > MOST_BYTES:
            raise BadFrame("a frame of impossible kind or size")
        end = HEADER.size + length
        if len(self.buffer) < end:
            return None
        payload = bytes(memoryview(self.buffer)[HEADER.size : end])
        del self.buffer[:end]
        texts, parts = (_fields if length > SMALL else _fields_again)(count, payload)
        return Frame(probe, KINDS[kind], dict(texts), dict(parts))


def printable(data: bytes) -> str:
    """Text from a worker, made harmless: no control characters, no escape sequences."""
    text = data.decode("utf-8", "replace")
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(
        c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text
    )


def _fields(count: int, payload: bytes) -> tuple[dict[str, str], dict[str, list[Array]]]:
    """A frame's texts and its arrays by part."""
    texts: dict[str, str] = {}
    parts: dict[str, list[Array]] = {}
    at = 0
    try:
        for _ in range(count):
            at, name, dtype, shape, size = _head(payload, at)
            data = payload[at : at + size]
            if len(data) != size:
                raise BadFrame("a field that is cut short")
            at += size
            if dtype == "text":
                text = printable(data[: SHORT.get(name, MOST_TEXT)])
                texts[name] = " ".join(text.split()) if name in ONE_LINE else text
            else:
                parts.setdefault(name, []).append(Array(dtype, shape, data))
    except (struct.error, IndexError, UnicodeDecodeError) as error:
        raise BadFrame("a field that cannot be read") from error
    if at != len(payload):
        raise BadFrame("bytes after the last field")
    return texts, parts


_fields_again = lru_cache(maxsize=4096)(_fields)  # what right code sends, all of a class sends


def _head(payload: bytes, at: int) -> tuple[int, str, str, tuple[int, ...], int]:
    """A field's head: where its bytes begin, name, dtype, shape, how many bytes there are."""
    width = payload[at]
    name = payload[at + 1 : at + 1 + width].decode("ascii")
    at += 1 + width
    code, ndim = payload[at], payload[at + 1]
    if code >= len(DTYPES) or ndim > MOST_AXES:
        raise BadFrame("a field of unknown dtype or too many axes")
    shape = struct.unpack_from(f"<{ndim}Q", payload, at + 2)
    at += 2 + 8 * ndim
    dtype = DTYPES[code]
    size = math.prod(shape) * (1 if dtype == "text" else FORMATS[dtype][1])
    if size > MOST_BYTES:
        raise BadFrame("a field of impossible size")
    return at, name, dtype, shape, size
