"""`LogSumExp`: a smooth maximum that must not overflow."""

from typing import Any

import numpy as np

from grader.course import REAL, OpRow, SampleGroup, body, edit, exercise, shapes, values


def formula(a: np.ndarray, axes: Any = None) -> np.ndarray:
    """Shifted by a constant, so that it takes complex numbers and large ones."""
    shift = np.max(a.real, axis=axes, keepdims=True)
    total = np.log(np.sum(np.exp(a - shift), axis=axes))
    return total + shift.reshape(total.shape)


def twin(torch: Any, a: Any, axes: Any = None) -> Any:
    return torch.logsumexp(a, tuple(range(a.ndim)) if axes is None else axes)


# In the last row the mean is far below the maximum: no other shift will do.
EXTREME = [[1000.0, 999.5, 998.25], [-1000.0, -998.5, -999.0], [1000.0, -1000.0, -998.25]]

ROW = OpRow(
    op="LogSumExp",
    forward=formula,
    torch=twin,
    domain=(REAL,),
    samples=(shapes((3,)), shapes((2, 3), attrs=(1,))),
    taught={
        "forward": "`log Σ eᵃ` over `self.axes`: None (all) … These axes are gone in the result",
        "backward": "`out_grad` times the softmax, `exp(a - output)`",
    },
    groups=(
        SampleGroup(
            "all", "{method} works over all axes at once.", (shapes((2, 3)),),
            "`log Σ eᵃ` over `self.axes`: None (all)", scalar_shape=True,
        ),
        SampleGroup(
            "axes", "{method} works over other axes: a negative one, the first one, two of three.",
            (shapes((2, 3), attrs=(-1,)), shapes((2, 3), attrs=(0,)),
             shapes((2, 3, 2), attrs=((0, -1),))),
            "None (all), an int (negative too) or a tuple of ints",
        ),
        SampleGroup(
            "stable", "{method} is right at ±1000.", (values(EXTREME, attrs=(1,)),),
            "finite for every finite `a`, at ±1000 too", directions=("forward",),
        ),
        SampleGroup(
            "stable", "{method} is right at ±1000.", (values(EXTREME, attrs=(1,)),),
            "The gradient is finite at ±1000 too", directions=("backward",),
        ),
    ),
    scalar_shape=True,
)  # fmt: skip


@exercise("ops.LogSumExp.forward", points=2)
class FORWARD:
    """What is `np.exp(1000)`? The identity with the maximum m keeps every power at 1 or below.

    Take the maximum over the same axes as the sum, with `keepdims=True`, so that you can subtract
    it. Then compute, and add it again at the end.

    The result has lost the axes of the sum, the maximum with `keepdims` hasn't: give it the shape
    of the result before you add it.
    """

    no_maximum = body("return np.log(np.sum(np.exp(a), axis=self.axes))")
    """That is right on paper, but e¹⁰⁰⁰ is infinite and e⁻¹⁰⁰⁰ is 0 in floating point. Take the
    maximum out before you use exp."""

    def maximum_not_added(self, a):
        """You subtracted the maximum and never added it again."""
        largest = np.max(a, axis=self.axes, keepdims=True)
        return np.log(np.sum(np.exp(a - largest), axis=self.axes))

    def one_maximum_for_all(self, a):
        """You took one maximum for the whole array. A row far below it becomes all zeros, and log 0
        is -∞. Every sum needs its own maximum."""
        largest = np.max(a)
        return np.log(np.sum(np.exp(a - largest), axis=self.axes)) + largest

    def axes_kept(self, a):
        """The values are right, but the axes of the sum are still there, with size 1."""
        largest = np.max(a, axis=self.axes, keepdims=True)
        total = np.sum(np.exp(a - largest), axis=self.axes, keepdims=True)
        return np.log(total) + largest

    def mean(self, a):
        """You took the mean of the powers, not their sum."""
        largest = np.max(a, axis=self.axes, keepdims=True)
        total = np.mean(np.exp(a - largest), axis=self.axes)
        return np.log(total) + np.reshape(largest, total.shape)

    just_the_maximum = body("return np.max(a, axis=self.axes)")
    """That is the maximum alone. The logarithm of the sum is a little larger."""


@exercise("ops.LogSumExp.backward", points=2)
class BACKWARD:
    """Two values: d log(eᵃ + eᵇ)/da is eᵃ divided by the sum. So each input gets its share.

    The share is e to the power of `a - node`: the logarithm of the sum is already there, in the
    output.

    `node` and `out_grad` lack the axes of the sum. `Summation.backward` had the same problem:
    reshape with ones, then `broadcast_to`.
    """

    def forgot_out_grad(self, out_grad, node):
        """This is the softmax alone. It must be multiplied by `out_grad`, the gradient that arrived
        from above."""
        (a,) = node._inputs
        axes = range(a.ndim) if self.axes is None else self.axes
        summed = {axis % a.ndim for axis in ((axes,) if isinstance(axes, int) else axes)}
        kept = tuple(1 if axis in summed else size for axis, size in enumerate(a.shape))
        softmax = exp(a - broadcast_to(reshape(node, kept), a.shape))
        return softmax

    def no_softmax(self, out_grad, node):
        """Every input got the whole `out_grad`, as in a plain sum. Each should get its share, and
        the shares are the softmax."""
        (a,) = node._inputs
        axes = range(a.ndim) if self.axes is None else self.axes
        summed = {axis % a.ndim for axis in ((axes,) if isinstance(axes, int) else axes)}
        kept = tuple(1 if axis in summed else size for axis, size in enumerate(a.shape))
        return broadcast_to(reshape(out_grad, kept), a.shape)

    not_normalised = edit(
        "(reshape(out_grad, kept), a.shape)",
        "(reshape(out_grad, kept), a.shape) * exp(a)",
        of=no_softmax,
    )
    """You multiplied by eᵃ. These aren't shares yet: divide by the sum, or subtract its logarithm
    in the exponent."""

    def naive_softmax(self, out_grad, node):
        """eᵃ divided by Σ eᵃ is ∞/∞ at 1000, and 0/0 at -1000. The output holds the logarithm of
        the sum: subtract it before you use exp."""
        (a,) = node._inputs
        axes = range(a.ndim) if self.axes is None else self.axes
        summed = {axis % a.ndim for axis in ((axes,) if isinstance(axes, int) else axes)}
        kept = tuple(1 if axis in summed else size for axis, size in enumerate(a.shape))
        total = broadcast_to(reshape(summation(exp(a), self.axes), kept), a.shape)
        return broadcast_to(reshape(out_grad, kept), a.shape) * exp(a) / total

    def over_everything(self, out_grad, node):
        """Your shares add up to 1 over the whole array. They should add up to 1 along the axes of
        the sum."""
        (a,) = node._inputs
        axes = range(a.ndim) if self.axes is None else self.axes
        summed = {axis % a.ndim for axis in ((axes,) if isinstance(axes, int) else axes)}
        kept = tuple(1 if axis in summed else size for axis, size in enumerate(a.shape))
        softmax = exp(a - broadcast_to(logsumexp(a), a.shape))
        return broadcast_to(reshape(out_grad, kept), a.shape) * softmax
