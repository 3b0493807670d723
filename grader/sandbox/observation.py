"""Parse the frames that a worker sends into observations; trust none of their bytes.

Lengths, counts, names, dtypes and the nonce are checked. The writer is
`grader/sandbox/worker/wire.py`; both must change together.
"""

from __future__ import annotations

import math
import struct
import sys
from functools import lru_cache
from typing import Any, NamedTuple

from ..arrays import FORMATS, Array

MAGIC = b"bgF1"
HEADER = struct.Struct("<4s16sIBBI")
KINDS = ("hello", "loaded", "arrays", "raised", "complained", "traced", "node", "done")
DTYPES = (
    "text", "float64", "float32", "bool", "int64", "int32", "int16", "int8",
    "uint64", "uint32", "uint16", "uint8",
)  # fmt: skip
MOST_BYTES = 16 << 20
MOST_FIELDS = 64
MOST_AXES = 8
MOST_TEXT = 64 << 10
ARRAY = 200  # bytes of an array object without its values
SMALL = 1 << 10  # bytes of the largest payload whose fields are cached
# Texts that go into reports are cut to this many bytes.
SHORT = {"message": 4000, "type": 100, "file": 300, "line": 10}
# A line break in one of these could imitate the report's own lines.
ONE_LINE = ("type", "file", "line", "op", "target")


class BadFrame(Exception):
    """Bytes that are no frame of this protocol: the worker cannot be trusted any further."""


class Frame(NamedTuple):
    """One message: the number of its probe, its kind, its texts, and its arrays by part."""

    probe: int
    kind: str
    texts: dict[str, str]
    parts: dict[str, list[Array]]


class FrameReader:
    """Collect bytes and cut them into frames."""

    def __init__(self, nonce: bytes) -> None:
        self.nonce = nonce
        self.buffer = bytearray()

    def feed(self, data: bytes) -> None:
        self.buffer += data

    def next(self) -> Frame | None:
        """Return the next complete frame; None if it has not arrived yet.

        Raises:
            BadFrame: the bytes cannot be a frame.
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
    """Decode a worker's text; replace control characters, so that no escape sequence is left."""
    text = data.decode("utf-8", "replace")
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(
        c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text
    )


def _fields(count: int, payload: bytes) -> tuple[dict[str, str], dict[str, list[Array]]]:
    """Parse a frame's payload: its texts, and its arrays by part."""
    texts: dict[str, str] = {}
    parts: dict[str, list[Array]] = {}
    at = 0
    try:
        for _ in range(count):
            end = at + 3 + payload[at] + 8 * payload[at + payload[at] + 2]
            name, dtype, shape, size = _head(payload[at:end])
            at = end
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


_fields_again = lru_cache(maxsize=4096)(_fields)  # a whole class sends what right code sends


@lru_cache(maxsize=4096)
def _head(head: bytes) -> tuple[str, str, tuple[int, ...], int]:
    """Parse a field's head: name, dtype, shape, and the size of its data in bytes."""
    at = 1 + head[0]
    name, code, ndim = head[1:at].decode("ascii"), head[at], head[at + 1]
    if code >= len(DTYPES) or ndim > MOST_AXES:
        raise BadFrame("a field of unknown dtype or too many axes")
    shape = struct.unpack_from(f"<{ndim}Q", head, at + 2)
    dtype = DTYPES[code]
    size = math.prod(shape) * (1 if dtype == "text" else FORMATS[dtype][1])
    if size > MOST_BYTES:
        raise BadFrame("a field of impossible size")
    return name, dtype, shape, size


class Observation(NamedTuple):
    """The outcome of one probe."""

    # ``arrays``; ``raised`` (an exception), ``complained`` (not readable as arrays), ``died``,
    # ``hung``, ``garbled`` (not a frame), ``skipped`` (after one of those).
    kind: str
    # For ``raised``: type, message, file, line, trail (``file:line`` of each learner frame, one per
    # line, innermost first), and, where they apply, ``by`` (``grader``, ``import``), ``lacks`` (the
    # file that is missing), ``slept``, ``after`` (the limit for which a probe was not run). For
    # ``complained``: message, and the ``dtype`` of an array that cannot be sent. For ``skipped``:
    # ``after``, how the call before it ended. Else message.
    texts: dict[str, str]
    parts: dict[str, list[Any]]  # the arrays


def size_in_bytes(got: Frame | Observation) -> int:
    """Return the bytes that texts and arrays take here; a text takes up to four times its field."""
    arrays = [array for part in got.parts.values() for array in part]
    values = sum(ARRAY + len(array.data) for array in arrays)
    return values + sum(map(sys.getsizeof, got.texts.values()))


class Definition(NamedTuple):
    """A definition in the learner's package: its place, and whether it is still a stub."""

    target: str
    file: str
    first: int
    last: int
    stub: bool
    before: int = 0  # first line of an earlier non-stub definition with this name; 0: none


class Violation(NamedTuple):
    """A rule that a source breaks: the file whose targets it counts for, its place, and why."""

    counts_for: str
    file: str
    line: int
    says: str


class Run(NamedTuple):
    """Everything that a session brought back."""

    protections: list[str] | None  # those that held in every worker; None if no worker ran
    definitions: dict[str, Definition]
    absent: set[str]
    unloadable: Observation | None
    observations: dict[int, Observation]
    entered: dict[int, set[tuple[str, int]]]
    output: str
    refused: list[Violation]

    @property
    def lacks_a_file(self) -> bool:
        """Whether the package, or a file that a probe turned out to need, cannot be imported."""
        asked = self.observations.values()
        return self.unloadable is not None or any(o.texts.get("by") == "import" for o in asked)


def parse_definitions(text: str) -> dict[str, Definition]:
    """Parse the definitions that a worker listed, one per line; skip malformed lines."""
    found: dict[str, Definition] = {}
    for line in text.splitlines():
        this = (_definition if len(line) > SMALL else _definition_again)(line)
        if this is not None:
            earlier = found.get(this.target)
            before = earlier.first if earlier is not None and not earlier.stub else 0
            found[this.target] = this._replace(before=before) if before else this
    return found


def _definition(line: str) -> Definition | None:
    target, file, first, last, stub = (*line.split("\t"), "", "", "", "")[:5]
    lines = line_number(first), line_number(last)
    return Definition(target, file[: SHORT["file"]], *lines, stub == "1") if all(lines) else None


_definition_again = lru_cache(maxsize=4096)(_definition)  # a trial's are mostly those before it


def parse_violations(text: str) -> list[Violation]:
    """Parse the broken rules that a worker listed, one per line; skip malformed lines."""
    rows = (line.split("\t") for line in text.splitlines())
    return [
        Violation(r[0], r[1][: SHORT["file"]], line_number(r[2]), r[3][: SHORT["message"]])
        for r in rows
        if len(r) == 4
    ]


def line_number(text: str) -> int:
    """Parse a line number that a worker sent; 0 for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0


def hung_observation(seconds: float) -> Observation:
    return Observation("hung", {"message": f"{seconds:g}"}, {})


def unexpected_frame() -> Observation:
    return Observation("garbled", {"message": "a frame out of turn"}, {})
