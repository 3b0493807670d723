"""Two moons, side by side: the engine of closures and PyTorch, from the same start.

    python examples/two_moons_twin.py --package my-course

Both networks begin with the same weights and see the same batches, in float64. Printed are their
losses, and how far their weights are apart at the end. Without PyTorch the engine trains alone. It
leaves a picture, two_moons_twin.png, if matplotlib is installed.
"""

from __future__ import annotations

from typing import Any

import blas  # noqa: F401  (first: NumPy asks for the threads when it is imported)
import numpy as np
import package
import pictures

HIDDEN = 16
BATCH = 32
LEARNING_RATE = 0.3
GOAL = 0.95
NEAR = 1e-10


def moons(rng: np.random.Generator, count: int, noise: float = 0.15) -> tuple[Any, Any]:
    """Points on two half circles that reach into one another, and the class of each."""
    y = np.arange(count) % 2
    angle = rng.uniform(0, np.pi, count)
    x = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    x[y == 1] = np.array([1.0, 0.5]) - x[y == 1]
    return x + rng.normal(0, noise, x.shape), y


class Mine:
    """The engine of closures, and gradient descent on it."""

    def __init__(self, seed: int) -> None:
        from babygrad.engines.closure import MLP, Tensor, cross_entropy

        self.tensor, self.loss = Tensor, cross_entropy
        self.model = MLP(2, HIDDEN, 2, seed)

    def step(self, x: Any, y: Any) -> float:
        for parameter in self.model.parameters():
            parameter.grad = np.zeros_like(parameter.data)
        loss = self.loss(self.model(self.tensor(x)), y)
        loss.backward()
        for parameter in self.model.parameters():
            parameter.data -= LEARNING_RATE * parameter.grad
        return float(loss.data)

    def scores(self, x: Any) -> Any:
        return self.model(self.tensor(x)).data

    def weights(self) -> list[Any]:
        return [parameter.data for parameter in self.model.parameters()]


class Theirs:
    """The same network of PyTorch's parts, beginning with the same weights."""

    def __init__(self, weights: list[Any]) -> None:
        import torch

        torch.set_num_threads(1)
        self.torch = torch
        sizes = ((2, HIDDEN), (HIDDEN, HIDDEN), (HIDDEN, 2))
        first, second, third = (torch.nn.Linear(*size, dtype=torch.float64) for size in sizes)
        tanh = torch.nn.Tanh()
        self.model = torch.nn.Sequential(first, tanh, second, tanh, third)
        with torch.no_grad():
            for parameter, array in zip(self.model.parameters(), weights, strict=True):
                parameter.copy_(torch.tensor(array.T))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=LEARNING_RATE)

    def step(self, x: Any, y: Any) -> float:
        self.optimizer.zero_grad()
        out = self.model(self.torch.tensor(x))
        loss = self.torch.nn.functional.cross_entropy(out, self.torch.tensor(y))
        loss.backward()
        self.optimizer.step()
        return float(loss.detach())

    def scores(self, x: Any) -> Any:
        with self.torch.no_grad():
            return self.model(self.torch.tensor(x)).numpy()

    def weights(self) -> list[Any]:
        return [parameter.detach().numpy().T for parameter in self.model.parameters()]


def main() -> None:
    options = package.arguments("Two moons in the engine of closures and in PyTorch.", steps=600)
    pictures.options(options, "two_moons_twin")
    args = options.parse_args()
    package.load(args.package)
    rng = np.random.default_rng(args.seed)
    (x, y), test = moons(rng, 300), moons(rng, 400)
    sides: dict[str, Any] = {"closures": Mine(args.seed)}
    try:
        sides["PyTorch"] = Theirs(sides["closures"].weights())
    except ImportError:
        print("PyTorch is not installed: the engine trains alone.")

    print(f"2-{HIDDEN}-{HIDDEN}-2, {args.steps} steps of {BATCH} points, float64")
    for step in range(1, args.steps + 1):
        batch = rng.integers(0, len(x), BATCH)
        losses = {name: side.step(x[batch], y[batch]) for name, side in sides.items()}
        if step % max(1, args.steps // 6) == 0:
            told = "   ".join(f"{name} {loss:.6f}" for name, loss in losses.items())
            print(f"step {step:5d}   loss: {told}", flush=True)
    report(sides, test)
    title = "{}: undecided on the line".format
    pictures.save(args.plot, *(border(title(name), side, x, y) for name, side in sides.items()))
    if len(sides) == 2:
        print("Both draw the same border between the moons: one idea, two engines.")


def border(title: str, side: Any, x: Any, y: Any) -> pictures.Panel:
    """Where a side is undecided, and the points it learned from."""

    def chance(point: list[float]) -> float:
        no, yes = side.scores(np.array([point]))[0]
        return float(1 / (1 + np.exp(no - yes)))

    return pictures.boundary(title, chance, x.tolist(), y.tolist())


def report(sides: dict[str, Any], test: tuple[Any, Any]) -> None:
    """The accuracies, and how far the weights are apart; ends the program where one is too bad."""
    x, y = test
    for name, side in sides.items():
        right = float((side.scores(x).argmax(axis=1) == y).mean())
        print(f"{name}: {right:.1%} of {len(y)} new points")
        if right < GOAL:
            raise SystemExit(f"At least {GOAL:.0%} were asked for.")
    if len(sides) == 2:
        mine, theirs = (side.weights() for side in sides.values())
        gap = max(float(np.abs(a - b).max()) for a, b in zip(mine, theirs, strict=True))
        print(f"largest difference of any weight: {gap:.1e}")
        if gap > NEAR:
            raise SystemExit(f"At most {NEAR:g} was asked for.")


if __name__ == "__main__":
    package.run(main)
