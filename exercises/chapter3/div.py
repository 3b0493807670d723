"""Division: `Div`, and the operators `/` on both sides."""

from grader.course import REAL, OpRow, SampleGroup, body, edit, exercise, mistake, shapes, values

from .sentences import (
    ASKS_FOR_NDARRAY,
    BARE_NUMBER,
    DATA_ONLY,
    EPSILON,
    FLOAT32,
    FORGOT_OUT_GRAD,
    IN_PLACE,
    NUMBER_WITH_GRADIENT,
    NUMPY_INSIDE,
    OWN_DTYPE,
    SWAPPED,
    WRAPPED_AGAIN,
)

ROW = OpRow(
    op="Div",
    forward=lambda a, b: a / b,
    torch=lambda torch, a, b: a / b,
    domain=(REAL, REAL),
    samples=(shapes((2,), (2,)), shapes((2, 3), (2, 3))),
    taught={"forward": "`a / b`, value by value", "backward": "d(a/b)/da = 1/b, d(a/b)/db = -a/b²"},
    groups=(
        SampleGroup(
            "tiny",
            "{method} adds nothing to a very small number.",
            (values([2.5, -1.5], [-2e-14, 3e-14]),),
            taught="a very small number gives a wrong answer",
        ),
    ),
)


@exercise("ops.Div.forward", points=1, minutes=1)
class FORWARD:
    """`a` and `b` are plain NumPy arrays here. NumPy divides them value by value.

    One operator is enough. Watch the order: the first input goes on top.
    """

    swapped = body("return b / a")
    """You divided b by a; a belongs on top."""

    floor = edit("a /", "a //")
    """You used `//`, which rounds down to whole numbers; `/` keeps the fraction."""

    @mistake(says=IN_PLACE)
    def in_place(self, a, b):
        a /= b
        return a

    float32 = body("return np.float32(a / b)", says=FLOAT32)
    epsilon = edit("b", "(b + 1e-8)", says=EPSILON, shown_by=r"\+ (1e-\d+|eps\w*)\b")


@exercise(
    "chapter3.div.operator",
    targets=("tensor.Tensor.__truediv__",),
    points=1,
    minutes=2,
    needs=("chapter3.div.forward",),
)
class OPERATOR:
    """Two cases: `other` is a Tensor, or it is a number. `isinstance` tells them apart.

    For two tensors, `ops.divide` makes the node. For a number, `ops.div_scalar` does (section
    3.10); until then you can wrap the number in a Tensor.
    """

    data_only = body(
        'return Tensor(self.data / getattr(other, "data", other), dtype=self.dtype)', says=DATA_ONLY
    )
    asks_for_ndarray = edit(
        ("Tensor", "NDArray"),
        ("(self, number(other))", "(self, other)"),
        says=ASKS_FOR_NDARRAY,
        has=(r"isinstance\(other, \(?(?:NDArray|np\.ndarray)",),
    )

    def multiplied(self, other):
        """You called the product, not the quotient."""
        if isinstance(other, Tensor):
            return ops.mul(self, other)
        return ops.mul_scalar(self, other)

    def swapped(self, other):
        """You divided `other` by `self`; `self` is on the left of the `/`."""
        if isinstance(other, Tensor):
            return ops.divide(other, self)
        return ops.div_scalar(self, other)

    @mistake(says=WRAPPED_AGAIN)
    def wrapped_again(self, other):
        other = Tensor(getattr(other, "data", other), dtype=self.dtype)
        return ops.divide(self, other)

    @mistake(says=BARE_NUMBER, lacks=OWN_DTYPE)
    def bare_number(self, other):
        other = other if isinstance(other, Tensor) else Tensor(other)
        return ops.divide(self, other)

    @mistake(says=NUMBER_WITH_GRADIENT, has=OWN_DTYPE)
    def number_with_gradient(self, other):
        other = other if isinstance(other, Tensor) else Tensor(other, dtype=self.dtype)
        return ops.divide(self, other)


@exercise("chapter3.div.reflected", targets=("tensor.Tensor.__rtruediv__",), points=1, minutes=3)
class REFLECTED:
    """Python calls this for `1 / x`: the number `other` is on the left, `self` on the right.

    A number divided by x is that number times a power of x.
    """

    not_reflected = body("return ops.div_scalar(self, other)")
    """You computed `self / other`. Python calls this method for `other / self`."""

    dropped_number = body("return ops.power_scalar(self, -1)")
    """You computed `1 / self` whatever the number was."""

    data_only = body("return Tensor(other / self.data, dtype=self.dtype)", says=DATA_ONLY)
    bare_number = body("return ops.divide(Tensor(other), self)", says=BARE_NUMBER, lacks=OWN_DTYPE)
    number_with_gradient = body(
        "return ops.divide(Tensor(other, dtype=self.dtype), self)",
        says=NUMBER_WITH_GRADIENT,
        has=OWN_DTYPE,
    )


@exercise("ops.Div.backward", points=2, minutes=8, needs=("chapter3.div.forward",))
class BACKWARD:
    """Two inputs, two gradients, in the order of the inputs. `a, b = node._inputs`.

    Keep b fixed and nudge a: how does a/b move? Then keep a fixed and nudge b.

    a/b is a times b⁻¹; the power rule on b⁻¹ brings a minus and one more power of b.
    """

    forgot_out_grad = edit("out_grad / b, -out_grad * ", "1 / b, -", says=FORGOT_OUT_GRAD)

    forgot_minus = edit("-", "")
    """The gradient of b lacks its minus: a larger divisor makes the quotient smaller."""

    b_not_squared = edit("(b * b)", "b")
    """In the gradient of b, b has to be squared."""

    @mistake(says=SWAPPED)
    def swapped(self, out_grad, node):
        a, b = node._inputs
        return -out_grad * a / (b * b), out_grad / b

    inputs_swapped = edit("a, b", "b, a")
    """You took the inputs out of `node._inputs` in the wrong order: first comes a, then b."""

    @mistake(says=EPSILON, shown_by=r"\+ (1e-\d+|eps\w*)\b")
    def epsilon(self, out_grad, node):
        a, b = node._inputs
        b = b + 1e-8
        return out_grad / b, -out_grad * a / (b * b)

    @mistake(says=NUMPY_INSIDE)
    def numpy_inside(self, out_grad, node):
        a, b = node._inputs
        x, y, v = a.data, b.data, out_grad.data
        return Tensor(v / y), Tensor(-v * x / (y * y))
