"""Figures of a few numbers that a reader moves: a ravine, a gradient, a schedule, three tokens, a
sum, losses in batches.
"""

from __future__ import annotations

from .given import Described


def ravine() -> Described:
    """The ravine of chapter 5: where the walk starts, and how much steeper y is than x."""
    return {"start": [10, 1], "steep": 25}


def clip() -> Described:
    """The two gradients of chapter 5's example, and the length that they may have."""
    return {"gradient": [3, 4], "most": 1}


def schedules() -> Described:
    """A training run of a hundred steps."""
    return {"lr": 0.2, "total": 100, "warmup": 10, "every": 25, "factor": 0.5}


def tokens() -> Described:
    """The three tokens of chapter 14: a query, the keys, the values."""
    return {
        "query": [2, 0],
        "keys": [[1, 0], [0, 1], [-1, 1]],
        "values": [[10, 0], [0, 6], [4, 4]],
    }


def spread() -> Described:
    """The sum of chapter 7: how many products it has."""
    return {"count": 25}


def means() -> Described:
    """Eight losses of an evaluation, the last two larger."""
    return {"losses": [0.2, 0.4, 0.3, 0.1, 0.5, 0.3, 1.8, 2.2]}
