"""Hidden samples: no axes, axes of size 1, three axes, other numbers than the public ones."""

import numpy as np

from grader.course import OpSample, shapes, values

SHAPES = ((), (3, 1), (2, 1, 3))

ONE = tuple(shapes(shape) for shape in SHAPES)
TWO = tuple(shapes(shape, shape) for shape in SHAPES)


def with_numbers(*numbers: float) -> tuple[OpSample, ...]:
    """One array and a number: two numbers for arrays of one shape."""
    each = zip(((), (3, 1), (3, 1)), numbers, strict=True)
    return tuple(shapes(shape, attrs=(number,)) for shape, number in each)


def level(samples: tuple[OpSample, ...], value: float) -> tuple[OpSample, ...]:
    """The same samples where all inputs hold one value, so that results are alike, too."""
    return tuple(
        values(*(np.full(shape, value) for shape in each.shapes), attrs=each.attrs)
        for each in samples
    )


FACTORS = with_numbers(-1.75, 4, 0.25)
DIVISORS = with_numbers(-8, 0.25, 2)
EXPONENTS = with_numbers(2.5, 1, -3)
