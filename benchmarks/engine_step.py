"""One training step of a small network: two of our engines, NumPy by hand, and PyTorch.

The network is 2-16-16-2 with tanh, on two moons, batches of 64, float64, plain gradient descent. A
step forgets the gradients, runs forward, works out the loss, walks back and moves the weights. The
programs take turns, a block of steps each, in one run. Another process on the machine can only slow
a block down, so we quote the fastest block of ten for each program, the tenth percentile. They
start from the same weights, and two losses of each must agree before it times anything. The first
step of a block does not count: it finds the code and the arrays of the others in the caches, and a
training loop does not. With `--block 1` only this step counts; NumPy by hand then takes twice as
long, and the ratios look half as large.

Goals: the lean engine of chapter 11 at most 1.3 × NumPy and at least four times as fast as
`torch.nn` and `torch.optim` on one thread; it reaches both, and is faster than the code by hand,
which spends more on the same sums and on six updates (benchmarks/lean_ladder.py measures why). The
engine of chapter 3 has no goal but to be about as fast as PyTorch: the step with `SoftmaxLoss` is a
little faster, the one with the loss out of ops slower than `CrossEntropyLoss`, which is one op.

Chapter 3's engine should be easy to read. Its rules take and return Tensors, like a learner's, so
any right rule works beside any other; docs/decisions/engine.md says what depends on that. The
script also measures the cost of this choice:

- «rules on arrays»: the same forward, the same loss and the same rules, with a walk that passes
  them bare arrays. Such a walk would forbid every rule to use `.data`, `Tensor(...)` or a mask.
- «results not copied»: what an op has computed goes into a Tensor that passes `__init__` by. Such
  an engine would leave out whatever else a learner's own `__init__` sets.
- «both»: the two together.
- «NumPy's share in Tensors»: the calls of NumPy that a step makes through the ops, forward and
  back, and a Tensor for each result, without rules, walk, modules or optimizer. No engine whose
  rules take Tensors can be faster.
- «only NumPy's share»: these calls on bare arrays. No engine with these ops can be faster.

    python benchmarks/engine_step.py [--turns 600] [--block 5] [--package solutions]
"""

from __future__ import annotations

import argparse
import importlib
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
COMPOSED, WITH_LOSS = "loss out of ops", "SoftmaxLoss"
ON_ARRAYS, BARE, BOTH = "rules on arrays", "results not copied", "both"
SHARE, NODES = "only NumPy's share", "NumPy's share in Tensors"
LEAN, TORCH, BY_HAND = "lean engine", "PyTorch nn + optim", "NumPy by hand"
AT_MOST, AT_LEAST = 1.3, 4  # of the lean engine: times NumPy, times as fast as PyTorch
Step = Callable[[np.ndarray, np.ndarray], float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=600, help="blocks of each program")
    parser.add_argument("--block", type=int, default=5, help="steps in a block")
    parser.add_argument("--chain", type=int, default=100_000, help="ops in the long chain")
    parser.add_argument("--package", default=os.path.join(ROOT, "solutions"))
    options = parser.parse_args()
    sys.path.insert(0, options.package)
    bg, bare = load(), load()
    bare.ops.Function.__call__ = not_copied(bare)
    losses = {COMPOSED: composed, WITH_LOSS: softmax_loss}
    steps: dict[str, Step] = {BY_HAND: NumpyNetwork().step, LEAN: LeanNetwork(bg).step}
    steps |= {name: Network(bg, loss(bg)).step for name, loss in losses.items()}
    for name, loss in losses.items():
        steps[f"{name}, {ON_ARRAYS}"] = ArrayNetwork(bg, loss(bg)).step
        steps[f"{name}, {BARE}"] = Network(bare, loss(bare)).step
        steps[f"{name}, {BOTH}"] = ArrayNetwork(bare, loss(bare)).step
        share = numpy_share(bg, Network(bg, loss(bg)), *moons(bg)[0])
        steps[f"{name}, {NODES}"] = in_tensors(bg, share)
        steps[f"{name}, {SHARE}"] = on_bare_arrays(share)
    torch_step = torch_network()
    if torch_step is not None:
        steps[TORCH] = torch_step
    batches = moons(bg)
    whole = {name: step for name, step in steps.items() if "share" not in name}
    agree(whole, *batches[0])
    report(measure(steps, batches, options.turns, options.block))
    print(f"a chain of {options.chain} ops, there and back: {chain(bg, options.chain):.2f} s")


def load() -> Any:
    """A copy of the package: what is exchanged in it stays as it is in the others."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "babygrad"]:
        del sys.modules[name]
    package = importlib.import_module("babygrad")
    for part in ("nn", "optim", "data", "engines.lean"):
        importlib.import_module(f"babygrad.{part}")
    return package


# ---- the same step, four times ------------------------------------------------------------


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
        nn = bg.nn
        layers: list[Any] = []
        for rows, columns in zip(SIZES[:-1], SIZES[1:], strict=True):
            layers += [nn.Linear(rows, columns, dtype="float64"), nn.Tanh()]
        self.model = nn.Sequential(*layers[:-1])
        arrays = iter(first_weights())
        for layer in layers[::2]:
            layer.weight.data, layer.bias.data = next(arrays), next(arrays)
        self.tensor, self.loss = bg.Tensor, loss
        self.optimizer = bg.optim.SGD(self.model.parameters(), lr=RATE)

    def step(self, x: np.ndarray, y: np.ndarray) -> float:
        self.optimizer.zero_grad()
        scores = self.model(self.tensor(x, dtype="float64", requires_grad=False))
        loss = self.loss(scores, y)
        self.walk(loss)
        self.optimizer.step()
        return float(loss.data)

    def walk(self, loss: Any) -> None:
        loss.backward()


class LeanNetwork:
    """Chapter 11's `engines/lean.py`, with a network and an optimizer of its own."""

    def __init__(self, bg: Any) -> None:
        self.engine = bg.engines.lean
        self.model = self.engine.MLP(SIZES)
        for parameter, array in zip(self.model.parameters(), first_weights(), strict=True):
            parameter.data = array
        self.optimizer = self.engine.SGD(self.model.parameters(), lr=RATE)

    def step(self, x: np.ndarray, y: np.ndarray) -> float:
        self.optimizer.zero_grad()
        loss = self.engine.cross_entropy(self.model(self.engine.Tensor(x)), y)
        loss.backward()
        self.optimizer.step()
        return float(loss.data)


class Values(np.ndarray):
    """An array with the inputs that it was made from: what a rule takes for a node."""

    _inputs: list[np.ndarray]


class ArrayNetwork(Network):
    """The same, but for the walk back: it hands the rules arrays, and they return arrays."""

    def __init__(self, bg: Any, loss: Callable[[Any, np.ndarray], Any]) -> None:
        super().__init__(bg, loss)
        self.names = vars(bg.ops)
        ops = {
            "exp": bg.ops.Exp, "log": bg.ops.Log, "matmul": bg.ops.MatMul,
            "reshape": bg.ops.Reshape, "transpose": bg.ops.Transpose,
            "summation": bg.ops.Summation, "broadcast_to": bg.ops.BroadcastTo,
        }  # fmt: skip
        self.on_arrays = {name: on_arrays(op) for name, op in ops.items()}
        self.on_tensors = {name: self.names[name] for name in ops}

    def walk(self, loss: Any) -> None:
        self.names.update(self.on_arrays)
        back(loss, self.names["unbroadcast"])
        self.names.update(self.on_tensors)


def on_arrays(op: Any) -> Callable[..., np.ndarray]:
    """The lowercase function of an op for arrays: forward and nothing else."""
    if op.__init__ is not object.__init__:
        return lambda a, *settings: op(*settings).forward(a)
    return op().forward


def back(loss: Any, unbroadcast: Callable[..., Any]) -> None:
    """`Tensor.backward`, with arrays for the rules; it recurses, which is the fastest order."""
    order: list[Any] = []
    seen: set[Any] = set()

    def visit(node: Any) -> None:
        seen.add(node)
        for source in node._inputs:
            if source.requires_grad and source not in seen:
                visit(source)
        order.append(node)

    visit(loss)
    arrived = {loss: np.ones(loss.data.shape)}
    for node in reversed(order):
        total = arrived.pop(node)
        if node._op is None:
            node.grad = np.array(total if node.grad is None else node.grad + total)
            continue
        values = node.data.view(Values)
        values._inputs = [source.data for source in node._inputs]
        gradients = node._op.backward(total, values)
        if not isinstance(gradients, tuple):
            gradients = (gradients,)
        for source, gradient in zip(node._inputs, gradients, strict=True):
            if source.requires_grad:
                gradient = unbroadcast(gradient, source.data.shape)
                arrived[source] = arrived[source] + gradient if source in arrived else gradient


def composed(bg: Any) -> Callable[[Any, np.ndarray], Any]:
    """The mean of log Σ eˢ - s[right], from exp, log, sum and a one-hot table."""
    ops, one_hot = bg.ops, bg.Tensor.one_hot

    def loss(scores: Any, y: np.ndarray) -> Any:
        right = one_hot(y, SIZES[-1], dtype="float64")
        log_sum = ops.log(ops.exp(scores).sum(1))
        return (log_sum - (scores * right).sum(1)).sum() / len(y)

    return loss


def softmax_loss(bg: Any) -> Callable[[Any, np.ndarray], Any]:
    loss: Callable[[Any, np.ndarray], Any] = bg.nn.SoftmaxLoss()
    return loss


def not_copied(bg: Any) -> Callable[..., Any]:
    """`Function.__call__` whose result holds the very array that `forward` returned."""
    tensor = bg.Tensor

    def call(op: Any, *inputs: Any) -> Any:
        arrays, requires_grad = [], False
        for x in inputs:
            arrays.append(x.data)
            requires_grad = requires_grad or x.requires_grad
        out = object.__new__(tensor)
        out.data, out.grad, out.requires_grad = np.asarray(op.forward(*arrays)), None, requires_grad
        out._op, out._inputs = (op, list(inputs)) if requires_grad else (None, [])
        return out

    return call


Calls = list[tuple[Callable[..., Any], list[np.ndarray]]]


def numpy_share(bg: Any, network: Network, x: np.ndarray, y: np.ndarray) -> Calls:
    """Return every `forward` that one step calls, there and back, with its arrays."""
    calls: Calls = []
    function, ordinary = bg.ops.Function, bg.ops.Function.__call__

    def noted(op: Any, *inputs: Any) -> Any:
        calls.append((op.forward, [tensor.data.copy() for tensor in inputs]))
        return ordinary(op, *inputs)

    function.__call__ = noted
    network.step(x, y)
    function.__call__ = ordinary
    return calls


def on_bare_arrays(calls: Calls) -> Step:
    """Return a step that runs only the NumPy calls."""

    def step(x: np.ndarray, y: np.ndarray) -> float:
        for forward, arrays in calls:
            forward(*arrays)
        return 0.0

    return step


def in_tensors(bg: Any, calls: Calls) -> Step:
    """The same with each result in a Tensor that knows its inputs: the nodes of the graph."""
    tensor = bg.Tensor

    def step(x: np.ndarray, y: np.ndarray) -> float:
        for forward, arrays in calls:
            data = forward(*arrays)
            out = tensor(data, dtype=data.dtype, requires_grad=True)
            out._op, out._inputs = forward, list(arrays)
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
    points, labels = bg.data.make_moons(SAMPLES, noise=0.1)
    order = np.random.default_rng(1).permutation(SAMPLES)
    pieces = np.split(order, SAMPLES // BATCH)
    return [(points[piece].astype(np.float64), labels[piece]) for piece in pieces]


def agree(steps: dict[str, Step], x: np.ndarray, y: np.ndarray) -> None:
    """Two steps from the same weights give the same losses; the second tells of the gradients."""
    losses = {name: [step(x, y) for _ in range(2)] for name, step in steps.items()}
    right = losses[BY_HAND]
    for name, found in losses.items():
        if not np.allclose(found, right, rtol=1e-9):
            sys.exit(f"{name} gives the losses {found}, NumPy by hand gives {right}.")


def measure(
    steps: dict[str, Step], batches: list[tuple[np.ndarray, np.ndarray]], turns: int, block: int
) -> dict[str, list[float]]:
    """Seconds per step of everybody, block by block."""
    seconds: dict[str, list[float]] = {name: [] for name in steps}
    for turn in range(turns):
        pieces = [batches[(turn * block + i) % len(batches)] for i in range(block)]
        first, counted = (pieces[:1], pieces[1:]) if block > 1 else ([], pieces)
        for name, step in steps.items():
            for x, y in first:
                step(x, y)
            started = time.perf_counter()
            for x, y in counted:
                step(x, y)
            seconds[name].append((time.perf_counter() - started) / len(counted))
    return seconds


def fastest_tenth(seconds: list[float]) -> float:
    """The tenth percentile: neighbours on the machine only ever slow a block down."""
    return statistics.quantiles(seconds, n=10, method="inclusive")[0]


def report(seconds: dict[str, list[float]]) -> None:
    quick = {name: fastest_tenth(mine) for name, mine in seconds.items()}
    for name, mine in quick.items():
        goal = f"   goal ≤ {AT_MOST}" if name == LEAN else ""
        print(f"{name:42} {mine * 1e6:6.0f} µs   {mine / quick[BY_HAND]:5.2f} × NumPy{goal}")
    for name in (LEAN, COMPOSED, WITH_LOSS) if TORCH in quick else ():
        goal = f"   goal ≥ {AT_LEAST}" if name == LEAN else ""
        print(f"{name:42} {quick[TORCH] / quick[name]:5.2f} × as fast as PyTorch{goal}")


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
