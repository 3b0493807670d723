"""The square root: `Sqrt`."""

import numpy as np

from grader.course import POSITIVE, Exercise, Group, Mistake, OpRow, shapes, values

from .mistakes import epsilon, float32, forgot_out_grad, in_place, numpy_inside

ROW = OpRow(
    op="Sqrt",
    forward=np.sqrt,
    torch=lambda torch, a: torch.sqrt(a),
    domain=(POSITIVE,),
    samples=(shapes((2,)), shapes((2, 3))),
    taught={"forward": "The square root of every value", "backward": "d(√a)/da = 1/(2√a)"},
    groups=(
        Group(
            "tiny",
            "{method} adds nothing to a very small number.",
            (values([2e-14, 3e-15]),),
            taught="a very small number gives a wrong answer",
        ),
    ),
)

FORWARD = Exercise(
    "chapter3.sqrt.forward",
    section="3.2",
    targets=("ops.Sqrt.forward",),
    points=1,
    minutes=1,
    hints=(
        "`a` is a plain NumPy array here, and NumPy has the function.",
        "A root is a power, too: the one with exponent one half.",
    ),
    mistakes=(
        Mistake("square", "return a**2", "You squared. The root undoes a square."),
        Mistake("half", "return a / 2", "You halved. The root of 9 is 3, since 3·3 is 9."),
        Mistake(
            "reciprocal", "return a**-0.5",
            "This is one over the root: a negative exponent turns the power upside down.",
        ),
        in_place("return np.sqrt(a, out=a)"),
        float32("return np.sqrt(a, dtype=np.float32)"),
        epsilon("return np.sqrt(a + 1e-8)"),
    ),
)  # fmt: skip

BACKWARD = Exercise(
    "chapter3.sqrt.backward",
    section="3.4",
    targets=("ops.Sqrt.backward",),
    points=2,
    minutes=5,
    difficulty=2,
    needs=("chapter3.sqrt.forward",),
    hints=(
        "√a is a to the power one half: the power rule gives the slope.",
        "The slope is 1/(2√a), and √a has been computed already: `node` holds it.",
    ),
    mistakes=(
        forgot_out_grad("return 1 / (node + node)"),
        Mistake(
            "missing-two", "return out_grad / node",
            "The 2 is missing: the power rule brings down a half.",
        ),
        Mistake(
            "input-for-output", "(a,) = node._inputs\nreturn out_grad / (a + a)",
            "You divided by 2a. It is the root that stands there: the output, not the input.",
        ),
        Mistake(
            "precedence", "return out_grad / 2 * node",
            "`out_grad / 2 * node` divides by 2 and then multiplies by the root. Put the whole "
            "divisor in parentheses.",
        ),
        epsilon("return out_grad / (2 * node + 1e-6)"),
        numpy_inside("return Tensor(out_grad.data / (2 * node.data))"),
    ),
)  # fmt: skip
