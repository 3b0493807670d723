"""LayerNorm1d and BatchNorm1d, the latter in both modes and with what it remembers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from grader.course import Check, Parts, Probe, number_for, sizes_for

from .layers import Case, Layer, torch_layer, value_probe, vector
from .templates import UNTOUCHED, group, layer_checks


def layer_formula(x, weight, bias, eps):
    """Each row by itself; takes complex numbers, so no `np.var`, which would take moduli."""
    centred = x - x.mean(1, keepdims=True)
    variance = (centred * centred).mean(1, keepdims=True)
    return centred / np.sqrt(variance + eps) * weight + bias


def batch_formula(x, weight, bias, eps, running=None):
    """Each column of the batch, or the running statistics where these are given."""
    mean = x.mean(0) if running is None else running[0]
    variance = ((x - mean) ** 2).mean(0) if running is None else running[1]
    return (x - mean) / np.sqrt(variance + eps) * weight + bias


LAYER = Layer("LayerNorm1d", layer_formula, lambda torch, args: torch.nn.LayerNorm(*args))
BATCH = Layer("BatchNorm1d", batch_formula, lambda torch, args: torch.nn.BatchNorm1d(*args))

FORMULA = "`(x - mean) / √(variance + eps) * weight + bias`"
LAYER_VALUE = f"{FORMULA} … `mean` and `variance` are those of each row by itself"
DISTANCE = "the mean squared distance"
LAYER_GRADIENT = "The gradient of `x` flows through the mean and through the variance as well"
COLUMNS = (
    "In training mode `mean` and `variance` are those of each column of this batch; the variance "
    "is the biased one (divide by `batch`)"
)
BATCH_VALUE = f"{FORMULA} … {COLUMNS}"
BATCH_GRADIENT = f"{COLUMNS}, and gradients flow through both"
UPDATED = (
    "each running statistic becomes `(1 - momentum) * running + momentum * new`; there, `new` is "
    "the mean, and the unbiased variance (divide by `batch - 1`)"
)
RUNNING = f"the share of the newest batch in the running statistics … {UPDATED}"
EVALUATION = (
    "In evaluation mode `mean` and `variance` are the running ones … running_mean, running_var: "
    "what evaluation uses"
)


def checks(seed: str) -> Iterator[Check]:
    starts = {"weight": 1.0, "bias": 0.0}
    yield from init(seed, "LayerNorm1d", starts, ["eps"], LAYER_STARTS)
    yield from layer_norm(seed)
    ones = {"weight": 1.0, "bias": 0.0, "running_mean": 0.0, "running_var": 1.0}
    yield from init(seed, "BatchNorm1d", ones, ["eps", "momentum"], BATCH_STARTS)
    yield from batch_norm(seed)
    yield from running_statistics(seed)


LAYER_STARTS = "Make `weight`, all ones, and `bias`, all zeros, of this dtype; keep `eps`"
BATCH_STARTS = (
    "`weight` and `running_var` start as ones, `bias` and `running_mean` as zeros … of the shape "
    "of `weight`"
)


def init(
    seed: str, name: str, starts: dict[str, float], options: list[str], taught: str
) -> Iterator[Check]:
    """First values, what is a Parameter and what is not, the options and their defaults."""
    exercise = f"chapter4.{name.lower()}.init"
    (dim,) = sizes_for(seed, exercise, 3)
    numbers = [
        number_for(seed, f"{exercise}/{option}", usual, 0.05, 0.95)
        for option, usual in zip(options, (0.25, 0.75), strict=False)
    ]
    right = [np.full(dim, start) for start in starts.values()]
    begun = tuple(
        Probe(
            "modules.begun", (name, (*arguments, *dtype), list(starts), options),
            f"nn.{name}{(*arguments, *dtype)}", oracles={"numpy": lambda: {"value": right}},
            twin=partial(begun_in_torch, name, arguments, list(starts), options),
        )
        for arguments, dtype in (
            ((dim,), ()), ((dim, *numbers), ("float64",)), ((dim, *[0.0] * len(numbers)), ())
        )
    )  # fmt: skip
    yield Check(exercise, "values", begun, taught, says=f"{name}.__init__ gives its first values.")
    yield Check(
        exercise, "parameters", begun, "weight, bias: Parameters of shape `(dim,)`",
        part="parameter",
        says=f"{name}.__init__ makes two Parameters, weight and bias, and no more.",
    )  # fmt: skip
    yield Check(
        exercise, "dtype", begun, "of this dtype; keep `eps`", part="dtype", compare="dtype",
        says=f"{name}.__init__ makes its arrays in the dtype that was asked for.", weight=0.5,
    )  # fmt: skip
    words = "keep `eps`" if len(options) == 1 else "keep `eps` and `momentum`"
    says = f"{name}.__init__ keeps its options."
    yield Check(exercise, "options", begun, words, part="options", says=says, weight=0.5)
    if len(starts) > 2:
        yield Check(
            exercise, "notes", begun, part="apart", weight=0.5,
            taught="Tensors that require no gradient, or ndarrays. They are not Parameters",
            says=f"{name}.__init__ makes what is not to be learned without a gradient.",
        )  # fmt: skip


def twin_of(torch: Any, name: str, *arguments: float) -> Any:
    """PyTorch's module of the same kind."""
    layer = {"LayerNorm1d": LAYER, "BatchNorm1d": BATCH}[name]
    return layer.twin(torch, arguments)


def begun_in_torch(
    name: str, arguments: tuple[float, ...], starts: list[str], options: list[str], torch: Any
) -> Parts:
    module = twin_of(torch, name, *arguments)
    return {
        "value": [getattr(module, each).detach().numpy() for each in starts],
        "options": [np.array(getattr(module, option)) for option in options],
    }


def case(seed: str, name: str, rows: int, dim: int, *options: float, scale: float = 1.0) -> Case:
    """A normalisation with random weight and bias, and its input.

    The signs alternate along the rows; with an odd ``dim`` they do so down the columns too, so
    that no variance is nearly 0.
    """
    state = {each: vector(seed, f"{name}/{each}", dim) for each in ("weight", "bias")}
    x = (vector(seed, f"{name}/x", rows, dim) + 0.75) * scale
    return Case((dim, *options), x, state, {"eps": options[0] if options else 1e-5})


def layer_norm(seed: str) -> Iterator[Check]:
    exercise = "chapter4.layernorm1d.forward"
    yield from layer_checks(
        exercise, LAYER,
        [case(seed, "layer/plain", 2, 3), case(seed, "layer/eps", 3, 5, 0.4)],
        [case(seed, "layer/more", 5, 2, 0.1)], (LAYER_VALUE, LAYER_GRADIENT), seed,
    )  # fmt: skip
    tiny = case(seed, "layer/tiny", 1, 4, scale=0.002)  # a single row has its own mean, too
    yield from group(
        exercise,
        "eps",
        LAYER,
        [tiny],
        "adds eps inside the root",
        "keeps the root away from 0",
        seed,
    )
    yield from same_in_evaluation(exercise, seed)
    yield far_check(exercise, LAYER, case(seed, "layer/far", 3, 4), DISTANCE)
    constant = np.array([[1.5, 1.5, 1.5, 1.5], [0.5, -1.5, 2.5, 1.25]])
    flat = Case((4,), constant, tiny.state, {"eps": 1e-5})
    yield Check(
        exercise, "constant-row", (value_probe(LAYER, flat),),
        "A row of equal values has variance 0 and comes out as `bias`", weight=0.5,
        says="LayerNorm1d.forward turns a row of equal values into the bias.",
    )  # fmt: skip


def far_check(exercise: str, layer: Layer, near: Case, taught: str) -> Check:
    """Check values that are far from 0, where float32 keeps few digits of a square.

    They are sixteenths, four to a mean: float32 holds them, and their mean, exactly.
    """
    far = replace(near, x=np.round(near.x * 16) / 16 + 1000, dtype="float32")
    return Check(
        exercise, "far", (value_probe(layer, far),), taught, weight=0.5,
        says=f"{layer.name}.forward is right for float32 numbers far from 0.",
    )  # fmt: skip


def same_in_evaluation(exercise: str, seed: str) -> Iterator[Check]:
    trained = case(seed, "layer/eval", 4, 3)  # more rows than in training
    evaluated = Case(trained.arguments, trained.x, trained.state, trained.options, training=False)
    yield Check(
        exercise, "evaluation", (value_probe(LAYER, evaluated),),
        "Training and evaluation are the same", weight=0.5,
        says="LayerNorm1d.forward computes the same in evaluation mode.",
    )  # fmt: skip


def batch_norm(seed: str) -> Iterator[Check]:
    exercise = "chapter4.batchnorm1d.forward"
    yield from layer_checks(
        exercise, BATCH,
        [case(seed, "batch/plain", 2, 3, 0.1), case(seed, "batch/eps", 4, 3, 0.4)],
        [case(seed, "batch/more", 5, 3)], (BATCH_VALUE, BATCH_GRADIENT), seed,
    )  # fmt: skip
    tiny = case(seed, "batch/tiny", 4, 3, scale=0.002)
    yield from group(
        exercise,
        "eps",
        BATCH,
        [tiny],
        "adds eps inside the root",
        "keeps the root away from 0",
        seed,
    )
    yield from group(
        exercise, "evaluation", BATCH, [evaluation_case(seed, 3, 2), evaluation_case(seed, 1, 3)],
        "uses the running statistics in evaluation mode", EVALUATION, seed,
    )  # fmt: skip
    yield Check(
        exercise, "one-row",
        (Probe("modules.raises", ("BatchNorm1d", (2,), [vector(seed, "batch/one", 1, 2)]),
               "nn.BatchNorm1d(2)(x) with one row"),),
        "in training mode, a batch of one row", weight=0.5,
        says="BatchNorm1d.forward raises ValueError for one row in training mode.",
    )  # fmt: skip


def evaluation_case(seed: str, rows: int, dim: int) -> Case:
    plain = case(seed, f"batch/eval/{rows}", rows, dim, 0.2)
    running = known_statistics(seed, f"batch/eval/{rows}", dim)
    state = {**plain.state, "running_mean": running[0], "running_var": running[1]}
    return Case((dim, 0.2), plain.x, state, {"eps": 0.2, "running": running}, training=False)


def known_statistics(seed: str, name: str, dim: int) -> tuple[np.ndarray, np.ndarray]:
    """A mean of either sign and a variance that is positive."""
    return vector(seed, f"{name}/mean", dim), np.abs(vector(seed, f"{name}/var", dim))


def running_statistics(seed: str) -> Iterator[Check]:
    exercise = "chapter4.batchnorm1d.forward"
    once = running_probe(seed, "once", [3], 0.3, training=True)
    thrice = running_probe(seed, "thrice", [4, 2, 5], 0.2, training=True, eps=0.2)
    still = running_probe(seed, "still", [3], 0.0, training=True)
    yield Check(
        exercise, "running", (once, still), RUNNING, part="running",
        says="BatchNorm1d.forward updates running_mean and running_var in training mode.",
    )  # fmt: skip
    yield Check(
        exercise, "batch", (once, still), BATCH_VALUE, weight=0.5,
        says="BatchNorm1d.forward normalizes a batch whatever share it has in the statistics.",
    )  # fmt: skip
    yield Check(
        exercise, "running-series", (thrice,), UPDATED, part="running", hidden=True,
        says="BatchNorm1d.forward keeps the running statistics right over several batches.",
    )  # fmt: skip
    yield Check(
        exercise, "series", (thrice,), BATCH_VALUE, hidden=True, weight=0.5,
        says="BatchNorm1d.forward normalizes every batch by its own mean and variance.",
    )  # fmt: skip
    yield Check(
        exercise, "running-apart", (once,), "the statistics are not part of the graph",
        part="apart", weight=0.5,
        says="BatchNorm1d.forward keeps the running statistics out of the graph.",
    )  # fmt: skip
    frozen = running_probe(seed, "frozen", [3, 4], 0.3, training=False)
    yield Check(
        exercise, "batches", (once, still, frozen), UNTOUCHED, part="inputs", weight=0.25,
        says="BatchNorm1d.forward leaves every batch as it was.",
    )  # fmt: skip
    yield Check(
        exercise, "running-kept", (frozen,), "constants, and they stay as they are", part="running",
        says="BatchNorm1d.forward leaves the running statistics alone in evaluation mode.",
    )  # fmt: skip


def running_probe(
    seed: str, name: str, sizes: list[int], momentum: float, *, training: bool, eps: float = 1e-5
) -> Probe:
    """Batches of these sizes, one after the other, through one module of two columns."""
    mean, variance = known_statistics(seed, f"running/{name}", 2)
    state = {"running_mean": mean, "running_var": variance}
    batches = [vector(seed, f"running/{name}/{i}", size, 2) + 0.75 for i, size in enumerate(sizes)]
    arguments = (2, eps, momentum)

    def formula() -> Parts:
        running = [mean, variance]
        for batch in batches if training else []:
            new = (batch.mean(0), batch.var(0, ddof=1))
            running = [(1 - momentum) * r + momentum * n for r, n in zip(running, new, strict=True)]
        return {"running": running}

    def twin(torch: Any) -> Parts:
        module = torch_layer(torch, BATCH, Case(arguments, batches[0], state, training=training))
        for batch in batches:
            out = module(torch.tensor(batch))
        running = [module.running_mean.numpy(), module.running_var.numpy()]
        return {"value": [out.detach().numpy()], "running": running}

    return Probe(
        "modules.series", ("BatchNorm1d", arguments, state, training, batches),
        f"{len(sizes)} batch(es) through nn.BatchNorm1d{arguments}",
        oracles={"numpy": formula}, twin=twin,
    )  # fmt: skip
