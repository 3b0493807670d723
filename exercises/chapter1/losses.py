"""How wrong a network is, as one number: mean squared error, binary cross-entropy."""

from grader.course import Exercise, Mistake

_OPERATORS = (
    "chapter1.value.sub",
    "chapter1.value.div",
    "chapter1.value.mul",
    "chapter1.value.add",
)

_MSE = """\
total = Value(0.0)
for p, t in zip(predictions, targets):
    total = total + {term}
return total{end}"""

MSE = Exercise(
    "chapter1.mean_squared_error",
    section="1.9",
    targets=("scalar.mean_squared_error",),
    points=1,
    minutes=4,
    needs=(*_OPERATORS, "chapter1.value.pow"),
    hints=(
        "For every pair: the difference, squared. Then the mean of all of them.",
        "`sum` works on Values since you wrote `__radd__`; dividing by a plain number works, too.",
    ),
    mistakes=(
        Mistake(
            "sum",
            _MSE.format(term="(p - t) ** 2", end=""),
            "You added the squares up and did not divide by how many there are.",
        ),
        Mistake(
            "not-squared",
            _MSE.format(term="(p - t)", end=" / len(predictions)"),
            "The differences are not squared: those above and those below cancel.",
        ),
        Mistake(
            "halved",
            _MSE.format(term="(p - t) ** 2", end=" / (2 * len(predictions))"),
            "Some books halve the squared error; here it is the plain mean.",
        ),
        Mistake(
            "square-of-mean",
            _MSE.format(term="(p - t)", end=" / len(predictions)").replace(
                "return total / len(predictions)", "return (total / len(predictions)) ** 2"
            ),
            "You squared the mean of the differences. The mean of the squares is asked for.",
        ),
        Mistake(
            "no-graph",
            "return Value(sum((p.data - t) ** 2 for p, t in zip(predictions, targets)) / "
            "len(targets))",
            "You computed with the bare `data`, so the loss does not know its predictions.",
        ),
    ),
)

_BCE = """\
total = Value(0.0)
for p, t in zip(probabilities, targets):
    total = total {sign} ({yes} + {no})
return total{end}"""
_YES, _NO, _MEAN = "t * p.log()", "(1 - t) * (1 - p).log()", " / len(probabilities)"

BCE = Exercise(
    "chapter1.binary_cross_entropy",
    section="1.9",
    targets=("scalar.binary_cross_entropy",),
    points=2,
    minutes=8,
    difficulty=2,
    needs=(*_OPERATORS, "chapter1.value.log", "chapter1.value.rmul", "chapter1.value.rsub"),
    hints=(
        "One term per pair, with two halves. For t = 1 only the first half counts, for t = 0 only "
        "the second.",
        "A logarithm of a number below 1 is negative. The loss is not: where is the minus?",
    ),
    mistakes=(
        Mistake(
            "sign",
            _BCE.format(sign="+", yes=_YES, no=_NO, end=_MEAN),
            "The minus is missing: your loss is negative, and training would make it worse.",
        ),
        Mistake(
            "sum",
            _BCE.format(sign="-", yes=_YES, no=_NO, end=""),
            "You added the terms up and did not divide by how many there are.",
        ),
        Mistake(
            "yes-only",
            _BCE.format(sign="-", yes=_YES, no="0", end=_MEAN),
            "Only the pairs with target 1 count. A wrong «yes» has to cost something, too.",
        ),
        Mistake(
            "targets-swapped",
            _BCE.format(sign="-", yes="(1 - t) * p.log()", no="t * (1 - p).log()", end=_MEAN),
            "The two halves changed places: t goes with ln p, 1 - t with ln(1 - p).",
        ),
        Mistake(
            "one-minus-log",
            _BCE.format(sign="-", yes=_YES, no="(1 - t) * (1 - p.log())", end=_MEAN),
            "You took 1 - ln p. It is the logarithm of 1 - p.",
        ),
        Mistake(
            "rounded-targets",
            _BCE.format(
                sign="-", yes="round(t) * p.log()", no="(1 - round(t)) * (1 - p).log()", end=_MEAN
            ),
            "Targets between 0 and 1 count as they are, not as the nearer end.",
        ),
    ),
)
