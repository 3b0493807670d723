"""What chapter 3 is judged by: a template per property over the op table, and the engine."""

from __future__ import annotations

from collections.abc import Iterator

from exercises.chapter3 import div
from grader.course import REAL, Check, shapes

from ..op_checks import backward_checks, forward_checks
from ..operator_checks import operator_checks

OPERATORS = (
    # exercise, cases (name, expression, the same in NumPy and PyTorch, shapes), words that teach it
    (
        "chapter3.div.operator",
        (
            ("tensors", "x0 / x1", lambda a, b: a / b, ((2,), (2,))),
            ("number", "x0 / 2.5", lambda a: a / 2.5, ((2, 3),)),
        ),
        "`other` is a Tensor or a number",
    ),
    (
        "chapter3.div.reflected",
        (("number", "2.5 / x0", lambda a: 2.5 / a, ((3,),)),),
        "for a number ``other``: ``1 / x``",
    ),
)


def checks(seed: str) -> Iterator[Check]:
    """Every check of the chapter, its samples drawn from ``seed``."""
    hidden = (shapes((), ()), shapes((2, 1, 3), (2, 1, 3)))
    yield from forward_checks(div.ROW, "chapter3.div.forward", hidden, seed)
    yield from backward_checks(div.ROW, "chapter3.div.backward", hidden, seed)
    for exercise, cases, taught in OPERATORS:
        yield from operator_checks(exercise, cases, (REAL, REAL), taught, seed)
