"""Programs that watch a numeric derivative at work: how far it moves which numbers."""

import numpy as np


def steps(bg, arrays):
    """How far numeric_vjp moves each number, to either side, and how many numbers at a time."""
    return watched(bg.checking.numeric_vjp, arrays, lambda away: [away, -away])


def imaginary_steps(bg, arrays):
    """How many steps complex_vjp moves each number to either side, and how many at a time."""
    step = bg.checking.COMPLEX_STEP
    return watched(
        bg.checking.complex_vjp, arrays, lambda away: [away.imag / step, -away.imag / step]
    )


def watched(vjp, arrays, both_sides):
    """What a function sees that is differentiated by moving numbers."""
    farthest = [np.zeros((2, *np.shape(array))) for array in arrays]
    at_a_time = [0]

    def f(*moved):
        sides = [both_sides(there - here) for here, there in zip(arrays, moved, strict=True)]
        for far, each in zip(farthest, sides, strict=True):
            np.maximum(far, each, out=far)
        # A number that was moved back by its step may have lost a last digit.
        at_a_time.append(sum(int(np.sum(np.abs(side) > 1e-9)) for side, _ in sides))
        return sum(each.sum() for each in moved)

    vjp(f, [np.array(array) for array in arrays], np.array(1.0))
    return {"value": farthest, "together": [np.array(max(at_a_time))]}
