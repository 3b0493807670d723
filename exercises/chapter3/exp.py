"""The exponential function: `Exp`."""

import numpy as np

from grader.course import REAL, Exercise, Mistake, OpRow, shapes

from .mistakes import float32, forgot_out_grad, in_place, numpy_inside

ROW = OpRow(
    op="Exp",
    forward=np.exp,
    torch=lambda torch, a: torch.exp(a),
    domain=(REAL,),
    samples=(shapes((2,)), shapes((2, 3))),
    taught={
        "forward": "`e ** a`, value by value",
        "backward": "d(eᵃ)/da = eᵃ, which is the output itself",
    },
)

FORWARD = Exercise(
    "chapter3.exp.forward",
    section="3.2",
    targets=("ops.Exp.forward",),
    points=1,
    minutes=1,
    hints=(
        "`a` is a plain NumPy array here, and NumPy has the function.",
        "`math.exp` takes one number; NumPy's function of that name takes the whole array.",
    ),
    mistakes=(
        Mistake(
            "base-two", "return np.exp2(a)",
            "These are powers of 2. The base of the exponential function is e, about 2.718.",
        ),
        Mistake(
            "minus-one", "return np.expm1(a)",
            "`expm1` is e to the power a, minus 1.",
        ),
        Mistake(
            "flat-list", "import math\nreturn np.array([math.exp(value) for value in a.flat])",
            "Every value is right, but your list has lost the shape of `a`. NumPy's own function "
            "works on the whole array and keeps it.",
        ),
        in_place("return np.exp(a, out=a)"),
        float32("return np.exp(a.astype('float32'))"),
    ),
)  # fmt: skip

BACKWARD = Exercise(
    "chapter3.exp.backward",
    section="3.4",
    targets=("ops.Exp.backward",),
    points=2,
    minutes=3,
    needs=("chapter3.exp.forward",),
    hints=(
        "The exponential function is its own derivative.",
        "So the local derivative has been computed already: `node` holds it.",
    ),
    mistakes=(
        forgot_out_grad("return node"),
        Mistake(
            "input-for-output", "(a,) = node._inputs\nreturn out_grad * a",
            "You multiplied by the input a. The slope of eᵃ is eᵃ, the output.",
        ),
        Mistake(
            "power-rule", "(a,) = node._inputs\nreturn out_grad * a * exp(a - 1)",
            "The power rule is for aⁿ, where the base moves. In eᵃ the exponent moves, and the "
            "slope is eᵃ again.",
        ),
        Mistake(
            "exp-twice", "return out_grad * exp(node)",
            "`node` is eᵃ already; you raised e to the power of that once more.",
        ),
        numpy_inside("return Tensor(out_grad.data * node.data)"),
    ),
)  # fmt: skip
