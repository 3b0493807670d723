"""The matrix product: `MatMul`, `Tensor.matmul` and `@`."""

from grader.course import REAL, Exercise, Group, Mistake, OpRow, shapes

from .mistakes import data_only, numpy_inside

ROW = OpRow(
    op="MatMul",
    forward=lambda a, b: a @ b,
    torch=lambda torch, a, b: a @ b,
    domain=(REAL, REAL),
    samples=(shapes((2, 2), (2, 2)), shapes((2, 3), (3, 4))),
    groups=(
        Group(
            "batch",
            "{method} is right for two batches of the same size.",
            (shapes((3, 2, 2), (3, 2, 2)), shapes((2, 2, 3), (2, 3, 4))),
            taught="the axes before them are a batch",
        ),
        Group(
            "broadcast-batch",
            "{method} is right where NumPy repeats one matrix for a whole batch.",
            (
                shapes((2, 2), (3, 2, 2)),
                shapes((2, 2, 3), (3, 4)),
                shapes((2, 1, 2, 3), (4, 3, 2)),
            ),
            taught="Where the batch axes of an input were broadcast, its gradient is summed",
        ),
        Group(
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

FORWARD = Exercise(
    "chapter3.matmul.forward",
    section="3.9",
    targets=("ops.MatMul.forward",),
    points=1,
    minutes=1,
    hints=("`a` and `b` are NumPy arrays here, and NumPy has an operator for this.",),
    mistakes=(
        Mistake(
            "elementwise", "return a * b",
            "`*` multiplies value by value. The matrix product has an operator of its own.",
        ),
        Mistake(
            "dot", "return np.dot(a, b)",
            "`np.dot` is the matrix product for two axes only. With a batch in front it combines "
            "every matrix of `a` with every matrix of `b`.",
        ),
        Mistake(
            "swapped", "return b @ a",
            "You computed `b @ a`. The order matters in a matrix product.",
        ),
    ),
)  # fmt: skip

BACKWARD = Exercise(
    "chapter3.matmul.backward",
    section="3.9",
    targets=("ops.MatMul.backward",),
    points=3,
    minutes=15,
    difficulty=3,
    needs=("chapter3.matmul.forward", "chapter3.transpose.forward"),
    hints=(
        "Write down the shapes: `a` is (n, k), `b` is (k, m), `out_grad` is (n, m). The gradient "
        "of `a` has to be (n, k). Which product of the other two has that shape?",
        "One of the two factors is transposed each time, over its last two axes: `transpose`.",
        "If `b` has a batch and `a` has not, your gradient of `a` has one matrix per member of "
        "the batch. All of them came from the same `a`, so they add up.",
    ),
    mistakes=(
        Mistake(
            "not-transposed",
            "a, b = node._inputs\nreturn matmul(out_grad, b), matmul(a, out_grad)",
            "The right factors in the right order, but not transposed: the shapes fit only for "
            "square matrices.",
        ),
        Mistake(
            "wrong-order",
            "a, b = node._inputs\n"
            "return matmul(transpose(b), out_grad), matmul(out_grad, transpose(a))",
            "The right factors, in the wrong order: `out_grad` stands on the side that `a` (or "
            "`b`) stood on in `a @ b`.",
        ),
        Mistake(
            "swapped",
            "a, b = node._inputs\n"
            "grad_a, grad_b = matmul(out_grad, transpose(b)), matmul(transpose(a), out_grad)\n"
            "return unbroadcast(grad_b, b.shape), unbroadcast(grad_a, a.shape)",
            "Both gradients are right, but they changed places: first the one of a, then of b.",
        ),
        Mistake(
            "inputs-swapped",
            "b, a = node._inputs\n"
            "return matmul(out_grad, transpose(b)), matmul(transpose(a), out_grad)",
            "You took the inputs out of `node._inputs` in the wrong order: first comes a, then b.",
        ),
        Mistake(
            "elementwise",
            "a, b = node._inputs\nreturn out_grad * b, out_grad * a",
            "This is the rule of `a * b`, value by value. A matrix product needs matrix products "
            "on the way back, too.",
        ),
        Mistake(
            "batch-not-summed",
            "a, b = node._inputs\n"
            "return matmul(out_grad, transpose(b)), matmul(transpose(a), out_grad)",
            "Right for equal batches. Where NumPy repeated a matrix for a whole batch, the "
            "gradients of all its copies have to be summed to the shape of the input.",
        ),
        Mistake(
            "all-axes-reversed",
            "a, b = node._inputs\n"
            "def flip(x):\n    return transpose(x, tuple(reversed(range(x.ndim))))\n"
            "grad_a, grad_b = matmul(out_grad, flip(b)), matmul(flip(a), out_grad)\n"
            "return unbroadcast(grad_a, a.shape), unbroadcast(grad_b, b.shape)",
            "You reversed all axes, as `.T` does in NumPy. The batch has to stay in front: swap "
            "the last two axes only.",
        ),
        numpy_inside(
            "a, b = node._inputs\n"
            "g = Tensor(out_grad.data, dtype=out_grad.dtype)\n"
            "a, b = a.detach(), b.detach()\n"
            "grad_a, grad_b = matmul(g, transpose(b)), matmul(transpose(a), g)\n"
            "return unbroadcast(grad_a, a.shape).detach(), unbroadcast(grad_b, b.shape).detach()"
        ),
    ),
)  # fmt: skip


def _wrapper(name: str, method: str) -> Exercise:
    """`a.matmul(b)` and `a @ b` are the same little exercise, with the same mistakes."""
    return Exercise(
        f"chapter3.matmul.{name}",
        section="3.9",
        targets=(f"tensor.Tensor.{method}",),
        points=1,
        minutes=1,
        needs=("chapter3.matmul.forward",),
        hints=("`ops.matmul` makes the node. `self` is on the left.",),
        mistakes=(
            Mistake(
                "swapped", "return ops.matmul(other, self)",
                "You computed `other @ self`; `self` is on the left.",
            ),
            Mistake(
                "elementwise", "return ops.mul(self, other)",
                "You called the product value by value, not the matrix product.",
            ),
            data_only("return Tensor(self.data @ other.data, dtype=self.dtype)"),
        ),
    )  # fmt: skip


METHOD = _wrapper("method", "matmul")
OPERATOR = _wrapper("operator", "__matmul__")

EXERCISES = (FORWARD, BACKWARD, METHOD, OPERATOR)
