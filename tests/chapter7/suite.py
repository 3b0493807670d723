"""The checks of chapter 7: gains, draws, filled matrices, and statistics by layer."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from grader.course import PUBLIC_SEED, REAL, Check, Parts, Probe, rng_for, shapes_for

from .draws import GAINS, TAUGHT, draw_checks

FILL = "chapter7.initialize"
STATISTICS = "chapter7.activation_statistics"
GRADIENTS = "chapter7.gradient_statistics"


def checks(seed: str) -> Iterator[Check]:
    """Every check of the chapter, its samples drawn from ``seed``."""
    yield from _gain(seed)
    for function in TAUGHT:
        yield from draw_checks(function, seed)
    yield from _initialize(seed)
    yield from _statistics(seed)
    yield from _gradients(seed)


def _gain(seed: str) -> Iterator[Check]:
    rng = rng_for(seed, "chapter7.gain")
    names, unknown = list(GAINS), "rleu"
    if seed != PUBLIC_SEED:  # in an order of its own, some of them again
        names = rng.sample(names, len(names)) + rng.choices(names, k=12)
        unknown = "".join(rng.sample("relutanhsigmoid", 6))
    probe = Probe(
        "initializers.gains", (names,), "gain(…)",
        oracles={"numpy": lambda: {"value": [np.array([GAINS[name] for name in names])]}},
        twin=lambda torch: {
            "value": [np.array([float(torch.nn.init.calculate_gain(name)) for name in names])]
        },
    )  # fmt: skip
    taught = 'have to be larger than before none … "linear" 1 "sigmoid" 1 "tanh" 5 / 3 "relu" √2'
    yield Check("chapter7.gain", "value", (probe,), taught)
    for name, given, fixed in (
        ("unknown", unknown, ""), ("capitals", "ReLU", "a known name in other letters"),
        ("others", "leaky_relu", "a name that PyTorch knows"),
    ):  # fmt: skip
        probe = Probe("initializers.refused", (given,), f'gain("{given}")')
        yield Check("chapter7.gain", name, (probe,), "ValueError: another name", compare="text",
                    weight=0.5, fixed=fixed)  # fmt: skip


def _initialize(seed: str) -> Iterator[Check]:
    cases = (
        ("matrix", "gives a weight matrix values drawn for its fans", [(3, 4)], "float64",
         "Give every weight matrix new values from `draw` … exactly two axes is a weight matrix of "
         "shape `(fan_in, fan_out)`", False),
        ("others", "leaves biases and scales as they are",
         [(2, 5), (5,), (5, 3), (3,), ()], "float64",
         "All other parameters (biases, scales) are left as they are", False),
        ("dtype", "keeps the dtype of a parameter", [(3, 4), (4,)], "float32",
         "It stays the same Tensor and keeps its dtype", False),
        ("more", "is right for other shapes", [(1, 6), (2, 2, 3), (7, 2), (2,), (7, 2)], "float64",
         "A parameter with exactly two axes is a weight matrix", True),
    )  # fmt: skip
    for name, says, usual, dtype, taught, hidden in cases:
        shapes = shapes_for(seed, f"{FILL}/{name}", *usual)
        probe = Probe("initializers.filled", (shapes, dtype), "initialize(parameters, draw)")
        compare = "dtype" if dtype == "float32" else "close"
        says = f"initialize {says}."
        yield Check(FILL, name, (probe,), taught, says=says, compare=compare, hidden=hidden)
        if name == "others":
            yield Check(FILL, "kept", (probe,), "only its `data` gets the drawn values",
                        part="kept", weight=0.5,
                        says="initialize leaves dtype and gradient of a parameter alone.",
                        )  # fmt: skip


def _statistics(seed: str) -> Iterator[Check]:
    chain = "through the layers, one after the other … the output of the one before it"
    # Odd numbers of values, so that the share of zeros is never that of the others.
    public = _layers(seed, "public", (5, 3), (3, 5, 3))
    one = _layers(seed, "one", (3, 2), (2, 5))
    more = _layers(seed, "more", (3, 5), (5, 7, 3, 5))
    for part, taught, says in (
        ("mean", "the mean of all values of its output", "gives the mean of each layer's output"),
        ("std", "the root of the mean squared distance from the mean",
         "gives the standard deviation of each layer's output"),
        ("zeros", "the share of values that are exactly 0", "gives the share of zeros"),
    ):  # fmt: skip
        says = f"activation_statistics {says}."
        probes = (_probe(one), _probe(public))
        yield Check(STATISTICS, part, probes, taught, part=part, says=says)
    exact = _probe(_small(seed), "plain")
    says = "activation_statistics counts what is exactly 0, not what is small or negative."
    yield Check(STATISTICS, "exactly", (exact,), "values that are exactly 0", "zeros", says, 0.5)
    says = "activation_statistics calls each layer once, and only looks at what comes out."
    yield Check(STATISTICS, "read", (_probe(public),), "look at what comes out of each", "read",
                says, 0.5)  # fmt: skip
    says = "activation_statistics takes layers from a generator, once each."
    yield Check(STATISTICS, "generator", (_probe(public, "generator"),), chain, "std", says, 0.5)
    says = "activation_statistics is right for deeper stacks too."
    yield Check(STATISTICS, "more", (_probe(more),), chain, part="std", says=says, hidden=True)


def _gradients(seed: str) -> Iterator[Check]:
    """Gradients with some zeros in them; some parameters have none."""
    rng = rng_for(seed, GRADIENTS)
    drawn = [REAL.draw(rng, shape) for shape in ((2, 3), (5,), (3, 3), (4, 2), (3,))]
    for array, zeros in zip(drawn, (1, 0, 4, 3, 1), strict=True):
        array.reshape(-1)[:zeros] = 0.0
        array.reshape(-1)[-1] = 1e-10  # nearly 0, and not 0
    one, several = _gradient_probe(drawn[:1]), _gradient_probe(drawn[:3])
    some = _gradient_probe([drawn[0], None, np.zeros(3), drawn[1], None])
    for part, taught in (
        ("mean", "the `Statistics` of its gradient"), ("std", "the `Statistics` of its gradient"),
        ("zeros", "as `activation_statistics` computes them for an output"),
    ):  # fmt: skip
        says = f"gradient_statistics gives the {part} of each gradient."
        taught = f"Look at the gradients … {taught}"
        yield Check(GRADIENTS, part, (one, several), taught, part=part, says=says)
    yield Check(
        GRADIENTS, "none", (some,), "None where `grad` is None", part="arrived",
        says="The entry of a parameter without a gradient is None, and stands in its place.",
    )  # fmt: skip
    yield Check(
        GRADIENTS, "kept", (several,), "`grad` is only read", part="kept", weight=0.5,
        says="gradient_statistics leaves every gradient as it was.",
    )  # fmt: skip
    more = _gradient_probe([None, *drawn[2:], None])
    yield Check(
        GRADIENTS, "more", (more,), "a generator too … in their order", part="std",
        says="gradient_statistics is right for more parameters too.", hidden=True,
    )  # fmt: skip


def _gradient_probe(arrays: list[np.ndarray | None]) -> Probe:
    arrived = {
        "arrived": [np.array([array is not None for array in arrays])],
        "kept": [np.array([True] * len(arrays))],
    }
    there = [array for array in arrays if array is not None]

    def numpy() -> Parts:
        rows = []
        for g in there:
            mean = g.sum() / g.size
            rows.append((mean, np.sqrt(((g - mean) ** 2).sum() / g.size), (g == 0).sum() / g.size))
        return {**_columns(rows), **arrived}

    def twin(torch) -> Parts:
        rows = []
        for g in map(torch.tensor, there):
            zeros = (g == 0).double().mean()
            rows.append([float(n) for n in (g.mean(), g.std(unbiased=False), zeros)])
        return {**_columns(rows), **arrived}

    return Probe(
        "initializers.gradients", (arrays,), "gradient_statistics(parameters)",
        oracles={"numpy": numpy}, twin=twin,
    )  # fmt: skip


Stack = tuple[list[np.ndarray], np.ndarray]


def _layers(seed: str, name: str, shape: tuple[int, int], widths: tuple[int, ...]) -> Stack:
    rng = rng_for(seed, f"{STATISTICS}/{name}")
    pairs = zip(widths[:-1], widths[1:], strict=True)
    return [REAL.draw(rng, pair) for pair in pairs], REAL.draw(rng, shape)


def _small(seed: str) -> Stack:
    """Layers whose outputs are small, negative and, in one row, exactly 0."""
    (first, second), x = _layers(seed, "exactly", (3, 2), (2, 5, 3))
    x[1] = 0.0
    return [first * 1e-9, second], x


def _probe(stack: Stack, form: str = "list") -> Probe:
    weights, x = stack
    bent = form != "plain"
    return Probe(
        "initializers.statistics", (weights, x, form), "activation_statistics(layers, x)",
        oracles={"numpy": partial(_expected, weights, x, bent)},
        twin=partial(_torch_expected, weights, x, bent),
    )  # fmt: skip


def _expected(weights, x, bent) -> Parts:
    rows = []
    for weight in weights:
        x = np.maximum(x @ weight, 0) if bent else x @ weight
        mean = x.sum() / x.size
        rows.append((mean, np.sqrt(((x - mean) ** 2).sum() / x.size), (x == 0).sum() / x.size))
    return {**_columns(rows), "read": [np.array([True, True])]}


def _torch_expected(weights, x, bent, torch) -> Parts:
    x, rows = torch.tensor(x), []
    for weight in weights:
        x = x @ torch.tensor(weight)
        x = torch.relu(x) if bent else x
        zeros = (x == 0).double().mean()
        rows.append([float(n) for n in (x.mean(), x.std(unbiased=False), zeros)])
    return _columns(rows)


def _columns(rows) -> Parts:
    table = np.array(rows)
    return {"mean": [table[:, 0]], "std": [table[:, 1]], "zeros": [table[:, 2]]}
