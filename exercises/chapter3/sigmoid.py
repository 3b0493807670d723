"""The logistic function: `Sigmoid`, at every size of its input."""

import numpy as np

from grader.course import REAL, OpRow, SampleGroup, body, edit, exercise, mistake, shapes, values

from .sentences import IN_PLACE
from .standard import RULE

EXTREMES = (values([-800.0, 800.0]), values([[-60.0, 750.0], [35.0, -740.0]]))

ROW = OpRow(
    op="Sigmoid",
    forward=lambda a: (1 + np.tanh(a / 2)) / 2,  # the same function, and tanh cannot overflow
    torch=lambda torch, a: torch.sigmoid(a),
    domain=(REAL,),
    samples=(shapes((2,)), shapes((2, 3))),
    taught={
        "forward": "`1 / (1 + e⁻ᵃ)`, value by value",
        "backward": "s·(1 - s), where s is the output",
    },
    groups=(
        SampleGroup(
            "extreme",
            "{method} gives 0 or 1, never nan, for inputs far from 0.",
            EXTREMES,
            taught="no overflow for any finite `a`",
            directions=("forward",),
        ),
        SampleGroup(
            "saturated",
            "{method} gives 0, never nan, for inputs far from 0.",
            EXTREMES,
            taught="s·(1 - s), where s is the output",
            directions=("backward",),
        ),
    ),
)


@exercise("ops.Sigmoid.forward", points=1)
class FORWARD:
    """Write the formula with NumPy's exponential function, then try it at -800 and at 800: which
    power of e is too large for a float?

    e to a negative number never overflows. Multiply the fraction above and below by eᵃ: that is a
    second form of it, and it is safe for negative a.

    e to the power of -|a| serves both forms; only the numerator depends on the sign.
    """

    sign = body("return 1 / (1 + np.exp(a))")
    """The sign in the exponent is wrong: yours falls where the sigmoid climbs."""

    overflow = body("return np.exp(a) / (1 + np.exp(a))")
    """The formula is right, but for a large a it is infinity divided by infinity, which is not a
    number. Use a form whose power of e stays small."""

    too_large_on_the_way = body("return 1 / (1 + np.exp(-a))")
    """The values are right, but on the way you asked for a power of e that is too large for a
    float, and NumPy warned. Take one power that is safe for both signs, and take it before you
    choose between the two forms."""

    precedence = body("return 1 / 1 + np.exp(-a)")
    """Parentheses are missing: yours is 1 plus a power of e. The whole sum belongs under the 1."""

    tanh = body("return np.tanh(a)")
    """This is tanh, which runs from -1 to 1. The sigmoid runs from 0 to 1."""

    def overflow_hidden(self, a):
        """`np.errstate` only silences NumPy's warning: a power of e is still too large for a float.
        Take one power that is safe for both signs."""
        with np.errstate(over="ignore"):
            return 1 / (1 + np.exp(-a))

    @mistake(says=IN_PLACE)
    def in_place(self, a):
        np.exp(-a, out=a)
        a += 1
        return 1 / a

    float32 = RULE.float32


@exercise("ops.Sigmoid.backward", points=2)
class BACKWARD:
    """The slope needs no new power of e: it is made from the output s alone.

    s·(1 - s), and `node` is s. Then the chain rule.
    """

    forgot_out_grad = RULE.out_grad_one

    @mistake(seen="https://github.com/BoltzmannEntropy/interviews.ai/issues/4")
    def input_for_output(self, out_grad, node):
        """You put the input into s·(1 - s). s is the output of the sigmoid."""
        (a,) = node._inputs
        return out_grad * a * (1 - a)

    one_factor = edit(" * node", "")
    """The factor s is missing: the slope is s·(1 - s)."""

    like_tanh = body("return out_grad * (1 - node * node)")
    """This is the rule of tanh, 1 - t². For the sigmoid it is s·(1 - s)."""

    @mistake(seen="https://github.com/rasmusbergpalm/DeepLearnToolbox/issues/165")
    def sigmoid_twice(self, out_grad, node):
        """`node` is the output already; you applied the sigmoid to it once more."""
        s = sigmoid(node)
        return out_grad * s * (1 - s)

    def overflow(self, out_grad, node):
        """The formula is right, but far left of 0 it is infinity divided by infinity, which is not
        a number. Build the slope from the output: it stays between 0 and 1."""
        (a,) = node._inputs
        return out_grad * exp(-a) / ((1 + exp(-a)) * (1 + exp(-a)))

    numpy_inside = RULE.numpy_inside
