"""ReLU, Tanh, Sigmoid, Flatten and Linear."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from grader.course import Check, Probe, number_for, sizes_for

from .layers import Case, Layer, vector
from .templates import dtype_check, group, layer_checks, own_values_check, start_check

RELU = Layer("ReLU", lambda x: np.maximum(x, 0), lambda t, a: t.nn.ReLU(), analytic=False)
TANH = Layer("Tanh", np.tanh, lambda t, a: t.nn.Tanh())
SIGMOID = Layer(
    "Sigmoid",
    lambda x: np.exp(-np.logaddexp(0, -x)),
    lambda t, a: t.nn.Sigmoid(),
    analytic=False,
)
FLATTEN = Layer("Flatten", lambda x: x.reshape(x.shape[0], -1), lambda t, a: t.nn.Flatten())
LINEAR = Layer(
    "Linear",
    lambda x, weight, bias=0.0: x @ weight + bias,
    lambda torch, arguments: torch.nn.Linear(*arguments),
    transposed=True,
)

NODE = {
    "ReLU": "`max(x, 0)`, value by value, as a node of the graph",
    "Tanh": "The hyperbolic tangent of every value, as a node of the graph",
    "Sigmoid": "`1 / (1 + e⁻ˣ)` of every value, as a node of the graph",
}
FLAT = "becomes `(batch, a·b·…)`; the values keep their order"
FLAT_GRADIENT = "its gradient comes back in the shape that `x` had"
LINEAR_VALUE = "`x` has the shape `(batch, in_features)`, the result `(batch, out_features)`"
LINEAR_GRADIENT = "Gradients reach `x`, `weight` and `bias`, each in the shape of its own tensor"


def checks(seed: str) -> Iterator[Check]:
    for layer in (RELU, TANH, SIGMOID):
        yield from activation(layer, seed)
    yield from group(
        "chapter4.sigmoid.forward", "extremes", SIGMOID,
        [Case((), extremes(seed))],
        "is finite at ±1000", "Value and gradient are finite for every finite `x`, at ±1000 too",
        seed,
    )  # fmt: skip
    yield from flatten(seed)
    yield from linear_init(seed)
    yield from linear_forward(seed)


def extremes(seed: str) -> np.ndarray:
    huge = number_for(seed, "chapter4/sigmoid/huge", 1000.0, 900.0, 1100.0)
    near = number_for(seed, "chapter4/sigmoid/near", -0.5, -0.9, -0.2)
    return np.array([[huge, -huge], [near, 30.5]])


def activation(layer: Layer, seed: str) -> Iterator[Check]:
    name = layer.name.lower()
    cases = [Case((), vector(seed, f"{name}/{shape}", *shape)) for shape in ((2,), (2, 3))]
    cases[1].x[0, 1] = number_for(seed, f"chapter4/{name}/far", 800.0, 750.0, 900.0)
    hidden = [Case((), vector(seed, f"{name}/more", 2, 1, 3))]
    taught = (NODE[layer.name], NODE[layer.name])
    yield from layer_checks(f"chapter4.{name}.forward", layer, cases, hidden, taught, seed)


def flatten(seed: str) -> Iterator[Check]:
    cases = [Case((), vector(seed, f"flatten/{n}", 2, *n)) for n in ((3, 2), (2, 1, 3))]
    hidden = [Case((), vector(seed, "flatten/more", 3, 2, 2, 2))]
    taught = (FLAT, FLAT_GRADIENT)
    yield from layer_checks("chapter4.flatten.forward", FLATTEN, cases, hidden, taught, seed)
    yield from group(
        "chapter4.flatten.forward", "rows", FLATTEN, [Case((), vector(seed, "flatten/rows", 3, 2))],
        "leaves rows as they are", "A batch that has rows already, `(batch, a)`, keeps its shape",
        seed,
    )  # fmt: skip


def linear_init(seed: str) -> Iterator[Check]:
    exercise = "chapter4.linear.init"
    names = ["weight", "bias"]
    size = sizes_for(seed, exercise, 3, 2)
    wide = (*size, True, "float64")
    owned = tuple(Probe("modules.owned", ("Linear", given, names), f"nn.Linear{given}")
                  for given in (size, wide))  # fmt: skip
    yield Check(
        exercise, "shapes", owned,
        "a Parameter of shape `(in_features, out_features)` … a Parameter of shape "
        "`(out_features,)`",
        part="shape", says="Linear.__init__ makes weight and bias in the right shapes.",
    )  # fmt: skip
    yield Check(
        exercise, "parameters", owned, "Make `weight` and `bias`, two Parameters of this dtype",
        part="parameter", says="Linear.__init__ makes Parameters that require a gradient.",
    )  # fmt: skip
    start = "uniform between -1/√in_features and 1/√in_features"
    asked: dict[str, Any] = {
        "weight": ((20, 150), (150, 20, False), (20, 150, True, "float64"),
                   (150, 20, False, "float64")),
        "bias": ((5, 3000), (5, 3000, True, "float64")),
    }  # fmt: skip
    for name, sizes in asked.items():
        yield start_check(exercise, "Linear", name, "±1/√in_features", start, sizes, seed)
    both = "The values of both start uniform … drawn with"
    yield own_values_check(exercise, "Linear", (3, 150), both, seed)
    yield dtype_check("Linear", size, names, "two Parameters of this dtype", (*size, False))
    yield Check(
        exercise, "no-bias", (Probe("modules.absent", ("Linear", (*size, False), "bias"),
                                    f"nn.Linear({size[0]}, {size[1]}, bias=False)"),),
        "None with `bias=False`", weight=0.5,
    )  # fmt: skip


def linear_forward(seed: str) -> Iterator[Check]:
    exercise = "chapter4.linear.forward"

    def case(name: str, batch: int, size: tuple[int, int], bias: bool = True) -> Case:
        state = {"weight": vector(seed, f"linear/{name}/weight", *size)}
        if bias:
            state["bias"] = vector(seed, f"linear/{name}/bias", size[1])
        arguments = size if bias else (*size, False)
        return Case(arguments, vector(seed, f"linear/{name}/x", batch, size[0]), state)

    yield from layer_checks(
        exercise, LINEAR, [case("small", 2, (3, 2)), case("square", 3, (2, 2))],
        [case("wide", 5, (2, 4))], (LINEAR_VALUE, LINEAR_GRADIENT), seed,
    )  # fmt: skip
    zero = case("zero", 2, (3, 2))
    zero.state["bias"][:] = 0
    yield from group(
        exercise, "zero-bias", LINEAR, [zero],
        "passes a gradient to a bias of zeros", LINEAR_GRADIENT, seed,
    )  # fmt: skip
    yield from group(
        exercise, "no-bias", LINEAR, [case("bare", 2, (3, 4), bias=False)],
        "works without a bias", "without a bias `x @ weight`", seed,
    )  # fmt: skip
