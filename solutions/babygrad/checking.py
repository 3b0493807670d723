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
    ### BEGIN SOLUTION
    gradients = []
    for which, array in enumerate(arrays):
        gradient = np.zeros(np.shape(array))
        for index in np.ndindex(gradient.shape):
            moved = [np.array(each, dtype=np.float64) for each in arrays]
            here = moved[which][index]
            step = STEP * max(1.0, abs(here))
            moved[which][index] = here + step
            above = np.sum(cotangent * f(*moved))
            moved[which][index] = here - step
            below = np.sum(cotangent * f(*moved))
            gradient[index] = (above - below) / (2 * step)
        gradients.append(gradient)
    return gradients
    ### END SOLUTION


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
    ### BEGIN SOLUTION
    gradients = []
    for which, array in enumerate(arrays):
        gradient = np.zeros(np.shape(array))
        for index in np.ndindex(gradient.shape):
            moved = [np.array(each, dtype=np.complex128) for each in arrays]
            moved[which][index] += COMPLEX_STEP * 1j
            gradient[index] = np.sum(cotangent * f(*moved)).imag / COMPLEX_STEP
        gradients.append(gradient)
    return gradients
    ### END SOLUTION


def close(yours: NDArray, right: NDArray) -> bool:
    """Whether a gradient is right: by shape, finiteness and size, with a tolerance by its dtype.

    False if the shapes differ, even if one would broadcast to the other, and if ``yours`` holds a
    nan or an infinity. Otherwise no number may be further off than
    ``TOLERANCE[dtype of yours] * max(1, largest |right|)``. Both arrays stay as they were.
    """
    ### BEGIN SOLUTION
    if yours.shape != right.shape or not np.isfinite(yours).all():
        return False
    size = max(1.0, np.max(np.abs(right), initial=0.0))
    off = np.max(np.abs(yours - right), initial=0.0)
    return bool(off <= TOLERANCE[str(yours.dtype)] * size)
    ### END SOLUTION


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
    ### BEGIN SOLUTION
    leaves = [Tensor(array, dtype=array.dtype) for array in arrays]
    out = op(*leaves)
    cotangent = rng.normal(size=out.shape).astype(out.dtype)
    found = op.backward(Tensor(cotangent, dtype=out.dtype, requires_grad=False), out)
    gradients = (found,) if isinstance(found, Tensor) else found
    expected = numeric_vjp(op.forward, arrays, cotangent)
    for which, (yours, right) in enumerate(zip(gradients, expected, strict=True)):
        if yours.shape != right.shape:
            raise WrongRule(which, (), yours.shape, right.shape)
        if not close(yours.data, right):
            off = np.nan_to_num(np.abs(yours.data - right), nan=np.inf)
            index = tuple(int(i) for i in np.unravel_index(np.argmax(off), right.shape))
            raise WrongRule(which, index, yours.data[index], right[index])
    ### END SOLUTION


def check_everywhere(make: Callable[[], Function], count: int, rng: np.random.Generator) -> None:
    """`check_rule` at many shapes and values: raises `WrongRule` if any of them shows a mistake.

    ``make()`` gives a new op; it takes ``count`` inputs of one shape, any shape and any values. A
    rule may be wrong for some of them only: without axes, with an axis of one, with three axes
    and several numbers, for negative numbers in any of the inputs, for positive ones, for numbers
    beyond 1, for inputs that differ. Choose shapes and values so that each of these is tried; keep
    away from 0.
    """
    ### BEGIN SOLUTION
    for shape in ((), (1,), (4,), (2, 3), (1, 3), (3, 1), (2, 1, 3)):
        for low, high in ((0.2, 0.9), (1.1, 2.5)):
            for sign in (1, -1):
                arrays = [sign * rng.uniform(low, high, shape) for _ in range(count)]
                check_rule(make(), [np.asarray(array) for array in arrays], rng)
    ### END SOLUTION
