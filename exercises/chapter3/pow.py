"""Powers: `Pow`, and the operator `**`."""

from grader.course import (
    POSITIVE,
    REAL,
    OpRow,
    SampleGroup,
    body,
    edit,
    exercise,
    shapes,
    values,
)

from .standard import EVERY_GRAPH, EVERY_NUMBER, RULE, standard

ROW = OpRow(
    op="Pow",
    forward=lambda a, b: a**b,
    torch=lambda torch, a, b: a**b,
    domain=(POSITIVE, REAL),
    samples=(shapes((2,), (2,)), shapes((2, 3), (2, 3))),
    taught={
        "forward": "`a ** b`, value by value",
        "backward": "d(aᵇ)/da = b·aᵇ⁻¹ and, for a positive `a`, d(aᵇ)/db = aᵇ·log a",
    },
    groups=(
        SampleGroup(
            "negative-base",
            "{method} takes a negative base to a whole power.",
            (values([-2.0, -1.5, 0.5], [3.0, 2.0, -2.0]),),
            taught="`a ** b`, value by value",
            directions=("forward",),
        ),
    ),
)


@exercise("ops.Pow.forward", points=1, minutes=1)
class FORWARD:
    """`a` and `b` are plain NumPy arrays here: base and exponent.

    Python's operator for powers works on arrays as well.
    """

    swapped = edit("a**b", "b**a")
    """You raised b to the power a; a is the base."""

    product = edit("a**", "a * ")
    """One star multiplies. A power has two."""

    by_logarithm = body("return np.exp(b * np.log(a))")
    """e to the power of b·log a is the same for a positive base only. A negative number has no
    logarithm, yet (-2)³ is -8."""

    in_place = RULE.in_place


@exercise("chapter3.pow.operator", targets=("tensor.Tensor.__pow__",), points=1, minutes=2)
class OPERATOR:
    """Two cases: the exponent is a Tensor, or it is a number.

    For two Tensors, `ops.power` makes the node. For a number, `ops.power_scalar` does (section
    3.10); until then you can wrap the number in a Tensor.
    """

    graph = standard(EVERY_GRAPH, "**", "power")

    def swapped(self, other):
        """You raised `other` to the power `self`; what is to the left of `**` is the base."""
        if isinstance(other, Tensor):
            return ops.power(other, self)
        return ops.power_scalar(self, other)

    always_square = edit(
        "power_scalar(self, number(other))",
        "mul(self, self)",
        has=(r"\b2\b", r"\(self, self\)", r"self \* self"),
    )
    """With a number you always squared. The exponent is `other`."""

    numbers = standard(EVERY_NUMBER, "**", "power", but="wrapped-again")


@exercise("ops.Pow.backward", points=2, minutes=8)
class BACKWARD:
    """The base and the exponent are both inputs, so two gradients: `a, b = node._inputs`.

    For the base it is the power rule from school: the exponent comes down as a factor, and is then
    reduced by one.

    For the exponent, write aᵇ as e to the power of b·log a. The derivative of e to the something is
    itself, times the slope of the something along b.
    """

    forgot_out_grad = RULE.out_grad_one

    exponent_not_reduced = edit("a ** (b - 1)", "node")
    """In the gradient of the base, you brought the exponent down but didn't reduce it: it must be
    one less."""

    exponent_not_brought_down = edit(" * b", "")
    """In the gradient of the base the exponent is one less, as it must be, but the factor b is
    missing."""

    forgot_logarithm = edit("node * log(a)", "node")
    """In the gradient of the exponent, the logarithm of the base is missing. It is 1 only for e."""

    exponent_is_constant = edit("out_grad * node * log(a)", "Tensor(np.zeros(b.shape))")
    """You gave the exponent no gradient. Here it is an input like the base, and it moves the
    result."""

    precedence = edit(
        "b * a ** (b - 1)",
        "(b * a**b - 1)",
        shown_by=r"\*\* (self\.)?\w+ - 1\b|power(_scalar)?\([^()]*\) - 1\b",
    )
    """`b * a ** b - 1` takes the 1 from the power. It has to be taken from the exponent: `a ** (b -
    1)`."""

    power_of_out_grad = edit(
        "out_grad * b * a", "b * out_grad", shown_by=r"out_grad \*\* |power(_scalar)?\(out_grad\b"
    )
    """You applied the power rule to `out_grad`. It belongs to the base a, and the result is
    multiplied by `out_grad`."""

    output_for_input = edit("b * a", "b * node")
    """`node` is the output, aᵇ. What the power rule raises is the base a."""

    like_square = edit("b * a ** (b - 1)", "a * 2")
    """The gradient of the base is the rule of the square. It has to hold for any exponent."""

    inputs_swapped = edit("a, b", "b, a")
    """You took the inputs out of `node._inputs` in the wrong order: first comes the base, then the
    exponent."""

    numpy_inside = RULE.numpy_inside
