"""Figures of networks: what they believe, how values spread in them, what heads look at."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from grader.course import import_reference

from .given import Described, rounded, seeded, tensor

MOONS, RATE, HIDDEN = 100, 0.5, 8

FRAMES = (0, 1, 2, 4, 7, 10, 15, 20, 30, 40, 55, 75, 100, 130, 170, 220, 280)


def points(count: int = MOONS) -> tuple[Any, Any]:
    """Points on two half circles that reach into one another, as an example draws them."""
    draw = np.random.default_rng(1)
    angle, target = draw.uniform(0, math.pi, count), np.arange(count) % 2
    x, y = np.cos(angle), np.sin(angle)
    x, y = np.where(target, 1 - x, x), np.where(target, 0.5 - y, y)
    where = np.stack([x, y], axis=1) + draw.normal(0, 0.1, (count, 2))
    return where.round(2), target.astype(float)


def weights() -> list[Any]:
    """The start of a 2-8-8-1 network: per layer a matrix and a bias, by chapter 1's rule."""
    draw = np.random.default_rng(2)
    sizes = (2, HIDDEN, HIDDEN, 1)
    return [
        tensor(values)
        for inputs, outputs in itertools.pairwise(sizes)
        for values in (draw.uniform(-1, 1, (inputs, outputs)), np.zeros(outputs))
    ]


def network(held: list[Any], x: Any) -> Any:
    """tanh, tanh, sigmoid: the probability of the second moon, for every row of x."""
    for matrix, bias in zip(held[:-2:2], held[1:-2:2], strict=True):
        x = import_reference("ops").tanh(x @ matrix + bias)
    return import_reference("ops").sigmoid(x @ held[-2] + held[-1]).reshape((len(x.data),))


def moons() -> Described:
    """Record a network's beliefs about two moons while the reference trains it on all points."""
    where, target = points()
    held, frames, log = weights(), [], import_reference("ops").log
    x, t = (
        import_reference().Tensor(v, dtype="float64", requires_grad=False) for v in (where, target)
    )
    for step in range(FRAMES[-1] + 1):
        for each in held:
            each.grad = None
        p = network(held, x)
        loss = -(t * log(p) + (1 - t) * log(1 - p)).sum() / len(target)
        if step in FRAMES:
            right = float(np.mean((p.data > 0.5) == target))
            frames.append({"step": step, "loss": float(loss.data), "right": right,
                           "weights": [rounded(each.data) for each in held]})  # fmt: skip
        loss.backward()
        for each in held:
            each.data = each.data - RATE * each.grad
    return {"points": where.tolist(), "targets": target.tolist(), "frames": frames}


LAYERS, WIDTH, ROWS, BINS = 20, 64, 64, 15

BENDS = ("relu", "tanh")

STARTS: dict[str, Callable[[str], Any]] = {
    "std 0.01": lambda _: lambda i, o: tensor(np.random.normal(0, 0.01, (i, o))),
    "std 0.5": lambda _: lambda i, o: tensor(np.random.normal(0, 0.5, (i, o))),
    "Xavier": lambda _: partial(import_reference("init").xavier_normal, dtype="float64"),
    "Kaiming": lambda bend: (
        lambda i, o: import_reference("init").kaiming_normal(i, o, bend, dtype="float64")
    ),
}


def stack(bend: str, start: str) -> Described:
    """Twenty layers of one start: the spread of what each puts out, and of its gradient."""
    draw, x = STARTS[start](bend), tensor(np.random.normal(0, 1, (ROWS, WIDTH)))
    held, outputs = [], []
    for _ in range(LAYERS):
        held.append(draw(WIDTH, WIDTH))
        x = x @ held[-1]
        x = getattr(import_reference("ops"), bend)(x)
        outputs.append(x.data)
    x.backward(tensor(np.random.normal(0, 1, x.shape)))
    bars = [np.histogram(out, BINS, (-m, m))[0] for out in outputs for m in [np.abs(out).max()]]
    return {
        "forward": rounded([out.std() for out in outputs], 3),
        "back": rounded([each.grad.std() for each in held], 3),
        "most": rounded([np.abs(out).max() for out in outputs], 3),
        "bars": [(100 * counts / counts.sum()).round().astype(int).tolist() for counts in bars],
    }


@seeded(7)
def deep() -> Described:
    """Four ways to draw the weights of twenty layers, for three things between them."""
    return {bend: {start: stack(bend, start) for start in STARTS} for bend in BENDS}


LEARNED = "the slope of a sum is the sum of the slopes. "


@seeded(0)
def attention() -> Described:
    """Queries and keys of the heads of a GPT with one block, when it can write a line."""
    gpt, optim, sentence, steps = (
        import_reference("gpt"),
        import_reference("optim"),
        "slope of the sum",
        100,
    )
    letters = gpt.Characters(LEARNED)
    model = gpt.GPT(len(letters), length=16, dim=24, heads=3, blocks=1)
    optimizer = optim.AdamW(model.parameters(), lr=0.01)
    scheduler = optim.Scheduler(optimizer, lambda t: optim.warmup_cosine(t, 0.01, 10, steps))
    for _ in range(steps):
        cut = gpt.windows(letters.encode(LEARNED * 3), 16, 8)
        gpt.train_step(model, optimizer, scheduler, *cut)
    block = model.blocks[0]
    x = model.tokens(letters.encode(sentence)[None]) + model.positions(np.arange(16))
    x = gpt.each_token(block.norm1, x)
    q, k = (
        rounded(gpt.split_heads(gpt.each_token(layer, x), 3).data[0])
        for layer in (block.attention.query, block.attention.key)
    )
    return {"sentence": sentence, "heads": [{"q": a, "k": b} for a, b in zip(q, k, strict=True)]}
