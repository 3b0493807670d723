"""Values repeated to fill a larger shape: `BroadcastTo`, and `Tensor.broadcast_to`."""

import numpy as np

from grader.course import REAL, Exercise, Group, Mistake, OpRow, shapes

from .mistakes import LEFT, data_only, left, numpy_inside

SUMMED = "`out_grad` summed over every copy of each value"
FILLED = "`a` repeated to fill `self.shape`"

ROW = OpRow(
    op="BroadcastTo",
    forward=lambda a, shape: np.broadcast_to(a, shape),
    torch=lambda torch, a, shape: a.broadcast_to(shape),
    domain=(REAL,),
    samples=(shapes((3,), attrs=((2, 3),)), shapes((), attrs=((2, 3),))),
    groups=tuple(
        Group(name, says, samples, taught=taught, directions=(direction,))
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

FORWARD = Exercise(
    "chapter3.broadcast_to.forward",
    section="3.8",
    targets=("ops.BroadcastTo.forward",),
    points=1,
    minutes=1,
    hints=(
        "The larger shape was given to the constructor: it is `self.shape`.",
        "NumPy has a function of the same name.",
    ),
    mistakes=(
        Mistake(
            "tile", "return np.tile(a, self.shape)",
            "`np.tile` takes how often to repeat, not the shape to reach.",
        ),
        Mistake(
            "resize", "return np.resize(a, self.shape)",
            "`np.resize` fills the shape with the values one after another. Where an axis of size "
            "1 is stretched, each value has to be repeated beside itself.",
        ),
        Mistake(
            "unchanged", "return a",
            "You returned the array as it came; its shape has to become `self.shape`.",
        ),
        Mistake(
            "fewer-axes", "return np.full(self.shape, a)",
            "Writing an array into a smaller one drops its axes of size 1 in front without a "
            "word. Broadcasting never takes an axis away: raise an error there.",
        ),
    ),
)  # fmt: skip

BACKWARD = Exercise(
    "chapter3.broadcast_to.backward",
    section="3.8",
    targets=("ops.BroadcastTo.backward",),
    points=2,
    minutes=12,
    difficulty=3,
    needs=("chapter3.broadcast_to.forward", "chapter3.summation.forward"),
    hints=(
        "One value was copied to many places. What moves it moves all its copies, so their "
        "gradients add up.",
        "Which axes hold copies? Those that were added in front, and those that had size 1.",
        "Sum over these axes; then `reshape` gives back the axes of size 1 that the sum took away.",
    ),
    mistakes=(
        Mistake(
            "not-summed", "return out_grad",
            "`out_grad` has one gradient per copy. The gradient of `a` has the shape of `a`: the "
            "gradients of all copies of a value add up.",
        ),
        Mistake(
            "added-only",
            "(a,) = node._inputs\n"
            "return summation(out_grad, tuple(range(len(self.shape) - a.ndim)))",
            "You summed over the axes that were added in front. Axes that were stretched from "
            "size 1 hold copies too.",
        ),
        Mistake(
            "stretched-only",
            "(a,) = node._inputs\n"
            "if a.ndim != out_grad.ndim:\n    return out_grad\n"
            "axes = tuple(i for i, size in enumerate(a.shape) if size == 1)\n"
            "return reshape(summation(out_grad, axes), a.shape)",
            "You summed over the axes that were stretched from size 1. Axes that were added in "
            "front hold copies too.",
        ),
        Mistake(
            "axis-lost",
            "(a,) = node._inputs\n"
            "added = len(self.shape) - a.ndim\n"
            "stretched = [added + axis for axis, size in enumerate(a.shape) if size == 1]\n"
            "return summation(out_grad, (*range(added), *stretched))",
            "The sums are right, but a stretched axis has to come back with size 1: the gradient "
            "has lost it.",
        ),
        Mistake(
            "from-the-left",
            "(a,) = node._inputs\n"
            "axes = tuple(\n"
            "    i for i, size in enumerate(self.shape) if i >= a.ndim or a.shape[i] != size\n"
            ")\n"
            "total = summation(out_grad, axes)\n"
            "return reshape(total, a.shape) if total.size == a.size else total",
            LEFT,
        ),
        left(
            "from-the-left-reshaped",
            "(a,) = node._inputs\n"
            "axes = tuple(i for i, (g, s) in enumerate(zip(self.shape, a.shape)) if g != s)\n"
            "return reshape(summation(out_grad, axes), a.shape)",
        ),
        left(
            "from-the-left-by-index",
            "(a,) = node._inputs\n"
            "axes = tuple(i for i in range(out_grad.ndim) if out_grad.shape[i] != a.shape[i])\n"
            "return reshape(summation(out_grad, axes), a.shape)",
        ),
        Mistake(
            "one-by-one",
            "(a,) = node._inputs\n"
            "added = len(self.shape) - a.ndim\n"
            "axes = [i for i in range(len(self.shape)) if i < added or a.shape[i - added] == 1]\n"
            "for axis in axes:\n    out_grad = summation(out_grad, axis)\n"
            "return reshape(out_grad, a.shape)",
            "You sum over one axis after the other. Each sum removes an axis, so those behind it "
            "move up, and the next number means another axis. Sum over all at once, or from the "
            "last axis to the first.",
        ),
        Mistake(
            "averaged",
            "(a,) = node._inputs\n"
            "added = len(self.shape) - a.ndim\n"
            "stretched = [added + axis for axis, size in enumerate(a.shape) if size == 1]\n"
            "total = summation(out_grad, (*range(added), *stretched))\n"
            "return reshape(total, a.shape) / (out_grad.size / a.size)",
            "You took the mean over the copies. Their gradients add up.",
        ),
        numpy_inside(
            "(a,) = node._inputs\n"
            "added = len(self.shape) - a.ndim\n"
            "stretched = [added + axis for axis, size in enumerate(a.shape) if size == 1]\n"
            "g = out_grad.data.sum(axis=(*range(added), *stretched)).reshape(a.shape)\n"
            "return Tensor(g, dtype=a.dtype)"
        ),
    ),
)  # fmt: skip

METHOD = Exercise(
    "chapter3.broadcast_to.method",
    section="3.8",
    targets=("tensor.Tensor.broadcast_to",),
    points=1,
    minutes=1,
    needs=("chapter3.broadcast_to.forward",),
    hints=("`ops.broadcast_to` makes the node. Hand it `self` and the shape.",),
    mistakes=(
        Mistake(
            "unchanged", "return ops.broadcast_to(self, self.shape)",
            "You passed `self.shape`, the shape that the tensor has already.",
        ),
        Mistake(
            "reshaped", "return ops.reshape(self, shape)",
            "You called the reshape, which cannot make more values than there are.",
        ),
        data_only("return Tensor(np.broadcast_to(self.data, shape), dtype=self.dtype)"),
    ),
)  # fmt: skip

EXERCISES = (FORWARD, BACKWARD, METHOD)
