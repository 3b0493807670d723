"""The checks of chapter 12: numbers, and mutants made of the learner's own right ops."""

from __future__ import annotations

from collections.abc import Iterator

from grader.course import Check

from ..every_call import ask_in_every_call
from . import judges, numbers


@ask_in_every_call("inputs", "wide", "steps")
def checks(seed: str) -> Iterator[Check]:
    """Every check of the chapter, its samples drawn from ``seed``."""
    yield from numbers.checks(seed)
    yield from judges.checks(seed)
