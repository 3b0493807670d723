"""Draw arrays for chapter 17: rows, turned, stepped, backwards, stretched, empty, a single number.

An array of places says everything about a view: at each index it holds the word of the buffer that
lies there. What NumPy makes of it is where the values of the right result lie:

    places = np.arange(4096)[3:15].reshape(3, 4)[::2].T      [[3, 11], [4, 12], [5, 13], [6, 14]]
    places[1:, 0]                                          [4, 5, 6]: a view of words 4, 5 and 6
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from random import Random
from typing import Any, NamedTuple

import numpy as np

Shape = tuple[int, ...]
Places = np.ndarray[Any, Any]
BUFFER = np.arange(4096)  # the places of all words, of buffers that are as long as it takes
GAP = 19  # words at most before the first value


class Layout(NamedTuple):
    """A shape, strides in words, and the word of the first value."""

    shape: Shape
    strides: Shape
    offset: int

    def over(self, words: Places) -> Places:
        """The NumPy array of this layout over these words."""
        size = words.itemsize
        strides = tuple(stride * size for stride in self.strides)
        return np.ndarray(self.shape, words.dtype, words.data, self.offset * size, strides)

    @property
    def places(self) -> Places:
        return self.over(BUFFER)

    @property
    def said(self) -> str:
        return f"shape {self.shape}, strides {self.strides}, offset {self.offset}"


def layout_of(places: Places) -> Layout:
    """The layout of a view of all places."""
    first, size = BUFFER.__array_interface__["data"][0], BUFFER.itemsize
    offset = (places.__array_interface__["data"][0] - first) // size
    return Layout(places.shape, tuple(stride // size for stride in places.strides), offset)


def row_strides(shape: Shape) -> Shape:
    """The strides of rows one after another."""
    return tuple(prod(shape[axis + 1 :]) for axis in range(len(shape)))


def is_view(places: Places) -> bool:
    """Whether these are no copy; an array without values is a view wherever it lies."""
    return not places.size or np.may_share_memory(places, BUFFER)


# ---- kinds of layouts ---------------------------------------------------------------------


def sizes(rng: Random, axes: int) -> Shape:
    """Different sizes, so that no axis can be taken for another; the first is not always least."""
    return tuple(rng.sample((2, 3, 4, 5), axes))


def rows(rng: Random, shape: Shape) -> Places:
    """A stretch of the buffer, row by row, with words before it."""
    before = rng.randint(1, GAP)
    return BUFFER[before : before + prod(shape)].reshape(shape)


def _rows(rng: Random, axes: int) -> Places:
    return rows(rng, sizes(rng, axes))


def _turned(rng: Random, axes: int) -> Places:
    """Axes in another order; of three each is in another place."""
    places = _rows(rng, axes)
    return places.transpose(rng.choice(((1, 2, 0), (2, 0, 1))) if axes == 3 else None)


def _stepped(rng: Random, axes: int) -> Places:
    """Every second value of each row."""
    *others, last = sizes(rng, axes)
    return rows(rng, (*others, 2 * last))[..., rng.randint(0, 1) :: 2]


def _backwards(rng: Random, axes: int) -> Places:
    return np.flip(_rows(rng, axes), rng.randrange(axes))


def _stretched(rng: Random, axes: int) -> Places:
    """One axis, not the first of several, has a stride of 0."""
    shape = sizes(rng, axes)
    axis = rng.randrange(axes > 1, axes)
    return np.broadcast_to(rows(rng, (*shape[:axis], 1, *shape[axis + 1 :])), shape)


def _thin(rng: Random, axes: int) -> Places:
    """One row of several: an axis of one value, whose stride counts for nothing."""
    places = _rows(rng, axes)
    axis = rng.randrange(max(axes - 1, 1))
    first = rng.randrange(places.shape[axis])
    return places[(slice(None),) * axis + (slice(first, first + 1),)]


def _empty(rng: Random, axes: int) -> Places:
    shape = [*sizes(rng, axes)]
    shape[rng.randrange(axes)] = 0
    return rows(rng, tuple(shape))


def _number(rng: Random, axes: int) -> Places:
    return rows(rng, ())


KINDS: dict[str, Callable[[Random, int], Places]] = {
    "rows": _rows, "turned": _turned, "stepped": _stepped, "backwards": _backwards,
    "stretched": _stretched, "thin": _thin, "empty": _empty, "number": _number,
}  # fmt: skip


def draw_layout(rng: Random, kind: str = "rows", axes: int = 2) -> Layout:
    """Draw a layout of a kind, with so many axes (a number has none)."""
    return layout_of(KINDS[kind](rng, axes))
