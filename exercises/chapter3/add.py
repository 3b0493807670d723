"""Addition: `Add` is given, the operators `+` on both sides are not."""

from grader.course import body, edit, exercise, mistake

from .sentences import (
    ASKS_FOR_NDARRAY,
    BARE_NUMBER,
    DATA_ONLY,
    NUMBER_AS_TENSOR,
    NUMBER_WITH_GRADIENT,
    OWN_DTYPE,
    SWAPPED_NUMBER,
    WRAPPED_AGAIN,
)


@exercise("chapter3.add.operator", targets=("tensor.Tensor.__add__",), points=1, minutes=2)
class OPERATOR:
    """Python calls this for `x + y` and for `x + 5`. `isinstance(other, Tensor)` tells the two
    cases apart.

    The functions at the end of `ops.py` make a node: one of them adds two Tensors, another adds a
    number to a Tensor.
    """

    data_only = body(
        'return Tensor(self.data + getattr(other, "data", other), dtype=self.dtype)', says=DATA_ONLY
    )
    asks_for_ndarray = edit(
        ("Tensor", "NDArray"),
        ("(self, number(other))", "(self, other)"),
        says=ASKS_FOR_NDARRAY,
        has=(r"isinstance\(other, \(?(?:NDArray|np\.ndarray)",),
    )
    number_as_tensor = body(
        "return ops.add(self, other)", says=NUMBER_AS_TENSOR, lacks=SWAPPED_NUMBER
    )

    @mistake(says=WRAPPED_AGAIN)
    def wrapped_again(self, other):
        other = Tensor(getattr(other, "data", other), dtype=self.dtype)
        return ops.add(self, other)

    @mistake(says=BARE_NUMBER, lacks=OWN_DTYPE)
    def bare_number(self, other):
        other = other if isinstance(other, Tensor) else Tensor(other)
        return ops.add(self, other)

    @mistake(says=NUMBER_WITH_GRADIENT, has=OWN_DTYPE)
    def number_with_gradient(self, other):
        other = other if isinstance(other, Tensor) else Tensor(other, dtype=self.dtype)
        return ops.add(self, other)

    self_twice = edit((" other", " self"), ("(self, number(other))", "(self, other)"))
    """You added `self` to itself; `other` isn't used."""


@exercise(
    "chapter3.add.reflected", targets=("tensor.Tensor.__radd__",), points=1, minutes=1, difficulty=1
)
class REFLECTED:
    """Python calls this for `5 + x`, because the number 5 doesn't know how to add a Tensor. `other`
    is the 5.

    The order doesn't matter in a sum, so another method can do the work.
    """

    data_only = body("return Tensor(other + self.data, dtype=self.dtype)", says=DATA_ONLY)
    bare_number = body("return ops.add(Tensor(other), self)", says=BARE_NUMBER, lacks=OWN_DTYPE)
    number_with_gradient = body(
        "return ops.add(Tensor(other, dtype=self.dtype), self)",
        says=NUMBER_WITH_GRADIENT,
        has=OWN_DTYPE,
    )

    number_dropped = body("return self")
    """You returned `self` unchanged. That works for `sum([...])`, which starts from 0, but not for
    `5 + x`."""

    number_as_tensor = body("return ops.add(self, other)", has=(r"\bops\.add\(",))
    """`other` is always a plain number here, and `ops.add` takes two Tensors."""
