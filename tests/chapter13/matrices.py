"""Checks of whole matrices of derivatives, the first and the second ones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from grader.course import Check, Parts, Probe, numeric

from ..op_checks import UNTOUCHED
from .functions import CUBE, CURVE, MORE, POINT, STAYED, TURNED, Function, derivatives, same_dtype

# An op of a learner may make float32 of what it is given, and that may not cost the walk.
Numbers = partial(Check, compare="rounded")
JACOBIAN, FORWARD = "chapter13.jacobian", "chapter13.jacobian_forward"
HESSIAN = "chapter13.hessian"
ROW = "gives one row: it starts from 1 at that number, and from 0 at all others"
RUN = "The tangent of each run is 1 at one number of `x`, and 0 at all others"


def checks(seed: str) -> Iterator[Check]:
    yield from _matrix(JACOBIAN, "higher", seed)
    yield from _matrix(FORWARD, "forward_mode", seed)
    yield from _hessian(seed)


def _matrix(exercise: str, module: str, seed: str) -> Iterator[Check]:
    who = exercise.rpartition(".")[2]
    taught, shape = ROW if who == "jacobian" else RUN, "of shape `f(x).shape + x.shape`"
    rows = (
        ("value", CURVE, 2, False, taught, f"{who} has every derivative at its place."),
        ("shapes", TURNED, 2, False, shape, f"{who} has first the axes of f(x), then those of x."),
        ("single", CUBE, 0.5, False, shape, f"{who}: a single number has a row like its gradient."),
        ("point", POINT, 0.5, False, shape, f"{who} is right for an x without axes."),
        ("more", MORE, 1, True, shape, f"{who} is right for another function too."),
    )
    for name, function, weight, hidden, taught, says in rows:
        probe = _jacobian(exercise, module, who, function, name, seed)
        yield Numbers(exercise, name, (probe,), taught, says=says, weight=weight, hidden=hidden)
    first = (_jacobian(exercise, module, who, CURVE, "value", seed),)
    yield Check(exercise, "inputs", first, UNTOUCHED, part="inputs", weight=0.5,
                says=f"{who} leaves x as it was.")  # fmt: skip
    yield same_dtype(exercise, module, CURVE, seed, first)
    if who == "jacobian_forward":
        yield Check(
            exercise, "asked", first, "one `jvp` for each number of `x`", part="asked",
            says="jacobian_forward calls the rules of forward mode, once for each number of x.",
        )  # fmt: skip
    else:
        yield Numbers(
            exercise, "once", first, "`f` is computed once", part="calls", weight=0.5,
            says="jacobian computes f once.",
        )  # fmt: skip


def _jacobian(
    exercise: str, module: str, who: str, function: Function, name: str, seed: str
) -> Probe:
    (x,), _ = function.draw(seed, f"{exercise}/{name}")
    counted = {"inputs": [x], "there": [np.array(True)], **STAYED}
    if who == "jacobian":
        counted["calls"] = [np.array(1)]
    elif name == "value":
        counted["asked"] = [np.array(2 * x.size)]  # an exp and a product

    def numbers() -> Parts:
        return {"value": [derivatives(function.numpy, x)], **counted}

    def twin(torch: Any) -> Parts:
        found = torch.func.jacrev(function.torch(torch))(torch.tensor(x))
        return {"value": [found.numpy()], **counted}

    call = f"{who}(f, x0) for {function.call}"
    return Probe("higher.matrix", (module, who, function.call, x), call,
                 oracles={"finite_difference": numbers}, twin=twin)  # fmt: skip


def _hessian(seed: str) -> Iterator[Check]:
    taught = "All second derivatives of `f` at `x`"
    product = Function("(x0 * x0 * x0).sum() * x0.sum()",
                       lambda m, x: (x * x * x).sum() * x.sum(), ((3,),))  # fmt: skip
    cubes = Function("(x0 ** 3).sum()", lambda m, x: (x**3).sum(), ((2, 2),))
    table = Function("((x0 @ x0.transpose()) ** 2).sum()",
                     lambda m, x: ((x @ x.T) ** 2).sum(), ((2, 3),))  # fmt: skip
    rows = (
        ("value", product, 2, False, taught, "hessian has every second derivative at its place."),
        ("diagonal", cubes, 1, False, taught, "Where no input meets another, the rest is 0."),
        ("shapes", table, 1, True, "an ndarray of shape `x.shape + x.shape`",
         "hessian has the axes of x, and once more the axes of x."),
    )  # fmt: skip
    for name, function, weight, hidden, taught, says in rows:
        probe = _curvature(function, name, seed)
        yield Numbers(HESSIAN, name, (probe,), taught, says=says, weight=weight, hidden=hidden)
    first = (_curvature(product, "value", seed),)
    yield Check(HESSIAN, "exact", first, "the `jacobian` of its gradient", part="there",
                says="hessian computes f at x, and nowhere else.")  # fmt: skip
    yield Check(HESSIAN, "inputs", first, UNTOUCHED, part="inputs", weight=0.5,
                says="hessian leaves x as it was.")  # fmt: skip
    yield Check(HESSIAN, "untouched", first, UNTOUCHED, part="untouched", weight=0.5,
                says="hessian leaves the grad of x as it was.")  # fmt: skip
    yield same_dtype(HESSIAN, "higher", product, seed, first)


def _curvature(function: Function, name: str, seed: str) -> Probe:
    (x,), _ = function.draw(seed, f"{HESSIAN}/{name}")

    def numbers() -> Parts:
        rows: list[np.ndarray] = []
        for index in np.ndindex(x.shape):
            unit = np.zeros(x.shape)
            unit[index] = 1
            one = np.array(1.0)
            rows.append(numeric.vjp_of_vjp(function.numpy, [x], one, [unit], analytic=True)[1])
        rest = {"inputs": [x], "there": [np.array(True)], "untouched": [np.array(True)], **STAYED}
        return {"value": [np.stack(rows).reshape(x.shape * 2)], **rest}

    def twin(torch: Any) -> Parts:
        return {"value": [torch.func.hessian(function.torch(torch))(torch.tensor(x)).numpy()]}

    return Probe("higher.matrix", ("higher", "hessian", function.call, x),
                 f"hessian(f, x0) for {function.call}",
                 oracles={"finite_difference": numbers}, twin=twin)  # fmt: skip
