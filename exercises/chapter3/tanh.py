"""The hyperbolic tangent: `Tanh`."""

import numpy as np

from grader.course import REAL, Exercise, Group, Mistake, OpRow, shapes, values

from .mistakes import float32, forgot_out_grad, in_place, numpy_inside

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
        Group(
            "extreme",
            "{method} gives -1 or 1, never nan, for inputs far from 0.",
            EXTREMES,
            taught="far from 0 it is -1 or 1, and never nan",
            directions=("forward",),
        ),
        Group(
            "saturated",
            "{method} gives 0, never nan, for inputs far from 0.",
            EXTREMES,
            taught="1 - t², where t is the output",
            directions=("backward",),
        ),
    ),
)

FORWARD = Exercise(
    "chapter3.tanh.forward",
    section="3.2",
    targets=("ops.Tanh.forward",),
    points=1,
    minutes=1,
    hints=(
        "`a` is a plain NumPy array here, and NumPy has the function.",
        "Its last letter matters: there is a tangent of angles, too.",
    ),
    mistakes=(
        Mistake(
            "tangent", "return np.tan(a)",
            "`tan` is the tangent of an angle. The hyperbolic one has an h at its end.",
        ),
        Mistake(
            "half-argument", "return (1 - np.exp(-a)) / (1 + np.exp(-a))",
            "This is tanh of a/2: the 2 in the exponent is missing.",
        ),
        Mistake(
            "sigmoid", "return 1 / (1 + np.exp(-a))",
            "This is the sigmoid, which runs from 0 to 1. Tanh runs from -1 to 1.",
        ),
        Mistake(
            "by-formula", "p, q = np.exp(a), np.exp(-a)\nreturn (p - q) / (p + q)",
            "The formula is right, but far from 0 it is infinity divided by infinity, which is "
            "not a number. NumPy's own function knows a way around.",
        ),
        in_place("return np.tanh(a, out=a)"),
        float32("return np.tanh(a, dtype='float32')"),
    ),
)  # fmt: skip

BACKWARD = Exercise(
    "chapter3.tanh.backward",
    section="3.4",
    targets=("ops.Tanh.backward",),
    points=2,
    minutes=5,
    difficulty=2,
    needs=("chapter3.tanh.forward",),
    hints=(
        "As with the sigmoid, the slope is made of the output alone.",
        "1 - t², and `node` is t. Mind the parentheses when you multiply by `out_grad`.",
    ),
    mistakes=(
        forgot_out_grad("return 1 - node * node"),
        Mistake(
            "input-for-output", "(a,) = node._inputs\nreturn out_grad * (1 - a * a)",
            "You squared the input. In 1 - t², t is the output.",
        ),
        Mistake(
            "not-squared", "return out_grad * (1 - node)",
            "The square is missing: the slope is 1 - t².",
        ),
        Mistake(
            "precedence", "return out_grad - node * node",
            "You took t² from `out_grad`. It has to be taken from 1 first, and the result "
            "multiplied by `out_grad`.",
        ),
        Mistake(
            "like-sigmoid", "return out_grad * node * (1 - node)",
            "This is the rule of the sigmoid, s·(1 - s). For tanh it is 1 - t².",
        ),
        Mistake(
            "overflow",
            "(a,) = node._inputs\ne = exp(a + a)\nreturn out_grad * 4 * e / ((e + 1) * (e + 1))",
            "The formula is right, but far from 0 it is infinity divided by infinity, which is "
            "not a number. Build the slope from the output: it stays between -1 and 1.",
        ),
        numpy_inside("return Tensor(out_grad.data * (1 - node.data**2))"),
    ),
)  # fmt: skip
