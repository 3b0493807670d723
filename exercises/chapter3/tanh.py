"""The hyperbolic tangent: `Tanh`."""

import numpy as np

from grader.course import REAL, OpRow, SampleGroup, body, edit, exercise, mistake, shapes, values

from .standard import RULE

EXTREMES = (values([-800.0, 800.0]),)

ROW = OpRow(
    op="Tanh",
    forward=np.tanh,
    torch=lambda torch, a: torch.tanh(a),
    domain=(REAL,),
    samples=(shapes((2,)), shapes((2, 3))),
    taught={
        "forward": "The hyperbolic tangent of every value",
        "backward": "1 - t², where t is the output",
    },
    groups=(
        SampleGroup(
            "extreme",
            "{method} gives -1 or 1, never nan, for inputs far from 0.",
            EXTREMES,
            taught="far from 0 it is -1 or 1, and never nan",
            directions=("forward",),
        ),
        SampleGroup(
            "saturated",
            "{method} gives 0, never nan, for inputs far from 0.",
            EXTREMES,
            taught="1 - t², where t is the output",
            directions=("backward",),
        ),
    ),
)


@exercise("ops.Tanh.forward", points=1, minutes=1)
class FORWARD:
    """`a` is a plain NumPy array here, and NumPy has the function.

    Its last letter matters: there is a tangent of angles, too.
    """

    tangent = edit("tanh", "tan")
    """`tan` is the tangent of an angle. The hyperbolic one has an h at its end."""

    half_argument = body("return (1 - np.exp(-a)) / (1 + np.exp(-a))")
    """This is tanh of a/2: the 2 in the exponent is missing."""

    sigmoid = body("return 1 / (1 + np.exp(-a))")
    """This is the sigmoid, which runs from 0 to 1. Tanh runs from -1 to 1."""

    def by_formula(self, a):
        """The formula is right, but far from 0 it is infinity divided by infinity, which is not a
        number. NumPy's own function knows a way around."""
        p, q = np.exp(a), np.exp(-a)
        return (p - q) / (p + q)

    in_place = RULE.in_place
    float32 = RULE.float32


@exercise("ops.Tanh.backward", points=2)
class BACKWARD:
    """As with the sigmoid, the slope is made from the output alone.

    1 - t², and `node` is t. Watch the parentheses when you multiply by `out_grad`.
    """

    forgot_out_grad = RULE.out_grad_one

    @mistake(seen="https://github.com/lazyprogrammer/facial-expression-recognition/issues/2")
    def input_for_output(self, out_grad, node):
        """You squared the input. In 1 - t², t is the output."""
        (a,) = node._inputs
        return out_grad * (1 - a * a)

    not_squared = body("return out_grad * (1 - node)")
    """The square is missing: the slope is 1 - t²."""

    precedence = edit("out_grad * ", "")
    """You took t² from `out_grad`. It has to be taken from 1 first, and the result multiplied by
    `out_grad`."""

    like_sigmoid = body("return out_grad * node * (1 - node)")
    """This is the rule of the sigmoid, s·(1 - s). For tanh it is 1 - t²."""

    def overflow(self, out_grad, node):
        """The formula is right, but far from 0 it is infinity divided by infinity, which is not a
        number. Build the slope from the output: it stays between -1 and 1."""
        (a,) = node._inputs
        e = exp(a + a)
        return out_grad * 4 * e / ((e + 1) * (e + 1))

    numpy_inside = RULE.numpy_inside
