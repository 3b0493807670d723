"""Answers as every machine writes them: without the last bits, which are nobody's.

Two processors, two versions of NumPy or two libms differ in the last bits of an exponential or a
matrix product. What the key holds is rounded to as many bits as its tolerance needs, so that the
same sources give the same key wherever it is built.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..arrays import Array


class Rounding(NamedTuple):
    """How many bits of a mantissa stay, and what is as good as zero: that much of the largest value
    of an array, or of 1. Both are a small part of what `judge.compare.TOLERANCES` lets pass."""

    bits: int
    nothing: float


Roundings = Mapping[str, Rounding]  # by dtype
EXACT: Roundings = {"float64": Rounding(34, 2.0**-46), "float32": Rounding(20, 2.0**-22)}
DIFFERENCES: Roundings = {"float64": Rounding(26, 2.0**-27), "float32": Rounding(20, 2.0**-22)}


def settled(
    parts: Mapping[str, Sequence[Array]], oracle: str = "reference"
) -> dict[str, list[Array]]:
    """The arrays of an answer, rounded as befits the oracle that gave it."""
    by = DIFFERENCES if oracle == "finite_difference" else EXACT
    return {part: [_rounded(array, by) for array in arrays] for part, arrays in parts.items()}


def _rounded(array: Array, by: Roundings) -> Array:
    if array.dtype not in by:
        return array
    bits, nothing = by[array.dtype]
    values = np.frombuffer(array.data, array.dtype)
    known = np.isfinite(values)
    mantissa, exponent = np.frexp(values)
    unit = 2.0**bits
    with np.errstate(over="ignore"):
        kept = np.ldexp(np.round(mantissa * unit) / unit, exponent)
    largest = np.max(np.abs(values), initial=1.0, where=known)
    kept[np.abs(kept) < nothing * largest] = 0.0
    beyond = ~np.isfinite(kept)  # already so, or the largest of all numbers, rounded upwards
    kept[beyond] = values[beyond]
    kept[np.isnan(values)] = np.nan  # whose sign and payload mean nothing
    return Array(array.dtype, array.shape, kept.astype(array.dtype).tobytes())
