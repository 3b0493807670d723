"""Is a rule right? A judge of your own, for every op there is (chapter 12)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .ops import Function
from .tensor import NDArray, Tensor

STEP = 6e-6  # about the cube root of float64's rounding unit: what a central difference likes best
COMPLEX_STEP = 1e-30
TOLERANCE = {"float64": 1e-6, "float32": 1e-3}


class WrongRule(AssertionError):
    """A rule whose gradient is wrong.

    Attributes:
        which: the number of the input whose gradient it is, from 0.
        index: where in it the difference is largest, a tuple; ``()`` if the shapes differ.
        yours, right: the numbers there, or the shapes.
    """

    def __init__(self, which: int, index: tuple[int, ...], yours: Any, right: Any) -> None:
        super().__init__(f"gradient of input {which} at {index}: {yours}, but {right} is right")
        self.which = which
        self.index = index
        self.yours = yours
        self.right = right


def numeric_vjp(
    f: Callable[..., NDArray], arrays: Sequence[NDArray], cotangent: NDArray
) -> list[NDArray]:
    """The gradient of ``Σ cotangent · f(*arrays)`` for every array, by central differences.

    Each number of each array is moved by a step to both sides while all others stay. The step is
    ``STEP * max(1, |number|)``. All of it is computed in float64, whatever the arrays are: a
    float32 cannot even hold such a step. The arrays stay as they were. Returns one float64 array
    per array, of its shape.

    Source: Press et al., Numerical Recipes, section 5.7.
    """
    # Yours to write: section 12.1; `grader check chapter12.numeric_vjp`
    raise NotImplementedError


def complex_vjp(
    f: Callable[..., NDArray], arrays: Sequence[NDArray], cotangent: NDArray
) -> list[NDArray]:
    """The same as `numeric_vjp`, to the last digits, for an ``f`` that takes complex numbers.

    Each number is moved by the imaginary step ``COMPLEX_STEP * 1j``, in one direction only. The
    imaginary part of ``Σ cotangent · f``, divided by ``COMPLEX_STEP``, is the derivative: nothing
    is subtracted, and so nothing cancels. The arrays stay as they were; returns one float64 array
    per array, of its shape.

    Source: Squire & Trapp, Using complex variables to estimate derivatives, 1998.
    """
    # Yours to write: section 12.4; `grader check chapter12.complex_vjp`
    raise NotImplementedError


def close(yours: NDArray, right: NDArray) -> bool:
    """Whether a gradient is right: by shape, finiteness and size, with a tolerance by its dtype.

    False if the shapes differ, even if one would broadcast to the other, and if ``yours`` holds a
    nan or an infinity. Otherwise no number may be further off than
    ``TOLERANCE[dtype of yours] * max(1, largest |right|)``. Both arrays stay as they were.
    """
    # Yours to write: section 12.2; `grader check chapter12.close`
    raise NotImplementedError


def check_rule(op: Function, arrays: Sequence[NDArray], rng: np.random.Generator) -> None:
    """Return if the rule of ``op`` is right at ``arrays``; raise `WrongRule` if it is not.

    The op is applied to leaves that hold the arrays in their own dtype. ``backward`` gets a random
    cotangent, drawn from ``rng``, of the output's shape and dtype. What it returns, one Tensor
    per input or a bare Tensor for one input, is compared with `numeric_vjp` of the op's
    ``forward``, by `close`. Every input is checked. For the first wrong one, `WrongRule` gives the
    place where the difference is largest, where a nan counts as the largest, and the numbers there.
    A gradient of another shape than its input is wrong: `WrongRule` holds both shapes. A rule that
    gives too few gradients, or raises, may end in any error, but not in a pass. The arrays stay as
    they were.
    """
    # Yours to write: section 12.3; `grader check chapter12.check_rule`
    raise NotImplementedError


def check_everywhere(make: Callable[[], Function], count: int, rng: np.random.Generator) -> None:
    """`check_rule` at many shapes and values: raises `WrongRule` if any of them shows a mistake.

    ``make()`` gives a new op; it takes ``count`` inputs of one shape, any shape and any values. A
    rule may be wrong for some of them only: without axes, with an axis of one, with three axes
    and several numbers, for negative numbers in any of the inputs, for positive ones, for numbers
    beyond 1, for inputs that differ. Choose shapes and values so that each of these is tried; keep
    away from 0.
    """
    # Yours to write: section 12.5; `grader check chapter12.check_everywhere`
    raise NotImplementedError
