"""A chapter's key that can be written down in a test: the rows that the judge reads, and arrays."""

from __future__ import annotations

from typing import Any

from grader.arrays import Array, make_array
from grader.course.key_file import ArrayStore, ChapterKey, slice_bytes

ID = "chapter1.thing"


def exercise(id: str = ID, **more: Any) -> dict[str, Any]:
    """A row of an exercise, as `course/key_encoding.py` writes it."""
    usual = {
        "id": id, "section": "1.1", "title": id.partition(".")[2], "targets": [f"ops.{id}"],
        "points": 2.0, "needs": [], "given": False, "anchor": id.replace(".", "-"), "minutes": 5,
        "difficulty": 1, "hints": [], "mistakes": {}, "told_by_text": {}, "shown_by_text": {},
        "idle": {},
    }  # fmt: skip
    return {**usual, **more}


def check(*probes: int, id: str = f"{ID}/value", **more: Any) -> dict[str, Any]:
    """A row of a check that looks at these probes."""
    usual = {
        "id": id, "exercise": id.partition("/")[0], "title": "It is right.", "part": "value",
        "weight": 1.0, "hidden": False, "compare": "close", "scalar_shape": False, "aside": False,
        "probes": list(probes),
    }  # fmt: skip
    return {**usual, **more}


class Probes:
    """Collects the rows of probes, and the arrays that these name."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []
        self.arrays = ArrayStore()
        self.means: dict[str, Any] = {}
        self.gives: dict[str, dict[int, Any]] = {}  # mistake → probe → what it gives

    def add(
        self, right: list[float], mistakes: dict[str, Any] | None = None, part: str = "value",
        program: str = "values.give", **inputs: list[float],
    ) -> int:  # fmt: skip
        """A probe with one right array; a mistake gives numbers, or how it ended."""
        for name, said in (mistakes or {}).items():
            gives = {"parts": {part: [array_of(said)]}} if isinstance(said, list) else said
            self.gives.setdefault(name, {})[len(self.rows)] = gives
        shown = [[name, self._number(values)] for name, values in inputs.items()]
        self.rows.append({
            "program": program, "call": "f(a)", "exercise": ID, "seconds": 1.0,
            "args": [{"array": number} for _, number in shown], "shown": shown,
            "answers": {"reference": {part: [self._number(right)]}},
        })  # fmt: skip
        return len(self.rows) - 1

    def _number(self, values: list[float]) -> int:
        return self.arrays.add(array_of(values))

    def key(self, exercises: list[Any], checks: list[Any]) -> ChapterKey:
        """The chapter, through the bytes of its slice."""
        index = {
            "id": "chapter1", "title": "One", "exercises": exercises, "checks": checks,
            "probes": self.rows, "modules": [], "programs": {}, "means": self.means,
            "questions": [], "unrecorded": [],
        }  # fmt: skip
        return ChapterKey(slice_bytes(index, self.arrays))


def array_of(values: list[float]) -> Array:
    """A row of float64."""
    return make_array((len(values),), values)
