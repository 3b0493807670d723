"""The checks of the engines' common parts: a fresh Tensor, `unbroadcast`, `Function.apply`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from grader.course import REAL, Check, Parts, Probe, numeric, rng_for

from .rules import FLOAT64, UNTOUCHED


def checks(seed: str) -> Iterator[Check]:
    yield from _fresh(seed)
    yield from _summed(seed)
    yield from _applied(seed)


def _told(**parts: Any) -> Callable[[], Parts]:
    return lambda: {name: [np.asarray(each) for each in arrays] for name, arrays in parts.items()}


def kept(data: np.ndarray) -> list[np.ndarray]:
    """What an array becomes, with and without a rule, and in a list; and its first number."""
    return [data, data, data, data.ravel()[0]]


def _fresh(seed: str) -> Iterator[Check]:
    exercise, rng = "chapter11.grad_fn.init", rng_for(seed, "chapter11.grad_fn.init")
    data = REAL.draw(rng, (2, 2))
    probe = Probe(
        "engines.grad_fn_fresh", (data, True), "Tensor(data), Tensor(data, True, rule)",
        oracles={"numpy": _told(value=kept(data), defaults=[[True] * 3], kept=[[True] * 2])},
    )  # fmt: skip
    single = Probe(
        "engines.grad_fn_fresh", (data.astype("float32"), False),
        "Tensor of float32 data, and Tensor(data, False, rule)",
        oracles={"numpy": _told(value=kept(data.astype("float32").astype("float64")),
                                kept=[[False, True]])},
    )  # fmt: skip
    counted = np.array(rng.sample(range(-99, 99), 4))
    whole = Probe(
        "engines.grad_fn_fresh", (counted, True), "Tensor of whole numbers",
        oracles={"numpy": _told(value=kept(counted.astype("float64")))},
    )  # fmt: skip
    words = "holds a float64 copy of `data`: numbers, lists or an ndarray"
    yield Check(exercise, "data", (probe,), words, says="data is a copy of what was given.")
    yield Check(
        exercise, "dtype", (single, whole), words, compare="dtype", says="data is float64 always."
    )
    yield Check(
        exercise, "defaults", (probe,), part="defaults",
        taught="grad: None at first … None for a leaf … `grad` starts as None",
        says="grad is None; requires_grad is False and grad_fn None, unless given.",
    )  # fmt: skip
    yield Check(
        exercise, "kept", (probe, single), part="kept",
        taught="are kept as they are given … the `BackwardFunction` that made it",
        says="requires_grad and grad_fn are kept.",
    )  # fmt: skip


def _summed(seed: str) -> Iterator[Check]:
    rows = (
        ("bias", (4, 3), (3,), "Rows are summed away for a bias."),
        ("column", (2, 3), (2, 1), "A column is summed along its row, and stays a column."),
        ("number", (2, 3), (), "For a single number everything is summed."),
        ("same", (2, 3), (2, 3), "Where nothing was broadcast, nothing is summed."),
        ("both", (2, 4, 3), (1, 3), "New axes and stretched ones, both at once."),
    )
    exercise = "chapter11.grad_fn.unbroadcast"
    words = (
        "over the axes along which `shape` was broadcast … Axes that broadcasting put in front "
        "are summed away; axes of length 1 that it stretched are summed and kept. The result has "
        "the shape `shape`"
    )
    for label, big, small, says in rows:
        gradient = REAL.draw(rng_for(seed, f"{exercise}/{label}"), big)
        probe = Probe(
            "engines.summed", (gradient, list(small)), f"unbroadcast(gradient of {big}, {small})",
            oracles={"finite_difference": _spread(gradient, small)},
            twin=_torch_spread(gradient, small),
        )  # fmt: skip
        yield Check(exercise, label, (probe,), words, says=says, hidden=label == "both")
        if label == "bias":
            yield Check(exercise, "inputs", (probe,), UNTOUCHED, part="inputs", weight=0.5,
                        says="unbroadcast leaves the gradient as it was.")  # fmt: skip
            yield Check(exercise, "dtype", (probe,), FLOAT64, part="dtype", weight=0.5,
                        aside=True, says="unbroadcast keeps float64.")  # fmt: skip


def _spread(gradient: np.ndarray, small: tuple[int, ...]) -> Callable[[], Parts]:
    """Compute un-broadcasting as the derivative of broadcasting."""

    def parts() -> Parts:
        def spread(a: Any) -> Any:
            return np.broadcast_to(a, gradient.shape)

        value = numeric.vjp(spread, [np.zeros(small)], gradient, analytic=True)
        return {"value": value, "inputs": [gradient], "dtype": [np.array(True)]}

    return parts


def _torch_spread(gradient: np.ndarray, small: tuple[int, ...]) -> Callable[[Any], Parts]:
    def twin(torch: Any) -> Parts:
        leaf = torch.zeros(small, dtype=torch.float64, requires_grad=True)
        leaf.expand(gradient.shape).backward(torch.tensor(gradient))
        return {"value": [leaf.grad.numpy()]}

    return twin


def _applied(seed: str) -> Iterator[Check]:
    exercise, rng = "chapter11.apply.apply", rng_for(seed, "chapter11.apply.apply")
    a, b, scale = REAL.draw(rng, (2,)), REAL.draw(rng, (2,)), float(REAL.draw(rng, ()))
    probe = Probe(
        "engine_networks.wrapped", ([a, b], scale), f"Blend.apply(a, b, scale={scale})",
        oracles={"numpy": _told(
            value=[a + scale * b, b + 0.5, a[0] + 0.5], arrays=[[True, True]], options=[scale, 1.0],
            creator=[[True] * 4], fresh=[True], requires=[[True] * 5],
        )},
    )  # fmt: skip
    for part, says, words in (
        ("value", "The result holds what forward returned.",
         "Call `forward`, and wrap what it returns … the `data` of every input, and `options` as"),
        ("arrays", "forward is given arrays, not Tensors.", "the `data` of every input"),
        ("options", "Keyword arguments reach forward.", "`options` as keyword arguments"),
        ("creator", "The result holds the Context of this call as its _creator.",
         "becomes one, by `as_tensor` … holds the Context as its `_creator`"),
        ("fresh", "Every call gets a Context of its own.", "is made for each call"),
        ("requires", "A result requires a gradient where an input does, and only there.",
         "The result requires a gradient where any input does … else its `_creator` is None"),
    ):  # fmt: skip
        weight = 2 if part in ("value", "creator") else 1
        yield Check(exercise, part, (probe,), words, part=part, says=says, weight=weight)
    yield Check(exercise, "dtype", (probe,), "keeps its dtype, a single number too",
                compare="dtype", says="The result keeps the dtype, of a single number too.",
                weight=0.5, aside=True)  # fmt: skip
