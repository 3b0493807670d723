"""Checks of `train_step` and of `fit`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from grader.course import Check, Parts, Probe, rng_for

from . import toy

STEP, FIT = "chapter9.train_step", "chapter9.fit"
SIZES = (4, 3, 1)  # of the batches that `fit` trains on


def checks(seed: str) -> Iterator[Check]:
    yield from _step(seed)
    yield from _fit(seed)


def step_probe(seed: str, name: str, lr: float, *sizes: int) -> Probe:
    """`train_step` on batches of these sizes, one after another."""
    rng = rng_for(seed, f"{STEP}/{name}")
    w, batches = toy.weights(rng), toy.batches(rng, *sizes)

    def numpy() -> Parts:
        after, losses, at = [], [], w
        for batch in batches:
            at, (loss,) = toy.train(at, [batch], lr)
            after.append(at)
            losses.append(loss)
        given = [x for x, _ in batches]
        return {"weights": after, "losses": [np.array(losses)], "inputs": given}

    def twin(torch) -> Parts:
        model, after, losses = toy.Twin(torch, w, lr), [], []
        for batch in batches:
            losses += model.train([batch])
            after.append(model.weights)
        return {"weights": after, "losses": [np.array(losses)]}

    call = f"train_step(x, y) on {len(batches)} batch(es) of a linear classifier"
    return Probe("trainers.stepped", (w, batches, lr), call, oracles={"numpy": numpy}, twin=twin)


def _step(seed: str) -> Iterator[Check]:
    one, three = step_probe(seed, "one", 0.5, 2), step_probe(seed, "three", 0.25, 3, 1, 4)
    forgotten = "The gradients of earlier steps are forgotten before ``backward``"
    steps = "forgotten before ``backward``, and the optimizer steps after it"
    yield Check(STEP, "weights", (one,), steps, part="weights")
    yield Check(
        STEP, "several", (three,), forgotten, part="weights", weight=2,
        says="Every step uses the gradients of its own batch, and no older ones.",
    )  # fmt: skip
    yield Check(
        STEP, "loss", (one, three),
        "returns the loss before the step, as a plain number … is a float, not a Tensor",
        part="losses", says="train_step returns the loss before the step, as a plain number.",
    )  # fmt: skip
    yield Check(
        STEP, "calls", (one, three), "``backward`` and ``step`` are called once each", part="calls",
        says="train_step calls backward and step once each, and zero_grad.",
    )  # fmt: skip
    yield Check(
        STEP, "order", (one, three), "the optimizer steps after it", part="order", weight=0.5,
        says="The optimizer steps after backward has been called.",
    )  # fmt: skip
    yield Check(
        STEP, "inputs", (one, three), "The batch stays as it was", part="inputs", weight=0.5,
        says="train_step leaves the batch as it was.",
    )  # fmt: skip
    more = step_probe(seed, "more", 0.125, 5, 1, 2, 3)
    yield Check(STEP, "more", (more,), forgotten, part="weights", hidden=True,
                says="train_step trains on batches of any size.")  # fmt: skip


def of_epoch(epoch: int, things: Any) -> list[Any]:
    """The batches, or their sizes, in the order of an epoch."""
    first = epoch % len(SIZES)
    return [*things[first:], *things[:first]]


def parts_of_fit(
    weights: np.ndarray, loss: list[float], watched: list[tuple[float, float]],
    stop_at: int | None, judges: bool,
) -> Parts:  # fmt: skip
    """Return the right results of `fit`, epoch by epoch."""
    ran, quiet = len(loss), not judges and stop_at is not None
    found = {
        "weights": [weights], "loss": [np.array(loss)], "epochs": [np.array([ran, 0])],
        "keys": [np.full(ran, judges)], "lines": [np.array(0 if quiet else ran)],
    }  # fmt: skip
    if judges:
        found["val"] = [np.array(column) for column in zip(*watched, strict=True)]
    if stop_at is not None:
        found["heard"] = [np.array([loss for loss, _ in watched] if judges else loss)]
    return found


def followed(
    w: np.ndarray, train: list[toy.Batch], lr: float, epochs: int, judged: list[toy.Batch] | None
) -> tuple[Any, list[float], list[tuple[float, float]]]:
    """Return the weights at the end, and of every epoch the loss and what `judge` says."""
    loss, watched = [], []
    for epoch in range(epochs):
        w, losses = toy.train(w, of_epoch(epoch, train), lr)
        loss.append(float(np.average(losses, weights=of_epoch(epoch, SIZES))))
        watched += [toy.judge(w, judged)] if judged else []
    return w, loss, watched


def ends_best(watched: list[tuple[float, float]]) -> bool:
    """Whether no ``val_loss`` lies clearly below the last one."""
    losses = [loss for loss, _ in watched]
    return losses[-1] < min(losses) + 0.01


def fit_probe(
    seed: str, name: str, epochs: int, *, val: tuple[int, ...] | None, stop_at: int | None = None
) -> Probe:
    """`fit` on three batches, one of them smaller, in another order in each epoch.

    The model comes in evaluation mode. Where it is stopped without a ``val_loader``, it trains in
    silence; with one, its last ``val_loss`` is not its best.
    """
    rng = rng_for(seed, f"{FIT}/{name}")
    w, lr = toy.weights(rng), rng.choice((0.25, 0.5, 0.75))
    train = toy.batches(rng, *SIZES)
    quiet = val is None and stop_at is not None
    ran = epochs if stop_at is None else min(epochs, stop_at)
    judged = None if val is None else toy.batches(rng, *val)
    while val and ran > 1 and stop_at and ends_best(followed(w, train, lr, ran, judged)[2]):
        judged = toy.batches(rng, *val)

    def parts(*found: Any) -> Parts:
        return parts_of_fit(*found, stop_at, val is not None)

    def numpy() -> Parts:
        return parts(*followed(w, train, lr, ran, judged))

    def twin(torch) -> Parts:
        model, loss, watched = toy.Twin(torch, w, lr), [], []
        for epoch in range(ran):
            losses = model.train(of_epoch(epoch, train))
            loss.append(float(np.average(losses, weights=of_epoch(epoch, SIZES))))
            watched += [model.judge(judged)] if judged else []
        return parts(model.weights, loss, watched)

    stopping = "" if stop_at is None else f", early_stopping that stops at update {stop_at}"
    call = f"fit({epochs}{stopping}), {'with a' if val else 'no'} val_loader"
    args = (w, train, judged, epochs, lr, stop_at, quiet)
    return Probe("trainers.fitted", args, call, oracles={"numpy": numpy}, twin=twin)


def _fit(seed: str) -> Iterator[Check]:
    plain = fit_probe(seed, "plain", 2, val=None)
    both = fit_probe(seed, "both", 3, val=(3, 2))
    stopped = fit_probe(seed, "stopped", 5, val=(2, 3), stop_at=2)
    alone = fit_probe(seed, "alone", 4, val=None, stop_at=3)
    at_once = fit_probe(seed, "at-once", 3, val=(2, 3), stop_at=1)
    rows = (
        ("weights", (plain,), "weights", 2, "with a ``train_step`` on every batch",
         "fit takes a step on every batch of every epoch, in training mode."),
        ("loss", (plain,), "loss", 1, "the mean per sample of the losses that the steps returned",
         "The history holds the mean training loss per sample of every epoch."),
        ("epochs", (plain, both), "epochs", 1, "the history, one dict per epoch",
         "The history has one entry per epoch."),
        ("mode", (both,), "weights", 1,
         "put into training mode at the start, whatever mode it was in",
         "fit trains in training mode, even with evaluations in between."),
        ("validation", (both,), "val", 1,
         "every epoch ends with `evaluate()` … also ``val_loss`` and ``val_accuracy``",
         "The history holds the loss and accuracy on val_loader after every epoch."),
        ("without-validation", (plain, both), "keys", 0.5,
         "with a ``val_loader`` also ``val_loss``",
         "There is a val_loss in the history only where there is a val_loader."),
        ("stops", (stopped, at_once, alone), "epochs", 1,
         "anything with `update(loss) -> bool` … that epoch was the last one. It is still in the "
         "history",
         "fit stops when early_stopping says so, and records that epoch too."),
        ("stops-weights", (stopped,), "weights", 0.5, "that epoch was the last one",
         "After early_stopping has said True, nothing is learned any more."),
        ("watched", (stopped,), "heard", 1, "It gets the ``val_loss`` of every epoch",
         "early_stopping gets the val_loss of every epoch."),
        ("watched-alone", (alone,), "heard", 0.5, "without a ``val_loader``, the ``loss``",
         "Without a val_loader, early_stopping gets the training loss."),
        ("log", (plain, stopped), "lines", 0.5, "called with one line of text per epoch",
         "fit tells log one line per epoch."),
        ("no-log", (alone,), "lines", 0.5, "None says nothing",
         "Where log is None, fit says nothing."),
    )  # fmt: skip
    for name, probes, part, weight, taught, says in rows:
        yield Check(FIT, name, probes, taught, part=part, says=says, weight=weight)
    yield from _more(seed)


def _more(seed: str) -> Iterator[Check]:
    more = fit_probe(seed, "more", 4, val=(1, 4, 2), stop_at=9)
    for part in ("weights", "loss", "val"):
        yield Check(
            FIT, f"more-{part}", (more,), "Go through ``train_loader`` ``epochs`` times", part=part,
            says=f"fit gives the right {part} in a longer training run too.", hidden=True,
        )  # fmt: skip
