"""Checks of an operator or method of Tensor: the right values, and a result that remembers.

Which op class does the work is the learner's choice, so nothing here looks at it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from grader.course import Check, Domain, Parts, Probe, rng_for


def operator_checks(
    exercise: str,
    cases: Sequence[tuple[str, str, Callable[..., np.ndarray], tuple[tuple[int, ...], ...]]],
    domains: Sequence[Domain],
    taught: str,
    seed: str,
) -> list[Check]:
    """Two checks per case: its values, and whether the graph was recorded.

    Args:
        cases: (name, expression of ``x0``, ``x1`` … as a learner writes it, the same in NumPy,
            which PyTorch's operators can do too, shapes).
    """
    found = []
    for name, expression, function, shapes in cases:
        rng = rng_for(seed, f"{exercise}/{name}")
        arrays = [domain.draw(rng, shape) for domain, shape in zip(domains, shapes)]  # noqa: B905
        values = Probe(
            "operators.expression", (expression, arrays), expression,
            oracles={"numpy": _numpy(function, arrays)}, twin=_twin(function, arrays),
        )  # fmt: skip
        reaches = Probe("operators.reaches", (expression, arrays), expression)
        found.append(Check(exercise, name, (values,), taught))
        found.append(Check(exercise, f"{name}-graph", (reaches,), taught, weight=0.5))
    return found


def _numpy(function: Callable[..., np.ndarray], arrays: list[np.ndarray]) -> Callable[[], Parts]:
    return lambda: {"value": [np.asarray(function(*arrays))]}


def _twin(function: Callable[..., np.ndarray], arrays: list[np.ndarray]) -> Callable:
    return lambda torch: {"value": [function(*map(torch.tensor, arrays)).numpy()]}
