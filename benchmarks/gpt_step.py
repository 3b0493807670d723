"""One training step of the GPT of chapter 14: the course's engine beside PyTorch, the same weights.

Both run on one thread in float32: forward, loss, backward, clipping and AdamW. They take turns, and
we quote the ratio of the fastest tenth of each. Before it times anything, loss and every gradient
must agree. PyTorch's side is made of its own modules: Embedding, a pre-norm TransformerEncoderLayer
per block with a causal mask, LayerNorm, Linear.

The profile below says where the engine's time goes: a share per kind of operation, there and back.

    python benchmarks/gpt_step.py [--turns 30] [--package solutions]
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np  # noqa: E402  (here, because the number of threads is read once, on import)

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SIZES = {  # vocabulary, length, dim, heads, blocks; and the batch
    "small": ((73, 48, 48, 4, 2), 24),
    "wide": ((73, 64, 128, 4, 2), 16),
}
RATE, MOST = 1e-3, 1.0
Step = Callable[[], float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=30, help="steps of each program")
    parser.add_argument("--package", default=os.path.join(ROOT, "solutions"))
    options = parser.parse_args()
    sys.path.insert(0, options.package)
    for name, (size, batch) in SIZES.items():
        rng = np.random.default_rng(0)
        tokens = rng.integers(0, size[0], (batch, size[1] + 1))
        inputs, targets = tokens[:, :-1], tokens[:, 1:]
        np.random.seed(0)
        step, model = ours(size, inputs, targets)
        theirs = twin(model, size, inputs, targets)
        print(f"{name}: GPT{size}, batches of {batch}")
        if theirs is not None:
            compare(step, theirs, options.turns)
        profile(step)


def ours(size: Any, inputs: np.ndarray, targets: np.ndarray) -> tuple[Step, Any]:
    from babygrad.gpt import GPT, train_step
    from babygrad.optim import AdamW, Scheduler

    model = GPT(*size)
    optimizer = AdamW(model.parameters(), lr=RATE)
    scheduler = Scheduler(optimizer, lambda t: RATE)
    return lambda: train_step(model, optimizer, scheduler, inputs, targets, MOST), model


# ---- PyTorch --------------------------------------------------------------------------------


def twin(model: Any, size: Any, inputs: np.ndarray, targets: np.ndarray) -> Step | None:
    """PyTorch's step with the same weights, once both have agreed; None where it is missing."""
    try:
        import torch
    except ImportError:
        print("PyTorch is not installed: only the profile is told.")
        return None
    torch.set_num_threads(1)
    network = modules(torch, size)
    copy(torch, model, network)
    x, y = torch.tensor(inputs), torch.tensor(targets).reshape(-1)

    def loss_of() -> Any:
        return torch.nn.functional.cross_entropy(network(x).reshape(-1, size[0]), y)

    agree(model, network, inputs, targets, loss_of)
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE)

    def step() -> float:
        optimizer.zero_grad()
        loss = loss_of()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), MOST)
        optimizer.step()
        return float(loss.item())

    return step


def modules(torch: Any, size: Any) -> Any:
    nn = torch.nn
    vocabulary, length, dim, heads, blocks = size

    class Network(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.tokens, self.positions = nn.Embedding(vocabulary, dim), nn.Embedding(length, dim)
            self.blocks = nn.ModuleList(
                nn.TransformerEncoderLayer(
                    dim, heads, 4 * dim, dropout=0.0, batch_first=True, norm_first=True,
                    activation=lambda x: nn.functional.gelu(x, approximate="tanh"),
                )
                for _ in range(blocks)
            )  # fmt: skip
            self.norm, self.head = nn.LayerNorm(dim), nn.Linear(dim, vocabulary, bias=False)
            self.hidden = torch.triu(torch.ones(length, length, dtype=torch.bool), 1)

        def forward(self, tokens: Any) -> Any:
            x = self.tokens(tokens) + self.positions.weight[: tokens.shape[1]]
            for block in self.blocks:
                x = block(x, src_mask=self.hidden)
            return self.head(self.norm(x))

    return Network()


def pairs(model: Any, network: Any) -> list[tuple[Any, list[Any]]]:
    """Each parameter of PyTorch, and ours that it is made of; several lie one below the other."""
    found = [
        (network.tokens.weight, [model.tokens.weight]),
        (network.positions.weight, [model.positions.weight]),
        (network.norm.weight, [model.norm.weight]), (network.norm.bias, [model.norm.bias]),
        (network.head.weight, [model.head.weight]),
    ]  # fmt: skip
    for theirs, mine in zip(network.blocks, model.blocks, strict=True):
        three = [mine.attention.query, mine.attention.key, mine.attention.value]
        for kind in ("weight", "bias"):
            attention = theirs.self_attn
            found += [
                (getattr(attention, f"in_proj_{kind}"), [getattr(each, kind) for each in three]),
                (getattr(attention.out_proj, kind), [getattr(mine.attention.output, kind)]),
                (getattr(theirs.linear1, kind), [getattr(mine.expand, kind)]),
                (getattr(theirs.linear2, kind), [getattr(mine.shrink, kind)]),
                (getattr(theirs.norm1, kind), [getattr(mine.norm1, kind)]),
                (getattr(theirs.norm2, kind), [getattr(mine.norm2, kind)]),
            ]
    return found


def laid(arrays: list[np.ndarray], tables: bool) -> np.ndarray:
    """Ours as PyTorch keeps it: linear layers on their side, tables as they are."""
    turned = [array.T if array.ndim == 2 and not tables else array for array in arrays]
    return np.concatenate(turned)


def is_table(model: Any, mine: list[Any]) -> bool:
    return any(each is mine[0] for each in (model.tokens.weight, model.positions.weight))


def copy(torch: Any, model: Any, network: Any) -> None:
    for parameter, mine in pairs(model, network):
        array = laid([each.data for each in mine], is_table(model, mine))
        parameter.data = torch.tensor(np.ascontiguousarray(array))


def agree(model: Any, network: Any, inputs: Any, targets: Any, loss_of: Callable[[], Any]) -> None:
    """The same loss, and the same gradient of every parameter.

    Raises:
        SystemExit: they do not agree.
    """
    from babygrad.gpt import cross_entropy

    model.zero_grad()
    loss = cross_entropy(model(inputs), targets)
    loss.backward()
    theirs = loss_of()
    theirs.backward()
    worst = abs(float(loss.data) - theirs.item())
    found = pairs(model, network)
    largest = max(float(parameter.grad.abs().max()) for parameter, _ in found)
    for parameter, mine in found:
        array = laid([each.grad for each in mine], is_table(model, mine))
        worst = max(worst, float(np.abs(array - parameter.grad.numpy()).max()) / largest)
    if not worst < 1e-5:
        raise SystemExit(f"The two do not agree: {worst:.1e}.")
    print(f"  loss and gradients agree to {worst:.0e} of the largest")


# ---- what is measured -----------------------------------------------------------------------


def compare(step: Step, theirs: Step, turns: int) -> None:
    """Both in turns; the fastest tenth of each."""
    times: dict[str, list[float]] = {"ours": [], "PyTorch": []}
    for _ in range(turns):
        for name, one in (("ours", step), ("PyTorch", theirs)):
            started = time.perf_counter()
            one()
            times[name].append(time.perf_counter() - started)
    fast = {name: sorted(each)[turns // 10] for name, each in times.items()}
    print(f"  a step takes {fast['ours'] / fast['PyTorch']:.2f} x PyTorch's")


def profile(step: Step) -> None:
    """Shares of the time by kind of operation: its forward, and its rule without what it calls."""
    from babygrad import ops

    spent: Counter[str] = Counter()
    nested = [0.0]
    kinds = [k for k in vars(ops).values() if isinstance(k, type) and issubclass(k, ops.Function)]
    originals = [(k, way, vars(k)[way]) for k in kinds for way in ("forward", "backward")
                 if way in vars(k)]  # fmt: skip
    for kind, way, function in originals:
        setattr(kind, way, timed(function, f"{kind.__name__}.{way}", spent, nested))
    started = time.perf_counter()
    step()
    whole = time.perf_counter() - started
    for kind, way, function in originals:
        setattr(kind, way, function)
    rest = whole - sum(spent.values())
    parts = [f"{name} {share / whole:.0%}" for name, share in spent.most_common(8)]
    print(f"  of it {', '.join(parts)}; nodes, walk and optimizer {rest / whole:.0%}")


def timed(function: Any, name: str, spent: Counter[str], nested: list[float]) -> Any:
    """The function, with its own time noted; what runs inside of it counts for itself."""

    def run(*arguments: Any) -> Any:
        started, outside = time.perf_counter(), nested[0]
        nested[0] = 0.0
        result = function(*arguments)
        took = time.perf_counter() - started
        spent[name] += took - nested[0]
        nested[0] = outside + took
        return result

    return run


if __name__ == "__main__":
    main()
