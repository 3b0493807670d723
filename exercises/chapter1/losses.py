"""A network's error as one number: mean squared error, binary cross-entropy."""

from grader.course import edit, exercise

_OPERATORS = (
    "chapter1.value.sub",
    "chapter1.value.div",
    "chapter1.value.mul",
    "chapter1.value.add",
)


@exercise(
    "scalar.mean_squared_error",
    points=1,
    minutes=4,
    difficulty=1,
    needs=(*_OPERATORS, "chapter1.value.pow"),
)
class MSE:
    """For every pair: the difference, squared. Then the mean of all of them.

    `sum` works on Values since you wrote `__radd__`; dividing by a plain number works, too.
    """

    def sum(predictions, targets):
        """You added up the squares, but didn't divide by how many there are."""
        total = Value(0.0)
        for p, t in zip(predictions, targets):
            total = total + (p - t) ** 2
        return total

    not_squared = edit((" ** 2", ""), ("return total", "return total / len(predictions)"), of=sum)
    """The differences aren't squared: those above and those below cancel."""

    halved = edit("return total", "return total / (2 * len(predictions))", of=sum)
    """Some books halve the squared error; here it is the plain mean."""

    def square_of_mean(predictions, targets):
        """You squared the mean of the differences. Take the mean of the squares."""
        total = Value(0.0)
        for p, t in zip(predictions, targets):
            total = total + (p - t)
        return (total / len(predictions)) ** 2

    def no_graph(predictions, targets):
        """You computed with the bare `data`, so the loss doesn't know its predictions."""
        return Value(sum((p.data - t) ** 2 for p, t in zip(predictions, targets)) / len(targets))


@exercise(
    "scalar.binary_cross_entropy",
    points=2,
    minutes=8,
    needs=(*_OPERATORS, "chapter1.value.log", "chapter1.value.rmul", "chapter1.value.rsub"),
)
class BCE:
    """One term per pair, with two halves. For t = 1 only the first half counts, for t = 0 only the
    second.

    A logarithm of a number below 1 is negative. The loss isn't: where is the minus?
    """

    sign = edit("total -", "total +")
    """The minus is missing: your loss is negative, and training would make it worse."""

    sum = edit(" / len(probabilities)", "")
    """You added up the terms, but didn't divide by how many there are."""

    yes_only = edit("(1 - t) * (1 - p).log()", "0")
    """Only the pairs with target 1 count. A wrong «yes» has to cost something, too."""

    def targets_swapped(probabilities, targets):
        """The two halves are swapped: t goes with ln p, 1 - t with ln(1 - p)."""
        total = Value(0.0)
        for p, t in zip(probabilities, targets):
            total = total - ((1 - t) * p.log() + t * (1 - p).log())
        return total / len(probabilities)

    one_minus_log = edit("(1 - p).log()", "(1 - p.log())")
    """You took 1 - ln p. It is the logarithm of 1 - p."""

    rounded_targets = edit(("t *", "round(t) *"), ("- t", "- round(t)"))
    """Use targets between 0 and 1 as they are; don't round them."""
