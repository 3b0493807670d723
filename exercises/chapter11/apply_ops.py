"""Engine 2, `Function.apply`: the operations, two static methods each."""

from typing import TYPE_CHECKING

from exercises.chapter1.sentences import EXPONENT_NOT_LOWERED
from grader.course import also, body, edit, exercise

from .sentences import NO_GRADIENT_FACTOR, NOT_UNBROADCAST, OWN_FACTOR

if TYPE_CHECKING:  # what the wrong bodies name
    import numbers

    import numpy as np

    from solutions.babygrad.engines.apply import unbroadcast


@exercise(
    "chapter11.apply.mul",
    targets=("engines.apply.Mul.forward", "engines.apply.Mul.backward"),
    points=1,
    minutes=4,
    difficulty=1,
    hints=(
        "`forward` saves what `backward` will need: `ctx.save_for_backward(a, b)`.",
        "`a, b = ctx.saved`. Multiply, then `unbroadcast`.",
    ),
)
class MUL:
    own_factor = edit(
        ("b,", "a,"), ("a, b.", "b, b."), target="engines.apply.Mul.backward", says=OWN_FACTOR
    )

    @also(target="engines.apply.Mul.backward", says=NOT_UNBROADCAST)
    def not_unbroadcast(ctx, gradient):
        a, b = ctx.saved
        return gradient * b, gradient * a

    @also(target="engines.apply.Mul.backward", says=NO_GRADIENT_FACTOR)
    def forgot_gradient(ctx, gradient):
        a, b = ctx.saved
        one = np.ones_like(gradient)
        return unbroadcast(one * b, a.shape), unbroadcast(one * a, b.shape)

    @also(target="engines.apply.Mul.backward")
    def changes_the_gradient(ctx, gradient):
        """You changed `gradient` in place. That array belongs to the walk, which may hand it to
        others as well."""
        a, b = ctx.saved
        right = unbroadcast(gradient * a, b.shape)
        gradient *= b
        return unbroadcast(gradient, a.shape), right

    saved_swapped = edit("a, b", "b, a")
    """You saved the two inputs in the other order, so that each plays the other's part."""


@exercise(
    "chapter11.apply.pow",
    targets=("engines.apply.Pow.forward", "engines.apply.Pow.backward"),
    points=1.5,
    minutes=6,
    hints=(
        "The exponent is no array: keep it as an attribute of the Context, `ctx.exponent`.",
        "`isinstance(exponent, numbers.Real)` knows ints, floats and NumPy's numbers.",
    ),
)
class POW:
    def no_type_error(ctx, a, *, exponent):
        """An exponent that is no number goes through, and fails far away, or not at all. Raise
        TypeError here."""
        ctx.save_for_backward(a)
        ctx.exponent = exponent
        return a**exponent

    def floats_only(ctx, a, *, exponent):
        """Only floats are numbers to your check: 3 is refused. `numbers.Real` takes in whole
        numbers and NumPy's."""
        if not isinstance(exponent, float):
            raise TypeError("not a number")
        ctx.save_for_backward(a)
        ctx.exponent = exponent
        return a**exponent

    exponent_not_lowered = edit(
        "a ** (ctx.exponent - 1)",
        "a**ctx.exponent",
        target="engines.apply.Pow.backward",
        says=EXPONENT_NOT_LOWERED,
    )
    forgot_gradient = edit(
        " gradient *", "", target="engines.apply.Pow.backward", says=NO_GRADIENT_FACTOR
    )

    def saved_the_result(ctx, a, *, exponent):
        """You saved the result. The rule wants the input: n·aⁿ⁻¹."""
        if not isinstance(exponent, numbers.Real):
            raise TypeError("not a number")
        ctx.save_for_backward(a**exponent)
        ctx.exponent = exponent
        return a**exponent


@exercise(
    "chapter11.apply.matmul",
    targets=("engines.apply.MatMul.forward", "engines.apply.MatMul.backward"),
    points=1.5,
    minutes=4,
    difficulty=1,
    hints=("The two products of 11.1, with what was saved in place of `self.inputs`.",),
)
class MATMUL:
    @also(target="engines.apply.MatMul.backward")
    def swapped(ctx, gradient):
        """The two gradients changed places: the first is a's."""
        a, b = ctx.saved
        return a.T @ gradient, gradient @ b.T

    not_transposed = edit("b.T, a.T", "b, a", target="engines.apply.MatMul.backward")
    """The shapes do not fit. Each of the two products needs one factor turned."""

    @also(target="engines.apply.MatMul.backward", says=NO_GRADIENT_FACTOR)
    def forgot_gradient(ctx, gradient):
        a, b = ctx.saved
        one = np.ones_like(gradient)
        return one @ b.T, a.T @ one

    nothing_saved = body("return a @ b")
    """`forward` saved nothing, and `backward` finds an empty `ctx.saved`."""


@exercise(
    "chapter11.apply.sum",
    targets=("engines.apply.Sum.forward", "engines.apply.Sum.backward"),
    points=1.5,
    minutes=10,
    hints=(
        "Keep `a.shape`, `axis` and `keepdims` in the Context. No array needs to be saved.",
        "`np.expand_dims(gradient, axis)` puts the summed axes back with length 1, several too.",
        "`np.broadcast_to(gradient, ctx.shape)` then stretches them.",
    ),
)
class SUM:
    axes_not_put_back = body(
        "return np.broadcast_to(gradient, ctx.shape)", target="engines.apply.Sum.backward"
    )
    """The summed axes are gone from the gradient. Put them back with length 1 before you broadcast,
    or the numbers land in the wrong places."""

    ones = body("return np.ones(ctx.shape)", target="engines.apply.Sum.backward")
    """You returned ones. That is the slope; the gradient that arrived is missing."""

    like_mean = edit(
        "(gradient, ctx.shape)",
        "(gradient, ctx.shape) * gradient.size / np.prod(ctx.shape)",
        target="engines.apply.Sum.backward",
    )
    """You divided by the number of terms. That is the rule of the mean."""

    put_last = edit(
        ("gradient ", "for _ in np.atleast_1d(ctx.axis):\n        gradient "),
        (", ctx.axis", ", -1"),
        target="engines.apply.Sum.backward",
    )
    """You put every summed axis back at the end. It belongs where it was: `np.expand_dims` takes
    the axis."""

    axis_ignored = edit("axis=axis, keepdims=keepdims", "")
    """You always sum everything. `axis` and `keepdims` have to reach the sum."""


@exercise(
    "chapter11.apply.tanh",
    targets=("engines.apply.Tanh.forward", "engines.apply.Tanh.backward"),
    points=1,
    minutes=3,
    difficulty=1,
    hints=("`Exp` above saves what it made, for the same reason.",),
)
class TANH:
    def saved_the_input(ctx, a):
        """You saved the input, and the rule takes it for the result: 1 - t² wants t."""
        ctx.save_for_backward(a)
        return np.tanh(a)

    @also(target="engines.apply.Tanh.backward", says=NO_GRADIENT_FACTOR)
    def forgot_gradient(ctx, gradient):
        (out,) = ctx.saved
        return 1 - out * out

    like_sigmoid = edit("(1 - out * out)", "out * (1 - out)", target="engines.apply.Tanh.backward")
    """t·(1 - t) is the slope of the sigmoid. That of tanh is 1 - t²."""

    @also(target="engines.apply.Tanh.backward")
    def squares_what_is_saved(ctx, gradient):
        """You squared the saved array in place. It is still the Tensor's; and a second call squares
        it again."""
        (out,) = ctx.saved
        out **= 2
        return gradient * (1 - out)


@exercise(
    "chapter11.apply.cross_entropy",
    targets=("engines.apply.CrossEntropy.forward", "engines.apply.CrossEntropy.backward"),
    points=2,
    minutes=12,
    hints=(
        "Work out the softmax once, in `forward`, and save it together with the labels.",
        "In `backward`: a *copy* of the probabilities, minus 1 at the right class, divided by the "
        "number of rows.",
        "Two inputs, so a tuple of two: `(…, None)`.",
    ),
)
class CROSS_ENTROPY:
    saved_is_changed = edit(".copy()", "", target="engines.apply.CrossEntropy.backward")
    """You take the 1 away from the saved array itself. A second walk over this graph finds
    probabilities from which it is gone already; work on a copy."""

    not_divided = edit(" / len(labels)", "", target="engines.apply.CrossEntropy.backward")
    """The loss is a mean, so every row counts with 1/rows. That factor is missing."""

    forgot_gradient = edit(
        "gradient * ", "", target="engines.apply.CrossEntropy.backward", says=NO_GRADIENT_FACTOR
    )

    labels_get_one_too = edit(
        "None", "np.zeros(len(labels))", target="engines.apply.CrossEntropy.backward"
    )
    """Labels are no quantity that could move a little: they get None, not zeros."""

    not_shifted = edit(" - logits.max(axis=1, keepdims=True)", "")
    """e¹⁰⁰⁰ is infinite, and the loss with it. Take the largest logit of each row away first."""

    log_of_the_softmax = edit(("return -", "return -np.log(np.exp("), (".mean", ")).mean"))
    """You take the logarithm of a probability that has become 0 on the way. Keep to the logarithm:
    shifted - log Σ exp(shifted)."""

    summed = edit("mean", "sum")
    """You summed the losses. It is the mean over the rows."""


OPERATIONS = (MUL, POW, MATMUL, SUM, TANH, CROSS_ENTROPY)
