"""The checks of the steps: the parameters take PyTorch's path over several steps.

A case names the shapes of the parameters, the options, and what is special about it. Gradients
are drawn here and set by the program, so that no `backward` of the learner's takes part.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from grader.course import REAL, Check, Parts, Probe, rng_for


@dataclass(frozen=True)
class Case:
    """One path: ``missing`` are the (step, parameter) pairs without a gradient, ``zero`` those
    with one of zeros.
    """

    name: str
    says: str
    taught: str
    options: dict[str, Any]
    shapes: tuple[tuple[int, ...], ...] = ((3,),)
    steps: int = 4
    missing: tuple[tuple[int, int], ...] = ()
    rates: list[float] = field(default_factory=list)
    dtype: str = "float64"
    weight: float = 1
    hidden: bool = False
    scale: float = 1.0
    zero: tuple[tuple[int, int], ...] = ()


def path_checks(kind: str, exercise: str, cases: tuple[Case, ...], seed: str) -> Iterator[Check]:
    """A check per case, and one that the gradients were only read."""
    probes = {case.name: _probe(kind, exercise, case, seed) for case in cases}
    for case in cases:
        compare = "close" if case.dtype == "float64" else "dtype"
        says = f"{kind}.step {case.says}."
        yield Check(
            exercise, case.name, (probes[case.name],), case.taught, says=says,
            weight=case.weight, hidden=case.hidden, compare=compare,
        )  # fmt: skip
    read = probes["decay"], probes[cases[0].name]
    yield Check(
        exercise, "gradients", read, READ[kind], part="gradients", weight=0.5,
        says=f"{kind}.step leaves the gradients as they were.",
    )  # fmt: skip


READ = {
    "SGD": "every `grad` holds afterwards what it held before",
    "Adam": "and gradients are read, never written",
    "AdamW": "The rest is as in `Adam.step`",
}


def _probe(kind: str, exercise: str, case: Case, seed: str) -> Probe:
    rng = rng_for(seed, f"{exercise}/{case.name}")
    arrays = [REAL.draw(rng, shape) for shape in case.shapes]
    gradients = [
        [
            None
            if (step, i) in case.missing
            else np.asarray(REAL.draw(rng, shape) * (case.scale * ((step, i) not in case.zero)))
            for i, shape in enumerate(case.shapes)
        ]
        for step in range(case.steps)
    ]
    options = ", ".join(f"{name}={value}" for name, value in case.options.items())
    args = (kind, arrays, case.options, gradients, case.rates, case.dtype)
    more = f", where lr is {case.rates} in turn" if case.rates else ""
    call = f"{kind}(parameters, {options}), {case.steps} × step(){more}"
    return Probe(
        "optimizers.trajectory", args, call,
        twin=partial(_twin, args=args[:-1]) if case.dtype == "float64" else None,
    )  # fmt: skip


def _twin(torch, args) -> Parts:
    kind, arrays, options, gradients, rates = args
    parameters = [torch.tensor(array, requires_grad=True) for array in arrays]
    # PyTorch's SGD has another default; all other defaults are the same.
    defaults = {"lr": 0.01} if kind == "SGD" else {}
    optimizer = getattr(torch.optim, kind)(parameters, **(defaults | options))
    path: list[list[np.ndarray]] = [[] for _ in parameters]
    for number, each in enumerate(gradients):
        for group in optimizer.param_groups if rates else ():
            group["lr"] = rates[number]
        for parameter, gradient in zip(parameters, each, strict=True):
            parameter.grad = None if gradient is None else torch.tensor(gradient)
        optimizer.step()
        for parameter, places in zip(parameters, path, strict=True):
            places.append(parameter.detach().numpy().copy())
    return {"value": [np.stack(places) for places in path]}


TWO: tuple[tuple[int, ...], ...] = ((2, 3), (3,))
MIXED: tuple[tuple[int, ...], ...] = ((2, 1, 3), (), (4,))
SAME = "The Tensor stays the same object and its `data` changes"
FLOAT32 = "a float32 parameter stays float32"
SKIPPED = (
    "A parameter whose `grad` is None is skipped: neither it nor its velocity changes, and the "
    "others move"
)
RATES = "`step` reads it again each time"
PULL = "how strongly every value is pulled towards 0"
NO_PULL = "0 for not at all"
MOVED = "Move every parameter p that has a gradient g::"

SGD = (
    Case("plain", "goes downhill",
         "that has a gradient g, with its velocity v:: … p ← p − lr · v … With momentum 0, v is g",
         {"lr": 0.1}, steps=1, weight=2),
    Case("several", "moves several parameters, step after step",
         f"{SAME} … 0 for none of it … {NO_PULL}", {"lr": 0.1}, TWO),
    Case("default-lr", "has a learning rate of 0.01 unless told otherwise",
         "lr: float = 0.01", {}, steps=2, weight=0.5),
    Case("momentum", "carries its velocity from step to step",
         "how much of the velocity is kept from step to step … v ← momentum · v + g",
         {"lr": 0.1, "momentum": 0.9}, TWO, weight=2),
    Case("decay", "pulls the values towards 0",
         f"{PULL} … g ← g + weight_decay · p", {"lr": 0.1, "weight_decay": 0.3}, TWO),
    Case("momentum-and-decay", "takes the decay into the velocity",
         "g ← g + weight_decay · p v ← momentum · v + g",
         {"lr": 0.1, "momentum": 0.8, "weight_decay": 0.3}, TWO),
    Case("lr-changes", "uses the learning rate of the moment for the whole velocity",
         RATES, {"lr": 0.1, "momentum": 0.9}, rates=[0.1, 0.1, 0.02, 0.3]),
    Case("zero-lr", "stays where it is while the learning rate is 0, and goes on remembering",
         RATES, {"lr": 0.1, "momentum": 0.9}, steps=3, rates=[0.1, 0.0, 0.2], weight=0.5),
    Case("missing", "skips a parameter without a gradient, and only that one",
         SKIPPED, {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.2}, (*TWO, (2,)),
         missing=((0, 2), (1, 0), (2, 1))),
    Case("zero-gradient", "moves a parameter whose gradient is 0, too",
         "Move every parameter p that has a gradient g, with",
         {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.2}, TWO, weight=0.5, zero=((1, 0), (2, 1))),
    Case("float32", "keeps float32 parameters float32", FLOAT32,
         {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.2}, TWO, 2, dtype="float32", weight=0.5),
    Case("float32-plain", "keeps float32 parameters float32 without momentum, too", FLOAT32,
         {}, TWO, 1, dtype="float32", weight=0.5),
    Case("more", "is right with all settings together, for other shapes",
         "g ← g + weight_decay · p",
         {"lr": 0.07, "momentum": 0.6, "weight_decay": 0.4}, MIXED, 6, ((2, 0), (3, 0), (3, 2)),
         hidden=True),
)  # fmt: skip

STAYS = "the Tensor stays the same object"
ADAM = (
    Case("plain", "goes against the direction, lr times as far",
         f"{MOVED} … p ← p − lr · direction(i, g)", {"lr": 0.1}, steps=1, weight=2),
    Case("several", "moves several parameters, step after step",
         f"{STAYS} … {NO_PULL}", {"lr": 0.1}, TWO),
    Case("defaults", "has the defaults lr 0.001, betas 0.9 and 0.999, eps 1e-8, no decay",
         "betas: tuple[float, float] = (0.9, 0.999)", {}, weight=0.5),
    Case("decay", "takes the decay into the gradient",
         f"{PULL} … g ← g + weight_decay · p p ← p − lr · direction(i, g)",
         {"lr": 0.1, "weight_decay": 0.3}, TWO),
    Case("lr-changes", "uses the learning rate of the moment", RATES, {"lr": 0.1},
         rates=[0.1, 0.1, 0.02, 0.3]),
    Case("zero-lr", "stays where it is while the learning rate is 0, and goes on remembering",
         RATES, {"lr": 0.1}, steps=3, rates=[0.1, 0.0, 0.2], weight=0.5),
    Case("missing", "skips a parameter without a gradient, with its means and its counter",
         f"{STAYS} … is skipped (its means and its counter too)",
         {"lr": 0.1, "weight_decay": 0.2}, (*TWO, (2,)), missing=((0, 2), (1, 0), (2, 1))),
    Case("zero-gradient", "moves a parameter whose gradient is 0, too", MOVED,
         {"lr": 0.1, "weight_decay": 0.2}, TWO, weight=0.5, zero=((1, 0), (2, 1))),
    Case("float32", "keeps float32 parameters float32", f"{STAYS} and keeps its dtype",
         {"lr": 0.1}, TWO, 2, dtype="float32", weight=0.5),
    Case("more", "is right with all settings together, for other shapes",
         "g ← g + weight_decay · p p ← p − lr · direction(i, g)",
         {"lr": 0.07, "betas": (0.7, 0.95), "eps": 0.02, "weight_decay": 0.4}, MIXED, 6,
         ((2, 0), (3, 0), (3, 2)), hidden=True),
)  # fmt: skip

DECAYS = "p ← p − lr · weight_decay · p"
ADAMW = (
    Case("plain", "takes Adam's step where the decay is 0",
         f"{MOVED} … p ← p − lr · direction(i, g)", {"lr": 0.1, "weight_decay": 0.0}, TWO, 3),
    Case("decay", "shrinks the values beside the means, by lr times weight_decay",
         f"{RATES} … {DECAYS}",
         {"lr": 0.1, "weight_decay": 0.5}, TWO, weight=2, rates=[0.1, 0.1, 0.02, 0.3]),
    Case("small-gradients", "decays by the same share where gradients are tiny",
         f"The gradient goes into `direction` without any weight decay in it … {DECAYS}",
         {"lr": 0.1, "weight_decay": 0.5}, scale=1e-3),
    Case("defaults", "has the default decay 0.01", "weight_decay: float = 0.01", {}, weight=0.5),
    Case("missing", "skips a parameter without a gradient, which does not decay either",
         "a parameter whose `grad` is None is skipped, and does not decay either",
         {"lr": 0.1, "weight_decay": 0.2}, (*TWO, (2,)), missing=((0, 2), (1, 0), (2, 1))),
    Case("zero-gradient", "moves a parameter whose gradient is 0, too", MOVED,
         {"lr": 0.1, "weight_decay": 0.2}, TWO, weight=0.5, zero=((1, 0), (2, 1))),
    Case("float32", "keeps float32 parameters float32", "The rest is as in `Adam.step`",
         {"lr": 0.1}, TWO, 2, dtype="float32", weight=0.5),
    Case("more", "is right with all settings together, for other shapes", DECAYS,
         {"lr": 0.07, "betas": (0.7, 0.95), "eps": 0.02, "weight_decay": 0.4}, MIXED, 6,
         ((2, 0), (3, 0), (3, 2)), hidden=True),
)  # fmt: skip
