"""Negation: `Negate`, and the operator `-` before a Tensor."""

from grader.course import REAL, OpRow, body, edit, exercise, shapes

from .sentences import DATA_ONLY
from .standard import RULE

ROW = OpRow(
    op="Negate",
    forward=lambda a: -a,
    torch=lambda torch, a: -a,
    domain=(REAL,),
    samples=(shapes((2,)), shapes((2, 3))),
    taught={"forward": "`-a`, value by value", "backward": "d(-a)/da = -1"},
)


@exercise("ops.Negate.forward", points=1, minutes=1)
class FORWARD:
    """`a` is a plain NumPy array here. NumPy flips the sign of every value.

    One operator is enough, and it has one operand.
    """

    always_negative = edit("a", "np.abs(a)")
    """You made every value negative. Negation flips the sign: what was negative becomes
    positive."""

    complement = edit("-", "1 -")
    """You computed 1 - a, the opposite of a probability. The negative of 0.3 is -0.3."""

    in_place = RULE.in_place


@exercise("chapter3.negate.operator", targets=("tensor.Tensor.__neg__",), points=1, minutes=1)
class OPERATOR:
    """Python calls this for `-x`. There is no `other`.

    The functions at the end of `ops.py` make a node; one of them does just this.
    """

    data_only = body("return Tensor(-self.data, dtype=self.dtype)", says=DATA_ONLY)

    unchanged = body("return ops.add_scalar(self, 0)")
    """The result has the values of `self`: the sign isn't flipped."""

    copied_first = body("return ops.negate(Tensor(self.data, dtype=self.dtype))")
    """You negated a copy of `self`. The values are right, but the graph leads to the copy, so no
    gradient reaches `self`."""


@exercise("ops.Negate.backward", points=2, minutes=2, difficulty=1)
class BACKWARD:
    """Make a larger by 0.01: how far, and which way, does -a move?

    One input, one gradient: return the Tensor itself, without a tuple.
    """

    forgot_minus = edit("-", "")
    """You passed `out_grad` on unchanged. A larger a makes -a smaller: flip the sign."""

    forgot_out_grad = RULE.out_grad_ones

    times_output = body("return out_grad * node")
    """You multiplied by -a, the output. The slope of -a is the same number everywhere."""

    numpy_inside = RULE.numpy_inside

    def writes_out_grad(self, out_grad, node):
        """You flipped the signs inside `out_grad` itself. It belongs to the caller, and other nodes
        may still need it: return a new Tensor."""
        out_grad.data *= -1
        return out_grad
