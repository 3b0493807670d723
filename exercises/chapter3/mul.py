"""Multiplication: the backward of `Mul`, and the operators `*` on both sides."""

from grader.course import REAL, Exercise, Mistake, OpRow, shapes

from .mistakes import (
    asks_for_ndarray,
    bare_number,
    data_only,
    forgot_out_grad,
    number_as_tensor,
    numpy_inside,
    wrapped_again,
)

ROW = OpRow(
    op="Mul",
    forward=lambda a, b: a * b,
    torch=lambda torch, a, b: a * b,
    domain=(REAL, REAL),
    samples=(shapes((2,), (2,)), shapes((2, 3), (2, 3))),
    taught={"backward": "d(ab)/da = b, d(ab)/db = a"},
)

OPERATOR = Exercise(
    "chapter3.mul.operator",
    section="3.3",
    targets=("tensor.Tensor.__mul__",),
    points=1,
    minutes=2,
    hints=(
        "The same two cases as in `+`: a Tensor, or a number.",
        "For two Tensors, `ops.mul` makes the node. For a number, `ops.mul_scalar` does "
        "(section 3.10); until then you can wrap the number in a Tensor.",
    ),
    mistakes=(
        data_only("return Tensor(self.data * getattr(other, 'data', other), dtype=self.dtype)"),
        asks_for_ndarray("mul", "ops.mul_scalar(self, other)"),
        number_as_tensor("return ops.mul(self, other)"),
        wrapped_again(
            "other = Tensor(getattr(other, 'data', other), dtype=self.dtype)\n"
            "return ops.mul(self, other)"
        ),
        *bare_number(
            "other = other if isinstance(other, Tensor) else Tensor(other)\n"
            "return ops.mul(self, other)"
        ),
        Mistake(
            "matrix-product",
            "if isinstance(other, Tensor):\n    return ops.matmul(self, other)\n"
            "return ops.mul_scalar(self, other)",
            "You called the matrix product, which is `@`. `*` multiplies value by value.",
        ),
    ),
)

REFLECTED = Exercise(
    "chapter3.mul.reflected",
    section="3.3",
    targets=("tensor.Tensor.__rmul__",),
    points=1,
    minutes=1,
    hints=(
        "Python calls this for `5 * x`. `other` is the 5.",
        "The order does not matter in a product, so this is the work of another method.",
    ),
    mistakes=(
        data_only("return Tensor(other * self.data, dtype=self.dtype)"),
        *bare_number("return ops.mul(Tensor(other), self)"),
        Mistake(
            "number-dropped", "return self",
            "You returned `self` unchanged: the number takes no part.",
        ),
        Mistake(
            "number-as-tensor", "return ops.mul(self, other)",
            "`other` is always a plain number here, and `ops.mul` takes two Tensors.",
        ),
    ),
)  # fmt: skip

BACKWARD = Exercise(
    "chapter3.mul.backward",
    section="3.4",
    targets=("ops.Mul.backward",),
    points=2,
    minutes=5,
    needs=("chapter3.mul.operator",),
    hints=(
        "Two inputs, two gradients, in the order of the inputs. `a, b = node._inputs`.",
        "Let b be 5, and nudge a by 0.01: how far does a·b move?",
        "The slope for a is the other input. Then comes the chain rule.",
    ),
    mistakes=(
        Mistake(
            "swapped", edit=("b, out_grad * a", "a, out_grad * b"),
            says="You scaled each gradient by its own input. The slope of a·b along a is b: each "
            "input is scaled by the other one.",
        ),
        forgot_out_grad("a, b = node._inputs\nreturn b, a"),
        Mistake(
            "like-add", "return out_grad, out_grad",
            "This is the rule of `Add`. In a product the other input is the slope.",
        ),
        Mistake(
            "whole-product", "return out_grad * node, out_grad * node",
            "You multiplied by the whole product. For the slope along one input, only the "
            "other one remains.",
        ),
        numpy_inside(
            "a, b = node._inputs\n"
            "return Tensor(out_grad.data * b.data), Tensor(out_grad.data * a.data)"
        ),
    ),
)  # fmt: skip
