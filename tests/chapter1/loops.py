"""The three training loops that the learner mends."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

from grader.course import SMALL, Check, Parts, Probe, rng_for

RATE = 0.03
LIMIT = 0.95
LOSS = "The loss of every step, as a number, taken before the step's update"


def checks(seed: str) -> Iterator[Check]:
    for function, taught, losses, probe in (
        ("mended_zeroing", "of its own loss alone. Whatever the parameters hold in `grad` when",
         LOSS, _plain),
        ("mended_limit",
         "right after every update. So no `data` changes between a forward and its `backward`, and "
         "after every step all parameters lie between -limit and limit", LOSS, _limited),
        ("mended_two_walks", "every step uses the gradient of fit plus penalty",
         "Fit plus penalty of every step, as a number, taken before the step's update", _two),
    ):  # fmt: skip
        exercise = f"chapter1.{function}"
        rng = rng_for(seed, exercise)
        probes = [probe(rng, function, steps) for steps in (1, 4, 7)]
        for name, part, chosen, words, says in (
            ("one-step", "parameters", probes[:1], taught, "One step is right."),
            ("steps", "parameters", probes[1:2], taught, "Four steps are right."),
            ("losses", "losses", probes[:2], losses, "It returns the loss of every step."),
            ("more", "parameters", probes[2:], taught, "Seven steps are right."),
        ):  # fmt: skip
            yield Check(
                exercise, name, tuple(chosen), words, part=part, says=f"{function}: {says}",
                hidden=name == "more",
            )  # fmt: skip


def _draw(rng: Random) -> tuple[list[float], list[float]]:
    """Draw the parameters' starts and the minima of their losses: two far away, one near."""
    start, away = SMALL.draw(rng, (3,)), np.abs(SMALL.draw(rng, (3,)))
    centres = -np.sign(start) * (away + [1.2, 1.2, 0.0])
    return start.tolist(), centres.round(3).tolist()


def _plain(rng: Random, function: str, steps: int, limit: float | None = None) -> Probe:
    start, centres = _draw(rng)
    extra = [] if limit is None else [limit]
    if limit is not None:  # one begins beyond the limit, and would stay there
        start[2], centres[2] = round(limit + 0.2 + abs(start[2]), 3), limit
    wanted = np.array(centres)

    def slope(p: Any) -> Any:
        return 4 * (p - wanted) ** 3

    def descend() -> Parts:
        p, losses = np.array(start), []
        for _ in range(steps):
            losses.append(np.sum((p - wanted) ** 4))
            p = p - RATE * slope(p)
            p = p if limit is None else np.clip(p, -limit, limit)
        return {"parameters": [p], "losses": [np.array(losses)]}

    def twin(torch: Any) -> Parts:
        return _torch(torch, start, steps, limit, lambda p: ((p - torch.tensor(wanted)) ** 4).sum())

    more = "" if limit is None else ", limit"
    held = np.inf if steps == 4 else 0.8  # after a training run that went astray
    return Probe(
        "scalar_networks.trained", (function, start, held, centres, steps, RATE, extra),
        f"{function}(parameters, loss_of, {steps}, {RATE}{more}) from {start}, with {held:g} in "
        f"each grad before, where loss_of() is the sum of (p - c)**4 over the parameters p and "
        f"c = {centres}",
        oracles={"numpy": descend}, twin=twin,
    )  # fmt: skip


def _limited(rng: Random, function: str, steps: int) -> Probe:
    return _plain(rng, function, steps, limit=LIMIT)


def _two(rng: Random, function: str, steps: int) -> Probe:
    start, centres = _draw(rng)
    wanted, share = np.array(centres), 0.2

    def descend() -> Parts:
        p, losses = np.array(start), []
        for _ in range(steps):
            fit = (1.5 * p - wanted) ** 2 + (p - wanted) ** 2
            losses.append(np.sum(fit + share * (1.5 * p) ** 2))
            p = p - RATE * (3 * (1.5 * p - wanted) + 2 * (p - wanted) + share * 4.5 * p)
        return {"parameters": [p], "losses": [np.array(losses)]}

    def twin(torch: Any) -> Parts:
        def loss(p: Any) -> Any:
            fit = (1.5 * p - torch.tensor(wanted)) ** 2 + (p - torch.tensor(wanted)) ** 2
            return (fit + share * (1.5 * p) ** 2).sum()

        return _torch(torch, start, steps, None, loss)

    return Probe(
        "scalar_networks.trained_on_two", (function, start, centres, steps, RATE, share),
        f"{function}(parameters, losses_of, {steps}, {RATE}) from {start}, where losses_of() is "
        f"the sum of (1.5 p - c)**2 + (p - c)**2, and the sum of {share} (1.5 p)**2, over the "
        f"parameters p and c = {centres}",
        oracles={"numpy": descend}, twin=twin,
    )  # fmt: skip


def _torch(torch: Any, start: list[float], steps: int, limit: float | None, loss_of: Any) -> Parts:
    """The same descent with torch's own SGD."""
    p = torch.tensor(start, dtype=torch.float64, requires_grad=True)
    optimizer, losses = torch.optim.SGD([p], lr=RATE), []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = loss_of(p)
        loss.backward()
        optimizer.step()
        if limit is not None:
            with torch.no_grad():
                p.clamp_(-limit, limit)
        losses.append(loss.item())
    return {"parameters": [p.detach().numpy()], "losses": [np.array(losses)]}
