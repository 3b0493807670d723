"""ReLU, Tanh and Sigmoid as modules, and Flatten."""

from grader.course import Exercise, Mistake

LEAF = (
    "The values are right, but the result is a leaf: it does not know that it came from `x`, so "
    "no gradient gets past it. Go through `ops`."
)

RELU = Exercise(
    "chapter4.relu.forward",
    section="4.3",
    targets=("nn.ReLU.forward",),
    points=1,
    minutes=1,
    hints=("You wrote this operation in chapter 3. Call its lowercase function.",),
    mistakes=(
        Mistake(
            "data-only", "return Tensor(x.data * (x.data > 0), dtype=x.dtype)", LEAF,
        ),
        Mistake(
            "in-place", "x.data *= x.data > 0\nreturn x",
            "You wrote into the input. Whoever else uses `x` now sees your zeros, and the "
            "gradient passes everywhere.",
        ),
        Mistake(
            "absolute", "return ops.abs(x)",
            "That is the absolute value: a negative number becomes positive, not 0.",
        ),
    ),
)  # fmt: skip

TANH = Exercise(
    "chapter4.tanh.forward",
    section="4.3",
    targets=("nn.Tanh.forward",),
    points=1,
    minutes=1,
    hints=("You wrote this operation in chapter 3. Call its lowercase function.",),
    mistakes=(
        Mistake(
            "data-only", "out = ops.tanh(x)\nreturn Tensor(out.data, dtype=out.dtype)", LEAF,
        ),
        Mistake(
            "half-the-slope", "return 2 * ops.sigmoid(x) - 1",
            "2σ(x) - 1 runs from -1 to 1 too, but it is tanh(x/2).",
        ),
        Mistake(
            "sigmoid", "return ops.sigmoid(x)",
            "That is the sigmoid: it runs from 0 to 1, not from -1 to 1.",
        ),
    ),
)  # fmt: skip

SIGMOID = Exercise(
    "chapter4.sigmoid.forward",
    section="4.3",
    targets=("nn.Sigmoid.forward",),
    points=1,
    minutes=1,
    hints=("You wrote this operation in chapter 3. Call its lowercase function.",),
    mistakes=(
        Mistake(
            "data-only", "out = ops.sigmoid(x)\nreturn Tensor(out.data, dtype=out.dtype)", LEAF,
        ),
        Mistake(
            "overflow", "return 1 / (1 + ops.exp(-x))",
            "For x = -1000 this computes e¹⁰⁰⁰, which is infinite; the value survives by luck, the "
            "gradient is not a number. Your `ops.sigmoid` knows better.",
        ),
        Mistake(
            "wrong-sign", "return 1 / (1 + ops.exp(x))",
            "The sign in the exponent is turned round: this falls where it should rise.",
        ),
    ),
)  # fmt: skip

FLATTEN = Exercise(
    "chapter4.flatten.forward",
    section="4.3",
    targets=("nn.Flatten.forward",),
    points=1,
    minutes=3,
    hints=(
        "Which axis stays? All others become one.",
        "`x.shape[0]` is the batch. The rest of the shape multiplies; `-1` lets NumPy work it out.",
    ),
    mistakes=(
        Mistake(
            "lost-the-batch", "return x.reshape(-1)",
            "All examples ended in one long row. The first axis, the batch, has to stay.",
        ),
        Mistake(
            "two-axes", "return x.reshape(x.shape[0] * x.shape[1], -1)",
            "You merged the batch with the first axis of the examples. Keep the batch, merge the "
            "rest.",
        ),
        Mistake(
            "turned", "return x.transpose().reshape(x.shape[0], -1)",
            "The shape is right, but the values changed their order. A reshape alone keeps it.",
        ),
        Mistake(
            "data-only", "return Tensor(x.data.reshape(x.shape[0], -1), dtype=x.dtype)", LEAF,
        ),
    ),
)  # fmt: skip
