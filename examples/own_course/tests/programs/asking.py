"""How the programs of both lessons turn what came back into arrays."""

import numpy as np


class Complaint(Exception):
    """What came back cannot be read as numbers; the message names the learner's function."""


def array(value, who):
    """A number or an array as an array of floats."""
    if value is None:
        raise Complaint(f"{who} returned None; did you forget `return`?")
    if not isinstance(value, (int, float, np.ndarray, np.generic)):
        raise Complaint(f"{who} returned a {type(value).__name__}; numbers were expected.")
    return np.asarray(value, dtype=float)
