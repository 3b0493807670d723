"""Whether a forward asks for a number that is too large for a float, even if it recovers."""

import numpy as np

from .harness import Complaint, array_of, op_of

OVERFLOW = "On the way to the result a number became too large for a float: an overflow."
HIDDEN = " `np.errstate` keeps NumPy from telling, but not the number from becoming so large."


class Ears:
    """A context in which `np.errstate` cannot silence anything; whether anybody tried."""

    def __enter__(self):
        self.tried = False
        self.methods = np.errstate.__enter__, np.errstate.__exit__
        np.errstate.__enter__, np.errstate.__exit__ = self.silence, lambda *_: None
        return self

    def silence(self, *_):
        self.tried = True

    def __exit__(self, *_):
        np.errstate.__enter__, np.errstate.__exit__ = self.methods


def forward(bg, op, a):
    """{op}.forward computes without an overflow."""
    seen = []
    with np.errstate(over="call", call=lambda kind, flag: seen.append(kind)), Ears() as ears:
        found = array_of(op_of(bg, op).forward(np.array(a)), f"{op}.forward")
    if seen:
        raise Complaint(OVERFLOW + HIDDEN if ears.tried else OVERFLOW)
    return [np.array(found)]
