"""Arrays without NumPy, for the judge: typed buffers, and the little arithmetic that it needs."""

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
# dtype name → its kind: ``float``, ``int`` (also for unsigned) or ``bool``.
KINDS = {dtype: dtype.rstrip("0123456789").removeprefix("u") for dtype in FORMATS}


class Array(NamedTuple):
    """An array: dtype name, shape, and values as raw bytes, C-ordered, in native byte order."""

    dtype: str
    shape: tuple[int, ...]
    data: Any

    @property
    def kind(self) -> str:
        return KINDS[self.dtype]

    def values(self) -> list[Any]:
        """Return all values as plain Python numbers, in C order."""
        letter: Any = FORMATS[self.dtype][0]
        return list(memoryview(self.data).cast("B").cast(letter))

    def nested(self) -> object:
        """Return the values as nested lists; a number for a 0-d array, [] if an axis is 0."""
        if 0 in self.shape:
            return []  # shape (10**9, 0) would build 10**9 lists
        flat = iter(self.values())

        def build(shape: tuple[int, ...]) -> object:
            if not shape:
                return next(flat)
            return [build(shape[1:]) for _ in range(shape[0])]

        return build(self.shape)

    def text(self) -> str:
        """Decode the bytes as UTF-8, for an array that carries text."""
        return bytes(self.data).decode("utf-8", "replace")


def plain_parts(parts: dict[str, list[Array]]) -> dict[str, Any]:
    """Convert part → arrays to plain tuples (dtype, shape, bytes), for `marshal`."""
    return {
        part: [(array.dtype, tuple(array.shape), bytes(array.data)) for array in arrays]
        for part, arrays in parts.items()
    }


def parts_of(kept: dict[str, Any]) -> dict[str, list[Array]]:
    """Convert the result of `plain_parts` back to part → arrays."""
    return {part: [Array(*array) for array in arrays] for part, arrays in kept.items()}


def make_array(shape: tuple[int, ...], values: list[float], dtype: str = "float64") -> Array:
    """Make an array of numbers in C order; float64 by default."""
    return Array(dtype, shape, array(FORMATS[dtype][0], values).tobytes())


def elementwise(function: Callable[..., float], *arrays: Array) -> Array | None:
    """Apply a function element by element. Arrays of one value broadcast; None if shapes differ."""
    shape = max((a.shape for a in arrays), key=len)
    size = math.prod(shape)
    columns = []
    for each in arrays:
        values = each.values()
        if each.shape != shape and len(values) != 1:
            return None
        columns.append(values if each.shape == shape else values * size)
    return make_array(shape, [function(*row) for row in zip(*columns, strict=True)])


def swap_axes(a: Array, order: tuple[int, ...]) -> Array:
    """Transpose: axis ``order[i]`` of ``a`` becomes axis i. The result is float64."""
    steps = [math.prod(a.shape[axis + 1 :]) for axis in range(len(a.shape))]
    shape = tuple(a.shape[axis] for axis in order)
    values = a.values()
    places = [0]
    for axis in order:
        places = [p + i * steps[axis] for p in places for i in range(a.shape[axis])]
    return make_array(shape, [values[p] for p in places])


def sum_to(a: Array, shape: tuple[int, ...]) -> Array | None:
    """Sum ``a``, (4, 3), down to a smaller shape that broadcasts to its own, (3,); else None."""
    added = len(a.shape) - len(shape)
    if added < 0 or math.prod(a.shape) <= math.prod(shape):
        return None
    wide = (1,) * added + shape
    if any(small not in (1, size) for small, size in zip(wide, a.shape, strict=True)):
        return None
    totals = [0.0] * math.prod(shape)
    for place, value in zip(broadcast_index(wide, a.shape), a.values(), strict=True):
        totals[place] += value
    return make_array(shape, totals)


def broadcast_index(small: tuple[int, ...], large: tuple[int, ...]) -> list[int]:
    """Return for each element of ``large`` the flat index in ``small`` that broadcasts to it."""
    # small (1, 3), large (2, 3): [0, 1, 2, 0, 1, 2]; both have the same number of axes.
    places, step = [0], math.prod(small)
    for narrow, size in zip(small, large, strict=True):
        step //= narrow
        places = [p + (i * step if narrow > 1 else 0) for p in places for i in range(size)]
    return places


def index_of(shape: tuple[int, ...], place: int) -> str:
    """Write a flat index as ``[1, 2]``: place 5 of shape (2, 3); empty for a 0-d array."""
    index: list[int] = []
    for size in reversed(shape):
        index.insert(0, place % size)
        place //= size
    return str(index) if index else ""
