"""The functions of both lessons, called with lists of numbers."""

from .asking import array


def mean(bg, values):
    """mean gives the sum divided by how many there are."""
    return [array(bg.mean(values), "mean")]


def variance(bg, values, ddof):
    """variance gives the mean of the squared distances."""
    return [array(bg.variance(values, ddof), "variance")]


def standardize(bg, values):
    """standardize gives values of mean 0 and variance 1."""
    kept = values.copy()
    return {"value": [array(bg.standardize(values), "standardize")], "inputs": [values - kept]}


def related(bg, name, x, y):
    """{name} is right for two lists."""
    return [array(getattr(bg, name)(x, y), name)]


def running(bg, values):
    """Running knows count, mean and squares after every value."""
    seen = bg.Running()
    rows = []
    for value in values:
        seen.update(float(value))
        rows.append([array(each, "Running") for each in (seen.count, seen.mean, seen.squares)])
    return {"value": [array(rows[-1][n], "Running") for n in range(3)]}
