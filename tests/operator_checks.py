"""Checks of an operator or method of Tensor: the right values, and a result that remembers.

Which op class does the work is the learner's choice, so nothing here looks at it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from grader.course import Check, Domain, Parts, Probe, rng_for

WRAPPED = "make a Tensor of the number, of the same dtype, that requires no gradient"
OPERANDS = "changes none of the tensors that it is given"


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
    checks = []
    for name, expression, function, shapes in cases:
        rng = rng_for(seed, f"{exercise}/{name}")
        arrays = [domain.draw(rng, shape) for domain, shape in zip(domains, shapes)]  # noqa: B905
        probe = _operands(expression, function, arrays)
        says = f"The result of {expression} remembers the tensors that it was made from."
        checks += [
            Check(exercise, name, (probe,), taught),
            Check(exercise, f"{name}-graph", (probe,), taught, "graph", says, 0.5, compare="text"),
        ]
    return checks


def operands_check(checks: Sequence[Check]) -> Check:
    """Whether an operator, of which these are the checks, leaves alone what it is given."""
    probes = tuple(probe for check in checks if check.part == "value" for probe in check.probes)
    says = "Every tensor that goes in stays as it was."
    return Check(checks[0].exercise, "inputs", probes, OPERANDS, "inputs", says, 0.5)


def _operands(expression: str, function: Callable[..., np.ndarray], arrays: list) -> Probe:
    def right() -> Parts:
        return {**_numpy(function, arrays)(), "inputs": arrays}

    return Probe(
        "operators.expression", (expression, arrays), expression,
        oracles={"numpy": right}, twin=_twin(function, arrays),
    )  # fmt: skip


def number_checks(
    exercise: str, expression: str, function: Callable[..., np.ndarray], domain: Domain, seed: str
) -> list[Check]:
    """Check that a number beside a Tensor, as in ``x0 * 2.7``, is not rounded and does not learn.

    The number is none that float32 holds exactly.
    """
    arrays = [domain.draw(rng_for(seed, f"{exercise}/exact"), (2,))]
    probe = Probe(
        "operators.with_number", (expression, arrays), expression,
        oracles={"numpy": _numpy(function, arrays)}, twin=_twin(function, arrays),
    )  # fmt: skip
    says = f"{expression}: the number is not rounded to float32."
    exact = Check(exercise, "number-exact", (probe,), WRAPPED, says=says, weight=0.5)
    says = f"{expression} requires no gradient if x0 requires none."
    constant = Check(
        exercise, "number-constant", (probe,), WRAPPED, "asks", says, weight=0.5, compare="text"
    )  # fmt: skip
    return [exact, constant]


def _numpy(function: Callable[..., np.ndarray], arrays: list[np.ndarray]) -> Callable[[], Parts]:
    return lambda: {"value": [np.asarray(function(*arrays))]}


def _twin(function: Callable[..., np.ndarray], arrays: list[np.ndarray]) -> Callable:
    return lambda torch: {"value": [function(*map(torch.tensor, arrays)).numpy()]}
