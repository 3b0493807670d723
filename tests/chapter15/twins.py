"""Rows of the pass that computes nothing twice."""

from __future__ import annotations

import numpy as np

from .answers import (
    Row,
    constant,
    program,
)

COMMON = "chapter15.common_subexpressions"
SCALED = {"scalar": 2.0}
IN1, IN2 = "x0 = input() float64[2]", "x1 = input() float64[2]"


ROWS = (
    Row(
        COMMON,
        "value",
        program("2", [("Exp", "x0"), ("Exp", "x0"), ("Mul", "v0 v1")], "v2"),
        (IN1, "v0 = Exp(x0) float64[2]", "v2 = Mul(v0, v0) float64[2]", "return v2"),
        lambda x: [np.exp(x) * np.exp(x)],
        "The program in which nothing is computed twice … The first of them "
        "stays, the others go, and who reads them reads the first one instead: later instructions",
        "What is computed twice is computed once.",
        2,
    ),
    Row(
        COMMON,
        "chain",
        program(
            "2",
            [("Exp", "x0"), ("Exp", "x0"), ("Tanh", "v0"), ("Tanh", "v1"), ("Add", "v2 v3")],
            "v4",
        ),
        (
            IN1,
            "v0 = Exp(x0) float64[2]",
            "v2 = Tanh(v0) float64[2]",
            "v4 = Add(v2, v2) float64[2]",
            "return v4",
        ),
        lambda x: [np.tanh(np.exp(x)) * 2],
        "later instructions, which may become the same by that",
        "What reads the same becomes the same.",
    ),
    Row(
        COMMON,
        "attributes",
        program(
            "2",
            [
                ("MulScalar", "x0", SCALED),
                ("MulScalar", "x0", {"scalar": 3.0}),
                ("AddScalar", "x0", SCALED),
            ],
            "v0 v1 v2",
        ),
        (
            IN1,
            "v0 = MulScalar(x0, scalar=2.0) float64[2]",
            "v1 = MulScalar(x0, scalar=3.0) float64[2]",
            "v2 = AddScalar(x0, scalar=2.0) float64[2]",
            "return v0, v1, v2",
        ),
        lambda x: [x * 2, x * 3, x + 2],
        "if they have the same `recipe`",
        "Another attribute or another op is another instruction.",
    ),
    Row(
        COMMON,
        "order",
        program("2 2", [("Sub", "x0 x1"), ("Sub", "x1 x0")], "v0 v1"),
        (IN1, IN2, "v0 = Sub(x0, x1) float64[2]", "v1 = Sub(x1, x0) float64[2]", "return v0, v1"),
        lambda x, y: [x - y, y - x],
        "read the same values in the same order",
        "Inputs in another order are another instruction.",
    ),
    Row(
        COMMON,
        "outputs",
        program("2", [("Exp", "x0"), ("Exp", "x0")], "v1 v0"),
        (IN1, "v0 = Exp(x0) float64[2]", "return v0, v0"),
        lambda x: [np.exp(x)] * 2,
        "later instructions, which may become the same by that, and outputs",
        "An output reads the first one instead, too.",
    ),
    Row(
        COMMON,
        "constants",
        program(
            "2",
            [
                constant([1.0, 2.0]),
                constant([1.0, 2.0 + 1e-12]),
                constant([1.0, 2.0]),
                ("Add", "x0 v1"),
                ("Add", "v3 v2"),
                ("Mul", "v4 v0"),
            ],
            "v5",
        ),
        (
            IN1,
            "v0 = constant(value=[1.0, 2.0]) float64[2]",
            "v1 = constant(value=[1.0, 2.000000000001]) float64[2]",
            "v3 = Add(x0, v1) float64[2]",
            "v4 = Add(v3, v0) float64[2]",
            "v5 = Mul(v4, v0) float64[2]",
            "return v5",
        ),
        lambda x: [(x + np.array([1, 2 + 1e-12]) + np.array([1.0, 2.0])) * np.array([1.0, 2.0])],
        "if they have the same `recipe`",
        "Constants with the same values are one.",
        0.5,
    ),
)
