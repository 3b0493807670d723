"""One list of numbers: where it lies, and how wide it is."""

import numpy as np


def mean(values):
    """The sum of all values divided by how many there are, a float.

    Args:
        values: a 1-d array of at least one number.
    """
    # Yours to write: section 1.1; `grader check lesson1.mean`
    raise NotImplementedError


def variance(values, ddof=0):
    """The sum of the squared distances from the mean, divided by n - ddof, a float.

    Args:
        values: a 1-d array of more than ``ddof`` numbers.
        ddof: 0 for a whole population, 1 for a sample of one.
    """
    # Yours to write: section 1.2; `grader check lesson1.variance`
    raise NotImplementedError


def standardize(values):
    """The values as distances from their mean, in units of their standard deviation.

    Args:
        values: a 1-d array, not all of it the same.

    Returns:
        A new array of the same shape, with mean 0 and variance 1.
    """
    # Yours to write: section 1.3; `grader check lesson1.standardize`
    raise NotImplementedError
