"""Answers as every machine writes them: without the last bits, which are nobody's.

Two processors, two versions of NumPy or two libms differ in the last bits of an exponential or a
matrix product. What the key holds is rounded to as many bits as its tolerance needs, so that the
same sources give the same key wherever it is built.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..arrays import Array

# Bits of the mantissa that stay, by who answers and the dtype; a hundredth of what
# `judge.compare.TOLERANCES` allows is more than what rounding takes away.
EXACT = {"float64": 34, "float32": 20}
BITS = {"finite_difference": {"float64": 26, "float32": 20}}
# What is smaller than this, or than as much of the largest of its array, is what a difference left
# over; the judge's tolerance ends where this is multiplied by a hundred.
LEFT_OVER = {"float64": 2.0**-46, "float32": 2.0**-22}
NOTHING = {"finite_difference": {"float64": 2.0**-27, "float32": 2.0**-22}}


def settled(
    parts: Mapping[str, Sequence[Array]], oracle: str = "reference"
) -> dict[str, list[Array]]:
    """The arrays of an answer, rounded as befits the oracle that gave it."""
    bits, nothing = BITS.get(oracle, EXACT), NOTHING.get(oracle, LEFT_OVER)
    return {
        part: [_rounded(array, bits, nothing) for array in arrays] for part, arrays in parts.items()
    }


def _rounded(array: Array, bits: Mapping[str, int], nothing: Mapping[str, float]) -> Array:
    if array.dtype not in bits:
        return array
    values = np.frombuffer(array.data, array.dtype)
    known = np.isfinite(values)
    mantissa, exponent = np.frexp(values)
    unit = 2.0 ** bits[array.dtype]
    with np.errstate(over="ignore"):
        kept = np.ldexp(np.round(mantissa * unit) / unit, exponent)
    largest = np.max(np.abs(values), initial=1.0, where=known)
    kept[np.abs(kept) < nothing[array.dtype] * largest] = 0.0
    beyond = ~np.isfinite(kept)  # already so, or the largest of all numbers, rounded upwards
    kept[beyond] = values[beyond]
    kept[np.isnan(values)] = np.nan  # whose sign and payload mean nothing
    return Array(array.dtype, array.shape, kept.astype(array.dtype).tobytes())
