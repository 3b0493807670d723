"""Handwritten digits with modules, an optimizer and a loader: chapters 4, 5 and 6 together.

The same digits as in digits_by_hand.py, and the same loop; only who does the work has changed.

    python examples/digits.py --package my-course
"""

from __future__ import annotations

import argparse
import time

import blas  # noqa: F401  (first: NumPy asks for the threads when it is imported)
import digits_data
import numpy as np
import package
import pictures

HIDDEN = 48
BATCH = 32
LEARNING_RATE = 0.005
GOAL = 0.90


def main() -> None:
    options = arguments()
    bg = package.load(options.package)
    from babygrad.data import ArrayDataset, DataLoader
    from babygrad.nn import Linear, ReLU, Sequential, SoftmaxLoss
    from babygrad.optim import Adam

    np.random.seed(options.seed)
    pixels, labels, test_pixels, test_labels = digits_data.split(options.seed)
    loader = DataLoader(ArrayDataset(pixels, labels), batch_size=BATCH, shuffle=True)
    model = Sequential(Linear(64, HIDDEN), ReLU(), Linear(HIDDEN, 10))
    optimizer, loss_fn = Adam(model.parameters(), lr=LEARNING_RATE), SoftmaxLoss()

    def guesses() -> np.ndarray:
        model.eval()
        scores = model(bg.Tensor(test_pixels, requires_grad=False)).data
        model.train()
        return scores.argmax(axis=1)

    def accuracy() -> float:
        return float(np.mean(guesses() == test_labels))

    print(f"{bg.__file__}: 64-{HIDDEN}-10, {len(labels)} digits in {len(loader)} batches")
    started, means = time.perf_counter(), []
    for epoch in range(1, options.epochs + 1):
        losses = []
        for x, y in loader:
            optimizer.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            optimizer.step()
            losses.append(float(np.sum(loss.data)))
        means.append(float(np.mean(losses)))
        if epoch == 1 or epoch % 5 == 0 or epoch == options.epochs:
            print(
                f"epoch {epoch:3d}/{options.epochs}   loss {means[-1]:.4f}   "
                f"test accuracy {accuracy():.1%}   {time.perf_counter() - started:.1f} s",
                flush=True,
            )
    right, read = accuracy(), guesses()
    wrong = np.flatnonzero(read != test_labels)[:16]
    pictures.save(
        options.plot,
        pictures.curves("how wrong, round by round", "epoch", "loss", loss=means),
        pictures.confusion(test_labels, read),
        pictures.images(
            "some that it misreads", [test_pixels[i].reshape(8, 8) for i in wrong],
            [f"{test_labels[i]}, read as {read[i]}" for i in wrong],
        ),
    )  # fmt: skip
    print(f"Of {len(read)} test digits {pictures.in_words(test_labels, read)}")
    if not right >= GOAL:
        raise SystemExit(f"Test accuracy {right:.1%}: at least {GOAL:.0%} was asked for.")
    print(f"{right:.1%} of {len(test_labels)} digits that it never saw are read right")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Train on digits with chapters 4, 5 and 6.")
    parser.add_argument("--package", metavar="DIR", help="where your babygrad is (default: here)")
    parser.add_argument("--epochs", type=int, default=20, help="rounds (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of split, weights and order")
    pictures.options(parser, "digits")
    return parser.parse_args()


if __name__ == "__main__":
    package.run(main)
