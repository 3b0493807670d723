"""The op table's vocabulary: a row per op, its samples, and groups that are checks of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .domains import Domain


@dataclass(frozen=True)
class Sample:
    """The inputs of one call: shapes to draw, or the values themselves.

    Attributes:
        shapes: one per input; the values are drawn from the row's domain.
        attrs: the arguments of the op's constructor: ``((3, 2),)`` for ``Reshape((3, 2))``.
        values: instead of shapes, exact values, where these are the point (a kink, an extreme).
    """

    shapes: tuple[tuple[int, ...], ...] = ()
    attrs: tuple[Any, ...] = ()
    values: tuple[Any, ...] = ()

    def draw(self, domains: Sequence[Domain], rng: Any) -> list[np.ndarray]:
        if self.values:
            return [np.array(value, dtype=np.float64) for value in self.values]
        return [domain.draw(rng, s) for domain, s in zip(domains, self.shapes, strict=True)]


def shapes(*each: tuple[int, ...], attrs: tuple[Any, ...] = ()) -> Sample:
    """``shapes((2, 3), (2, 3))``: a sample with one shape per input."""
    return Sample(shapes=each, attrs=attrs)


def values(*each: Any, attrs: tuple[Any, ...] = ()) -> Sample:
    """``values([0.0, -2.0])``: a sample with these very values."""
    return Sample(values=each, attrs=attrs)


@dataclass(frozen=True)
class Group:
    """Samples of an op that are a check of their own, because the prose says so of them.

    Attributes:
        name: ``negative-axis``.
        says: the sentence of the check.
        taught: the words in the prose or in a docstring that announce this behaviour.
        directions: which exercises of the op have this check.
        numeric: whether a numeric derivative exists there (at a kink there is none).
        scalar_shape: whether the shape ``(1,)`` is as good as ``()``.
    """

    name: str
    says: str
    samples: tuple[Sample, ...]
    taught: str
    directions: tuple[str, ...] = ("forward", "backward")
    numeric: bool = True
    hidden: bool = False
    scalar_shape: bool = False


@dataclass(frozen=True)
class OpRow:
    """One op: how it is called, what it computes in NumPy and in PyTorch, and where.

    Attributes:
        op: the class in `ops.py`, ``Div``.
        forward: the NumPy forward: ``forward(*arrays, *attrs)``.
        torch: PyTorch's twin: ``torch(torch_module, *tensors, *attrs)``.
        domain: one per input.
        samples: public samples, the simplest first.
        groups: further public samples that are checks of their own.
        analytic: whether ``forward`` takes complex numbers, so that the complex step applies.
        taught: the words in the prose or the docstring that promise forward and backward.
    """

    op: str
    forward: Callable[..., np.ndarray]
    torch: Callable[..., Any] | None
    domain: tuple[Domain, ...]
    samples: tuple[Sample, ...]
    taught: Mapping[str, str]
    groups: tuple[Group, ...] = ()
    analytic: bool = True
    scalar_shape: bool = False
