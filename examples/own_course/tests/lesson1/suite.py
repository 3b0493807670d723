"""What lesson 1 is judged by."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from grader.course import POSITIVE, REAL, Check, Domain, Probe, rng_for

# exercise, program, call, what NumPy says, arguments after the values, what announces it
ROWS: tuple[tuple[str, str, Callable[..., Any], tuple[Any, ...], str], ...] = (
    ("mean", "mean(values)", np.mean, (), "The sum of all values divided by how many there are"),
    ("variance", "variance(values)", np.var, (0,), "The sum of the squared distances"),
    ("standardize", "standardize(values)", lambda x: (x - x.mean()) / x.std(), (),
     "with mean 0 and variance 1"),
)  # fmt: skip


def checks(seed: str) -> Iterator[Check]:
    """Every check of the lesson, its values drawn from ``seed``."""
    for name, call, right, more, taught in ROWS:
        exercise = f"lesson1.{name}"
        for kind, domain, size in (("value", REAL, 5), ("longer", POSITIVE, 8)):
            probe = _probe(f"{exercise}/{kind}", seed, name, call, right, more, domain, size)
            says = f"{name} is right for other values, too." if kind == "longer" else ""
            yield Check(exercise, kind, (probe,), taught, says=says, hidden=kind == "longer")
    yield _sample(seed)
    yield _left_alone(seed)


def _probe(
    name: str, seed: str, program: str, call: str, right: Callable[..., Any],
    more: tuple[Any, ...], domain: Domain, size: int,
) -> Probe:  # fmt: skip
    values = domain.draw(rng_for(seed, name), (size,))
    formula = {"numpy": lambda: {"value": [np.asarray(right(values))]}}
    return Probe(f"lists.{program}", (values, *more), call, oracles=formula)


def _sample(seed: str) -> Check:
    """The other divisor: a sample's variance."""
    values = REAL.draw(rng_for(seed, "lesson1.variance/sample"), (4,))
    formula = {"numpy": lambda: {"value": [np.var(values, ddof=1)]}}
    call = "variance(values, ddof=1)"
    probe = Probe("lists.variance", (values, 1), call, oracles=formula)
    says = "variance divides by n - 1 where ddof is 1."
    return Check("lesson1.variance", "sample", (probe,), "divided by n - ddof", says=says)


def _left_alone(seed: str) -> Check:
    values = REAL.draw(rng_for(seed, "lesson1.standardize/alone"), (6,))
    probe = Probe("lists.standardize", (values,), "standardize(values)")
    return Check(
        "lesson1.standardize", "alone", (probe,), "A new array of the same shape", part="inputs",
        says="standardize leaves the values as they were.", weight=0.5,
    )  # fmt: skip
