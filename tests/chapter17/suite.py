"""The checks of chapter 17."""

from __future__ import annotations

from collections.abc import Iterator

from grader.course import Check

from . import loops, places, products, views


def checks(seed: str) -> Iterator[Check]:
    """Every check of the chapter, its samples drawn from ``seed``."""
    for part in (places, views, loops, products):
        yield from part.checks(seed)
