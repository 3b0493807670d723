"""The checks of chapter 15: programs as texts, values to the last bit, counts of buffers."""

from __future__ import annotations

from collections.abc import Iterator

from grader.course import Check

from . import (
    algebra,
    buffers,
    calling,
    lives,
    passes,
    recording,
    rounds,
    running,
    tracing,
    walking,
)  # fmt: skip

PARTS = (
    recording, tracing, running, passes, algebra, rounds, walking, lives, buffers, calling,
)  # fmt: skip


def checks(seed: str) -> Iterator[Check]:
    """Every check of the chapter, its samples drawn from ``seed``."""
    for part in PARTS:
        yield from part.checks(seed)
