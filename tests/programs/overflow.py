"""Whether a forward asks for a number that is too large for a float, even if it recovers."""

import numpy as np

from .harness import Complaint, array_of


def forward(bg, op, a):
    """{op}.forward computes without an overflow."""
    seen = []
    with np.errstate(over="call", call=lambda kind, flag: seen.append(kind)):
        array_of(getattr(bg.ops, op)().forward(np.array(a)), f"{op}.forward")
    if seen:
        raise Complaint(
            "On the way to the result a number became too large for a float: an overflow."
        )
    return [np.array(0.0)]
