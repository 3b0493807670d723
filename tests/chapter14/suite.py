"""The checks of chapter 14: every piece with copied weights, and the attention mask."""

from __future__ import annotations

from collections.abc import Iterator

from grader.course import Check

from ..every_call import ask_in_every_call
from . import functions, making, models, texts


@ask_in_every_call("inputs", "dtype")
def checks(seed: str) -> Iterator[Check]:
    """Every check of the chapter, its samples drawn from ``seed``."""
    for part in (texts, functions, making, models):
        yield from part.checks(seed)
