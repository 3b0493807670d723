"""Checks of the passes: the program that comes out, and that it computes the same."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grader.course import SMALL, Check, rng_for

from . import drawn, folding, twins
from .answers import (
    Row,
    called,
    described,
    lines,
    moved,
    probe,
    renumbered,
    stays,
)

PASSED = "Every output keeps its value to the last bit"


def checks(seed: str) -> Iterator[Check]:
    for row in (*folding.ROWS, *twins.ROWS, *drawn.rows(seed)):
        yield from _passed(row, seed)


def _passed(row: Row, seed: str) -> Iterator[Check]:
    rng = rng_for(seed, f"{row.exercise}/{row.name}")
    arrays = [np.abs(SMALL.draw(rng, shape)) for shape, _ in row.given[0]]
    given = moved(row.given, seed)
    one = probe(
        "compilations.passed", (row.does, given, arrays), called(f"{row.does}(program)", given),
        lambda: {
            "value": lines(*(renumbered(line, given[3]) for line in row.lines)),
            "same": [np.ones(len(row.formula(*arrays)), bool)],
            "untouched": lines(*described(given)),
        },
    )  # fmt: skip
    yield Check(
        row.exercise, row.name, (one,), row.taught, says=row.says, weight=row.weight,
        hidden=row.hidden, compare="text",
    )  # fmt: skip
    if row.name == "value":
        yield Check(row.exercise, "bits", (one,), PASSED, part="same", weight=0.5,
                    says=f"After {row.does} every output has the same value.")  # fmt: skip
        yield stays(row.exercise, one)
