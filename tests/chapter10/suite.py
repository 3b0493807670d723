"""The checks of chapter 10: a template per property of the ops, layers with copied weights."""

from __future__ import annotations

from collections.abc import Iterator

from grader.course import Check

from ..every_call import ask_in_every_call
from . import layers, rules


@ask_in_every_call("inputs")
def checks(seed: str) -> Iterator[Check]:
    """Every check of the chapter, its samples drawn from ``seed``."""
    yield from rules.checks(seed)
    yield from layers.checks(seed)
