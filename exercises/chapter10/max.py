"""The largest value over axes: `Max` with its rule for ties, and `Tensor.max`."""

import numpy as np

from exercises.chapter3.mistakes import data_only, forgot_out_grad, numpy_inside
from grader.course import DISTINCT, Exercise, Group, Mistake, OpRow, shapes, values

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
        Group(
            "axes",
            "{method} works over other axes: a negative one, the first one, two of three.",
            (shapes((2, 3), attrs=(-1,)), shapes((2, 3), attrs=(0,)),
             shapes((2, 3, 2), attrs=((0, 2),))),
            "None (all), an int (negative too) or a tuple of ints",
        ),
        Group(
            "ties",
            "{method} shares the gradient equally where values tie for the maximum.",
            (values([2.5, -1.5, 2.5]),
             values([[1.5, 1.5, 1.5], [-0.5, 0.75, -2.5], [0.25, 0.5, 0.5]], attrs=(1,))),
            "Where k values tie for the maximum, each of them gets `out_grad / k`",
            directions=("backward",), numeric=False,
        ),
    ),
    taught={
        "forward": "The maximum over `self.axes`: None (all), an int",
        "backward": "`out_grad` where the largest value was, 0 elsewhere",
    },
)  # fmt: skip

FORWARD = Exercise(
    "chapter10.max.forward",
    section="10.5",
    targets=("ops.Max.forward",),
    points=1,
    minutes=1,
    hints=("Arrays have a method `max`, with an argument `axis`: None, an int or a tuple.",),
    mistakes=(
        Mistake(
            "keepdims", "return a.max(axis=self.axes, keepdims=True)",
            "The values are right, but the axes are still there, with size 1. They have to be "
            "gone.",
        ),
        Mistake(
            "axes-ignored", "return np.asarray(a.max())",
            "You took one maximum of everything, whatever `self.axes` says.",
        ),
        Mistake(
            "where-it-is",
            "flat = a if self.axes is None or isinstance(self.axes, int) else a.ravel()\n"
            "return np.asarray(flat.argmax(axis=self.axes if flat is a else None))",
            "`argmax` says *where* the largest value stands. Its value is asked for.",
        ),
        Mistake(
            "largest-size", "return np.asarray(np.abs(a).max(axis=self.axes))",
            "You took the largest absolute value. -3 is smaller than 2.",
        ),
    ),
)  # fmt: skip

KEPT = """
(a,) = node._inputs
axes = range(a.ndim) if self.axes is None else self.axes
gone = {axis % a.ndim for axis in ((axes,) if isinstance(axes, int) else axes)}
kept = tuple(1 if axis in gone else size for axis, size in enumerate(a.shape))
largest = a.data == a.data.max(axis=self.axes, keepdims=True)
shares = largest / largest.sum(axis=self.axes, keepdims=True)
"""
TIMES = (
    "mask = Tensor({}, dtype=a.dtype, requires_grad=False)\n"
    "return broadcast_to(reshape(out_grad, kept), a.shape) * mask"
)
FIRST = """
first, seen = np.zeros(a.shape), set()
for index in np.argwhere(largest):
    home = tuple(int(n) for axis, n in enumerate(index) if axis not in gone)
    first[tuple(index)] = home not in seen
    seen.add(home)
"""

BACKWARD = Exercise(
    "chapter10.max.backward",
    section="10.5",
    targets=("ops.Max.backward",),
    points=3,
    minutes=15,
    difficulty=3,
    needs=("chapter10.max.forward",),
    hints=(
        "Nudge a value that is not the largest: nothing happens. Nudge the largest: the maximum "
        "moves with it, one for one. So the slope is a mask, as for ReLU.",
        "To know where the largest values are, compare `a.data` with its maximum over the same "
        "axes, taken with `keepdims=True`. Sum the mask in the same way: that is how many tie. "
        "Divide.",
        "`out_grad` has lost the axes: bring them back with size 1 and repeat it along them, as in "
        "`Summation.backward`.",
    ),
    mistakes=(
        Mistake(
            "to-everyone", KEPT + "return broadcast_to(reshape(out_grad, kept), a.shape)",
            "Every value got the gradient, as in a sum. Only the largest one moves the maximum.",
        ),
        Mistake(
            "ties-double", KEPT + TIMES.format("largest"),
            "Where values tie, each of them got the whole `out_grad`: together they hand back more "
            "than arrived. They are to share it equally.",
        ),
        Mistake(
            "first-of-the-ties", KEPT + FIRST + TIMES.format("first"),
            "Where values tie, you gave everything to the first of them. Some functions of PyTorch "
            "do so; the rule here is that they share it equally.",
        ),
        Mistake(
            "over-everything",
            KEPT + TIMES.format("a.data == a.data.max()"),
            "You looked for the largest value of the whole array. Every maximum has a largest "
            "value of its own.",
        ),
        Mistake(
            "times-the-value", KEPT + TIMES.format("shares * a.data"),
            "You multiplied by the largest value. The maximum moves with it one for one, however "
            "large it is.",
        ),
        forgot_out_grad(KEPT + "return Tensor(shares, dtype=a.dtype)"),
        numpy_inside(
            KEPT + "return Tensor(out_grad.data.reshape(kept) * shares, dtype=a.dtype)"
        ),
    ),
)  # fmt: skip

METHOD = Exercise(
    "chapter10.max.method",
    section="10.5",
    targets=("tensor.Tensor.max",),
    points=1,
    minutes=1,
    needs=("chapter10.max.forward",),
    hints=("`ops.amax` makes the node. Hand it `self` and the axes.",),
    mistakes=(
        Mistake(
            "axes-ignored", "return ops.amax(self)",
            "You took the maximum of everything, whatever `axes` says.",
        ),
        data_only("return Tensor(self.data.max(axis=axes), dtype=self.dtype)"),
    ),
)  # fmt: skip
