"""Arithmetic on plain typed buffers, as little as the judge needs: without NumPy."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable

from ..arrays import FORMATS, Array


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
