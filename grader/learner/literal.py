"""Values of the key as Python source: what a learner can read, change and run again."""

from __future__ import annotations

import math
from typing import Any

from ..arrays import Array
from ..course.key_file import ChapterKey

WIDTH = 96
MOST_NESTED = 64  # values; with more, an array is a flat list and its shape


def literal(value: Any, chapter: ChapterKey, column: int = 0) -> str:
    """An argument of a program as source; it begins at ``column`` and stays within the width."""
    if isinstance(value, dict) and "array" in value:
        return array(chapter.array(value["array"]), column)
    if isinstance(value, dict) and "tuple" in value:
        items = [literal(item, chapter, column + 4) for item in value["tuple"]]
        return _bracketed("(", items, ",)" if len(items) == 1 else ")", column)
    if isinstance(value, dict) and "slice" in value:
        return repr(slice(*value["slice"]))
    if isinstance(value, dict):
        items = [f"{k!r}: {literal(v, chapter, column + 4)}" for k, v in value.items()]
        return _bracketed("{", items, "}", column)
    if isinstance(value, list):
        return _bracketed("[", [literal(v, chapter, column + 4) for v in value], "]", column)
    return number(value)


def array(found: Array, column: int = 0) -> str:
    """An array as a call of NumPy; float64, the usual one, goes without saying."""
    if 0 in found.shape:
        return f"np.zeros({found.shape}, dtype={found.dtype!r})"
    plain = found.dtype == "float64" or (found.dtype == "bool" and found.shape)
    tail = ")" if plain else f", dtype={found.dtype!r})"
    values = found.values()
    if len(found.shape) > 1 and len(values) > MOST_NESTED:
        return f"np.array({nested(values, column + 4)}{tail}.reshape{found.shape}"
    return f"np.array({nested(found.nested(), column + 4)}{tail}"


def nested(value: Any, column: int = 0) -> str:
    """Lists in lists of numbers."""
    if isinstance(value, list):
        return _bracketed("[", [nested(item, column + 4) for item in value], "]", column)
    return number(value)


def number(value: Any) -> str:
    """A plain value; what is no number has a name in NumPy."""
    if isinstance(value, float) and math.isnan(value):
        return "np.nan"
    if isinstance(value, float) and math.isinf(value):
        return "np.inf" if value > 0 else "-np.inf"
    return repr(value)


def _bracketed(opening: str, items: list[str], closing: str, column: int) -> str:
    """On one line where it fits; else as many short items on a line as fit, or one long one."""
    flat = f"{opening}{', '.join(items)}{closing}"
    if column + len(flat) <= WIDTH and "\n" not in flat:
        return flat
    margin = " " * (column + 4)
    lines, line = [], margin
    for item in items:
        if line != margin and ("\n" in item or len(line) + len(item) + 2 > WIDTH):
            lines.append(line.rstrip())
            line = margin
        line += f"{item}, "
        if "\n" in item:
            lines.append(line.rstrip())
            line = margin
    if line != margin:
        lines.append(line.rstrip())
    return "\n".join([opening, *lines, " " * column + closing.lstrip(",")])
