"""Checks of what is compiled once for each shape."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grader.course import SMALL, Check, Probe, rng_for

from .answers import (
    Said,
    lines,
    probe,
    said,
)

KEPT = "chapter15.compiled"


SIGNATURE = "the shapes and the dtypes of all its inputs"
ROWS = (
    Said("value", "again", "value", "The outputs of `f` as arrays … what is kept runs, on the "
         "data of the inputs",
         "Every call gives the outputs for its own inputs."),
    Said("again", "again", "asked", "With one that was there before, `f` is not called",
         "For the same shape f is traced once."),
    Said("shapes", "shapes", "value", "With a new one, `f` is traced",
         "For another shape the values are right, too."),
    Said("shapes-asked", "shapes", "asked", "With a new one, `f` is traced",
         "f is traced once for each shape, and what was made is kept."),
    Said("dtypes", "dtypes", "kinds", SIGNATURE, "For another dtype the values have that dtype."),
    Said("dtypes-asked", "dtypes", "asked", SIGNATURE, "Another dtype is another signature."),
    Said("several", "several", "asked", SIGNATURE, "All inputs count, in order.", hidden=True),
    Said("several-values", "several", "value", "on the data of the inputs",
         "For several inputs the values are right, too.", 0.5, hidden=True),
    Said("steps", "again", "steps", "`f` is traced, optimized and built",
         "What is traced is optimized, then built, once.", 0.5),
    Said("made", "shapes", "made", "what was built is kept in `made`",
         "made has one entry for each signature.", 0.5),
    Said("apart", "again", "apart", "what was built is kept in `made`",
         "Two Compiled share nothing.", 0.5),
    Said("inputs", "again", "inputs", "which stays as it was",
         "Compiled leaves its inputs as they were.", 0.5),
)  # fmt: skip

Shapes = list[list[tuple[int, ...]]]


def checks(seed: str) -> Iterator[Check]:
    def one(name: str, shapes: Shapes, dtypes: str, asked: list[int], call: str) -> Probe:
        rng = rng_for(seed, f"{KEPT}/{name}")
        calls = [[SMALL.draw(rng, shape) for shape in each] for each in shapes]
        pairs = [(each, dtype) for each, dtype in zip(calls, dtypes.split(), strict=True)]
        kinds = [f"{dtype}{list(a.shape)}" for each, dtype in pairs for a in each]
        made = max(asked)
        answer = {
            "value": [a.astype(dtype).astype("float64") * 2 for each, dtype in pairs for a in each],
            "inputs": [a.astype(dtype) for each, dtype in pairs for a in each],
            "kinds": lines(*kinds), "asked": [np.array(asked)], "made": [np.array(made)],
            "steps": lines(*["optimize", "build"] * (made + 1)), "apart": [np.array([1, 1])],
        }  # fmt: skip
        return probe("plans.kept", (calls, dtypes.split()), call, lambda: answer)

    yield from said(KEPT, ROWS, {
        "again": one("again", [[(2, 3)]] * 3, "float64 " * 3, [1, 1, 1],
                     "Compiled(f)(x), three times"),
        "shapes": one("shapes", [[(2,)], [(3,)], [(2,)], [(2, 1)], [(1, 2)]], "float64 " * 5,
                      [1, 2, 2, 3, 4],
                      "Compiled(f)(x) for several shapes"),
        "dtypes": one("dtypes", [[(2,)]] * 3, "float64 float32 float64", [1, 2, 2],
                      "Compiled(f)(x) in float64 and float32"),
        "several": one("several",
                       [[(2,), (3,)], [(2,), (4,)], [(3,), (2,)], [(2,), (3,)], [(2,)]],
                       "float64 " * 5, [1, 2, 3, 3, 4], "Compiled(f)(x, y)"),
    })  # fmt: skip
