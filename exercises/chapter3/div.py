"""Division: `Div`, and the operators `/` on both sides."""

from grader.course import REAL, OpRow, SampleGroup, body, edit, exercise, mistake, shapes, values

from .sentences import EPSILON, FLOAT32, SWAPPED
from .standard import EVERY_GRAPH, EVERY_NUMBER, EVERY_REFLECTED, RULE, standard

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

    in_place = RULE.in_place

    float32 = body("return np.float32(a / b)", says=FLOAT32)
    epsilon = edit("b", "(b + 1e-8)", says=EPSILON, shown_by=r"\+ (1e-\d+|eps\w*)\b")


@exercise("chapter3.div.operator", targets=("tensor.Tensor.__truediv__",), points=1, minutes=2)
class OPERATOR:
    """Two cases: `other` is a Tensor, or it is a number. `isinstance` tells them apart.

    For two tensors, `ops.divide` makes the node. For a number, `ops.div_scalar` does (section
    3.10); until then you can wrap the number in a Tensor.
    """

    graph = standard(EVERY_GRAPH, "/", "divide", but="number-as-tensor")

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

    numbers = standard(EVERY_NUMBER, "/", "divide")


@exercise("chapter3.div.reflected", targets=("tensor.Tensor.__rtruediv__",), points=1, minutes=3)
class REFLECTED:
    """Python calls this for `1 / x`: the number `other` is on the left, `self` on the right.

    A number divided by x is that number times a power of x.
    """

    not_reflected = body("return ops.div_scalar(self, other)")
    """You computed `self / other`. Python calls this method for `other / self`."""

    dropped_number = body("return ops.power_scalar(self, -1)")
    """You computed `1 / self` whatever the number was."""

    usual = standard(EVERY_REFLECTED, "/", "divide")


@exercise("ops.Div.backward", points=2, minutes=8)
class BACKWARD:
    """Two inputs, two gradients, in the order of the inputs. `a, b = node._inputs`.

    Keep b fixed and nudge a: how does a/b move? Then keep a fixed and nudge b.

    a/b is a times b⁻¹; the power rule on b⁻¹ brings a minus and one more power of b.
    """

    forgot_out_grad = RULE.out_grad_one

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

    numpy_inside = RULE.numpy_inside
