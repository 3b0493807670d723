"""The checks of chapter 8: names and values of states, files, and resumed trainings."""

from __future__ import annotations

from collections.abc import Iterator

from grader.course import Check

from . import files, loading, naming, optimizers


def checks(seed: str) -> Iterator[Check]:
    """Every check of the chapter, its samples drawn from ``seed``."""
    for part in (naming, loading, files, optimizers):
        yield from part.checks(seed)
