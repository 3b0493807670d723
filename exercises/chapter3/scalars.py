"""Ops with a number that is not part of the graph: `MulScalar`, `DivScalar`, `PowerScalar`."""

from exercises.chapter1.sentences import LIKE_SQUARE
from grader.course import (
    POSITIVE,
    REAL,
    OpRow,
    SampleGroup,
    body,
    edit,
    exercise,
    mistake,
    shapes,
    values,
)

from .standard import RULE

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
        "forward": "Every value to the power `self.scalar`, which may be negative",
        "backward": "d(aᶜ)/da = c·aᶜ⁻¹",
    },
    groups=(
        SampleGroup(
            "fractional",
            "{method} is right for an exponent that is not a whole number.",
            (shapes((3,), attrs=(2.5,)), shapes((3,), attrs=(0.5,))),
            taught="a power whose exponent is a plain number",
        ),
        SampleGroup(
            "negative",
            "{method} is right for a negative exponent.",
            (shapes((3,), attrs=(-2,)), shapes((2, 2), attrs=(-1.5,))),
            taught="to the power `self.scalar`, which may be negative",
        ),
        SampleGroup(
            "negative-base",
            "{method} is right for negative values and a whole exponent.",
            (values([-1.5, 0.5, -2.0], attrs=(3,)), values([-1.5, 0.5, -2.0], attrs=(-2,))),
            taught="Every value to the power `self.scalar`",
        ),
        SampleGroup(
            "at-zero",
            "{method} is right at exactly 0.",
            (values([0.0, -1.5, 2.5], attrs=(2,)), values([[0.0], [-1.5], [2.5]], attrs=(1,))),
            taught="so is 0 to a positive one",
        ),
    ),
)


@exercise(
    "chapter3.mul_scalar.forward",
    targets=("ops.MulScalar.forward",),
    points=1,
    minutes=1,
    difficulty=1,
)
class MUL_FORWARD:
    """Read `AddScalar`, which is given. The number was stored by `__init__`.

    The number is `self.scalar`, the array is `a`.
    """

    added = edit("a *", "a +")
    """You added the number, as `AddScalar` does."""

    power = edit("a * ", "a**")
    """Two stars make a power; a product has one."""

    in_place = RULE.in_place


@exercise(
    "chapter3.mul_scalar.backward",
    targets=("ops.MulScalar.backward",),
    points=2,
    minutes=2,
    difficulty=1,
)
class MUL_BACKWARD:
    """One input, one gradient. The number is a constant and has none.

    Let the number be 5, and nudge a by 0.01: how far does 5a move?
    """

    like_add = body("return out_grad")
    """This is the rule of `AddScalar`. Here the output moves by the number for every unit of a."""

    forgot_out_grad = RULE.out_grad_ones

    def times_input(self, out_grad, node):
        """You multiplied by a, which is the slope along the number. Along a the slope is the
        number."""
        (a,) = node._inputs
        return out_grad * a

    times_output = edit("self.scalar", "node")
    """You multiplied by the output. The slope of c·a along a is c alone."""

    numpy_inside = RULE.numpy_inside


@exercise(
    "chapter3.div_scalar.forward",
    targets=("ops.DivScalar.forward",),
    points=1,
    minutes=1,
    difficulty=1,
)
class DIV_FORWARD:
    """The number was stored by `__init__`: it is `self.scalar`.

    `a` goes on top.
    """

    swapped = body("return self.scalar / a")
    """You divided the number by a; a belongs on top."""

    floor = edit("a /", "a //")
    """You used `//`, which rounds down to whole numbers; `/` keeps the fraction."""

    product = edit("a /", "a *")
    """You multiplied by the number. Divide."""

    in_place = RULE.in_place


@exercise(
    "chapter3.div_scalar.backward",
    targets=("ops.DivScalar.backward",),
    points=2,
    minutes=2,
    difficulty=1,
)
class DIV_BACKWARD:
    """Dividing by c is multiplying by 1/c.

    So the slope is a constant, and the number has no gradient.
    """

    multiplied = edit("/", "*")
    """You multiplied by the number. The slope of a/c is one over c."""

    forgot_out_grad = RULE.out_grad_ones

    def along_the_number(self, out_grad, node):
        """This is the slope along the divisor, as in `Div`. The divisor is a constant here: you
        need the gradient of a."""
        (a,) = node._inputs
        return -out_grad * a / self.scalar**2

    like_add = body("return out_grad")
    """You passed `out_grad` on unchanged. The output moves by 1/c for every unit of a."""

    numpy_inside = RULE.numpy_inside


@exercise(
    "chapter3.power_scalar.forward",
    targets=("ops.PowerScalar.forward",),
    points=1,
    minutes=2,
    difficulty=1,
)
class POWER_FORWARD:
    """The exponent was stored by `__init__`: it is `self.scalar`.

    It may be negative and it may be a fraction; NumPy's power takes both.
    """

    swapped = body("return self.scalar**a")
    """You raised the number to the power a. The number is the exponent."""

    product = body("return a * self.scalar")
    """One star multiplies. A power has two."""

    whole_exponent = body("return a ** int(self.scalar)")
    """`int` cuts the fraction off the exponent: a to the power 2.5 became a²."""

    by_logarithm = body("return np.exp(self.scalar * np.log(a))")
    """This holds for positive values only. A negative number has no logarithm, yet (-2)³ is -8."""

    in_place = RULE.in_place


@exercise("chapter3.power_scalar.backward", targets=("ops.PowerScalar.backward",), points=2)
class POWER_BACKWARD:
    """The power rule from school: what happens to x³?

    The exponent comes down as a factor, and is then reduced by one. Then the chain rule.
    """

    forgot_out_grad = RULE.out_grad_one

    exponent_not_reduced = body("return out_grad * node * self.scalar")
    """The exponent came down as a factor, but you didn't reduce it: above, it has to be one
    less."""

    def exponent_not_brought_down(self, out_grad, node):
        """The exponent is one less, as it must be, but it has to come down as a factor too."""
        (a,) = node._inputs
        return out_grad * a ** (self.scalar - 1)

    def factor_and_exponent_mixed_up(self, out_grad, node):
        """The two numbers are mixed up: the exponent itself comes down as the factor, and one less
        stays above."""
        (a,) = node._inputs
        return out_grad * (self.scalar - 1) * a**self.scalar

    def exponential_rule(self, out_grad, node):
        """This is the slope along the exponent. The exponent is a constant here; the base moves."""
        (a,) = node._inputs
        return out_grad * node * log(a)

    def by_division(self, out_grad, node):
        """aᶜ divided by a is aᶜ⁻¹, but at exactly 0 it is 0/0, which is not a number. Take the
        smaller power itself."""
        (a,) = node._inputs
        return out_grad * self.scalar * node / a

    power_of_out_grad = body(
        "return self.scalar * out_grad ** (self.scalar - 1)",
        shown_by=r"out_grad \*\* |power(_scalar)?\(out_grad\b",
    )
    """You applied the power rule to `out_grad`. It belongs to the input a, and the result is
    multiplied by `out_grad`."""

    output_for_input = body("return out_grad * self.scalar * node ** (self.scalar - 1)")
    """`node` is the output, aᶜ. What the power rule raises is the input, which is in
    `node._inputs`."""

    @mistake(says=LIKE_SQUARE)
    def like_square(self, out_grad, node):
        (a,) = node._inputs
        return out_grad * a * 2

    def power_left_out(self, out_grad, node):
        """The exponent came down as a factor, and that is right. But you multiply by `a` alone,
        which is right for the square only: it is raised to the exponent less one."""
        (a,) = node._inputs
        return out_grad * a * self.scalar

    @mistake(shown_by=r"\*\* (self\.)?\w+ - 1\b|power(_scalar)?\([^()]*\) - 1\b")
    def precedence(self, out_grad, node):
        """`a ** c - 1` takes the 1 from the power. It has to be taken from the exponent: `a ** (c -
        1)`."""
        (a,) = node._inputs
        return out_grad * (self.scalar * a**self.scalar - 1)

    numpy_inside = RULE.numpy_inside


EXERCISES = (
    MUL_FORWARD, MUL_BACKWARD, DIV_FORWARD, DIV_BACKWARD, POWER_FORWARD, POWER_BACKWARD,
)  # fmt: skip
