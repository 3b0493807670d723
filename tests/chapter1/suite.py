"""The checks of chapter 1: the rules of Value, its engine, the network, the loops."""

from __future__ import annotations

from collections.abc import Iterator

from grader.course import Check

from . import checking, engine, loops, losses, networks
from .rules import RULES, rule_checks


def checks(seed: str) -> Iterator[Check]:
    """Every check of the chapter, its samples drawn from ``seed``."""
    yield from engine.checks(seed)
    for rule in RULES:
        yield from rule_checks(rule, seed)
    yield from checking.checks(seed)
    yield from networks.checks(seed)
    yield from losses.checks(seed)
    yield from loops.checks(seed)
