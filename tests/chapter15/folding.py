"""Rows of the passes that take instructions away, or compute them beforehand."""

from __future__ import annotations

import numpy as np

from .answers import (
    Row,
    constant,
    program,
)

DEAD, FOLD = "chapter15.dead_code", "chapter15.fold_constants"
SCALED = {"scalar": 2.0}
IN1, IN2 = "x0 = input() float64[2]", "x1 = input() float64[2]"


ROWS = (
    Row(
        DEAD,
        "value",
        program("2", [("Exp", "x0"), ("Tanh", "x0"), ("Sqrt", "x0"), ("Sub", "v0 v2")], "v3"),
        (
            IN1,
            "v0 = Exp(x0) float64[2]",
            "v2 = Sqrt(x0) float64[2]",
            "v3 = Sub(v0, v2) float64[2]",
            "return v3",
        ),
        lambda x: [np.exp(x) - np.sqrt(x)],
        "without the instructions that no output needs",
        "dead_code takes away what no output needs.",
        2,
    ),
    Row(
        DEAD,
        "outputs",
        program("2", [("Exp", "x0"), ("Tanh", "x0"), ("Negate", "x0")], "v2 v0"),
        (IN1, "v0 = Exp(x0) float64[2]", "v2 = Negate(x0) float64[2]", "return v2, v0"),
        lambda x: [-x, np.exp(x)],
        "without the instructions that no output needs",
        "What any of the outputs needs stays.",
    ),
    Row(
        DEAD,
        "chain",
        program("2", [("Exp", "x0"), ("Tanh", "v0"), ("Negate", "v1"), ("Sqrt", "x0")], "v3"),
        (IN1, "v3 = Sqrt(x0) float64[2]", "return v3"),
        lambda x: [np.sqrt(x)],
        "without the instructions that no output needs",
        "What only dead instructions read is dead, too.",
    ),
    Row(
        DEAD,
        "inputs",
        program("2 2", [("Exp", "x1"), ("Mul", "v0 v0")], "v1 v0"),
        (IN1, IN2, "v0 = Exp(x1) float64[2]", "v1 = Mul(v0, v0) float64[2]", "return v1, v0"),
        lambda x, y: [np.exp(y) * np.exp(y), np.exp(y)],
        "The inputs stay, even where nobody reads them",
        "Inputs stay, even where nobody reads them.",
    ),
    Row(
        DEAD,
        "none",
        program("2", [("Exp", "x0")], "x0"),
        (IN1, "return x0"),
        lambda x: [x],
        "without the instructions that no output needs",
        "An output that is an input needs no instruction.",
        0.5,
    ),
    Row(
        FOLD,
        "value",
        program("2", [constant([1.0, 2.0]), ("MulScalar", "v0", SCALED), ("Mul", "x0 v1")], "v2"),
        (
            IN1,
            "v0 = constant(value=[1.0, 2.0]) float64[2]",
            "v1 = constant(value=[2.0, 4.0]) float64[2]",
            "v2 = Mul(x0, v1) float64[2]",
            "return v2",
        ),
        lambda x: [x * np.array([2.0, 4.0])],
        "An instruction all of whose inputs are known",
        "What is computed from constants becomes a constant.",
        2,
    ),
    Row(
        FOLD,
        "single",
        program(
            "2",
            [("constant", "", {"value": np.array([1, 2], "float32")}), ("Negate", "v0")],
            "v1",
        ),
        (
            IN1,
            "v0 = constant(value=[1.0, 2.0]) float32[2]",
            "v1 = constant(value=[-1.0, -2.0]) float32[2]",
            "return v1",
        ),
        lambda x: [np.array([-1, -2], "float32")],
        "becomes the ``constant`` of what its function in ``KERNELS`` gives for them",
        "A constant has the dtype of what is computed.",
        0.5,
    ),
    Row(
        FOLD,
        "chain",
        program(
            "2",
            [
                constant(4.0),
                ("Sqrt", "v0"),
                ("Negate", "v1"),
                ("Reshape", "v2", {"shape": (1,)}),
                ("Add", "x0 v3"),
            ],
            "v4",
        ),
        (
            IN1,
            "v0 = constant(value=4.0) float64[]",
            "v1 = constant(value=2.0) float64[]",
            "v2 = constant(value=-2.0) float64[]",
            "v3 = constant(value=[-2.0]) float64[1]",
            "v4 = Add(x0, v3) float64[2]",
            "return v4",
        ),
        lambda x: [x - 2],
        "Then that value is known, too",
        "One fold makes the next one possible.",
    ),
    Row(
        FOLD,
        "mixed",
        program(
            "2",
            [constant([3.0, 5.0]), ("Sub", "v0 x0"), ("Sub", "x0 v0"), ("Exp", "x0")],
            "v1 v2 v3",
        ),
        (
            IN1,
            "v0 = constant(value=[3.0, 5.0]) float64[2]",
            "v1 = Sub(v0, x0) float64[2]",
            "v2 = Sub(x0, v0) float64[2]",
            "v3 = Exp(x0) float64[2]",
            "return v1, v2, v3",
        ),
        lambda x: [np.array([3.0, 5.0]) - x, x - np.array([3.0, 5.0]), np.exp(x)],
        "An instruction all of whose inputs are known … nobody needs any longer stay",
        "One constant among the inputs is not enough.",
    ),
    Row(
        FOLD,
        "same",
        program(
            "2",
            [
                constant(0.1),
                ("MulScalar", "v0", {"scalar": 3}),
                ("Log", "v1"),
                ("Exp", "v2"),
                ("Mul", "x0 v3"),
            ],
            "v4",
        ),
        (
            IN1,
            "v0 = constant(value=0.1) float64[]",
            f"v1 = constant(value={0.1 * 3!r}) float64[]",
            f"v2 = constant(value={float(np.log(0.1 * 3))!r}) float64[]",
            f"v3 = constant(value={float(np.exp(np.log(0.1 * 3)))!r}) float64[]",
            "v4 = Mul(x0, v3) float64[2]",
            "return v4",
        ),
        lambda x: [x * np.exp(np.log(0.1 * 3))],
        "what its function in `KERNELS` gives … every value that is known beforehand",
        "Constants are those of the kernels, to the last bit.",
    ),
)
