"""Ops with a number that is not part of the graph: `MulScalar`, `DivScalar`, `PowerScalar`."""

from grader.course import POSITIVE, REAL, Exercise, Group, Mistake, OpRow, shapes, values

from .mistakes import forgot_out_grad, in_place, numpy_inside

MUL_ROW = OpRow(
    op="MulScalar",
    forward=lambda a, c: a * c,
    torch=lambda torch, a, c: a * c,
    domain=(REAL,),
    samples=(shapes((2,), attrs=(2.5,)), shapes((2, 3), attrs=(-3,))),
    taught={"forward": "Every value times `self.scalar`", "backward": "d(ca)/da = c"},
)

DIV_ROW = OpRow(
    op="DivScalar",
    forward=lambda a, c: a / c,
    torch=lambda torch, a, c: a / c,
    domain=(REAL,),
    # Powers of 2: their reciprocals are exact, in a float32 Tensor as well.
    samples=(shapes((2,), attrs=(4,)), shapes((2, 3), attrs=(-0.5,))),
    taught={"forward": "Every value divided by `self.scalar`", "backward": "d(a/c)/da = 1/c"},
)

POWER_ROW = OpRow(
    op="PowerScalar",
    forward=lambda a, c: a**c,
    torch=lambda torch, a, c: a**c,
    domain=(POSITIVE,),
    samples=(shapes((2,), attrs=(3,)), shapes((2, 3), attrs=(2,))),
    taught={
        "forward": "Every value to the power `self.scalar`",
        "backward": "d(aᶜ)/da = c·aᶜ⁻¹",
    },
    groups=(
        Group(
            "fractional",
            "{method} is right for an exponent that is not a whole number.",
            (shapes((3,), attrs=(2.5,)), shapes((3,), attrs=(0.5,))),
            taught="a power whose exponent is a plain number",
        ),
        Group(
            "negative",
            "{method} is right for a negative exponent.",
            (shapes((3,), attrs=(-2,)), shapes((3,), attrs=(-1.5,))),
            taught="to the power `self.scalar`, which may be negative",
        ),
        Group(
            "negative-base",
            "{method} is right for negative values and a whole exponent.",
            (values([-1.5, 0.5, -2.0], attrs=(3,)), values([-1.5, 0.5, -2.0], attrs=(-2,))),
            taught="Every value to the power `self.scalar`",
        ),
        Group(
            "at-zero",
            "{method} is right at exactly 0.",
            (values([0.0, -1.5, 2.5], attrs=(2,)), values([0.0, -1.5, 2.5], attrs=(3,))),
            taught="negative values and 0 to a whole power are right, forward and backward",
        ),
    ),
)

MUL_FORWARD = Exercise(
    "chapter3.mul_scalar.forward",
    section="3.10",
    targets=("ops.MulScalar.forward",),
    points=1,
    minutes=1,
    hints=(
        "Read `AddScalar`, which is given. The number was stored by `__init__`.",
        "The number is `self.scalar`, the array is `a`.",
    ),
    mistakes=(
        Mistake("added", "return a + self.scalar", "You added the number, as `AddScalar` does."),
        Mistake("power", "return a**self.scalar", "Two stars make a power; a product has one."),
        in_place("a *= self.scalar\nreturn a"),
    ),
)

MUL_BACKWARD = Exercise(
    "chapter3.mul_scalar.backward",
    section="3.10",
    targets=("ops.MulScalar.backward",),
    points=2,
    minutes=2,
    needs=("chapter3.mul_scalar.forward",),
    hints=(
        "One input, one gradient. The number is a constant and has none.",
        "Let the number be 5, and nudge a by 0.01: how far does 5a move?",
    ),
    mistakes=(
        Mistake(
            "like-add", "return out_grad",
            "This is the rule of `AddScalar`. Here the output moves by the number for every "
            "unit of a.",
        ),
        forgot_out_grad("return Tensor(np.full(node.shape, self.scalar))"),
        Mistake(
            "times-input", "(a,) = node._inputs\nreturn out_grad * a",
            "You multiplied by a, which is the slope along the number. Along a the slope is the "
            "number.",
        ),
        Mistake(
            "times-output", "return out_grad * node",
            "You multiplied by the output. The slope of c·a along a is c alone.",
        ),
        numpy_inside("return Tensor(out_grad.data * self.scalar)"),
    ),
)  # fmt: skip

DIV_FORWARD = Exercise(
    "chapter3.div_scalar.forward",
    section="3.10",
    targets=("ops.DivScalar.forward",),
    points=1,
    minutes=1,
    hints=(
        "The number was stored by `__init__`: it is `self.scalar`.",
        "`a` stands on top.",
    ),
    mistakes=(
        Mistake(
            "swapped", "return self.scalar / a",
            "You divided the number by a; a stands on top.",
        ),
        Mistake(
            "floor", "return a // self.scalar",
            "You used `//`, which rounds down to whole numbers; `/` keeps the fraction.",
        ),
        Mistake("product", "return a * self.scalar", "You multiplied by the number. Divide."),
        in_place("a /= self.scalar\nreturn a"),
    ),
)  # fmt: skip

DIV_BACKWARD = Exercise(
    "chapter3.div_scalar.backward",
    section="3.10",
    targets=("ops.DivScalar.backward",),
    points=2,
    minutes=2,
    needs=("chapter3.div_scalar.forward",),
    hints=(
        "Dividing by c is multiplying by 1/c.",
        "So the slope is a constant, and the number has no gradient.",
    ),
    mistakes=(
        Mistake(
            "multiplied", "return out_grad * self.scalar",
            "You multiplied by the number. The slope of a/c is one over c.",
        ),
        forgot_out_grad("return Tensor(np.full(node.shape, 1 / self.scalar))"),
        Mistake(
            "along-the-number",
            "(a,) = node._inputs\nreturn -out_grad * a / self.scalar**2",
            "This is the slope along the divisor, as in `Div`. The divisor is a constant here: "
            "what is asked is the gradient of a.",
        ),
        Mistake(
            "like-add", "return out_grad",
            "You handed `out_grad` on as it came. The output moves by 1/c for every unit of a.",
        ),
        numpy_inside("return Tensor(out_grad.data / self.scalar)"),
    ),
)  # fmt: skip

POWER_FORWARD = Exercise(
    "chapter3.power_scalar.forward",
    section="3.10",
    targets=("ops.PowerScalar.forward",),
    points=1,
    minutes=2,
    hints=(
        "The exponent was stored by `__init__`: it is `self.scalar`.",
        "It may be negative and it may be a fraction; NumPy's power takes both.",
    ),
    mistakes=(
        Mistake(
            "swapped", "return self.scalar ** a",
            "You raised the number to the power a. The number is the exponent.",
        ),
        Mistake("product", "return a * self.scalar", "One star multiplies. A power has two."),
        Mistake(
            "whole-exponent", "return a ** int(self.scalar)",
            "`int` cuts the fraction off the exponent: a to the power 2.5 became a².",
        ),
        Mistake(
            "by-logarithm", "return np.exp(self.scalar * np.log(a))",
            "This holds for positive values only. A negative number has no logarithm, yet (-2)³ "
            "is -8.",
        ),
        in_place("a **= self.scalar\nreturn a"),
    ),
)  # fmt: skip

POWER_BACKWARD = Exercise(
    "chapter3.power_scalar.backward",
    section="3.10",
    targets=("ops.PowerScalar.backward",),
    points=2,
    minutes=5,
    difficulty=2,
    needs=("chapter3.power_scalar.forward",),
    hints=(
        "The power rule from school: what happens to x³?",
        "The exponent comes down as a factor, and one is taken from it. Then the chain rule.",
    ),
    mistakes=(
        forgot_out_grad("(a,) = node._inputs\nreturn a ** (self.scalar - 1) * self.scalar"),
        Mistake(
            "exponent-not-reduced", "return out_grad * node * self.scalar",
            "The exponent came down as a factor, but nothing was taken from it: one less "
            "remains above.",
        ),
        Mistake(
            "exponent-not-brought-down",
            "(a,) = node._inputs\nreturn out_grad * a ** (self.scalar - 1)",
            "The exponent is one less, as it must be, but it has to come down as a factor too.",
        ),
        Mistake(
            "factor-and-exponent-mixed-up",
            "(a,) = node._inputs\nreturn out_grad * (self.scalar - 1) * a**self.scalar",
            "The two numbers are mixed up: the exponent itself comes down as the factor, and "
            "one less stays above.",
        ),
        Mistake(
            "exponential-rule", "(a,) = node._inputs\nreturn out_grad * node * log(a)",
            "This is the slope along the exponent. The exponent is a constant here; the base "
            "moves.",
        ),
        Mistake(
            "by-division", "(a,) = node._inputs\nreturn out_grad * self.scalar * node / a",
            "aᶜ divided by a is aᶜ⁻¹, but at exactly 0 it is 0/0, which is not a number. Take "
            "the smaller power itself.",
        ),
        Mistake(
            "power-of-out-grad",
            "return self.scalar * out_grad ** (self.scalar - 1)",
            "You applied the power rule to `out_grad`. It belongs to the input a, and the result "
            "is multiplied by `out_grad`.",
            shown_by=r"out_grad \*\* |power(_scalar)?\(out_grad\b",
        ),
        Mistake(
            "output-for-input",
            "return out_grad * self.scalar * node ** (self.scalar - 1)",
            "`node` is the output, aᶜ. What the power rule raises is the input, which is in "
            "`node._inputs`.",
        ),
        Mistake(
            "like-square", "(a,) = node._inputs\nreturn out_grad * a * 2",
            "This is the rule of the square. It has to hold for any exponent.",
        ),
        Mistake(
            "power-left-out", "(a,) = node._inputs\nreturn out_grad * a * self.scalar",
            "The exponent came down as a factor, and that is right. But you multiply by `a` alone, "
            "which is right for the square only: it is raised to the exponent less one.",
        ),
        Mistake(
            "precedence",
            "(a,) = node._inputs\nreturn out_grad * (self.scalar * a ** self.scalar - 1)",
            "`a ** c - 1` takes the 1 from the power. It has to be taken from the exponent: "
            "`a ** (c - 1)`.",
            shown_by=r"\*\* (self\.)?\w+ - 1\b|power(_scalar)?\([^()]*\) - 1\b",
        ),
        numpy_inside(
            "(a,) = node._inputs\n"
            "return Tensor(out_grad.data * self.scalar * a.data ** (self.scalar - 1))"
        ),
    ),
)  # fmt: skip

EXERCISES = (
    MUL_FORWARD, MUL_BACKWARD, DIV_FORWARD, DIV_BACKWARD, POWER_FORWARD, POWER_BACKWARD,
)  # fmt: skip
