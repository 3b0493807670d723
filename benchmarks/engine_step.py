"""One training step of a small network: the reference package, NumPy by hand, and PyTorch.

The network is 2-16-16-2 with tanh, on two moons, batches of 64, float64, plain gradient descent.
A step forgets the gradients, runs forward, works out the loss, walks back and moves the weights.
The four programs take turns, step by step, in one run; what is quoted is the median of the ratios
turn by turn, so that a machine that slows down slows all of them. They start from the same
weights, and the first loss and the first gradients have to agree before anything is timed.

Goals: at most 2.7 × NumPy where the loss is put together from ops, at most 1.9 × with chapter 4's
`SoftmaxLoss`, and faster than `torch.nn` and `torch.optim`.

The reference is there to be read. Its rules are handed Tensors and give Tensors, as a learner's
are, so that any rule can stand beside any other; each op of a walk back makes an object or two for
that. What it costs stands in the lines «NumPy's share»: the same calls of NumPy that a step makes
through the ops, forward and back, on bare arrays and without Tensors, graph, walk or optimizer. No
engine with these rules can be faster than that; running the rules on arrays would come close to
it, and would forbid every rule to use `.data`, `Tensor(...)` or a mask.

    python benchmarks/engine_step.py [--turns 2000] [--package solutions]
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
SIZES = (2, 16, 16, 2)
BATCH, RATE, SAMPLES = 64, 0.1, 1024
COMPOSED, WITH_LOSS, SHARE = "loss out of ops", "SoftmaxLoss", "NumPy's share"
GOALS = {COMPOSED: 2.7, WITH_LOSS: 1.9}
Step = Callable[[np.ndarray, np.ndarray], float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=2000)
    parser.add_argument("--chain", type=int, default=100_000, help="ops in the long chain")
    parser.add_argument("--package", default=os.path.join(ROOT, "solutions"))
    options = parser.parse_args()
    sys.path.insert(0, options.package)
    import babygrad as bg

    steps: dict[str, Step] = {
        "NumPy by hand": NumpyNetwork().step,
        COMPOSED: Network(bg, composed(bg)).step,
        WITH_LOSS: Network(bg, softmax_loss()).step,
    }
    for name, loss in ((COMPOSED, composed(bg)), (WITH_LOSS, softmax_loss())):
        steps[f"{name}, {SHARE}"] = numpy_share(bg, Network(bg, loss), *moons(bg)[0])
    torch_step = torch_network()
    if torch_step is not None:
        steps["PyTorch nn + optim"] = torch_step
    batches = moons(bg)
    agree({name: step for name, step in steps.items() if SHARE not in name}, *batches[0])
    report(measure(steps, batches, options.turns))
    print(f"a chain of {options.chain} ops, there and back: {chain(bg, options.chain):.2f} s")


# ---- the same step, three times -----------------------------------------------------------


def first_weights() -> list[np.ndarray]:
    """Weight and bias of each layer, the same for everybody."""
    rng = np.random.default_rng(0)
    arrays = []
    for rows, columns in zip(SIZES[:-1], SIZES[1:], strict=True):
        arrays += [rng.normal(0, rows**-0.5, (rows, columns)), np.zeros(columns)]
    return arrays


class NumpyNetwork:
    """Forward and backward written out, as one would for this one network."""

    def __init__(self) -> None:
        self.weights = first_weights()

    def step(self, x: np.ndarray, y: np.ndarray) -> float:
        w1, b1, w2, b2, w3, b3 = self.weights
        h1 = np.tanh(x @ w1 + b1)
        h2 = np.tanh(h1 @ w2 + b2)
        scores = h2 @ w3 + b3
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        softmax = powers / powers.sum(axis=1, keepdims=True)
        rows = np.arange(len(y))
        loss = -np.log(softmax[rows, y]).mean()
        softmax[rows, y] -= 1
        d3 = softmax / len(y)
        d2 = (d3 @ w3.T) * (1 - h2 * h2)
        d1 = (d2 @ w2.T) * (1 - h1 * h1)
        gradients = (x.T @ d1, d1.sum(0), h1.T @ d2, d2.sum(0), h2.T @ d3, d3.sum(0))
        for weight, gradient in zip(self.weights, gradients, strict=True):
            weight -= RATE * gradient
        return float(loss)


class Network:
    """Chapters 2 to 5: modules, ops, `Tensor.backward`, SGD."""

    def __init__(self, bg: Any, loss: Callable[[Any, np.ndarray], Any]) -> None:
        from babygrad.nn import Linear, Sequential, Tanh
        from babygrad.optim import SGD

        layers: list[Any] = []
        for rows, columns in zip(SIZES[:-1], SIZES[1:], strict=True):
            layers += [Linear(rows, columns, dtype="float64"), Tanh()]
        self.model = Sequential(*layers[:-1])
        arrays = iter(first_weights())
        for layer in layers[::2]:
            layer.weight.data, layer.bias.data = next(arrays), next(arrays)
        self.tensor, self.loss = bg.Tensor, loss
        self.optimizer = SGD(self.model.parameters(), lr=RATE)

    def step(self, x: np.ndarray, y: np.ndarray) -> float:
        self.optimizer.zero_grad()
        scores = self.model(self.tensor(x, dtype="float64", requires_grad=False))
        loss = self.loss(scores, y)
        loss.backward()
        self.optimizer.step()
        return float(loss.data)


def composed(bg: Any) -> Callable[[Any, np.ndarray], Any]:
    """The mean of log Σ eˢ - s[right], from exp, log, sum and a one-hot table."""
    ops, one_hot = bg.ops, bg.Tensor.one_hot

    def loss(scores: Any, y: np.ndarray) -> Any:
        right = one_hot(y, SIZES[-1], dtype="float64")
        log_sum = ops.log(ops.exp(scores).sum(1))
        return (log_sum - (scores * right).sum(1)).sum() / len(y)

    return loss


def softmax_loss() -> Callable[[Any, np.ndarray], Any]:
    from babygrad.nn import SoftmaxLoss

    return SoftmaxLoss()


def numpy_share(bg: Any, network: Network, x: np.ndarray, y: np.ndarray) -> Step:
    """Every `forward` that one step calls, as calls on the arrays that it had then."""
    calls: list[tuple[Callable[..., Any], list[np.ndarray]]] = []
    function, ordinary = bg.ops.Function, bg.ops.Function.__call__

    def noted(op: Any, *inputs: Any) -> Any:
        calls.append((op.forward, [tensor.data.copy() for tensor in inputs]))
        return ordinary(op, *inputs)

    function.__call__ = noted
    network.step(x, y)
    function.__call__ = ordinary

    def step(x: np.ndarray, y: np.ndarray) -> float:
        for forward, arrays in calls:
            forward(*arrays)
        return 0.0

    return step


def torch_network() -> Step | None:
    """`torch.nn` and `torch.optim` with one thread; None where PyTorch is not installed."""
    try:
        import torch
    except ImportError:
        return None
    torch.set_num_threads(1)
    layers: list[Any] = []
    for rows, columns in zip(SIZES[:-1], SIZES[1:], strict=True):
        layers += [torch.nn.Linear(rows, columns), torch.nn.Tanh()]
    model = torch.nn.Sequential(*layers[:-1]).double()
    arrays = iter(first_weights())
    for layer in layers[::2]:
        layer.weight.data = torch.tensor(next(arrays).T.copy())
        layer.bias.data = torch.tensor(next(arrays))
    optimizer, loss_fn = torch.optim.SGD(model.parameters(), lr=RATE), torch.nn.CrossEntropyLoss()

    def step(x: np.ndarray, y: np.ndarray) -> float:
        optimizer.zero_grad()
        loss = loss_fn(model(torch.from_numpy(x)), torch.from_numpy(y))
        loss.backward()
        optimizer.step()
        return float(loss.item())

    return step


# ---- measuring ----------------------------------------------------------------------------


def moons(bg: Any) -> list[tuple[np.ndarray, np.ndarray]]:
    """Batches of 64 points, mixed."""
    from babygrad.data import make_moons

    points, labels = make_moons(SAMPLES, noise=0.1)
    order = np.random.default_rng(1).permutation(SAMPLES)
    pieces = np.split(order, SAMPLES // BATCH)
    return [(points[piece].astype(np.float64), labels[piece]) for piece in pieces]


def agree(steps: dict[str, Step], x: np.ndarray, y: np.ndarray) -> None:
    """Two steps from the same weights give the same losses; the second tells of the gradients."""
    losses = {name: [step(x, y) for _ in range(2)] for name, step in steps.items()}
    right = losses["NumPy by hand"]
    for name, found in losses.items():
        if not np.allclose(found, right, rtol=1e-9):
            sys.exit(f"{name} gives the losses {found}, NumPy by hand gives {right}.")


def measure(
    steps: dict[str, Step], batches: list[tuple[np.ndarray, np.ndarray]], turns: int
) -> dict[str, list[float]]:
    """Seconds of every step of everybody, turn by turn."""
    seconds: dict[str, list[float]] = {name: [] for name in steps}
    for turn in range(turns):
        x, y = batches[turn % len(batches)]
        for name, step in steps.items():
            started = time.perf_counter()
            step(x, y)
            seconds[name].append(time.perf_counter() - started)
    return seconds


def report(seconds: dict[str, list[float]]) -> None:
    by_hand = seconds["NumPy by hand"]
    for name, mine in seconds.items():
        ratio = median_ratio(mine, by_hand)
        goal = f"   goal ≤ {GOALS[name]}" if name in GOALS else ""
        print(f"{name:30} {statistics.median(mine) * 1e6:6.0f} µs   {ratio:5.2f} × NumPy{goal}")
    twin = seconds.get("PyTorch nn + optim")
    for name in GOALS if twin else ():
        ratio = median_ratio(seconds[name], twin or [])
        print(f"{name:30} {ratio:5.2f} × PyTorch   goal < 1")


def median_ratio(mine: list[float], theirs: list[float]) -> float:
    return statistics.median(a / b for a, b in zip(mine, theirs, strict=True))


def chain(bg: Any, length: int) -> float:
    """Seconds for ``length`` ops one after another, and for the walk back over all of them."""
    started = time.perf_counter()
    start = out = bg.Tensor([0.5], dtype="float64")
    for _ in range(length):
        out = out + 1.0
    out.backward()
    if float(start.grad[0]) != 1.0:
        sys.exit(f"The gradient through the chain is {start.grad}, not 1.")
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
