"""The checks of chapter 17."""

from __future__ import annotations

from collections.abc import Iterator

from grader.course import Check

from . import copying, gaps, indexing, loops, places, products, reducing, turning, writing


def checks(seed: str) -> Iterator[Check]:
    """Every check of the chapter, its samples drawn from ``seed``."""
    for part in (places, gaps, turning, indexing, writing, copying, loops, reducing, products):
        yield from part.checks(seed)
