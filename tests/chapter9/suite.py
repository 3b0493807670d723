"""The checks of chapter 9: a step, the measures, early stopping, the whole loop."""

from __future__ import annotations

from collections.abc import Iterator

from grader.course import Check

from ..every_call import ask_in_every_call
from . import loops, measures


@ask_in_every_call("inputs")
def checks(seed: str) -> Iterator[Check]:
    """Every check of the chapter, its samples drawn from ``seed``."""
    for part in (loops, measures):
        yield from part.checks(seed)
