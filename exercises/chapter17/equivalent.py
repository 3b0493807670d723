"""Mutants that may live: why each is as right as the reference, or what is left open there.

Target → reason → the line that a mutant says instead; `…` at its end stands for any end.
"""

NO_MESSAGE = "what the message says is left open"
COMMUTED = "the order of both makes no difference"
REFUSED_ANYWAY = "the next lines raise ValueError as well"
WRITTEN_OVER = "every value is written over"
ADDED = "where nothing is yet, adding sets"
FREE = "these strides are left open"

EQUIVALENT: dict[str, dict[str, tuple[str, ...]]] = {
    "ndarray.offset_of": {NO_MESSAGE: ("raise IndexError()",)},
    "ndarray.is_compact": {
        COMMUTED: (
            "return all((s == r for s, r, size in zip(right, strides, shape, strict=True) "
            "if size > 1))",
        ),
    },
    "ndarray.view_strides": {
        FREE: ("return new", "found.append(1)", "found.append(-1)"),
        "a size that divides gives a whole number": ("runs[0] = [left / size, stride * size]",),
    },
    "ndarray.NDArray.transpose": {NO_MESSAGE: ("raise ValueError()",)},
    "ndarray.NDArray.broadcast_to": {
        NO_MESSAGE: ("raise ValueError()",),
        REFUSED_ANYWAY: (
            "fits = all((mine in (1, size) for mine, size in zip(self.shape, shape[new:], "
            "strict=True)))",
            "fits = new >= -1 and all((mine in (1, size) for mine, size in zip(self.shape, "
            "shape[new:], strict=True)))",
        ),
        COMMUTED: (
            "strides = [0] * new + [stride if mine == size else 0 for mine, size, stride in "
            "zip(shape[new:], self.shape, self.strides, strict=True)]",
        ),
    },
    "ndarray.NDArray.__getitem__": {NO_MESSAGE: ("raise IndexError()",)},
    "ndarray.NDArray.compact": {
        "what each call gives here is this very array": ("return kept(self, self)",),
    },
    "ndarray.NDArray.reshape": {
        NO_MESSAGE: ("raise ValueError()",),
        "beside a size of 0 the one that is left over is open": (
            "new[new.index(-1)] = count // others if others else 1",
            "new[new.index(-1)] = count // others if others else -1",
        ),
        "without sizes none is negative": (
            "if math.prod(new) != count or min(new, default=1) < 0:",
        ),
        "a list of sizes is as good": ("strides = view_strides(self.shape, self.strides, new)",),
    },
    "ndarray.NDArray.windows": {
        NO_MESSAGE: ("raise ValueError()",),
        REFUSED_ANYWAY: (
            "if min(*size, step) < 1:",
            "if len(self.shape) < 1 or min(*size, step) < 1:",
        ),
    },
    "ndarray.elementwise": {
        COMMUTED: (
            "pairs = zip((1,) * (wide - len(a.shape)) + a.shape, (1,) * (wide - len(shape)) + "
            "shape, strict=True)",
        ),
        WRITTEN_OVER: ("out = NDArray.full(shape, 0.1)",),
        ADDED: ("out.buffer[place] += f(*values)",),
    },
    "ndarray.reduce": {NO_MESSAGE: ("raise ValueError()",)},
    "ndarray.matmul": {
        NO_MESSAGE: ("raise ValueError()",),
        WRITTEN_OVER: ("out = NDArray.full((n, m), 0.1)",),
        ADDED: ("out.buffer[i * m + j] += total",),
    },
    "ndarray.padded_row": {
        COMMUTED: ("while math.gcd(sets, lines) != 1:",),
    },
}
