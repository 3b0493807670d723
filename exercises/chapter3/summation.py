"""The sum over axes: `Summation`, and `Tensor.sum`."""

import numpy as np

from grader.course import REAL, Exercise, Group, Mistake, OpRow, shapes

from .mistakes import data_only, forgot_out_grad, numpy_inside

ROW = OpRow(
    op="Summation",
    forward=lambda a, axes: np.sum(a, axis=axes),
    torch=lambda torch, a, axes: a.sum() if axes is None else a.sum(dim=axes),
    domain=(REAL,),
    samples=(shapes((3,), attrs=(None,)), shapes((2, 3), attrs=(None,))),
    scalar_shape=True,
    groups=(
        Group(
            "one-axis",
            "{method} is right for one axis.",
            tuple(
                shapes(s, attrs=(n,)) for s in ((2, 3), (3, 3)) for n in (0, 1)
            ),
            taught="None (all), an int (negative too) or a tuple of ints",
        ),
        Group(
            "negative-axis",
            "{method} is right for a negative axis, which counts from the end.",
            (
                shapes((2, 3), attrs=(-1,)),
                shapes((2, 3, 4), attrs=(-2,)),
                shapes((2, 3, 4), attrs=((-1, 1),)),
            ),
            taught="an int (negative too)",
        ),
        Group(
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

FORWARD = Exercise(
    "chapter3.summation.forward",
    section="3.7",
    targets=("ops.Summation.forward",),
    points=1,
    minutes=1,
    hints=(
        "The axes were given to the constructor: they are `self.axes`.",
        "`np.sum` takes None, an int or a tuple, under the name `axis`.",
    ),
    mistakes=(
        Mistake(
            "keepdims", "return np.sum(a, axis=self.axes, keepdims=True)",
            "You kept the summed axes with size 1 (`keepdims=True`). They have to be gone.",
        ),
        Mistake(
            "axes-ignored", "return np.sum(a)",
            "You sum over everything whatever `self.axes` says.",
        ),
        Mistake(
            "mean", "return np.mean(a, axis=self.axes)",
            "This is the mean: the sum divided by how many values there are.",
        ),
        Mistake(
            "last-axis", "return np.sum(a, axis=-1)",
            "You sum over the last axis whatever `self.axes` says.",
        ),
        Mistake(
            "zero-is-false", "return np.sum(a, axis=self.axes) if self.axes else np.sum(a)",
            "`if self.axes` is false for axis 0 too. Ask whether `self.axes` is None.",
        ),
        Mistake(
            "one-by-one",
            "if isinstance(self.axes, tuple):\n"
            "    for axis in self.axes:\n"
            "        a = a.sum(axis)\n"
            "    return a\n"
            "return np.sum(a, axis=self.axes)",
            "You sum over one axis after the other. Each sum removes an axis, so those behind it "
            "move up, and the next number means another axis. Sum over all at once.",
        ),
    ),
)  # fmt: skip

BACKWARD = Exercise(
    "chapter3.summation.backward",
    section="3.7",
    targets=("ops.Summation.backward",),
    points=2,
    minutes=12,
    difficulty=3,
    needs=("chapter3.summation.forward", "chapter3.reshape.forward"),
    hints=(
        "Every value that went into a sum moves it one for one. So each gets the gradient of the "
        "sum that it went into.",
        "The summed axes are gone from `out_grad`. Put them back with size 1 (`reshape`); then the "
        "rest is repetition (`broadcast_to`).",
        "To know which axes to put back, bring None, an int and negative numbers into one form "
        "first: a set of axes from 0 to `a.ndim - 1`. `axis % a.ndim` does it for one.",
    ),
    mistakes=(
        Mistake(
            "not-expanded", "return out_grad",
            "`out_grad` has the shape of the sum. The gradient of `a` has the shape of `a`: each "
            "value of `out_grad` belongs to every value that went into that sum.",
        ),
        forgot_out_grad("(a,) = node._inputs\nreturn Tensor.ones(*a.shape)"),
        Mistake(
            "reshaped", "(a,) = node._inputs\nreturn reshape(out_grad, a.shape)",
            "A reshape makes no new values, and `out_grad` holds fewer than `a`: each of them has "
            "to be repeated for every value that went into that sum.",
        ),
        Mistake(
            "axis-not-put-back", "(a,) = node._inputs\nreturn broadcast_to(out_grad, a.shape)",
            "Broadcasting adds axes in front. That is right where axis 0 was summed; another axis "
            "has to be put back in its own place, with size 1, first.",
        ),
        Mistake(
            "negative-axis",
            "(a,) = node._inputs\n"
            "axes = range(a.ndim) if self.axes is None else self.axes\n"
            "axes = (axes,) if isinstance(axes, int) else axes\n"
            "kept = tuple(1 if axis in axes else size for axis, size in enumerate(a.shape))\n"
            "return broadcast_to(reshape(out_grad, kept), a.shape)",
            "You compare the axes with 0, 1, 2 …, and a negative axis is none of these. -1 means "
            "the last one.",
        ),
        Mistake(
            "put-back-last",
            "(a,) = node._inputs\n"
            "count = a.ndim - out_grad.ndim\n"
            "return broadcast_to(reshape(out_grad, (*out_grad.shape, *[1] * count)), a.shape)",
            "You put the summed axes back at the end. That is right where the last ones were "
            "summed; each has to come back in its own place.",
        ),
        Mistake(
            "zero-is-false",
            edit=(
                "range(a.ndim) if self.axes is None else self.axes",
                "self.axes if self.axes else range(a.ndim)",
            ),
            says="`if self.axes` is false for axis 0 too. Ask whether `self.axes` is None.",
        ),
        Mistake(
            "none-unhandled",
            "(a,) = node._inputs\n"
            "axes = (self.axes,) if isinstance(self.axes, int) else self.axes\n"
            "kept = list(a.shape)\n"
            "for axis in axes:\n    kept[axis] = 1\n"
            "return broadcast_to(reshape(out_grad, tuple(kept)), a.shape)",
            "`self.axes` may be None, which means all axes, and None cannot be looped over.",
        ),
        Mistake(
            "tuple-only", edit=("((axes,) if isinstance(axes, int) else axes)", "axes"),
            says="`self.axes` may be a single int, and an int cannot be looped over.",
        ),
        Mistake(
            "averaged",
            "(a,) = node._inputs\n"
            "axes = range(a.ndim) if self.axes is None else self.axes\n"
            "summed = {axis % a.ndim for axis in ((axes,) if isinstance(axes, int) else axes)}\n"
            "kept = tuple(1 if axis in summed else size for axis, size in enumerate(a.shape))\n"
            "count = a.size / max(1, out_grad.size)\n"
            "return broadcast_to(reshape(out_grad, kept), a.shape) / count",
            "You shared each gradient out among the values of its sum. That is the gradient of a "
            "mean; in a sum, every value gets all of it.",
        ),
        numpy_inside(
            "(a,) = node._inputs\n"
            "g = out_grad.data\n"
            "if self.axes is not None:\n"
            "    axes = (self.axes,) if isinstance(self.axes, int) else self.axes\n"
            "    g = np.expand_dims(g, tuple(axis % a.ndim for axis in axes))\n"
            "return Tensor(np.broadcast_to(g, a.shape), dtype=a.dtype)"
        ),
    ),
)  # fmt: skip

METHOD = Exercise(
    "chapter3.summation.method",
    section="3.7",
    targets=("tensor.Tensor.sum",),
    points=1,
    minutes=1,
    needs=("chapter3.summation.forward",),
    hints=("`ops.summation` makes the node. Hand it `self`, and the axes as they came.",),
    mistakes=(
        Mistake(
            "axes-dropped", "return ops.summation(self)",
            "You did not pass `axes` on, so every call sums over everything.",
        ),
        Mistake(
            "zero-is-false", "return ops.summation(self, axes if axes else None)",
            "`if axes` is false for axis 0 too. Ask whether `axes` is None.",
        ),
        data_only("return Tensor(self.data.sum(axis=axes), dtype=self.dtype)"),
    ),
)  # fmt: skip

EXERCISES = (FORWARD, BACKWARD, METHOD)
