"""Checks of a program that is run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from grader.course import SMALL, Check, Probe, rng_for

from .answers import (
    Given,
    Said,
    called,
    constant,
    lines,
    probe,
    program,
    said,
)
from .drawn import outputs_of, program_for

RUN = "chapter15.run"
BY_NAME = (
    "by its function in `KERNELS`, which takes the arrays of the inputs and the attributes by name"
)
RETURNED = "one array for each input comes in, one for each output is returned"


CHAIN = program("2,3 3", [("Mul", "x0 x1"), ("Summation", "v0", {"axes": 0}), ("Tanh", "v1")], "v2")


BOTH = program("2 2", [constant([1.0, -2.0]), ("Sub", "x0 x1"), ("Div", "v1 v0")], "v2 v1 x0")


ROWS = (
    Said("value", "chain", "value", RETURNED, "run computes a program.", 2),
    Said("outputs", "both", "value", RETURNED,
         "Outputs are returned in order; an input may be one of them."),
    Said("same", "chain both", "same", BY_NAME,
         "The values are those of the kernels, to the last bit.", 0.5),
    Said("asked", "chain both", "asked", f"Every instruction is computed once, in order, {BY_NAME}",
         "Each kernel is called once."),
    Said("inputs", "chain both", "inputs", "The arrays that come in stay as they were",
         "run leaves its inputs as they were.", 0.5),
    Said("more", "long", "value", RETURNED, "run is right for other programs too.", hidden=True),
    Said("count", "count", "value", "there are more or fewer arrays than inputs",
         "run refuses more arrays than inputs, and fewer.", 0.5),
    Said("shapes", "shapes", "value", "the shape or the dtype of one is not that",
         "run refuses arrays of another shape.", 0.5),
    Said("dtypes", "dtypes", "value", "the shape or the dtype of one is not that",
         "run refuses arrays of another dtype.", 0.5),
)  # fmt: skip


def checks(seed: str) -> Iterator[Check]:
    rng = rng_for(seed, RUN)

    def one(
        given: Given, call: str, asked: str, formula: Callable[..., list[Any]],
        arrays: list[np.ndarray] | None = None,
    ) -> Probe:  # fmt: skip
        arrays = arrays or [SMALL.draw(rng, shape) for shape, _ in given[0]]
        found = formula(*arrays)
        answer = {"value": found, "same": [np.ones(len(found), bool)], "inputs": arrays,
                  "asked": lines(*asked.split())}  # fmt: skip
        return probe("traces.ran", (given, arrays), called(call, given), lambda: answer)

    def refused(*calls: list[np.ndarray]) -> Probe:
        return probe("traces.not_run", (CHAIN, list(calls)), "run(program, …) with other arrays",
                     lambda: {"value": lines(*["ValueError"] * len(calls))})  # fmt: skip

    long = program_for(seed, RUN)
    a, b = (SMALL.draw(rng, shape) for shape, _ in CHAIN[0])
    yield from said(RUN, ROWS, {
        "chain": one(CHAIN, "run(program, x0, x1)",
                     "Mul Summation Tanh", lambda a, b: [np.tanh((a * b).sum(0))]),
        "both": one(BOTH, "run(program, x0, x1)",
                    "Div Sub constant",
                    lambda a, b: [(a - b) / np.array([1.0, -2.0]), a - b, a]),
        "long": one(long.given, "run(program, x0, x1, x2)",
                    " ".join(sorted(op for op, _, _ in long.given[1])),
                    lambda *_: outputs_of(long), long.arrays),
        "count": refused([a], [a, b, b]),
        "shapes": refused([a, b[:1]], [a[:1], b], [a.reshape(3, 2), b], [a, b[None]]),
        "dtypes": refused([a.astype("float32"), b]),
    })  # fmt: skip
