"""Addition: `Add` is given, the operators `+` on both sides are not."""

from grader.course import body, edit, exercise

from .standard import EVERY_GRAPH, EVERY_NUMBER, EVERY_REFLECTED, standard


@exercise("chapter3.add.operator", targets=("tensor.Tensor.__add__",), points=1, minutes=2)
class OPERATOR:
    """Python calls this for `x + y` and for `x + 5`. `isinstance(other, Tensor)` tells the two
    cases apart.

    The functions at the end of `ops.py` make a node: one of them adds two Tensors, another adds a
    number to a Tensor.
    """

    graph = standard(EVERY_GRAPH, "+", "add")

    numbers = standard(EVERY_NUMBER, "+", "add")

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

    usual = standard(EVERY_REFLECTED, "+", "add")

    number_dropped = body("return self")
    """You returned `self` unchanged. That works for `sum([...])`, which starts from 0, but not for
    `5 + x`."""

    number_as_tensor = body("return ops.add(self, other)", has=(r"\bops\.add\(",))
    """`other` is always a plain number here, and `ops.add` takes two Tensors."""
