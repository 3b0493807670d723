"""The checks of `Adam.direction`: PyTorch's steps with lr 1, and the means in closed form."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from grader.course import REAL, Check, Parts, Probe, rng_for

EXERCISE = "chapter5.adam.direction"
Given = list[tuple[int, np.ndarray]]

CASES: tuple[tuple[str, str, str, dict[str, Any], tuple[int, ...], float], ...] = (
    # name, the sentence, the words that teach it, options, which parameter comes when, scale
    ("first", "in its first step",
     "return which way it should move:: … return m̂ / (√v̂ + eps) … the learning rate is not in it",
     {}, (0,), 1),
    ("several", "over several steps, its means corrected by the step's number",
     "Take in one gradient g of parameter number `i` … m̂ = m / (1 − beta1ᵗ) v̂ = v / (1 − beta2ᵗ)",
     {}, (0,) * 12, 1),
    ("betas", "with betas of your own", "how slowly the two running means forget … m ← beta1 · m",
     {"betas": (0.6, 0.8)}, (0, 0, 0), 1),
    ("apart", "for each parameter apart: its own t, m and v",
     "how often it has been moved … t, m and v are those of parameter `i` alone",
     {"betas": (0.7, 0.9)},
     (0, 1, 0, 2, 0, 1, 1), 1),
    ("eps", "with eps added to the root of v̂", "return m̂ / (√v̂ + eps)", {"eps": 0.3}, (0, 0), 1),
    ("tiny", "for tiny gradients", "keeps the division from blowing up where gradients are tiny",
     {}, (0, 0, 0), 1e-6),
)  # fmt: skip
SHAPES: tuple[tuple[int, ...], ...] = ((3,), (3,), (2, 2))


def direction_checks(seed: str) -> Iterator[Check]:
    """A check per case; that its gradient and dtype stay; more of it, hidden."""
    probes = []
    for name, says, taught, options, order, scale in CASES:
        probes.append(_probe(name, options, order, scale, SHAPES, seed))
        says = f"Adam.direction is right {says}."
        weight = 2 if name == "several" else 1
        yield Check(EXERCISE, name, (probes[-1],), taught, says=says, weight=weight)
    taught = "The result is an ndarray of g's shape and dtype"
    yield Check(
        EXERCISE, "wide", (probes[0],), taught, part="wide", weight=0.5, aside=True,
        says="Adam.direction keeps float64.",
    )  # fmt: skip
    rng = rng_for(seed, f"{EXERCISE}/float32")
    arrays = [REAL.draw(rng, (3,)) for _ in range(3)]
    probe = Probe("optimizers.directions_float32", (arrays[0], arrays[1:]), "adam.direction(0, g)")
    stays = "and `gradient` stays as it was"
    yield Check(
        EXERCISE, "gradient", (probes[0], probe), stays, part="gradients", weight=0.5,
        says="Adam.direction leaves the gradient as it was.",
    )  # fmt: skip
    taught += "; the learning rate is not in it"
    yield Check(EXERCISE, "dtype", (probe,), taught, weight=0.5, compare="dtype")
    options = {"betas": (0.85, 0.99), "eps": 0.05}
    probe = _probe("more", options, (1, 0, 0, 2, 1, 1, 0, 2), 1, ((2, 1, 3), (), (4,)), seed)
    yield Check(
        EXERCISE, "more", (probe,), "return m̂ / (√v̂ + eps)", hidden=True,
        says="Adam.direction is right for other shapes, betas and eps too.",
    )  # fmt: skip
    yield Check(
        EXERCISE, "more-gradients", (probe,), stays, part="gradients", weight=0.25, hidden=True,
        says="Adam.direction leaves gradients of other shapes as they were.",
    )  # fmt: skip
    yield Check(
        EXERCISE, "more-wide", (probe,), taught, part="wide", weight=0.25, aside=True, hidden=True,
        says="Adam.direction keeps float64 for other shapes too.",
    )  # fmt: skip


def _probe(name, options, order, scale, shapes, seed) -> Probe:
    rng = rng_for(seed, f"{EXERCISE}/{name}")
    arrays = [REAL.draw(rng, shape) for shape in shapes]
    given = [(i, np.asarray(REAL.draw(rng, shapes[i]) * scale)) for i in order]
    if name == "apart":  # two parameters, one gradient
        given[5] = (given[5][0], given[4][1])
    settings = "".join(f", {key}={value}" for key, value in options.items())
    call = f"Adam(parameters{settings}).direction(…)"
    return Probe(
        "optimizers.directions", (arrays, options, given), call,
        oracles={"numpy": partial(_closed, given, options)}, twin=partial(_twin, given, options),
    )  # fmt: skip


def _closed(given: Given, options: dict[str, Any]) -> Parts:
    """The running means as what they are: sums of old gradients with fading weights."""
    beta1, beta2 = options.get("betas", (0.9, 0.999))
    found = []
    for number, (i, _) in enumerate(given):
        history = [g for j, g in given[: number + 1] if j == i]
        m = _mean(history, beta1)
        v = _mean([g**2 for g in history], beta2)
        found.append(np.asarray(m / (np.sqrt(v) + options.get("eps", 1e-8))))
    return {"value": found}


def _mean(history: list[np.ndarray], beta: float) -> np.ndarray:
    """The weighted mean: weight betaᵏ for what came k steps ago; the weights add up to 1."""
    weights = np.array([beta**k for k in reversed(range(len(history)))])
    return np.tensordot(weights / weights.sum(), np.stack(history), 1)


def _twin(given: Given, options: dict[str, Any], torch) -> Parts:
    """With lr 1 a parameter at 0 moves by minus its direction."""
    found = []
    optimizers: dict[int, Any] = {}
    for i, gradient in given:
        if i not in optimizers:
            parameter = torch.zeros(gradient.shape, dtype=torch.float64, requires_grad=True)
            optimizers[i] = parameter, torch.optim.Adam([parameter], lr=1.0, **options)
        parameter, optimizer = optimizers[i]
        with torch.no_grad():
            parameter.zero_()
        parameter.grad = torch.tensor(gradient)
        optimizer.step()
        found.append(-parameter.detach().numpy().copy())
    return {"value": found}
