"""The absolute value: `Abs`, with its kink at 0."""

import numpy as np

from grader.course import REAL, Exercise, Group, Mistake, OpRow, shapes, values

from .mistakes import forgot_out_grad, in_place, numpy_inside

ROW = OpRow(
    op="Abs",
    forward=lambda a: np.where(np.real(a) < 0, -a, a),  # unlike np.abs, keeps a complex step
    torch=lambda torch, a: torch.maximum(a, -a),  # at 0 both halves count: 1/2 - 1/2
    domain=(REAL,),
    samples=(shapes((2,)), shapes((2, 3))),
    taught={
        "forward": "The absolute value of every value",
        "backward": "the sign of `a`, and by convention 0 where `a` is 0",
    },
    groups=(
        Group(
            "kink",
            "{method} returns the gradient 0 where the input is exactly 0.",
            (values([0.0, -1.5, 2.5]),),
            taught="by convention 0 where `a` is 0",
            directions=("backward",),
            numeric=False,
        ),
    ),
)

FORWARD = Exercise(
    "chapter3.abs.forward",
    section="3.2",
    targets=("ops.Abs.forward",),
    points=1,
    minutes=1,
    hints=(
        "`a` is a plain NumPy array here, and NumPy has the function.",
        "Beware: inside `ops.py` the bare name `abs` is the course's own function of Tensors, "
        "not Python's. Ask NumPy.",
    ),
    mistakes=(
        Mistake(
            "own-abs", "return abs(a)",
            "Inside `ops.py` the name `abs` is the function of Tensors at the end of the file, "
            "and that one calls this very method. Use NumPy's function here.",
        ),
        Mistake(
            "cut-off", "return np.maximum(a, 0)",
            "You turned negative values into 0, as ReLU does. Here they become positive.",
        ),
        Mistake(
            "all-or-nothing", "return -a if np.any(a < 0) else a",
            "You decided for the whole array at once. Each value has a sign of its own.",
        ),
        in_place("a[a < 0] *= -1\nreturn a"),
    ),
)  # fmt: skip

BACKWARD = Exercise(
    "chapter3.abs.backward",
    section="3.4",
    targets=("ops.Abs.backward",),
    points=2,
    minutes=5,
    difficulty=2,
    needs=("chapter3.abs.forward",),
    hints=(
        "Draw |a|: on the right of 0 it climbs, on the left it falls. Which slopes are these?",
        "NumPy has a function that gives 1, -1, and 0 at zero. Its result is a constant, so "
        "computing it from `a.data` is right; wrap it in a Tensor.",
    ),
    mistakes=(
        Mistake(
            "forgot-sign", "return out_grad",
            "You handed `out_grad` on as it came. Left of 0 the absolute value falls, so there "
            "the sign flips.",
        ),
        forgot_out_grad("(a,) = node._inputs\nreturn Tensor(np.sign(a.data))"),
        Mistake(
            "value-for-sign", "(a,) = node._inputs\nreturn out_grad * a",
            "You multiplied by a. Only its sign counts: the slope is 1 or -1 however large a is.",
        ),
        Mistake(
            "one-at-zero",
            "(a,) = node._inputs\nreturn out_grad * Tensor(np.where(a.data >= 0, 1, -1))",
            "At exactly 0 you used the slope 1. There |a| has no slope, and by convention the "
            "gradient is 0.",
        ),
        Mistake(
            "zero-over-zero", "(a,) = node._inputs\nreturn out_grad * a / abs(a)",
            "a/|a| is the sign of a, but at exactly 0 it is 0/0, which is not a number. By "
            "convention the gradient there is 0.",
        ),
        numpy_inside("(a,) = node._inputs\nreturn Tensor(out_grad.data * np.sign(a.data))"),
    ),
)  # fmt: skip
