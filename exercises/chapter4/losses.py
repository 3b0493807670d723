"""`MSELoss` and `SoftmaxLoss`."""

from grader.course import Exercise, Mistake

SHAPES = "if predictions.shape != targets.shape:\n    raise ValueError('shapes differ')\n"
SQUARES = SHAPES + "difference = predictions - targets\nsquares = difference * difference\n"

MSE = Exercise(
    "chapter4.mseloss.forward",
    section="4.11",
    targets=("nn.MSELoss.forward",),
    points=1,
    minutes=5,
    hints=(
        "Subtract, multiply by itself, sum, divide. `predictions.size` is the number of values.",
        "Compare the shapes before anything else.",
    ),
    mistakes=(
        Mistake(
            "summed", SQUARES + "return squares.sum()",
            "This is the sum of the squares. Their mean is asked for; a sum grows with the size "
            "of the batch.",
        ),
        Mistake(
            "over-the-batch", SQUARES + "return squares.sum() / predictions.shape[0]",
            "You divided by the number of rows. The mean is over all values.",
        ),
        Mistake(
            "mean-twice", SQUARES + "return squares.sum() / predictions.size / predictions.size",
            "You divided by the number of values twice.",
        ),
        Mistake(
            "halved", SQUARES + "return squares.sum() / (2 * predictions.size)",
            "Some books write ½ in front, to make the derivative look neat. Here, as in PyTorch, "
            "there is none.",
        ),
        Mistake(
            "absolute",
            SHAPES + "return ops.abs(predictions - targets).sum() / predictions.size",
            "This is the mean of the absolute errors. They are to be squared.",
        ),
        Mistake(
            "broadcast",
            "difference = predictions - targets\nreturn (difference * difference).sum() / "
            "difference.size",
            "Different shapes went through: `(4, 1)` against `(4,)` was broadcast to 16 "
            "differences, most of them between values that do not belong together.",
        ),
        Mistake(
            "outside-the-graph",
            SHAPES + "difference = predictions.data - targets.data\n"
            "return Tensor((difference**2).mean(), dtype=predictions.dtype)",
            "The loss is right, but NumPy worked it out on `.data`: it is a leaf, and `backward` "
            "has nowhere to go. Subtract the Tensors themselves.",
        ),
    ),
)  # fmt: skip

RIGHT = """
batch, classes = logits.shape
right = Tensor.one_hot(y, classes, dtype=logits.dtype)
return (ops.log_softmax(logits) * right).sum() / -batch
"""


def but(old: str, new: str) -> str:
    """A working body with one thing done otherwise."""
    assert old in RIGHT
    return RIGHT.replace(old, new)


SOFTMAX = Exercise(
    "chapter4.softmaxloss.forward",
    section="4.12",
    targets=("nn.SoftmaxLoss.forward",),
    points=3,
    minutes=10,
    difficulty=2,
    needs=("chapter4.logsoftmax.forward", "chapter4.logsoftmax.backward"),
    hints=(
        "`ops.log_softmax` does the hard part. What is left is to pick one value per row.",
        "To pick with an operation that has a gradient, multiply by `Tensor.one_hot(y, classes)` "
        "and sum.",
        "Mind the sign, and divide by the number of rows, not of values.",
    ),
    mistakes=(
        Mistake(
            "summed", but(" / -batch", " * -1"),
            "This is the sum over the batch. With the mean, the size of the steps does not depend "
            "on the size of the batch.",
        ),
        Mistake(
            "over-all-values", edit=("/ -batch", "/ -(batch * classes)"),
            says="You divided by the number of all logits. There is one term per row, so that the "
            "mean divides by the batch.",
        ),
        Mistake(
            "mean-twice", edit=("/ -batch", "/ -batch / batch"),
            says="You divided by the batch twice.",
        ),
        Mistake(
            "forgot-minus", edit=("-batch", "batch"),
            says="The minus is missing: this rewards being wrong.",
        ),
        Mistake(
            "wrong-axis", but("log_softmax(logits)", "log_softmax(logits, 0)"),
            "The softmax goes down the batch: examples compete with each other. The classes of one "
            "example are to share the probability.",
        ),
        Mistake(
            "no-logarithm", edit=("ops.log_softmax(logits)", "ops.exp(ops.log_softmax(logits))"),
            says="You averaged the probability of the right class; its logarithm is missing.",
        ),
        Mistake(
            "softmax-twice",
            but("ops.log_softmax(logits)", "ops.log_softmax(ops.exp(ops.log_softmax(logits)))"),
            "You turned the logits into probabilities first, and then took the softmax of these. "
            "The loss wants plain scores.",
        ),
        Mistake(
            "overflow",
            "batch, classes = logits.shape\nright = Tensor.one_hot(y, classes, "
            "dtype=logits.dtype)\n"
            "powers = ops.exp(logits)\ntotal = powers.sum(1).reshape(batch, 1)\n"
            "return (ops.log(powers / total) * right).sum() / -batch",
            "Fine for small logits; e¹⁰⁰⁰ is infinite. Use the operation that was made for this.",
        ),
        Mistake(
            "shifted-labels",
            edit=("one_hot(y", "one_hot((Tensor(y, dtype='int64').data - 1) % classes"),
            says="The labels are shifted by one. The first class is 0, as everywhere in NumPy.",
        ),
        Mistake(
            "outside-the-graph",
            "batch, classes = logits.shape\n"
            "right = Tensor.one_hot(y, classes, dtype=logits.dtype)\n"
            "picked = (ops.log_softmax(logits).data * right.data).sum()\n"
            "return Tensor(picked / -batch, dtype=logits.dtype)",
            "The loss is right, but you picked the values out of `.data`, and from there no way "
            "leads back to the logits. Pick them with operations of Tensors.",
        ),
    ),
)  # fmt: skip
