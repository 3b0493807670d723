"""Checks of one instruction, and of whoever reads values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from grader.course import Check, Probe, rng_for
from tests.drawing import Drawn

from .answers import (
    Said,
    called,
    described,
    lines,
    probe,
    said,
)
from .drawn import program_for

RECORD, DATA = "chapter15.record", "chapter15.refuse"


APPENDED = (
    "The instruction goes to the end of `instructions`. Its op is the name of the class of `op`; "
    "its inputs are the names of those that stand in for `inputs`; its name is new; its attributes "
    "are those of `op`, `vars(op)`, in a dict of its own; shape and dtype are what `outcome` says"
)
ROWS = (
    Said("value", "first", "value", APPENDED,
         "record writes op, inputs, attributes, shape and dtype.", 3),
    Said("names", "first", "names", "its name is new", "What record returns has the new name."),
    Said("graph", "first", "graph",
         "with `op` as its `_op` and those that stand in as its `_inputs`",
         "What record returns knows its op, and inputs that are Traced."),
    Said("quiet", "first", "quiet", "write an instruction, compute nothing",
         "record computes nothing: forward is not called."),
    Said("kind", "first", "kind", "shape and dtype are what `outcome` says",
         "What record returns has shape and dtype of the instruction.", 0.5),
    Said("attributes", "attributes", "value", APPENDED,
         "record writes every attribute, as it is: None, 0 and tuples too."),
    Said("more", "more", "value", APPENDED,
         "record is right for other shapes and attributes too.", hidden=True),
)  # fmt: skip
HOLDS = "The message holds all that `reader()` returns"
REFUSED = (
    Said("value", "one", "value",
         "There are no values yet: whoever reads them is told so … always",
         "Whoever reads the data of a Traced gets CannotTrace."),
    Said("line", "one", "line", HOLDS, "The message says which line it was."),
    Said("file", "one", "file", HOLDS, "The message says which file it was.", 0.5),
)  # fmt: skip


def checks(seed: str) -> Iterator[Check]:
    rng = rng_for(seed, RECORD)
    drawn = {name: _drawn(program_for(seed, f"{RECORD}/{name}")) for name in ("attributes", "more")}
    yield from said(RECORD, ROWS, {"first": _one(rng, "float32"), **drawn})
    yes = [np.array([True] * 3)]
    answer = {"value": lines(*["CannotTrace"] * 3), "line": yes, "file": yes}
    one = probe("traces.read_values", ((rng_for(seed, DATA).randrange(2, 999),),),
                "x.data, x.numpy() and bool(x) of a Traced x", lambda: answer)  # fmt: skip
    yield from said(DATA, REFUSED, {"one": one})


def _drawn(drawn: Drawn) -> Probe:
    """Record a program that is drawn, op by op."""
    written = described(drawn.given)[len(drawn.given[0]) : -1]
    return probe("traces.recorded_rows", (drawn.given,),
                 called("Tracer().record, for each line of", drawn.given),
                 lambda: {"value": lines(*written)})  # fmt: skip


def _one(rng: Any, dtype: str) -> Probe:
    rows, columns = rng.sample(range(2, 9), 2)
    scalar = round(float(rng.uniform(2, 9)), 3)
    shape, fixed = [rows, columns], [2.0] * columns
    answer = {
        "value": lines(
            f"v0 = MulScalar(x0, scalar={scalar!r}) {dtype}{shape}",
            f"v1 = constant(value={fixed}) float64[{columns}]",
            f"v2 = Add(v0, v1) float64{shape}", f"v3 = Add(v0, v1) float64{shape}",
        ),
        "names": lines("v0", "v2", "v3"),
        "graph": [np.array([True, True]), np.array([1, 2]), np.array([True] * 2),
                  np.array([True] * 2)],
        "quiet": [np.array(0)], "kind": lines(f"{dtype}{shape}", f"float64{shape}"),
    }  # fmt: skip
    return probe("traces.recorded", ((rows, columns), dtype, scalar),
                 "Tracer().record(op, x), then of what came back", lambda: answer)  # fmt: skip
