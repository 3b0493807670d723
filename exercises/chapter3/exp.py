"""The exponential function: `Exp`."""

import numpy as np

from grader.course import REAL, OpRow, SampleGroup, edit, exercise, shapes, values

from .standard import RULE

ROW = OpRow(
    op="Exp",
    forward=np.exp,
    torch=lambda torch, a: torch.exp(a),
    domain=(REAL,),
    samples=(shapes((2,)), shapes((2, 3))),
    taught={
        "forward": "`e ** a`, value by value",
        "backward": "d(eᵃ)/da = eᵃ",
    },
    groups=(
        SampleGroup(
            "large",
            "{method} is right where the power is large.",
            (values([30.0, -30.0]),),
            taught="`e ** a`, value by value",
            directions=("forward",),
        ),
    ),
)


@exercise("ops.Exp.forward", points=1, minutes=1)
class FORWARD:
    """`a` is a plain NumPy array here, and NumPy has the function.

    `math.exp` takes one number; NumPy's function of that name takes the whole array.
    """

    base_two = edit("exp", "exp2")
    """These are powers of 2. The base of the exponential function is e, about 2.718."""

    minus_one = edit("exp", "expm1")
    """`expm1` is e to the power a, minus 1."""

    def flat_list(self, a):
        """Every value is right, but your list has lost the shape of `a`. NumPy's own function works
        on the whole array and keeps it."""
        import math

        return np.array([math.exp(value) for value in a.flat])

    in_place = RULE.in_place
    float32 = RULE.float32


@exercise("ops.Exp.backward", points=2, minutes=3, difficulty=1)
class BACKWARD:
    """The exponential function is its own derivative.

    So the local derivative has been computed already: `node` holds it.
    """

    forgot_out_grad = RULE.out_grad_one

    def input_for_output(self, out_grad, node):
        """You multiplied by the input a. The slope of eᵃ is eᵃ, the output."""
        (a,) = node._inputs
        return out_grad * a

    def power_rule(self, out_grad, node):
        """The power rule is for aⁿ, where the base moves. In eᵃ the exponent moves, and the slope
        is eᵃ again."""
        (a,) = node._inputs
        return out_grad * a * exp(a - 1)

    exp_twice = edit("node", "exp(node)")
    """`node` is eᵃ already; you raised e to the power of that once more."""

    numpy_inside = RULE.numpy_inside
