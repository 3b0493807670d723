"""The checks of chapter 13: derivatives of derivatives, forward mode, counts of memory."""

from __future__ import annotations

from collections.abc import Iterator

from grader.course import Check

from . import forward, matrices, memory, second


def checks(seed: str) -> Iterator[Check]:
    """Every check of the chapter, its samples drawn from ``seed``."""
    for part in (second, matrices, forward, memory):
        yield from part.checks(seed)
