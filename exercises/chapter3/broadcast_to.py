"""Values repeated to fill a larger shape: `BroadcastTo`, and `Tensor.broadcast_to`."""

import numpy as np

from grader.course import REAL, OpRow, SampleGroup, body, edit, exercise, mistake, shapes

from .sentences import DATA_ONLY, LEFT, ONE_BY_ONE, SIDE_BY_SIDE
from .standard import RULE

ADDED_ONLY = (
    "You summed over the axes that were added in front. Axes that were stretched from size 1 hold "
    "copies too."
)
SUMMED = "`out_grad` summed over every copy of each value"
FILLED = "`a` repeated to fill `self.shape`"

ROW = OpRow(
    op="BroadcastTo",
    forward=lambda a, shape: np.broadcast_to(a, shape),
    torch=lambda torch, a, shape: a.broadcast_to(shape),
    domain=(REAL,),
    samples=(shapes((3,), attrs=((2, 3),)), shapes((), attrs=((2, 3),))),
    groups=tuple(
        SampleGroup(name, says, samples, taught=taught, directions=(direction,))
        for direction, taught in (("forward", FILLED), ("backward", SUMMED))
        for name, says, samples in (
            (
                "stretched",
                "{method} is right where axes of size 1 are stretched.",
                (
                    shapes((2, 1), attrs=((2, 3),)),
                    shapes((1, 3), attrs=((3, 3),)),
                    shapes((1, 1), attrs=((2, 3),)),
                ),
            ),
            (
                "square",
                "{method} is right for a square, where only the values show which axis was added.",
                (shapes((3,), attrs=((3, 3),)), shapes((2, 3), attrs=((3, 2, 3),))),
            ),
            (
                "added-one",
                "{method} is right where the added axis has size 1, so that nothing is repeated.",
                (shapes((3,), attrs=((1, 3),)),),
            ),
            (
                "both",
                "{method} is right where axes are added and others stretched.",
                (shapes((2, 1), attrs=((4, 2, 3),)), shapes((1, 3), attrs=((2, 4, 3),))),
            ),
            (
                "unchanged",
                "{method} is right where the shape was large enough already.",
                (shapes((2, 3), attrs=((2, 3),)), shapes((1, 3), attrs=((1, 3),))),
            ),
        )
    ),
    taught={"forward": FILLED, "backward": SUMMED},
)


@exercise(
    "chapter3.broadcast_to.forward",
    targets=("ops.BroadcastTo.forward",),
    points=1,
    minutes=1,
    difficulty=1,
)
class FORWARD:
    """The larger shape was given to the constructor: it is `self.shape`.

    NumPy has a function of the same name.
    """

    tile = body("return np.tile(a, self.shape)")
    """`np.tile` takes how often to repeat, not the shape to reach."""

    resize = body("return np.resize(a, self.shape)")
    """`np.resize` fills the shape with the values one after another. If an axis of size 1 is
    stretched, each value has to be repeated beside itself."""

    unchanged = body("return a")
    """You returned the array unchanged; its shape has to become `self.shape`."""

    fewer_axes = body("return np.full(self.shape, a)")
    """Writing an array into a smaller one silently drops its axes of size 1 in front. Broadcasting
    never takes an axis away: raise an error there."""


@exercise(
    "chapter3.broadcast_to.backward",
    targets=("ops.BroadcastTo.backward",),
    points=2,
    minutes=12,
    needs=("chapter3.broadcast_to.forward", "chapter3.summation.forward"),
)
class BACKWARD:
    """One value was copied to many places. What moves it moves all its copies, so their gradients
    add up.

    Which axes hold copies? Those that were added in front, and those that had size 1.

    Sum over these axes; then `reshape` gives back the axes of size 1 that the sum took away.
    """

    not_summed = body("return out_grad")
    """`out_grad` has one gradient per copy. The gradient of `a` has the shape of `a`: the gradients
    of all copies of a value add up."""

    @mistake(says=ADDED_ONLY)
    def added_only(self, out_grad, node):
        (a,) = node._inputs
        return summation(out_grad, tuple(range(len(self.shape) - a.ndim)))

    added_only_reshaped = edit(", *stretched", ",", says=ADDED_ONLY)

    @mistake(seen="https://github.com/pytorch/pytorch/issues/998")
    def stretched_only(self, out_grad, node):
        """You summed over the axes that were stretched from size 1. Axes that were added in front
        hold copies too."""
        (a,) = node._inputs
        if a.ndim != out_grad.ndim:
            return out_grad
        axes = tuple(i for i, size in enumerate(a.shape) if size == 1)
        return reshape(summation(out_grad, axes), a.shape)

    axis_lost = edit(("reshape(", ""), (", a.shape)", ""))
    """The sums are right, but a stretched axis has to come back with size 1: the gradient has lost
    it."""

    @mistake(says=LEFT)
    def from_the_left(self, out_grad, node):
        (a,) = node._inputs
        axes = tuple(i for i, size in enumerate(self.shape) if i >= a.ndim or a.shape[i] != size)
        total = summation(out_grad, axes)
        return reshape(total, a.shape) if total.size == a.size else total

    @mistake(says=LEFT, shown_by=SIDE_BY_SIDE)
    def from_the_left_reshaped(self, out_grad, node):
        (a,) = node._inputs
        axes = tuple(i for i, (g, s) in enumerate(zip(self.shape, a.shape)) if g != s)
        return reshape(summation(out_grad, axes), a.shape)

    @mistake(says=LEFT)
    def from_the_left_by_index(self, out_grad, node):
        (a,) = node._inputs
        axes = tuple(i for i in range(out_grad.ndim) if out_grad.shape[i] != a.shape[i])
        return reshape(summation(out_grad, axes), a.shape)

    @mistake(says=ONE_BY_ONE)
    def one_by_one(self, out_grad, node):
        (a,) = node._inputs
        added = len(self.shape) - a.ndim
        axes = [i for i in range(len(self.shape)) if i < added or a.shape[i - added] == 1]
        for axis in axes:
            out_grad = summation(out_grad, axis)
        return reshape(out_grad, a.shape)

    def averaged(self, out_grad, node):
        """You took the mean over the copies. Their gradients add up."""
        (a,) = node._inputs
        added = len(self.shape) - a.ndim
        stretched = [added + axis for axis, size in enumerate(a.shape) if size == 1]
        total = summation(out_grad, (*range(added), *stretched))
        return reshape(total, a.shape) / (out_grad.size / a.size)

    numpy_inside = RULE.detached


@exercise(
    "chapter3.broadcast_to.method",
    targets=("tensor.Tensor.broadcast_to",),
    points=1,
    minutes=1,
    difficulty=1,
)
class METHOD:
    """`ops.broadcast_to` makes the node. Pass it `self` and the shape."""

    unchanged = edit("shape", "self.shape")
    """You passed `self.shape`, the shape that the tensor has already."""

    reshaped = edit("broadcast_to", "reshape")
    """You called the reshape, which can't make more values than there are."""

    data_only = body(
        "return Tensor(np.broadcast_to(self.data, shape), dtype=self.dtype)", says=DATA_ONLY
    )


EXERCISES = (FORWARD, BACKWARD, METHOD)
