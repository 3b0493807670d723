"""How warnings and rounding are taken, which learner code may change for itself alone."""

from __future__ import annotations

import warnings

import numpy as np


class Manners:
    """How NumPy and Python take a warning, as it was before learner code could change it.

    `np.seterr(all="raise")` at import is a good habit of some, and would turn the underflow of a
    right sigmoid into an error.
    """

    def __init__(self) -> None:
        self.numpy, self.geterr, self.seterr = np.geterr(), np.geterr, np.seterr
        self.filters = list(warnings.filters)

    def restore(self) -> None:
        if self.geterr() != self.numpy:
            self.seterr(**self.numpy)
        if warnings.filters != self.filters:
            warnings.resetwarnings()
            warnings.filters.extend(self.filters)  # type: ignore[attr-defined]
