"""Mistakes that every op knows. A page names those that fit its op; here they are written.

A row of a `RULE` changes its reference, whatever that is:

    numpy_inside = RULE.numpy_inside

Those of operators are written for `+`, and the machine writes them for the others. One row stands
for several mistakes, at its place of the class:

    graph = standard(EVERY_GRAPH, "-", "sub", but="number-as-tensor")
"""

from dataclasses import replace

from grader.course import Mistake, body, edit, first, mistake, result
from grader.course.bodies import read_bodies

from .sentences import (
    ASKS_FOR_NDARRAY,
    BARE_NUMBER,
    DATA_ONLY,
    FLOAT32,
    FORGOT_OUT_GRAD,
    IN_PLACE,
    NUMBER_AS_TENSOR,
    NUMBER_WITH_GRADIENT,
    NUMPY_INSIDE,
    OWN_DTYPE,
    SWAPPED_NUMBER,
    WRAPPED_AGAIN,
)


class RULE:
    in_place = result("np.positive({}, out=a)", says=IN_PLACE)
    float32 = first("a = np.float32(a)", says=FLOAT32)

    # With two forms of one mistake, a page names the one that gives what learners' code gives: a
    # slope without its factor, or a gradient of ones; a Tensor of its own, or one that keeps the
    # dtype.
    out_grad_one = first("out_grad = 1", says=FORGOT_OUT_GRAD)
    out_grad_ones = first("out_grad = Tensor(np.ones(out_grad.shape))", says=FORGOT_OUT_GRAD)
    numpy_inside = result("Tensor({}.data)", says=NUMPY_INSIDE)
    detached = result("{}.detach()", says=NUMPY_INSIDE)


class EVERY_GRAPH:
    data_only = body(
        'return Tensor(self.data + getattr(other, "data", other), dtype=self.dtype)', says=DATA_ONLY
    )
    asks_for_ndarray = edit(
        ("Tensor", "NDArray"),
        ("number(other)", "other"),
        says=ASKS_FOR_NDARRAY,
        has=(r"isinstance\(other, \(?(?:NDArray|np\.ndarray)",),
    )
    number_as_tensor = body(
        "return ops.add(self, other)", says=NUMBER_AS_TENSOR, lacks=SWAPPED_NUMBER
    )


class EVERY_NUMBER:
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


class EVERY_REFLECTED:
    data_only = body("return Tensor(other + self.data, dtype=self.dtype)", says=DATA_ONLY)
    bare_number = body("return ops.add(Tensor(other), self)", says=BARE_NUMBER, lacks=OWN_DTYPE)
    number_with_gradient = body(
        "return ops.add(Tensor(other, dtype=self.dtype), self)",
        says=NUMBER_WITH_GRADIENT,
        has=OWN_DTYPE,
    )


def standard(rows: type, sign: str, function: str, but: str = "") -> tuple[Mistake, ...]:
    """Return the mistakes of a class above for another operator than `+`.

    Args:
        function: what makes its node, in `ops`.
        but: the name of one that the suite cannot tell from another, or that is right there.
    """
    return tuple(
        replace(
            row, body=row.body.replace(" + ", f" {sign} ").replace("ops.add", f"ops.{function}")
        )
        for row in read_bodies(rows)
        if row.name != but
    )
