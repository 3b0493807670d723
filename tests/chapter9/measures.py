"""Checks of `correct`, `evaluate` and `EarlyStopping`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from random import Random

import numpy as np

from grader.course import REAL, Check, Parts, Probe, rng_for

from . import toy

CORRECT, EVALUATE, STOPPING = "chapter9.correct", "chapter9.evaluate", "chapter9.early_stopping"
NOTES = "Take note of one more loss"
EVERY_SAMPLE = (
    "Both are means over *samples*: every sample counts the same, even in a last batch that is "
    "smaller than the others"
)


def checks(seed: str) -> Iterator[Check]:
    yield from _correct(seed)
    yield from _evaluate(seed)
    yield from _stopping(seed)
    yield from _kept(seed)


def _correct(seed: str) -> Iterator[Check]:
    def probe(
        name: str, rows: int, classes: int, right: int, form: str, near: bool = False,
        above: float = 0.0,
    ) -> Probe:  # fmt: skip
        rng = rng_for(seed, f"{CORRECT}/{name}")
        scores, labels = _scored(rng, rows, classes, right)
        if near:  # the wrong answers nearly tie with the right ones
            every = np.arange(right, rows)
            scores[every, labels[right:]] = scores[right:].max(axis=1) - 2e-5
        scores = scores + above

        def twin(torch) -> Parts:
            found = torch.tensor(scores).argmax(dim=1) == torch.tensor(labels)
            return {"value": [found.sum().double().numpy()]}

        call = f"correct(out of shape {scores.shape}, y as {form})"
        exact = {"numpy": lambda: {"value": [np.array(float(right))], "inputs": [scores]}}
        return Probe("trainers.counted", (scores, labels, form), call, oracles=exact, twin=twin)

    count = "name the right class … A row names the class with its largest score"
    value = probe("value", 5, 5, 3, "tensor")
    large = probe("large", 3, 3, 3, "tensor", above=1000.0)  # e to the power of it is infinite
    yield Check(CORRECT, "value", (value, large), count, weight=2)
    near = probe("near", 4, 3, 1, "tensor", near=True)
    yield Check(CORRECT, "near", (near,), count, weight=0.5,
                says="correct tells the largest score from one that is nearly as large.",
                )  # fmt: skip
    yield Check(CORRECT, "inputs", (value,), "`out` stays as it was", part="inputs", weight=0.5,
                says="correct leaves the scores as they were.")  # fmt: skip
    array = probe("array", 4, 4, 1, "array")
    yield Check(CORRECT, "array", (array,), "a Tensor or an ndarray", weight=0.5,
                says="correct takes the labels as an ndarray too.")  # fmt: skip
    more = (probe("all", 3, 2, 3, "tensor"), probe("some", 22, 4, 15, "tensor"))
    yield Check(CORRECT, "more", more, "a number from 0 to ``batch``", hidden=True)


def _scored(rng: Random, rows: int, classes: int, right: int) -> tuple[np.ndarray, np.ndarray]:
    """Scores, and labels of which the first ``right`` name the best class, the others the next.

    Where the table is square, the best rows of the columns agree with the labels now and then,
    but not as often: whoever takes the wrong axis gets a number of their own.
    """
    while True:
        scores = REAL.draw(rng, (rows, classes))
        labels = scores.argmax(axis=1)
        labels[right:] = (labels[right:] + 1) % classes
        if rows != classes or np.sum(scores.argmax(axis=0) == labels) not in (0, right):
            return scores, labels


def evaluate_probe(seed: str, name: str, where: str, training: bool, *sizes: int) -> Probe:
    """`evaluate` on batches of these sizes: its own ``val_loader``, or a loader that is given.

    ``where`` "alone": a loader is given to a trainer without a ``val_loader``.
    """
    rng = rng_for(seed, f"{EVALUATE}/{name}")
    w, batches = toy.weights(rng), toy.batches(rng, *sizes)
    # The first batch is all right, so that the batches' accuracies differ.
    x, _ = batches[0]
    batches[0] = (x, (x @ w).argmax(axis=1))
    last, _ = batches[-1]
    batches[-1] = (last, ((last @ w).argmax(axis=1) + 1) % toy.CLASSES)

    def numpy() -> Parts:
        loss, accuracy = toy.judge(w, batches)
        given = [x for x, _ in batches]
        return {"loss": [np.array(loss)], "accuracy": [np.array(accuracy)], "inputs": given}

    def twin(torch) -> Parts:
        loss, accuracy = toy.Twin(torch, w, 0.5).judge(batches)
        return {"loss": [np.array(loss)], "accuracy": [np.array(accuracy)]}

    call = f"evaluate({'' if where == 'own' else 'loader'}), batches of {sizes}"
    call += ", without a val_loader" * (where == "alone")
    args = (w, batches, where, training)
    return Probe("trainers.evaluated", args, call, oracles={"numpy": numpy}, twin=twin)


def _evaluate(seed: str) -> Iterator[Check]:
    probe = partial(evaluate_probe, seed)
    own, rest = probe("own", "own", True, 3, 3), probe("rest", "own", True, 4, 2, 1)
    other, found = probe("other", "given", True, 3, 2), probe("found", "own", False, 2, 3)
    alone = probe("alone", "alone", True, 2, 2)
    before = "afterwards in the mode in which it was found"
    rows = (
        ("loss", (own,), "loss", 1, "The mean loss per sample … without it, ``val_loader``",
         "evaluate returns the mean loss."),
        ("accuracy", (own, alone), "accuracy", 1, "the share of samples whose class is named right",
         "evaluate returns the share of right answers, from 0 to 1."),
        ("last-batch-loss", (rest,), "loss", 1, EVERY_SAMPLE,
         "In the loss, every sample counts the same, even in a smaller last batch."),
        ("last-batch-accuracy", (rest,), "accuracy", 1, EVERY_SAMPLE,
         "In the accuracy, every sample counts the same, even in a smaller last batch."),
        ("meanwhile", (own,), "meanwhile", 1, "The model is in evaluation mode meanwhile",
         "The model is in evaluation mode while it is evaluated."),
        ("mode", (own, alone), "mode", 1, before,
         "evaluate puts the model back into training mode."),
        ("found-mode", (found,), "mode", 0.5, before,
         "A model that came in evaluation mode stays in it."),
        ("learns-nothing", (own,), "learned", 1,
         "Nothing is learned: no ``backward``, no ``step``",
         "evaluate calls neither backward nor step, and leaves the weights alone."),
        ("inputs", (own,), "inputs", 0.5, "The batches stay as they were",
         "evaluate leaves the batches as they were."),
        ("given-loader", (other, alone), "loss", 1, "the batches to look at",
         "evaluate looks at the loader that it is given."),
    )  # fmt: skip
    for name, probes, part, weight, taught, says in rows:
        yield Check(EVALUATE, name, probes, taught, part=part, says=says, weight=weight)
    w = toy.weights(rng_for(seed, f"{EVALUATE}/nothing"))
    nothing = Probe("trainers.nothing_to_evaluate", (w,), "evaluate() without a val_loader")
    neither = "there is neither a loader nor a ``val_loader``"
    yield Check(EVALUATE, "nothing", (nothing,), neither, weight=0.5)
    more = probe("more", "given", False, 5, 1, 1)
    for part in ("loss", "accuracy"):
        yield Check(EVALUATE, f"more-{part}", (more,), EVERY_SAMPLE, part=part, hidden=True,
                    says=f"evaluate returns the right {part} for other batches too.")  # fmt: skip


def expected(patience: int, min_delta: float, losses: Sequence[float | None]) -> Parts:
    """By the words: how many updates lie since the last improvement?"""
    best, last, notes = np.inf, -1, []
    for i, loss in enumerate(losses):
        if loss is not None and loss < best - min_delta:
            best, last = loss, i
        notes.append((best, float(i - last)))
    each, waited = np.array(notes).T
    return {"value": [waited >= patience], "best": [each], "waited": [waited]}


def stopping_probe(patience: int, min_delta: float, *losses: float | None) -> Probe:
    """`update` with these losses; JSON knows no NaN, so None stands for it on the way."""
    shown = ", ".join("NaN" if loss is None else f"{loss:g}" for loss in losses)
    call = f"EarlyStopping({patience}, {min_delta}).update, losses {shown}"
    return Probe(
        "trainers.told", (patience, min_delta, list(losses)), call,
        oracles={"numpy": lambda: expected(patience, min_delta, losses)},
    )  # fmt: skip


def _kept(seed: str) -> Iterator[Check]:
    """Check that `update` records the best loss and the wait in public attributes."""
    start = round(rng_for(seed, f"{STOPPING}/kept").uniform(3.0, 5.0), 2)
    some = stopping_probe(2, 0.25, start, start - 0.5, start - 0.625, start + 0.5, start - 1)
    for part, taught in (
        ("best", f"{NOTES} … it becomes the new best … best: the best loss so far"),
        ("waited", f"{NOTES} … waited: how many updates in a row brought no improvement"),
    ):
        yield Check(STOPPING, f"kept-{part}", (some,), taught, part=part, weight=0.5,
                    says=f"EarlyStopping keeps count in {part}.")  # fmt: skip


def _stopping(seed: str) -> Iterator[Check]:
    rng, probe = rng_for(seed, STOPPING), stopping_probe

    def check(name: str, taught: str, probe: Probe, says: str, *others: Probe, **more) -> Check:
        return Check(STOPPING, name, (probe, *others), taught, says=says, **more)

    start = round(rng.uniform(3.0, 5.0), 2)
    yield check(
        "stops", "time to stop … From the `patience`-th such update in a row on, the result is",
        probe(2, 0.0, start, start - 0.5, start + 0.3, start + 0.2),
        "EarlyStopping says stop at the patience-th update in a row without improvement.", weight=2,
    )  # fmt: skip
    yield check(
        "in-a-row", "the counting starts again at 0 … Any other update brings no improvement",
        probe(2, 0.0, start, start + 0.4, start - 0.3, start + 0.1, start - 0.6, start, start),
        "An improvement starts the counting again.",
    )  # fmt: skip
    yield check(
        "best", "An improvement is a loss below ``best - min_delta``",
        probe(3, 0.0, start, start + 0.9, start + 0.5, start + 0.7, start + 0.2),
        "A loss is compared with the best one so far, not with the one before.",
    )  # fmt: skip
    yield check(
        "min-delta", "by how much a loss has to lie below the best one",
        probe(2, 0.5, start, start - 0.25, start - 0.375, start - 1, start - 1.25),
        "A loss has to lie more than min_delta below the best one.",
        probe(2, 0.5, start, start + 0.25, start + 0.125),
        probe(2, 0.5, start, start - 0.375, start - 0.625, start - 0.75, start - 0.875),
        probe(1, 0.5, start, start - 0.5))  # fmt: skip
    same, equal = probe(2, 0.0, start, start, start), "An equal loss is no improvement"
    yield check("equal", equal, same, f"{equal}.", weight=0.5)
    yield check(
        "nan", "and neither is NaN", probe(2, 0.0, start, None, start + 1, start - 1, None, None),
        "NaN is no improvement.", probe(2, 0.0, None, start, None, None), weight=0.5,
    )  # fmt: skip
    drawn = [round(rng.uniform(1.0, 4.0), 2) for _ in range(14)]
    yield check(
        "more", "after ``patience`` updates in a row without an improvement",
        probe(4, 0.125, *drawn), "EarlyStopping is right for a longer run too.", hidden=True,
    )  # fmt: skip
