"""The checks of chapter 3: a template per property over the op table, and the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

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
from grader.course import REAL, Check, OpRow, OpSample, Parts, Probe, numeric, rng_for

from ..op_checks import again_check, backward_checks, forward_checks
from ..operator_checks import number_checks, operands_check, operator_checks
from .engine import engine_checks
from .hidden import DIVISORS, EXPONENTS, FACTORS, ONE, TWO, level
from .hidden_shapes import HIDDEN
from .operators import OPERATORS, WITH_NUMBERS

INFINITE = "NumPy's `inf` at least tells you"
Template = Callable[[OpRow, str, Sequence[OpSample], str], list[Check]]
Line = tuple[Template, OpRow, str, Sequence[OpSample]]


def both(row: OpRow, op: str, hidden: Sequence[OpSample]) -> tuple[Line, Line]:
    """The two lines of an op of which the learner writes forward and backward."""
    return (
        (partial(forward_checks, float32=True), row, f"{op}.forward", hidden),
        (backward_checks, row, f"{op}.backward", hidden),
    )


def attributed(row: OpRow, op: str, hidden: Sequence[OpSample], at: float = 0) -> tuple[Line, Line]:
    """The two lines of an op with attributes, whose gradient does not lie in its output alone.

    Args:
        at: a value of which many ops with other attributes, or inputs of another shape, make the
            same: 0 · 2 = 0 · 3, and 1² = 1³. The first hidden sample is drawn all the same.
    """
    return (
        (partial(forward_checks, alike=True, float32=True), row, f"{op}.forward", hidden),
        (
            partial(backward_checks, alike=True),
            row,
            f"{op}.backward",
            [*hidden[:1], *level(hidden[1:], at)],
        ),
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
    *attributed(reshape.ROW, "chapter3.reshape", HIDDEN["chapter3.reshape"]),
    *attributed(transpose.ROW, "chapter3.transpose", HIDDEN["chapter3.transpose"]),
    *attributed(summation.ROW, "chapter3.summation", HIDDEN["chapter3.summation"]),
    *attributed(broadcast_to.ROW, "chapter3.broadcast_to", HIDDEN["chapter3.broadcast_to"]),
    *both(matmul.ROW, "chapter3.matmul", HIDDEN["chapter3.matmul"]),
    *attributed(scalars.MUL_ROW, "chapter3.mul_scalar", FACTORS),
    *attributed(scalars.DIV_ROW, "chapter3.div_scalar", DIVISORS),
    *attributed(scalars.POWER_ROW, "chapter3.power_scalar", EXPONENTS, at=1),
)


def checks(seed: str) -> Iterator[Check]:
    """Every check of the chapter, its samples drawn from ``seed``."""
    for template, row, exercise, hidden in OPS:
        for check in template(row, exercise, hidden, seed):
            permuted = check.id == "chapter3.transpose.backward/again"
            yield _with_axes(check, seed) if permuted else check
    for exercise, taught, domains, cases in OPERATORS:
        written = operator_checks(exercise, cases, domains, taught, seed)
        yield from (*written, operands_check(written))
    for exercise, expression, function, domain in WITH_NUMBERS:
        yield from number_checks(exercise, expression, function, domain, seed)
    # It has no number, but may be made with one: 0 - x.
    yield number_checks("chapter3.negate.operator", "-x0", lambda a: -a, REAL, seed)[1]
    yield from at_zero(seed)
    yield of_the_base(seed)
    yield sigmoid_without_overflow(seed)
    yield never_to_fewer_axes(seed)
    yield from engine_checks(seed)


def _with_axes(again: Check, seed: str) -> Check:
    """A permutation is undone in a branch of its own, which has to remember how, too."""
    (permutation,) = (g for g in transpose.ROW.groups if g.name == "permutation")
    more = again_check(transpose.ROW, again.exercise, permutation.samples[-1:], f"{seed}/axes")
    return replace(again, probes=(*again.probes, *more.probes))


def at_zero(seed: str) -> Iterator[Check]:
    """A division by 0 and the logarithm of 0 are infinite, as NumPy has them."""
    top = REAL.draw(rng_for(seed, "chapter3.div.forward/zero"), (2,))
    for name, arrays, right in (
        ("Div", [top, np.zeros(2)], np.sign(top) * np.inf),
        ("Log", [np.zeros(2)], np.full(2, -np.inf)),
    ):
        probe = Probe(
            "operators.unguarded", (name, arrays), f"{name}().forward(…) at 0",
            {"numpy": partial(dict, value=[right])},
        )  # fmt: skip
        yield Check(
            f"chapter3.{name.lower()}.forward", "zero", (probe,), INFINITE, weight=0.5,
            fixed="0 is the point",
        )  # fmt: skip


def of_the_base(seed: str) -> Check:
    """Of a base that is 0 or negative, a whole power has a slope all the same."""
    base, exponent = np.array([0.0, -1.5, 2.5]), np.array([2.0, 3.0, -2.0])
    cotangent = REAL.draw(rng_for(seed, "chapter3.pow.backward/base"), (3,))

    def derivative() -> Parts:
        return {"value": numeric.vjp(lambda a: a**exponent, [base], cotangent, analytic=True)}

    def twin(torch: Any) -> Parts:
        leaf = torch.tensor(base, requires_grad=True)
        (leaf ** torch.tensor(exponent)).backward(torch.tensor(cotangent))
        return {"value": [leaf.grad.numpy()]}

    probe = Probe(
        "operators.of_the_base", ([base, exponent], cotangent),
        f"Pow().backward(out_grad, node) at (a, b), where a = {base.tolist()} and b = "
        f"{exponent.tolist()}; the gradient of a",
        {"finite_difference": derivative}, twin,
    )  # fmt: skip
    return Check(
        "chapter3.pow.backward", "base", (probe,), "d(aᵇ)/da = b·aᵇ⁻¹", compare="rounded",
        weight=0.5, fixed="0 and a negative number are the point",
        says="Pow.backward returns the gradient of a base that is 0 or negative, too.",
    )  # fmt: skip


def sigmoid_without_overflow(seed: str) -> Check:
    """A sigmoid may reach the right values by way of an infinite power of e."""
    a = REAL.draw(rng_for(seed, "chapter3.sigmoid.forward/overflow"), (6,))
    a[:2] = a[:2] / np.abs(a[:2]) * 800 + a[:2]
    a[4:] = a[4:] / np.abs(a[4:]) * 1e308  # whose square overflows, too
    probe = Probe(
        "overflow.forward",
        ("Sigmoid", a),
        "Sigmoid().forward(a)",
        oracles={"numpy": lambda: {"value": [np.exp(-np.logaddexp(0, -a))]}},
    )
    taught = "value by value; no overflow for any finite `a`"
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
        says="BroadcastTo.forward raises a ValueError where axes would have to go.",
    )  # fmt: skip
