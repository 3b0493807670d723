"""The checks of chapter 4: modules with copied weights, losses on extreme logits."""

from __future__ import annotations

from collections.abc import Iterator

from grader.course import Check

from ..every_call import ask_in_every_call
from . import composed, losses, norms, owning, plain


@ask_in_every_call("inputs", "apart", "returned")
def checks(seed: str) -> Iterator[Check]:
    """Every check of the chapter, its samples drawn from ``seed``."""
    for part in (owning, plain, composed, norms, losses):
        yield from part.checks(seed)
