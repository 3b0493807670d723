"""Checks of `grad`, and of products with the Hessian."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from grader.course import REAL, SMALL, Check, Parts, Probe, numeric, rng_for

from ..op_checks import UNTOUCHED
from .functions import (
    ALIKE,
    BIASED,
    CUBE,
    CURVE,
    HALVED,
    LINEAR,
    MIXED,
    NET,
    PATHS,
    QUOTIENT,
    STAYED,
    UNUSED,
    Function,
    plain,
    same_dtype,
)  # fmt: skip

# An op of a learner may make float32 of what it is given, and that may not cost the walk.
Numbers = partial(Check, compare="rounded")
GRAD, HVP, FORWARD_HVP = "chapter13.grad", "chapter13.hvp", "chapter13.hvp_forward"
TIMES = "times `vectors` … summed over all inputs"
ALONG = "the tangent of the gradient along `vectors` … Returns one Tensor per input"


def checks(seed: str) -> Iterator[Check]:
    yield from _first(seed)
    yield from _again(seed)
    yield from _product(HVP, "higher", seed)
    yield from _product(FORWARD_HVP, "forward_mode", seed)


# ---- grad ---------------------------------------------------------------------------------


def _first(seed: str) -> Iterator[Check]:
    rows = (
        ("value", CUBE, 2,
         "The gradient of `output` with respect to each of `inputs` … None starts from ones",
         "grad returns the gradient of an input."),
        ("several", MIXED, 1, "One Tensor per input, of that input's shape",
         "grad returns one gradient per input, in their order."),
        ("paths", PATHS, 1, "where paths meet, gradients add", "Where paths meet, gradients add."),
        ("alike", ALIKE, 0.5, "where paths meet, gradients add",
         "What adds up for one input changes nothing that arrives at another."),
        ("broadcast", BIASED, 1, "One Tensor per input, of that input's shape",
         "An input that was broadcast gets a gradient of its own shape."),
        ("unused", UNUSED, 0.5, "does not depend on gets zeros",
         "An input that the output does not depend on gets zeros."),
        ("constants", HALVED, 0.5, "The gradient of `output` with respect to each of `inputs`",
         "A constant on the way is in nobody's way."),
    )  # fmt: skip
    for name, function, weight, taught, says in rows:
        probes = (_gradient(function, name, seed), *([_asked(seed)] if name == "value" else []))
        yield Numbers(GRAD, name, probes, taught, says=says, weight=weight)
    yield from _as_a_tool(seed)
    yield Numbers(
        GRAD, "more", (_gradient(NET, "more", seed), _gradient(QUOTIENT, "quotient", seed)),
        "The gradient of `output` with respect to each of `inputs`", hidden=True,
        says="grad is right for other functions too.",
    )  # fmt: skip


def _as_a_tool(seed: str) -> Iterator[Check]:
    """Check the start and the results of `grad`, its side effects, and its calls of rules."""
    started = _gradient(CURVE, "started", seed)
    yield Numbers(
        GRAD, "started", (started,), "the gradient to start from, of the shape of `output`",
        says="A gradient that is given is where the walk starts.",
    )  # fmt: skip
    plain, without = _gradient(MIXED, "several", seed), "no `_op`, and `requires_grad` is False"
    yield Numbers(
        GRAD, "constant", (plain,), f"Without it they are constants: {without}", part="constant",
        weight=0.5,
        says="Without create_graph the gradients are constants, without _op.",
    )  # fmt: skip
    yield Numbers(
        GRAD, "untouched", (plain,), "No `grad` of any Tensor is touched", part="untouched",
        weight=0.5, says="grad leaves the grad of every Tensor as it was.",
    )  # fmt: skip
    others = _second(CUBE, "again", seed), _through_start(seed), _asked(seed)
    yield Check(GRAD, "inputs", (started, *others), UNTOUCHED,
                part="inputs", weight=0.5,
                says="grad leaves the inputs and the gradient that it starts from as they were.",
                )  # fmt: skip
    twice = _twice(seed)
    yield Numbers(GRAD, "twice", (twice,), "One Tensor per input", weight=0.5)
    yield Check(
        GRAD, "constant-start", (twice,), f"Without it they are constants: {without}",
        part="constant", weight=0.5,
        says="Without create_graph the gradient of the output is a constant, too.",
    )  # fmt: skip
    yield same_dtype(GRAD, "higher", UNUSED, seed, (plain, *others))
    yield Numbers(
        GRAD, "on-the-way", (_middle(seed),), "leaves, or nodes on the way",
        says="A node on the way gets its gradient too, and so does what comes before it.",
    )  # fmt: skip
    yield Numbers(
        GRAD, "asked", (_asked(seed),), "asked once, with the sum", part="calls",
        says="Every rule is asked once, however many paths lead to it.",
    )  # fmt: skip


def _gradient(function: Function, name: str, seed: str) -> Probe:
    arrays, rng = function.draw(seed, f"{GRAD}/{name}")
    shape = function.numpy(*arrays).shape
    start = REAL.draw(rng, shape) if shape else None
    cotangent = np.array(1.0) if start is None else start

    def numbers() -> Parts:
        value = numeric.vjp(function.numpy, arrays, cotangent, analytic=True)
        given = [] if start is None else [start]
        kept = {**plain(len(arrays)), "inputs": [*arrays, *given], **STAYED}
        return {"value": value, **kept}

    def twin(torch: Any) -> Parts:
        leaves = [torch.tensor(a, requires_grad=True) for a in arrays]
        given = None if start is None else torch.tensor(start)
        found = torch.autograd.grad(
            function.torch(torch)(*leaves), leaves, given, allow_unused=True, materialize_grads=True
        )
        return {"value": [g.numpy() for g in found], **plain(len(arrays))}

    inputs = ", ".join(f"x{i}" for i in range(len(arrays)))
    return Probe(
        "higher.first", (function.call, arrays, start),
        f"grad({function.call}, [{inputs}]{'' if start is None else ', grad_output'})",
        oracles={"finite_difference": numbers}, twin=twin,
    )  # fmt: skip


def _middle(seed: str) -> Probe:
    x = SMALL.draw(rng_for(seed, f"{GRAD}/on-the-way"), (3,))
    inner, call = "x0 * x0", "(m ** 3 + x0 * m).sum()"

    def formula() -> Parts:  # d/dm and, through m and beside it, d/dx
        m = x * x
        return {"value": [3 * m**2 + x, (3 * m**2 + x) * 2 * x + m]}

    def twin(torch: Any) -> Parts:
        leaf = torch.tensor(x, requires_grad=True)
        m = leaf * leaf
        found = torch.autograd.grad((m**3 + leaf * m).sum(), [m, leaf])
        return {"value": [g.numpy() for g in found]}

    return Probe("higher.on_the_way", (inner, call, [x]), f"grad({call}, [m, x0]) with m = {inner}",
                 oracles={"numpy": formula}, twin=twin)  # fmt: skip


def _asked(seed: str) -> Probe:
    x, rungs = SMALL.draw(rng_for(seed, f"{GRAD}/asked"), (2,)), 8

    def numpy() -> Parts:
        value = {"value": [np.full(x.shape, 2.0**rungs)], "calls": [np.array(rungs)]}
        return {**value, "inputs": [x], **STAYED}

    return Probe("higher.asked", (x, rungs), f"grad(y, [x0]) after {rungs} times y = y + y",
                 oracles={"numpy": numpy})  # fmt: skip


def _again(seed: str) -> Iterator[Check]:
    twice = "should be part of a graph, so that they can be differentiated again"
    for name, function in (("again", CUBE), ("again-mixed", MIXED), ("again-net", BIASED)):
        probe = _second(function, name, seed)
        yield Numbers(
            GRAD, name, (probe,), twice, part="second",
            says="With create_graph=True, what grad returns can be differentiated again.",
        )  # fmt: skip
    yield Numbers(
        GRAD, "start-again", (_through_start(seed),), twice, weight=0.5,
        says="With create_graph=True a gradient moves with the one that the walk started from.",
    )  # fmt: skip
    yield Numbers(
        GRAD, "third", (_orders(seed),), "and the result again", weight=0.5,
        says="grad of grad of grad is the third derivative.",
    )  # fmt: skip


def _twice(seed: str) -> Probe:
    rng = rng_for(seed, f"{GRAD}/twice")
    x, v = SMALL.draw(rng, (3,)), REAL.draw(rng, (3,))
    right = {"value": [3 * x**2 * v, v, 3 * x**2 * v], "constant": [np.array([True] * 3)]}
    return Probe("higher.twice", ("x0 * x0 * x0", x, v),
                 "grad(y, [x0, y, x0], v) for y = x0 * x0 * x0, where v requires a gradient",
                 oracles={"numpy": lambda: right})  # fmt: skip


def _through_start(seed: str) -> Probe:
    rng = rng_for(seed, f"{GRAD}/start-again")
    x, v = SMALL.draw(rng, (3,)), REAL.draw(rng, (3,))
    return Probe(
        "higher.through_start", ("x0 * x0", x, v),
        "grad(x0 * x0, [x0], v, create_graph=True), walked back to v",
        oracles={"numpy": lambda: {"value": [2 * x], "inputs": [x, v], **STAYED}},
    )  # fmt: skip


def _second(function: Function, name: str, seed: str) -> Probe:
    arrays, rng = function.draw(seed, f"{GRAD}/{name}")
    second = [REAL.draw(rng, a.shape) for a in arrays]
    one = np.array(1.0)

    def numbers() -> Parts:
        _, *products = numeric.vjp_of_vjp(function.numpy, arrays, one, second, analytic=True)
        return {"value": numeric.vjp(function.numpy, arrays, one, analytic=True),
                "second": products, "inputs": arrays, **STAYED}  # fmt: skip

    def twin(torch: Any) -> Parts:
        leaves = [torch.tensor(a, requires_grad=True) for a in arrays]
        found = torch.autograd.grad(function.torch(torch)(*leaves), leaves, create_graph=True)
        vectors = [torch.tensor(v) for v in second]
        products = torch.autograd.grad(found, leaves, vectors)
        return {"value": [g.detach().numpy() for g in found],
                "second": [g.numpy() for g in products]}  # fmt: skip

    return Probe(
        "higher.again", (function.call, arrays, second),
        f"grad({function.call}, …, create_graph=True), walked back again",
        oracles={"finite_difference": numbers}, twin=twin,
    )  # fmt: skip


def _orders(seed: str) -> Probe:
    x = SMALL.draw(rng_for(seed, f"{GRAD}/third"), (3,))

    def formula() -> Parts:
        return {"value": [5 * x**4, 20 * x**3, 60 * x**2]}

    def twin(torch: Any) -> Parts:
        leaf = torch.tensor(x, requires_grad=True)
        output, found = leaf**5, []
        for _ in range(3):
            (output,) = torch.autograd.grad(output.sum(), [leaf], create_graph=True)
            found.append(output.detach().numpy())
        return {"value": found}

    return Probe("higher.orders", ("x0 ** 5", x, 3), "grad of grad of grad of x0 ** 5",
                 oracles={"numpy": formula}, twin=twin)  # fmt: skip


# ---- the Hessian times vectors ----------------------------------------------------------------


def _product(exercise: str, module: str, seed: str) -> Iterator[Check]:
    who = exercise.rpartition(".")[2]
    told = TIMES if who == "hvp" else ALONG
    rows = (
        ("value", CUBE, 2, False, f"{who} multiplies the Hessian with a vector."),
        ("mixed", MIXED, 2, False, f"{who} knows that one input's gradient depends on the other."),
        ("net", BIASED, 1, False, f"{who} is right for a layer with weight and bias."),
        ("linear", LINEAR, 0.5, False, f"{who}: a linear function has a Hessian of zeros."),
        ("more", NET, 1, True, f"{who} is right for a network of two layers."),
    )
    for name, function, weight, hidden, says in rows:
        probe = _hvp(exercise, module, who, function, name, seed)
        yield Numbers(exercise, name, (probe,), told, says=says, weight=weight, hidden=hidden)
    mixed = (_hvp(exercise, module, who, MIXED, "mixed", seed),)
    yield Check(exercise, "exact", mixed, "computed at `inputs` and nowhere else", part="there",
                says=f"{who} computes f at the inputs, and nowhere else.")  # fmt: skip
    yield Check(exercise, "inputs", mixed, UNTOUCHED, part="inputs", weight=0.5,
                says=f"{who} leaves inputs and vectors as they were.")  # fmt: skip
    yield same_dtype(exercise, module, MIXED, seed, mixed)
    if who == "hvp":
        x = SMALL.draw(rng_for(seed, f"{exercise}/walks"), (12,))
        walks = Probe("higher.walks", (x,), "hvp for 12 numbers",
                      oracles={"numpy": lambda: {"value": [np.array(True)]}})  # fmt: skip
        yield Check(exercise, "walks", (walks,), weight=0.5,
                    taught="costs two walks, whatever the size of H … "
                    "without ever making the Hessian")  # fmt: skip
    else:
        yield Check(exercise, "forward", mixed, "then one walk forward through it", part="forward",
                    says="hvp_forward walks forward by the rules.")  # fmt: skip
        yield Check(exercise, "once", mixed, "One walk back that makes a graph", part="calls",
                    weight=0.5, says="hvp_forward makes one graph: it computes f once.",
                    )  # fmt: skip


def _hvp(exercise: str, module: str, who: str, function: Function, name: str, seed: str) -> Probe:
    arrays, rng = function.draw(seed, f"{exercise}/{name}")
    vectors = [REAL.draw(rng, a.shape) for a in arrays]
    untouched = {
        "untouched": [np.array([True] * len(arrays))], "there": [np.array(True)],
        "inputs": [*arrays, *vectors], **STAYED,
    }  # fmt: skip
    if name == "mixed":
        untouched["forward"] = [np.array(module == "forward_mode")]
    if module == "forward_mode":
        untouched["calls"] = [np.array(1)]

    def numbers() -> Parts:
        one = np.array(1.0)
        _, *products = numeric.vjp_of_vjp(function.numpy, arrays, one, vectors, analytic=True)
        return {"value": products, **untouched}

    def twin(torch: Any) -> Parts:
        points = tuple(torch.tensor(a) for a in arrays)
        ways = tuple(torch.tensor(v) for v in vectors)
        _, found = torch.autograd.functional.hvp(function.torch(torch), points, ways)
        return {"value": [g.numpy() for g in found], **untouched}

    return Probe(
        "higher.product", (module, who, function.call, arrays, vectors),
        f"{who}(f, inputs, vectors) for {function.call}",
        oracles={"finite_difference": numbers}, twin=twin,
    )  # fmt: skip
