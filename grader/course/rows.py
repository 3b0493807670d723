"""Vocabulary of the op table: a row per op, its samples, and the domains that they are drawn from.

Values have two decimals, differ from one another, alternate in sign where both signs are allowed,
and keep away from 0 and from 1 (a forgotten factor hides behind a 1) and so from the kinks of ReLU
and Abs. They come from `random.Random`, whose stream is the same everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np


@dataclass(frozen=True)
class Domain:
    """Magnitudes between ``low`` and ``high``; with ``signed``, the signs alternate."""

    low: float
    high: float
    signed: bool

    def draw(self, rng: Random, shape: tuple[int, ...]) -> np.ndarray:
        """Draw a float64 array of this shape."""
        count = math.prod(shape)
        sign = rng.choice((-1, 1)) if self.signed else 1
        drawn = self.magnitudes(rng, count)
        signs = [sign * (-1) ** i if self.signed else 1 for i in range(count)]
        # `reshape` also makes the 0-d array of a single number.
        return np.array([s * v for s, v in zip(signs, drawn, strict=True)]).reshape(shape)

    def magnitudes(self, rng: Random, count: int) -> list[float]:
        """Draw so many magnitudes; none equals one of the eight before it."""
        drawn: list[float] = []
        while len(drawn) < count:
            value = round(rng.uniform(self.low, self.high), 2)
            if abs(value - 1) < 0.1 or (value in drawn[-8:]):
                continue
            drawn.append(value)
        return drawn


class Distinct(Domain):
    """Eighths, all of different magnitude within an array, so that no maximum is tied.

    float32 holds them exactly, so that an output that was rounded to it still equals its input.
    """

    def magnitudes(self, rng: Random, count: int) -> list[float]:
        """Draw so many magnitudes, all different.

        Raises:
            ValueError: there are not so many between ``low`` and ``high``.
        """
        eighths = range(math.ceil(8 * self.low), math.floor(8 * self.high) + 1)
        return [n / 8 for n in rng.sample([n for n in eighths if n != 8], count)]


REAL = Domain(0.3, 2.9, signed=True)
POSITIVE = Domain(0.3, 2.9, signed=False)
SMALL = Domain(0.2, 0.9, signed=True)
DISTINCT = Distinct(0.25, 24.0, signed=True)

PUBLIC_SEED = "public"  # seed of the key that everybody has; marks use a secret one


def rng_for(seed: str, name: str) -> Random:
    """Return the random stream of one probe; it depends on no other probe."""
    return Random(f"{seed}/{name}")


def sizes_for(seed: str, name: str, *usual: int, spread: int = 90) -> tuple[int, ...]:
    """Return the ``usual`` sizes for the public seed; else larger, different, unpredictable ones.

    For samples whose size matters; the prose names the usual ones.
    """
    if seed == PUBLIC_SEED:
        return usual
    least = max(usual) + 1
    return tuple(rng_for(seed, f"{name}/sizes").sample(range(least, least + spread), len(usual)))


def shapes_for(
    seed: str, name: str, *shapes: tuple[int, ...], spread: int = 20
) -> list[tuple[int, ...]]:
    """Return shapes with sizes of the seed's own; equal sizes stay equal, and 0 and 1 stay."""
    # (2, 3) and (3, 1) may become (7, 15) and (15, 1).
    sizes = dict.fromkeys(size for shape in shapes for size in shape if size > 1)
    drawn = sizes_for(seed, name, *sizes, spread=spread) if sizes else ()
    of = dict(zip(sizes, drawn, strict=True))
    return [tuple(of.get(size, size) for size in shape) for shape in shapes]


def number_for(seed: str, name: str, usual: float, low: float, high: float) -> float:
    """Return the usual setting for the public seed, else one of three decimals in between."""
    if seed == PUBLIC_SEED:
        return usual
    return round(rng_for(seed, f"{name}/number").uniform(low, high), 3)


def start_for(seed: str, name: str) -> int:
    """Return the seed for NumPy's generator in a probe whose code draws."""
    return rng_for(seed, f"{name}/start").randrange(1 << 31)


@dataclass(frozen=True)
class OpSample:
    """The inputs of one call: shapes to draw, or the values themselves."""

    shapes: tuple[tuple[int, ...], ...] = ()  # one per input, drawn from the row's domain
    attrs: tuple[object, ...] = ()  # of the op's constructor: ``((3, 2),)`` for ``Reshape((3, 2))``
    values: tuple[object, ...] = ()  # instead, if these matter (a kink, an extreme)

    def draw(self, domains: Sequence[Domain], rng: Random) -> list[np.ndarray]:
        if self.values:
            return [np.array(value, dtype=np.float64) for value in self.values]
        return [domain.draw(rng, s) for domain, s in zip(domains, self.shapes, strict=True)]


def shapes(*each: tuple[int, ...], attrs: tuple[object, ...] = ()) -> OpSample:
    """Create a sample with one shape per input: ``shapes((2, 3), (2, 3))``."""
    return OpSample(shapes=each, attrs=attrs)


def values(*each: object, attrs: tuple[object, ...] = ()) -> OpSample:
    """Create a sample with these very values: ``values([0.0, -2.0])``."""
    return OpSample(values=each, attrs=attrs)


@dataclass(frozen=True)
class SampleGroup:
    """Samples of an op that are a check of their own, because the prose says so of them."""

    name: str  # ``negative-axis``
    says: str  # the sentence of the check
    samples: tuple[OpSample, ...]
    taught: str  # the words in the prose or in a docstring that announce this behaviour
    directions: tuple[str, ...] = ("forward", "backward")  # the exercises that have this check
    numeric: bool = True  # whether a numeric derivative exists there (not at a kink)
    hidden: bool = False
    scalar_shape: bool = False  # whether the shape ``(1,)`` is as good as ``()``
    weight: float = 1


# As courses written for 1.0 call them.
Group, Sample = SampleGroup, OpSample


@dataclass(frozen=True)
class OpRow:
    """One op: how it is called, what it computes in NumPy and in PyTorch, and its domain."""

    op: str  # the class in `ops.py`, ``Div``
    forward: Callable[..., np.ndarray]  # in NumPy: ``forward(*arrays, *attrs)``
    torch: Callable[..., object] | None  # its twin: ``torch(torch_module, *tensors, *attrs)``
    domain: tuple[Domain, ...]  # one per input
    samples: tuple[OpSample, ...]  # public ones, the simplest first
    taught: Mapping[str, str]  # the words in prose or docstring that promise forward and backward
    groups: tuple[SampleGroup, ...] = ()  # further public samples that are checks of their own
    analytic: bool = True  # whether ``forward`` takes complex numbers: the complex step applies
    scalar_shape: bool = False
