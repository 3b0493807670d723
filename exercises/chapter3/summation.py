"""The sum over axes: `Summation`, and `Tensor.sum`."""

import numpy as np

from grader.course import REAL, OpRow, SampleGroup, body, edit, exercise, shapes

from .sentences import DATA_ONLY, TUPLE_ONLY
from .standard import RULE

ROW = OpRow(
    op="Summation",
    forward=lambda a, axes: np.sum(a, axis=axes),
    torch=lambda torch, a, axes: a.sum() if axes is None else a.sum(dim=axes),
    domain=(REAL,),
    samples=(shapes((3,), attrs=(None,)), shapes((2, 3), attrs=(None,))),
    scalar_shape=True,
    groups=(
        SampleGroup(
            "one-axis",
            "{method} is right for one axis.",
            tuple(shapes(s, attrs=(n,)) for s in ((2, 3), (3, 3)) for n in (0, 1)),
            taught="None (all), an int (negative too) or a tuple of ints",
        ),
        SampleGroup(
            "negative-axis",
            "{method} is right for a negative axis, which counts from the end.",
            (
                shapes((2, 3), attrs=(-1,)),
                shapes((2, 3, 4), attrs=(-2,)),
                shapes((2, 3, 4), attrs=((-1, -2),)),
            ),
            taught="an int (negative too)",
        ),
        SampleGroup(
            "several-axes",
            "{method} is right for a tuple of axes.",
            (
                shapes((2, 3, 4), attrs=((0, 2),)),
                shapes((2, 2, 3), attrs=((0, 1),)),
                shapes((2, 3, 4), attrs=((1,),)),
            ),
            taught="or a tuple of ints",
        ),
    ),
    taught={
        "forward": "The sum over `self.axes`: None (all)",
        "backward": "`out_grad` repeated along every axis that was summed",
    },
)


@exercise("ops.Summation.forward", points=1, minutes=1, difficulty=1)
class FORWARD:
    """The axes were given to the constructor: they are `self.axes`.

    `np.sum` takes None, an int or a tuple, under the name `axis`.
    """

    keepdims = body("return np.sum(a, axis=self.axes, keepdims=True)")
    """You kept the summed axes with size 1 (`keepdims=True`). Remove them."""

    axes_ignored = body("return np.sum(a)")
    """You sum over everything whatever `self.axes` says."""

    mean = body("return np.mean(a, axis=self.axes)")
    """This is the mean: the sum divided by how many values there are."""

    last_axis = body("return np.sum(a, axis=-1)")
    """You sum over the last axis whatever `self.axes` says."""

    zero_is_false = body("return np.sum(a, axis=self.axes) if self.axes else np.sum(a)")
    """`if self.axes` is false for axis 0 too. Ask whether `self.axes` is None."""

    def one_by_one(self, a):
        """You sum over one axis after the other. Each sum removes an axis, so those after it move
        up, and the next number means another axis. Sum over all at once."""
        if isinstance(self.axes, tuple):
            for axis in self.axes:
                a = a.sum(axis)
            return a
        return np.sum(a, axis=self.axes)


@exercise("ops.Summation.backward", points=2, minutes=12)
class BACKWARD:
    """Every value that went into a sum moves it one for one. So each gets the gradient of the sum
    that it went into.

    The summed axes are gone from `out_grad`. Put them back with size 1 (`reshape`); then the rest
    is repetition (`broadcast_to`).

    To know which axes to put back, bring None, an int and negative numbers into one form first: a
    set of axes from 0 to `a.ndim - 1`. `axis % a.ndim` does it for one.
    """

    not_expanded = body("return out_grad")
    """`out_grad` has the shape of the sum. The gradient of `a` has the shape of `a`: each value of
    `out_grad` belongs to every value that went into that sum."""

    forgot_out_grad = RULE.out_grad_ones

    def reshaped(self, out_grad, node):
        """A reshape makes no new values, and `out_grad` holds fewer than `a`: each of them has to
        be repeated for every value that went into that sum."""
        (a,) = node._inputs
        return reshape(out_grad, a.shape)

    def axis_not_put_back(self, out_grad, node):
        """Broadcasting adds axes in front. That is right if axis 0 was summed; put any other axis
        back in its own place first, with size 1."""
        (a,) = node._inputs
        return broadcast_to(out_grad, a.shape)

    negative_axis = edit(
        ("summed = {axis % a.ndim for axis in (", "axes = "), (")}", ""), ("in summed", "in axes")
    )
    """You compare the axes with 0, 1, 2 …, and a negative axis is none of these. -1 means the last
    one."""

    def put_back_last(self, out_grad, node):
        """You put the summed axes back at the end. That is right only if the last ones were summed;
        put each one back in its own place."""
        (a,) = node._inputs
        count = a.ndim - out_grad.ndim
        return broadcast_to(reshape(out_grad, (*out_grad.shape, *[1] * count)), a.shape)

    zero_is_false = edit(
        ("range(a.ndim)", "self.axes"), ("is None else self.axes", "else range(a.ndim)")
    )
    """`if self.axes` is false for axis 0 too. Ask whether `self.axes` is None."""

    def none_unhandled(self, out_grad, node):
        """`self.axes` may be None, which means all axes, and None can't be looped over."""
        (a,) = node._inputs
        axes = (self.axes,) if isinstance(self.axes, int) else self.axes
        kept = list(a.shape)
        for axis in axes:
            kept[axis] = 1
        return broadcast_to(reshape(out_grad, tuple(kept)), a.shape)

    tuple_only = edit("((axes,) if isinstance(axes, int) else axes)", "axes", says=TUPLE_ONLY)

    def averaged(self, out_grad, node):
        """You shared each gradient out among the values of its sum. That is the gradient of a mean;
        in a sum, every value gets all of it."""
        (a,) = node._inputs
        axes = range(a.ndim) if self.axes is None else self.axes
        summed = {axis % a.ndim for axis in ((axes,) if isinstance(axes, int) else axes)}
        kept = tuple(1 if axis in summed else size for axis, size in enumerate(a.shape))
        count = a.size / max(1, out_grad.size)
        return broadcast_to(reshape(out_grad, kept), a.shape) / count

    numpy_inside = RULE.detached


@exercise(
    "chapter3.summation.method", targets=("tensor.Tensor.sum",), points=1, minutes=1, difficulty=1
)
class METHOD:
    """`ops.summation` makes the node. Pass it `self` and the axes, unchanged."""

    axes_dropped = edit(", axes", "")
    """You didn't pass `axes` on, so every call sums over everything."""

    zero_is_false = edit("axes", "axes if axes else None")
    """`if axes` is false for axis 0 too. Ask whether `axes` is None."""

    data_only = body("return Tensor(self.data.sum(axis=axes), dtype=self.dtype)", says=DATA_ONLY)


EXERCISES = (FORWARD, BACKWARD, METHOD)
