"""Subtraction: `Sub`, and the operators `-` on both sides."""

from grader.course import REAL, Exercise, Mistake, OpRow, shapes

from .mistakes import (
    asks_for_ndarray,
    bare_number,
    data_only,
    forgot_out_grad,
    in_place,
    numpy_inside,
    wrapped_again,
)

ROW = OpRow(
    op="Sub",
    forward=lambda a, b: a - b,
    torch=lambda torch, a, b: a - b,
    domain=(REAL, REAL),
    samples=(shapes((2,), (2,)), shapes((2, 3), (2, 3))),
    taught={"forward": "`a - b`, value by value", "backward": "d(a-b)/da = 1, d(a-b)/db = -1"},
)

FORWARD = Exercise(
    "chapter3.sub.forward",
    section="3.2",
    targets=("ops.Sub.forward",),
    points=1,
    minutes=1,
    hints=(
        "`a` and `b` are plain NumPy arrays here. NumPy subtracts them value by value.",
        "One operator is enough. The first input is the one that something is taken from.",
    ),
    mistakes=(
        Mistake("swapped", "return b - a", "You took a from b; it is b that is taken from a."),
        Mistake("added", "return a + b", "This is the sum, as in `Add`. Subtract."),
        Mistake(
            "distance", "return np.abs(a - b)",
            "You took the absolute value. A difference may be negative: its sign says which of "
            "the two was larger.",
        ),
        in_place("a -= b\nreturn a"),
    ),
)  # fmt: skip

OPERATOR = Exercise(
    "chapter3.sub.operator",
    section="3.3",
    targets=("tensor.Tensor.__sub__",),
    points=1,
    minutes=2,
    needs=("chapter3.sub.forward",),
    hints=(
        "Two cases again: `other` is a Tensor, or it is a number.",
        "There is no op that takes a number away, and none is needed: which number do you have "
        "to add to take 5 away?",
    ),
    mistakes=(
        data_only("return Tensor(self.data - getattr(other, 'data', other), dtype=self.dtype)"),
        asks_for_ndarray("sub", "ops.add_scalar(self, -other)"),
        Mistake(
            "sign-of-number", edit=("-number(other)", "other"),
            says="With a Tensor it is right. With a number you added where you had to subtract.",
        ),
        Mistake(
            "swapped",
            "if isinstance(other, Tensor):\n    return ops.sub(other, self)\n"
            "return ops.add_scalar(ops.negate(self), other)",
            "You computed `other - self`; `self` is on the left of the minus.",
        ),
        wrapped_again(
            "other = Tensor(getattr(other, 'data', other), dtype=self.dtype)\n"
            "return ops.sub(self, other)"
        ),
        *bare_number(
            "other = other if isinstance(other, Tensor) else Tensor(other)\n"
            "return ops.sub(self, other)"
        ),
    ),
)

REFLECTED = Exercise(
    "chapter3.sub.reflected",
    section="3.3",
    targets=("tensor.Tensor.__rsub__",),
    points=1,
    minutes=3,
    difficulty=2,
    hints=(
        "Python calls this for `5 - x`. `other` is the 5, `self` is the x.",
        "A difference is a sum in disguise: 5 - x is 5 plus what?",
    ),
    mistakes=(
        Mistake(
            "not-reflected", "return ops.add_scalar(self, -other)",
            "You computed `self - other`. Python calls this method for `other - self`.",
        ),
        Mistake(
            "dropped-number", "return ops.negate(self)",
            "You computed `-self`, whatever the number was.",
        ),
        Mistake(
            "forgot-minus", "return ops.add_scalar(self, other)",
            "You computed `other + self`: the minus before `self` is missing.",
        ),
        data_only("return Tensor(other - self.data, dtype=self.dtype)"),
        *bare_number("return ops.sub(Tensor(other), self)"),
    ),
)  # fmt: skip

BACKWARD = Exercise(
    "chapter3.sub.backward",
    section="3.4",
    targets=("ops.Sub.backward",),
    points=2,
    minutes=3,
    needs=("chapter3.sub.forward",),
    hints=(
        "Read `Add.backward`. Two inputs, two gradients, in the order of the inputs.",
        "Make b a little larger: which way does a - b move?",
    ),
    mistakes=(
        Mistake(
            "forgot-minus", "return out_grad, out_grad",
            "This is the rule of `Add`. A larger b makes a - b smaller, so its gradient has "
            "the other sign.",
        ),
        Mistake(
            "swapped", "return -out_grad, out_grad",
            "Both gradients are right, but they changed places: first the one of a, then of b.",
        ),
        forgot_out_grad("ones = Tensor(np.ones(node.shape))\nreturn ones, -ones"),
        Mistake(
            "times-inputs", "a, b = node._inputs\nreturn out_grad * a, -out_grad * b",
            "You multiplied by the inputs. A difference moves one for one with a, whatever a "
            "is: the inputs play no part.",
        ),
        numpy_inside("return Tensor(out_grad.data), Tensor(-out_grad.data)"),
    ),
)  # fmt: skip
