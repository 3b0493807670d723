"""Sequential, Residual and Dropout."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from grader.course import Check, Parts, Probe, number_for, numeric, rng_for

from .layers import Case, Layer, vector
from .templates import UNTOUCHED, group

STEPS: dict[str, Callable] = {
    "triple": lambda x: x * 3,
    "add": lambda x: x + 0.5,
    "square": lambda x: x * x,
}
SENT = "all of `layers`, the first one first … Every call starts from the `x` of that call"
AROUND = "The gradient comes back along both paths, and the two are added"


def checks(seed: str) -> Iterator[Check]:
    yield from sequential(seed)
    yield from residual(seed)
    yield from dropout(seed)


def sequential_formula(steps: tuple[str, ...], x):
    for name in steps:
        x = STEPS[name](x)
    return x


def residual_formula(steps: tuple[str, ...], x):
    return STEPS[steps[0]](x) + x


def chain_probe(layer: str, formula: Callable, steps: tuple[str, ...], x, cotangent) -> Probe:
    """A module that holds small modules of the course's own."""
    function = partial(formula, steps)

    def value() -> Parts:
        return {"value": [function(x)], "inputs": [x], "calls": [np.ones(len(steps), dtype=int)]}

    def derivative() -> Parts:
        return {"gradient": numeric.vjp(function, [x], cotangent, analytic=True)}

    def twin(torch) -> Parts:
        leaf = torch.tensor(x, requires_grad=True)
        out = function(leaf)
        (gradient,) = torch.autograd.grad(out, leaf, torch.tensor(cotangent))
        return {"value": [out.detach().numpy()], "gradient": [gradient.numpy()]}

    return Probe(
        "modules.chain", (layer, x, cotangent, list(steps)), f"nn.{layer}({', '.join(steps)})(x)",
        oracles={"numpy": value, "finite_difference": derivative}, twin=twin,
    )  # fmt: skip


def chain_checks(exercise: str, probes: list[Probe], taught: tuple[str, str]) -> Iterator[Check]:
    name = exercise.split(".")[1].capitalize()
    yield Check(exercise, "value", tuple(probes), taught[0])
    yield Check(
        exercise, "gradient", tuple(probes), taught[1], part="gradient",
        says=f"{name}: the gradient of its input is right.",
    )  # fmt: skip
    yield Check(
        exercise, "inputs", tuple(probes[:1]), UNTOUCHED, part="inputs", weight=0.5,
        says=f"{name}.forward leaves its inputs as they were.",
    )  # fmt: skip


def probes_for(seed: str, layer: str, formula: Callable, chains) -> list[Probe]:
    found = []
    for i, steps in enumerate(chains):
        # One x for all: what is known of it in one module is wrong in the next.
        x, cotangent = (vector(seed, f"{layer}/{at}", 2, 3) for at in ("0/x", f"{i}/cotangent"))
        found.append(chain_probe(layer, formula, steps, x, cotangent))
    return found


def sequential(seed: str) -> Iterator[Check]:
    exercise = "chapter4.sequential.forward"
    chains = (("triple",), ("add", "square"), ("square", "triple", "add"))
    probes = probes_for(seed, "Sequential", sequential_formula, chains)
    yield from chain_checks(exercise, probes, (SENT, SENT))
    identity = Layer("Sequential", lambda x: x, lambda torch, arguments: torch.nn.Sequential())
    yield from group(
        exercise, "empty", identity, [Case((), vector(seed, "sequential/empty", 2, 3))],
        "holds no layers and gives back x", "Without layers the result is `x` itself", seed,
    )  # fmt: skip


def residual(seed: str) -> Iterator[Check]:
    exercise = "chapter4.residual.forward"
    chains = (("triple",), ("square",), ("add",))
    probes = probes_for(seed, "Residual", residual_formula, chains)
    yield from chain_checks(exercise, probes, ("`fn(x) + x`; `fn` is called once", AROUND))
    yield Check(
        exercise, "once", tuple(probes[:1]), "`fn` is called once", part="calls", weight=0.5,
        says="Residual.forward calls fn once.",
    )  # fmt: skip


SHAPE = (40, 60)


def dropout(seed: str) -> Iterator[Check]:
    exercise = "chapter4.dropout.forward"
    start = rng_for(seed, "chapter4/dropout").randrange(1 << 31)
    settings = (("p", 0.05, 0.03, 0.09), ("more", 0.55, 0.5, 0.75))
    shares = [number_for(seed, f"chapter4/dropout/{n}", *limits) for n, *limits in settings]
    probes = [dropout_probe(p, start) for p in shares]
    chance = "In training mode every value is 0 with probability `p`, else `x / (1 - p)`"
    told = (
        # name, part, compare, words, sentence
        ("levels", "levels", "close", chance, "makes every value 0 or x / (1 - p)"),
        ("share", "value", "sample", chance, "drops a value with probability p"),
        ("each-value", "mixed", "close", "Every value is drawn separately",
         "decides for every value by itself"),
        ("counts", "counts", "close", "Every value is drawn separately",
         "drops now more, now fewer values"),
        ("fresh", "fresh", "close", "again in every call", "draws again in every call"),
        ("inputs", "inputs", "close", UNTOUCHED, "leaves its inputs as they were"),
    )  # fmt: skip
    for name, part, compare, taught, says in told:
        yield Check(
            exercise, name, tuple(probes), taught, part=part, compare=compare,
            weight=0.5 if name == "inputs" else 1, says=f"Dropout.forward {says}.",
        )  # fmt: skip
    yield Check(
        exercise, "gradient", tuple(dropout_gradient_probe(p, start) for p in shares),
        "The gradient passes where the value passed: 0 where it was dropped, `out_grad / (1 - p)` "
        "where it was kept", weight=2,
    )  # fmt: skip
    twin = Layer("Dropout", lambda x: x, lambda torch, arguments: torch.nn.Dropout(*arguments))
    x = vector(seed, "dropout/x", 3, 4)
    yield from group(
        exercise, "evaluation", twin, [Case((0.6,), x, training=False)],
        "does nothing in evaluation mode", "In evaluation mode the result is `x`", seed,
    )  # fmt: skip
    yield from group(
        exercise, "nothing-to-drop", twin, [Case((0.0,), x)],
        "drops nothing with p = 0", "With `p = 0` nothing is dropped", seed,
    )  # fmt: skip


def dropout_probe(p: float, start: int) -> Probe:
    def twin(torch) -> Parts:
        out = torch.nn.Dropout(p)(torch.full(SHAPE, 2.0, dtype=torch.float64))
        return {"levels": [np.unique(out.numpy())]}

    return Probe(
        "modules.dropout", (p, SHAPE, start),
        f"nn.Dropout({p})(x), x = 2 everywhere, shape {SHAPE}",
        oracles={"numpy": lambda: {"levels": [np.array([0.0, 2 / (1 - p)])]}}, twin=twin,
    )  # fmt: skip


def dropout_gradient_probe(p: float, start: int) -> Probe:
    """Probe that dropout's gradient has exactly the forward's factors: the difference is 0."""
    answer = [np.zeros(SHAPE), np.array([0.0, np.round(1 / (1 - p), 4)])]

    def twin(torch) -> Parts:
        x = torch.full(SHAPE, 2.0, dtype=torch.float64, requires_grad=True)
        cotangent = torch.linspace(0.5, 3.0, x.numel(), dtype=torch.float64).reshape(SHAPE)
        out = torch.nn.Dropout(p)(x)
        (gradient,) = torch.autograd.grad(out, x, cotangent)
        left = gradient - out.detach() / 2 * cotangent
        return {"value": [left.numpy(), np.unique(np.round((gradient / cotangent).numpy(), 4))]}

    return Probe(
        "modules.dropout_gradient", (p, SHAPE, start), f"gradient of x through nn.Dropout({p})(x)",
        oracles={"numpy": lambda: {"value": answer}}, twin=twin,
    )  # fmt: skip
