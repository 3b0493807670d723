"""Tools for all figures: tensors of the reference, short numbers, repeatable draws."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from grader.course import import_reference

Described = dict[str, Any]


def tensor(values: Any) -> Any:
    return import_reference().Tensor(values, dtype="float64")


def rounded(values: Any, digits: int = 4) -> Any:
    """Nested lists of numbers with so many significant digits: what a page has to load."""
    flat = [float(f"{v:.{digits}g}") for v in np.ravel(values)]
    return np.reshape(flat, np.shape(values)).tolist()


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Draws of `np.random` that are the same for every reader; outside, it goes on as before."""
    state = np.random.get_state()
    np.random.seed(seed)
    try:
        yield
    finally:
        np.random.set_state(state)
