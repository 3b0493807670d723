"""Checks of the numeric derivatives, and of what is close."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from grader.course import PUBLIC_SEED, REAL, SMALL, Check, Parts, Probe, numeric, rng_for
from tests.programs.harness import itemised

CENTRAL, COMPLEX, CLOSE = "chapter12.numeric_vjp", "chapter12.complex_vjp", "chapter12.close"
SHAPES = "False if the shapes differ, even if one would broadcast to the other"
Shapes = tuple[tuple[int, ...], ...]


class Case(NamedTuple):
    """A function as text for the program, and where to try it."""

    name: str
    function: str
    shapes: Shapes
    says: str
    hidden: bool = False
    order: str = "C"


CASES = (
    Case("square", "lambda a: a * a", ((3,),), "every number of the array has its slope"),
    Case("two", "lambda a, b: a * a * b + b", ((2, 3), (2, 3)), "every array has a gradient"),
    Case("matrices", "lambda a, b: a @ b", ((2, 3), (3, 2)), "outputs of another shape"),
    Case(
        "view",
        "lambda a: a.T",
        ((2, 3),),
        "a function may return a view of its array, which may lie by columns",
        order="F",
    ),
    Case("single", "lambda a, b: np.exp(a) * b", ((), ()), "arrays without axes"),
    Case("more", "lambda a, b: np.tanh(a).sum(1) * b", ((2, 3), (2,)), "another function", True),
)


def checks(seed: str) -> Iterator[Check]:
    for exercise, who, taught in (
        (CENTRAL, "numeric_vjp", "by central differences"),
        (COMPLEX, "complex_vjp", "to the last digits"),
    ):
        for case in CASES:
            yield Check(
                exercise, case.name, (_probe(exercise, who, case, seed),), taught,
                says=f"{who}: {case.says}.", hidden=case.hidden,
                compare="dtype" if case.hidden else "close",
            )  # fmt: skip
        moved = _moved(seed)[exercise]
        yield Check(
            exercise, "inputs", (_probe(exercise, who, CASES[1], seed), moved),
            "The arrays stay as they were", part="inputs", weight=0.5,
            says=f"{who} leaves the arrays as they were, and the cotangent.",
        )  # fmt: skip
        narrow = _probe(exercise, who, CASES[1], seed, "float32")
        yield Check(
            exercise, "wide", (narrow,), "one float64 array per array", part="wide", weight=0.5,
            compare="text",
            says=f"{who} returns float64 arrays, whatever comes in.",
        )  # fmt: skip
        if who == "numeric_vjp":
            taught = "All of it is computed in float64, whatever the arrays are"
        yield Check(
            exercise, "float32", (narrow,), taught, says=f"{who} moves float32 arrays in float64.",
        )  # fmt: skip
    steep = Case("steep", "lambda a: np.exp(30 * a)", ((3,),), "it loses no digit")
    yield Check(
        COMPLEX, "steep", (_probe(COMPLEX, "complex_vjp", steep, seed),),
        "divided by `COMPLEX_STEP`, is the derivative … so nothing cancels",
        says="complex_vjp loses no digit where a function is steep.",
    )  # fmt: skip
    yield from _special(seed)
    yield from _close(seed)


def _probe(
    exercise: str, who: str, case: Case, seed: str, dtype: str = "float64", scale: float = 1.0
) -> Probe:
    rng = rng_for(seed, f"{exercise}/{case.name}/{dtype}")
    domain = SMALL if scale == 1 else REAL
    drawn = (scale * domain.draw(rng, shape) for shape in case.shapes)
    arrays = [np.asarray(array, dtype=dtype) for array in drawn]
    f = eval(case.function, {"np": np})
    wide = [array.astype("float64") for array in arrays]
    cotangent = REAL.draw(rng, np.shape(f(*wide)))
    steps = numeric_step if exercise == CENTRAL else imaginary_step
    also = {
        "inputs": [*arrays, cotangent],
        "wide": [itemised(["float64"] * len(arrays))],
        "steps": [steps(array) for array in arrays],
    }
    # Differences are right to ten digits or so, an imaginary step to the last one.
    exact = "numpy" if exercise == COMPLEX else "finite_difference"

    def numbers() -> Parts:
        value = numeric.vjp(f, wide, cotangent, analytic=True)
        return {"value": value, **also}

    def twin(torch: Any) -> Parts:
        leaves = [torch.tensor(a, requires_grad=True) for a in wide]
        g = eval(case.function, {"np": torch})
        found = torch.autograd.grad(g(*leaves), leaves, torch.tensor(cotangent))
        value = [each.numpy() for each in found]
        return {"value": value, **also}

    return Probe(
        "nudges.numeric", (who, case.function, arrays, cotangent, case.order),
        f"{who}({case.function}, …) with {dtype} arrays{' by columns' * (case.order == 'F')}",
        oracles={exact: numbers}, twin=twin if exercise == COMPLEX else None,
    )  # fmt: skip


def _special(seed: str) -> Iterator[Check]:
    large = _probe(CENTRAL, "numeric_vjp", CASES[0]._replace(name="large"), seed, scale=1000.0)
    yield Check(
        CENTRAL, "large", (large,), "`STEP * max(1, |number|)`",
        says="Large numbers are moved by larger steps.", weight=0.5,
    )  # fmt: skip

    yield from _steps(seed)


def _moved(seed: str) -> dict[str, Probe]:
    """Return a probe of each exercise whose function, of one number, looks how it is moved."""
    rng = rng_for(seed, f"{CENTRAL}/steps")
    arrays = [SMALL.draw(rng, (3,)), -1 - 20 * np.abs(REAL.draw(rng, (2, 2)))]
    arrays[1] = arrays[1].astype("float32")
    each = [numeric_step(array) for array in arrays]
    also = {
        "together": [np.array(1)],
        "slopes": [np.full(array.shape, 1 / 3) for array in arrays],
        "inputs": arrays,
    }
    real = Probe(
        "nudges.steps", (arrays,), "numeric_vjp(f, …), where f looks how far it was moved",
        oracles={"finite_difference": lambda: {"steps": each, **also}},
    )  # fmt: skip
    up = [imaginary_step(array) for array in arrays]
    imaginary = Probe(
        "nudges.imaginary_steps", (arrays,),
        "complex_vjp(f, …), where f looks how many steps it was moved",
        oracles={"numpy": lambda: {"steps": up, **also}},
    )  # fmt: skip
    return {CENTRAL: real, COMPLEX: imaginary}


def _steps(seed: str) -> Iterator[Check]:
    real, imaginary = _moved(seed).values()
    products = {CENTRAL: _probe(CENTRAL, "numeric_vjp", CASES[1], seed),
                COMPLEX: _probe(COMPLEX, "complex_vjp", CASES[1], seed)}  # fmt: skip
    yield Check(
        CENTRAL, "steps", (real, products[CENTRAL]), "`STEP * max(1, |number|)`", part="steps",
        weight=0.5,
        says="Each number is moved to both sides, by the step that its size needs.",
    )  # fmt: skip
    yield Check(
        CENTRAL, "alone", (real,), "to both sides while all others stay", part="together",
        says="While one number is moved, all others stay.", weight=0.5,
    )  # fmt: skip
    yield Check(
        COMPLEX, "steps", (imaginary, products[COMPLEX]),
        "by the imaginary step `COMPLEX_STEP * 1j`, in one direction only", part="steps",
        weight=0.5,
        says="Each number is moved in one direction only, by the imaginary step.",
    )  # fmt: skip
    yield Check(
        COMPLEX, "alone", (imaginary,), "The same as `numeric_vjp`", part="together",
        says="While one number is moved, all others stay.", weight=0.5,
    )  # fmt: skip
    for exercise, probe, taught in (
        (CENTRAL, real, "one float64 array per array, of its shape"),
        (COMPLEX, imaginary, "one float64 array per array, of its shape"),
    ):
        yield Check(
            exercise, "one-number", (probe,), taught, part="slopes", compare="dtype", weight=0.5,
            says="A function that gives a single number has its gradients, too.",
        )  # fmt: skip


def numeric_step(array: np.ndarray) -> np.ndarray:
    """Return the steps by which each number is moved up and down."""
    return np.stack([6e-6 * np.maximum(1, np.abs(array.astype("float64")))] * 2)


def imaginary_step(array: np.ndarray) -> np.ndarray:
    """Return how many steps each number is moved up and down."""
    return np.stack([np.ones(array.shape), np.zeros(array.shape)])


def _right(seed: str) -> np.ndarray:
    """Three numbers, one of them larger than 1: what is close depends on the largest."""
    if seed == PUBLIC_SEED:
        return np.array([1.0, -2.0, 0.5])
    drawn = REAL.draw(rng_for(seed, CLOSE), (3,))
    drawn[1] = -1 - abs(drawn[1])
    return drawn


# name, sentence, words that announce it, and pairs with the answer: yours, right, whether close
Rows = tuple[tuple[str, str, str, tuple[tuple[Any, Any, bool], ...]], ...]


def _shapes_and_nan(one: np.ndarray) -> Rows:
    return (
        ("same", "Equal arrays are close, and nearly equal ones.", "further off than", (
            (one, one, True), (one + 1e-8, one, True), (np.array(2.0), np.array(2.0), True),
        )),
        ("digits", "A wrong digit is not close.", "further off than", (
            (one * 1.001, one, False), (one + [0, 0, 1e-4], one, False), (-one, one, False),
        )),
        ("cancel", "Differences that cancel are differences.", "no number may be further off", (
            (one + [0.5, -0.5, 0], one, False),
        )),
        ("shape", "Another shape is not close, even where it broadcasts.", SHAPES, (
            (one[None], one, False), (np.array(1.0), np.ones(3), False),
            (np.ones((3, 1)), np.ones(3), False),
        )),
        ("same-rank", "As many axes are not the same shape.", SHAPES, (
            (one[None], one[None] * np.ones((3, 1)), False),
            (np.tile(one, (2, 1)) * 0, one[:2] * np.zeros((3, 1)), False),
        )),
        ("nan", "A nan and an infinity are not close.", "holds a nan or an infinity", (
            (np.array([1.0, np.nan, 0.5]), one, False),
            (np.array([1.0, np.inf, 0.5]), one, False), (one * np.nan, one, False),
        )),
        ("infinite", "An infinity is not close to an infinity.", "holds a nan or an infinity", (
            (one + [0, 0, np.inf], one - [0, 0, np.inf], False),
            (one + [0, 0, np.inf], one + [0, 0, np.inf], False),
        )),
    )  # fmt: skip


def _sizes(one: np.ndarray) -> Rows:
    low = np.array([0.5, -3.0, 0.1]) - 0.01 * np.abs(one) % 0.1
    return (
        ("zeros", "Zeros are close, and arrays without numbers.", "no number may be further off", (
            (np.zeros(3), np.zeros(3), True), (np.zeros((0, 2)), np.zeros((0, 2)), True),
            (one * [0, 1, 0], one * [0, 1, 0], True),
        )),
        ("edge", "Small numbers may be off by the tolerance, and by no more.", "max(1, largest", (
            (one * 1e-3 + [0, 0.9e-6, 0], one * 1e-3, True), (np.array(1e-6), np.array(0.0), True),
            (one * 1e-3 + [0, 1.06e-6, 0], one * 1e-3, False),
            (one * 1e-3 - [0, 1.06e-6, 0], one * 1e-3, False),
        )),
        ("size", "The size is that of the largest number, whatever its sign.", "largest |right|", (
            (low + [2e-6, 0, 0], low, True), (low + [4e-6, 0, 0], low, False),
            (low * [1, 1000, 1] - [1e-4, 0, 0], low * [1, 1000, 1], True),
        )),
        ("large", "Large numbers may be further off.", "max(1, largest |right|)", (
            (one * 1e6 + 0.1, one * 1e6, True), (one * 1e6 * 1.001, one * 1e6, False),
        )),
        ("float32", "float32 has its own tolerance.", "with a tolerance by its dtype", (
            ((one * 1.0001).astype("float32"), one, True),
            ((one * 1.01).astype("float32"), one, False), (one * 1.0001, one, False),
        )),
    )  # fmt: skip


def _close(seed: str) -> Iterator[Check]:
    one = _right(seed)
    rows = _shapes_and_nan(one) + _sizes(one)
    probes: list[Probe] = []
    for name, says, taught, pairs in rows:
        yours, right, answer = (list(each) for each in zip(*pairs, strict=True))
        probe = Probe(
            "checkers.closeness", (yours, right), "close(yours, right)",
            oracles={"numpy": partial(_judged, answer, pairs)},
        )  # fmt: skip
        yield Check(CLOSE, name, (probe,), taught, says=says, compare="text")
        probes.append(probe)
    yield Check(
        CLOSE, "inputs", tuple(probes[:4]), "Both arrays stay as they were", part="inputs",
        weight=0.5, says="close leaves both arrays as they were.",
    )  # fmt: skip


def _judged(answer: list[bool], pairs: Any) -> Parts:
    inputs = [np.array(each) for yours, right, _ in pairs for each in (yours, right)]
    said = [
        f"yours[{n}] is {'close' if close else 'not close'} to right[{n}]"
        for n, close in enumerate(answer)
    ]
    return {"value": [itemised(said)], "inputs": inputs}
