"""Zeroing, and the check of gradients against numeric slopes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np

from grader.course import POSITIVE, REAL, Check, Parts, Probe, number_for, numeric, rng_for

FORMULA = (
    "`|g - n| / max(|g|, |n|, 1e-4)`, where g is the `grad` that `backward` leaves and n is the "
    "central difference"
)


def checks(seed: str) -> Iterator[Check]:
    yield from _zeroing(seed)
    yield from _gradient_check(seed)


def _zeroing(seed: str) -> Iterator[Check]:
    exercise = "chapter1.zero_grad"
    rng = rng_for(seed, exercise)
    numbers, held = ([float(x) for x in REAL.draw(rng, (3,))] for _ in range(2))
    held[-1] = np.inf  # a training run that went astray

    def right() -> Parts:
        return {"grad": [np.array([x, 0.0]) for x in held], "data": [np.array(x) for x in numbers]}

    probe = Probe(
        "scalars.zeroed",
        (numbers, held),
        f"zero_grad of three Values with data {numbers} and grad {held}",
        oracles={"numpy": right},
    )
    taught = "Set `grad` of every Value in `parameters` to 0.0"
    yield Check(exercise, "grad", (probe,), taught, part="grad")
    yield Check(
        exercise, "data", (probe,), "their `data` stays", part="data",
        says="zero_grad leaves the data alone.",
    )  # fmt: skip


def _gradient_check(seed: str) -> Iterator[Check]:
    exercise = "chapter1.check_gradients"
    rng = rng_for(seed, exercise)
    right = _error_probe(rng, (1.0, 1.0), None)
    factor = number_for(seed, f"{exercise}/wrong", 0.4, 0.15, 0.85)
    wrong = _error_probe(rng, (1.0, factor), None)
    wide = _error_probe(rng, (1.0, 1.0), 0.1)
    more = _error_probe(rng, (0.0, -1.7, 1.6), 0.05)
    flat = _error_probe(rng, (1.0, factor), None, at=(0.03, 0.5))
    gentle = _error_probe(rng, (1.0, factor), None, scale=0.3)
    level = _error_probe(rng, (1.0, 1.0), None, powers=(3.0, 0.0))
    restored = "Afterwards every leaf holds the `data` and the `grad` that it held before"
    for name, says, probe, part, taught in (
        ("wrong", "Where a rule is wrong, its leaf's error says so.", wrong, "errors", FORMULA),
        ("right", "Where backward is right, the error of every leaf is next to 0.", right, "errors",
         "distance of `backward` from the central difference … in `grad` before does not count"),
        ("small-slopes", "Errors are relative where slopes are small, too.", gentle, "errors",
         "The 1e-4 is there for slopes near 0"),
        ("zero-slope", "A leaf that moves nothing has the error 0.", level, "errors",
         "The 1e-4 keeps a derivative of 0 from dividing by 0"),
        ("floor", "Below 1e-4, errors are measured by 1e-4.", flat, "errors", FORMULA),
        ("nudges", "Without epsilon, every leaf is nudged by 1e-5.", right, "nudges",
         "It is called again after every nudge … how far each leaf is nudged to either side"),
        ("which", "An expression may be a leaf; what is made from a leaf is none.", right, "which",
         "A leaf is a Value without `_prev` that is still there"),
        ("epsilon", "epsilon is the step to either side.", wide, "errors",
         "how far each leaf is nudged to either side"),
        ("entries", "There is one entry per leaf; a number in the expression is none.", wide,
         "entries", "A dict with one entry per leaf … so it is not counted"),
        ("data", "Every leaf has its data back.", wide, "data", restored),
        ("grad", "Every leaf has its grad back.", right, "grad", restored),
    ):  # fmt: skip
        yield Check(exercise, name, (probe,), taught, part=part, says=says)
    says = "Every leaf has its data back to the last bit."
    yield Check(exercise, "exactly", (right, wide, more), restored, part="exactly", says=says)
    yield Check(
        exercise, "more", (more,), FORMULA, part="errors", hidden=True,
        says="The relative errors of other expressions are right too.",
    )  # fmt: skip


def _error_probe(
    rng: Random, factors: tuple[float, ...], epsilon: float | None,
    powers: tuple[float, ...] = (3.0, 2.0, -1.0), scale: float = 1.0, at: tuple[float, ...] = (),
) -> Probe:  # fmt: skip
    """A product of powers whose slopes are told wrong by ``factors``; ``scale`` makes it small."""
    numbers = np.array(at) if at else scale * POSITIVE.draw(rng, (len(factors),))
    powers = powers[: len(factors)]

    def value(*leaves: Any) -> Any:
        return 1.7 * np.prod([x**p for x, p in zip(leaves, powers, strict=True)])

    def errors() -> Parts:
        slopes = numeric.vjp(value, [np.array(x) for x in numbers], np.array(1.0), analytic=True)
        step, told = epsilon or 1e-5, []
        for i, (slope, factor) in enumerate(zip(slopes, factors, strict=True)):
            nudge = step * np.eye(len(numbers))[i]
            n = (value(*(numbers + nudge)) - value(*(numbers - nudge))) / (2 * step)
            told.append(abs(factor * slope - n) / max(abs(factor * slope), abs(n), 1e-4))
        return {
            "errors": [np.array(told, dtype="float32")],
            "entries": [np.array(float(len(numbers)))],
            "data": [np.array(x) for x in numbers],
            "grad": [np.array(0.75)] * len(numbers),
            "nudges": [np.ones(len(numbers))],
            "exactly": [np.ones(len(numbers), dtype=bool)],
            "which": [np.array([True, True])],
        }

    more = "" if epsilon is None else f", {epsilon}"
    formula = " * ".join(["1.7", *(f"x{i}**{p:g}" for i, p in enumerate(powers))])
    where = ", ".join(f"x{i} = {x:.4g}" for i, x in enumerate(numbers))
    wrong = "".join(
        f", the rule of x{i} passes on {f:g} times the slope"
        for i, f in enumerate(factors) if f != 1
    )  # fmt: skip
    call = f"check_gradients(lambda: {formula}{more}) at {where}, 0.75 in every grad{wrong}"
    args = ([float(x) for x in numbers], list(powers), list(factors), epsilon)
    oracles: dict[str, Callable[[], Parts]] = {"numpy": errors}
    return Probe("scalars.gradient_check", args, call, oracles=oracles)
