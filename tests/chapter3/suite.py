"""What chapter 3 is judged by: a template per property over the op table, and the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from exercises.chapter3 import (
    abs,
    broadcast_to,
    div,
    exp,
    log,
    matmul,
    mul,
    negate,
    pow,
    relu,
    reshape,
    scalars,
    sigmoid,
    sqrt,
    sub,
    summation,
    tanh,
    transpose,
)
from grader.course import REAL, Check, OpRow, Probe, Sample, rng_for

from ..op_checks import backward_checks, forward_checks
from ..operator_checks import number_checks, operator_checks
from .engine import engine_checks
from .hidden import DIVISORS, EXPONENTS, FACTORS, ONE, TWO
from .hidden_shapes import HIDDEN
from .operators import OPERATORS, WITH_NUMBERS

Template = Callable[[OpRow, str, Sequence[Sample], str], list[Check]]
Line = tuple[Template, OpRow, str, Sequence[Sample]]


def both(row: OpRow, op: str, hidden: Sequence[Sample]) -> tuple[Line, Line]:
    """The two lines of an op of which the learner writes forward and backward."""
    return (
        (forward_checks, row, f"{op}.forward", hidden),
        (backward_checks, row, f"{op}.backward", hidden),
    )


OPS: tuple[Line, ...] = (
    # template, row, exercise, hidden samples
    *both(sub.ROW, "chapter3.sub", TWO),
    (backward_checks, mul.ROW, "chapter3.mul.backward", TWO),  # its forward is given
    *both(div.ROW, "chapter3.div", TWO),
    *both(pow.ROW, "chapter3.pow", TWO),
    *both(negate.ROW, "chapter3.negate", ONE),
    *both(log.ROW, "chapter3.log", ONE),
    *both(exp.ROW, "chapter3.exp", ONE),
    *both(sqrt.ROW, "chapter3.sqrt", ONE),
    *both(abs.ROW, "chapter3.abs", ONE),
    *both(relu.ROW, "chapter3.relu", ONE),
    *both(sigmoid.ROW, "chapter3.sigmoid", ONE),
    *both(tanh.ROW, "chapter3.tanh", ONE),
    *both(reshape.ROW, "chapter3.reshape", HIDDEN["chapter3.reshape"]),
    *both(transpose.ROW, "chapter3.transpose", HIDDEN["chapter3.transpose"]),
    *both(summation.ROW, "chapter3.summation", HIDDEN["chapter3.summation"]),
    *both(broadcast_to.ROW, "chapter3.broadcast_to", HIDDEN["chapter3.broadcast_to"]),
    *both(matmul.ROW, "chapter3.matmul", HIDDEN["chapter3.matmul"]),
    *both(scalars.MUL_ROW, "chapter3.mul_scalar", FACTORS),
    *both(scalars.DIV_ROW, "chapter3.div_scalar", DIVISORS),
    *both(scalars.POWER_ROW, "chapter3.power_scalar", EXPONENTS),
)


def checks(seed: str) -> Iterator[Check]:
    """Every check of the chapter, its samples drawn from ``seed``."""
    for template, row, exercise, hidden in OPS:
        yield from template(row, exercise, hidden, seed)
    for exercise, taught, domains, cases in OPERATORS:
        yield from operator_checks(exercise, cases, domains, taught, seed)
    for exercise, expression, function, domain in WITH_NUMBERS:
        yield from number_checks(exercise, expression, function, domain, seed)
    yield sigmoid_without_overflow(seed)
    yield never_to_fewer_axes(seed)
    yield from engine_checks(seed)


def sigmoid_without_overflow(seed: str) -> Check:
    """A sigmoid may reach the right values by way of an infinite power of e."""
    a = REAL.draw(rng_for(seed, "chapter3.sigmoid.forward/overflow"), (4,))
    a[:2] = a[:2] / np.abs(a[:2]) * 800 + a[:2]
    probe = Probe(
        "overflow.forward",
        ("Sigmoid", a),
        "Sigmoid().forward(a)",
        oracles={"numpy": lambda: {"value": [np.exp(-np.logaddexp(0, -a))]}},
    )
    taught = "no overflow for any finite `a`"
    return Check("chapter3.sigmoid.forward", "overflow", (probe,), taught, weight=0.5)


def never_to_fewer_axes(seed: str) -> Check:
    """Broadcasting adds axes and stretches them; it never takes one away."""
    rng = rng_for(seed, "chapter3.broadcast_to.forward/fewer-axes")
    probes = tuple(
        Probe(
            "operators.refuses",
            ("BroadcastTo", ((3,),), [REAL.draw(rng, shape)]),
            f"BroadcastTo((3,)).forward(a), where a has the shape {shape}",
        )
        for shape in ((2, 3), (1, 3))
    )
    return Check(
        "chapter3.broadcast_to.forward", "fewer-axes", probes,
        "fewer axes than `a` has are a ValueError", weight=0.5, compare="text",
        says="BroadcastTo.forward raises an error where axes would have to go.",
    )  # fmt: skip
