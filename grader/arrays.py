"""Plain typed buffers: how the judge holds an array without NumPy, and what arithmetic it needs."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable
from typing import Any, NamedTuple

# dtype name → the letter of `memoryview.cast` and the size of an item.
FORMATS = {
    "float64": ("d", 8), "float32": ("f", 4), "bool": ("?", 1),
    "int64": ("q", 8), "int32": ("i", 4), "int16": ("h", 2), "int8": ("b", 1),
    "uint64": ("Q", 8), "uint32": ("I", 4), "uint16": ("H", 2), "uint8": ("B", 1),
}  # fmt: skip


class Array(NamedTuple):
    """A dtype's name, a shape, and the values as raw bytes in native order."""

    dtype: str
    shape: tuple[int, ...]
    data: Any

    @property
    def kind(self) -> str:
        """``float``, ``int`` or ``bool``."""
        return self.dtype.rstrip("0123456789").removeprefix("u")

    def values(self) -> list[Any]:
        """All values as plain Python numbers, in C order."""
        letter: Any = FORMATS[self.dtype][0]
        return list(memoryview(self.data).cast("B").cast(letter))

    def nested(self) -> object:
        """The values as lists inside lists; a plain number for a 0-d array."""
        if 0 in self.shape:
            return []  # its other axes may be as long as one likes to claim
        flat = iter(self.values())

        def build(shape: tuple[int, ...]) -> object:
            if not shape:
                return next(flat)
            return [build(shape[1:]) for _ in range(shape[0])]

        return build(self.shape)

    def text(self) -> str:
        """What the bytes say, for an array that carries text."""
        return bytes(self.data).decode("utf-8", "replace")


def plain_parts(parts: dict[str, list[Array]]) -> dict[str, Any]:
    """Arrays by part as plain Python."""
    return {
        part: [(array.dtype, tuple(array.shape), bytes(array.data)) for array in arrays]
        for part, arrays in parts.items()
    }


def parts_of(kept: dict[str, Any]) -> dict[str, list[Array]]:
    """The arrays of `plain_parts`."""
    return {part: [Array(*array) for array in arrays] for part, arrays in kept.items()}


def plain(shape: tuple[int, ...], values: list[float], dtype: str = "float64") -> Array:
    """Numbers as an array of float64, or of another dtype."""
    return Array(dtype, shape, array(FORMATS[dtype][0], values).tobytes())


def elementwise(function: Callable[..., float], *arrays: Array) -> Array | None:
    """A function of arrays of one shape, value by value; an array of one value goes with any."""
    shape = max((a.shape for a in arrays), key=len)
    size = math.prod(shape)
    columns = []
    for each in arrays:
        values = each.values()
        if each.shape != shape and len(values) != 1:
            return None
        columns.append(values if each.shape == shape else values * size)
    return plain(shape, [function(*row) for row in zip(*columns, strict=True)])


def swap_axes(a: Array, order: tuple[int, ...]) -> Array:
    """``a`` with its axes in another order."""
    steps = [math.prod(a.shape[axis + 1 :]) for axis in range(len(a.shape))]
    shape = tuple(a.shape[axis] for axis in order)
    values = a.values()
    places = [0]
    for axis in order:
        places = [p + i * steps[axis] for p in places for i in range(a.shape[axis])]
    return plain(shape, [values[p] for p in places])


def sum_to(a: Array, shape: tuple[int, ...]) -> Array | None:
    """``a`` summed down to a shape that broadcasts to its own."""
    added = len(a.shape) - len(shape)
    if added < 0 or math.prod(a.shape) <= math.prod(shape):
        return None
    wide = (1,) * added + shape
    if any(small not in (1, size) for small, size in zip(wide, a.shape, strict=True)):
        return None
    totals = [0.0] * math.prod(shape)
    for place, value in zip(broadcast_index(wide, a.shape), a.values(), strict=True):
        totals[place] += value
    return plain(shape, totals)


def broadcast_index(small: tuple[int, ...], large: tuple[int, ...]) -> list[int]:
    """For every element of ``large``, in order, the element of ``small`` that it stems from."""
    places, step = [0], math.prod(small)
    for narrow, size in zip(small, large, strict=True):
        step //= narrow
        places = [p + (i * step if narrow > 1 else 0) for p in places for i in range(size)]
    return places


def index_of(shape: tuple[int, ...], place: int) -> str:
    """The place of an element as an index: ``[0]``, ``[1, 2]``; nothing for a single number."""
    index: list[int] = []
    for size in reversed(shape):
        index.insert(0, place % size)
        place //= size
    return str(index) if index else ""
