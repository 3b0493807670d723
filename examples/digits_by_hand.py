"""A two-layer network reads handwritten digits: nothing but chapter 3's Tensor and ops.

There is no module, no optimizer and no loader here. The layers are two matrix products, the
loss is put together from exp, log and sum, the gradients come from your `Tensor.backward`, and
the step downhill is one line.

    python examples/digits_by_hand.py --package my-course
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
LEARNING_RATE = 0.2
GOAL = 0.90


def main() -> None:
    options = arguments()
    bg = package.load(options.package)
    network = Network(bg, options.seed)
    pixels, labels, test_pixels, test_labels = digits_data.split(options.seed)
    rng = np.random.default_rng(options.seed)
    print(
        f"{bg.__file__}: 64-{HIDDEN}-10, {len(labels)} digits to learn, {len(test_labels)} to test"
    )
    started, means = time.perf_counter(), []
    for epoch in range(1, options.epochs + 1):
        losses = []
        order = rng.permutation(len(labels))
        for start in range(0, len(order), BATCH):
            chosen = order[start : start + BATCH]
            losses.append(network.step(pixels[chosen], labels[chosen]))
        means.append(float(np.mean(losses)))
        if epoch == 1 or epoch % 5 == 0 or epoch == options.epochs:
            seconds = time.perf_counter() - started
            right = network.accuracy(test_pixels, test_labels)
            print(
                f"epoch {epoch:3d}/{options.epochs}   loss {means[-1]:.4f}   "
                f"test accuracy {right:.1%}   {seconds:.1f} s",
                flush=True,
            )
    guesses = network.scores(test_pixels).data.argmax(axis=1)
    pictures.save(
        options.plot,
        pictures.curves("how wrong, round by round", "epoch", "loss", loss=means),
        pictures.confusion(test_labels, guesses),
        pictures.images("what 16 hidden neurons look for", network.strongest(16), signed=True),
    )
    print("Where a neuron is blue, ink excites it; where it is red, ink silences it.")
    print(f"Of {len(guesses)} test digits {pictures.in_words(test_labels, guesses)}")
    if not right >= GOAL:
        raise SystemExit(f"Test accuracy {right:.1%}: at least {GOAL:.0%} was asked for.")
    print(f"{right:.1%} of {len(test_labels)} digits that it never saw are read right")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--package", help="your babygrad (default: from here upwards)")
    parser.add_argument("--epochs", type=at_least_one, default=20, help="rounds (default: 20)")
    parser.add_argument("--seed", type=int, default=0, help="of the split and the weights")
    pictures.options(parser, "digits_by_hand")
    return parser.parse_args()


def at_least_one(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1 is needed")
    return number


class Network:
    """``softmax(relu(x @ w1 + b1) @ w2 + b2)``, its four tensors and one step of learning."""

    def __init__(self, bg, seed: int) -> None:
        rng = np.random.default_rng(seed + 1)

        def weights(rows: int, columns: int):
            # A row's sum should neither grow nor fade on its way through: He et al. 2015.
            return bg.Tensor(rng.normal(0, np.sqrt(2 / rows), (rows, columns)))

        self.bg = bg
        self.w1, self.b1 = weights(64, HIDDEN), bg.Tensor(np.zeros((1, HIDDEN)))
        self.w2, self.b2 = weights(HIDDEN, 10), bg.Tensor(np.zeros((1, 10)))

    def scores(self, pixels: np.ndarray):
        """One row per digit, ten scores in it: the largest names the answer."""
        ops, count = self.bg.ops, len(pixels)
        x = self.bg.Tensor(pixels, requires_grad=False)
        hidden = ops.relu(x @ self.w1 + self.b1.broadcast_to((count, HIDDEN)))
        return hidden @ self.w2 + self.b2.broadcast_to((count, 10))

    def loss(self, scores, labels: np.ndarray):
        """The mean of -log p over the rows, where p is the probability of the right digit.

        With the scores z of a row, -log p = log(sum(exp z)) - z[right]. The largest score of a
        row is taken off first: it changes nothing in p, and exp cannot overflow.
        """
        ops, values = self.bg.ops, scores.data
        largest = np.broadcast_to(values.max(axis=1, keepdims=True), values.shape)
        scores = scores - self.bg.Tensor(largest, requires_grad=False)
        right = self.bg.Tensor.one_hot(labels, 10)
        log_sum = ops.log(ops.exp(scores).sum(axes=1))
        return (log_sum - (scores * right).sum(axes=1)).sum() / len(labels)

    def step(self, pixels: np.ndarray, labels: np.ndarray) -> float:
        """Forward, backward, one step downhill. Returns the loss before the step."""
        loss = self.loss(self.scores(pixels), labels)
        loss.backward()
        for weight in (self.w1, self.b1, self.w2, self.b2):
            grad = weight.grad.data if isinstance(weight.grad, self.bg.Tensor) else weight.grad
            weight.data = weight.data - LEARNING_RATE * grad
            weight.grad = None  # the next backward would add to it
        return float(np.sum(loss.data))

    def strongest(self, count: int) -> list[np.ndarray]:
        """The weights of the hidden neurons that count most for the scores, as 8 × 8 images."""
        weights = np.asarray(self.w1.data)
        influence = np.linalg.norm(weights, axis=0) * np.linalg.norm(self.w2.data, axis=1)
        return [weights[:, i].reshape(8, 8) for i in np.argsort(-influence)[:count]]

    def accuracy(self, pixels: np.ndarray, labels: np.ndarray) -> float:
        """The share of the digits whose largest score is the right one."""
        return float(np.mean(self.scores(pixels).data.argmax(axis=1) == labels))


if __name__ == "__main__":
    package.run(main)
