"""The key as one flat file, read without NumPy: a table of slices, then a slice per chapter.

    file    = magic, length(u64) of the table, the table as JSON, slices, sha256 of all before
    slice   = length(u64) of the index, the index as JSON, the bytes of all arrays

An index names arrays by their number; ``index["arrays"][n]`` is (dtype, shape, offset, size).
Arrays with the same bytes are stored once: a mistake that is right for a probe costs nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
from typing import Any

from ..arrays import Array
from ..errors import OurFault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..rows import CheckRow, ExerciseRow, ProbeRow, QuestionRow
    from ..worker.request import Probe

MAGIC = b"grader-key/1\n"
LENGTH = struct.Struct("<Q")


class ChapterKey:
    """One chapter's slice: exercises, checks, probes, and arrays on demand."""

    def __init__(self, data: bytes) -> None:
        (length,) = LENGTH.unpack_from(data)
        start = LENGTH.size + length
        index = json.loads(data[LENGTH.size : start])
        self.id: str = index["id"]
        self.title: str = index["title"]
        self.exercises: list[ExerciseRow] = index["exercises"]
        self.questions: list[QuestionRow] = index.get("questions", [])
        self.checks: list[CheckRow] = index["checks"]
        self.probes: list[ProbeRow] = index["probes"]
        self.unrecorded: list[str] = index.get("unrecorded", [])
        self.modules: list[str] = index["modules"]
        self.programs: dict[str, str] = index["programs"]
        means = index.get("means", {})
        for probe in self.probes:
            probe["means"] = means.get(probe["program"], {})
        self._arrays: list[list[Any]] = index["arrays"]
        self._data = memoryview(data)[start:]

    def array(self, number: int) -> Array:
        dtype, shape, offset, size = self._arrays[number]
        return Array(dtype, tuple(shape), self._data[offset : offset + size])

    def order(self, number: int) -> Probe:
        """A probe as a worker is asked for it."""
        probe = self.probes[number]
        return number, probe["program"], probe["args"], probe["seconds"], probe["exercise"]

    def parts(self, numbers: dict[str, list[int]]) -> dict[str, list[Array]]:
        """Arrays by part, from their numbers by part."""
        return {part: [self.array(n) for n in each] for part, each in numbers.items()}


class Key:
    """An open key: the table, and chapters as they are asked for."""

    def __init__(self, path: str) -> None:
        try:
            with open(path, "rb") as file:
                if file.read(len(MAGIC)) != MAGIC:
                    raise OurFault(f"{path} is not an answer key of this grader.")
                (length,) = LENGTH.unpack(file.read(LENGTH.size))
                self.table: dict[str, Any] = json.loads(file.read(length))
                self._start = file.tell()
        except (OSError, OverflowError, ValueError, struct.error) as error:
            raise OurFault(f"The answer key {path} cannot be read: {error}.") from error
        self.path = path
        self._open: dict[str, ChapterKey] = {}

    @property
    def chapters(self) -> list[str]:
        """The ids of all chapters, in their order."""
        return list(self.table["chapters"])

    @property
    def outline(self) -> list[list[str]]:
        """(exercise id, section, given) of the whole course, for names and choices."""
        outline: list[list[str]] = self.table["outline"]
        return outline

    def chapter(self, name: str) -> ChapterKey:
        if name not in self._open:
            try:
                self._open[name] = ChapterKey(self.slice(name))
            except (OSError, ValueError, KeyError, TypeError, struct.error) as error:
                raise OurFault(
                    f"The answer key {self.path} is damaged in {name}. "
                    "Take it again from where it came."
                ) from error
        return self._open[name]

    def slice(self, name: str) -> bytes:
        """A chapter's bytes as they stand in the file."""
        offset, size = self.table["chapters"][name]
        with open(self.path, "rb") as file:
            file.seek(self._start + offset)
            return file.read(size)


def table_of(key: Key, chapters: list[str]) -> dict[str, Any]:
    """The table of a key that holds these chapters only."""
    prefixes = tuple(f"{name}." for name in chapters)
    table = {name: value for name, value in key.table.items() if name not in ("chapters", "hashes")}
    table["outline"] = [row for row in key.outline if row[0].startswith(prefixes)]
    targets = key.table["targets"].items()
    table["targets"] = {target: id for target, id in targets if id.startswith(prefixes)}
    table["titles"] = {name: key.table["titles"][name] for name in chapters}
    return table


class Arrays:
    """Collects the arrays of one slice, each distinct one once."""

    def __init__(self) -> None:
        self.index: list[list[Any]] = []
        self.data = bytearray()
        self._known: dict[tuple[str, tuple[int, ...], bytes], int] = {}

    def add(self, array: Array) -> int:
        entry = (array.dtype, tuple(array.shape), bytes(array.data))
        if entry not in self._known:
            self._known[entry] = len(self.index)
            self.index.append([array.dtype, list(array.shape), len(self.data), len(entry[2])])
            self.data += entry[2]
        return self._known[entry]

    def add_parts(self, parts: dict[str, list[Array]]) -> dict[str, list[int]]:
        return {part: [self.add(array) for array in each] for part, each in parts.items()}


def chapter_slice(index: dict[str, Any], arrays: Arrays) -> bytes:
    """The bytes of one chapter."""
    text = json.dumps({**index, "arrays": arrays.index}, separators=(",", ":")).encode()
    return LENGTH.pack(len(text)) + text + bytes(arrays.data)


def write(path: str, table: dict[str, Any], slices: dict[str, bytes]) -> None:
    """Write the whole file beside its place and move it there: readers see all or nothing."""
    places, offset = {}, 0
    for name, data in slices.items():
        places[name] = [offset, len(data)]
        offset += len(data)
    text = json.dumps({**table, "chapters": places}, separators=(",", ":")).encode()
    os.makedirs(os.path.dirname(path), exist_ok=True)
    beside = f"{path}.{os.getpid()}"
    digest = hashlib.sha256()
    try:
        with open(beside, "wb") as file:
            for data in (MAGIC + LENGTH.pack(len(text)) + text, *slices.values()):
                digest.update(data)
                file.write(data)
            file.write(digest.digest())
        os.replace(beside, path)
    finally:
        if os.path.exists(beside):
            os.unlink(beside)


def intact(path: str) -> bool:
    """Whether a file is a key, bit for bit as it was written."""
    try:
        with open(path, "rb") as file:
            data = memoryview(file.read())
    except OSError:
        return False
    size = hashlib.sha256().digest_size
    whole = hashlib.sha256(data[:-size]).digest() == data[-size:]
    return whole and data[: len(MAGIC)] == MAGIC
