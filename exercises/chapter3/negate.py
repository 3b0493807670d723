"""Negation: `Negate`, and the operator `-` before a Tensor."""

from grader.course import REAL, Exercise, Mistake, OpRow, shapes

from .mistakes import data_only, forgot_out_grad, in_place, numpy_inside

ROW = OpRow(
    op="Negate",
    forward=lambda a: -a,
    torch=lambda torch, a: -a,
    domain=(REAL,),
    samples=(shapes((2,)), shapes((2, 3))),
    taught={"forward": "`-a`, value by value", "backward": "d(-a)/da = -1"},
)

FORWARD = Exercise(
    "chapter3.negate.forward",
    section="3.2",
    targets=("ops.Negate.forward",),
    points=1,
    minutes=1,
    hints=(
        "`a` is a plain NumPy array here. NumPy flips the sign of every value.",
        "One operator is enough, and it has one operand.",
    ),
    mistakes=(
        Mistake(
            "always-negative", "return -np.abs(a)",
            "You made every value negative. Negation flips the sign: what was negative becomes "
            "positive.",
        ),
        Mistake(
            "complement", "return 1 - a",
            "You computed 1 - a, the opposite of a probability. The negative of 0.3 is -0.3.",
        ),
        in_place("a *= -1\nreturn a"),
    ),
)  # fmt: skip

OPERATOR = Exercise(
    "chapter3.negate.operator",
    section="3.3",
    targets=("tensor.Tensor.__neg__",),
    points=1,
    minutes=1,
    needs=("chapter3.negate.forward",),
    hints=(
        "Python calls this for `-x`. There is no `other`.",
        "The functions at the end of `ops.py` make a node; one of them does just this.",
    ),
    mistakes=(
        data_only("return Tensor(-self.data, dtype=self.dtype)"),
        Mistake(
            "unchanged", "return ops.add_scalar(self, 0)",
            "The result has the values of `self`: the sign is not flipped.",
        ),
        Mistake(
            "copied-first", "return ops.negate(Tensor(self.data, dtype=self.dtype))",
            "You negated a copy of `self`. The values are right, but the graph leads to the "
            "copy, so no gradient reaches `self`.",
        ),
    ),
)  # fmt: skip

BACKWARD = Exercise(
    "chapter3.negate.backward",
    section="3.4",
    targets=("ops.Negate.backward",),
    points=2,
    minutes=2,
    needs=("chapter3.negate.forward",),
    hints=(
        "Make a larger by 0.01: how far, and which way, does -a move?",
        "One input, one gradient: return the Tensor itself, without a tuple.",
    ),
    mistakes=(
        Mistake(
            "forgot-minus", "return out_grad",
            "You handed `out_grad` on as it came. A larger a makes -a smaller: flip the sign.",
        ),
        forgot_out_grad("return Tensor(-np.ones(node.shape))"),
        Mistake(
            "times-output", "return out_grad * node",
            "You multiplied by -a, the output. The slope of -a is the same number everywhere.",
        ),
        numpy_inside("return Tensor(-out_grad.data)"),
        Mistake(
            "writes-out-grad", "out_grad.data *= -1\nreturn out_grad",
            "You flipped the signs inside `out_grad` itself. It belongs to the caller, and other "
            "nodes may still need it: return a new Tensor.",
        ),
    ),
)  # fmt: skip
