"""Keeps a 20-layer network alive: the same network on digits, with weights drawn in four ways.

Only chapter 7 is put to the test: your package draws the weights, and everything else, forward
and backward, is written in NumPy here. First it shows how large activations and gradients are,
layer by layer, before any training. Then it trains each network for a few rounds.

    python examples/deep_net.py --package path/to/your/babygrad

It leaves a picture, deep_net.png, if matplotlib is installed.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from collections.abc import Callable

import blas  # noqa: F401  (first: NumPy asks for the threads when it is imported)
import digits_data
import numpy as np
import pictures
from package import load, run

HIDDEN_LAYERS = 20
WIDTH = 64
CLASSES = 10
BATCH = 32
LEARNING_RATE = 0.003
MOMENTUM = 0.9
ALIVE, DEAD = 0.70, 0.30  # test accuracy that Kaiming has to reach, and that 0.01 stays below
SHOWN = (1, 5, 10, 15, 20)

Weights = list[np.ndarray]
Draw = Callable[[int, int], np.ndarray]


def main() -> int:
    options = arguments()
    bg = load(options.package)
    init = importlib.import_module("babygrad.init")
    data = centred(*digits_data.split(options.seed))
    print(f"{bg.__file__}: {HIDDEN_LAYERS} hidden layers of {WIDTH}, ReLU, {len(data[1])} digits")
    draws = ways(init)
    print("\nbefore training: spread of the activations, and of the gradients of the weights")
    print(f"{'':16}" + "".join(f"{f'layer {n}':>12}" for n in SHOWN))
    spreads = {}
    for name, draw in draws.items():
        np.random.seed(options.seed)
        spreads[name] = show_spread(name, network(draw), *data[:2])
    pictures.save(
        options.plot,
        by_layer("activations, forward →", {name: both[0] for name, both in spreads.items()}),
        by_layer("gradients, ← backward", {name: both[1] for name, both in spreads.items()}),
    )
    print(
        "A line that falls or rises is a factor per layer. A weight's gradient is what came\n"
        "forward times what comes back, so those lines are level; only Kaiming's lies at a\n"
        "height at which a step changes something and breaks nothing."
    )
    print(f"\nafter {options.epochs} rounds")
    reached = {}
    for name, draw in draws.items():
        np.random.seed(options.seed)
        reached[name] = train(name, network(draw), data, options.epochs, options.seed)
    if reached["kaiming normal"] < ALIVE or reached["normal, 0.01"] > DEAD:
        print(f"Expected: Kaiming at least {ALIVE:.0%}, std 0.01 at most {DEAD:.0%}.")
        return 1
    print("The same network, the same data, the same steps. Only the first numbers differ.")
    return 0


def centred(pixels, labels, test_pixels, test_labels):
    """Pixels with mean 0 in every place and a spread of 1: what the rules of chapter 7 assume."""
    mean, spread = pixels.mean(axis=0), pixels.std()
    return (pixels - mean) / spread, labels, (test_pixels - mean) / spread, test_labels


def ways(init) -> dict[str, Draw]:
    """Four ways to draw a weight matrix; two of them are yours."""
    return {
        "normal, 0.01": lambda i, o: np.random.normal(0, 0.01, (i, o)),
        "normal, 0.5": lambda i, o: np.random.normal(0, 0.5, (i, o)),
        "xavier normal": lambda i, o: init.xavier_normal(i, o, dtype="float64").data,
        "kaiming normal": lambda i, o: init.kaiming_normal(i, o, dtype="float64").data,
    }


def network(draw: Draw) -> Weights:
    """Weight matrices from pixels to classes; there are no biases, to keep the picture simple."""
    sizes = [64, *[WIDTH] * HIDDEN_LAYERS, CLASSES]
    return [
        np.array(draw(i, o), dtype=np.float64) for i, o in zip(sizes[:-1], sizes[1:], strict=True)
    ]


def forward(weights: Weights, pixels: np.ndarray) -> list[np.ndarray]:
    """The output of every layer, the pixels first; the last one is not sent through ReLU."""
    outputs = [pixels]
    for weight in weights[:-1]:
        outputs.append(np.maximum(outputs[-1] @ weight, 0))
    return [*outputs, outputs[-1] @ weights[-1]]


def backward(weights: Weights, outputs: list[np.ndarray], labels: np.ndarray) -> Weights:
    """The gradient of the mean cross-entropy for every weight matrix."""
    scores = np.exp(outputs[-1] - outputs[-1].max(axis=1, keepdims=True))
    flow = scores / scores.sum(axis=1, keepdims=True)
    flow[np.arange(len(labels)), labels] -= 1
    flow /= len(labels)
    gradients: Weights = []
    for number in reversed(range(len(weights))):
        gradients.append(outputs[number].T @ flow)
        flow = (flow @ weights[number].T) * (outputs[number] > 0)
    return gradients[::-1]


def show_spread(
    name: str, weights: Weights, pixels: np.ndarray, labels: np.ndarray
) -> tuple[list[float], list[float]]:
    """Print the spreads of some layers; return those of all: outputs, then gradients."""
    outputs = forward(weights, pixels)
    activations = [float(output.std()) for output in outputs[1:]]
    gradients = [float(gradient.std()) for gradient in backward(weights, outputs, labels)]
    print(f"{name:16}" + "".join(f"{activations[n - 1]:12.1e}" for n in SHOWN) + "  activations")
    print(f"{'':16}" + "".join(f"{gradients[n - 1]:12.1e}" for n in SHOWN) + "  gradients")
    return activations, gradients


def by_layer(title: str, spreads: dict[str, list[float]]) -> pictures.Panel:
    """A line per way to draw the weights, from layer to layer."""

    def draw(axes) -> None:
        for name, values in spreads.items():
            axes.plot(range(1, len(values) + 1), values, label=name)
        axes.set(title=title, xlabel="layer", ylabel="standard deviation", yscale="log")
        axes.legend()

    return draw


def train(name: str, weights: Weights, data, epochs: int, seed: int) -> float:
    """Gradient descent with momentum; the accuracy on the test digits."""
    pixels, labels, test_pixels, test_labels = data
    rng = np.random.default_rng(seed)
    velocities = [np.zeros_like(weight) for weight in weights]
    started = time.perf_counter()
    with np.errstate(all="ignore"):  # exploding is part of the show
        for epoch in range(1, epochs + 1):
            order = rng.permutation(len(labels))
            for first in range(0, len(order), BATCH):
                chosen = order[first : first + BATCH]
                gradients = backward(weights, forward(weights, pixels[chosen]), labels[chosen])
                for weight, velocity, gradient in zip(weights, velocities, gradients, strict=True):
                    velocity *= MOMENTUM
                    velocity += gradient
                    weight -= LEARNING_RATE * velocity
            if sys.stdout.isatty():
                print(f"\r{name:16} round {epoch}/{epochs}", end="", flush=True)
        guesses = forward(weights, test_pixels)[-1].argmax(axis=1)
    right = float((guesses == test_labels).mean())
    seconds = time.perf_counter() - started
    start = "\r" if sys.stdout.isatty() else ""
    print(f"{start}{name:16} test accuracy {right:6.1%}   {seconds:.1f} s", flush=True)
    return right


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--package", help="your babygrad (default: from here upwards)")
    parser.add_argument("--epochs", type=int, default=20, help="rounds (default: 20)")
    parser.add_argument("--seed", type=int, default=0)
    pictures.options(parser, "deep_net")
    return parser.parse_args()


if __name__ == "__main__":
    run(main)
