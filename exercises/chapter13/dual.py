"""Dual numbers: a value that carries its derivative along."""

from grader.course import Exercise, Mistake

NUMBER = "other = as_dual(other)\n"

MUL = Exercise(
    "chapter13.dual.mul",
    section="13.3",
    targets=("forward_mode.Dual.__mul__",),
    points=1,
    minutes=5,
    hints=("Product rule: (ab)' = a'b + ab'. `as_dual(other)` lets a plain number take part.",),
    mistakes=(
        Mistake(
            "product-of-tangents",
            NUMBER + "return Dual(self.value * other.value, self.tangent * other.tangent)",
            "You multiplied the tangents. A product moves because one factor moves while the "
            "other stays, and the other way round: two terms that add.",
        ),
        Mistake(
            "one-side",
            NUMBER + "return Dual(self.value * other.value, self.tangent * other.value)",
            "Only the first factor moves in your tangent. The second one may move, too.",
        ),
        Mistake(
            "sum-of-tangents",
            NUMBER + "return Dual(self.value * other.value, self.tangent + other.tangent)",
            "Tangents add where values add. In a product each one is scaled by the other value.",
        ),
    ),
)

DIV = Exercise(
    "chapter13.dual.div",
    section="13.3",
    targets=("forward_mode.Dual.__truediv__",),
    points=2,
    minutes=8,
    difficulty=2,
    hints=(
        "Quotient rule: (a/b)' = (a'b − ab') / b².",
        "With q = a/b already computed it is shorter: (a' − q·b') / b.",
    ),
    mistakes=(
        Mistake(
            "plus",
            NUMBER + "value = self.value / other.value\n"
            "return Dual(value, (self.tangent + value * other.tangent) / other.value)",
            "A larger divisor makes the quotient smaller: its part has a minus.",
        ),
        Mistake(
            "quotient-of-tangents",
            NUMBER + "return Dual(self.value / other.value, self.tangent / (other.tangent or 1.0))",
            "You divided the tangents. The quotient rule has two terms.",
        ),
        Mistake(
            "square-forgotten",
            NUMBER + "top = self.tangent * other.value - self.value * other.tangent\n"
            "return Dual(self.value / other.value, top / other.value)",
            "You divided by b once. In this form of the quotient rule b is squared.",
        ),
        Mistake(
            "divisor-stays",
            NUMBER + "return Dual(self.value / other.value, self.tangent / other.value)",
            "You treat the divisor as if it did not move.",
        ),
    ),
)

POW = Exercise(
    "chapter13.dual.pow",
    section="13.3",
    targets=("forward_mode.Dual.__pow__",),
    points=1,
    minutes=4,
    hints=("The slope of aⁿ is n·aⁿ⁻¹. How fast does a itself move?",),
    mistakes=(
        Mistake(
            "tangent-forgotten",
            "return Dual(self.value**exponent, exponent * self.value ** (exponent - 1))",
            "You returned the slope. The output moves by the slope *times* the tangent of what "
            "came in: that is the chain rule.",
        ),
        Mistake(
            "exponent-kept",
            "return Dual(self.value**exponent, exponent * self.value**exponent * self.tangent)",
            "The exponent of the slope is one less.",
        ),
        Mistake(
            "factor-forgotten",
            "return Dual(self.value**exponent, self.value ** (exponent - 1) * self.tangent)",
            "The factor n in front is missing.",
        ),
    ),
)

PLAIN = "if not isinstance(x, Dual):\n    return math.{name}(x)\n"
FUNCTIONS = Exercise(
    "chapter13.dual.functions",
    section="13.3",
    targets=("forward_mode.exp", "forward_mode.log", "forward_mode.tanh"),
    points=3,
    minutes=12,
    difficulty=2,
    needs=("chapter13.dual.mul", "chapter13.dual.div"),
    hints=(
        "A plain number: `math.exp`. A Dual: the value by calling `exp` itself on `x.value`, the "
        "tangent by slope times `x.tangent`.",
        "Call your own function on `x.value`, not that of `math`: the value may be a Dual, too.",
    ),
    mistakes=(
        Mistake(
            "tangent-forgotten",
            PLAIN.format(name="exp") + "value = exp(x.value)\nreturn Dual(value, value)",
            "You returned the slope. It is to be multiplied by the tangent that comes in.",
        ),
        Mistake(
            "moves-alone",
            PLAIN.format(name="exp") + "return Dual(exp(x.value), x.tangent)",
            "The tangent came through unchanged: the slope of exp is missing.",
        ),
        Mistake(
            "tangent-through-exp",
            PLAIN.format(name="exp") + "return Dual(exp(x.value), exp(x.tangent))",
            "You applied exp to the tangent. A tangent is multiplied by the slope, nothing else.",
        ),
        Mistake(
            "log-times",
            PLAIN.format(name="log") + "return Dual(log(x.value), x.tangent * x.value)",
            "The slope of log is 1/a: divide.",
            target="forward_mode.log",
        ),
        Mistake(
            "not-squared",
            PLAIN.format(name="tanh") + "value = tanh(x.value)\n"
            "return Dual(value, (1 - value) * x.tangent)",
            "The slope of tanh is 1 − t², with the square.",
            target="forward_mode.tanh",
        ),
        Mistake(
            "of-the-input",
            PLAIN.format(name="tanh") + "return Dual(tanh(x.value), (1 - x.value * x.value) * "
            "x.tangent)",
            "The t in 1 − t² is the output, tanh a; you took the input.",
            target="forward_mode.tanh",
        ),
        Mistake(
            "floats-only",
            "if not isinstance(x, Dual):\n    return math.exp(x)\n"
            "value = math.exp(getattr(x.value, 'value', x.value))\n"
            "return Dual(value, value * x.tangent)",
            "You computed the value with `math`. Where the value is itself a Dual, its own tangent "
            "is lost, and second derivatives are wrong: call your own function on it.",
        ),
    ),
)

DERIVATIVE = Exercise(
    "chapter13.derivative",
    section="13.3",
    targets=("forward_mode.derivative",),
    points=2,
    minutes=6,
    needs=("chapter13.dual.mul", "chapter13.dual.div", "chapter13.dual.pow",
           "chapter13.dual.functions"),
    hints=(
        "How fast does x move when x moves? That is the tangent to start with.",
        "`as_dual` turns a plain number that `f` may return into one that does not move.",
    ),
    mistakes=(
        Mistake(
            "seed-forgotten", "return as_dual(f(Dual(x))).tangent",
            "The tangent of x started at 0: nothing moves, and every derivative is 0.",
        ),
        Mistake(
            "value-returned", "return as_dual(f(Dual(x, 1.0))).value",
            "This is f(x), not its derivative.",
        ),
        Mistake(
            "difference-quotient",
            "h = 1e-6\nreturn (f(x + h) - f(x - h)) / (2 * h)",
            "This is a difference quotient: it is right to some six digits, and not exact. The "
            "Dual needs no step size at all.",
        ),
        Mistake(
            "seeded-with-x", "return as_dual(f(Dual(x, x))).tangent",
            "You started with the tangent x. x moves as fast as x itself: 1.",
        ),
    ),
)  # fmt: skip

EXERCISES = (MUL, DIV, POW, FUNCTIONS, DERIVATIVE)
