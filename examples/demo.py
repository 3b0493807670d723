"""What you will have built: a network learns to read digits while you watch, in a few seconds.

It needs nothing but NumPy and a finished package. `grader demo` runs it with the course's own.

    python examples/demo.py --package my-course
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import blas  # noqa: F401  (first: NumPy asks for the threads when it is imported)
import digits_data
import numpy as np
import package

HIDDEN, BATCH, RATE = 48, 64, 0.01
GOAL = 0.90
INK = " .:-=+*#%@"
PARTS = (
    ("an array that knows its gradient: Tensor", "chapter 2"),
    ("every operation, there and back, and the walk through them", "chapter 3"),
    (f"layers: 64 pixels, {HIDDEN} neurons, 10 scores; and the loss", "chapter 4"),
    ("Adam, which takes the steps", "chapter 5"),
    ("digits, mixed, in batches", "chapter 6"),
)


def main() -> None:
    options = arguments()
    bg = package.load(options.package)
    np.random.seed(options.seed)
    pixels, labels, test_pixels, test_labels = digits_data.split(options.seed)
    print("What works here, and where you build it:\n")
    for part, chapter in PARTS:
        print(f"  {part:<60}{chapter}")
    print(f"\nIt learns from {len(labels)} handwritten digits.")
    model, seconds = train(pixels, labels, options.epochs)
    scores = model(bg.Tensor(test_pixels, requires_grad=False)).data
    right = float(np.mean(scores.argmax(axis=1) == test_labels))
    show(test_pixels, test_labels, scores, int(np.random.randint(len(test_labels))))
    if not right >= GOAL:
        raise SystemExit(f"{right:.1%} read right: at least {GOAL:.0%} was asked for.")
    count = len(test_labels)
    print(f"After {seconds:.1f} s, of {count} digits that it never saw, it reads {right:.1%} right")


def train(pixels: np.ndarray, labels: np.ndarray, epochs: int) -> tuple[Any, float]:
    """A trained network, and how long it took."""
    from babygrad.data import ArrayDataset, DataLoader
    from babygrad.nn import Linear, ReLU, Sequential, SoftmaxLoss
    from babygrad.optim import Adam

    loader = DataLoader(ArrayDataset(pixels, labels), batch_size=BATCH, shuffle=True)
    model = Sequential(Linear(64, HIDDEN), ReLU(), Linear(HIDDEN, 10))
    optimizer, loss_fn = Adam(model.parameters(), lr=RATE), SoftmaxLoss()
    started = time.perf_counter()
    for epoch in range(1, epochs + 1):
        losses = []
        for x, y in loader:
            optimizer.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            optimizer.step()
            losses.append(float(np.sum(loss.data)))
        mean = float(np.mean(losses))
        print(f"  round {epoch:2d}   loss {mean:.3f}   {'#' * round(20 * mean)}", flush=True)
    return model, time.perf_counter() - started


def show(pixels: np.ndarray, labels: np.ndarray, scores: np.ndarray, number: int) -> None:
    """One digit of the test, as characters, and how sure the network is of each of the ten."""
    powers = np.exp(scores[number] - scores[number].max())
    chances = powers / powers.sum()
    rows = pixels[number].reshape(8, 8)
    print("\nOne that it never saw:\n")
    for digit in range(10):
        ink = "".join(2 * INK[int(p * (len(INK) - 1))] for p in rows[digit]) if digit < 8 else ""
        bar = "#" * round(24 * float(chances[digit]))
        print(f"  {ink:<16}    {digit}  {chances[digit]:6.1%}  {bar}".rstrip())
    print(f"\n  It says {chances.argmax()}. It is a {labels[number]}.\n")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Train on digits, and draw one.")
    parser.add_argument("--package", metavar="DIR", help="where your babygrad is (default: here)")
    parser.add_argument("--epochs", type=int, default=8, help="rounds (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of split, weights, order and digit")
    return parser.parse_args()


if __name__ == "__main__":
    package.run(main)
