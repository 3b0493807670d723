"""Mutants that may live: why each is as right as the reference, or what is left open there.

Target → reason → the line that a mutant says instead; `…` at its end stands for any end.
"""

NO_MESSAGE = "what the message says is left open"

EQUIVALENT: dict[str, dict[str, tuple[str, ...]]] = {
    "ndarray.matmul": {
        NO_MESSAGE: ("raise ValueError()",),
        "every value is written over": ("out = NDArray.full((n, m), 0.1)",),
        "where nothing is yet, adding sets": ("out.buffer[i * m + j] += total",),
    },
    "ndarray.padded_row": {
        "the order of both makes no difference": ("while math.gcd(sets, lines) != 1:",),
    },
}
