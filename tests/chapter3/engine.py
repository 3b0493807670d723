"""The second half of chapter 3 beyond its op rows: methods, the walk, broadcasting, bug hunt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from grader.course import REAL, Check, Probe

from ..operator_checks import operands_check, operator_checks
from .broadcast_checks import broadcast_checks
from .hidden_shapes import HIDDEN
from .walk_checks import backward_checks, mend_checks, order_checks

__all__ = ["HIDDEN", "engine_checks"]


def _matrix_product(a, b):
    return a @ b


METHODS = (
    # exercise, cases (name, expression, the same in NumPy and PyTorch, shapes), words that teach it
    (
        "chapter3.reshape.method",
        (
            ("numbers", "x0.reshape(3, 2)", lambda a: a.reshape(3, 2), ((2, 3),)),
            ("tuple", "x0.reshape((3, 2))", lambda a: a.reshape(3, 2), ((2, 3),)),
            ("one-axis", "x0.reshape(6)", lambda a: a.reshape(6), ((2, 3),)),
            ("no-axes", "x0.reshape(())", lambda a: a.reshape(()), ((1,),)),
            ("minus-one", "x0.reshape(4, -1)", lambda a: a.reshape(4, 3), ((2, 3, 2),)),
        ),
        "The same values in another shape: `x.reshape(2, 3)` or `x.reshape((2, 3))`",
    ),
    (
        "chapter3.transpose.method",
        (
            ("matrix", "x0.transpose()", lambda a: a.swapaxes(0, 1), ((2, 3),)),
            (
                "permutation", "x0.transpose((1, 2, 0))",
                lambda a: a.swapaxes(0, 1).swapaxes(1, 2), ((2, 3, 4),),
            ),
            ("last-two", "x0.transpose()", lambda a: a.swapaxes(1, 2), ((2, 3, 4),)),
        ),
        "The last two axes swapped; or, with `axes`, the axes in that order",
    ),
    (
        "chapter3.summation.method",
        (
            ("axis-0", "x0.sum(0)", lambda a: a.sum(0), ((2, 3),)),
            ("all", "x0.sum()", lambda a: a.sum(), ((2, 3),)),
            ("by-name", "x0.sum(axes=1)", lambda a: a.sum(1), ((2, 3),)),
            ("negative", "x0.sum(-1)", lambda a: a.sum(-1), ((2, 3),)),
            ("several", "x0.sum((0, 2))", lambda a: a.sum((0, 2)), ((2, 3, 4),)),
        ),
        "The sum over `axes` (None: over all of them); these axes are gone in the result",
    ),
    (
        "chapter3.broadcast_to.method",
        (
            ("added", "x0.broadcast_to((2, 3))", lambda a: a.reshape(1, 3)[[0, 0]], ((3,),)),
            ("stretched", "x0.broadcast_to((2, 3))", lambda a: a[:, [0, 0, 0]], ((2, 1),)),
        ),
        "The values repeated until they fill `shape`, by NumPy's broadcasting rule",
    ),
    (
        "chapter3.matmul.method",
        (
            ("square", "x0.matmul(x1)", _matrix_product, ((2, 2), (2, 2))),
            ("matrices", "x0.matmul(x1)", _matrix_product, ((2, 3), (3, 4))),
            ("batch", "x0.matmul(x1)", _matrix_product, ((2, 2, 3), (2, 3, 4))),
        ),
        "The matrix product, as a method: `a.matmul(b)` is `a @ b`",
    ),
    (
        "chapter3.matmul.operator",
        (
            ("square", "x0 @ x1", _matrix_product, ((2, 2), (2, 2))),
            ("matrices", "x0 @ x1", _matrix_product, ((2, 3), (3, 4))),
            ("batch", "x0 @ x1", _matrix_product, ((2, 2, 3), (2, 3, 4))),
        ),
        "`self @ other`, the matrix product",
    ),
)  # fmt: skip


def method_checks(seed: str) -> Iterator[Check]:
    """The methods of Tensor: right values, and a result that remembers how it was made."""
    for exercise, cases, taught in METHODS:
        written = operator_checks(exercise, cases, (REAL, REAL), taught, seed)
        for check in (*written, operands_check(written)):
            full_sum = check.id == "chapter3.summation.method/all"
            yield replace(check, scalar_shape=True) if full_sum else check


FIXED = "the diamond that the prose draws"


def prediction_checks() -> Iterator[Check]:
    """The two numbers of the bug hunt that a learner works out on paper."""
    probe = Probe(
        "engine.predicted", (), "predict_diamond()",
        {"numpy": lambda: {"right": [np.array(4 * 3.0)], "naive": [np.array(2 * 3.0 * (1 + 2))]}},
        lambda torch: {"right": [_torch_diamond(torch)]},
    )  # fmt: skip
    exercise = "chapter3.bughunt.predict"
    graph = "`y = x * x`, `z = y + y`, started from 1"
    taught = f"{graph} … the gradient of `x` that is right"
    says = "The first number is the right gradient of x."
    yield Check(exercise, "right", (probe,), taught, "right", says, compare="guess", fixed=FIXED)
    taught = f"{graph} … the one that `naive_backward(z, ...)` leaves in `x.grad`"
    says = "The second number is what naive_backward leaves in x.grad."
    yield Check(exercise, "naive", (probe,), taught, "naive", says, compare="guess", fixed=FIXED)


def _torch_diamond(torch):
    x = torch.tensor(3.0, dtype=torch.float64, requires_grad=True)
    y = x * x
    (y + y).backward()
    return x.grad.numpy()


def engine_checks(seed: str) -> Iterator[Check]:
    """Every check of this half but those that the op rows give."""
    yield from method_checks(seed)
    yield from order_checks(seed)
    yield from backward_checks(seed)
    yield from broadcast_checks(seed)
    yield from prediction_checks()
    yield from mend_checks(seed)
