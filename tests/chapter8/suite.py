"""The checks of chapter 8: names and values of states, files, and resumed trainings."""

from __future__ import annotations

from collections.abc import Iterator

from grader.course import Check
from tests.every_call import ask_in_every_call

from . import files, loading, naming, optimizers


@ask_in_every_call("later", "module", "apart", "left", "parameters")
def checks(seed: str) -> Iterator[Check]:
    """Every check of the chapter, its samples drawn from ``seed``."""
    for part in (naming, loading, files, optimizers):
        yield from part.checks(seed)
