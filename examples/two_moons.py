"""Two moons, told apart by a network on your scalar engine.

    python examples/two_moons.py --package my-course --plot moons.png

The picture needs matplotlib, which is an extra; everything else needs nothing but Python.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import package

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


def draw(network: Callable, points: list[Point], path: str) -> None:
    """The probability all over the plane, the line at one half, and the points."""
    try:
        import matplotlib
    except ImportError:
        print("No picture: matplotlib is not installed (pip install matplotlib).")
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot

    xs = [-1.6 + 0.1 * i for i in range(43)]
    ys = [-1.1 + 0.1 * i for i in range(28)]
    heights = [[network([x, y]).data for x in xs] for y in ys]
    figure, axes = pyplot.subplots(figsize=(6, 4))
    axes.contourf(xs, ys, heights, levels=20, cmap="RdBu", alpha=0.6)
    axes.contour(xs, ys, heights, levels=[0.5], colors="black")
    colours = ["tab:red" if c == 0 else "tab:blue" for _, c in points]
    axes.scatter([x[0] for x, _ in points], [x[1] for x, _ in points], c=colours, s=14)
    axes.set_title("Two moons: the line is where the network is undecided")
    figure.savefig(path, dpi=120)
    print(f"picture written to {path}")


def main() -> None:
    options = package.arguments("Tell two moons apart with the engine of chapter 1.", steps=400)
    options.add_argument("--points", type=int, default=100, help="to learn from (default: 100)")
    options.add_argument("--plot", metavar="FILE.png", help="draw the decision boundary")
    args = options.parse_args()
    package.load(args.package)
    from babygrad.scalar import MLP, binary_cross_entropy, zero_grad

    random.seed(args.seed)
    train, test = moons(args.points), moons(200)
    network = MLP([2, 8, 8, 1], output="sigmoid")
    parameters = network.parameters()
    print(f"2-8-8-1 network, {len(parameters)} parameters, {args.steps} steps of {BATCH} points")
    every, recent = max(1, args.steps // 10), []
    for step in range(1, args.steps + 1):
        batch = random.sample(train, min(BATCH, len(train)))
        zero_grad(parameters)
        loss = binary_cross_entropy([network(x) for x, _ in batch], [c for _, c in batch])
        loss.backward()
        rate = 0.5 * (1 - 0.9 * step / args.steps)
        for parameter in parameters:
            parameter.data -= rate * parameter.grad
        recent.append(loss.data)
        if step % every == 0:
            print(f"step {step:5d}   loss {sum(recent) / len(recent):.4f}", flush=True)
            recent.clear()

    print(f"accuracy on {len(train)} points it learned from: {accuracy(network, train):.1%}")
    print(f"accuracy on {len(test)} points it never saw:   {accuracy(network, test):.1%}")
    if args.plot:
        draw(network, train, args.plot)


if __name__ == "__main__":
    package.run(main)
