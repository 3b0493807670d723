"""The checks of chapter 9: a step, the measures, early stopping, the whole loop."""

from __future__ import annotations

from collections.abc import Iterator

from grader.course import Check

from . import loops, measures


def checks(seed: str) -> Iterator[Check]:
    """Every check of the chapter, its samples drawn from ``seed``."""
    for part in (loops, measures):
        yield from part.checks(seed)
