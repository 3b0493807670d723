"""Two training steps as chapter 15 compiles them: the MLP of chapter 5, and the GPT of chapter 14.

The MLP is that of `engine_step.py`: 2-16-16-2 with tanh, batches of 64, float64, plain gradient
descent. Its whole step is one program: forward, loss, the way back, new weights. It is measured
beside NumPy by hand and the engine that it was traced from.

The GPT is the small one of `gpt_step.py`. Its program is forward, loss and the way back; clipping
and AdamW are the same code in both. The program receives tokens as rows with a single 1, because a
program with the numbers of one batch would be right for no other. Programs take turns in one run,
and we quote the fastest tenth of each. Losses must agree before it times anything. Below the times
it prints the instructions and buffers of both programs.

    python benchmarks/compiled_step.py [--turns 300] [--package solutions]
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np  # noqa: E402  (here, because the number of threads is read once, on import)
from engine_step import (  # noqa: E402
    BY_HAND,
    RATE,
    TORCH,
    Network,
    NumpyNetwork,
    agree,
    fastest_tenth,
    first_weights,
    load,
    measure,
    moons,
    softmax_loss,
    torch_network,
)
from gpt_step import SIZES as GPT_SIZES  # noqa: E402
from gpt_step import ours  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COMPILED, EAGER = "compiled", "the engine of chapter 3"
MLP_GOAL, GPT_GOAL = 1.2, 0.6  # times NumPy by hand; times its own eager step
TORCH_GOAL = 3  # times as fast as PyTorch


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=300, help="blocks of each program")
    parser.add_argument("--package", default=os.path.join(ROOT, "solutions"))
    options = parser.parse_args()
    sys.path.insert(0, options.package)
    bg = load()
    from babygrad import compiler, gpt, tracing

    mlp(bg, compiler, tracing, options.turns)
    gpt_small(bg, gpt, compiler, tracing, max(10, options.turns // 10))


# ---- the MLP ------------------------------------------------------------------------------


class CompiledNetwork:
    """The same network: its parameters are arrays, and a step is one call."""

    def __init__(self, bg: Any, compiler: Any, tracing: Any) -> None:
        self.tensors = [bg.Tensor(array, dtype="float64") for array in first_weights()]
        self.bg, self.tracing = bg, tracing
        self.step_of = compiler.Compiled(self.program)

    def program(self, x: Any, y: Any, *given: Any) -> list[Any]:
        ops, at = self.bg.ops, x
        for weight, bias in zip(given[::2], given[1::2], strict=True):
            at = at @ weight + bias
            if weight is not given[-2]:
                at = ops.tanh(at)
        loss = (ops.log_softmax(at) * y).sum() / -x.shape[0]
        found = self.tracing.gradients(loss, given)
        return [loss, *(p - g * RATE for p, g in zip(given, found, strict=True))]

    def step(self, x: np.ndarray, y: np.ndarray) -> float:
        tensor = self.bg.Tensor
        rows = tensor(np.eye(2)[y], dtype="float64"), *self.tensors
        loss, *arrays = self.step_of(tensor(x, dtype="float64"), *rows)
        for each, array in zip(self.tensors, arrays, strict=True):
            each.data = array
        return float(loss)


def mlp(bg: Any, compiler: Any, tracing: Any, turns: int) -> None:
    compiled = CompiledNetwork(bg, compiler, tracing)
    steps = {
        BY_HAND: NumpyNetwork().step, COMPILED: compiled.step,
        EAGER: Network(bg, softmax_loss(bg)).step,
    }  # fmt: skip
    torch_step = torch_network()
    if torch_step is not None:
        steps[TORCH] = torch_step
    batches = moons(bg)
    agree(steps, *batches[0])
    measured = measure(steps, batches, turns, 5)
    seconds = {name: fastest_tenth(each) for name, each in measured.items()}
    print(f"MLP, batches of {len(batches[0][1])}: {size_of(compiled.step_of)}")
    tell(seconds, BY_HAND, MLP_GOAL)
    if TORCH in seconds:
        times = seconds[TORCH] / seconds[COMPILED]
        print(f"  {times:.1f} x as fast as PyTorch   goal ≥ {TORCH_GOAL}")


def size_of(compiled: Any) -> str:
    (built,) = compiled.made.values()
    lines = built.text.count("\n") - 2
    buffers = len({word for word in built.text.replace(")", " ").split() if word[:5] == "out=b"})
    return f"{lines} lines of NumPy, {buffers} buffers"


def tell(seconds: dict[str, float], base: str, goal: float) -> None:
    for name, each in seconds.items():
        said = f"   goal ≤ {goal}" if name == COMPILED else ""
        print(f"  {name:30} {each * 1e6:8.0f} µs   {each / seconds[base]:5.2f} × {base}{said}")


# ---- the GPT ------------------------------------------------------------------------------


def gpt_small(bg: Any, gpt: Any, compiler: Any, tracing: Any, turns: int) -> None:
    size, batch = GPT_SIZES["small"]
    rng = np.random.default_rng(0)
    tokens = rng.integers(0, size[0], (batch, size[1] + 1))
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    np.random.seed(0)
    eager, _ = ours(size, inputs, targets)
    np.random.seed(0)
    compiled, function = compiled_gpt(bg, gpt, compiler, tracing, size, inputs, targets)
    both = [(eager(), compiled()) for _ in range(2)]
    if not np.allclose(*zip(*both, strict=True), rtol=1e-4):
        sys.exit(f"The losses do not agree: {both}.")
    steps = {EAGER: lambda x, y: eager(), COMPILED: lambda x, y: compiled()}
    seconds = measure(steps, [(inputs, targets)], turns, 1)
    print(f"GPT{size}, batches of {batch}: {size_of(function)}")
    tell({name: fastest_tenth(each) for name, each in seconds.items()}, EAGER, GPT_GOAL)


def compiled_gpt(
    bg: Any, gpt: Any, compiler: Any, tracing: Any, size: Any, inputs: Any, targets: Any
) -> tuple[Callable[[], float], Any]:
    """The step of `ours` with a compiled forward and backward, from the same first weights."""
    from babygrad.optim import AdamW, Scheduler, clip_grad_norm

    model = gpt.GPT(*size)
    parameters = model.parameters()
    optimizer = AdamW(parameters, lr=1e-3)
    scheduler = Scheduler(optimizer, lambda t: 1e-3)
    count, length = inputs.shape

    def program(rows: Any, wanted: Any, *given: Any) -> list[Any]:
        x = (rows @ model.tokens.weight).reshape(count, length, -1)
        x = x + model.positions(np.arange(length))
        mask = gpt.causal_mask(length)
        for block in model.blocks:
            x = block(x, mask)
        scores = gpt.each_token(model.head, gpt.each_token(model.norm, x))
        loss = (bg.ops.log_softmax(scores) * wanted).sum() / -(count * length)
        return [loss, *tracing.gradients(loss, given)]

    function = compiler.Compiled(program)

    def step() -> float:
        rows = bg.Tensor.one_hot(inputs.ravel(), size[0])
        wanted = bg.Tensor.one_hot(targets, size[0])
        loss, *found = function(rows, wanted, *parameters)
        for parameter, gradient in zip(parameters, found, strict=True):
            parameter.grad = gradient
        clip_grad_norm(parameters, 1.0)
        optimizer.step()
        scheduler.step()
        return float(loss)

    return step, function


if __name__ == "__main__":
    main()
