"""Arrays of your own: a flat buffer, and the numbers that make an array of it (chapter 17).

Strides and offsets count words, not bytes as NumPy's do: one word holds one float.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

Shape = tuple[int, ...]

# ---- from an index to a word --------------------------------------------------------------


def row_major_strides(shape: Shape) -> tuple[int, ...]:
    """The strides of an array whose values lie row by row: ``(12, 4, 1)`` for ``(2, 3, 4)``.

    A stride says how many words further the next index along its axis lies: the product of the
    sizes of all axes behind it. A number, of shape ``()``, has no strides: ``()``.
    """
    # Yours to write: section 17.1; `grader check chapter17.row_major_strides`
    raise NotImplementedError


def offset_of(index: Sequence[int], shape: Shape, strides: Sequence[int], offset: int = 0) -> int:
    """The place in the buffer of the value at ``index``: an int.

    Args:
        index: one int for each axis; a negative one counts from the end of its axis, as in a list.
        offset: the place of the value at index 0, 0, …

    Raises:
        IndexError: there are more or fewer indices than axes, or an index is beyond its axis, at
            either end.
    """
    # Yours to write: section 17.2; `grader check chapter17.offset_of`
    raise NotImplementedError


def is_compact(shape: Shape, strides: Sequence[int]) -> bool:
    """Whether these strides lay the values row by row, without a gap: True or False.

    The stride of an axis of size 1 doesn't matter, because nobody takes a step along it. An array
    without values is compact.
    """
    # Yours to write: section 17.3; `grader check chapter17.is_compact`
    raise NotImplementedError


def view_strides(shape: Shape, strides: Sequence[int], new: Shape) -> tuple[int, ...] | None:
    """The strides with which the same values, row by row, have the shape ``new``, in place.

    ``new`` has room for exactly as many values. The stride of an axis of size 1 may be any number,
    and without values all strides may.

    Returns:
        None where there are no such strides: the values would have to be copied.
    """
    # Yours to write: section 17.9; `grader check chapter17.view_strides`
    raise NotImplementedError


def every_index(shape: Shape) -> Iterator[tuple[int, ...]]:
    """Yield every index of an array of this shape, row by row."""
    return product(*map(range, shape))


# ---- the array ----------------------------------------------------------------------------


class NDArray:
    """An array: a flat buffer, and how to find a value in it.

    Nothing but ``__setitem__`` changes an array that is there already, and nothing changes a list
    that it is given.

    Attributes:
        buffer: the words, ``array("d")``; every view of an array has the same one.
        shape: the size of each axis.
        strides: how many words further the next index along each axis lies; it may be 0 or less.
        offset: the place in the buffer of the value at index 0, 0, …
    """

    def __init__(
        self,
        buffer: Any,
        shape: Sequence[int],
        strides: Sequence[int] | None = None,
        offset: int = 0,
    ) -> None:
        """Make an array of a buffer, which is kept as it is; a list is copied into a new one.

        Without ``strides`` the values lie row by row.
        """
        self.buffer = buffer if isinstance(buffer, array) else array("d", buffer)
        self.shape = tuple(shape)
        self.strides = row_major_strides(self.shape) if strides is None else tuple(strides)
        self.offset = offset

    @staticmethod
    def full(shape: Sequence[int], value: float) -> NDArray:
        """A new array that holds one number everywhere."""
        return NDArray(array("d", [value]) * math.prod(shape), shape)

    @staticmethod
    def of(values: Any) -> NDArray:
        """A new array with the values of a number, a nested list or an ndarray."""
        given = np.asarray(values, dtype="float64")
        return NDArray(given.ravel().tolist(), given.shape)

    def numpy(self) -> np.ndarray:
        """The values as an ndarray, a copy."""
        found = np.empty(self.shape)
        for index in every_index(self.shape):
            found[index] = self.buffer[offset_of(index, self.shape, self.strides, self.offset)]
        return found

    def __repr__(self) -> str:
        return f"NDArray(shape={self.shape}, strides={self.strides}, offset={self.offset})"

    # ---- where the values lie -------------------------------------------------------------

    def compact(self) -> NDArray:
        """The array with its values row by row and without a gap.

        Returns:
            this very array where they lie like that already. Else a new one, with a buffer of its
            own that holds these values and nothing else.
        """
        # Yours to write: section 17.8; `grader check chapter17.ndarray.compact`
        raise NotImplementedError

    def reshape(self, shape: Sequence[int]) -> NDArray:
        """The same values, row by row, in another shape.

        Args:
            shape: one size may be -1: as large as it takes.

        Returns:
            a view where ``view_strides`` finds one. Else a copy, in a buffer of its own.

        Raises:
            ValueError: the shape has room for more or fewer values, or has two sizes of -1.
        """
        # Yours to write: section 17.10; `grader check chapter17.ndarray.reshape`
        raise NotImplementedError

    def transpose(self, axes: Sequence[int] | None = None) -> NDArray:
        """A view with its axes in another order: axis i of the view is axis ``axes[i]`` of this.

        Args:
            axes: a negative one counts from the end. None: the axes in reverse order.

        Raises:
            ValueError: ``axes`` doesn't name each axis once.
        """
        # Yours to write: section 17.4; `grader check chapter17.ndarray.transpose`
        raise NotImplementedError

    def broadcast_to(self, shape: Shape) -> NDArray:
        """A view of this shape, along whose stretched axes every index finds the same value.

        Axes are compared from the last one on. A size stays, or 1 is stretched to any other; new
        axes may stand in front. The stride of a stretched or new axis is 0: no value is copied.

        Raises:
            ValueError: this shape can't be stretched to that one.
        """
        # Yours to write: section 17.5; `grader check chapter17.ndarray.broadcast_to`
        raise NotImplementedError

    def __getitem__(self, index: Any) -> NDArray:
        """A view of the values that ``index`` names: none of them is copied.

        Args:
            index: an int or a slice, or a tuple of them, one for each axis from the first on; the
                axes behind stay whole. An int takes its axis away, and a negative one counts from
                the end. A slice means what it means for a list; its step may be negative.

        With an int for each axis the view has the shape ``()``.

        Raises:
            IndexError: there are more indices than axes, or an int is beyond its axis.
        """
        # Yours to write: section 17.6; `grader check chapter17.ndarray.getitem`
        raise NotImplementedError

    def __setitem__(self, index: Any, value: Any) -> None:
        """Write ``value`` to the places that ``index`` names, as in ``__getitem__``.

        Args:
            value: a number, or an NDArray, which is stretched to the shape of what ``index`` names.
                It may lie in the same memory: all of it is read before anything is written.

        Raises:
            ValueError: ``value`` can't be stretched to that shape. Nothing is written then.
        """
        # Yours to write: section 17.7; `grader check chapter17.ndarray.setitem`
        raise NotImplementedError

    def windows(self, size: tuple[int, int], step: int = 1) -> NDArray:
        """Every window of the last two axes, as a view: none of its values is copied.

        Args:
            size: height and width of a window, ``(h, w)``.
            step: how far the next window lies, downwards and to the right.

        Returns:
            of ``(…, H, W)`` a view of shape ``(…, rows, columns, h, w)``: as many rows and columns
            of windows as fit. Value ``[…, r, c, i, j]`` is ``[…, r · step + i, c · step + j]``.

        Raises:
            ValueError: there are fewer than two axes, a window is larger than they are, or a size
                or the step is below 1.
        """
        # Yours to write: section 17.11; `grader check chapter17.ndarray.windows`
        raise NotImplementedError


# ---- loops over arrays --------------------------------------------------------------------


def elementwise(f: Callable[..., float], *arrays: NDArray) -> NDArray:
    """``f`` of the values at each index, as a new array with a buffer of its own.

    The arrays are stretched to one shape, as ``broadcast_to`` does it: axes are compared from the
    last one on, and where their sizes differ all but one of them are 1. None of them is copied.

    Args:
        f: called once for each value of the result, with one float of each array.
        arrays: one or more.

    Raises:
        ValueError: the shapes don't fit one another.
    """
    # Yours to write: section 17.12; `grader check chapter17.elementwise`
    raise NotImplementedError


def reduce(
    f: Callable[[float, float], float],
    a: NDArray,
    start: float,
    axes: int | Sequence[int] | None = None,
    keepdims: bool = False,
) -> NDArray:
    """Combine the values along some axes into one each, as a new array.

    Every value of the result begins as ``start``. Then ``f(so far, value)`` takes its place, once
    for each value of ``a`` that belongs to it, row by row.

    Args:
        axes: an axis, or several; a negative one counts from the end. None: all of them.
        keepdims: whether the axes stay, with size 1; else they are gone.

    Raises:
        ValueError: an axis isn't there, or is named twice.
    """
    # Yours to write: section 17.13; `grader check chapter17.reduce`
    raise NotImplementedError


def matmul(a: NDArray, b: NDArray) -> NDArray:
    """The product of two matrices, ``(n, k) @ (k, m)``, as a new array of shape ``(n, m)``.

    Both may be views with any strides. With k = 0 the product is full of zeros.

    Raises:
        ValueError: one of them has not two axes, or the columns of ``a`` are not as many as the
            rows of ``b``.
    """
    # Yours to write: section 17.14; `grader check chapter17.matmul`
    raise NotImplementedError


# ---- loops that are counted ---------------------------------------------------------------
#
# In the kernel language: numbers, loops, and the words of the arrays, one by one. `a`, `b` and
# `out` are flat arrays of a `Memory` (`counted_memory.py`), which counts the lines that they move.


def matmul_by_rows(a: Any, b: Any, out: Any, n: int, k: int, m: int) -> None:
    """Add the product of two matrices to ``out``; the inner loop walks along rows alone.

    ``a`` is ``(n, k)``, ``b`` is ``(k, m)`` and ``out`` is ``(n, m)``, each row by row:
    ``out[i * m + j]`` is row i, column j.

    Written in the kernel language. For n = k = m and lines of L words at most ``n³/L + 2n²/L``
    lines are missed, if the cache has room for a row of ``b``, a row of ``out`` and a line of
    ``a``, and if rows are whole lines long.
    """
    # Yours to write: section 17.15; `grader check chapter17.matmul_by_rows`
    raise NotImplementedError


def matmul_in_tiles(a: Any, b: Any, out: Any, n: int, row: int, tile: int) -> None:
    """Add the product of two matrices to ``out``, tile by tile.

    All three are ``(n, n)``. A row takes ``row`` words, of which the first ``n`` count:
    ``out[i * row + j]`` is row i, column j. A tile has ``tile`` rows and columns; those at the
    edges are smaller where ``tile`` doesn't divide ``n``.

    Written in the kernel language. In lines of L words at most ``2n³/(L · tile) + n²/L`` lines are
    missed, if rows and tiles are whole lines wide and the cache has room for five tiles.
    """
    # Yours to write: section 17.16; `grader check chapter17.matmul_in_tiles`
    raise NotImplementedError


def padded_row(n: int, line: int, sets: int) -> int:
    """The shortest row for ``n`` words whose neighbours below it spread over all sets of a cache.

    A line of memory may stay in one set alone: line number ``i`` in set ``i % sets``. A row is a
    whole number of lines long. As many rows as there are sets, one below the other, begin in
    different sets.

    Args:
        line: how many words a line has.
        sets: how many sets the cache has, any number from 1 on.
    """
    # Yours to write: section 17.17; `grader check chapter17.padded_row`
    raise NotImplementedError
