"""Two moons, told apart by a network on your scalar engine.

    python examples/two_moons.py --package my-course --plot moons.png

It leaves a picture, two_moons.png unless you name it otherwise, if matplotlib is installed;
everything else needs only Python.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import package
import pictures

BATCH = 20
Point = tuple[list[float], int]


def moons(count: int, noise: float = 0.1) -> list[Point]:
    """Points on two half circles that reach into one another: class 0 and class 1 by turns."""
    points = []
    for i in range(count):
        angle = random.uniform(0, math.pi)
        x, y = math.cos(angle), math.sin(angle)
        if i % 2:
            x, y = 1 - x, 0.5 - y
        points.append(([x + random.gauss(0, noise), y + random.gauss(0, noise)], i % 2))
    return points


def accuracy(network: Callable, points: list[Point]) -> float:
    return sum((network(x).data > 0.5) == bool(c) for x, c in points) / len(points)


def main() -> None:
    options = package.arguments("Tell two moons apart with the engine of chapter 1.", steps=400)
    options.add_argument("--points", type=int, default=100, help="to learn from (default: 100)")
    pictures.options(options, "two_moons")
    args = options.parse_args()
    package.load(args.package)
    from babygrad.scalar import MLP, binary_cross_entropy, zero_grad

    random.seed(args.seed)
    train, test = moons(args.points), moons(200)
    network = MLP([2, 8, 8, 1], output="sigmoid")
    parameters = network.parameters()
    print(f"2-8-8-1 network, {len(parameters)} parameters, {args.steps} steps of {BATCH} points")
    every, losses = max(1, args.steps // 10), []
    for step in range(1, args.steps + 1):
        batch = random.sample(train, min(BATCH, len(train)))
        zero_grad(parameters)
        loss = binary_cross_entropy([network(x) for x, _ in batch], [c for _, c in batch])
        loss.backward()
        rate = 0.5 * (1 - 0.9 * step / args.steps)
        for parameter in parameters:
            parameter.data -= rate * parameter.grad
        losses.append(loss.data)
        if step % every == 0:
            print(f"step {step:5d}   loss {sum(losses[-every:]) / every:.4f}", flush=True)

    pictures.save(
        args.plot,
        pictures.curves("how wrong, step by step", "step", "loss",
                        one_batch=losses, mean_of_40=pictures.smooth(losses, 40)),
        pictures.boundary(
            "the line is where it is undecided", lambda x: network(x).data,
            [x for x, _ in train], [label for _, label in train],
        ),
    )  # fmt: skip
    print("The border follows the gap between the moons; no straight line could.")
    print(f"accuracy on {len(train)} points it learned from: {accuracy(network, train):.1%}")
    print(f"accuracy on {len(test)} points it never saw:   {accuracy(network, test):.1%}")


if __name__ == "__main__":
    package.run(main)
