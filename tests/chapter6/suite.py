"""The checks of chapter 6: data sets and files, batches, transforms, made-up points."""

from __future__ import annotations

from collections.abc import Iterator

from grader.course import Check

from . import batches, files, pictures, points, rows


def checks(seed: str) -> Iterator[Check]:
    """Every check of the chapter, its samples drawn from ``seed``."""
    for part in (rows, files, batches, pictures, points):
        yield from part.checks(seed)
