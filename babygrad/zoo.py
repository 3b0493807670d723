"""One question, put to any engine: which gradients does it find? (chapter 11)

Nothing is imported here, not even NumPy: the caller brings the engine along.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


def gradients_of(
    leaf: Callable[[Any], Any], expression: Callable[..., Any], numbers: Sequence[Any]
) -> list[Any]:
    """The gradient of ``expression`` with respect to each of its inputs, by any engine.

    Args:
        leaf: makes a new leaf of an engine from a number or an array: ``Value``, or a function
            that calls ``Tensor(...)`` with what that engine needs.
        expression: takes as many leaves as there are ``numbers`` and returns one node that holds
            a single number.
        numbers: what the leaves hold; they stay as they were.

    Returns:
        What each leaf holds in ``grad`` after one walk back from the result, in the order of
        ``numbers``. Each of the numbers becomes a leaf of its own.
    """
    # Yours to write: section 11.7; `grader check chapter11.zoo`
    raise NotImplementedError
