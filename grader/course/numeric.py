"""Numeric derivatives of NumPy functions: the oracle that knows no calculus.

If the function takes complex numbers, the complex step is used (Squire & Trapp, "Using complex
variables to estimate derivatives of real functions", SIAM Review 40, 1998): it has no subtraction,
hence no cancellation, and is right to the last bits. Otherwise central differences are used, with
the step that balances truncation against rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

COMPLEX_STEP = 1e-30
CENTRAL_STEP = 6e-6  # about the cube root of float64's rounding unit

Function = Callable[..., np.ndarray]


def vjp(
    function: Function, inputs: Sequence[np.ndarray], cotangent: np.ndarray, *, analytic: bool
) -> list[np.ndarray]:
    """Return the gradient of ``sum(cotangent * function(*inputs))`` with respect to every input.

    Args:
        function: arrays in, one array out.
        inputs: float64 arrays.
        cotangent: of the shape of the output.
        analytic: whether ``function`` may be given complex inputs.

    Returns:
        One float64 array per input, of that input's shape.
    """

    def scalar(*arrays: np.ndarray) -> complex:
        return complex(np.sum(cotangent * function(*arrays)))

    slope = complex_step if analytic else central_difference
    return [_slopes(scalar, inputs, which, slope) for which in range(len(inputs))]


Moved = Callable[[complex], complex]  # step of one element → the function's value


def complex_step(moved: Moved) -> float:
    """Return Im f(x + ih) / h, the derivative from one evaluation; h is ``COMPLEX_STEP``."""
    return moved(COMPLEX_STEP * 1j).imag / COMPLEX_STEP


def central_difference(moved: Moved) -> float:
    """Return (f(x + h) - f(x - h)) / 2h, the derivative from two; h is ``CENTRAL_STEP``."""
    return (moved(CENTRAL_STEP).real - moved(-CENTRAL_STEP).real) / (2 * CENTRAL_STEP)


def _slopes(
    scalar: Callable[..., complex],
    inputs: Sequence[np.ndarray],
    which: int,
    slope: Callable[[Moved], float],
) -> np.ndarray:
    """Compute d scalar / d inputs[which], element by element."""
    gradient = np.zeros(inputs[which].shape)

    def nudged(index: tuple[int, ...], by: complex) -> complex:
        moved = inputs[which].astype(type(by))
        moved[index] += by
        return scalar(*inputs[:which], moved, *inputs[which + 1 :])

    for index in np.ndindex(inputs[which].shape):
        gradient[index] = slope(partial(nudged, index))
    return gradient


def vjp_of_vjp(
    function: Function,
    inputs: Sequence[np.ndarray],
    cotangent: np.ndarray,
    second: Sequence[np.ndarray],
    *,
    analytic: bool,
) -> list[np.ndarray]:
    """Return the gradient of ``Σ second[i] · vjp(inputs, cotangent)[i]``: a backward of a backward.

    Returns:
        One array for ``cotangent``, then one per input.
    """

    def flat(v: np.ndarray, *arrays: np.ndarray) -> np.ndarray:
        gradients = vjp(function, arrays, v, analytic=analytic)
        return np.array(sum(np.sum(u * g) for u, g in zip(second, gradients, strict=True)))

    return vjp(flat, [cotangent, *inputs], np.array(1.0), analytic=False)
