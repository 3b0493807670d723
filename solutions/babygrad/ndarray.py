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
    ### BEGIN SOLUTION
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= size
    return tuple(reversed(strides))
    ### END SOLUTION


def offset_of(index: Sequence[int], shape: Shape, strides: Sequence[int], offset: int = 0) -> int:
    """The place in the buffer of the value at ``index``: an int.

    Args:
        index: one int for each axis; a negative one counts from the end of its axis, as in a list.
        offset: the place of the value at index 0, 0, …

    Raises:
        IndexError: there are more or fewer indices than axes, or an index is beyond its axis, at
            either end.
    """
    ### BEGIN SOLUTION
    if len(index) != len(shape):
        raise IndexError(f"{len(index)} indices for {len(shape)} axes")
    for i, size, stride in zip(index, shape, strides, strict=True):
        if not -size <= i < size:
            raise IndexError(f"index {i} is beyond an axis of size {size}")
        offset += (i + size if i < 0 else i) * stride
    return offset
    ### END SOLUTION


def is_compact(shape: Shape, strides: Sequence[int]) -> bool:
    """Whether these strides lay the values row by row, without a gap: True or False.

    The stride of an axis of size 1 doesn't matter, because nobody takes a step along it. An array
    without values is compact.
    """
    ### BEGIN SOLUTION
    if 0 in shape:
        return True
    right = row_major_strides(shape)
    return all(s == r for s, r, size in zip(strides, right, shape, strict=True) if size > 1)
    ### END SOLUTION


def view_strides(shape: Shape, strides: Sequence[int], new: Shape) -> tuple[int, ...] | None:
    """The strides with which the same values, row by row, have the shape ``new``, in place.

    ``new`` has room for exactly as many values. The stride of an axis of size 1 may be any number,
    and without values all strides may.

    Returns:
        None where there are no such strides: the values would have to be copied.
    """
    ### BEGIN SOLUTION
    if 0 in shape:
        return row_major_strides(new)
    # Runs of axes that one stride could walk through, from the last one on: [values, stride].
    runs: list[list[int]] = []
    for size, stride in zip(reversed(shape), reversed(strides), strict=True):
        if size == 1:
            continue
        if runs and stride == runs[-1][0] * runs[-1][1]:
            runs[-1][0] *= size
        else:
            runs.append([size, stride])
    found = []
    for size in reversed(new):
        if size == 1:
            found.append(0)
            continue
        left, stride = runs[0]
        if left % size:
            return None
        found.append(stride)
        runs[0] = [left // size, stride * size]
        if left == size:
            runs.pop(0)
    return tuple(reversed(found))
    ### END SOLUTION


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
        ### BEGIN SOLUTION
        if is_compact(self.shape, self.strides):
            return self
        places = (
            offset_of(index, self.shape, self.strides, self.offset)
            for index in every_index(self.shape)
        )
        return NDArray([self.buffer[place] for place in places], self.shape)
        ### END SOLUTION

    def reshape(self, shape: Sequence[int]) -> NDArray:
        """The same values, row by row, in another shape.

        Args:
            shape: one size may be -1: as large as it takes.

        Returns:
            a view where ``view_strides`` finds one. Else a copy, in a buffer of its own.

        Raises:
            ValueError: the shape has room for more or fewer values, or has two sizes of -1.
        """
        ### BEGIN SOLUTION
        count, new = math.prod(self.shape), list(shape)
        if new.count(-1) == 1:
            others = -math.prod(new)
            new[new.index(-1)] = count // others if others else 0
        if math.prod(new) != count or min(new, default=0) < 0:
            raise ValueError(f"{self.shape} can't become {tuple(shape)}")
        strides = view_strides(self.shape, self.strides, tuple(new))
        if strides is None:
            return NDArray(self.compact().buffer, new)
        return NDArray(self.buffer, new, strides, self.offset)
        ### END SOLUTION

    def transpose(self, axes: Sequence[int] | None = None) -> NDArray:
        """A view with its axes in another order: axis i of the view is axis ``axes[i]`` of this.

        Args:
            axes: a negative one counts from the end. None: the axes in reverse order.

        Raises:
            ValueError: ``axes`` doesn't name each axis once.
        """
        ### BEGIN SOLUTION
        count = len(self.shape)
        if axes is None:
            axes = range(count)[::-1]
        order = [axis + count if axis < 0 else axis for axis in axes]
        if sorted(order) != list(range(count)):
            raise ValueError(f"{tuple(axes)} doesn't name each of {count} axes once")
        shape, strides = [self.shape[i] for i in order], [self.strides[i] for i in order]
        return NDArray(self.buffer, shape, strides, self.offset)
        ### END SOLUTION

    def broadcast_to(self, shape: Shape) -> NDArray:
        """A view of this shape, along whose stretched axes every index finds the same value.

        Axes are compared from the last one on. A size stays, or 1 is stretched to any other; new
        axes may stand in front. The stride of a stretched or new axis is 0: no value is copied.

        Raises:
            ValueError: this shape can't be stretched to that one.
        """
        ### BEGIN SOLUTION
        new = len(shape) - len(self.shape)
        fits = new >= 0 and all(
            mine in (1, size) for mine, size in zip(self.shape, shape[new:], strict=True)
        )
        if not fits:
            raise ValueError(f"{self.shape} can't be stretched to {tuple(shape)}")
        strides = [0] * new + [
            stride if mine == size else 0
            for mine, size, stride in zip(self.shape, shape[new:], self.strides, strict=True)
        ]
        return NDArray(self.buffer, shape, strides, self.offset)
        ### END SOLUTION

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
        ### BEGIN SOLUTION
        index = index if isinstance(index, tuple) else (index,)
        if len(index) > len(self.shape):
            raise IndexError(f"{len(index)} indices for {len(self.shape)} axes")
        index += (slice(None),) * (len(self.shape) - len(index))
        shape, strides, offset = [], [], self.offset
        for part, size, stride in zip(index, self.shape, self.strides, strict=True):
            if isinstance(part, slice):
                start, stop, step = part.indices(size)
                offset += start * stride
                shape.append(len(range(start, stop, step)))
                strides.append(stride * step)
            else:
                offset += offset_of([part], (size,), (stride,))
        return NDArray(self.buffer, shape, strides, offset)
        ### END SOLUTION

    def __setitem__(self, index: Any, value: Any) -> None:
        """Write ``value`` to the places that ``index`` names, as in ``__getitem__``.

        Args:
            value: a number, or an NDArray, which is stretched to the shape of what ``index`` names.
                It may lie in the same memory: all of it is read before anything is written.

        Raises:
            ValueError: ``value`` can't be stretched to that shape. Nothing is written then.
        """
        ### BEGIN SOLUTION
        target = self[index]
        if not isinstance(value, NDArray):
            value = NDArray([value], ())
        source = value.broadcast_to(target.shape)
        read = [
            source.buffer[offset_of(at, source.shape, source.strides, source.offset)]
            for at in every_index(source.shape)
        ]
        for at, number in zip(every_index(target.shape), read, strict=True):
            self.buffer[offset_of(at, target.shape, target.strides, target.offset)] = number
        ### END SOLUTION

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
        ### BEGIN SOLUTION
        if len(self.shape) < 2 or min(*size, step) < 1:
            raise ValueError(f"windows of {size}, a step of {step}: at least 1 each, on two axes")
        *first, height, width = self.shape
        h, w = size
        if h > height or w > width:
            raise ValueError(f"a window of {size} is larger than {(height, width)}")
        *steps, down, right = self.strides
        return NDArray(
            self.buffer,
            (*first, (height - h) // step + 1, (width - w) // step + 1, h, w),
            (*steps, down * step, right * step, down, right),
            self.offset,
        )
        ### END SOLUTION


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
    ### BEGIN SOLUTION
    shape: Shape = ()
    for a in arrays:
        wide = max(len(shape), len(a.shape))
        pairs = zip(
            (1,) * (wide - len(shape)) + shape, (1,) * (wide - len(a.shape)) + a.shape, strict=True
        )
        shape = tuple(mine if size == 1 else size for size, mine in pairs)
    views = [a.broadcast_to(shape) for a in arrays]
    out = NDArray.full(shape, 0.0)
    for place, index in enumerate(every_index(shape)):
        values = (v.buffer[offset_of(index, shape, v.strides, v.offset)] for v in views)
        out.buffer[place] = f(*values)
    return out
    ### END SOLUTION


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
    ### BEGIN SOLUTION
    count = len(a.shape)
    given = range(count) if axes is None else [axes] if isinstance(axes, int) else axes
    gone = [axis + count if axis < 0 else axis for axis in given]
    if len(set(gone)) != len(gone) or not set(gone) <= set(range(count)):
        raise ValueError(f"{axes} are not different axes of {count}")
    out = NDArray.full([1 if i in gone else size for i, size in enumerate(a.shape)], start)
    stretched = out.broadcast_to(a.shape)
    for index in every_index(a.shape):
        place = offset_of(index, a.shape, stretched.strides)
        value = a.buffer[offset_of(index, a.shape, a.strides, a.offset)]
        out.buffer[place] = f(out.buffer[place], value)
    if keepdims:
        return out
    return NDArray(out.buffer, [size for i, size in enumerate(a.shape) if i not in gone])
    ### END SOLUTION


def matmul(a: NDArray, b: NDArray) -> NDArray:
    """The product of two matrices, ``(n, k) @ (k, m)``, as a new array of shape ``(n, m)``.

    Both may be views with any strides. With k = 0 the product is full of zeros.

    Raises:
        ValueError: one of them has not two axes, or the columns of ``a`` are not as many as the
            rows of ``b``.
    """
    ### BEGIN SOLUTION
    if len(a.shape) != 2 or len(b.shape) != 2 or a.shape[1] != b.shape[0]:
        raise ValueError(f"{a.shape} and {b.shape} are no matrices that fit")
    (n, k), m = a.shape, b.shape[1]
    out = NDArray.full((n, m), 0.0)
    for i, j in every_index((n, m)):
        total = 0.0
        for t in range(k):
            x = a.buffer[offset_of((i, t), a.shape, a.strides, a.offset)]
            total += x * b.buffer[offset_of((t, j), b.shape, b.strides, b.offset)]
        out.buffer[i * m + j] = total
    return out
    ### END SOLUTION


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
    ### BEGIN SOLUTION
    for i in range(n):
        for t in range(k):
            x = a[i * k + t]
            for j in range(m):
                out[i * m + j] += x * b[t * m + j]
    ### END SOLUTION


def matmul_in_tiles(a: Any, b: Any, out: Any, n: int, row: int, tile: int) -> None:
    """Add the product of two matrices to ``out``, tile by tile.

    All three are ``(n, n)``. A row takes ``row`` words, of which the first ``n`` count:
    ``out[i * row + j]`` is row i, column j. A tile has ``tile`` rows and columns; those at the
    edges are smaller where ``tile`` doesn't divide ``n``.

    Written in the kernel language. In lines of L words at most ``2n³/(L · tile) + n²/L`` lines are
    missed, if rows and tiles are whole lines wide and the cache has room for five tiles.
    """
    ### BEGIN SOLUTION
    for top in range(0, n, tile):
        for left in range(0, n, tile):
            for middle in range(0, n, tile):
                for i in range(top, min(top + tile, n)):
                    for t in range(middle, min(middle + tile, n)):
                        x = a[i * row + t]
                        for j in range(left, min(left + tile, n)):
                            out[i * row + j] += x * b[t * row + j]
    ### END SOLUTION


def padded_row(n: int, line: int, sets: int) -> int:
    """The shortest row for ``n`` words whose neighbours below it spread over all sets of a cache.

    A line of memory may stay in one set alone: line number ``i`` in set ``i % sets``. A row is a
    whole number of lines long. As many rows as there are sets, one below the other, begin in
    different sets.

    Args:
        line: how many words a line has.
        sets: how many sets the cache has, any number from 1 on.
    """
    ### BEGIN SOLUTION
    lines = -(-n // line)
    while math.gcd(lines, sets) != 1:
        lines += 1
    return lines * line
    ### END SOLUTION
