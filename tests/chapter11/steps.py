"""A step of training with the engine of `grad_fn`: small, and of MNIST's size."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from grader.course import REAL, Check, Parts, Probe, number_for, numeric, rng_for

from .rules import cross_entropy

STEP = "One step of gradient descent on one batch"


def checks(seed: str) -> Iterator[Check]:
    exercise, rng = "chapter11.grad_fn.train_step", rng_for(seed, "chapter11.grad_fn.train_step")
    weights, x = REAL.draw(rng, (4, 3)), REAL.draw(rng, (3, 4))
    held, y, lr = REAL.draw(rng, (4, 3)), np.array([2, 0, 1]), 0.25
    probes = tuple(
        Probe(
            "engine_networks.stepped", (weights, held, x, y, lr, steps),
            f"{steps} × train_step(model, x, y, {lr})",
            oracles={"numpy": _descent(weights, x, lr, steps)},
            twin=_torch_descent(weights, x, y, lr, steps),
        )
        for steps in (1, 3)
    )  # fmt: skip
    for part, says, words, which in (
        ("losses", "It returns the loss before the step.",
         f"{STEP}; the loss before the step", probes),
        ("weights", "One step goes down the gradient of its own loss alone.",
         f"{STEP} … is lowered by `lr` times its `grad`", probes[:1]),
        ("weights", "The next steps know nothing of earlier gradients.",
         "`grad` is forgotten first", probes[1:]),
        ("float", "The loss is a float.", "as a float", probes[:1]),
        ("leaf", "A parameter stays a leaf.", "no graph is made for that", probes[:1]),
    ):  # fmt: skip
        name = "forgets" if which == probes[1:] else part
        yield Check(exercise, name, which, words, part=part, says=says)
    dims, lr = [784, 128, 10], number_for(seed, f"{exercise}/large", 0.1, 0.05, 0.15)
    large = Probe(
        "engine_networks.large_step", (dims, 32, lr, 2), "a step of 784-128-10, batch 32",
        twin=lambda torch: _torch_large(torch, dims, 32, lr, 2), seconds=5.0,
    )  # fmt: skip
    for part, says in (("losses", "losses"), ("sums", "weights")):
        yield Check(
            exercise, f"large-{part}", (large,), "784-128-10, batches of 32", part=part,
            says=f"A 784-128-10 network has the right {says} after two steps.",
        )  # fmt: skip


def _descent(weights: np.ndarray, x: np.ndarray, lr: float, steps: int) -> Callable[[], Parts]:
    def parts() -> Parts:
        w, losses = weights, []
        for _ in range(steps):
            losses.append(float(cross_entropy(x @ w)))
            (slope,) = numeric.vjp(
                lambda w: cross_entropy(x @ w), [w], np.array(1.0), analytic=True
            )
            w = w - lr * slope
        return {
            "losses": [np.array(losses)], "weights": [w], "float": [np.array(True)],
            "leaf": [np.array(True)],
        }  # fmt: skip

    return parts


def _torch_descent(weights: Any, x: Any, y: Any, lr: float, steps: int) -> Callable[[Any], Parts]:
    def twin(torch: Any) -> Parts:
        w, losses = torch.tensor(weights, requires_grad=True), []
        optimizer = torch.optim.SGD([w], lr=lr)
        for _ in range(steps):
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(torch.tensor(x) @ w, torch.tensor(y))
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        return {"losses": [np.array(losses)], "weights": [w.detach().numpy()]}

    return twin


def _torch_large(torch: Any, dims: list[int], rows: int, lr: float, steps: int) -> Parts:
    def wave(count: int, number: int) -> Any:
        return np.sin(np.arange(count) * (0.7 + 0.13 * number) + number)

    shapes = [s for a, b in zip(dims[:-1], dims[1:], strict=True) for s in ((b, a), (b,))]
    flat = [
        torch.tensor(wave(int(np.prod(s)), n).reshape(s) * 0.05, requires_grad=True)
        for n, s in enumerate(shapes)
    ]
    x = torch.tensor(wave(rows * dims[0], 9).reshape(rows, dims[0]))
    y = torch.tensor(np.arange(rows) % dims[-1])
    optimizer, losses = torch.optim.SGD(flat, lr=lr), []
    for _ in range(steps):
        optimizer.zero_grad()
        out = (x @ flat[0].T + flat[1]).relu() @ flat[2].T + flat[3]
        loss = torch.nn.functional.cross_entropy(out, y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    sums = [float(p.detach().abs().sum()) for p in flat]
    return {"losses": [np.array(losses)], "sums": [np.array(sums)]}
