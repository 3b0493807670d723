"""The checks of chapter 11: rules, walks and networks of three engines, and the zoo."""

from __future__ import annotations

from collections.abc import Iterator

from grader.course import Check

from ..every_call import ask_in_every_call
from . import pieces, steps, walks, zoo
from .rules import APPLY, CLOSURE, GRAD_FN, rule_checks


@ask_in_every_call("inputs", "dtype")
def checks(seed: str) -> Iterator[Check]:
    """Every check of the chapter, its samples drawn from ``seed``."""
    for rule in (*GRAD_FN, *APPLY, *CLOSURE):
        yield from rule_checks(rule, seed)
    yield from walks.checks(seed)
    yield from pieces.checks(seed)
    yield from steps.checks(seed)
    yield from zoo.checks(seed)
