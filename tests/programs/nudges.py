"""Programs for numeric derivatives: what they give, and how far they move which numbers."""

import numpy as np

from .harness import array_of, ask_first, itemised, listed, unlike


def numeric(bg, name, function, arrays, cotangent, order="C"):
    """{name} gives the gradient of every array."""
    given, handed = [np.array(array, order=order) for array in arrays], np.array(cotangent)
    right, factor, ask = eval(function, {"np": np}), [3.0], getattr(bg.checking, name)

    def f(*arrays):
        return right(*arrays) * factor[0] if factor else right(*arrays)

    ask_first(ask, f, given, handed)
    factor.clear()
    found = ask(f, given, handed)
    if not isinstance(found, (tuple, list)) or len(found) != len(arrays):
        raise unlike(found, f"{name} returned", "an array each was expected")
    value = [np.array(array_of(each, name, place=" as one of them")) for each in found]
    kinds = [each.dtype.name for each in value]
    return {"value": value, "inputs": [*given, handed], "wide": [itemised(kinds)]}


def steps(bg, arrays):
    """numeric_vjp moves one number at a time, by its step to either side."""
    return watched(bg.checking.numeric_vjp, arrays, lambda away: [away, -away])


def imaginary_steps(bg, arrays):
    """complex_vjp moves one number at a time, by its step along the imaginary axis."""
    step = bg.checking.COMPLEX_STEP
    return watched(
        bg.checking.complex_vjp, arrays, lambda away: [away.imag / step, -away.imag / step]
    )


def watched(vjp, arrays, both_sides):
    """Note the inputs of a function that is differentiated by moving numbers."""
    farthest = [np.zeros((2, *np.shape(array))) for array in arrays]
    at_a_time = [0]

    def f(*moved):
        sides = [both_sides(there - here) for here, there in zip(arrays, moved, strict=True)]
        for far, each in zip(farthest, sides, strict=True):
            np.maximum(far, each, out=far)
        # A number that was moved back by its step may have lost a last digit.
        at_a_time.append(sum(int(np.sum(np.abs(side) > 1e-9)) for side, _ in sides))
        return sum(each.sum() for each in moved)

    given = [np.array(array) for array in arrays]
    slopes = listed(vjp(f, given, np.array(1.0)), vjp.__name__)
    return {
        "value": farthest,
        "together": [np.array(max(at_a_time))],
        "slopes": [array_of(each, vjp.__name__, place=" as one of them") for each in slopes],
        "inputs": given,
    }
