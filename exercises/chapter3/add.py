"""Addition: `Add` is given, the operators `+` on both sides are not."""

from grader.course import Exercise, Mistake

from .mistakes import asks_for_ndarray, bare_number, data_only, number_as_tensor, wrapped_again

OPERATOR = Exercise(
    "chapter3.add.operator",
    section="3.3",
    targets=("tensor.Tensor.__add__",),
    points=1,
    minutes=2,
    hints=(
        "Python calls this for `x + y` and for `x + 5`. `isinstance(other, Tensor)` tells the "
        "two cases apart.",
        "The functions at the end of `ops.py` make a node: one of them adds two Tensors, "
        "another adds a number to a Tensor.",
    ),
    mistakes=(
        data_only("return Tensor(self.data + getattr(other, 'data', other), dtype=self.dtype)"),
        asks_for_ndarray("add", "ops.add_scalar(self, other)"),
        number_as_tensor("return ops.add(self, other)"),
        wrapped_again(
            "other = Tensor(getattr(other, 'data', other), dtype=self.dtype)\n"
            "return ops.add(self, other)"
        ),
        *bare_number(
            "other = other if isinstance(other, Tensor) else Tensor(other)\n"
            "return ops.add(self, other)"
        ),
        Mistake(
            "self-twice",
            "if isinstance(other, Tensor):\n    return ops.add(self, self)\n"
            "return ops.add_scalar(self, other)",
            "You added `self` to itself; `other` takes no part.",
        ),
    ),
)

REFLECTED = Exercise(
    "chapter3.add.reflected",
    section="3.3",
    targets=("tensor.Tensor.__radd__",),
    points=1,
    minutes=1,
    hints=(
        "Python calls this for `5 + x`, after it asked the number 5 in vain. `other` is the 5.",
        "The order does not matter in a sum, so this is the work of another method.",
    ),
    mistakes=(
        data_only("return Tensor(other + self.data, dtype=self.dtype)"),
        *bare_number("return ops.add(Tensor(other), self)"),
        Mistake(
            "number-dropped", "return self",
            "You returned `self` unchanged. That serves `sum([...])`, which starts from 0, but "
            "not `5 + x`.",
        ),
        Mistake(
            "number-as-tensor", "return ops.add(self, other)",
            "`other` is always a plain number here, and `ops.add` takes two Tensors.",
        ),
    ),
)  # fmt: skip
