"""`MSELoss` and `SoftmaxLoss`."""

from grader.course import edit, exercise, mistake


@exercise("nn.MSELoss.forward", points=1)
class MSE:
    """Subtract, multiply by itself, sum, divide. `predictions.size` is the number of values.

    Compare the shapes before anything else.
    """

    def summed(self, predictions, targets):
        """This is the sum of the squares. Return their mean; a sum grows with the size of the
        batch."""
        if predictions.shape != targets.shape:
            raise ValueError("shapes differ")
        difference = predictions - targets
        squares = difference * difference
        return squares.sum()

    over_the_batch = edit("()", "() / predictions.shape[0]", of=summed)
    """You divided by the number of rows. The mean is over all values."""

    mean_twice = edit("()", "() / predictions.size / predictions.size", of=summed)
    """You divided by the number of values twice."""

    halved = edit("()", "() / (2 * predictions.size)", of=summed)
    """Some books write ½ in front, to make the derivative look neat. Here, as in PyTorch, there is
    none."""

    def absolute(self, predictions, targets):
        """This is the mean of the absolute errors. Square them."""
        if predictions.shape != targets.shape:
            raise ValueError("shapes differ")
        return ops.abs(predictions - targets).sum() / predictions.size

    @mistake(seen="https://github.com/pytorch/pytorch/issues/19699")
    def broadcast(self, predictions, targets):
        """You accept different shapes: `(4, 1)` against `(4,)` was broadcast to 16 differences,
        most of them between values that don't belong together."""
        difference = predictions - targets
        return (difference * difference).sum() / difference.size

    @mistake(has=(r"\.data\b",))
    def outside_the_graph(self, predictions, targets):
        """The loss is right, but you computed it with NumPy on `.data`: it's a leaf, and `backward`
        has nowhere to go. Subtract the Tensors themselves."""
        if predictions.shape != targets.shape:
            raise ValueError("shapes differ")
        difference = predictions.data - targets.data
        return Tensor((difference**2).mean(), dtype=predictions.dtype)


@exercise(
    "nn.SoftmaxLoss.forward",
    points=3,
    needs=("chapter4.logsoftmax.forward", "chapter4.logsoftmax.backward"),
)
class SOFTMAX:
    """`ops.log_softmax` does the hard part. What is left is to pick one value per row.

    To pick with an operation that has a gradient, multiply by `Tensor.one_hot(y, classes)` and sum.

    Watch the sign, and divide by the number of rows, not of values.
    """

    summed = edit("() / -batch", "() * -1")
    """This is the sum over the batch. With the mean, the size of the steps doesn't depend on the
    size of the batch."""

    over_all_values = edit("-batch", "-(batch * classes)")
    """You divided by the number of all logits. There is one term per row, so the mean divides by
    the number of rows."""

    mean_twice = edit("-batch", "-batch / batch")
    """You divided by the batch twice."""

    forgot_minus = edit("-", "")
    """The minus is missing: this rewards being wrong."""

    wrong_axis = edit("(logits)", "(logits, 0)")
    """The softmax goes down the batch: examples compete with each other. The classes of one example
    should share the probability."""

    no_logarithm = edit("log_softmax(logits)", "exp(ops.log_softmax(logits))")
    """You averaged the probability of the right class; its logarithm is missing."""

    softmax_twice = edit(
        "(logits)",
        "(ops.exp(ops.log_softmax(logits)))",
        seen="https://github.com/Lightning-Universe/lightning-bolts/issues/654",
    )
    """You turned the logits into probabilities first, and then took the softmax of these. The loss
    takes plain scores."""

    def overflow(self, logits, y):
        """That is fine for small logits, but e¹⁰⁰⁰ is infinite. Use the operation that was made for
        this."""
        batch, classes = logits.shape
        right = Tensor.one_hot(y, classes, dtype=logits.dtype)
        powers = ops.exp(logits)
        total = powers.sum(1).reshape(batch, 1)
        return (ops.log(powers / total) * right).sum() / -batch

    shifted_labels = edit("y,", "(Tensor(y, dtype='int64').data - 1) % classes,")
    """The labels are shifted by one. The first class is 0, as everywhere in NumPy."""

    @mistake(has=(r"\.data\b",))
    def outside_the_graph(self, logits, y):
        """The loss is right, but you picked the values out of `.data`, and from there no path leads
        back to the logits. Pick them with operations of Tensors."""
        batch, classes = logits.shape
        right = Tensor.one_hot(y, classes, dtype=logits.dtype)
        picked = (ops.log_softmax(logits).data * right.data).sum()
        return Tensor(picked / -batch, dtype=logits.dtype)
