"""Powers: `Pow`, and the operator `**`."""

from grader.course import POSITIVE, REAL, Exercise, Group, Mistake, OpRow, shapes, values

from .mistakes import (
    asks_for_ndarray,
    bare_number,
    data_only,
    forgot_out_grad,
    in_place,
    number_as_tensor,
    numpy_inside,
)

ROW = OpRow(
    op="Pow",
    forward=lambda a, b: a**b,
    torch=lambda torch, a, b: a**b,
    domain=(POSITIVE, REAL),
    samples=(shapes((2,), (2,)), shapes((2, 3), (2, 3))),
    taught={
        "forward": "`a ** b`, value by value",
        "backward": "d(aᵇ)/da = b·aᵇ⁻¹ and, for a positive `a`, d(aᵇ)/db = aᵇ·log a",
    },
    groups=(
        Group(
            "negative-base",
            "{method} takes a negative base to a whole power.",
            (values([-2.0, -1.5, 0.5], [3.0, 2.0, -2.0]),),
            taught="`a ** b`, value by value",
            directions=("forward",),
        ),
    ),
)

FORWARD = Exercise(
    "chapter3.pow.forward",
    section="3.2",
    targets=("ops.Pow.forward",),
    points=1,
    minutes=1,
    hints=(
        "`a` and `b` are plain NumPy arrays here: base and exponent.",
        "Python's operator for powers works on arrays as well.",
    ),
    mistakes=(
        Mistake("swapped", "return b ** a", "You raised b to the power a; a is the base."),
        Mistake("product", "return a * b", "One star multiplies. A power has two."),
        Mistake(
            "by-logarithm", "return np.exp(b * np.log(a))",
            "e to the power of b·log a is the same for a positive base only. A negative number "
            "has no logarithm, yet (-2)³ is -8.",
        ),
        in_place("a **= b\nreturn a"),
    ),
)  # fmt: skip

OPERATOR = Exercise(
    "chapter3.pow.operator",
    section="3.3",
    targets=("tensor.Tensor.__pow__",),
    points=1,
    minutes=2,
    needs=("chapter3.pow.forward",),
    hints=(
        "Two cases: the exponent is a Tensor, or it is a number.",
        "For two Tensors, `ops.power` makes the node. For a number, `ops.power_scalar` does "
        "(section 3.10); until then you can wrap the number in a Tensor.",
    ),
    mistakes=(
        data_only("return Tensor(self.data ** getattr(other, 'data', other), dtype=self.dtype)"),
        asks_for_ndarray("power", "ops.power_scalar(self, other)"),
        number_as_tensor("return ops.power(self, other)"),
        Mistake(
            "swapped",
            "if isinstance(other, Tensor):\n    return ops.power(other, self)\n"
            "return ops.power_scalar(self, other)",
            "You raised `other` to the power `self`; what stands left of `**` is the base.",
        ),
        Mistake(
            "always-square",
            edit=("ops.power_scalar(self, number(other))", "ops.mul(self, self)"),
            says="With a number you always squared. The exponent is `other`.",
            has=(r"\b2\b", r"\(self, self\)", r"self \* self"),
        ),
        *bare_number(
            "other = other if isinstance(other, Tensor) else Tensor(other)\n"
            "return ops.power(self, other)"
        ),
    ),
)  # fmt: skip

BACKWARD = Exercise(
    "chapter3.pow.backward",
    section="3.4",
    targets=("ops.Pow.backward",),
    points=2,
    minutes=8,
    difficulty=2,
    needs=("chapter3.pow.forward", "chapter3.log.forward"),
    hints=(
        "The base and the exponent are both inputs, so two gradients: `a, b = node._inputs`.",
        "For the base it is the power rule from school: the exponent comes down, and one is "
        "taken from it.",
        "For the exponent, write aᵇ as e to the power of b·log a. The derivative of e to the "
        "something is itself, times the slope of the something along b.",
    ),
    mistakes=(
        forgot_out_grad("a, b = node._inputs\nreturn b * a ** (b - 1), node * log(a)"),
        Mistake(
            "exponent-not-reduced", edit=("a ** (b - 1)", "node"),
            says="In the gradient of the base you brought the exponent down, but took nothing from "
            "it: it must be one less.",
        ),
        Mistake(
            "exponent-not-brought-down", edit=("b * a", "a"),
            says="In the gradient of the base the exponent is one less, as it must be, but the "
            "factor b is missing.",
        ),
        Mistake(
            "forgot-logarithm", edit=("node * log(a)", "node"),
            says="In the gradient of the exponent the logarithm of the base is missing. Only for e "
            "it is 1.",
        ),
        Mistake(
            "exponent-is-constant",
            "a, b = node._inputs\nreturn out_grad * b * a ** (b - 1), Tensor(np.zeros(b.shape))",
            "You gave the exponent no gradient. Here it is an input like the base, and it moves "
            "the result.",
        ),
        Mistake(
            "precedence",
            "a, b = node._inputs\nreturn out_grad * (b * a**b - 1), out_grad * node * log(a)",
            "`b * a ** b - 1` takes the 1 from the power. It has to be taken from the exponent: "
            "`a ** (b - 1)`.",
            shown_by=r"\*\* (self\.)?\w+ - 1\b|power(_scalar)?\([^()]*\) - 1\b",
        ),
        Mistake(
            "power-of-out-grad",
            "a, b = node._inputs\nreturn b * out_grad ** (b - 1), out_grad * node * log(a)",
            "You applied the power rule to `out_grad`. It belongs to the base a, and the result "
            "is multiplied by `out_grad`.",
            shown_by=r"out_grad \*\* |power(_scalar)?\(out_grad\b",
        ),
        Mistake(
            "output-for-input", edit=(" a", " node"),
            says="`node` is the output, aᵇ. What the power rule raises is the base a.",
        ),
        Mistake(
            "like-square",
            "a, b = node._inputs\nreturn out_grad * a * 2, out_grad * node * log(a)",
            "The gradient of the base is the rule of the square. It has to hold for any exponent.",
        ),
        Mistake(
            "inputs-swapped",
            "b, a = node._inputs\nreturn out_grad * b * a ** (b - 1), out_grad * node * log(a)",
            "You took the inputs out of `node._inputs` in the wrong order: first comes the base, "
            "then the exponent.",
        ),
        numpy_inside(
            "a, b = node._inputs\nx, y, v = a.data, b.data, out_grad.data\n"
            "return Tensor(v * y * x ** (y - 1)), Tensor(v * x ** y * np.log(x))"
        ),
    ),
)  # fmt: skip
