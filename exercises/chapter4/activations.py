"""ReLU, Tanh and Sigmoid as modules, and Flatten."""

from grader.course import body, edit, exercise, mistake

LEAF = (
    "The values are right, but the result is a leaf: it doesn't know that it came from `x`, so no "
    "gradient gets past it. Go through `ops`."
)


@exercise("nn.ReLU.forward", points=1, minutes=1)
class RELU:
    """You wrote this operation in chapter 3. Call its lowercase function."""

    data_only = body("return Tensor(x.data * (x.data > 0), dtype=x.dtype)", says=LEAF)

    def in_place(self, x):
        """You wrote into the input. Everything else that uses `x` now sees your zeros, and the
        gradient passes everywhere."""
        x.data *= x.data > 0
        return x

    absolute = edit("relu", "abs")
    """That is the absolute value: a negative number becomes positive, not 0."""


@exercise("nn.Tanh.forward", points=1, minutes=1)
class TANH:
    """You wrote this operation in chapter 3. Call its lowercase function."""

    @mistake(says=LEAF)
    def data_only(self, x):
        out = ops.tanh(x)
        return Tensor(out.data, dtype=out.dtype)

    half_the_slope = body("return 2 * ops.sigmoid(x) - 1")
    """2σ(x) - 1 runs from -1 to 1 too, but it is tanh(x/2)."""

    sigmoid = edit("tanh", "sigmoid")
    """That is the sigmoid: it runs from 0 to 1, not from -1 to 1."""


@exercise("nn.Sigmoid.forward", points=1, minutes=1)
class SIGMOID:
    """You wrote this operation in chapter 3. Call its lowercase function."""

    @mistake(says=LEAF)
    def data_only(self, x):
        out = ops.sigmoid(x)
        return Tensor(out.data, dtype=out.dtype)

    overflow = body("return 1 / (1 + ops.exp(-x))")
    """For x = -1000 this computes e¹⁰⁰⁰, which is infinite; the value survives by luck, but the
    gradient is not a number. Use your `ops.sigmoid`."""

    wrong_sign = body("return 1 / (1 + ops.exp(x))")
    """The sign in the exponent is wrong: this falls where it should rise."""


@exercise("nn.Flatten.forward", points=1, minutes=3)
class FLATTEN:
    """Which axis stays? All others become one.

    `x.shape[0]` is the batch. The rest of the shape multiplies; `-1` lets NumPy work it out.
    """

    lost_the_batch = body("return x.reshape(-1)")
    """All examples ended up in one long row. The first axis, the batch, has to stay."""

    two_axes = body("return x.reshape(x.shape[0] * x.shape[1], -1)")
    """You merged the batch with the first axis of the examples. Keep the batch, merge the rest."""

    turned = body("return x.transpose().reshape(x.shape[0], -1)")
    """The shape is right, but the values are in another order. A reshape alone keeps it."""

    data_only = body("return Tensor(x.data.reshape(x.shape[0], -1), dtype=x.dtype)", says=LEAF)
