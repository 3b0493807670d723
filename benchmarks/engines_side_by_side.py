"""Compare the engines of the course with others: four training steps, all of them in one run.

- Two moons: 2-16-16-2 with tanh, 64 rows, cross-entropy.
- MNIST's size: 784-128-10 with ReLU, 32 rows, cross-entropy.
- A convolution: 16 images of 14 × 14 under 8 kernels of 3 × 3, ReLU, a layer, cross-entropy.
- Attention: 8 texts of 16 tokens of 32 numbers, 4 causal heads, a layer, mean squared error.

A step is forward, loss, gradients, and plain gradient descent, in float64 on one thread. Each
engine starts from the same weights, and the losses of two steps have to agree before anything is
timed. A loss is written once for all engines that have the same operations; by hand, forward and
backward are written out as one would for this one step. The engines take turns; quoted is the
fastest tenth as a multiple of NumPy by hand. The script names and skips missing packages:

    pip install jax autograd micrograd "torch==2.13.0"
    python benchmarks/engines_side_by_side.py [--turns 200] [--package solutions]
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):  # read once, on import
    os.environ.setdefault(threads, "1")
os.environ.setdefault(
    "XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
)

import numpy as np  # noqa: E402
from engine_step import fastest_tenth  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BY_HAND, COMPILED, JAX = "NumPy by hand", "chapter 15, compiled", "JAX, compiled"
GOAL = 1.1  # of the compiled engine: times NumPy by hand
RATE, HEADS = 0.1, 4
SLOW = 40  # a program that takes so many times as long has two turns in so many
Array = Any  # of whichever engine
Step = Callable[[], float]
Loss = Callable[[Any, Sequence[Array], Array, Array], Array]


class Task(NamedTuple):
    """A training step: its loss for every engine, and the step by hand.

    `x` and `y` are the inputs and what is wanted of them; `weights` what the step moves.
    """

    title: str
    loss: Loss
    by_hand: Callable[[Task], Step]
    x: np.ndarray
    y: np.ndarray
    weights: list[np.ndarray]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=200, help="rounds of each table")
    parser.add_argument("--package", default=os.path.join(ROOT, "solutions"))
    options = parser.parse_args()
    sys.path.insert(0, options.package)
    engines = dict(find_engines())
    for task in tasks():
        steps = {BY_HAND: task.by_hand(task)}
        made = {name: make(task) for name, make in engines.items()}
        steps |= {name: step for name, step in made.items() if step is not None}
        print(task.title)
        report(take_turns(steps, options.turns))
        left_out = [name for name, step in made.items() if step is None]
        if left_out:
            print(f"  cannot do this step, or not in a minute: {', '.join(left_out)}")


# ---- the four steps --------------------------------------------------------------------------


def tasks() -> list[Task]:
    rng = np.random.default_rng(1)

    def matrix(*shape: int) -> np.ndarray:
        return rng.normal(0, math.prod(shape[:-1]) ** -0.5, shape)

    def layers(*sizes: int) -> list[np.ndarray]:
        pairs = zip(sizes[:-1], sizes[1:], strict=True)
        return [each for n, m in pairs for each in (matrix(n, m), np.zeros(m))]

    def classes(rows: int, count: int) -> np.ndarray:
        return np.eye(count)[rng.integers(0, count, rows)]

    image = matrix(3, 3, 1, 8)
    return [
        Task("two moons: 2-16-16-2, 64 rows, tanh", mlp("tanh"), mlp_by_hand("tanh"),
             rng.normal(size=(64, 2)), classes(64, 2), layers(2, 16, 16, 2)),
        Task("MNIST's size: 784-128-10, 32 rows, ReLU", mlp("relu"), mlp_by_hand("relu"),
             rng.normal(size=(32, 784)), classes(32, 10), layers(784, 128, 10)),
        Task("a convolution: 16 images of 14 × 14, 8 kernels of 3 × 3, ReLU, a layer",
             convolution, convolution_by_hand,
             rng.normal(size=(16, 14, 14, 1)), classes(16, 10), [image, *layers(1152, 10)]),
        Task("attention: 8 texts of 16 tokens, 32 numbers each, 4 causal heads, a layer",
             attention, attention_by_hand, rng.normal(size=(8, 16, 32)),
             rng.normal(size=(8, 16, 32)), [matrix(32, 32) for _ in range(4)]),
    ]  # fmt: skip


def cross_entropy(kit: Any, scores: Array, wanted: Array) -> Array:
    return -(kit.log_softmax(scores) * wanted).sum() / scores.shape[0]


def mlp(bend: str) -> Loss:
    def loss(kit: Any, weights: Sequence[Array], x: Array, y: Array) -> Array:
        for i in range(0, len(weights), 2):
            x = x @ weights[i] + weights[i + 1]
            if i + 2 < len(weights):
                x = getattr(kit, bend)(x)
        return cross_entropy(kit, x, y)

    return loss


def convolution(kit: Any, weights: Sequence[Array], x: Array, y: Array) -> Array:
    kernels, matrix, bias = weights
    seen = kit.relu(kit.conv(x, kernels))
    return cross_entropy(kit, kit.reshape(seen, (x.shape[0], -1)) @ matrix + bias, y)


def attention(kit: Any, weights: Sequence[Array], x: Array, y: Array) -> Array:
    batch, length, dim = x.shape

    def heads(rows: Array) -> Array:
        split = kit.reshape(rows, (batch, length, HEADS, dim // HEADS))
        return kit.transpose(split, (0, 2, 1, 3))

    q, k, v = (heads(x @ weight) for weight in weights[:3])
    scores = q @ kit.transpose(k, (0, 1, 3, 2)) / math.sqrt(dim // HEADS)
    means = kit.softmax(scores + kit.constant(blocked(length))) @ v
    joined = kit.reshape(kit.transpose(means, (0, 2, 1, 3)), (batch, length, dim))
    off = joined @ weights[3] - y
    return (off * off).sum() / (batch * length * dim)


def blocked(length: int) -> np.ndarray:
    """Return a term for scores: 0 where a token may look, at itself and before, else -inf."""
    return np.where(np.tril(np.ones((length, length))), 0.0, -np.inf)


# ---- NumPy by hand ---------------------------------------------------------------------------


def softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    powers /= powers.sum(axis=-1, keepdims=True)
    return powers


def loss_by_hand(scores: np.ndarray, y: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the cross-entropy of scores, and its gradient."""
    found = softmax(scores)
    return -float(np.log((found * y).sum(axis=1)).mean()), (found - y) / len(y)


def descend(weights: list[np.ndarray], gradients: Sequence[np.ndarray]) -> None:
    for weight, gradient in zip(weights, gradients, strict=True):
        weight -= RATE * gradient


def mlp_by_hand(bend: str) -> Callable[[Task], Step]:
    def of(task: Task) -> Step:
        x, weights = task.x, [w.copy() for w in task.weights]

        def step() -> float:
            kept = [x]
            for i in range(0, len(weights), 2):
                h = kept[-1] @ weights[i] + weights[i + 1]
                if i + 2 < len(weights):
                    h = np.tanh(h) if bend == "tanh" else np.maximum(h, 0)
                kept.append(h)
            loss, d = loss_by_hand(kept[-1], task.y)
            gradients: list[np.ndarray] = []
            for i in range(len(weights) - 2, -1, -2):
                below = kept[i // 2]
                gradients = [below.T @ d, d.sum(0), *gradients]
                if i:
                    d = (d @ weights[i].T) * (1 - below * below if bend == "tanh" else below > 0)
            descend(weights, gradients)
            return loss

        return step

    return of


def convolution_by_hand(task: Task) -> Step:
    kernels, matrix, bias = weights = [w.copy() for w in task.weights]
    windows = np.lib.stride_tricks.sliding_window_view(task.x[..., 0], (3, 3), (1, 2))
    rows = len(task.x)

    def step() -> float:
        patches = windows.reshape(-1, 9)
        seen = np.maximum(patches @ kernels.reshape(9, 8), 0)
        flat = seen.reshape(rows, -1)
        loss, d = loss_by_hand(flat @ matrix + bias, task.y)
        before = (d @ matrix.T).reshape(-1, 8) * (seen > 0)
        gradients = ((patches.T @ before).reshape(kernels.shape), flat.T @ d, d.sum(0))
        descend(weights, gradients)
        return loss

    return step


def attention_by_hand(task: Task) -> Step:
    x, y, weights = task.x, task.y, [w.copy() for w in task.weights]
    batch, length, dim = x.shape
    shape, size = (batch, length, HEADS, dim // HEADS), math.sqrt(dim // HEADS)
    mask, rows = blocked(length), x.reshape(-1, dim)

    def heads(a: np.ndarray) -> np.ndarray:
        return a.reshape(shape).transpose(0, 2, 1, 3)

    def join(a: np.ndarray) -> np.ndarray:
        return a.transpose(0, 2, 1, 3).reshape(-1, dim)

    def step() -> float:
        q, k, v = (heads(rows @ weight) for weight in weights[:3])
        found = softmax(q @ k.swapaxes(2, 3) / size + mask)
        joined = join(found @ v)
        off = joined @ weights[3] - y.reshape(-1, dim)
        d_off = off * (2 / off.size)
        d_means = heads(d_off @ weights[3].T)
        d_found = d_means @ v.swapaxes(2, 3)
        d_scores = found * (d_found - (d_found * found).sum(-1, keepdims=True)) / size
        d_q, d_k, d_v = d_scores @ k, d_scores.swapaxes(2, 3) @ q, found.swapaxes(2, 3) @ d_means
        gradients = [*(rows.T @ join(each) for each in (d_q, d_k, d_v)), joined.T @ d_off]
        descend(weights, gradients)
        return float((off * off).mean())

    return step


# ---- the engines -----------------------------------------------------------------------------


def find_engines() -> Iterator[tuple[str, Callable[[Task], Step | None]]]:
    """Yield each engine that is installed; print the name of one that is not."""
    for name, needs, make in (
        (COMPILED, "babygrad", compiled), ("chapter 3", "babygrad", eager),
        ("chapter 11, apply", "babygrad", by_apply), ("chapter 11, closures", "babygrad", closures),
        ("PyTorch", "torch", pytorch), (JAX, "jax", jax_compiled),
        ("HIPS autograd", "autograd", hips), ("micrograd", "micrograd", micrograd),
    ):  # fmt: skip
        try:
            __import__(needs)
        except ImportError:
            print(f"{name}: {needs} is not installed, skipped")
            continue
        yield name, make


class Course:
    """The operations of chapters 3 to 7."""

    def __init__(self) -> None:
        from babygrad import Tensor, ops

        self.tensor = Tensor
        self.tanh, self.relu, self.conv = ops.tanh, ops.relu, ops.conv
        self.reshape, self.transpose = ops.reshape, ops.transpose
        self.log_softmax, self.exp = ops.log_softmax, ops.exp

    def softmax(self, x: Array) -> Array:
        return self.exp(self.log_softmax(x))

    def constant(self, array: np.ndarray) -> Array:
        return self.tensor(array, dtype="float64", requires_grad=False)

    def leaves(self, task: Task) -> list[Array]:
        return [self.tensor(w.copy(), dtype="float64") for w in task.weights]


def eager(task: Task) -> Step:
    kit = Course()
    x, y, weights = kit.constant(task.x), kit.constant(task.y), kit.leaves(task)

    def step() -> float:
        for weight in weights:
            weight.grad = None
        loss = task.loss(kit, weights, x, y)
        loss.backward()
        for weight in weights:
            weight.data -= RATE * weight.grad
        return float(loss.data)

    return step


def compiled(task: Task) -> Step | None:
    """Return the compiled step; None where it has an op that a program does not know."""
    from babygrad import compiler, tracing

    kit = Course()
    x, y, weights = kit.constant(task.x), kit.constant(task.y), kit.leaves(task)

    def whole_step(x: Array, y: Array, *weights: Array) -> list[Array]:
        loss = task.loss(kit, weights, x, y)
        found = tracing.gradients(loss, weights)
        return [loss, *(w - g * RATE for w, g in zip(weights, found, strict=True))]

    function = compiler.Compiled(whole_step)
    try:
        function(x, y, *weights)
    except tracing.CannotTrace:
        return None

    def step() -> float:
        loss, *arrays = function(x, y, *weights)
        for weight, array in zip(weights, arrays, strict=True):
            weight.data = array
        return float(loss)

    return step


def by_apply(task: Task) -> Step | None:
    from babygrad.engines import apply

    def leaf(a: np.ndarray) -> Array:
        return apply.Tensor(a, requires_grad=True)

    return lecture(task, leaf, apply.Tensor(task.x), lambda s, y: apply.CrossEntropy.apply(s, y))


def closures(task: Task) -> Step | None:
    from babygrad.engines import closure

    return lecture(task, closure.Tensor, closure.Tensor(task.x), closure.cross_entropy)


def lecture(task: Task, leaf: Any, x: Array, loss_of: Any) -> Step | None:
    """Return the step of an engine of chapter 11; None where it has not what the step takes."""
    if task.x.ndim != 2:
        return None
    weights, labels = [leaf(w.copy()) for w in task.weights], task.y.argmax(axis=1)
    bend = "tanh" if len(weights) == 6 else "relu"

    def step() -> float:
        h = x
        for weight in weights:
            weight.grad = None if weight.grad is None else np.zeros_like(weight.data)
        for i in range(0, len(weights), 2):
            h = h @ weights[i] + weights[i + 1]
            if i + 2 < len(weights):
                h = getattr(h, bend)()
        loss = loss_of(h, labels)
        loss.backward()
        for weight in weights:
            weight.data -= RATE * weight.grad
        return float(loss.data)

    return step


def pytorch(task: Task) -> Step:
    import torch

    torch.set_num_threads(1)

    class Kit:
        tanh, relu, transpose = torch.tanh, torch.relu, torch.permute
        reshape, constant = torch.reshape, staticmethod(torch.tensor)

        @staticmethod
        def log_softmax(x: Array) -> Array:
            return torch.log_softmax(x, -1)

        @staticmethod
        def softmax(x: Array) -> Array:
            return torch.softmax(x, -1)

        @staticmethod
        def conv(x: Array, kernels: Array) -> Array:
            """Turn the axes to PyTorch's order and back: views, which cost next to nothing."""
            seen = torch.conv2d(x.permute(0, 3, 1, 2), kernels.permute(3, 2, 0, 1))
            return seen.permute(0, 2, 3, 1)

    x, y = torch.tensor(task.x), torch.tensor(task.y)
    weights = [torch.tensor(w, requires_grad=True) for w in task.weights]
    optimizer = torch.optim.SGD(weights, lr=RATE)

    def step() -> float:
        optimizer.zero_grad()
        loss = task.loss(Kit, weights, x, y)
        loss.backward()
        optimizer.step()
        return float(loss.item())

    return step


def jax_compiled(task: Task) -> Step:
    import jax

    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_enable_x64", True)

    class Kit:
        tanh, relu, transpose = jax.numpy.tanh, jax.nn.relu, jax.numpy.transpose
        reshape, constant = jax.numpy.reshape, staticmethod(jax.numpy.asarray)
        log_softmax, softmax = jax.nn.log_softmax, jax.nn.softmax

        @staticmethod
        def conv(x: Array, kernels: Array) -> Array:
            axes = ("NHWC", "HWIO", "NHWC")
            return jax.lax.conv_general_dilated(x, kernels, (1, 1), "VALID", None, None, axes)

    @jax.jit
    def whole_step(weights: Any, x: Array, y: Array) -> Any:
        loss, found = jax.value_and_grad(lambda w: task.loss(Kit, w, x, y))(weights)
        return loss, [w - RATE * g for w, g in zip(weights, found, strict=True)]

    x, y = jax.numpy.asarray(task.x), jax.numpy.asarray(task.y)
    weights = [jax.numpy.asarray(w) for w in task.weights]

    def step() -> float:
        nonlocal weights
        loss, weights = whole_step(weights, x, y)
        jax.block_until_ready(weights)
        return float(loss)

    return step


def hips(task: Task) -> Step:
    import autograd
    import autograd.numpy as anp

    class Kit:
        tanh, transpose, reshape = anp.tanh, anp.transpose, anp.reshape
        constant = staticmethod(np.asarray)

        @staticmethod
        def relu(x: Array) -> Array:
            return anp.maximum(x, 0)

        @staticmethod
        def log_softmax(x: Array) -> Array:
            x = x - anp.max(x, axis=-1, keepdims=True)
            return x - anp.log(anp.sum(anp.exp(x), axis=-1, keepdims=True))

        @staticmethod
        def softmax(x: Array) -> Array:
            return anp.exp(Kit.log_softmax(x))

        @staticmethod
        def conv(x: Array, kernels: Array) -> Array:
            """Sum the products place by place of the kernel: the library's own takes a second."""
            rows, columns = (x.shape[axis] - 2 for axis in (1, 2))
            places = ((i, j) for i in range(3) for j in range(3))
            return sum(x[:, i : i + rows, j : j + columns] @ kernels[i, j] for i, j in places)

    values = autograd.value_and_grad(lambda w: task.loss(Kit, w, task.x, task.y))
    weights = [w.copy() for w in task.weights]

    def step() -> float:
        loss, found = values(weights)
        descend(weights, found)
        return float(loss)

    return step


def micrograd(task: Task) -> Step | None:
    """Return the step with one node for each number; None where that would take minutes.

    The package has no tanh, exp or log: they are added as its own ReLU is written.
    """
    if task.weights[0].shape[0] != 2:
        return None
    from micrograd.engine import Value

    def curve(x: Array, out: float, slope: float) -> Array:
        node = Value(out, (x,))

        def backward() -> None:
            x.grad += slope * node.grad

        node._backward = backward
        return node

    weights = [np.vectorize(Value, otypes=[object])(w) for w in task.weights]

    def step() -> float:
        h = task.x
        for i in range(0, len(weights), 2):
            h = h @ weights[i] + weights[i + 1]
            if i + 2 < len(weights):
                values = [(x, math.tanh(x.data)) for x in h.flat]
                h = np.array([curve(x, t, 1 - t * t) for x, t in values]).reshape(h.shape)
        total = 0.0
        for row, right in zip(h, task.y.argmax(axis=1), strict=True):
            powers = sum(curve(x, math.exp(x.data), math.exp(x.data)) for x in row)
            total = total + curve(powers, math.log(powers.data), 1 / powers.data) - row[right]
        loss = total * (1 / len(task.y))
        for weight in weights:
            for each in weight.flat:
                each.grad = 0
        loss.backward()
        for weight in weights:
            for each in weight.flat:
                each.data -= RATE * each.grad
        return float(loss.data)

    return step


# ---- measuring -------------------------------------------------------------------------------


def take_turns(steps: dict[str, Step], turns: int) -> dict[str, float]:
    """Return the seconds of a step of each, its fastest tenth; leave where losses disagree."""
    losses = {name: [step(), step()] for name, step in steps.items()}
    for name, found in losses.items():
        if not np.allclose(found, losses[BY_HAND], rtol=1e-9):
            sys.exit(f"{name} gives the losses {found}, {BY_HAND} gives {losses[BY_HAND]}.")
    usual = time_of(steps[BY_HAND])
    slow = {name for name, step in steps.items() if time_of(step) > SLOW * usual}
    seconds: dict[str, list[float]] = {name: [] for name in steps}
    for turn in range(turns):
        for name, step in steps.items():
            if name not in slow or turn % SLOW < 2:
                step()  # not counted: it finds the caches as the others left them
                seconds[name].append(time_of(step))
    return {name: fastest_tenth(mine) for name, mine in seconds.items()}


def time_of(step: Step) -> float:
    started = time.perf_counter()
    step()
    return time.perf_counter() - started


def report(seconds: dict[str, float]) -> None:
    base = seconds[BY_HAND]
    for name, mine in seconds.items():
        goal = f"   goal ≤ {GOAL}, and ahead of {JAX}" if name == COMPILED else ""
        print(f"  {name:24} {mine * 1e6:9.0f} µs   {mine / base:7.2f} × {BY_HAND}{goal}")


if __name__ == "__main__":
    main()
