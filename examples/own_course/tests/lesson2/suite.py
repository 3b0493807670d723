"""What lesson 2 is judged by."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grader.course import REAL, Check, Probe, rng_for

RIGHT = {
    "covariance": lambda x, y: np.cov(x, y, ddof=0)[0, 1],
    "correlation": lambda x, y: np.corrcoef(x, y)[0, 1],
}
TAUGHT = {
    "covariance": "The mean of the products of both distances from their own means",
    "correlation": "The covariance in units of both standard deviations",
}


def checks(seed: str) -> Iterator[Check]:
    """Every check of the lesson, its values drawn from ``seed``."""
    for name, taught in TAUGHT.items():
        for kind, sign in (("rises", 1), ("falls", -1)):
            probe = _related(name, f"lesson2.{name}/{kind}", sign, seed)
            says = f"{name} is right where one list {kind} as the other rises."
            hidden = kind == "falls"
            yield Check(f"lesson2.{name}", kind, (probe,), taught, says=says, hidden=hidden)
    for kind, size in (("value", 4), ("longer", 9)):
        probe = _running(f"lesson2.running/{kind}", size, seed)
        hidden = kind == "longer"
        taught = "Mean and spread of numbers that come one by one"
        yield Check("lesson2.running", kind, (probe,), taught, hidden=hidden)


def _related(name: str, place: str, sign: int, seed: str) -> Probe:
    rng = rng_for(seed, place)
    x = REAL.draw(rng, (6,))
    y = 1.7 + sign * x + 0.5 * REAL.draw(rng, (6,))
    formula = {"numpy": lambda: {"value": [np.asarray(RIGHT[name](x, y))]}}
    return Probe("lists.related", (name, x, y), f"{name}(x, y)", oracles=formula)


def _running(place: str, size: int, seed: str) -> Probe:
    values = REAL.draw(rng_for(seed, place), (size,))
    squares = np.sum((values - values.mean()) ** 2)
    told = [np.asarray(float(size)), values.mean(), squares]
    return Probe(
        "lists.running", (values,), "update(value) for each of the values",
        oracles={"numpy": lambda: {"value": told}},
    )  # fmt: skip
