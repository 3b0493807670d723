"""Figures of errors: how far each way to estimate a slope is off, step by step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from grader.course import import_reference

from .given import Described, rounded

EXPONENTS = np.arange(0, -20.25, -0.25)

# A function, the place that is looked at, and the slope there.
CASES: dict[str, tuple[Callable[[Any], Any], float, float]] = {
    "exp at 1": (np.exp, 1.0, float(np.e)),
    "tanh at 0.5": (np.tanh, 0.5, float(1 - np.tanh(0.5) ** 2)),
    "x³ at 2": (lambda x: x * x * x, 2.0, 12.0),
}


def estimate(tool: str, f: Callable[[Any], Any], x: float, step: float) -> float:
    """Ask the reference's `numeric_vjp` or `complex_vjp` for a slope, with a step of our own."""
    checking = import_reference("checking")
    name = {"numeric_vjp": "STEP", "complex_vjp": "COMPLEX_STEP"}[tool]
    # `numeric_vjp` takes a longer step for a larger number.
    usual, size = getattr(checking, name), max(1.0, abs(x)) if name == "STEP" else 1.0
    setattr(checking, name, step / size)
    try:
        ((found,),) = getattr(checking, tool)(f, [np.array([x])], np.ones(1))
    finally:
        setattr(checking, name, usual)
    return float(found)


def step() -> Described:
    """How far three ways to estimate a slope are off, for every step."""
    steps = 10.0**EXPONENTS
    cases = []
    for name, (f, x, slope) in CASES.items():
        ways = {
            "to one side": [float((f(x + h) - f(x)) / h) for h in steps],
            "to both sides": [estimate("numeric_vjp", f, x, h) for h in steps],
            "imaginary": [estimate("complex_vjp", f, x, h) for h in steps],
        }
        off = {way: rounded(np.abs(np.array(found) - slope), 3) for way, found in ways.items()}
        cases.append({"name": name, "slope": slope, "off": off})
    usual = float(np.log10(import_reference("checking").STEP))
    return {"exponents": EXPONENTS.tolist(), "usual": usual, "cases": cases}
