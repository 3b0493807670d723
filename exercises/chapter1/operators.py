"""The other operators with `self` on the left: `-x`, `-`, `**`, `/`."""

from grader.course import Exercise, Mistake

from .bodies import EDITED, FORGOT_OUT_GRAD, NO_GRAPH, OVERWRITES, TWO_FAULTS, astray, one, two

NEG = Exercise(
    "chapter1.value.neg",
    section="1.4",
    targets=("scalar.Value.__neg__",),
    points=1,
    minutes=2,
    needs=("chapter1.value.init", "chapter1.value.mul"),
    hints=(
        "You need no new rule: which number turns a into -a when you multiply by it?",
        "Whatever you return, it has to come from an operator that records the graph.",
    ),
    mistakes=(
        Mistake("no-graph", "return Value(-self.data)", NO_GRAPH),
        Mistake(
            "gradient-not-negated",
            one("-self.data", "out.grad"),
            "The value is negated, the gradient is not. When a rises, -a falls.",
        ),
        Mistake("edited", "self.data = -self.data\nreturn self", EDITED),
        Mistake(
            "nothing-done",
            "return self + 0",
            "Your result has the sign of the input. Multiplied by which number would it change?",
        ),
    ),
)

SUB = Exercise(
    "chapter1.value.sub",
    section="1.4",
    targets=("scalar.Value.__sub__",),
    points=1,
    minutes=2,
    needs=("chapter1.value.add", "chapter1.value.neg"),
    hints=(
        "A difference is a sum with one sign changed. Both operators exist by now.",
        "`-other` works for a number and for a Value alike.",
    ),
    mistakes=(
        Mistake(
            "swapped",
            "return as_value(other) + (-self)",
            "You subtracted `self` from `other`; `self` is on the left of the minus.",
        ),
        Mistake("no-graph", "return Value(self.data - as_value(other).data)", NO_GRAPH),
        Mistake(
            "forgot-minus",
            two("self.data - other.data", "out.grad", "out.grad"),
            "The right input is handed +1 times the gradient. When it rises, the difference falls.",
        ),
        Mistake(
            "overwrites",
            two("self.data - other.data", "out.grad", "-out.grad", add="="),
            OVERWRITES,
        ),
        Mistake("forgot-out-grad", two("self.data - other.data", "1.0", "-1.0"), FORGOT_OUT_GRAD),
    ),
)

_POWER_RULE = "exponent * self.data ** (exponent - 1) * out.grad"

POW = Exercise(
    "chapter1.value.pow",
    section="1.4",
    targets=("scalar.Value.__pow__",),
    points=2,
    minutes=6,
    difficulty=2,
    needs=("chapter1.value.init",),
    hints=(
        "One input only: `exponent` is a plain number, and gets no gradient.",
        "The power rule: the exponent comes down as a factor, and what stays above is one less.",
    ),
    mistakes=(
        Mistake(
            "exponent-not-lowered",
            one("self.data**exponent", "exponent * self.data**exponent * out.grad"),
            "The exponent came down as a factor, but the power above is still the old one; it has "
            "to be one less.",
        ),
        Mistake(
            "factor-forgotten",
            one("self.data**exponent", "self.data ** (exponent - 1) * out.grad"),
            "The power is one less, as it should be, but the exponent is missing as a factor.",
        ),
        Mistake(
            "forgot-out-grad",
            one("self.data**exponent", "exponent * self.data ** (exponent - 1)"),
            FORGOT_OUT_GRAD,
        ),
        Mistake(
            "overwrites",
            one(
                "self.data**exponent", "exponent * self.data ** (exponent - 1) * out.grad", add="="
            ),
            OVERWRITES,
        ),
        Mistake(
            "like-square",
            one("self.data**exponent", "2 * self.data * out.grad"),
            "This is the rule of the square. It has to hold for any exponent.",
        ),
        Mistake(
            "power-left-out",
            one("self.data**exponent", "exponent * self.data * out.grad"),
            "The exponent came down as a factor, and that is right. But you multiply by the input "
            "alone, which is right for the square only: it is raised to the exponent less one.",
        ),
        Mistake(
            "precedence",
            one("self.data**exponent", "(exponent * self.data**exponent - 1) * out.grad"),
            "`n * a ** n - 1` takes the 1 from the power. It has to be taken from the exponent: "
            "`a ** (n - 1)`.",
            shown_by=r"\*\* \w+ - 1\b",
        ),
        Mistake(
            "output-for-input",
            one("self.data**exponent", "exponent * out.data ** (exponent - 1) * out.grad"),
            "You raised the output, `out.data`. The power rule raises the input, `self.data`.",
        ),
        Mistake(
            "power-of-out-grad",
            one("self.data**exponent", "exponent * out.grad ** (exponent - 1)"),
            "You applied the power rule to `out.grad`. It belongs to the input, and the result is "
            "multiplied by `out.grad`.",
        ),
        Mistake(
            "exponent-among-inputs",
            one("self.data**exponent", _POWER_RULE).replace("(self,)", "(self, exponent)"),
            "You put the exponent into `_prev`. It is a plain number: nothing is handed on to it, "
            "and only Values belong there.",
        ),
        Mistake(
            "two-faults",
            one("self.data**exponent", "exponent * self.data ** (exponent - 1)", add="="),
            TWO_FAULTS,
        ),
        *astray(one("self.data**exponent", _POWER_RULE)),
    ),
)

DIV = Exercise(
    "chapter1.value.div",
    section="1.4",
    targets=("scalar.Value.__truediv__",),
    points=1,
    minutes=3,
    difficulty=2,
    needs=("chapter1.value.mul", "chapter1.value.pow"),
    hints=(
        "You need no new rule: dividing by b is multiplying by a power of b.",
        "`other` may be a plain number. `as_value` makes one case of two.",
    ),
    mistakes=(
        Mistake(
            "swapped",
            "return as_value(other) * self**-1",
            "You divided `other` by `self`; `self` stands on top.",
        ),
        Mistake("no-graph", "return Value(self.data / as_value(other).data)", NO_GRAPH),
        Mistake(
            "forgot-minus",
            two(
                "self.data / other.data",
                "out.grad / other.data",
                "self.data / other.data**2 * out.grad",
            ),
            "The gradient of the divisor lacks its minus: a larger divisor makes the quotient "
            "smaller.",
        ),
        Mistake(
            "b-not-squared",
            two(
                "self.data / other.data",
                "out.grad / other.data",
                "-self.data / other.data * out.grad",
            ),
            "In the gradient of the divisor, the divisor has to be squared.",
        ),
        Mistake(
            "divisor-constant",
            "return self * (1 / as_value(other).data)",
            "You took the bare number out of `other`, so no gradient finds its way to the divisor.",
        ),
    ),
)
