"""The logistic function: `Sigmoid`, at every size of its input."""

import numpy as np

from grader.course import REAL, Exercise, Group, Mistake, OpRow, shapes, values

from .mistakes import float32, forgot_out_grad, in_place, numpy_inside

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
        Group(
            "extreme",
            "{method} gives 0 or 1, never nan, for inputs far from 0.",
            EXTREMES,
            taught="no overflow for any finite `a`",
            directions=("forward",),
        ),
        Group(
            "saturated",
            "{method} gives 0, never nan, for inputs far from 0.",
            EXTREMES,
            taught="s·(1 - s), where s is the output",
            directions=("backward",),
        ),
    ),
)

FORWARD = Exercise(
    "chapter3.sigmoid.forward",
    section="3.2",
    targets=("ops.Sigmoid.forward",),
    points=1,
    minutes=5,
    difficulty=2,
    hints=(
        "Write the formula with NumPy's exponential function, then try it at -800 and at 800: "
        "which power of e is too large for a float?",
        "e to a negative number never overflows. Multiply the fraction above and below by eᵃ: "
        "that is a second form of it, and it is safe for negative a.",
        "e to the power of -|a| serves both forms; only the numerator depends on the sign.",
    ),
    mistakes=(
        Mistake(
            "sign", "return 1 / (1 + np.exp(a))",
            "The sign in the exponent is wrong: yours falls where the sigmoid climbs.",
        ),
        Mistake(
            "overflow", "return np.exp(a) / (1 + np.exp(a))",
            "The formula is right, but for a large a it is infinity divided by infinity, which "
            "is not a number. Use a form whose power of e stays small.",
        ),
        Mistake(
            "too-large-on-the-way", "return 1 / (1 + np.exp(-a))",
            "The values are right, but on the way you asked for a power of e that is too large "
            "for a float, and NumPy warned. Take one power that is safe for both signs, and "
            "take it before you choose between the two forms.",
        ),
        Mistake(
            "precedence", "return 1 / 1 + np.exp(-a)",
            "Parentheses are missing: yours is 1 plus a power of e. The whole sum belongs under "
            "the 1.",
        ),
        Mistake(
            "tanh", "return np.tanh(a)",
            "This is tanh, which runs from -1 to 1. The sigmoid runs from 0 to 1.",
        ),
        Mistake(
            "overflow-hidden",
            "with np.errstate(over='ignore'):\n    return 1 / (1 + np.exp(-a))",
            "`np.errstate` only keeps NumPy from telling: a power of e still became too large "
            "for a float. Take one power that is safe for both signs.",
        ),
        in_place("np.exp(-a, out=a)\na += 1\nreturn 1 / a"),
        float32("decay = np.exp(-np.abs(np.float32(a)))\n"
                "return np.where(a >= 0, np.float32(1), decay) / (1 + decay)"),
    ),
)  # fmt: skip

BACKWARD = Exercise(
    "chapter3.sigmoid.backward",
    section="3.4",
    targets=("ops.Sigmoid.backward",),
    points=2,
    minutes=5,
    difficulty=2,
    needs=("chapter3.sigmoid.forward",),
    hints=(
        "The slope needs no new power of e: it is made of the output s alone.",
        "s·(1 - s), and `node` is s. Then the chain rule.",
    ),
    mistakes=(
        forgot_out_grad("return node * (1 - node)"),
        Mistake(
            "input-for-output", "(a,) = node._inputs\nreturn out_grad * a * (1 - a)",
            "You put the input into s·(1 - s). s is the output of the sigmoid.",
        ),
        Mistake(
            "one-factor", "return out_grad * (1 - node)",
            "The factor s is missing: the slope is s·(1 - s).",
        ),
        Mistake(
            "like-tanh", "return out_grad * (1 - node * node)",
            "This is the rule of tanh, 1 - t². For the sigmoid it is s·(1 - s).",
        ),
        Mistake(
            "sigmoid-twice", "s = sigmoid(node)\nreturn out_grad * s * (1 - s)",
            "`node` is the output already; you applied the sigmoid to it once more.",
        ),
        Mistake(
            "overflow",
            "(a,) = node._inputs\nreturn out_grad * exp(-a) / ((1 + exp(-a)) * (1 + exp(-a)))",
            "The formula is right, but far left of 0 it is infinity divided by infinity, which "
            "is not a number. Build the slope from the output: it stays between 0 and 1.",
        ),
        numpy_inside("s = node.data\nreturn Tensor(out_grad.data * s * (1 - s))"),
    ),
)  # fmt: skip
