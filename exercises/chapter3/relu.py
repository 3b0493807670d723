"""The rectifier: `ReLU`, with its kink at 0."""

import numpy as np

from grader.course import REAL, Exercise, Group, Mistake, OpRow, shapes, values

from .mistakes import float32, forgot_out_grad, in_place, numpy_inside

ROW = OpRow(
    op="ReLU",
    forward=lambda a: np.where(np.real(a) > 0, a, 0),  # unlike np.maximum, keeps a complex step
    torch=lambda torch, a: torch.relu(a),
    domain=(REAL,),
    samples=(shapes((2,)), shapes((2, 3))),
    taught={
        "forward": "`max(a, 0)`, value by value",
        "backward": "`out_grad` where `a > 0`, else 0",
    },
    groups=(
        Group(
            "kink",
            "{method} returns the gradient 0 where the input is exactly 0.",
            (values([0.0, -1.5, 2.5]),),
            taught="at exactly 0 it is 0",
            directions=("backward",),
            numeric=False,
        ),
    ),
)

FORWARD = Exercise(
    "chapter3.relu.forward",
    section="3.2",
    targets=("ops.ReLU.forward",),
    points=1,
    minutes=1,
    hints=(
        "`a` is a plain NumPy array here. Each value is compared with 0, and the larger stays.",
        "NumPy has a function for the largest value *of* an array and another for the larger of "
        "*two* arrays, value by value. You want the second.",
    ),
    mistakes=(
        Mistake(
            "max-along-axis", "return np.max(a, 0)",
            "`np.max(a, 0)` is the largest value along axis 0. To compare every value with 0 "
            "there is another function.",
        ),
        Mistake(
            "mask", "return (a > 0).astype(a.dtype)",
            "This says where a is positive, as 1 and 0. What is positive has to keep its value.",
        ),
        Mistake(
            "absolute", "return np.abs(a)",
            "You flipped negative values to positive. Here they become 0.",
        ),
        Mistake(
            "wrong-side", "return np.minimum(a, 0)",
            "You kept the negative values. It is the positive ones that pass.",
        ),
        in_place("a[a < 0] = 0\nreturn a"),
        float32("return np.maximum(np.float32(a), 0)"),
    ),
)  # fmt: skip

BACKWARD = Exercise(
    "chapter3.relu.backward",
    section="3.4",
    targets=("ops.ReLU.backward",),
    points=2,
    minutes=5,
    difficulty=2,
    needs=("chapter3.relu.forward",),
    hints=(
        "Where the input was positive the output moved with it. Elsewhere the output is 0 and "
        "stays 0.",
        "So the slope is a mask of ones and zeros. It is a constant: computing it from `a.data` "
        "is right.",
        "Multiply `out_grad` by that mask. And think of a = 0: `>` or `>=`?",
    ),
    mistakes=(
        Mistake(
            "forgot-mask", "return out_grad",
            "You handed `out_grad` on everywhere. Where the input was negative, the output did "
            "not move with it.",
        ),
        forgot_out_grad("(a,) = node._inputs\nreturn Tensor(a.data > 0)"),
        Mistake(
            "one-at-zero", "(a,) = node._inputs\nreturn out_grad * Tensor(a.data >= 0)",
            "At exactly 0 you let the gradient pass. The rule is: where a is greater than 0.",
        ),
        Mistake(
            "mask-of-gradient", "return relu(out_grad)",
            "You kept the positive values of `out_grad`. The mask comes from the input: a "
            "negative gradient has to pass as well.",
        ),
        Mistake(
            "forward-again", "(a,) = node._inputs\nreturn relu(a)",
            "You computed the forward once more. The backward is asked how much the output moves "
            "with the input, times `out_grad`.",
        ),
        Mistake(
            "value-for-mask", "return out_grad * node",
            "You multiplied by the output. Where the input was positive the slope is 1, however "
            "large the output is.",
        ),
        numpy_inside("(a,) = node._inputs\nreturn Tensor(np.where(a.data > 0, out_grad.data, 0))"),
        Mistake(
            "writes-out-grad",
            "(a,) = node._inputs\nout_grad.data[a.data <= 0] = 0\nreturn out_grad",
            "You wrote the zeros into `out_grad` itself. It belongs to the caller, and other "
            "nodes may still need it: return a new Tensor.",
        ),
    ),
)  # fmt: skip
