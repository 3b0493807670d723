"""Two lists of numbers, and one that is too long to be kept."""

import numpy as np

from .describe import mean, variance


def covariance(x, y):
    """The mean of the products of both distances from their own means, a float.

    Args:
        x, y: 1-d arrays of the same length.
    """
    # Yours to write: section 2.1; `grader check lesson2.covariance`
    raise NotImplementedError


def correlation(x, y):
    """The covariance in units of both standard deviations, between -1 and 1.

    Args:
        x, y: 1-d arrays of the same length, neither of them all the same.
    """
    # Yours to write: section 2.2; `grader check lesson2.correlation`
    raise NotImplementedError


class Running:
    """Mean and spread of numbers that come one by one, and are not kept.

    Attributes:
        count: how many have come.
        mean: their mean so far.
        squares: the sum of their squared distances from that mean.
    """

    def __init__(self):
        self.count, self.mean, self.squares = 0, 0.0, 0.0

    def update(self, value):
        """Take one more number: Welford's rule (Technometrics 4, 1962)."""
        # Yours to write: section 2.3; `grader check lesson2.running`
        raise NotImplementedError
