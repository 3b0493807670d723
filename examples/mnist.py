"""MNIST from its own files, with everything that you built: chapters 2 to 6, and 9.

The 10,000 images of MNIST's test part are enough here: 7,000 to learn from, 1,000 to watch while
learning, and 2,000 that decide, looked at once, at the end.

    python examples/mnist.py --data DIR --package my-course

DIR holds t10k-images-idx3-ubyte.gz and t10k-labels-idx1-ubyte.gz; the environment variable
BABYGRAD_MNIST may name it instead. Nothing is downloaded.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from typing import Any

import blas  # noqa: F401  (first: NumPy asks for the threads when it is imported)
import numpy as np
import package
import pictures

FILES = ("t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz")
VARIABLE = "BABYGRAD_MNIST"
HIDDEN = 128
BATCH = 64
LEARNING_RATE = 0.002
GOAL = 0.90


def main() -> None:
    options = arguments()
    image_file, label_file = files(options.data)
    bg = package.load(options.package)
    from babygrad.data import ArrayDataset, DataLoader, MNISTDataset
    from babygrad.nn import Linear, ReLU, Sequential, SoftmaxLoss
    from babygrad.optim import Adam
    from babygrad.trainer import EarlyStopping, Trainer

    np.random.seed(options.seed)
    digits = MNISTDataset(str(image_file), str(label_file))
    train, val, test = (
        ArrayDataset(digits.images[chosen], digits.labels[chosen])
        for chosen in split(len(digits), options.seed)
    )
    pixels = digits.images.shape[1]
    print(f"{bg.__file__}: {pixels}-{HIDDEN}-10 with Adam, batches of {BATCH}")
    print(f"{len(train)} digits to learn, {len(val)} to watch, {len(test)} to test", flush=True)

    model = Sequential(Linear(pixels, HIDDEN), ReLU(), Linear(HIDDEN, 10))
    trainer = Trainer(
        model,
        Adam(model.parameters(), lr=LEARNING_RATE),
        SoftmaxLoss(),
        DataLoader(train, batch_size=BATCH, shuffle=True),
        DataLoader(val, batch_size=BATCH),
        log=lambda line: print(f"{line}   {time.perf_counter() - started:.1f} s", flush=True),
    )
    started = time.perf_counter()
    history = trainer.fit(options.epochs, EarlyStopping(patience=3))
    loss, accuracy = trainer.evaluate(DataLoader(test, batch_size=BATCH))
    show(options.plot, history, test, guesses_of(bg, model, test))
    told = f"test loss {loss:.4f}, test accuracy {accuracy:.2%}"
    if not accuracy > GOAL:
        raise SystemExit(f"{told}: more than {GOAL:.0%} was asked for.")
    print(told)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Train on MNIST with the Trainer of chapter 9.")
    parser.add_argument("--data", metavar="DIR", help=f"where the files are (default: ${VARIABLE})")
    parser.add_argument("--package", metavar="DIR", help="where your babygrad is (default: here)")
    parser.add_argument("--epochs", type=int, default=10, help="at most (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the random numbers (default: 0)")
    pictures.options(parser, "mnist")
    return parser.parse_args()


def guesses_of(bg: Any, model: Any, test: Any) -> np.ndarray:
    """What the network reads in every test digit."""
    model.eval()
    images = np.stack([np.asarray(test[i][0]) for i in range(len(test))])
    return np.asarray(model(bg.Tensor(images, requires_grad=False)).data).argmax(axis=1)


def show(path: str | None, history: list[dict[str, float]], test: Any, guesses: np.ndarray) -> None:
    """The picture, and what there is to see in it."""
    labels = np.array([int(test[i][1]) for i in range(len(test))])
    wrong = np.flatnonzero(guesses != labels)[:16]
    training, watched = ([entry[key] for entry in history] for key in ("loss", "val_loss"))
    pictures.save(
        path,
        pictures.curves("how wrong, round by round", "epoch", "loss",
                        training=training, validation=watched),
        pictures.confusion(labels, guesses),
        pictures.images(
            "some that it misreads", [np.asarray(test[i][0]).reshape(28, 28) for i in wrong],
            [f"{labels[i]}, read as {guesses[i]}" for i in wrong],
        ),
    )  # fmt: skip
    best = int(np.argmin(watched)) + 1
    print(f"The validation loss is lowest after epoch {best} of {len(history)}.")
    print(f"Of {len(labels)} test digits {pictures.in_words(labels, guesses)}")


def files(folder: str | None) -> list[Path]:
    """The two files; where they are missing, the program ends and says what it looked for."""
    folder = folder or os.environ.get(VARIABLE)
    if not folder:
        raise SystemExit(f"Where is MNIST? Name its folder with --data DIR or in ${VARIABLE}.")
    found = [Path(folder).expanduser() / name for name in FILES]
    missing = [path.name for path in found if not path.is_file()]
    if missing:
        raise SystemExit(f"{folder} does not hold {' and '.join(missing)}.")
    return found


def split(count: int, seed: int) -> list[np.ndarray]:
    """Indices: 70 % to learn from, 10 % to watch, 20 % to test; of 10,000 these are 7,000 …

    The first half of the file is easier to read than the second, so the digits are mixed first.
    """
    order = np.random.default_rng(seed).permutation(count)
    return np.split(order, [count * 7 // 10, count * 8 // 10])


if __name__ == "__main__":
    package.run(main)
