"""The checks of chapter 16: the draws, the cache, and equal results with and without it."""

from __future__ import annotations

from collections.abc import Iterator

from grader.course import Check

from ..every_call import ask_in_every_call
from . import answers, choices, kept, small


@ask_in_every_call("inputs", "dtype", "asked")
def checks(seed: str) -> Iterator[Check]:
    """Every check of the chapter, its samples drawn from ``seed``."""
    for part in (choices, kept, answers, small):
        yield from part.checks(seed)
