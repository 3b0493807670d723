"""The matrix product: `MatMul`, `Tensor.matmul` and `@`."""

from grader.course import REAL, OpRow, SampleGroup, body, edit, exercise, mistake, shapes

from .sentences import DATA_ONLY, SWAPPED
from .standard import RULE

NOT_TRANSPOSED = (
    "You have the right factors in the right order, but not transposed: the shapes fit only for "
    "square matrices."
)
WRONG_ORDER = (
    "You have the right factors in the wrong order: `out_grad` goes on the side where `a` (or `b`) "
    "was in `a @ b`."
)

ROW = OpRow(
    op="MatMul",
    forward=lambda a, b: a @ b,
    torch=lambda torch, a, b: a @ b,
    domain=(REAL, REAL),
    samples=(shapes((2, 2), (2, 2)), shapes((2, 3), (3, 4))),
    groups=(
        SampleGroup(
            "batch",
            "{method} is right for two batches of the same size.",
            (shapes((3, 2, 2), (3, 2, 2)), shapes((2, 2, 3), (2, 3, 4))),
            taught="the axes before them are a batch",
        ),
        SampleGroup(
            "broadcast-batch",
            "{method} is right where NumPy repeats one matrix for a whole batch.",
            (
                shapes((2, 2), (3, 2, 2)),
                shapes((2, 2, 3), (3, 4)),
                shapes((2, 1, 2, 3), (4, 3, 2)),
            ),
            taught="Where the batch axes of an input were broadcast, its gradient is summed",
        ),
        SampleGroup(
            "broadcast-more",
            "{method} is right for other batches that NumPy broadcasts, too.",
            (shapes((2, 3, 2, 1), (3, 1, 4)), shapes((1, 2, 3), (4, 3, 3))),
            taught="Where the batch axes of an input were broadcast, its gradient is summed",
            hidden=True,
        ),
    ),
    taught={
        "forward": "`a @ b`, both with at least two axes",
        "backward": "The gradients `out_grad @ bᵀ` and `aᵀ @ out_grad`",
    },
)


@exercise("ops.MatMul.forward", points=1, minutes=1, difficulty=1)
class FORWARD:
    """`a` and `b` are NumPy arrays here, and NumPy has an operator for this."""

    elementwise = edit("a @", "a *")
    """`*` multiplies value by value. The matrix product has its own operator."""

    dot = body("return np.dot(a, b)")
    """`np.dot` is the matrix product for two axes only. With a batch in front it combines every
    matrix of `a` with every matrix of `b`."""

    swapped = body("return b @ a")
    """You computed `b @ a`. The order matters in a matrix product."""


@exercise("ops.MatMul.backward", points=3, minutes=15)
class BACKWARD:
    """Write down the shapes: `a` is (n, k), `b` is (k, m), `out_grad` is (n, m). The gradient of
    `a` has to be (n, k). Which product of the other two has that shape?

    One of the two factors is transposed each time, over its last two axes: `transpose`.

    If `b` has a batch and `a` doesn't, your gradient of `a` has one matrix for each member of the
    batch. All of them came from the same `a`, so they add up.
    """

    @mistake(seen="https://github.com/tile-ai/TileOPs/pull/54", says=NOT_TRANSPOSED)
    def not_transposed(self, out_grad, node):
        a, b = node._inputs
        return matmul(out_grad, b), matmul(a, out_grad)

    not_transposed_but_summed = edit(
        ("transpose(b)", "b"), ("transpose(a)", "a"), says=NOT_TRANSPOSED
    )

    b_not_transposed = edit("transpose(b)", "b")
    """For the gradient of `a`, `b` has to be transposed: as it is, the shapes fit only if it is
    square."""

    a_not_transposed = edit("transpose(a)", "a")
    """For the gradient of `b`, `a` has to be transposed: as it is, the shapes fit only if it is
    square."""

    out_grad_transposed = edit(
        ("(out_grad, transpose(b))", "(transpose(out_grad), b)"),
        ("(transpose(a), out_grad)", "(a, transpose(out_grad))"),
    )
    """You transposed `out_grad`. It stays as it is; the other factor is transposed each time."""

    product_transposed = edit(
        ("(out_grad, transpose(b))", "(b, transpose(out_grad))"),
        ("(transpose(a), out_grad)", "(transpose(out_grad), a)"),
    )
    """Your products are the gradients, transposed: `b @ out_gradᵀ` is the transpose of
    `out_grad @ bᵀ`."""

    @mistake(says=WRONG_ORDER)
    def wrong_order(self, out_grad, node):
        a, b = node._inputs
        return matmul(transpose(b), out_grad), matmul(out_grad, transpose(a))

    wrong_order_but_summed = edit(
        ("out_grad, transpose(b)", "transpose(b), out_grad"),
        ("transpose(a), out_grad", "out_grad, transpose(a)"),
        says=WRONG_ORDER,
    )

    a_in_the_wrong_order = edit("out_grad, transpose(b)", "transpose(b), out_grad")
    """Your gradient of `a` has the right factors in the wrong order: in `a @ b`, `a` was on the
    left, and there `out_grad` goes."""

    b_in_the_wrong_order = edit("transpose(a), out_grad", "out_grad, transpose(a)")
    """Your gradient of `b` has the right factors in the wrong order: in `a @ b`, `b` was on the
    right, and there `out_grad` goes."""

    @mistake(says=SWAPPED)
    def swapped(self, out_grad, node):
        a, b = node._inputs
        grad_a, grad_b = matmul(out_grad, transpose(b)), matmul(transpose(a), out_grad)
        return unbroadcast(grad_b, b.shape), unbroadcast(grad_a, a.shape)

    def inputs_swapped(self, out_grad, node):
        """You took the inputs out of `node._inputs` in the wrong order: first comes a, then b."""
        b, a = node._inputs
        return matmul(out_grad, transpose(b)), matmul(transpose(a), out_grad)

    def elementwise(self, out_grad, node):
        """This is the rule of `a * b`, value by value. A matrix product needs matrix products on
        the way back, too."""
        a, b = node._inputs
        return out_grad * b, out_grad * a

    elementwise_transposed = edit(
        ("matmul(out_grad, transpose(b))", "out_grad * transpose(b)"),
        ("matmul(transpose(a), out_grad)", "transpose(a) * out_grad"),
    )
    """`*` multiplies value by value, transposed or not. A matrix product needs matrix products on
    the way back, too."""

    @mistake(seen="https://github.com/flashlight/flashlight/pull/760")
    def batch_not_summed(self, out_grad, node):
        """That is right for equal batches. But if NumPy repeated a matrix for a whole batch, the
        gradients of all its copies have to be summed to the shape of the input."""
        a, b = node._inputs
        return matmul(out_grad, transpose(b)), matmul(transpose(a), out_grad)

    @mistake(
        seen="https://github.com/HandreBez/autograd-from-scratch/blob/a832967ea1/engine/tensor.py"
    )
    def all_axes_reversed(self, out_grad, node):
        """You reversed all axes, as `.T` does in NumPy. The batch has to stay in front: swap the
        last two axes only."""
        a, b = node._inputs

        def flip(x):
            return transpose(x, tuple(reversed(range(x.ndim))))

        grad_a, grad_b = matmul(out_grad, flip(b)), matmul(flip(a), out_grad)
        return unbroadcast(grad_a, a.shape), unbroadcast(grad_b, b.shape)

    numpy_inside = RULE.detached


class WRAPPER:
    """`ops.matmul` makes the node. `self` is on the left."""

    swapped = edit("self, other", "other, self")
    """You computed `other @ self`; `self` is on the left."""

    elementwise = edit("matmul", "mul")
    """You called the product value by value, not the matrix product."""

    data_only = body("return Tensor(self.data @ other.data, dtype=self.dtype)", says=DATA_ONLY)


# `a.matmul(b)` and `a @ b` are the same little exercise, with the same mistakes.
METHOD, OPERATOR = (
    exercise(f"chapter3.matmul.{name}", targets=(target,), points=1, minutes=1, difficulty=1)(
        WRAPPER
    )
    for name, target in (
        ("method", "tensor.Tensor.matmul"),
        ("operator", "tensor.Tensor.__matmul__"),
    )
)

EXERCISES = (FORWARD, BACKWARD, METHOD, OPERATOR)
