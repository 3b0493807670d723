"""Measure the engines of chapter 11: per node, per small step, and per step of MNIST's size.

All programs of a table take turns in one run, on one thread, in float64, and first have to agree.
Quoted is the fastest block of ten, the tenth percentile, as a multiple of NumPy by hand.

- A node: a chain of products `h * w` of 16 numbers, there and back, divided by their number.
- Two moons: 2-16-16-2 with tanh, batches of 64, cross-entropy, gradient descent.
- MNIST's size: 784-128-10 with ReLU, batches of 32.

    python benchmarks/engine_zoo.py [--turns 200] [--package solutions]
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np  # noqa: E402  (here, because the number of threads is read once, on import)

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BY_HAND = "NumPy by hand"
CHAIN, RATE = 200, 0.1
MOONS, DIGITS = (2, 16, 16, 2), (784, 128, 10)
Step = Callable[[], float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=200, help="rounds of each table")
    parser.add_argument("--package", default=os.path.join(ROOT, "solutions"))
    options = parser.parse_args()
    sys.path.insert(0, options.package)
    print(f"a node of {CHAIN}, there and back")
    table(chains(), options.turns, CHAIN)
    for title, sizes, rows, bend in (
        ("a step of two moons", MOONS, 64, "tanh"), ("a step of MNIST's size", DIGITS, 32, "relu"),
    ):  # fmt: skip
        print(f"{title}: {'-'.join(map(str, sizes))}, {rows} rows, {bend}")
        table(networks(sizes, rows, bend), options.turns, 1)


def table(steps: dict[str, Step], turns: int, divisor: int) -> None:
    """Let all take turns, and print how each one stands."""
    first = {name: step() for name, step in steps.items()}
    second = {name: step() for name, step in steps.items()}
    for told in (first, second):
        if not np.allclose(list(told.values()), told[BY_HAND], rtol=1e-9):
            sys.exit(f"They do not agree: {told}")
    seconds: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(turns):
        for name, step in steps.items():
            step()  # not counted: it finds the caches as the others left them
            started = time.perf_counter()
            step()
            seconds[name].append((time.perf_counter() - started) / divisor)
    quick = {name: statistics.quantiles(mine, n=10)[0] for name, mine in seconds.items()}
    for name, mine in quick.items():
        print(f"  {name:24} {mine * 1e6:8.1f} µs   {mine / quick[BY_HAND]:6.2f} × {BY_HAND}")


# ---- a chain of nodes ------------------------------------------------------------------------


def chains() -> dict[str, Step]:
    """Return the same chain in every engine; each returns the sum of its start's gradient."""
    from babygrad import Tensor
    from babygrad.engines import apply, closure, grad_fn

    w, start = np.linspace(0.9, 1.1, 16), np.ones(16)

    def by_hand() -> float:
        h = start
        for _ in range(CHAIN):
            h = h * w
        gradient = np.ones(16)
        for _ in range(CHAIN):
            gradient = gradient * w
        return float(gradient.sum())

    def of(leaf: Callable[..., Any], constant: Any) -> Step:
        def run() -> float:
            x = h = leaf(start)
            for _ in range(CHAIN):
                h = h * constant
            h.backward(np.ones(16))
            return float(np.sum(x.grad))

        return run

    return {
        BY_HAND: by_hand,
        "chapter 3": of(
            lambda a: Tensor(a, dtype="float64"),
            Tensor(w, dtype="float64", requires_grad=False),
        ),
        "grad_fn": of(lambda a: grad_fn.Tensor(a, requires_grad=True), grad_fn.Tensor(w)),
        "apply": of(lambda a: apply.Tensor(a, requires_grad=True), apply.Tensor(w)),
        "closures": of(closure.Tensor, closure.Tensor(w)),
        **torch_chain(w, start),
    }


def torch_chain(w: np.ndarray, start: np.ndarray) -> dict[str, Step]:
    try:
        import torch
    except ImportError:
        return {}
    torch.set_num_threads(1)
    factor, ones = torch.tensor(w), torch.ones(16, dtype=torch.float64)

    def run() -> float:
        x = h = torch.tensor(start, requires_grad=True)
        for _ in range(CHAIN):
            h = h * factor
        h.backward(ones)
        return float(x.grad.sum())

    return {"PyTorch": run}


# ---- a step of training ------------------------------------------------------------------------


def networks(sizes: tuple[int, ...], rows: int, bend: str) -> dict[str, Step]:
    """A step of the same network, by hand, in the engines that have what it takes, in PyTorch."""
    from babygrad.engines import apply, closure, grad_fn

    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(rows, sizes[0])), rng.integers(0, sizes[-1], rows)

    def losses_apply(scores: Any) -> Any:
        return apply.CrossEntropy.apply(scores, y)

    engines = {
        "apply": (lambda a: apply.Tensor(a, requires_grad=True), apply.Tensor(x), losses_apply),
        "closures": (closure.Tensor, closure.Tensor(x), lambda s: closure.cross_entropy(s, y)),
    }
    if bend == "relu":
        engines["grad_fn"] = (
            lambda a: grad_fn.Tensor(a, requires_grad=True), grad_fn.Tensor(x),
            lambda s: grad_fn.cross_entropy(s, y),
        )  # fmt: skip
    steps: dict[str, Step] = {BY_HAND: by_hand(sizes, bend, x, y)}
    steps |= {name: in_engine(sizes, bend, *parts) for name, parts in engines.items()}
    return {**steps, **torch_network(sizes, bend, x, y)}


def first_weights(sizes: tuple[int, ...]) -> list[np.ndarray]:
    """Weight and bias of each layer, (inputs, outputs), the same for everybody."""
    rng = np.random.default_rng(0)
    arrays = []
    for inputs, outputs in zip(sizes[:-1], sizes[1:], strict=True):
        arrays += [rng.normal(0, inputs**-0.5, (inputs, outputs)), np.zeros(outputs)]
    return arrays


def by_hand(sizes: tuple[int, ...], bend: str, x: np.ndarray, y: np.ndarray) -> Step:
    """Forward and backward as one would write them out for this network."""
    weights = first_weights(sizes)
    picked = np.arange(len(y))

    def run() -> float:
        kept = [x]
        for i in range(0, len(weights), 2):
            h = kept[-1] @ weights[i] + weights[i + 1]
            if i + 2 < len(weights):
                h = np.tanh(h) if bend == "tanh" else np.maximum(h, 0)
            kept.append(h)
        powers = np.exp(h - h.max(axis=1, keepdims=True))
        softmax = powers / powers.sum(axis=1, keepdims=True)
        loss = -np.log(softmax[picked, y]).mean()
        softmax[picked, y] -= 1
        d = softmax / len(y)
        for i in range(len(weights) - 2, -1, -2):
            below = kept[i // 2]
            slope = 1 - below * below if bend == "tanh" else below > 0
            gradients = below.T @ d, d.sum(0)
            d = (d @ weights[i].T) * slope if i else d
            weights[i] -= RATE * gradients[0]
            weights[i + 1] -= RATE * gradients[1]
        return float(loss)

    return run


def in_engine(sizes: tuple[int, ...], bend: str, leaf: Any, x: Any, loss_of: Any) -> Step:
    """The same, with leaves of an engine and nothing but its operators."""
    weights = [leaf(array) for array in first_weights(sizes)]
    forget = None if weights[0].grad is None else 0.0

    def run() -> float:
        for weight in weights:
            weight.grad = None if forget is None else np.zeros_like(weight.data)
        h = x
        for i in range(0, len(weights), 2):
            h = h @ weights[i] + weights[i + 1]
            if i + 2 < len(weights):
                h = getattr(h, bend)()
        loss = loss_of(h)
        loss.backward()
        for weight in weights:
            weight.data -= RATE * weight.grad
        return float(loss.data)

    return run


def torch_network(
    sizes: tuple[int, ...], bend: str, x: np.ndarray, y: np.ndarray
) -> dict[str, Step]:
    """`torch.nn` and `torch.optim`; nothing where PyTorch is not installed."""
    try:
        import torch
    except ImportError:
        return {}
    torch.set_num_threads(1)
    layers: list[Any] = []
    for inputs, outputs in zip(sizes[:-1], sizes[1:], strict=True):
        layers += [torch.nn.Linear(inputs, outputs), getattr(torch.nn, BENT[bend])()]
    model = torch.nn.Sequential(*layers[:-1]).double()
    with torch.no_grad():
        for parameter, array in zip(model.parameters(), first_weights(sizes), strict=True):
            parameter.copy_(torch.tensor(array.T))
    optimizer = torch.optim.SGD(model.parameters(), lr=RATE)
    loss_fn, rows, labels = torch.nn.CrossEntropyLoss(), torch.tensor(x), torch.tensor(y)

    def run() -> float:
        optimizer.zero_grad()
        loss = loss_fn(model(rows), labels)
        loss.backward()
        optimizer.step()
        return float(loss.item())

    return {"PyTorch nn + optim": run}


BENT = {"tanh": "Tanh", "relu": "ReLU"}


if __name__ == "__main__":
    main()
