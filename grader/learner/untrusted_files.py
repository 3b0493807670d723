"""Read untrusted files safely: releases, records, tables, settings, what a page saved.

Only regular files are read, links only if the user names them, and sizes are bounded: bytes, and in
JSON the number of values and their depth. Terminal controls and lone surrogates in JSON become
U+FFFD. A file that is unfit raises `BadFile`; its message continues «… cannot be read: ».
"""

from __future__ import annotations

import json
import math
import os
import re

from ..course.package import LINK, NO_NAME, BadFile, Flaw, safe_bytes, says_too_large
from ..errors import STEERS, WrongUse, safe_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

MOST_BYTES = 64 << 20  # of one file, unpacked
MOST_DEPTH = 64
MOST_VALUES = 1 << 20  # of JSON: each takes about 60 bytes in memory, but maybe one in the file
PACKED = b"\x1f\x8b"
# Escapes with which JSON may write such characters (`STEERS`).
ESCAPED = re.compile(r"\\(?:[bfr]|u(?:00[0189]|007f|200[ef]|202[89a-e]|206[6-9]|d[89a-f]))", re.I)
# A number that may be too large for a float: `1e999`, or 300 digits. One set of first characters
# for both, so that the search skips the rest of a file fast.
HUGE = re.compile(r"[eE0-9](?:(?<=[eE])\+?[0-9]{3}|(?<=[0-9])[0-9]{299})")
STRING = re.compile(rb'"[^"]*"')
NOT_BRACKETS = bytes(set(range(256)) - set(b'"[]{}'))


def read_text(path: str, most: int = MOST_BYTES) -> str:
    """Read a text file that the user named, in UTF-8 or UTF-16; links are followed.

    Raises:
        Unfit: it is no file, too large, or not UTF-8.
    """
    try:
        whole = os.path.realpath(path)
    except ValueError as error:
        raise BadFile(NO_NAME) from error
    return _decoded(as_utf8(safe_bytes(whole, most)))


def read_named(path: str, what: str = "") -> str:
    """Like `read_text`, with errors for the user; ``what`` goes before the path in them.

    Raises:
        WrongUse: where `read_text` raises `BadFile`.
    """
    try:
        return read_text(path)
    except BadFile as error:
        raise WrongUse(f"{what}{path} cannot be read: {error}") from error


def read_json(path: str, most: int = MOST_BYTES) -> Any:
    """Parse a JSON file, compressed by gzip or not, of at most ``most`` bytes uncompressed.

    Raises:
        Unfit: it is no file, too large, too deep, holds too many values, or is no JSON.
    """
    data = safe_bytes(path, most)
    return parse_json(_unpacked(data, most) if data[:2] == PACKED else data)


def read_json_or_none(path: str, most: int = MOST_BYTES) -> Any:
    """Read a JSON file, compressed or not; None if it is missing, too large or damaged."""
    try:
        return read_json(path, most)
    except BadFile:
        return None


def parse_json(data: bytes) -> Any:
    """Parse JSON, and replace terminal controls in its texts; raises `BadFile`."""
    if sum(map(data.count, (b",", b"[", b"{"))) > MOST_VALUES:
        raise BadFile("it holds too many values.")
    text = _decoded(data)
    whole, broken = (_whole, _finite) if HUGE.search(text) else (None, None)
    try:
        found = json.loads(text, parse_int=whole, parse_float=broken, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        says = "nested too deeply" if isinstance(error, RecursionError) else error
        raise BadFile(f"it is no JSON ({says}).") from error
    if not _is_flat(data):
        raise BadFile("it is nested too deeply.")
    raw = (not text.isascii() or "\x7f" in text) and re.search(STEERS, text)
    return _plain_inside(found) if raw or ESCAPED.search(text) else found


def _refuse(constant: str) -> NoReturn:
    """Raise ValueError for NaN and infinities, which Python reads but JSON does not have."""
    raise ValueError(f"{constant} is no number there")


def _finite(number: str) -> float:
    """Parse a float; raises ValueError for one like `1e999`, which Python reads as infinity."""
    found = float(number)
    return _refuse(f"{number[:20]}…") if math.isinf(found) else found


def _whole(number: str) -> int:
    _finite(number)
    return int(number)


def read_inside(folder: str, name: str) -> bytes:
    """Read a file below an untrusted folder; raises `BadFile` if any part of its path is a link."""
    path = folder
    for part in name.split("/"):
        path = os.path.join(path, part)
        if os.path.islink(path):
            raise BadFile(LINK)
    return safe_bytes(path, MOST_BYTES)


def as_utf8(data: bytes) -> bytes:
    """Convert UTF-16 with a byte order mark, as Windows programs save it; return the rest as is."""
    if data[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        return data
    try:
        return data.decode("utf-16").encode()
    except UnicodeError:
        return data  # decoding it as UTF-8 will report it


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFile(f"it is not UTF-8 text ({error.reason} at byte {error.start}).") from error


def _unpacked(data: bytes, most: int) -> bytes:
    import zlib

    unpacking = zlib.decompressobj(wbits=31)
    try:
        found = unpacking.decompress(data, most)
    except zlib.error as error:
        raise BadFile(f"it is damaged ({error}).") from error
    if not unpacking.eof:
        tail = unpacking.unconsumed_tail
        says = says_too_large(most, "that is no such file") if tail else "it is cut short."
        raise BadFile(says, Flaw.TOO_LARGE if tail else None, most)
    return found


def _is_flat(data: bytes) -> bool:
    """Whether JSON is nested at most `MOST_DEPTH` deep."""
    left = data.replace(rb"\\", b"").replace(rb"\"", b"").translate(None, NOT_BRACKETS)
    # Each round removes the innermost brackets: b"[[],{}]" → b"[]" → b"".
    left = STRING.sub(b"", left)
    for _ in range(MOST_DEPTH):
        left = left.replace(b"[]", b"").replace(b"{}", b"")
    return not left


def _plain_inside(value: Any) -> Any:
    if isinstance(value, str):
        return safe_text(value)
    if isinstance(value, list):
        return [_plain_inside(each) for each in value]
    if isinstance(value, dict):
        return {safe_text(name): _plain_inside(each) for name, each in value.items()}
    return value
