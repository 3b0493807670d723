"""Your engine on your arrays: a network learns, and NumPy computes none of it.

    python examples/own_arrays.py --package my-course

A small network is trained twice from the same start. The second time, every op that the engine
calls, forward and back, computes with your `ndarray.py`: its `forward` is replaced by one that
knows `elementwise`, `reduce`, `matmul` and views. NumPy then only carries values from one op to the
next, and moves the weights. At the end, all weights of both runs are compared.
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import blas  # noqa: F401  (first: NumPy asks for the threads when it is imported)
import numpy as np
import package

POINTS, HIDDEN, RATE = 24, 8, 0.5
CLOSE = 1e-9
Forward = Callable[..., Any]  # of an op and arrays


def main() -> None:
    options = package.arguments("Your engine on your arrays.", steps=20).parse_args()
    bg = package.load(options.package)
    from babygrad import ndarray, nn, ops, optim

    def trained() -> tuple[list[Any], list[float]]:
        return train(bg, nn, optim, options.seed, options.steps)

    weights, _ = trained()
    calls: Counter[str] = Counter()
    with replaced(ops, forwards(ndarray), ndarray, calls):
        own, losses = trained()
    for name, count in calls.most_common():
        print(f"{count:6,} × {name}")
    print(f"{options.steps} steps on your arrays: loss {losses[0]:.4f}, then {losses[-1]:.4f}")
    apart = max(float(np.abs(a - b).max()) for a, b in zip(weights, own, strict=True))
    print(f"largest difference of any weight from the run on NumPy: {apart:.1e}")
    if not apart < CLOSE:
        raise SystemExit(f"That is more than rounding: less than {CLOSE} was expected.")


def train(
    bg: ModuleType, nn: ModuleType, optim: ModuleType, seed: int, steps: int
) -> tuple[list[Any], list[float]]:
    """Train a network; return its weights, and the loss of each step."""
    rng = np.random.default_rng(seed)
    labels = np.arange(POINTS) % 2
    points = rng.normal(0, 1, (POINTS, 2)) + 2 * labels[:, None]
    np.random.seed(seed)
    model = nn.Sequential(nn.Linear(2, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 2))
    for parameter in model.parameters():
        parameter.data = parameter.data.astype("float64")
    optimizer, losses = optim.SGD(model.parameters(), lr=RATE), []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = nn.SoftmaxLoss()(model(bg.Tensor(points, dtype="float64")), labels)
        loss.backward()
        optimizer.step()
        losses.append(float(loss.data))
    return [parameter.data for parameter in model.parameters()], losses


def forwards(nd: ModuleType) -> dict[str, Forward]:
    """Map the name of each op to what it computes with your arrays."""
    each = nd.elementwise

    def total(a: Any, axes: Any, keepdims: bool = False) -> Any:
        return nd.reduce(operator.add, a, 0.0, axes, keepdims)

    def swapped(a: Any) -> list[int]:
        axes = list(range(len(a.shape)))
        return [*axes[:-2], axes[-1], axes[-2]]

    def log_softmax(a: Any, axis: int) -> Any:
        shifted = each(operator.sub, a, nd.reduce(max, a, -math.inf, axis, True))
        powers = total(each(math.exp, shifted), axis, True)
        return each(lambda x, power: x - math.log(power), shifted, powers)

    return {
        "Add": lambda op, a, b: each(operator.add, a, b),
        "Sub": lambda op, a, b: each(operator.sub, a, b),
        "Mul": lambda op, a, b: each(operator.mul, a, b),
        "Div": lambda op, a, b: each(operator.truediv, a, b),
        "Negate": lambda op, a: each(operator.neg, a),
        "Exp": lambda op, a: each(math.exp, a),
        "Log": lambda op, a: each(math.log, a),
        "ReLU": lambda op, a: each(lambda x: max(x, 0.0), a),
        "AddScalar": lambda op, a: each(lambda x: x + op.scalar, a),
        "MulScalar": lambda op, a: each(lambda x: x * op.scalar, a),
        "DivScalar": lambda op, a: each(lambda x: x / op.scalar, a),
        "PowerScalar": lambda op, a: each(lambda x: x**op.scalar, a),
        "Reshape": lambda op, a: a.reshape(op.shape),
        "Transpose": lambda op, a: a.transpose(op.axes or swapped(a)),
        "BroadcastTo": lambda op, a: a.broadcast_to(op.shape),
        "Summation": lambda op, a: total(a, op.axes),
        "MatMul": lambda op, a, b: nd.matmul(a, b),
        "LogSoftmax": lambda op, a: log_softmax(a, op.axis),
    }


@contextmanager
def replaced(
    ops: ModuleType, table: dict[str, Forward], nd: ModuleType, calls: Counter[str]
) -> Iterator[None]:
    """Let every op compute by the table, and count its calls; afterwards, by itself again.

    Raises:
        SystemExit: an op that the table lacks is called.
    """

    def forward(op: Any, *arrays: Any) -> Any:
        name = type(op).__name__
        if name not in table:
            raise SystemExit(f"{name} computes with NumPy: this example has no row for it.")
        calls[name] += 1
        return table[name](op, *map(nd.NDArray.of, arrays)).numpy()

    kinds = [kind for kind in vars(ops).values() if isinstance(kind, type)]
    own = {kind: kind.forward for kind in kinds if "forward" in vars(kind)}
    for kind in own:
        kind.forward = forward
    try:
        yield
    finally:
        for kind, before in own.items():
            kind.forward = before


if __name__ == "__main__":
    package.run(main)
