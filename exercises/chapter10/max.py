"""The largest value over axes: `Max` with its rule for ties, and `Tensor.max`."""

import numpy as np

from exercises.chapter3.sentences import DATA_ONLY, FORGOT_OUT_GRAD
from exercises.chapter3.standard import RULE
from grader.course import (
    DISTINCT,
    OpRow,
    SampleGroup,
    body,
    edit,
    exercise,
    mistake,
    shapes,
    values,
)

ROW = OpRow(
    op="Max",
    # Of complex numbers NumPy takes the one with the largest real part: right for a complex step.
    forward=lambda a, axes=None: np.max(a, axis=axes),
    # Of PyTorch's maxima, `amax` is the one that shares among ties.
    torch=lambda torch, a, axes=None: torch.amax(a, () if axes is None else axes),
    domain=(DISTINCT,),
    samples=(shapes((3,)), shapes((2, 3), attrs=(1,))),
    scalar_shape=True,
    groups=(
        SampleGroup(
            "axes",
            "{method} works over other axes: a negative one, the first one, two of three.",
            (shapes((2, 3), attrs=(-1,)), shapes((2, 3), attrs=(0,)),
             shapes((2, 3, 2), attrs=((0, 2),))),
            "None (all), an int (negative too) or a tuple of ints",
        ),
        SampleGroup(
            "far",
            "{method} is right where all values are far below 0, to the last digits.",
            (values([-7_100_000.1, -3_300_000.1, -4_700_000.1]),),
            "The maximum over `self.axes`",
            directions=("forward",), hidden=True,
        ),
        SampleGroup(
            "ties",
            "{method} shares the gradient equally where values tie for the maximum.",
            (values([2.5, -1.5, 2.5]),
             values([[1.5, 1.5, 1.5, 1.5], [-0.5, 0.75, 0.7499995, 0.5],
                     [0.25, 0.5, 0.5, 0.5]], attrs=(1,))),
            "Where k values tie for the maximum, each of them gets `out_grad / k`",
            directions=("backward",), numeric=False,
        ),
    ),
    taught={
        "forward": "The maximum over `self.axes`: None (all), an int … These axes are gone",
        "backward": "`out_grad` where the largest value was, 0 elsewhere",
    },
)  # fmt: skip


@exercise("ops.Max.forward", points=1, minutes=1)
class FORWARD:
    """Arrays have a method `max`, with an argument `axis`: None, an int or a tuple."""

    keepdims = body("return a.max(axis=self.axes, keepdims=True)")
    """The values are right, but the axes are still there, with size 1. Remove them."""

    axes_ignored = edit("axis=self.axes", "")
    """You took one maximum of everything, whatever `self.axes` says."""

    def where_it_is(self, a):
        """`argmax` says *where* the largest value is. Return the value."""
        flat = a if self.axes is None or isinstance(self.axes, int) else a.ravel()
        return np.asarray(flat.argmax(axis=self.axes if flat is a else None))

    largest_size = edit("a.", "np.abs(a).")
    """You took the largest absolute value. -3 is smaller than 2."""


@exercise("ops.Max.backward", points=3)
class BACKWARD:
    """Nudge a value that isn't the largest: nothing happens. Nudge the largest: the maximum moves
    with it, one for one. So the slope is a mask, as for ReLU.

    To know where the largest values are, compare `a.data` with its maximum over the same axes,
    taken with `keepdims=True`. Sum the mask in the same way: that is how many tie. Divide by it.

    `out_grad` has lost the axes: bring them back with size 1 and repeat it along them, as in
    `Summation.backward`.
    """

    def to_everyone(self, out_grad, node):
        """Every value got the gradient, as in a sum. Only the largest one moves the maximum."""
        (a,) = node._inputs
        axes = range(a.ndim) if self.axes is None else self.axes
        gone = {axis % a.ndim for axis in ((axes,) if isinstance(axes, int) else axes)}
        kept = tuple(1 if axis in gone else size for axis, size in enumerate(a.shape))
        largest = a.data == a.data.max(axis=self.axes, keepdims=True)
        shares = largest / largest.sum(axis=self.axes, keepdims=True)
        return broadcast_to(reshape(out_grad, kept), a.shape)

    @mistake(seen="https://github.com/mni-ml/framework/pull/22")
    def ties_double(self, out_grad, node):
        """If values tie, each of them got the whole `out_grad`: together they get more than
        arrived. They should share it equally."""
        (a,) = node._inputs
        axes = range(a.ndim) if self.axes is None else self.axes
        gone = {axis % a.ndim for axis in ((axes,) if isinstance(axes, int) else axes)}
        kept = tuple(1 if axis in gone else size for axis, size in enumerate(a.shape))
        largest = a.data == a.data.max(axis=self.axes, keepdims=True)
        shares = largest / largest.sum(axis=self.axes, keepdims=True)
        mask = Tensor(largest, dtype=a.dtype, requires_grad=False)
        return broadcast_to(reshape(out_grad, kept), a.shape) * mask

    def first_of_the_ties(self, out_grad, node):
        """If values tie, you gave everything to the first of them. Some functions of PyTorch do
        that; here, they share it equally."""
        (a,) = node._inputs
        axes = range(a.ndim) if self.axes is None else self.axes
        gone = {axis % a.ndim for axis in ((axes,) if isinstance(axes, int) else axes)}
        kept = tuple(1 if axis in gone else size for axis, size in enumerate(a.shape))
        largest = a.data == a.data.max(axis=self.axes, keepdims=True)
        shares = largest / largest.sum(axis=self.axes, keepdims=True)

        first, seen = np.zeros(a.shape), set()
        for index in np.argwhere(largest):
            home = tuple(int(n) for axis, n in enumerate(index) if axis not in gone)
            first[tuple(index)] = home not in seen
            seen.add(home)
        mask = Tensor(first, dtype=a.dtype, requires_grad=False)
        return broadcast_to(reshape(out_grad, kept), a.shape) * mask

    over_everything = edit("largest,", "a.data == a.data.max(),", of=ties_double)
    """You looked for the largest value of the whole array. Every maximum has its own largest
    value."""

    times_the_value = edit("largest,", "shares * a.data,", of=ties_double)
    """You multiplied by the largest value. The maximum moves with it one for one, however large it
    is."""

    @mistake(says=FORGOT_OUT_GRAD)
    def forgot_out_grad(self, out_grad, node):
        (a,) = node._inputs
        axes = range(a.ndim) if self.axes is None else self.axes
        gone = {axis % a.ndim for axis in ((axes,) if isinstance(axes, int) else axes)}
        kept = tuple(1 if axis in gone else size for axis, size in enumerate(a.shape))
        largest = a.data == a.data.max(axis=self.axes, keepdims=True)
        shares = largest / largest.sum(axis=self.axes, keepdims=True)
        return Tensor(shares, dtype=a.dtype)

    numpy_inside = RULE.detached


@exercise("chapter10.max.method", targets=("tensor.Tensor.max",), points=1, minutes=1)
class METHOD:
    """`ops.amax` makes the node. Pass it `self` and the axes."""

    axes_ignored = edit(", axes", "")
    """You took the maximum of everything, whatever `axes` says."""

    data_only = body("return Tensor(self.data.max(axis=axes), dtype=self.dtype)", says=DATA_ONLY)
