"""`LogSumExp`: a smooth maximum that must not overflow."""

from typing import Any

import numpy as np

from grader.course import REAL, Exercise, Group, Mistake, OpRow, shapes, values


def formula(a: np.ndarray, axes: Any = None) -> np.ndarray:
    """Shifted by a constant, so that it takes complex numbers and large ones."""
    shift = np.max(a.real, axis=axes, keepdims=True)
    total = np.log(np.sum(np.exp(a - shift), axis=axes))
    return total + shift.reshape(total.shape)


def twin(torch: Any, a: Any, axes: Any = None) -> Any:
    return torch.logsumexp(a, tuple(range(a.ndim)) if axes is None else axes)


EXTREME = [[1000.0, 999.5, 998.25], [-1000.0, -998.5, -999.0]]

ROW = OpRow(
    op="LogSumExp",
    forward=formula,
    torch=twin,
    domain=(REAL,),
    samples=(shapes((3,)), shapes((2, 3), attrs=(1,))),
    taught={
        "forward": "`log Σ eᵃ` over `self.axes`: None (all)",
        "backward": "`out_grad` times the softmax, `exp(a - output)`",
    },
    groups=(
        Group(
            "all", "{method} works over all axes at once.", (shapes((2, 3)),),
            "`log Σ eᵃ` over `self.axes`: None (all)", scalar_shape=True,
        ),
        Group(
            "axes", "{method} works over other axes: a negative one, the first one, two of three.",
            (shapes((2, 3), attrs=(-1,)), shapes((2, 3), attrs=(0,)),
             shapes((2, 3, 2), attrs=((0, 2),))),
            "None (all), an int (negative too) or a tuple of ints",
        ),
        Group(
            "stable", "{method} is right at ±1000.", (values(EXTREME, attrs=(1,)),),
            "finite for every finite `a`, at ±1000 too", directions=("forward",),
        ),
        Group(
            "stable", "{method} is right at ±1000.", (values(EXTREME, attrs=(1,)),),
            "The gradient is finite at ±1000 too", directions=("backward",),
        ),
    ),
    scalar_shape=True,
)  # fmt: skip

SHIFTED = "largest = np.max(a, axis=self.axes, keepdims=True)\n"

FORWARD = Exercise(
    "chapter4.logsumexp.forward",
    section="4.9",
    targets=("ops.LogSumExp.forward",),
    points=2,
    minutes=10,
    difficulty=2,
    hints=(
        "What is `np.exp(1000)`? The identity with the maximum m keeps every power at 1 or below.",
        "Take the maximum over the same axes as the sum, with `keepdims=True`, so that it can be "
        "subtracted. Then compute, and add it again at the end.",
        "The result has lost the axes of the sum, the maximum with `keepdims` has not: give it "
        "the shape of the result before you add it.",
    ),
    mistakes=(
        Mistake(
            "no-maximum", "return np.log(np.sum(np.exp(a), axis=self.axes))",
            "Right on paper, but e¹⁰⁰⁰ is infinite and e⁻¹⁰⁰⁰ is 0 in floating point. Take the "
            "maximum out before you use exp.",
        ),
        Mistake(
            "maximum-not-added",
            SHIFTED + "return np.log(np.sum(np.exp(a - largest), axis=self.axes))",
            "You subtracted the maximum and never added it again.",
        ),
        Mistake(
            "one-maximum-for-all",
            "largest = np.max(a)\nreturn np.log(np.sum(np.exp(a - largest), axis=self.axes)) + "
            "largest",
            "You took one maximum for the whole array. A row far below it becomes all zeros, and "
            "log 0 is -∞. Every sum needs a maximum of its own.",
        ),
        Mistake(
            "axes-kept",
            SHIFTED + "total = np.sum(np.exp(a - largest), axis=self.axes, keepdims=True)\n"
            "return np.log(total) + largest",
            "The values are right, but the axes of the sum are still there, with size 1.",
        ),
        Mistake(
            "mean",
            SHIFTED + "total = np.mean(np.exp(a - largest), axis=self.axes)\n"
            "return np.log(total) + np.reshape(largest, total.shape)",
            "You took the mean of the powers, not their sum.",
        ),
        Mistake(
            "just-the-maximum", "return np.max(a, axis=self.axes)",
            "That is the maximum alone. The logarithm of the sum lies a little above it.",
        ),
    ),
)  # fmt: skip

KEPT = """
(a,) = node._inputs
axes = range(a.ndim) if self.axes is None else self.axes
summed = {axis % a.ndim for axis in ((axes,) if isinstance(axes, int) else axes)}
kept = tuple(1 if axis in summed else size for axis, size in enumerate(a.shape))
"""
SOFTMAX = "softmax = exp(a - broadcast_to(reshape(node, kept), a.shape))\n"

BACKWARD = Exercise(
    "chapter4.logsumexp.backward",
    section="4.9",
    targets=("ops.LogSumExp.backward",),
    points=2,
    minutes=12,
    difficulty=3,
    needs=("chapter4.logsumexp.forward",),
    hints=(
        "Two values: d log(eᵃ + eᵇ)/da is eᵃ divided by the sum. So each input gets its share.",
        "The share is e to the power of `a - node`: the logarithm of the sum is already there, in "
        "the output.",
        "`node` and `out_grad` lack the axes of the sum. `Summation.backward` had the same "
        "problem: reshape with ones, then `broadcast_to`.",
    ),
    mistakes=(
        Mistake(
            "forgot-out-grad", KEPT + SOFTMAX + "return softmax",
            "This is the softmax alone. It must be multiplied by `out_grad`, the gradient that "
            "arrived from above.",
        ),
        Mistake(
            "no-softmax", KEPT + "return broadcast_to(reshape(out_grad, kept), a.shape)",
            "Every input got the whole `out_grad`, as in a plain sum. Each is to get its share, "
            "and the shares are the softmax.",
        ),
        Mistake(
            "not-normalised",
            KEPT + "return broadcast_to(reshape(out_grad, kept), a.shape) * exp(a)",
            "You multiplied by eᵃ. These are not shares yet: divide by the sum, or subtract its "
            "logarithm in the exponent.",
        ),
        Mistake(
            "naive-softmax",
            KEPT + "total = broadcast_to(reshape(summation(exp(a), self.axes), kept), a.shape)\n"
            "return broadcast_to(reshape(out_grad, kept), a.shape) * exp(a) / total",
            "eᵃ divided by Σ eᵃ is ∞/∞ at 1000, and 0/0 at -1000. The output holds the logarithm "
            "of the sum: subtract it before you use exp.",
        ),
        Mistake(
            "over-everything",
            KEPT + "softmax = exp(a - broadcast_to(logsumexp(a), a.shape))\n"
            "return broadcast_to(reshape(out_grad, kept), a.shape) * softmax",
            "Your shares add up to 1 over the whole array. They are to do so along the axes of the "
            "sum.",
        ),
    ),
)  # fmt: skip
