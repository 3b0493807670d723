"""Division: `Div`, and the operators `/` on both sides."""

from grader.course import REAL, Exercise, Group, Mistake, OpRow, shapes, values

from .mistakes import (
    asks_for_ndarray,
    bare_number,
    data_only,
    epsilon,
    float32,
    forgot_out_grad,
    in_place,
    numpy_inside,
    wrapped_again,
)

ROW = OpRow(
    op="Div",
    forward=lambda a, b: a / b,
    torch=lambda torch, a, b: a / b,
    domain=(REAL, REAL),
    samples=(shapes((2,), (2,)), shapes((2, 3), (2, 3))),
    taught={"forward": "`a / b`, value by value", "backward": "d(a/b)/da = 1/b, d(a/b)/db = -a/b²"},
    groups=(
        Group(
            "tiny",
            "{method} adds nothing to a very small number.",
            (values([2.5, -1.5], [-2e-14, 3e-14]),),
            taught="a very small number gives a wrong answer",
        ),
    ),
)

FORWARD = Exercise(
    "chapter3.div.forward",
    section="3.2",
    targets=("ops.Div.forward",),
    points=1,
    minutes=1,
    hints=(
        "`a` and `b` are plain NumPy arrays here. NumPy divides them value by value.",
        "One operator is enough. Mind the order: the first input is the one on top.",
    ),
    mistakes=(
        Mistake(
            "swapped", "return b / a",
            "You divided b by a; a stands on top.",
        ),
        Mistake(
            "floor", "return a // b",
            "You used `//`, which rounds down to whole numbers; `/` keeps the fraction.",
        ),
        in_place("a /= b\nreturn a"),
        float32("return np.float32(a / b)"),
        epsilon("return a / (b + 1e-8)"),
    ),
)  # fmt: skip

OPERATOR = Exercise(
    "chapter3.div.operator",
    section="3.3",
    targets=("tensor.Tensor.__truediv__",),
    points=1,
    minutes=2,
    needs=("chapter3.div.forward",),
    hints=(
        "Two cases: `other` is a Tensor, or it is a number. `isinstance` tells them apart.",
        "For two tensors, `ops.divide` makes the node. For a number, `ops.div_scalar` does "
        "(section 3.10); until then you can wrap the number in a Tensor.",
    ),
    mistakes=(
        data_only("return Tensor(self.data / getattr(other, 'data', other), dtype=self.dtype)"),
        asks_for_ndarray("divide", "ops.div_scalar(self, other)"),
        Mistake(
            "multiplied",
            "if isinstance(other, Tensor):\n    return ops.mul(self, other)\n"
            "return ops.mul_scalar(self, other)",
            "You called the product, not the quotient.",
        ),
        Mistake(
            "swapped",
            "if isinstance(other, Tensor):\n    return ops.divide(other, self)\n"
            "return ops.div_scalar(self, other)",
            "You divided `other` by `self`; `self` is on the left of the `/`.",
        ),
        wrapped_again(
            "other = Tensor(getattr(other, 'data', other), dtype=self.dtype)\n"
            "return ops.divide(self, other)"
        ),
        *bare_number(
            "other = other if isinstance(other, Tensor) else Tensor(other)\n"
            "return ops.divide(self, other)"
        ),
    ),
)  # fmt: skip

REFLECTED = Exercise(
    "chapter3.div.reflected",
    section="3.3",
    targets=("tensor.Tensor.__rtruediv__",),
    points=1,
    minutes=3,
    difficulty=2,
    hints=(
        "Python calls this for `1 / x`: the number `other` is on the left, `self` on the right.",
        "A number divided by x is that number times a power of x.",
    ),
    mistakes=(
        Mistake(
            "not-reflected", "return ops.div_scalar(self, other)",
            "You computed `self / other`. Python calls this method for `other / self`.",
        ),
        Mistake(
            "dropped-number", "return ops.power_scalar(self, -1)",
            "You computed `1 / self` whatever the number was.",
        ),
        data_only("return Tensor(other / self.data, dtype=self.dtype)"),
        *bare_number("return ops.divide(Tensor(other), self)"),
    ),
)  # fmt: skip

BACKWARD = Exercise(
    "chapter3.div.backward",
    section="3.4",
    targets=("ops.Div.backward",),
    points=2,
    minutes=8,
    difficulty=2,
    needs=("chapter3.div.forward",),
    hints=(
        "Two inputs, two gradients, in the order of the inputs. `a, b = node._inputs`.",
        "Keep b fixed and nudge a: how does a/b move? Then keep a fixed and nudge b.",
        "a/b is a times b⁻¹; the power rule on b⁻¹ brings a minus and one more power of b.",
    ),
    mistakes=(
        forgot_out_grad("a, b = node._inputs\nreturn 1 / b, -a / (b * b)"),
        Mistake(
            "forgot-minus", edit=("-out_grad", "out_grad"),
            says="The gradient of b lacks its minus: a larger divisor makes the quotient smaller.",
        ),
        Mistake(
            "b-not-squared", edit=("(b * b)", "b"),
            says="In the gradient of b, b has to be squared.",
        ),
        Mistake(
            "swapped",
            "a, b = node._inputs\nreturn -out_grad * a / (b * b), out_grad / b",
            "Both gradients are right, but they changed places: first the one of a, then of b.",
        ),
        Mistake(
            "inputs-swapped",
            "b, a = node._inputs\nreturn out_grad / b, -out_grad * a / (b * b)",
            "You took the inputs out of `node._inputs` in the wrong order: first comes a, then b.",
        ),
        epsilon(
            "a, b = node._inputs\nb = b + 1e-8\n"
            "return out_grad / b, -out_grad * a / (b * b)"
        ),
        numpy_inside(
            "a, b = node._inputs\nx, y, v = a.data, b.data, out_grad.data\n"
            "return Tensor(v / y), Tensor(-v * x / (y * y))"
        ),
    ),
)  # fmt: skip
