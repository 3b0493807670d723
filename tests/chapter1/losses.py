"""The two losses: mean squared error and binary cross-entropy."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

from grader.course import REAL, Check, Domain, Probe, rng_for

from .networks import numbers, oracles_of, twin_of

UNIT = Domain(0.12, 0.88, signed=False)


def checks(seed: str) -> Iterator[Check]:
    for function, domain, targets, taught, formula, name in (
        ("mean_squared_error", REAL, ((1.5, -0.5, 2.25), (-1.0, 1.0, 0.5, -2.0)),
         "The mean of `(prediction - target)²` over all pairs",
         lambda p, t: np.mean((p - t) ** 2), "mse_loss"),
        ("binary_cross_entropy", UNIT, ((1.0, 0.0, 1.0), (0.0, 0.3, 1.0, 0.8)),
         "The mean of `-(t·ln p + (1 - t)·ln(1 - p))` over all pairs",
         lambda p, t: np.mean(-(t * np.log(p) + (1 - t) * np.log(1 - p))), "binary_cross_entropy"),
    ):  # fmt: skip
        exercise = f"chapter1.{function}"
        rng = rng_for(seed, exercise)
        probes = [_loss_probe(rng, function, domain, t, formula, name) for t in targets]
        for i, (part, what) in enumerate((("value", "value"), ("gradient", "gradients"))):
            says = f"{function} has the right {what}."
            yield Check(exercise, part, (probes[0],), taught, part=part, says=says, weight=1 + i)
        says, one = f"{function} is right for a single pair.", targets[0][:1]
        single = _loss_probe(rng, function, domain, one, formula, name)
        yield Check(exercise, "one", (single,), taught, part="both", says=says)
        says = f"{function} is right for other numbers too."
        yield Check(exercise, "more", (probes[1],), taught, part="both", says=says, hidden=True)


def _loss_probe(rng: Random, function: str, domain: Domain, targets, formula, name: str) -> Probe:
    predictions, out_grad = numbers(rng, (len(targets),), domain), numbers(rng, ())
    predictions[-1] = predictions[0]  # each counts, whatever the others are
    arrays, wanted = [np.array(predictions)], np.array(targets)

    def twin(torch: Any, p: Any) -> Any:
        return getattr(torch.nn.functional, name)(p, torch.tensor(wanted))

    return Probe(
        "scalar_networks.loss", (function, predictions, list(targets), out_grad),
        f"{function}({predictions}, {list(targets)}); out.grad = {out_grad:g}",
        twin=twin_of(twin, arrays, out_grad),
        oracles=oracles_of(lambda p: formula(p, wanted), arrays, out_grad, analytic=True),
    )  # fmt: skip
