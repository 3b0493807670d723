"""MNIST with the engine of `grad_fn`: a 784-128-10 network of chapter 11, and nothing else.

    python examples/mnist_grad_fn.py --data DIR --package my-course

It reads the same files as `mnist.py`, keeps the same 2,000 digits for the test, and trains by
plain gradient descent, batches of 32. It leaves a picture,
mnist_grad_fn.png, if matplotlib is installed.
"""

from __future__ import annotations

import argparse
import time

import blas  # noqa: F401  (first: NumPy asks for the threads when it is imported)
import mnist
import numpy as np
import package
import pictures

DIMS = (784, 128, 10)
BATCH = 32
LEARNING_RATE = 0.1
GOAL = 0.90


def main() -> None:
    options = arguments()
    image_file, label_file = mnist.files(options.data)
    package.load(options.package)
    from babygrad.data import MNISTDataset
    from babygrad.engines.grad_fn import MLP, Tensor, train_step

    digits = MNISTDataset(str(image_file), str(label_file))
    train, _, test = mnist.split(len(digits), options.seed)
    rng = np.random.default_rng(options.seed)
    model = MLP(DIMS, rng)
    sizes = "-".join(map(str, DIMS))
    print(f"{sizes}, batches of {BATCH}, gradient descent with a rate of {LEARNING_RATE}")

    started, losses = time.perf_counter(), []
    for epoch in range(1, options.epochs + 1):
        order = rng.permutation(train)
        batches = [order[i : i + BATCH] for i in range(0, len(order), BATCH)]
        found = [
            train_step(model, digits.images[b], digits.labels[b], LEARNING_RATE) for b in batches
        ]
        losses += found
        took = time.perf_counter() - started
        print(f"epoch {epoch:2d}   loss {np.mean(found):.4f}   {took:.1f} s", flush=True)

    scores = model(Tensor(digits.images[test])).data
    accuracy = float((scores.argmax(axis=1) == digits.labels[test]).mean())
    pictures.save(
        options.plot,
        pictures.curves("it falls fast, then slowly; single batches scatter", "step", "loss",
                        of_the_batch=losses, mean_of_50_batches=pictures.smooth(losses, 50)),
        pictures.confusion(digits.labels[test], scores.argmax(axis=1)),
    )  # fmt: skip
    print(pictures.in_words(digits.labels[test], scores.argmax(axis=1)))
    told = f"test accuracy {accuracy:.2%} on {len(test)} digits that it never saw"
    if not accuracy > GOAL:
        raise SystemExit(f"{told}: more than {GOAL:.0%} was asked for.")
    print(told)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Train on MNIST with an engine of chapter 11.")
    parser.add_argument(
        "--data", metavar="DIR", help=f"where the files are (default: ${mnist.VARIABLE})"
    )
    parser.add_argument("--package", metavar="DIR", help="where your babygrad is (default: here)")
    parser.add_argument("--epochs", type=int, default=5, help="how many (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the random numbers (default: 0)")
    pictures.options(parser, "mnist_grad_fn")
    return parser.parse_args()


if __name__ == "__main__":
    package.run(main)
