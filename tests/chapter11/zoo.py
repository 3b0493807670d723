"""The zoo: one table of expressions, tried in every engine that has their operations.

Every expression ends in a single number. Its last factor is an input of its own, so that no walk
starts from a bare 1 and no rule can hide behind it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from grader.course import POSITIVE, REAL, SMALL, Check, Domain, Parts, Probe, numeric, rng_for

ENGINES = {
    "value": "The Value of chapter 1",
    "tensor": "The Tensor of chapter 3",
    "grad_fn": "The engine of grad_fn",
    "apply": "The engine of Function.apply",
    "closure": "The engine of closures",
}
ALL = tuple(ENGINES)
ARRAYS = ("tensor", "grad_fn", "apply", "closure")


class Animal(NamedTuple):
    """One expression, which ends in a single number.

    Attributes:
        shapes: of x0, x1, …
        engines: those that have all operations in it.
        numpy: the same for NumPy, where the text itself does not serve.
    """

    call: str
    shapes: tuple[tuple[int, ...], ...]
    engines: tuple[str, ...] = ALL
    numpy: str = ""
    domain: Domain = REAL
    analytic: bool = True


ONE = ()
ROW, SQUARE, COLUMN = (1, 3), (3, 3), (3, 1)

ZOO = (
    Animal("(x0 + x1) * x2", (ONE, ONE, ONE)),
    Animal("x0 * x1 * x2", (ONE, ONE, ONE)),
    Animal("(x0 - x1) * x2", (ONE, ONE, ONE)),
    Animal("-x0 * x1", (ONE, ONE)),
    Animal("(x0 * x0 + x0) * x1", (ONE, ONE)),
    Animal("(x0 * x0 * x0) * x1", (ONE, ONE)),
    Animal("(5 - x0) * x1", (ONE, ONE)),
    Animal("(2 * x0 + 1) * x1", (ONE, ONE)),
    Animal("(x0 * x1 + x0) * (x0 - x1) * x2", (ONE, ONE, ONE)),
    Animal("x0 ** 3 * x1", (ONE, ONE), ("value", "tensor", "grad_fn", "apply")),
    Animal("x0 ** -2 * x1", (ONE, ONE), ("value", "tensor", "grad_fn", "apply")),
    Animal("x0 / x1 * x2", (ONE, ONE, ONE), ("value", "tensor", "grad_fn", "apply")),
    Animal("x1 / (1 + x0 * x0)", (ONE, ONE), ("value", "tensor", "grad_fn", "apply")),
    Animal("x0.relu() * x0 * x1", (ONE, ONE), ("value", "grad_fn", "apply", "closure"),
           "np.maximum(x0, 0) * x0 * x1", analytic=False),
    Animal("x0.sigmoid() * x1", (ONE, ONE), ("value", "grad_fn"), "x1 / (1 + np.exp(-x0))"),
    Animal("x0.exp() * x1", (ONE, ONE), ("value", "apply", "closure"), "np.exp(x0) * x1"),
    Animal("x0.log() * x1", (ONE, ONE), ("value", "apply", "closure"), "np.log(x0) * x1",
           domain=POSITIVE),
    Animal("(x0 * x1).tanh() * x2", (ONE, ONE, ONE), ("value", "apply", "closure"),
           "np.tanh(x0 * x1) * x2", domain=SMALL),
    Animal("(1 + x0 * x0).log() * x1", (ONE, ONE), ("value", "apply", "closure"),
           "np.log(1 + x0 * x0) * x1"),
    Animal("x0 @ x1 @ x2", (ROW, SQUARE, COLUMN), ARRAYS),
    Animal("x0 @ (x1 * x1 + x1) @ x2", (ROW, SQUARE, COLUMN), ARRAYS),
    Animal("x0 @ (x1 @ x2 + x3) * x4", (ROW, SQUARE, COLUMN, COLUMN, ONE), ARRAYS),
    Animal("x0 @ (x1 + x2) @ x3", (ROW, SQUARE, ROW, COLUMN), ("grad_fn", "apply", "closure")),
    Animal("x0 @ (x1 * x2) @ x3", (ROW, SQUARE, COLUMN, COLUMN), ("grad_fn", "apply", "closure")),
    Animal("x0 @ (x1 @ x1) @ x2", (ROW, SQUARE, COLUMN), ARRAYS),
    Animal("x0 @ x1.relu() @ x2", (ROW, SQUARE, COLUMN), ("grad_fn", "apply", "closure"),
           "x0 @ np.maximum(x1, 0) @ x2", analytic=False),
    Animal("x0 @ x1.tanh() @ x2", (ROW, SQUARE, COLUMN), ("apply", "closure"),
           "x0 @ np.tanh(x1) @ x2"),
    Animal("(x0 * x1).sum()", (SQUARE, SQUARE), ("tensor", "apply", "closure")),
    Animal("((x0 * x0).sum() + x1) * x1", (SQUARE, ONE), ("tensor", "apply", "closure")),
)  # fmt: skip


def checks(seed: str) -> Iterator[Check]:
    exercise = "chapter11.zoo"
    rng = rng_for(seed, exercise)
    numbers = [float(x) for x in REAL.draw(rng, (3,))]
    numbers[2] = numbers[0]
    asked = Probe(
        "engine_zoo.asked", (numbers,), "gradients_of(leaf, expression, numbers)",
        oracles={"numpy": lambda: {
            "gradient": [np.array([10.0, 11.0, 12.0])], "leaves": [np.array(numbers)],
            "calls": [np.array([1, 1])], "dtype": [np.array([True] * 3)],
        }},
    )  # fmt: skip
    for part, says, words in (
        ("gradient", "It returns what each leaf holds in grad, in order.",
         "What each leaf holds in `grad` after one walk back"),
        ("leaves", "Each number becomes a leaf of its own.",
         "Each of the numbers becomes a leaf of its own"),
        ("dtype", "It returns it as it is: float64 stays.", "What each leaf holds in `grad`"),
        ("calls", "It builds the expression once and walks back once.", "after one walk back"),
    ):  # fmt: skip
        yield Check(exercise, part, (asked,), words, part=part, says=says)
    for engine, who in ENGINES.items():
        probes = tuple(_probe(a, engine, seed) for a in ZOO if engine in a.engines)
        yield Check(
            exercise, engine, probes, "by any engine … all five engines find the same",
            says=f"{who} finds the right gradients of {len(probes)} expressions.",
        )  # fmt: skip
        if engine == "closure":
            yield Check(exercise, "inputs", probes[:1], "they stay as they were", part="inputs",
                        says="It leaves the numbers as they were.", weight=0.5)  # fmt: skip


def _probe(animal: Animal, engine: str, seed: str) -> Probe:
    rng = rng_for(seed, f"zoo/{animal.call}")
    arrays = [animal.domain.draw(rng, shape) for shape in animal.shapes]
    return Probe(
        "engine_zoo.gradients", (engine, animal.call, arrays), animal.call,
        oracles={"finite_difference": lambda: _slopes(animal, arrays)},
        twin=lambda torch: _torch(torch, animal, arrays),
    )  # fmt: skip


def names(arrays: Any) -> dict[str, Any]:
    return {f"x{i}": array for i, array in enumerate(arrays)}


def evaluated(text: str, arrays: Any) -> Any:
    return eval(text, {"np": np, **names(arrays)})


def _slopes(animal: Animal, arrays: list[np.ndarray]) -> Parts:
    def function(*inputs: Any) -> Any:
        return np.asarray(evaluated(animal.numpy or animal.call, inputs))

    start = np.ones(function(*arrays).shape)
    value = numeric.vjp(function, arrays, start, analytic=animal.analytic)
    return {"value": value, "inputs": arrays}


def _torch(torch: Any, animal: Animal, arrays: list[np.ndarray]) -> Parts:
    leaves = [torch.tensor(array, requires_grad=True) for array in arrays]
    evaluated(animal.call, leaves).backward()
    return {"value": [leaf.grad.numpy() for leaf in leaves]}
