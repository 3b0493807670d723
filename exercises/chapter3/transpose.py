"""Axes in another order: `Transpose`, and `Tensor.transpose`."""

import numpy as np

from grader.course import REAL, OpRow, SampleGroup, body, edit, exercise, mistake, shapes

from .sentences import DATA_ONLY
from .standard import RULE


def forward(a, axes=None):
    return np.swapaxes(a, -1, -2) if axes is None else np.transpose(a, axes)


ROW = OpRow(
    op="Transpose",
    forward=forward,
    torch=lambda torch, a, axes=None: a.mT if axes is None else a.permute(axes),
    domain=(REAL,),
    samples=(shapes((2, 3)), shapes((2, 3), attrs=(None,)), shapes((2, 3, 4), attrs=(None,))),
    groups=(
        SampleGroup(
            "permutation",
            "{method} is right for a tuple that names every axis.",
            (shapes((2, 3), attrs=((1, 0),)), shapes((2, 3, 4), attrs=((1, 0, 2),))),
            taught="a full tuple is a permutation of the axes",
        ),
        SampleGroup(
            "cycle",
            "{method} is right for a permutation that is not its own inverse.",
            (shapes((2, 3, 4), attrs=((1, 2, 0),)), shapes((2, 3, 4), attrs=((2, 0, 1),))),
            taught="with its axes put back where they came from",
            directions=("backward",),
        ),
        SampleGroup(
            "cycle",
            "{method} is right for a permutation of three axes that moves them all.",
            (shapes((2, 3, 4), attrs=((1, 2, 0),)),),
            taught="a full tuple is a permutation of the axes",
            directions=("forward",),
        ),
        SampleGroup(
            "equal-sizes",
            "{method} is right where axes have equal sizes, so that no shape betrays their order.",
            (
                shapes((3, 3)),
                shapes((2, 3, 3)),
                shapes((3, 3, 3), attrs=((1, 2, 0),)),
            ),
            taught="Beware of shapes whose sizes are equal",
        ),
        SampleGroup(
            "negative",
            "{method} is right where axes count from the end.",
            (shapes((2, 3, 4), attrs=((0, -1, 1),)), shapes((2, 3, 4), attrs=((-2, -1, -3),))),
            taught="axes that count from the end … a stretch that earns no points",
            directions=("backward",),
            weight=0,
        ),
    ),
    taught={
        "forward": (
            "`axes=None` swaps the last two axes; a full tuple is a permutation of the axes"
        ),
        "backward": "with its axes put back where they came from",
    },
)


@exercise("ops.Transpose.forward", points=1, minutes=3, difficulty=1)
class FORWARD:
    """Two cases: `self.axes` is None, or it is a tuple with every axis in it.

    For a tuple, use `np.transpose`. For None, it does something else as soon as there are three
    axes; use `np.swapaxes` there, with two negative numbers.
    """

    reversed = body("return np.transpose(a, self.axes)")
    """With None, `np.transpose` reverses all axes. Here None swaps the last two only; the two agree
    on a matrix, but not on three axes."""

    axes_ignored = body("return np.swapaxes(a, -1, -2)")
    """You swap the last two axes whatever `self.axes` says."""

    all_reversed = body("return np.transpose(a)")
    """You reverse the order of all axes, whatever `self.axes` says. A tuple names the order that is
    wanted, and None swaps the last two only."""

    def inverse(self, a):
        """You applied the inverse permutation. Axis 0 of the result is axis `axes[0]` of `a`."""
        if self.axes is None:
            return np.swapaxes(a, -1, -2)
        return np.transpose(a, np.argsort(self.axes))

    def reshaped(self, a):
        """The shape is right, but reshaping leaves the values in their old order. A transpose moves
        them."""
        order = self.axes or (*range(a.ndim - 2), a.ndim - 1, a.ndim - 2)
        return np.reshape(a, [a.shape[axis] for axis in order])


@exercise("ops.Transpose.backward", points=2, minutes=6)
class BACKWARD:
    """Forward moved the values; backward moves the gradients back to where the values were.

    Swapping two axes twice changes nothing. For a permutation you need its inverse: follow axis 0
    of `a` through (1, 2, 0), and back.

    `np.argsort` of a permutation is its inverse. Arithmetic on axes may be done with NumPy; the
    gradient itself goes through `transpose`.
    """

    same_permutation = body("return transpose(out_grad, self.axes)")
    """You applied the same permutation once more. That undoes a swap, but not (1, 2, 0): there you
    need the inverse permutation."""

    order_reversed = body("return transpose(out_grad, self.axes[::-1] if self.axes else None)")
    """You read the permutation from its end. Its inverse says, for each axis of `a`, where it is
    now: the inverse of (1, 2, 0) is (2, 0, 1)."""

    axes_ignored = body("return transpose(out_grad)")
    """You swap the last two axes whatever `self.axes` says."""

    def reshaped(self, out_grad, node):
        """The shape is right, but reshaping leaves the gradients in the order of the output. They
        have to move back to where the values came from."""
        (a,) = node._inputs
        return reshape(out_grad, a.shape)

    unchanged = body("return out_grad")
    """You passed `out_grad` on with the axes of the output."""

    def matched_by_size(self, out_grad, node):
        """You look for each axis by its size. Two axes may have the same size, and then the first
        one that fits isn't always the right one: invert `self.axes`."""
        (a,) = node._inputs
        left, order = list(out_grad.shape), []
        for size in a.shape:
            order.append(left.index(size))
            left[left.index(size)] = None
        return transpose(out_grad, tuple(order))

    def none_unhandled(self, out_grad, node):
        """`self.axes` may be None, and None isn't a permutation: that case needs its own line."""
        axes = [axis % out_grad.ndim for axis in self.axes]
        return transpose(out_grad, tuple(int(axis) for axis in np.argsort(axes)))

    numpy_inside = RULE.detached


@exercise(
    "chapter3.transpose.method",
    targets=("tensor.Tensor.transpose",),
    points=1,
    minutes=1,
    difficulty=1,
)
class METHOD:
    """`ops.transpose` makes the node. Pass it `self` and the axes, unchanged."""

    axes_dropped = edit(", axes", "")
    """You didn't pass `axes` on, so every call swaps the last two axes."""

    reversed = body("return ops.transpose(self, axes or tuple(reversed(range(self.ndim))))")
    """Without `axes` you reverse all of them, as NumPy does. Here the last two are swapped."""

    @mistake(says=DATA_ONLY)
    def data_only(self, axes):
        data = np.swapaxes(self.data, -1, -2) if axes is None else self.data.transpose(axes)
        return Tensor(data, dtype=self.dtype)


EXERCISES = (FORWARD, BACKWARD, METHOD)
