"""Gradients through operands of different shapes: `unbroadcast`."""

from grader.course import Exercise, Mistake

from .mistakes import LEFT, left, numpy_inside

AXES = """
added = grad.ndim - len(shape)
axes = tuple(i for i in range(grad.ndim) if i < added or shape[i - added] == 1)
"""

UNBROADCAST = Exercise(
    "chapter3.broadcasting",
    section="3.12",
    targets=("ops.unbroadcast",),
    points=6,
    minutes=25,
    difficulty=3,
    needs=("chapter3.reshape.forward", "chapter3.summation.forward", "chapter3.backward"),
    hints=(
        "NumPy stretched the input, so its values were copied. What does `BroadcastTo.backward` "
        "do with the gradients of copies?",
        "Line the shapes up from the right, as NumPy does. Sum over the axes that `grad` has more "
        "than `shape`, and over those where `shape` has a 1; then `reshape` to `shape`.",
        "Then call it: in the walk of `Tensor.backward`, on each gradient that an op returned, "
        "with the shape of the input that it is for.",
    ),
    mistakes=(
        Mistake(
            "not-summed", "return grad",
            "You returned the gradient as it came. It has to be summed down to `shape`.",
        ),
        Mistake(
            "added-only", "return summation(grad, tuple(range(grad.ndim - len(shape))))",
            "You summed over the axes that broadcasting added in front. Axes that it stretched "
            "from size 1 hold copies too.",
        ),
        Mistake(
            "stretched-only",
            "if grad.ndim != len(shape):\n    return grad\n"
            "axes = tuple(i for i, size in enumerate(shape) if size == 1)\n"
            "return reshape(summation(grad, axes), shape)",
            "You summed over the axes that were stretched from size 1. Axes that broadcasting "
            "added in front hold copies too.",
        ),
        Mistake(
            "axis-lost", f"{AXES}return summation(grad, axes)",
            "The sums are right, but an axis of size 1 has to stay: the result must have exactly "
            "the shape `shape`.",
        ),
        Mistake(
            "averaged",
            f"{AXES}total = reshape(summation(grad, axes), shape)\n"
            "return total / (grad.size / total.size)",
            "You took the mean over the copies. Their gradients add up.",
        ),
        Mistake(
            "from-the-left",
            "axes = tuple(i for i, size in enumerate(grad.shape) if "
            "i >= len(shape) or shape[i] != size)\n"
            "total = summation(grad, axes)\n"
            "return reshape(total, shape) if total.ndim != len(shape) and "
            "total.size == np.prod(shape) else total",
            LEFT,
        ),
        left(
            "from-the-left-reshaped",
            "axes = tuple(i for i, (g, s) in enumerate(zip(grad.shape, shape)) if g != s)\n"
            "return reshape(summation(grad, axes), shape)",
        ),
        left(
            "from-the-left-and-beyond",
            "axes = tuple(i for i, size in enumerate(grad.shape) if "
            "i >= len(shape) or shape[i] != size)\n"
            "return reshape(summation(grad, axes), shape)",
        ),
        left(
            "from-the-left-by-index",
            "axes = tuple(i for i in range(grad.ndim) if grad.shape[i] != shape[i])\n"
            "return reshape(summation(grad, axes), shape)",
        ),
        Mistake(
            "one-by-one",
            f"{AXES}for axis in axes:\n    grad = summation(grad, axis)\n"
            "return reshape(grad, shape)",
            "You sum over one axis after the other. Each sum removes an axis, so those behind it "
            "move up, and the next number means another axis. Sum over all at once, or from the "
            "last axis to the first.",
        ),
        Mistake(
            "everything", "return broadcast_to(summation(grad), shape)",
            "You summed over all axes. Only those that broadcasting made or stretched are summed.",
        ),
        numpy_inside(
            f"{AXES}total = grad.data.sum(axis=axes).reshape(shape)\n"
            "return Tensor(total, dtype=grad.dtype)"
        ),
    ),
)  # fmt: skip

EXERCISES = (UNBROADCAST,)
