"""Subtraction: `Sub`, and the operators `-` on both sides."""

from grader.course import REAL, OpRow, body, edit, exercise, shapes

from .sentences import SWAPPED
from .standard import EVERY_GRAPH, EVERY_NUMBER, EVERY_REFLECTED, RULE, standard

ROW = OpRow(
    op="Sub",
    forward=lambda a, b: a - b,
    torch=lambda torch, a, b: a - b,
    domain=(REAL, REAL),
    samples=(shapes((2,), (2,)), shapes((2, 3), (2, 3))),
    taught={"forward": "`a - b`, value by value", "backward": "d(a-b)/da = 1, d(a-b)/db = -1"},
)


@exercise("ops.Sub.forward", points=1, minutes=1)
class FORWARD:
    """`a` and `b` are plain NumPy arrays here. NumPy subtracts them value by value.

    One operator is enough. The second input is subtracted from the first.
    """

    swapped = body("return b - a")
    """You subtracted a from b; subtract b from a."""

    added = edit("-", "+")
    """This is the sum, as in `Add`. Subtract."""

    distance = body("return np.abs(a - b)")
    """You took the absolute value. A difference may be negative: its sign says which of the two was
    larger."""

    in_place = RULE.in_place


@exercise("chapter3.sub.operator", targets=("tensor.Tensor.__sub__",), points=1, minutes=2)
class OPERATOR:
    """Two cases again: `other` is a Tensor, or it is a number.

    There is no op that takes a number away, and none is needed: which number do you have to add to
    take 5 away?
    """

    graph = standard(EVERY_GRAPH, "-", "sub", but="number-as-tensor")

    sign_of_number = edit("(self, -number(other))", "(self, other)")
    """With a Tensor it is right. With a number, you added instead of subtracting."""

    def swapped(self, other):
        """You computed `other - self`; `self` is on the left of the minus."""
        if isinstance(other, Tensor):
            return ops.sub(other, self)
        return ops.add_scalar(ops.negate(self), other)

    numbers = standard(EVERY_NUMBER, "-", "sub")


@exercise(
    "chapter3.sub.reflected", targets=("tensor.Tensor.__rsub__",), points=1, minutes=3, needs=()
)
class REFLECTED:
    """Python calls this for `5 - x`. `other` is the 5, `self` is the x.

    A difference is a sum in disguise: 5 - x is 5 plus what?
    """

    not_reflected = body("return ops.add_scalar(self, -other)")
    """You computed `self - other`. Python calls this method for `other - self`."""

    dropped_number = body("return ops.negate(self)")
    """You computed `-self`, whatever the number was."""

    forgot_minus = body("return ops.add_scalar(self, other)")
    """You computed `other + self`: the minus before `self` is missing."""

    usual = standard(EVERY_REFLECTED, "-", "sub")


@exercise("ops.Sub.backward", points=2, minutes=3, difficulty=1)
class BACKWARD:
    """Read `Add.backward`. Two inputs, two gradients, in the order of the inputs.

    Make b a little larger: which way does a - b move?
    """

    forgot_minus = edit("-", "")
    """This is the rule of `Add`. A larger b makes a - b smaller, so its gradient has the other
    sign."""

    swapped = body("return -out_grad, out_grad", says=SWAPPED)

    forgot_out_grad = RULE.out_grad_ones

    def times_inputs(self, out_grad, node):
        """You multiplied by the inputs. A difference moves one for one with a, whatever a is: the
        inputs don't matter."""
        a, b = node._inputs
        return out_grad * a, -out_grad * b

    numpy_inside = RULE.numpy_inside
