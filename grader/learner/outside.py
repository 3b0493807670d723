"""What others send (releases, records, what a page saved, tables, settings), read in one way.

Regular files alone, no link followed, of a bounded size; JSON of so many values, so deep. What
would steer a terminal, and what is half a character, is U+FFFD from the moment it is read. What is
wrong with a file is an `Unfit`; its sentence goes on after «… cannot be read: ».
"""

from __future__ import annotations

import json
import math
import os
import re

from ..course.package import LINK, Flaw, Unfit, safe_bytes, says_too_large
from ..errors import STEERS, WrongUse, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

MOST_BYTES = 64 << 20  # of one file, unpacked
MOST_DEPTH = 64
MOST_VALUES = 1 << 20  # of JSON: each takes some sixty bytes, however few it is written with
PACKED = b"\x1f\x8b"
# The same as JSON may write it.
ESCAPED = re.compile(r"\\(?:[bfr]|u(?:00[0189]|007f|200[ef]|202[89a-e]|206[6-9]|d[89a-f]))", re.I)
HUGE = re.compile(r"e\+?\d{3}|\d{300}", re.I)  # where a number may be one that no float holds
STRING = re.compile(rb'"[^"]*"')
NOT_BRACKETS = bytes(set(range(256)) - set(b'"[]{}'))


def read_text(path: str, most: int = MOST_BYTES) -> str:
    """The text of a file that its reader has named; a link there is theirs.

    Raises:
        Unfit: it is no file, too large, or no UTF-8.
    """
    return _decoded(as_utf8(safe_bytes(os.path.realpath(path), most)))


def named_text(path: str, what: str = "") -> str:
    """The same, where the reader is to be told; ``what`` goes before the path.

    Raises:
        WrongUse: as `read_text` raises `Unfit`.
    """
    try:
        return read_text(path)
    except Unfit as error:
        raise WrongUse(f"{what}{path} cannot be read: {error}") from error


def read_json(path: str, most: int = MOST_BYTES) -> Any:
    """What a JSON file holds, packed or not.

    Raises:
        Unfit: it is no file, too large, too deep, too many values, or no JSON.
    """
    data = safe_bytes(path, most)
    return parse_json(_unpacked(data, most) if data[:2] == PACKED else data)


def parse_json(data: bytes) -> Any:
    """What JSON says, with nothing in it that steers a terminal; raises `Unfit`."""
    if sum(map(data.count, (b",", b"[", b"{"))) > MOST_VALUES:
        raise Unfit("it holds too many values.")
    text = _decoded(data)
    whole, broken = (_whole, _finite) if HUGE.search(text) else (None, None)
    try:
        found = json.loads(text, parse_int=whole, parse_float=broken, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        says = "nested too deeply" if isinstance(error, RecursionError) else error
        raise Unfit(f"it is no JSON ({says}).") from error
    if not _is_flat(data):
        raise Unfit("it is nested too deeply.")
    raw = (not text.isascii() or "\x7f" in text) and re.search(STEERS, text)
    return _plain_inside(found) if raw or ESCAPED.search(text) else found


def _refuse(constant: str) -> NoReturn:
    """NaN and infinities, which Python reads and JSON does not know."""
    raise ValueError(f"{constant} is no number there")


def _finite(number: str) -> float:
    """A number that is one: of `1e999` Python makes an infinity."""
    found = float(number)
    return _refuse(f"{number[:20]}…") if math.isinf(found) else found


def _whole(number: str) -> int:
    _finite(number)
    return int(number)


def within(folder: str, name: str) -> bytes:
    """A file that lies in a folder of others, and not behind a link out of it; raises `Unfit`."""
    path = folder
    for part in name.split("/"):
        path = os.path.join(path, part)
        if os.path.islink(path):
            raise Unfit(LINK)
    return safe_bytes(path, MOST_BYTES)


def as_utf8(data: bytes) -> bytes:
    """A text that a program on Windows saved as UTF-16, and says so, in the words of all others."""
    if data[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        return data
    try:
        return data.decode("utf-16").encode()
    except UnicodeError:
        return data  # whoever reads it will say so


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unfit(f"it is not UTF-8 text ({error.reason} at byte {error.start}).") from error


def _unpacked(data: bytes, most: int) -> bytes:
    import zlib

    unpacking = zlib.decompressobj(wbits=31)
    try:
        found = unpacking.decompress(data, most)
    except zlib.error as error:
        raise Unfit(f"it is damaged ({error}).") from error
    if not unpacking.eof:
        tail = unpacking.unconsumed_tail
        says = says_too_large(most, "that is no such file") if tail else "it is cut short."
        raise Unfit(says, Flaw.TOO_LARGE if tail else None, most)
    return found


def _is_flat(data: bytes) -> bool:
    """Whether nothing in JSON lies deeper than it may: pair by pair its brackets go."""
    left = data.replace(rb"\\", b"").replace(rb"\"", b"").translate(None, NOT_BRACKETS)
    left = STRING.sub(b"", left)
    for _ in range(MOST_DEPTH):
        left = left.replace(b"[]", b"").replace(b"{}", b"")
    return not left


def _plain_inside(value: Any) -> Any:
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, list):
        return [_plain_inside(each) for each in value]
    if isinstance(value, dict):
        return {plain(name): _plain_inside(each) for name, each in value.items()}
    return value
