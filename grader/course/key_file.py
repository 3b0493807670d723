"""Answer key format: one flat file, read without NumPy: a table of slices, then the slices.

    file    = magic, length(u64) of the table, the table as JSON, slices, sha256 of all before
    slice   = length(u64) of the index, the index as JSON, the bytes of all arrays

Each chapter has a slice. So has each exercise with mistakes: the results of these are needed only
if the exercise fails, and a key without these slices computes them then (`course/make_key.py`).

An index names arrays by their number; ``index["arrays"][n]`` is (dtype, shape, offset, size).
Arrays with the same bytes are stored once in a slice.
"""

from __future__ import annotations

import json
import os
import struct
from functools import cached_property
from typing import Any

from ..arrays import Array
from ..disk import PRIVATE, replace_file
from ..errors import OurFault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Literal

    from ..sandbox.launch import Worker
    from ..sandbox.worker.request import Arrays as SentArrays
    from ..sandbox.worker.request import Probe
    from .key_rows import CheckRow, ExerciseRow, Gives, ProbeRow, QuestionRow

    Launch = Callable[[], Worker] | None  # starts workers, if an answer needs them
    WorkOut = Callable[["Key", str, Launch], bytes]


Json = dict[str, Any]
# Probe → the reference's answer on this machine, before it was rounded: part → its plain arrays.
Exact = dict[int, dict[str, list[tuple[str, tuple[int, ...], bytes]]]]
MAGIC = b"grader-key/2\n"
LENGTH = struct.Struct("<Q")


class Slice:
    """An index, and its arrays on demand.

    Args:
        index: the index of these bytes, if it is parsed already.
    """

    def __init__(self, data: bytes, index: Json | None = None) -> None:
        (length,) = LENGTH.unpack_from(data)
        start = LENGTH.size + length
        self.index: Json = json.loads(data[LENGTH.size : start]) if index is None else index
        self._arrays: list[list[Any]] = self.index["arrays"]
        self.data = memoryview(data)[start:]

    def array(self, number: int) -> Array:
        dtype, shape, offset, size = self._arrays[number]
        return Array(dtype, tuple(shape), self.data[offset : offset + size])

    def parts(self, numbers: dict[str, list[int]]) -> dict[str, list[Array]]:
        """Return arrays by part, from their numbers by part."""
        return {part: [self.array(n) for n in each] for part, each in numbers.items()}


class ChapterKey(Slice):
    """One chapter's slice: exercises, checks, probes, and arrays on demand."""

    def __init__(self, data: bytes, parsed: Json | None = None) -> None:
        super().__init__(data, parsed)
        index = self.index
        self.id: str = index["id"]
        self.title: str = index["title"]
        self.exercises: list[ExerciseRow] = index["exercises"]
        self.questions: list[QuestionRow] = index["questions"]
        self.checks: list[CheckRow] = index["checks"]
        means: Json = index["means"]
        probes: list[Any] = [{**p, "means": means.get(p["program"], {})} for p in index["probes"]]
        self.probes: list[ProbeRow] = probes
        self.unrecorded: list[str] = index["unrecorded"]
        self.modules: list[str] = index["modules"]
        self.programs: dict[str, str] = index["programs"]
        self.exact: Exact = {}
        self._passed: dict[tuple[str, int], list[Array]] = {}
        self._inputs: dict[int, SentArrays] = {}

    def reference_arrays(self, number: int, part: str) -> list[Array]:
        """Return the reference's arrays for a part of a probe; none if it has no such part."""
        return [self.array(n) for n in self.probes[number]["answers"]["reference"].get(part, ())]

    def inputs(self, number: int) -> SentArrays:
        """Return the arrays that a probe's arguments name, as sent to a worker."""
        if number not in self._inputs:
            named = ((n, *self._arrays[n]) for n in find_arrays(self.probes[number]["args"]))
            self._inputs[number] = {
                n: (dtype, tuple(shape), bytes(self.data[at : at + size]))
                for n, dtype, shape, at, size in named
            }
        return self._inputs[number]

    @cached_property
    def _served(self) -> dict[int, list[CheckRow]]:
        found: dict[int, list[CheckRow]] = {}
        for check in self.checks:
            for number in check["probes"]:
                found.setdefault(number, []).append(check)
        return found

    def checks_of_probe(self, number: int) -> Sequence[CheckRow]:
        """Return the checks that look at a probe's results."""
        return self._served.get(number, ())

    def has_passed(self, check: CheckRow, number: int, yours: list[Array]) -> bool:
        """Whether the same arrays, to the last bit, passed this check before."""
        return self._passed.get((check["id"], number)) == yours

    def pass_again(self, check: CheckRow, number: int, yours: list[Array]) -> None:
        """Remember arrays that passed: one list for each check and probe."""
        self._passed[check["id"], number] = yours

    def predicates(self, numbers: Iterable[int]) -> dict[int, str]:
        """Map these probes to the programs that judge their answers; others are left out."""
        found = {n: self.probes[n].get("predicate", "") for n in numbers}
        return {n: program for n, program in found.items() if program}

    def order(self, number: int) -> Probe:
        """Return a probe as it is sent to a worker."""
        probe = self.probes[number]
        return number, probe["program"], probe["args"], probe["seconds"], probe["exercise"]


def find_arrays(args: list[Any]) -> list[int]:
    """Return the numbers of all arrays that arguments name, each once."""
    found: dict[int, None] = {}
    todo = list(args)
    while todo:
        value = todo.pop()
        if type(value) is list:
            todo += value
        elif type(value) is dict:
            if "array" in value:
                found[value["array"]] = None
            else:
                todo += value.values()
    return list(found)


def read_gives(data: bytes) -> Gives:
    """Read an exercise's slice: what each of its mistakes gives."""
    slice = Slice(data)
    return {
        name: {
            int(number): {"parts": slice.parts(told["parts"])} if "parts" in told else told
            for number, told in each.items()
        }
        for name, each in slice.index["gives"].items()
    }


def gives_slice(gives: Gives) -> bytes:
    """Return the bytes of an exercise's slice."""
    arrays = ArrayStore()
    index = {
        name: {
            str(number): {"parts": arrays.add_parts(told["parts"])} if "parts" in told else told
            for number, told in sorted(each.items())
        }
        for name, each in gives.items()
    }
    return slice_bytes({"gives": index}, arrays)


class Key:
    """An open key: the table, and slices on demand."""

    recalls = False  # see `made_key.MadeKey`

    def __init__(self, path: str, work_out: WorkOut | None = None) -> None:
        """Open a key file.

        Args:
            work_out: computes what the mistakes of an exercise give, if the file lacks it.

        Raises:
            OurFault: the file is no key, or cannot be read.
        """
        try:
            with open(path, "rb") as file:
                if file.read(len(MAGIC)) != MAGIC:
                    raise OurFault(f"{path} is not an answer key of this grader.")
                (length,) = LENGTH.unpack(file.read(LENGTH.size))
                self.table: Json = json.loads(file.read(length))
                self._start = file.tell()
        except (MemoryError, OSError, OverflowError, ValueError, struct.error) as error:
            raise OurFault(f"The answer key {path} cannot be read: {error}.") from error
        self.path = path
        self.work_out = work_out
        self._open: dict[str, ChapterKey] = {}
        self._gives: dict[str, Gives] = {}

    @property
    def chapters(self) -> list[str]:
        """Ids of all chapters, in order."""
        return list(self.table["chapters"])

    @property
    def outline(self) -> list[list[str]]:
        """Rows (exercise id, section, given) of the whole course."""
        outline: list[list[str]] = self.table["outline"]
        return outline

    @cached_property
    def points(self) -> dict[str, float]:
        """Exercise → its points."""
        points: dict[str, float] = self._column("points")
        return points

    @cached_property
    def needs(self) -> dict[str, list[str]]:
        """Exercise → those that it needs."""
        needs: dict[str, list[str]] = self._column("needs")
        return needs

    def _column(self, name: Literal["points", "needs"]) -> Json:
        """Return exercise → a field of it. A key of 1.0.0 has them in its chapters alone."""
        if (listed := self.table.get(name)) is not None:
            found: Json = listed
            return found
        rows = [row for chapter in self.chapters for row in self.chapter(chapter).exercises]
        return {row["id"]: row[name] for row in rows}

    def chapter(self, name: str, launch: Launch = None) -> ChapterKey:
        """Return a chapter's slice, read once; ``launch`` starts workers if it must be made."""
        if name not in self._open:
            try:
                self._open[name] = self._read_chapter(name, launch)
            except (OSError, ValueError, KeyError, TypeError, struct.error) as error:
                raise OurFault(
                    f"The answer key {self.path} is damaged in {name}. "
                    "Take it again from where it came."
                ) from error
        return self._open[name]

    def _read_chapter(self, name: str, launch: Launch) -> ChapterKey:
        return ChapterKey(self.slice(name, launch))

    def programs(self, chapter: ChapterKey) -> dict[str, str] | bytes:
        """Return a chapter's programs as a session takes them: as texts, or compiled."""
        return chapter.programs

    def gives(self, exercise: str, launch: Launch = None) -> Gives:
        """Return what each mistake of an exercise gives for its probes, by the mistake's name."""
        if exercise not in self._gives:
            self._gives[exercise] = read_gives(self.mistakes(exercise, launch))
        return self._gives[exercise]

    def slice(self, name: str, launch: Launch = None) -> bytes:
        """Return the bytes of a chapter's slice."""
        return self._read(*self.table["chapters"][name])

    def mistakes(self, exercise: str, launch: Launch = None) -> bytes:
        """Return the bytes of an exercise's slice; computed, if possible, if the file lacks it."""
        place = self.table["mistakes"].get(exercise)
        if place is not None:
            return self._read(*place)
        if self.work_out is None:
            return gives_slice({})
        return self.work_out(self, exercise, launch)

    def _read(self, offset: int, size: int) -> bytes:
        with open(self.path, "rb") as file:
            file.seek(self._start + offset)
            return file.read(size)


def table_of(key: Key, chapters: Iterable[str]) -> Json:
    """Return the table of a key of these chapters only, without the places of slices."""
    chapters = list(chapters)
    prefixes = tuple(f"{name}." for name in chapters)
    places = ("chapters", "mistakes", "names")
    table = {name: value for name, value in key.table.items() if name not in places}
    table["outline"] = [row for row in key.outline if row[0].startswith(prefixes)]
    targets = key.table["targets"].items()
    table["targets"] = {target: id for target, id in targets if id.startswith(prefixes)}
    table["points"] = {id: key.points[id] for id, _, _ in table["outline"]}
    table["needs"] = {id: key.needs[id] for id, _, _ in table["outline"]}
    table["titles"] = {name: key.table["titles"][name] for name in chapters}
    return table


class ArrayStore:
    """Collect the arrays of one slice, each distinct one once."""

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


def slice_bytes(index: Json, arrays: ArrayStore) -> bytes:
    """Return the bytes of one slice."""
    text = json.dumps({**index, "arrays": arrays.index}, separators=(",", ":")).encode()
    return LENGTH.pack(len(text)) + text + bytes(arrays.data)


def write_key_file(
    path: str, table: Json, chapters: dict[str, bytes], mistakes: dict[str, bytes]
) -> None:
    """Write a key as a file, atomically."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    replace_file(path, *key_bytes(table, chapters, mistakes), opener=PRIVATE)


def key_bytes(table: Json, chapters: dict[str, bytes], mistakes: dict[str, bytes]) -> list[bytes]:
    """Return the bytes of a key's file, piece by piece."""
    import hashlib

    offset, kinds = 0, {"chapters": chapters, "mistakes": mistakes}
    places: dict[str, dict[str, list[int]]] = {kind: {} for kind in kinds}
    for kind, slices in kinds.items():
        for name, data in slices.items():
            places[kind][name] = [offset, len(data)]
            offset += len(data)
    text = json.dumps({**table, **places}, separators=(",", ":")).encode()
    found = [MAGIC + LENGTH.pack(len(text)) + text, *chapters.values(), *mistakes.values()]
    digest = hashlib.sha256()
    for data in found:
        digest.update(data)
    return [*found, digest.digest()]


def is_intact(path: str) -> bool:
    """Whether a file is a key, bit for bit as it was written."""
    import hashlib

    try:
        with open(path, "rb") as file:
            data = memoryview(file.read())
    except OSError:
        return False
    size = hashlib.sha256().digest_size
    whole = hashlib.sha256(data[:-size]).digest() == data[-size:]
    return whole and data[: len(MAGIC)] == MAGIC
