"""The checks of chapter 13: derivatives of derivatives, forward mode, counts of memory."""

from __future__ import annotations

from collections.abc import Iterator

from grader.course import Check

from ..every_call import ask_in_every_call
from . import forward, matrices, memory, second


@ask_in_every_call("inputs", "untouched", "dtype", "tangent", "constant")
def checks(seed: str) -> Iterator[Check]:
    """Every check of the chapter, its samples drawn from ``seed``."""
    for part in (second, matrices, forward, memory):
        yield from part.checks(seed)
