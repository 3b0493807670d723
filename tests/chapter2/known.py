"""Oracles that need no formula: they write the right answer down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from grader.course import Parts


def known(**parts: Any) -> dict[str, Callable[[], Parts]]:
    """The oracle of parts that are known: one array each, or a list of arrays."""
    return {"numpy": lambda: in_lists(parts)}


def in_lists(parts: dict[str, Any]) -> Parts:
    return {
        name: [np.asarray(a) for a in (part if isinstance(part, list) else [part])]
        for name, part in parts.items()
    }


def truths(*values: bool) -> np.ndarray:
    """Truths as the programs send them."""
    return np.array([float(value) for value in values])


def float64(array: Any) -> np.ndarray:
    return np.asarray(array, dtype=np.float64)
