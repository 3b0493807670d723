"""The square root: `Sqrt`."""

import numpy as np

from grader.course import POSITIVE, OpRow, SampleGroup, body, edit, exercise, shapes, values

from .sentences import EPSILON
from .standard import RULE

ROW = OpRow(
    op="Sqrt",
    forward=np.sqrt,
    torch=lambda torch, a: torch.sqrt(a),
    domain=(POSITIVE,),
    samples=(shapes((2,)), shapes((2, 3))),
    taught={"forward": "The square root of every value", "backward": "d(√a)/da = 1/(2√a)"},
    groups=(
        SampleGroup(
            "tiny",
            "{method} adds nothing to a very small number.",
            (values([2e-14, 3e-15]),),
            taught="a very small number gives a wrong answer",
        ),
    ),
)


@exercise("ops.Sqrt.forward", points=1, minutes=1)
class FORWARD:
    """`a` is a plain NumPy array here, and NumPy has the function.

    A root is a power, too: the one with exponent one half.
    """

    square = body("return a**2")
    """You squared. The root undoes squaring."""

    half = body("return a / 2")
    """You halved. The root of 9 is 3, since 3·3 is 9."""

    reciprocal = body("return a**-0.5")
    """This is one over the root: a negative exponent turns the power upside down."""

    in_place = RULE.in_place
    float32 = RULE.float32
    epsilon = edit("a", "a + 1e-8", says=EPSILON, shown_by=r"\+ (1e-\d+|eps\w*)\b")


@exercise("ops.Sqrt.backward", points=2)
class BACKWARD:
    """√a is a to the power one half: the power rule gives the slope.

    The slope is 1/(2√a), and √a has been computed already: `node` holds it.
    """

    forgot_out_grad = RULE.out_grad_one

    missing_two = body("return out_grad / node")
    """The 2 is missing: the power rule brings down a half."""

    def input_for_output(self, out_grad, node):
        """You divided by 2a. The root belongs there: the output, not the input."""
        (a,) = node._inputs
        return out_grad / (a + a)

    precedence = body("return out_grad / 2 * node")
    """`out_grad / 2 * node` divides by 2 and then multiplies by the root. Put the whole divisor in
    parentheses."""

    epsilon = edit("node + node", "2 * node + 1e-6", says=EPSILON, shown_by=r"\+ (1e-\d+|eps\w*)\b")
    numpy_inside = RULE.numpy_inside
