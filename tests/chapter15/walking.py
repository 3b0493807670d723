"""Checks of the way back, in the same program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.course import REAL, SMALL, Check, Parts, Probe, numeric, rng_for

from .answers import (
    Said,
    lines,
    probe,
    said,
)

RULES, GRADIENTS = "chapter15.rules", "chapter15.gradients"


@dataclass(frozen=True)
class Walked:
    name: str
    call: str
    formula: Callable[..., Any]
    shapes: tuple[tuple[int, ...], ...]
    rules: str
    taught: str
    says: str
    weight: float = 1
    hidden: bool = False


WALKED = (
    Walked(
        "value",
        "(x0 * x1).sum()",
        lambda m, x, y: (x * y).sum(),
        ((2, 3), (2, 3)),
        "Mul Summation",
        "The gradient of `output` with respect to each of `inputs`",
        "gradients returns one gradient for each input.",
        2,
    ),
    Walked(
        "paths",
        "(((y := x0 * x0) + y) * y + x0).sum()",
        lambda m, x: (2 * x * x * x * x + x).sum(),
        ((3,),),
        "Add Add Mul Mul Summation",
        "where paths meet, gradients add",
        "Where paths meet, gradients add.",
    ),
    Walked(
        "broadcast",
        "ops.tanh(x0 @ x1 + x2).sum()",
        lambda m, x, w, b: m.tanh(x @ w + b).sum(),
        ((2, 3), (3, 2), (2,)),
        "Add MatMul Summation Tanh",
        "summed down to the shape of its input by `unbroadcast`",
        "What was broadcast gets a gradient of its own shape.",
    ),
    Walked(
        "unused",
        "(x0 * x0).sum()",
        lambda m, x, y: (x * x).sum() + 0 * y.sum(),
        ((2,), (3,)),
        "Mul Summation",
        "gets zeros of its shape and dtype",
        "An input that nothing depends on gets zeros.",
        0.5,
    ),
    Walked(
        "rules",
        "(ops.relu(x0) * x0 + ops.abs(x0)).sum()",
        lambda m, x: ((abs(x) + x) / 2 * x + abs(x)).sum(),
        ((4,),),
        "Abs Add Mul ReLU Summation",
        "asks `rule_of(node)` once for each node",
        "gradients asks rule_of for the rule: no values are read.",
    ),
    Walked(
        "start",
        "x0 - x1 * x1",
        lambda m, x, y: (x - y * y).sum(),
        ((3,), (3,)),
        "Mul Sub",
        "it starts from ones of the shape and dtype of `output`",
        "The walk starts from ones of the shape of the output.",
        0.5,
    ),
    Walked(
        "more",
        "(ops.exp(x0) / (x1 * x1 + 1.0)).sum()",
        lambda m, x, y: (m.exp(x) / (y * y + 1)).sum(),
        ((2, 2), (1, 2)),
        "AddScalar Div Exp Mul Summation",
        "The gradient of `output` with respect to each of `inputs`",
        "gradients is right for other functions too.",
        1,
        True,
    ),
)


ROWS = (
    Said("other", "value", "other", "All of it is Tensor operations, so that the "
         "tracer records them: no `data` is read",
         "The same program gives the gradients at another place."),
    Said("asked", "paths", "asked", "once for each node, with the sum",
         "Each rule is asked once, however many paths lead to it."),
    Said("untouched", "paths", "untouched", "The gradient of `output`",
         "gradients leaves the grad of every Tensor alone.", 0.5),
    Said("start-kinds", "start", "kinds", "ones of the shape and dtype of `output`",
         "The walk starts in the dtype of the output.", 0.5),
    Said("kinds", "unused", "kinds", "gets zeros of its shape and dtype",
         "Gradients have shape and dtype of their inputs.", 0.5),
)  # fmt: skip
MASKS: tuple[tuple[str, str, str, Callable[..., Any]], ...] = (
    ("relu", "ReLU", "`out_grad` where the input is greater than 0, else 0", lambda x: x > 0),
    ("abs", "Abs", "`out_grad` times the sign of the input", np.sign),
)


def checks(seed: str) -> Iterator[Check]:
    a, v = np.array([1.5, -2.0, 0.0, 3.0, -0.5]), REAL.draw(rng_for(seed, RULES), (5,))
    for who, kind, taught, slope in MASKS:
        one = probe(
            "traces.masks", (f"{who}_rule", kind, a, v),
            f"{who}_rule(out_grad, node), traced, then run",
            lambda slope=slope: {"value": [v * slope(a)], "other": [v * slope(a[::-1])]},
        )  # fmt: skip
        yield Check(RULES, who, (one,), taught, says=f"{who}_rule gives the gradient of {kind}.")
        yield Check(RULES, f"{who}-other", (one,),
                    "without a look at any value … the mask is computed in the program",
                    part="other",
                    says=f"{who}_rule: the same program is right for other values.")  # fmt: skip
    probes = {}
    for row in WALKED:
        rng = rng_for(seed, f"{GRADIENTS}/{row.name}")
        probes[row.name] = _walk(row, [SMALL.draw(rng, shape) for shape in row.shapes])
        yield Check(
            GRADIENTS, row.name, (probes[row.name],), row.taught, says=row.says,
            weight=row.weight, hidden=row.hidden, compare="rounded",
        )  # fmt: skip
    yield from said(GRADIENTS, ROWS, probes, compare="rounded")
    yield Check(
        GRADIENTS, "on-the-way", (_on_the_way(seed),),
        "The gradient of `output` with respect to each of `inputs`", weight=0.5, compare="rounded",
        says="A node on the way gets its gradient too, and so does what comes before it.",
    )  # fmt: skip


def _on_the_way(seed: str) -> Probe:
    rng = rng_for(seed, f"{GRADIENTS}/on-the-way")
    arrays = [SMALL.draw(rng, (3,)) for _ in range(2)]

    def formula(x: np.ndarray, y: np.ndarray) -> list[np.ndarray]:
        return [2 * x * y, 2 * x * y * y + 1, 2 * x * y * x]

    def twin(torch: Any) -> Parts:
        x, y = (torch.tensor(array, requires_grad=True) for array in arrays)
        m = x * y
        return {"value": [g.numpy() for g in torch.autograd.grad((m * m + x).sum(), [m, x, y])]}

    def numbers() -> Parts:
        return {"value": formula(*arrays), "other": formula(*(a * 0.5 for a in arrays))}

    call = "((m := x0 * x1) * m + x0).sum()"
    return Probe(
        "traces.walked", (f"{call}, m, x0, x1", arrays), f"gradients({call}, [m, x0, x1])",
        oracles={"numpy": numbers}, twin=twin,
    )  # fmt: skip


def _walk(row: Walked, arrays: list[np.ndarray]) -> Probe:
    rest = {
        "asked": lines(*sorted(row.rules.split())),
        "untouched": [np.array([True] * len(arrays))],
        "kinds": lines(*(f"float64{list(shape)}" for shape in row.shapes)),
    }

    def plain(*given: np.ndarray) -> np.ndarray:
        return np.asarray(row.formula(np, *given))

    def numbers() -> Parts:
        analytic = "abs" not in row.call
        one = np.array(1.0)
        other = [a * 0.5 for a in arrays]
        return {
            "value": numeric.vjp(plain, arrays, one, analytic=analytic),
            "other": numeric.vjp(plain, other, one, analytic=analytic),
            **rest,
        }

    def twin(torch: Any) -> Parts:
        def at(points: list[np.ndarray]) -> list[np.ndarray]:
            leaves = [torch.tensor(a, requires_grad=True) for a in points]
            found = torch.autograd.grad(row.formula(torch, *leaves), leaves)
            return [g.numpy() for g in found]

        return {"value": at(arrays), "other": at([a * 0.5 for a in arrays]), **rest}

    inputs = ", ".join(f"x{i}" for i in range(len(arrays)))
    return Probe(
        "traces.walked",
        (row.call, arrays),
        f"gradients({row.call}, [{inputs}])",
        oracles={"finite_difference": numbers},
        twin=twin,
    )
