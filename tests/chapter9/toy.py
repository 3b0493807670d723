"""The toy of the programs once more, in NumPy and in PyTorch: what right code makes of it."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from grader.course import REAL

Batch = tuple[np.ndarray, np.ndarray]
CLASSES = 3


def batches(rng: Random, *sizes: int) -> list[Batch]:
    """Random batches; the labels are such that some answers are right and some are wrong."""
    return [
        (REAL.draw(rng, (size, 2)), np.array([rng.randrange(CLASSES) for _ in range(size)]))
        for size in sizes
    ]


def weights(rng: Random) -> np.ndarray:
    """Weights with more than two decimals, so that no two scores of a row are ever equal."""
    nudges = np.array([rng.uniform(-0.005, 0.005) for _ in range(2 * CLASSES)])
    return REAL.draw(rng, (2, CLASSES)) + nudges.reshape(2, CLASSES)


def loss_of(w: np.ndarray, batch: Batch, scale: float) -> tuple[float, np.ndarray]:
    """The mean cross-entropy of a batch, and its gradient in w."""
    x, y = batch
    scores = scale * (x @ w)
    p = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    loss = -np.mean(np.log(p[np.arange(len(y)), y]))
    return float(loss), scale * x.T @ (p - np.eye(CLASSES)[y]) / len(y)


def train(w: np.ndarray, over: list[Batch], lr: float) -> tuple[np.ndarray, list[float]]:
    """One epoch of gradient descent: the weights after it, the loss before every step."""
    losses = []
    for batch in over:
        loss, gradient = loss_of(w, batch, 0.5)
        losses.append(loss)
        w = w - lr * gradient
    return w, losses


def judge(w: np.ndarray, over: list[Batch]) -> tuple[float, float]:
    """The mean loss per sample, and the share of right answers."""
    count = sum(len(y) for _, y in over)
    loss = sum(loss_of(w, batch, 1.0)[0] * len(batch[1]) for batch in over) / count
    right = sum(int(np.sum((x @ w).argmax(axis=1) == y)) for x, y in over)
    return loss, right / count


class Twin:
    """The same with PyTorch's `cross_entropy` and `SGD`."""

    def __init__(self, torch: Any, w: np.ndarray, lr: float) -> None:
        self.torch = torch
        self.w = torch.tensor(w, requires_grad=True)
        self.optimizer = torch.optim.SGD([self.w], lr=lr)

    def train(self, over: list[Batch]) -> list[float]:
        losses = []
        for x, y in over:
            self.optimizer.zero_grad()
            scores = 0.5 * self.torch.tensor(x) @ self.w
            loss = self.torch.nn.functional.cross_entropy(scores, self.torch.tensor(y))
            loss.backward()
            self.optimizer.step()
            losses.append(loss.item())
        return losses

    def judge(self, over: list[Batch]) -> tuple[float, float]:
        x, y = (self.torch.cat([self.torch.tensor(b[i]) for b in over]) for i in (0, 1))
        scores = x @ self.w.detach()
        loss = self.torch.nn.functional.cross_entropy(scores, y)
        return loss.item(), (scores.argmax(dim=1) == y).double().mean().item()

    @property
    def weights(self) -> np.ndarray:
        return self.w.detach().numpy().copy()
