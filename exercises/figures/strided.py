"""Figures of one buffer that is read in several ways, and of the cache lines that loops touch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import accumulate, pairwise
from math import prod
from typing import Any

from grader.course import import_reference

from .given import Described

SHAPE = (3, 4)
SIZE, LINES, LINE, TILE, PERIODS = 16, 16, 4, 4, 64


def readings(x: Any) -> dict[str, tuple[Any, int, str]]:
    """Map each way to read 3 × 4 values to the view, the columns of its drawing, and a sentence."""
    return {
        "as it is": (x, 4, "A step along the last axis is a step to the next word."),
        "transposed": (x.transpose(), 3, "Shape and strides are swapped; no word has moved."),
        "every other column": (x[:, ::2], 2, "The step doubles the stride of the columns."),
        "upside down": (x[::-1], 4, "It begins with the last row and walks up."),
        "row 1, stretched": (
            x[1].broadcast_to(SHAPE), 4, "A stride of 0 finds the same row again and again.",
        ),
    }  # fmt: skip


def strides() -> Described:
    """Every way to read the buffer: shape, strides and offset, by the reference's views."""
    buffer = [float(10 * place) for place in range(prod(SHAPE))]
    x = import_reference("ndarray").NDArray(buffer, SHAPE)
    views = [
        {"name": name, "shape": view.shape, "strides": view.strides, "offset": view.offset,
         "columns": columns, "says": says}
        for name, (view, columns, says) in readings(x).items()
    ]  # fmt: skip
    return {"buffer": buffer, "views": views}


def plain(a: Any, b: Any, out: Any, n: int) -> None:
    """The loops of the chapter's text: a row of ``a`` and a column of ``b`` for each value."""
    for i in range(n):
        for j in range(n):
            total = 0.0
            for t in range(n):
                total += a[i * n + t] * b[t * n + j]
            out[i * n + j] += total


def record(product: Callable[..., None], *more: int) -> list[tuple[int, bool]]:
    """Return the line of every access, and whether it was missed, as the chapter's Memory says."""
    memory = import_reference("counted_memory").Memory(LINES, LINE)
    memory.history = []
    product(*(memory.array([0.0] * SIZE**2) for _ in range(3)), SIZE, *more)
    found: list[tuple[int, bool]] = memory.history
    return found


def summary(touched: list[tuple[int, bool]]) -> Described:
    """Cut a run into periods of equal length.

    For each period: 9 times the number of every line that it touches, plus how many in 8 of these
    accesses missed (at least 1, if one did); and all misses up to its end.
    """
    ends = [len(touched) * period // PERIODS for period in range(PERIODS + 1)]
    parts = [touched[begin:end] for begin, end in pairwise(ends)]
    return {
        "accesses": len(touched),
        "touched": [[9 * line + share for line, share in shares(part)] for part in parts],
        "missed": list(accumulate(sum(is_missed for _, is_missed in part) for part in parts)),
    }


def shares(part: list[tuple[int, bool]]) -> list[tuple[int, int]]:
    """Return each touched line with its share of misses, in eighths."""
    used = Counter(line for line, _ in part)
    missed = Counter(line for line, is_missed in part if is_missed)
    return [(line, -(-8 * missed[line] // used[line])) for line in sorted(used)]


def lines() -> Described:
    """Three orders of the loops of a product, period by period."""
    tool = import_reference("ndarray")
    orders = {
        "plain": record(plain),
        "by rows": record(tool.matmul_by_rows, SIZE, SIZE),
        "in tiles": record(tool.matmul_in_tiles, SIZE, TILE),
    }
    return {
        "matrices": ["a", "b", "out"],
        "lines": SIZE**2 // LINE,
        "orders": [{"name": name, **summary(touched)} for name, touched in orders.items()],
    }
