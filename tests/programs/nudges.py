"""Programs for numeric derivatives: what they give, and how far they move which numbers."""

import numpy as np

from .harness import array_of, ask_first, itemised, listed, unlike


def numeric(bg, name, function, arrays, cotangent, order="C"):
    """{name} gives the gradient of every array."""
    given, handed = [np.array(array, order=order) for array in arrays], np.array(cotangent)
    right, factor, ask = eval(function, {"np": np}), [3.0], getattr(bg.checking, name)
    moves = Moves(bg, name, given)

    def f(*moved):
        if factor:
            return right(*moved) * factor[0]
        moves.note(moved)
        return right(*moved)

    ask_first(ask, f, given, handed)
    factor.clear()
    found = ask(f, given, handed)
    if not isinstance(found, (tuple, list)) or len(found) != len(arrays):
        raise unlike(found, f"{name} returned", "an array each was expected")
    value = [np.array(array_of(each, name, place=" as one of them")) for each in found]
    kinds = [each.dtype.name for each in value]
    return {
        "value": value,
        "inputs": [*given, handed],
        "wide": [itemised(kinds)],
        "steps": moves.farthest,
    }


class Moves:
    """The moves of a function's numbers: how far to both sides, and how many at a time."""

    def __init__(self, bg, name, arrays):
        self.arrays = [np.array(array) for array in arrays]
        self.step = bg.checking.COMPLEX_STEP * 1j if name == "complex_vjp" else 1.0
        self.farthest = [np.zeros((2, *array.shape)) for array in self.arrays]
        self.together = 0

    def note(self, moved):
        away = [
            np.real((there - here) / self.step)
            for here, there in zip(self.arrays, moved, strict=False)
        ]
        for far, each in zip(self.farthest, away, strict=False):
            if each.shape == far.shape[1:]:
                np.maximum(far, [each, -each], out=far)
        # A number that was moved back by its step may have lost a last digit.
        self.together = max(self.together, sum(int(np.sum(np.abs(each) > 1e-9)) for each in away))


def steps(bg, arrays):
    """numeric_vjp moves one number at a time, by its step to either side."""
    return watched(bg, "numeric_vjp", arrays)


def imaginary_steps(bg, arrays):
    """complex_vjp moves one number at a time, by its step along the imaginary axis."""
    return watched(bg, "complex_vjp", arrays)


def watched(bg, name, arrays):
    """Note the inputs of a function that is differentiated by moving numbers."""
    moves, given = Moves(bg, name, arrays), [np.array(array) for array in arrays]
    vjp = getattr(bg.checking, name)

    def f(*moved):
        moves.note(moved)
        return sum(each.sum() for each in moved) / 3  # no float32 holds a third

    slopes = listed(vjp(f, given, np.array(1.0)), vjp.__name__)
    return {
        "steps": moves.farthest,
        "together": [np.array(moves.together)],
        "slopes": [array_of(each, vjp.__name__, place=" as one of them") for each in slopes],
        "inputs": given,
    }
