"""The trainer: the loop that every training run is, written once (chapter 9).

It knows nothing of layers, losses or data sets. What it is given has to do this much:

    model       ``model(x)`` gives the outputs; ``model.train()`` and ``model.eval()`` switch the
                mode; ``model.training`` says which one it is in.
    optimizer   ``optimizer.zero_grad()`` forgets the gradients, ``optimizer.step()`` moves the
                parameters.
    loss_fn     ``loss_fn(out, y)`` gives one number, a Tensor with a ``backward()``: the *mean*
                over the samples of the batch.
    a loader    ``for x, y in loader`` gives Tensors, one row per sample, and can be gone
                through again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from .tensor import Tensor

Batches = Iterable[tuple[Any, Any]]


def correct(out: Tensor, y: Any) -> int:
    """Count the rows of ``out`` that name the right class.

    Args:
        out: one row per sample, one score per class, shape ``(batch, classes)``. A row names
            the class with its largest score.
        y: the right classes, whole numbers of shape ``(batch,)``; a Tensor or an ndarray.

    Returns:
        a number from 0 to ``batch``: a count, not a share. ``out`` stays as it was.
    """
    ### BEGIN SOLUTION
    labels = y.data if isinstance(y, Tensor) else y
    return int(np.sum(out.data.argmax(axis=1) == labels))
    ### END SOLUTION


class EarlyStopping:
    """Says when to stop: after ``patience`` updates in a row without an improvement.

    Attributes:
        patience: how many updates without improvement are too many.
        min_delta: by how much a loss has to lie below the best one to count as an improvement.
        best: the best loss so far; infinity at first.
        waited: how many updates in a row brought no improvement.
    """

    def __init__(self, patience: int = 3, min_delta: float = 0.0) -> None:
        self.patience = patience
        self.min_delta = min_delta
        self.best = math.inf
        self.waited = 0

    def update(self, loss: float) -> bool:
        """Take note of one more loss; True when it is time to stop.

        An improvement is a loss below ``best - min_delta``: it becomes the new best, and the
        counting starts again at 0. An equal loss is no improvement, and neither is NaN.
        Any other update brings no improvement. From the ``patience``-th such update in a row on,
        the result is True.
        """
        ### BEGIN SOLUTION
        if loss < self.best - self.min_delta:
            self.best = loss
            self.waited = 0
        else:
            self.waited += 1
        return self.waited >= self.patience
        ### END SOLUTION


class Trainer:
    """Trains a model on one loader, and watches it on another.

    Attributes:
        model, optimizer, loss_fn: see the top of this file.
        train_loader: the batches to learn from.
        val_loader: batches that are never learned from, to see how good the model is; or None.
        log: called with one line of text per epoch; None says nothing.
    """

    def __init__(
        self,
        model: Any,
        optimizer: Any,
        loss_fn: Callable[[Any, Any], Tensor],
        train_loader: Batches,
        val_loader: Batches | None = None,
        *,
        log: Callable[[str], Any] | None = print,
    ) -> None:
        self.model = model
        self.optimizer = optimizer
        self.loss_fn = loss_fn
        self.train_loader = train_loader
        self.val_loader = val_loader
        self.log = log

    def train_step(self, x: Any, y: Any) -> float:
        """One step on one batch; returns the loss before the step, as a plain number.

        The gradients of earlier steps are forgotten before ``backward``, and the optimizer steps
        after it. ``backward`` and ``step`` are called once each. The batch stays as it was. What
        is returned is a float, not a Tensor: a Tensor would keep the whole graph of the step
        alive.
        """
        ### BEGIN SOLUTION
        self.optimizer.zero_grad()
        loss = self.loss_fn(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        return float(loss.data.item())
        ### END SOLUTION

    def evaluate(self, loader: Batches | None = None) -> tuple[float, float]:
        """The mean loss per sample, and the share of samples whose class is named right.

        Both are means over *samples*: every sample counts the same, even in a last batch that is
        smaller than the others. The model is in evaluation mode meanwhile, and afterwards in the
        mode in which it was found. Nothing is learned: no ``backward``, no ``step``. The batches
        stay as they were.

        Args:
            loader: the batches to look at; without it, ``val_loader``.

        Raises:
            ValueError: there is neither a loader nor a ``val_loader``.
        """
        ### BEGIN SOLUTION
        loader = self.val_loader if loader is None else loader
        if loader is None:
            raise ValueError("there is nothing to evaluate on: give a loader, or a val_loader")
        was_training = self.model.training
        self.model.eval()
        loss, right, count = 0.0, 0, 0
        for x, y in loader:
            out = self.model(x)
            size = x.shape[0]
            # loss_fn gives the mean of the batch; times its size, batches can be added up.
            loss += self.loss_fn(out, y).data.item() * size
            right += correct(out, y)
            count += size
        if was_training:
            self.model.train()
        return loss / count, right / count
        ### END SOLUTION

    def fit(self, epochs: int, early_stopping: Any = None) -> list[dict[str, float]]:
        """Go through ``train_loader`` ``epochs`` times, with a ``train_step`` on every batch.

        The model is put into training mode at the start, whatever mode it was in. With a
        ``val_loader``, every epoch ends with ``evaluate()``.

        Args:
            epochs: how many rounds at most.
            early_stopping: anything with ``update(loss) -> bool``. It gets the ``val_loss`` of
                every epoch (without a ``val_loader``, the ``loss``); if it returns True, that epoch
                was the last one. It is still in the history.

        Returns:
            the history, one dict per epoch: ``loss``, the mean per sample of the losses that
            the steps returned; with a ``val_loader`` also ``val_loss`` and ``val_accuracy``.
        """
        ### BEGIN SOLUTION
        history = []
        self.model.train()
        for epoch in range(1, epochs + 1):
            total, count = 0.0, 0
            for x, y in self.train_loader:
                total += self.train_step(x, y) * x.shape[0]
                count += x.shape[0]
            entry = {"loss": total / count}
            if self.val_loader is not None:
                entry["val_loss"], entry["val_accuracy"] = self.evaluate()
            history.append(entry)
            if self.log is not None:
                told = "   ".join(f"{name} {value:.4f}" for name, value in entry.items())
                self.log(f"epoch {epoch:3d}/{epochs}   {told}")
            watched = entry.get("val_loss", entry["loss"])
            if early_stopping is not None and early_stopping.update(watched):
                break
        return history
        ### END SOLUTION
