"""Multiplication: the backward of `Mul`, and the operators `*` on both sides."""

from grader.course import REAL, OpRow, body, edit, exercise, shapes

from .standard import EVERY_GRAPH, EVERY_NUMBER, EVERY_REFLECTED, RULE, standard

ROW = OpRow(
    op="Mul",
    forward=lambda a, b: a * b,
    torch=lambda torch, a, b: a * b,
    domain=(REAL, REAL),
    samples=(shapes((2,), (2,)), shapes((2, 3), (2, 3))),
    taught={"backward": "d(ab)/da = b, d(ab)/db = a"},
)


@exercise("chapter3.mul.operator", targets=("tensor.Tensor.__mul__",), points=1, minutes=2)
class OPERATOR:
    """The same two cases as in `+`: a Tensor, or a number.

    For two Tensors, `ops.mul` makes the node. For a number, `ops.mul_scalar` does (section 3.10);
    until then you can wrap the number in a Tensor.
    """

    graph = standard(EVERY_GRAPH, "*", "mul")

    numbers = standard(EVERY_NUMBER, "*", "mul")

    matrix_product = edit(
        ("mul(self, other)", "matmul(self, other)"), ("(self, number(other))", "(self, other)")
    )
    """You called the matrix product, which is `@`. `*` multiplies value by value."""


@exercise(
    "chapter3.mul.reflected", targets=("tensor.Tensor.__rmul__",), points=1, minutes=1, difficulty=1
)
class REFLECTED:
    """Python calls this for `5 * x`. `other` is the 5.

    The order doesn't matter in a product, so another method can do the work.
    """

    usual = standard(EVERY_REFLECTED, "*", "mul")

    number_dropped = body("return self")
    """You returned `self` unchanged: the number isn't used."""

    number_as_tensor = body("return ops.mul(self, other)", has=(r"\bops\.mul\(",))
    """`other` is always a plain number here, and `ops.mul` takes two Tensors."""


@exercise("ops.Mul.backward", points=2, difficulty=1, needs=("chapter3.mul.operator",))
class BACKWARD:
    """Two inputs, two gradients, in the order of the inputs. `a, b = node._inputs`.

    Let b be 5, and nudge a by 0.01: how far does a·b move?

    The slope for a is the other input. Then comes the chain rule.
    """

    swapped = edit("b, out_grad * a", "a, out_grad * b")
    """You scaled each gradient by its own input. The slope of a·b along a is b: scale each input's
    gradient by the other input."""

    forgot_out_grad = RULE.out_grad_one

    like_add = body("return out_grad, out_grad")
    """This is the rule of `Add`. In a product, the slope is the other input."""

    whole_product = body("return out_grad * node, out_grad * node")
    """You multiplied by the whole product. For the slope along one input, only the other one
    remains."""

    numpy_inside = RULE.numpy_inside
