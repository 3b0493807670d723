"""One network, twice: in your babygrad and in PyTorch, with the same weights and the same batch.

Both run forward and backward, in training mode and in evaluation mode. The largest difference
of each parameter's gradient is printed. Needs PyTorch, which nothing else here does.

    python examples/torch_twin.py --package path/to/your/babygrad
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Iterator
from typing import Any

import blas  # noqa: F401  (first: NumPy asks for the threads when it is imported)
import numpy as np
import pictures
from package import load, run

BATCH, INPUTS, HIDDEN, CLASSES = 32, 6, 8, 3
# How far two gradients may be apart: rounding, by the dtype that the package computed in.
ENOUGH = {"float64": 1e-10, "float32": 1e-4}


def main() -> int:
    options = arguments()
    bg = load(options.package)
    bg.nn = importlib.import_module("babygrad.nn")
    mine = network(bg)  # first: a package that is not written yet need not wait for PyTorch
    try:
        import torch
    except ImportError:
        print("This example compares with PyTorch, which is not installed: pip install torch")
        return 2
    theirs = torch_network(torch)
    pairs = list(zip(layers(mine), torch_layers(theirs), strict=True))
    rng = np.random.default_rng(options.seed)
    for one, other in pairs:
        copy_weights(bg, torch, one, other, rng)
    x, y = rng.normal(size=(BATCH, INPUTS)), rng.integers(0, CLASSES, BATCH)
    print(f"{bg.__file__} against PyTorch {torch.__version__}, batch {BATCH}, seed {options.seed}")
    found: dict[str, float] = {}
    for mode in ("train", "eval"):
        getattr(mine, mode)()
        getattr(theirs, mode)()
        found |= compare(bg, torch, mine, theirs, pairs, x, y, mode)
    worst = max(found.values())
    dtype = str(array_of(bg, mine.layers[0].weight.grad).dtype)
    enough = ENOUGH.get(dtype, ENOUGH["float32"])
    pictures.save(
        options.plot,
        pictures.bars(
            "how far your package and PyTorch are apart",
            "largest difference (right of the dashed line it is not rounding)", found, enough,
        ),
    )  # fmt: skip
    exact = sum(difference <= enough for difference in found.values())
    print(f"\n{exact} of {len(found)} numbers differ by rounding only")
    print(f"largest difference of all: {worst:.1e} ({dtype}; at most {enough:.0e} is rounding)")
    return 0 if worst <= enough else 1


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--package", help="your babygrad (default: from here upwards)")
    parser.add_argument("--seed", type=int, default=0, help="of weights and batch (default: 0)")
    pictures.options(parser, "torch_twin")
    return parser.parse_args()


def network(bg: Any) -> Any:
    """Every layer with parameters, and a residual connection."""
    nn, exact = bg.nn, {"dtype": "float64"}
    inner = nn.Sequential(
        nn.LayerNorm1d(HIDDEN, **exact), nn.Linear(HIDDEN, HIDDEN, **exact), nn.Tanh()
    )
    return nn.Sequential(
        nn.Linear(INPUTS, HIDDEN, **exact),
        nn.BatchNorm1d(HIDDEN, **exact),
        nn.ReLU(),
        nn.Residual(inner),
        nn.Linear(HIDDEN, CLASSES, **exact),
    )


def torch_network(torch: Any) -> Any:
    """The same, from PyTorch's parts."""
    nn = torch.nn

    class Residual(nn.Module):  # type: ignore[name-defined, misc]
        def __init__(self, fn: Any) -> None:
            super().__init__()
            self.fn = fn

        def forward(self, x: Any) -> Any:
            return self.fn(x) + x

    return nn.Sequential(
        nn.Linear(INPUTS, HIDDEN),
        nn.BatchNorm1d(HIDDEN),
        nn.ReLU(),
        Residual(nn.Sequential(nn.LayerNorm(HIDDEN), nn.Linear(HIDDEN, HIDDEN), nn.Tanh())),
        nn.Linear(HIDDEN, CLASSES),
    ).double()


def layers(module: Any) -> Iterator[Any]:
    """The modules that have a weight, from the first to the last."""
    if hasattr(module, "layers"):
        for layer in module.layers:
            yield from layers(layer)
    elif hasattr(module, "fn"):
        yield from layers(module.fn)
    elif hasattr(module, "weight"):
        yield module


def torch_layers(module: Any) -> list[Any]:
    """The same modules of PyTorch's network, in the same order."""
    return [each for each in module.modules() if hasattr(each, "weight")]


def copy_weights(bg: Any, torch: Any, mine: Any, theirs: Any, rng: np.random.Generator) -> None:
    """The same random numbers into both; PyTorch keeps the weight of a Linear transposed."""
    for name in ("weight", "bias"):
        parameter = getattr(mine, name)
        values = rng.normal(size=parameter.shape)
        parameter.data = bg.Tensor(values, dtype="float64").data
        getattr(theirs, name).data = torch.tensor(torch_way(theirs, values))


def array_of(bg: Any, grad: Any) -> np.ndarray:
    """A gradient as an array; packages keep an ndarray or a Tensor in `grad`."""
    return np.asarray(grad.data if isinstance(grad, bg.Tensor) else grad)


def torch_way(module: Any, array: np.ndarray) -> np.ndarray:
    """An array of ours in the shape in which PyTorch keeps it."""
    if type(module).__name__ == "Linear" and array.ndim == 2 and array.shape[0] > 1:
        return np.array(array.T)
    return array.reshape(-1)


def compare(
    bg: Any, torch: Any, mine: Any, theirs: Any, pairs: list[tuple[Any, Any]],
    x: np.ndarray, y: np.ndarray, mode: str,
) -> dict[str, float]:  # fmt: skip
    """Run both; print the difference of the loss and of every gradient, and return them."""
    mine.zero_grad()
    theirs.zero_grad()
    loss = bg.nn.SoftmaxLoss()(mine(bg.Tensor(x, dtype="float64")), y)
    loss.backward()
    torch_loss = torch.nn.functional.cross_entropy(theirs(torch.tensor(x)), torch.tensor(y))
    torch_loss.backward()
    value = loss.data.item()
    found = {f"{mode}: loss": abs(value - torch_loss.item())}
    print(f"\n{mode}: loss {value:.6f}, difference {found[f'{mode}: loss']:.1e}")
    for number, (one, other) in enumerate(pairs, 1):
        for name in ("weight", "bias"):
            parameter = getattr(one, name)
            gradient = array_of(bg, parameter.grad)
            twin = getattr(other, name).grad.numpy()
            difference = float(np.abs(torch_way(other, gradient) - twin).max())
            if not np.isfinite(difference):
                difference = np.inf  # so that it counts as the largest one
            label = f"{number} {type(one).__name__}.{name}"
            found[f"{mode}: {label}"] = difference
            print(f"  {label:22} {parameter.shape!s:8} {difference:.1e}")
    return found


if __name__ == "__main__":
    run(main)
