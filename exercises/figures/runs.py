"""Figures of runs: what a graph holds while it is walked back, and losses epoch by epoch."""

from __future__ import annotations

import operator
import weakref
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from grader.course import import_reference

from .given import Described, rounded, seeded, tensor

DEPTH, PIECES = 50, (0, 1, 2, 5, 7, 10, 25, 50)


def lives(size: int) -> Described:
    """The life of each result of a deep network: layer, first step, end, whether it is kept.

    Every layer that is computed is a step, and so is every rule that is asked.

    Args:
        size: layers in a piece; 0 keeps every result, without pieces.
    """
    tool, found, now = import_reference("memory"), [], 0

    def note(result: Any, layer: int, kept: bool) -> None:
        life = [layer, now, 0, int(kept)]
        found.append(life)
        weakref.finalize(result, lambda: operator.setitem(life, 2, now))

    def passes(do: Callable[..., Any], *given: Any) -> Any:
        nonlocal now
        done = do(*given)
        now += 1
        return done

    def layer(number: int, x: Any, w: Any) -> Any:
        out = passes(lambda: import_reference("ops").tanh(x * w))
        note(out, number, kept=not size)
        if out._op is not None:
            out._op.backward = partial(passes, out._op.backward)
        return out

    layers = [(partial(layer, number), [tensor([1.1])]) for number in range(DEPTH)]
    x = tensor([0.5]) if size else tool.chain(layers, tensor([0.5]))
    for end in range(size, DEPTH + size, size) if size else ():
        x = tool.checkpointed(layers[end - size : end], x, size)
        note(x, min(end, DEPTH) - 1, kept=True)
    x.backward()
    del x
    return {"size": size, "lives": found, "end": now}


def memory() -> Described:
    """Fifty layers with all results kept, and in pieces of the chapter's sizes."""
    return {"layers": DEPTH, "runs": [lives(size) for size in PIECES]}


def trainer(layers: list[Any], points: Any, held: Any, lr: float) -> Any:
    """A Trainer of the reference, which shuffles two batches in an epoch."""
    nn, optim, data = (import_reference(name) for name in ("nn", "optim", "data"))
    model = nn.Sequential(*layers)
    train, other = (data.ArrayDataset(*each) for each in (points, held))
    return import_reference("trainer").Trainer(
        model, optim.Adam(model.parameters(), lr=lr), nn.SoftmaxLoss(),
        data.DataLoader(train, len(train) // 2, shuffle=True), data.DataLoader(other, len(other)),
        log=None,
    )  # fmt: skip


EPOCHS, DEATHS = 30, (8, 16, 24)

LOST: dict[str, tuple[str, ...]] = {
    "nothing": (), "the random state": ("chance",), "the optimizer": ("optimizer",),
    "all but the weights": ("chance", "optimizer"),
}  # fmt: skip


@seeded(0)
def resume() -> Described:
    """A training run, and what goes on from its checkpoints where a part of them is lost."""
    nn, tool = import_reference("nn"), import_reference("checkpoint")
    points = import_reference("data").make_moons(80, seed=1)

    def training() -> Any:
        layers = [nn.Linear(2, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 2)]
        return trainer(layers, points, points, 0.1)

    def losses(run: Any, epochs: int) -> list[float]:
        return rounded([epoch["val_loss"] for epoch in run.fit(epochs)])

    def goes_on(after: int, lost: tuple[str, ...]) -> Described:
        np.random.seed(99)  # another day
        again, state = training(), states[after - 1]
        again.model.load_state_dict(tool.part_of(state, "model"))
        if "optimizer" not in lost:
            again.optimizer.load_state_dict(tool.part_of(state, "optimizer"))
        if "chance" not in lost:
            tool.set_random_state(tool.part_of(state, "chance"))
        rest = losses(again, EPOCHS - after)
        one, other = again.model.state_dict(), whole.model.state_dict()
        return {"losses": rest, "same": sum(np.array_equal(one[name], other[name]) for name in one)}

    whole, curve, states = training(), [], []
    for _ in range(EPOCHS):
        curve += losses(whole, 1)
        states.append(tool.join(model=whole.model.state_dict(), chance=tool.random_state(),
                                optimizer=whole.optimizer.state_dict()))  # fmt: skip
    deaths = [
        {"after": after, "runs": {name: goes_on(after, lost) for name, lost in LOST.items()}}
        for after in DEATHS
    ]
    return {"whole": curve, "deaths": deaths, "arrays": len(whole.model.state_dict())}


@seeded(1)
def stopping() -> Described:
    """The losses of a network that learns forty noisy points by heart."""
    nn, draw = import_reference("nn"), import_reference("data").make_moons
    layers = [nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 2)]
    run = trainer(layers, draw(40, noise=0.3, seed=1), draw(200, noise=0.3, seed=2), 0.02)
    history = run.fit(60)
    return {
        "train": rounded([epoch["loss"] for epoch in history]),
        "held": rounded([epoch["val_loss"] for epoch in history]),
    }


AFTER, MORE, RATE = (1, 3, 10, 30, 100, 1000, 10000), 20, 0.1

FORGOTTEN: dict[str, tuple[str, ...]] = {
    "nothing": (), "counter": ("steps",), "first moment": ("first_moments",),
    "second moment": ("second_moments",),
    "all three": ("steps", "first_moments", "second_moments"),
}  # fmt: skip


def strides(adam: Any, w: Any, count: int) -> list[float]:
    """The length of so many steps with the gradient 2, in learning rates."""
    lengths = []
    for _ in range(count):
        w.grad, before = np.array([2.0]), w.data.copy()
        adam.step()
        lengths.append(float((before - w.data)[0]) / RATE)
    return lengths


def forget() -> Described:
    """The steps of an Adam that lost a part of its state after so many steps."""
    adam_of = partial(import_reference("optim").Adam, lr=RATE)
    whole, runs = tensor([0.0]), {name: list[list[float]]() for name in FORGOTTEN}
    adam, done = adam_of([whole]), 0
    for after in AFTER:
        strides(adam, whole, after - done)
        done, state = after, adam.state_dict()
        for name, lost in FORGOTTEN.items():
            gone = {key: 0 * v for key, v in state.items() if key.partition(".")[0] in lost}
            w = tensor([0.0])
            again = adam_of([w])
            again.load_state_dict(state | gone)
            runs[name].append(rounded(strides(again, w, MORE)))
    return {"after": list(AFTER), "runs": runs}
