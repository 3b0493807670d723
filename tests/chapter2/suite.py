"""The checks of chapter 2: the contents of a new tensor, its properties, the creators."""

from __future__ import annotations

from collections.abc import Iterator

from grader.course import Check

from . import creator_checks, init_checks, method_checks


def checks(seed: str) -> Iterator[Check]:
    """Every check of the chapter, its samples drawn from ``seed``."""
    yield from init_checks.checks(seed)
    yield from method_checks.checks(seed)
    yield from creator_checks.checks(seed)
