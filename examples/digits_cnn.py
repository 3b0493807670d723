"""A small convolutional network reads the digits better than a larger one without: chapter 10.

Both networks learn from the same digits for as many rounds. One gets each picture as a row of 64
numbers (it is the network of digits.py), the other one as a picture.

    python examples/digits_cnn.py --package my-course

It leaves a picture, digits_cnn.png, if matplotlib is installed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from typing import Any

import blas  # noqa: F401  (first: NumPy asks for the threads when it is imported)
import digits_data
import numpy as np
import package
import pictures as images

SIDE = 8
HIDDEN = 48
CHANNELS = 8, 12
BATCH = 32
LEARNING_RATE = 0.01
DROPPED = 0.3

Data = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def main() -> None:
    options = arguments()
    bg = package.load(options.package)
    from babygrad import nn

    np.random.seed(options.seed)
    pixels, labels, test_pixels, test_labels = digits_data.split(options.seed)
    rows: Data = (pixels, labels, test_pixels, test_labels)
    pictures: Data = (as_pictures(pixels), labels, as_pictures(test_pixels), test_labels)
    print(f"{bg.__file__}: {len(labels)} digits to learn from, {options.epochs} rounds")
    mlp = nn.Sequential(nn.Linear(SIDE * SIDE, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 10))
    without = train("without convolutions", mlp, rows, options.epochs)
    cnn = convolutional(nn)
    right = train("with convolutions", cnn, pictures, options.epochs)
    cnn.eval()
    looks(bg, cnn, pictures[2], test_labels)
    print(
        "In the picture blue is positive, red negative. Each filter makes the map at its own\n"
        "place in the second panel; the second layer mixes these; pooling keeps what is strong.\n"
    )
    images.save(options.plot, *panels(bg, cnn, pictures[2][0], test_labels[0]))
    if not (right > without and size(cnn) < size(mlp)):
        raise SystemExit(f"{right:.1%}: more than {without:.1%} was asked for, with fewer numbers.")
    print(
        f"with {size(cnn)} numbers instead of {size(mlp)} it reads not {without:.1%} but "
        f"{right:.1%} of {len(test_labels)} digits that it never saw"
    )


def convolutional(nn: Any) -> Any:
    """8 × 8 pixels become 8 maps, these 12 maps, these are pooled to 4 × 4, and give ten scores."""
    first, second = CHANNELS
    return nn.Sequential(
        nn.Conv(1, first, 3, padding=1), nn.ReLU(),
        nn.Conv(first, second, 3, padding=1), nn.ReLU(),
        nn.MaxPool2d(2), nn.Flatten(),
        nn.Dropout(DROPPED), nn.Linear(second * (SIDE // 2) ** 2, 10),
    )  # fmt: skip


def as_pictures(pixels: np.ndarray) -> np.ndarray:
    """Rows of 64 pixels as a batch of pictures with one channel, as `nn.Conv` wants them."""
    return pixels.reshape(-1, 1, SIDE, SIDE)


def size(model: Any) -> int:
    return sum(parameter.size for parameter in model.parameters())


def train(name: str, model: Any, data: Data, epochs: int) -> float:
    """Adam with falling steps; the share of test digits that are read right afterwards."""
    from babygrad import Tensor
    from babygrad.data import ArrayDataset, DataLoader
    from babygrad.nn import SoftmaxLoss
    from babygrad.optim import Adam, Scheduler, warmup_cosine

    pixels, labels, test_pixels, test_labels = data
    loader = DataLoader(ArrayDataset(pixels, labels), batch_size=BATCH, shuffle=True)
    optimizer, loss_fn = Adam(model.parameters(), lr=LEARNING_RATE), SoftmaxLoss()
    steps = epochs * len(loader)
    falling = Scheduler(optimizer, lambda t: warmup_cosine(t, LEARNING_RATE, 0, steps))

    def accuracy() -> float:
        model.eval()
        scores = model(Tensor(test_pixels, requires_grad=False)).data
        model.train()
        return float(np.mean(scores.argmax(axis=1) == test_labels))

    print(f"\n{name}: {size(model)} numbers to learn")
    started = time.perf_counter()
    for epoch in range(1, epochs + 1):
        losses = []
        for x, y in loader:
            optimizer.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            optimizer.step()
            falling.step()
            losses.append(float(np.sum(loss.data)))
        if epoch == 1 or epoch % 5 == 0 or epoch == epochs:
            print(
                f"round {epoch:3d}/{epochs}   loss {np.mean(losses):.4f}   "
                f"test accuracy {accuracy():.1%}   {time.perf_counter() - started:.1f} s",
                flush=True,
            )
    return accuracy()


# ---- what it sees ----------------------------------------------------------------------------


def seen(bg: Any, model: Any, picture: np.ndarray) -> list[np.ndarray]:
    """The picture, then what every layer makes of it: (channels, height, width) each."""
    x = bg.Tensor(picture[None], requires_grad=False)
    maps = [x.data[0]]
    for layer in model.layers:
        x = layer(x)
        maps.append(x.data[0])
    return maps


def looks(bg: Any, model: Any, pictures: np.ndarray, labels: np.ndarray) -> None:
    """Says in words what the first filters look for, and which digits are taken for others."""
    print("\nwhat the filters of the first layer look for:")
    x = bg.Tensor(pictures, requires_grad=False)
    maps = model.layers[1](model.layers[0](x)).data
    for number, weight in enumerate(model.layers[0].weight.data[:, 0]):
        mine = maps[:, number]
        found = [mine[labels == digit].mean() for digit in range(10)]
        answers = f"answers at {np.mean(mine > 0):.0%} of the places, most to a {np.argmax(found)}"
        print(f"  filter {number}: {direction(weight):26} {answers if mine.any() else 'is silent'}")
    named = model(x).data.argmax(axis=1)
    wrong = [f"{y} for {said}" for y, said in zip(labels, named, strict=True) if y != said]
    print(f"digits taken for another: {', '.join(wrong) if wrong else 'none'}\n")


def direction(weight: np.ndarray) -> str:
    """In words on which side a 3 × 3 filter is heavier; what has no such side is no edge."""
    across = weight[:, 2].sum() - weight[:, 0].sum()
    down = weight[2].sum() - weight[0].sum()
    if max(abs(across), abs(down)) < np.abs(weight).sum() / 4:
        return "no edge: a dot or a line"
    if abs(across) > abs(down):
        return f"ink more {'right than left' if across > 0 else 'left than right'}"
    return f"ink more {'below than above' if down > 0 else 'above than below'}"


def panels(bg: Any, model: Any, picture: np.ndarray, label: int) -> Iterator[images.Panel]:
    """The filters of the first layer, and what each layer makes of one digit."""
    maps = seen(bg, model, picture)
    rows = {
        "the filters of the first layer": model.layers[0].weight.data[:, 0],
        f"what they make of a {label}": maps[2],
        "after the second filters": maps[4],
        "after pooling": maps[5],
    }
    for title, each in rows.items():
        yield images.images(title, list(each), signed=True)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="A convolutional network on digits, chapter 10.")
    parser.add_argument("--package", metavar="DIR", help="where your babygrad is (default: here)")
    parser.add_argument("--epochs", type=int, default=15, help="rounds (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of split, weights and order")
    images.options(parser, "digits_cnn")
    return parser.parse_args()


if __name__ == "__main__":
    package.run(main)
