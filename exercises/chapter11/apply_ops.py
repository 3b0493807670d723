"""Engine 2, `Function.apply`: the operations, two static methods each."""

from grader.course import body, edit, exercise, mistake

from .sentences import NO_GRADIENT_FACTOR, NOT_UNBROADCAST, OWN_FACTOR


@exercise(
    "chapter11.apply.mul",
    targets=("engines.apply.Mul.forward", "engines.apply.Mul.backward"),
    points=1,
    minutes=4,
    difficulty=1,
)
class MUL:
    """`forward` saves what `backward` will need: `ctx.save_for_backward(a, b)`.

    `a, b = ctx.saved`. Multiply, then `unbroadcast`.
    """

    own_factor = edit(
        ("b,", "a,"), ("a, b.", "b, b."), target="engines.apply.Mul.backward", says=OWN_FACTOR
    )

    @mistake(
        target="engines.apply.Mul.backward",
        says=NOT_UNBROADCAST,
        seen="https://github.com/pytorch/pytorch/issues/818",
    )
    def not_unbroadcast(ctx, gradient):
        a, b = ctx.saved
        return gradient * b, gradient * a

    @mistake(target="engines.apply.Mul.backward", says=NO_GRADIENT_FACTOR)
    def forgot_gradient(ctx, gradient):
        a, b = ctx.saved
        one = np.ones_like(gradient)
        return unbroadcast(one * b, a.shape), unbroadcast(one * a, b.shape)

    @mistake(target="engines.apply.Mul.backward")
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
    "chapter11.apply.sum",
    targets=("engines.apply.Sum.forward", "engines.apply.Sum.backward"),
    points=1.5,
    minutes=10,
)
class SUM:
    """Keep `a.shape`, `axis` and `keepdims` in the Context. No array needs to be saved.

    `np.expand_dims(gradient, axis)` puts the summed axes back with length 1, several too.

    `np.broadcast_to(gradient, ctx.shape)` then stretches them.
    """

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

    @mistake(target="engines.apply.Sum.backward")
    def put_last(ctx, gradient):
        """You put every summed axis back at the end. It belongs where it was: `np.expand_dims`
        takes the axis."""
        if ctx.axis is not None and not ctx.keepdims:
            for _ in np.atleast_1d(ctx.axis):
                gradient = np.expand_dims(gradient, -1)
        return np.broadcast_to(gradient, ctx.shape)

    axis_ignored = edit("axis=axis, keepdims=keepdims", "")
    """You always sum everything. `axis` and `keepdims` have to reach the sum."""


@exercise(
    "chapter11.apply.tanh",
    targets=("engines.apply.Tanh.forward", "engines.apply.Tanh.backward"),
    points=1,
    minutes=3,
    difficulty=1,
)
class TANH:
    """`Exp` above saves what it made, for the same reason."""

    def saved_the_input(ctx, a):
        """You saved the input, and the rule takes it for the result: 1 - t² wants t."""
        ctx.save_for_backward(a)
        return np.tanh(a)

    @mistake(target="engines.apply.Tanh.backward", says=NO_GRADIENT_FACTOR)
    def forgot_gradient(ctx, gradient):
        (out,) = ctx.saved
        return 1 - out * out

    like_sigmoid = edit("(1 - out * out)", "out * (1 - out)", target="engines.apply.Tanh.backward")
    """t·(1 - t) is the slope of the sigmoid. That of tanh is 1 - t²."""

    @mistake(target="engines.apply.Tanh.backward")
    def squares_what_is_saved(ctx, gradient):
        """You squared the saved array in place. It is still the Tensor's; and a second call squares
        it again."""
        (out,) = ctx.saved
        out **= 2
        return gradient * (1 - out)


OPERATIONS = (MUL, TANH, SUM)
