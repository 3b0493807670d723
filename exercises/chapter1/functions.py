"""Functions of one Value: `exp`, `log`, `relu`, `tanh`, and `sigmoid` made of parts."""

from grader.course import Exercise, Mistake

from .bodies import FORGOT_OUT_GRAD, NO_GRAPH, OVERWRITES, TWO_FAULTS, astray, one

_NEEDS = ("chapter1.value.init",)

EXP = Exercise(
    "chapter1.value.exp",
    section="1.5",
    targets=("scalar.Value.exp",),
    points=1,
    minutes=4,
    needs=_NEEDS,
    hints=(
        "`math.exp` computes the number. `math` is imported at the top of the file.",
        "This function is its own derivative, and `out` already holds what it computed.",
    ),
    mistakes=(
        Mistake("forgot-out-grad", one("math.exp(self.data)", "out.data"), FORGOT_OUT_GRAD),
        Mistake(
            "overwrites", one("math.exp(self.data)", "out.data * out.grad", add="="), OVERWRITES
        ),
        Mistake(
            "input-as-slope",
            one("math.exp(self.data)", "self.data * out.grad"),
            "You multiplied by the input. The slope of eᵃ at a is eᵃ, the output.",
        ),
        Mistake(
            "power-rule",
            one("math.exp(self.data)", "self.data * math.exp(self.data - 1) * out.grad"),
            "You used the power rule, as for aⁿ. Here the input is the exponent, not the base.",
        ),
        Mistake("no-graph", "return Value(math.exp(self.data))", NO_GRAPH),
        Mistake("two-faults", one("math.exp(self.data)", "out.data", add="="), TWO_FAULTS),
        *astray(one("math.exp(self.data)", "out.data * out.grad")),
    ),
)

LOG = Exercise(
    "chapter1.value.log",
    section="1.5",
    targets=("scalar.Value.log",),
    points=1,
    minutes=3,
    needs=_NEEDS,
    hints=(
        "`math.log` with one argument is the natural logarithm.",
        "The slope at a is one over a: is that the input or the output of this node?",
    ),
    mistakes=(
        Mistake("forgot-out-grad", one("math.log(self.data)", "1 / self.data"), FORGOT_OUT_GRAD),
        Mistake(
            "overwrites", one("math.log(self.data)", "out.grad / self.data", add="="), OVERWRITES
        ),
        Mistake(
            "over-the-output",
            one("math.log(self.data)", "out.grad / out.data"),
            "You divided by the logarithm. The slope is one over the input.",
        ),
        Mistake(
            "times-input",
            one("math.log(self.data)", "self.data * out.grad"),
            "You multiplied by the input where you have to divide: the logarithm gets flatter.",
        ),
        Mistake(
            "base-ten",
            one("math.log10(self.data)", "out.grad / self.data"),
            "`math.log10` is the logarithm to base 10; the natural one is asked for.",
        ),
        Mistake("two-faults", one("math.log(self.data)", "1 / self.data", add="="), TWO_FAULTS),
        *astray(one("math.log(self.data)", "out.grad / self.data")),
    ),
)

RELU = Exercise(
    "chapter1.value.relu",
    section="1.5",
    targets=("scalar.Value.relu",),
    points=1,
    minutes=4,
    needs=_NEEDS,
    hints=(
        "`max` chooses the larger of two numbers.",
        "Right of 0 the line is as steep as the input itself; left of 0 it is flat. What does the "
        "docstring say about 0?",
    ),
    mistakes=(
        Mistake(
            "passes-always",
            one("max(0.0, self.data)", "out.grad"),
            "The gradient passes whatever the input was. Left of 0 the output does not move.",
        ),
        Mistake(
            "forgot-out-grad",
            one("max(0.0, self.data)", "1.0 if self.data > 0 else 0.0"),
            FORGOT_OUT_GRAD,
        ),
        Mistake(
            "overwrites",
            one("max(0.0, self.data)", "out.grad if self.data > 0 else 0.0", add="="),
            OVERWRITES,
        ),
        Mistake(
            "one-at-zero",
            one("max(0.0, self.data)", "out.grad if self.data >= 0 else 0.0"),
            "At exactly 0 your rule lets the gradient pass; by convention it is 0 there.",
        ),
        Mistake(
            "masks-by-gradient",
            one("max(0.0, self.data)", "out.grad if out.grad > 0 else 0.0"),
            "You let the sign of the gradient decide. It is the sign of the input that does.",
        ),
        Mistake(
            "gradient-times-output",
            one("max(0.0, self.data)", "out.data * out.grad"),
            "You multiplied by the output. Right of 0 the slope is 1, however large the input is.",
        ),
        *astray(one("max(0.0, self.data)", "out.grad if self.data > 0 else 0.0")),
    ),
)

TANH = Exercise(
    "chapter1.value.tanh",
    section="1.5",
    targets=("scalar.Value.tanh",),
    points=1,
    minutes=4,
    difficulty=2,
    needs=_NEEDS,
    hints=(
        "`math.tanh` computes the number.",
        "The rule in the docstring has tanh a in it, and `out` already holds that number.",
    ),
    mistakes=(
        Mistake(
            "square-of-input",
            one("math.tanh(self.data)", "(1 - self.data**2) * out.grad"),
            "You squared the input. The rule has the square of tanh a in it, which is the output.",
        ),
        Mistake("forgot-out-grad", one("math.tanh(self.data)", "1 - out.data**2"), FORGOT_OUT_GRAD),
        Mistake(
            "overwrites",
            one("math.tanh(self.data)", "(1 - out.data**2) * out.grad", add="="),
            OVERWRITES,
        ),
        Mistake(
            "not-squared",
            one("math.tanh(self.data)", "(1 - out.data) * out.grad"),
            "The tanh in the rule has to be squared.",
        ),
        Mistake(
            "like-sigmoid",
            one("math.tanh(self.data)", "out.data * (1 - out.data) * out.grad"),
            "This is the rule of the sigmoid.",
        ),
        Mistake(
            "tanh-twice",
            one("math.tanh(self.data)", "(1 - math.tanh(out.data) ** 2) * out.grad"),
            "You took tanh of the output: it is tanh of the input already.",
        ),
        Mistake("two-faults", one("math.tanh(self.data)", "1 - out.data**2", add="="), TWO_FAULTS),
        *astray(one("math.tanh(self.data)", "(1 - out.data**2) * out.grad")),
    ),
)

SIGMOID = Exercise(
    "chapter1.value.sigmoid",
    section="1.5",
    targets=("scalar.Value.sigmoid",),
    points=1,
    minutes=6,
    difficulty=2,
    needs=(
        "chapter1.value.exp",
        "chapter1.value.rdiv",
        "chapter1.value.radd",
        "chapter1.value.neg",
    ),
    hints=(
        "Write the formula with the operators that you have; no rule is needed.",
        "Two branches: the docstring gives one form for most numbers and another for negative "
        "ones.",
    ),
    mistakes=(
        Mistake(
            "sign-of-exponent",
            "if self.data <= 0:\n    return 1 / (1 + self.exp())\n"
            "return (-self).exp() / (1 + (-self).exp())",
            "The exponent has the wrong sign: your sigmoid falls where it should rise.",
        ),
        Mistake(
            "no-graph",
            "return Value(1 / (1 + math.exp(-max(self.data, -700.0))))",
            NO_GRAPH,
        ),
        Mistake(
            "slope-of-the-input",
            one(
                "1 / (1 + math.exp(-max(self.data, -700.0)))",
                "self.data * (1 - self.data) * out.grad",
            ),
            "In s·(1 - s), s is the result; you put the input there.",
        ),
        Mistake(
            "forgot-out-grad",
            one("1 / (1 + math.exp(-max(self.data, -700.0)))", "out.data * (1 - out.data)"),
            FORGOT_OUT_GRAD,
        ),
        Mistake(
            "is-tanh",
            "return self.tanh()",
            "This is tanh, which runs from -1 to 1. The sigmoid runs from 0 to 1.",
        ),
    ),
)
