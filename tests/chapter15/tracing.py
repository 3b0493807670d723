"""Checks of a whole function that is traced."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from grader.course import SMALL, Check, Probe, rng_for

from .answers import (
    Said,
    lines,
    probe,
    said,
)

TRACE = "chapter15.trace"


@dataclass(frozen=True)
class Traced:
    """A function in the learner's terms, and the lines of its program."""

    name: str
    call: str
    shapes: tuple[tuple[int, ...], ...]
    lines: tuple[str, ...]
    taught: str
    says: str
    dtype: str = "float64"
    hidden: bool = False
    handed: tuple[int, ...] = ()  # which Tensor each input is, where one is handed in twice


TRACED = (
    Traced(
        "value",
        "ops.tanh(x0 @ x1 + x2)",
        ((2, 3), (3, 2), (2,)),
        (
            "x0 = input() float64[2, 3]",
            "x1 = input() float64[3, 2]",
            "x2 = input() float64[2]",
            "v0 = MatMul(x0, x1) float64[2, 2]",
            "v1 = Add(v0, x2) float64[2, 2]",
            "v2 = Tanh(v1) float64[2, 2]",
            "return v2",
        ),
        "The program of `f` … takes Tensors; returns a Tensor",
        "trace writes one instruction for each op.",
    ),
    Traced(
        "attributes",
        "(x0 * 3.0).sum(1).reshape(2, 1)",
        ((2, 3),),
        (
            "x0 = input() float32[2, 3]",
            "v0 = MulScalar(x0, scalar=3.0) float32[2, 3]",
            "v1 = Summation(v0, axes=1) float32[2]",
            "v2 = Reshape(v1, shape=(2, 1)) float32[2, 1]",
            "return v2",
        ),
        "for inputs of these shapes and dtypes",
        "Attributes, shapes and dtypes are in the program.",
        dtype="float32",
    ),
    Traced(
        "several",
        "[(y := x0 * x1), x0, y]",
        ((2,), (2,)),
        (
            "x0 = input() float64[2]",
            "x1 = input() float64[2]",
            "v0 = Mul(x0, x1) float64[2]",
            "return v0, x0, v0",
        ),
        "or a list or tuple of Tensors: the outputs",
        "Several outputs are returned in order.",
    ),
    Traced(
        "twice",
        "x0 - x1",
        ((2,),),
        (
            "x0 = input() float64[2]",
            "x1 = input() float64[2]",
            "v0 = Sub(x0, x1) float64[2]",
            "return v0",
        ),
        "with an input of a new `Tracer` for each of `inputs`",
        "A Tensor that is handed in twice is two inputs.",
        handed=(0, 0),
    ),
    Traced(
        "tuple",
        "(x0, -x0)",
        ((2,),),
        ("x0 = input() float64[2]", "v0 = Negate(x0) float64[2]", "return x0, v0"),
        "or a list or tuple of Tensors: the outputs",
        "Outputs may come in a tuple.",
    ),
    Traced(
        "constants",
        "x0 * ops.Tensor([0.5, 2.0], dtype='float64')",
        ((2,),),
        (
            "x0 = input() float64[2]",
            "v0 = constant(value=[0.5, 2.0]) float64[2]",
            "v1 = Mul(x0, v0) float64[2]",
            "return v1",
        ),
        "The program of `f`",
        "A Tensor that was not handed in is a constant of the program.",
    ),
    Traced(
        "met",
        "ops.tanh(x0 * w0) + w1",
        ((2, 3), (3,)),
        (
            "x0 = input() float64[2, 3]",
            "x1 = input() float64[3]",
            "v0 = Mul(x0, x0) float64[2, 3]",
            "v1 = Tanh(v0) float64[2, 3]",
            "v2 = Add(v1, x1) float64[2, 3]",
            "return v2",
        ),
        "A Tensor that was handed to `trace` is that input, wherever it is met",
        "A Tensor that is handed in is an input where a model holds it, too.",
    ),
    Traced(
        "more",
        "ops.exp((x0 - x1) / 2.0) ** 3",
        ((3, 1), (1, 2)),
        (
            "x0 = input() float64[3, 1]",
            "x1 = input() float64[1, 2]",
            "v0 = Sub(x0, x1) float64[3, 2]",
            "v1 = DivScalar(v0, scalar=2.0) float64[3, 2]",
            "v2 = Exp(v1) float64[3, 2]",
            "v3 = PowerScalar(v2, scalar=3) float64[3, 2]",
            "return v3",
        ),
        "The program of `f`",
        "trace is right for other functions too.",
        hidden=True,
    ),
)


ROWS = (
    Said("same", "value", "same", "the tracer's `record` takes the place of `Function.__call__`",
         "What is traced gives what f gives, to the last bit."),
    Said("again", "value", "again", "with an input of a new `Tracer`",
         "A second trace begins with an empty program.", 0.5),
    Said("asked", "value", "asked", "`f` is called once",
         "Each trace calls the function once.", 0.5),
    Said("given", "value", "given", "`f` is called once, with an input of a new `Tracer`",
         "What f gets are inputs of the tracer: they have no values to read.", 0.5),
    Said("restored", "value", "restored", "Afterwards `Function.__call__` is again what it was",
         "After a trace ops compute again."),
    Said("inputs", "value", "inputs", "only their shapes and dtypes matter",
         "trace leaves its inputs as they were.", 0.5),
    Said("exception", "broken", "restored", "even if `f` ended with an exception",
         "After a function that raised, ops compute again."),
    Said("goes-on", "broken", "raised", "an exception, which goes on", "The exception goes on.",
         0.5),
)  # fmt: skip


def checks(seed: str) -> Iterator[Check]:
    probes = {}
    for row in TRACED:
        probes[row.name] = one = _one(row, seed)
        yield Check(TRACE, row.name, (one,), row.taught, says=row.says, hidden=row.hidden,
                    compare="text")  # fmt: skip
    probes["broken"] = probe(
        "traces.trace_broken_off", ((rng_for(seed, TRACE).randrange(2, 999),),),
        "trace of a function that raises KeyError",
        lambda: {"restored": [np.array(True)], "raised": [np.array(True)]},
    )  # fmt: skip
    yield from said(TRACE, ROWS, probes)


def _one(row: Traced, seed: str) -> Probe:
    rng = rng_for(seed, f"{TRACE}/{row.name}")
    arrays = [SMALL.draw(rng, shape).astype(row.dtype) for shape in row.shapes]
    handed = row.handed or tuple(range(len(arrays)))
    answer = {
        "value": lines(*row.lines), "again": lines(*row.lines), "same": [np.array(True)],
        "restored": [np.array(True)], "asked": [np.array([1, 1])], "inputs": arrays,
        "given": [np.array([True] * len(handed))],
    }  # fmt: skip
    inputs = ", ".join(f"x{i}" for i in range(len(handed)))
    held = ", where w0 is the Tensor x0 itself, and w1 is x1" if "w0" in row.call else ""
    held += ", where x1 is x0" if len(handed) > len(arrays) else ""
    call = f"trace({row.call}, {inputs}){held}"
    args = row.call, arrays, row.dtype, handed
    return probe("traces.traced", args, call, lambda: answer)
