"""Noise that is the same each time. `numpy.random` takes as long to load as a chapter's ops to be
asked, and most learners never ask for it.

SplitMix64: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014.
"""

import math

import numpy as np

LOUD = 1e-6  # where every sum and product gets its noise: more than float32 takes for itself
MOVES = (np.add, np.subtract, np.multiply, np.divide)
GOLDEN, MIXERS = 0x9E3779B97F4A7C15, ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))


class Noise:
    """A stream of numbers between -1 and 1; one for each seed."""

    def __init__(self, seed):
        self.state = seed

    def uniform(self, shape=()):
        """The next ones, as an array of this shape."""
        count = math.prod(shape)
        bits = np.arange(1, count + 1, dtype=np.uint64)
        bits *= np.uint64(GOLDEN)
        bits += np.uint64(self.state)
        self.state = (self.state + count * GOLDEN) % 2**64
        for shift, factor in MIXERS:
            bits ^= bits >> np.uint64(shift)
            bits *= np.uint64(factor)
        bits ^= bits >> np.uint64(31)
        return ((bits >> np.uint64(11)) * 2.0**-52 - 1).reshape(shape)


def of_its_own(seed):
    """Noise of its own for every value."""
    rng = Noise(seed)
    return lambda ufunc, result, step: result * (1 + LOUD * rng.uniform(result.shape))


def alike_for(seed):
    """Noise that is the same for whatever one ufunc gives; sums and differences have one.

    A step gets none: the value that it was taken from had none either.
    """

    def noise(ufunc, result, step):
        if step:
            return result
        name = "add" if ufunc in MOVES[:2] else ufunc.__name__
        rng = Noise(seed + int.from_bytes(name.encode(), "big") % 2**62)
        return result * (1 + LOUD * float(rng.uniform()))

    return noise


def growth(was, now):
    """Return the largest move of a value; 0 where they are no longer as many."""
    if [array.shape for array in was] != [array.shape for array in now]:
        return 0.0
    return max(map(grown, was, now), default=0.0)


def grown(was, now):
    """Return the moves of the values, relative to the largest of them."""
    size = largest(was)
    return largest(now - was) / size if size > 0 else 0.0


def largest(array):
    """The largest magnitude; by ufuncs alone, in which nothing can be replaced."""
    return np.maximum.reduce(np.abs(array), axis=None, initial=0.0)
