"""Hidden samples: no axes, axes of size 1, three axes, other numbers than the public ones."""

from grader.course import OpSample, shapes

SHAPES = ((), (3, 1), (2, 1, 3))

ONE = tuple(shapes(shape) for shape in SHAPES)
TWO = tuple(shapes(shape, shape) for shape in SHAPES)


def with_numbers(*numbers: float) -> tuple[OpSample, ...]:
    """One array and a number, for every shape."""
    return tuple(
        shapes(shape, attrs=(number,)) for shape, number in zip(SHAPES, numbers, strict=True)
    )


FACTORS = with_numbers(-1.75, 4, 0.25)
DIVISORS = with_numbers(-8, 0.25, 2)
EXPONENTS = with_numbers(2.5, 4, -3)
