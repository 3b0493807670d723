"""Gradients through operands of different shapes: `unbroadcast`."""

from grader.course import body, exercise, mistake

from .sentences import LEFT, ONE_BY_ONE, SIDE_BY_SIDE
from .standard import RULE


@exercise(
    "chapter3.broadcasting",
    targets=("ops.unbroadcast",),
    points=6,
    needs=("chapter3.reshape.forward", "chapter3.summation.forward", "chapter3.backward"),
)
class UNBROADCAST:
    """NumPy stretched the input, so its values were copied. What does `BroadcastTo.backward` do
    with the gradients of copies?

    Line the shapes up from the right, as NumPy does. Sum over the axes that `grad` has more than
    `shape`, and over those where `shape` has a 1; then `reshape` to `shape`.

    Then call it: in the walk of `Tensor.backward`, on each gradient that an op returned, with the
    shape of the input that it belongs to.
    """

    not_summed = body("return grad", seen="https://github.com/jimfleming/differentiation/issues/1")
    """You returned the gradient unchanged. Sum it down to `shape`."""

    added_only = body("return summation(grad, tuple(range(grad.ndim - len(shape))))")
    """You summed over the axes that broadcasting added in front. Axes that it stretched from size 1
    hold copies too."""

    def stretched_only(grad, shape):
        """You summed over the axes that were stretched from size 1. Axes that broadcasting added in
        front hold copies too."""
        if grad.ndim != len(shape):
            return grad
        axes = tuple(i for i, size in enumerate(shape) if size == 1)
        return reshape(summation(grad, axes), shape)

    def axis_lost(grad, shape):
        """The sums are right, but an axis of size 1 has to stay: the result must have exactly the
        shape `shape`."""
        added = grad.ndim - len(shape)
        axes = tuple(i for i in range(grad.ndim) if i < added or shape[i - added] == 1)
        return summation(grad, axes)

    def averaged(grad, shape):
        """You took the mean over the copies. Their gradients add up."""
        added = grad.ndim - len(shape)
        axes = tuple(i for i in range(grad.ndim) if i < added or shape[i - added] == 1)
        total = reshape(summation(grad, axes), shape)
        return total / (grad.size / total.size)

    @mistake(says=LEFT)
    def from_the_left(grad, shape):
        axes = tuple(i for i, size in enumerate(grad.shape) if i >= len(shape) or shape[i] != size)
        total = summation(grad, axes)
        return (
            reshape(total, shape)
            if total.ndim != len(shape) and total.size == np.prod(shape)
            else total
        )

    @mistake(says=LEFT, shown_by=SIDE_BY_SIDE)
    def from_the_left_reshaped(grad, shape):
        axes = tuple(i for i, (g, s) in enumerate(zip(grad.shape, shape)) if g != s)
        return reshape(summation(grad, axes), shape)

    @mistake(says=LEFT)
    def from_the_left_and_beyond(grad, shape):
        axes = tuple(i for i, size in enumerate(grad.shape) if i >= len(shape) or shape[i] != size)
        return reshape(summation(grad, axes), shape)

    @mistake(says=LEFT)
    def from_the_left_by_index(grad, shape):
        axes = tuple(i for i in range(grad.ndim) if grad.shape[i] != shape[i])
        return reshape(summation(grad, axes), shape)

    @mistake(says=ONE_BY_ONE)
    def one_by_one(grad, shape):
        added = grad.ndim - len(shape)
        axes = tuple(i for i in range(grad.ndim) if i < added or shape[i - added] == 1)
        for axis in axes:
            grad = summation(grad, axis)
        return reshape(grad, shape)

    everything = body("return broadcast_to(summation(grad), shape)")
    """You summed over all axes. Only those that broadcasting made or stretched are summed."""

    numpy_inside = RULE.detached


EXERCISES = (UNBROADCAST,)
