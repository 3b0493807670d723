"""Mutants that may live: why each is as right as the reference, or what is left open there.

Target → reason → the line that a mutant says instead; `…` at its end stands for any end.
"""

LINEAR = "the gradient of a linear op depends on `out_grad` and on the op alone"
VIEW = "a view of the same array shows its new values"
EACH = "kept without node, for each object"
FLOAT32 = "a gradient may go through float32, the default of a Tensor that a rule makes"
NARROW = "no dtype is promised of a node: packages whose results are all float32 are right"
STEP_ONE = "a dilation by 1 changes nothing"
WHO_ASKS = "whether a constant asks for a gradient changes no gradient of anything else"
NUMBER = "a number of NumPy's is taken for an array"
CUT = "what is too much below and to the right is cut off again"
ANY_NEGATIVE = "NumPy takes every negative size for the one that it has to find out"


def narrow(result: str) -> tuple[str, str]:
    return f"return cast({result}, 'float32')", f"return cast({result}, 'float32', and_back=True)"


EQUIVALENT = {
    "tensor.Tensor.pad": {NARROW: narrow("ops.pad(self, widths)")[:1]},
    "tensor.Tensor.__getitem__": {NARROW: narrow("ops.getitem(self, index)")[:1]},
    "tensor.Tensor.max": {NARROW: narrow("ops.amax(self, axes)")[:1]},
    "ops.Slice.forward": {
        NUMBER: ("return a[self.index]",),
        VIEW: ("kept by identity, for each object",),
    },
    "ops.Dilate.forward": {
        "an axis of 0 values is promised nothing": (
            "shape[axis] = (a.shape[axis] - 1) * self.step + 1",
            "shape[axis] = max((a.shape[axis] - 1) * self.step + 1, 1)",
            "shape[axis] = max((a.shape[axis] - 1) * self.step + 1, -1)",
        ),
        "added to 0 is set": ("out[tuple(every)] += a",),
    },
    "ops.Flip.forward": {VIEW: ("kept by identity, for each object",)},
    "ops.Pad.backward": {LINEAR: (EACH,), FLOAT32: narrow("getitem(out_grad, tuple(inside))")},
    "ops.Slice.backward": {
        STEP_ONE: ("if True:", "if each.step >= 1:", "if each.step > 0:"),
        FLOAT32: narrow("pad(grad, tuple(widths))"),
        "`Pad` makes a tuple of it": ("return pad(grad, widths)",),
    },
    "ops.Dilate.backward": {
        LINEAR: (EACH, "kept without node"),
        FLOAT32: narrow("getitem(out_grad, tuple(every))"),
    },
    "ops.Flip.backward": {LINEAR: (EACH,), FLOAT32: narrow("flip(out_grad, self.axes)")},
    "ops.Max.forward": {NUMBER: ("return a.max(axis=self.axes)",)},
    "ops.Max.backward": {
        FLOAT32: (
            "shares = Tensor(shares, requires_grad=False)",
            *narrow("Summation(self.axes).backward(out_grad, node) * shares"),
        ),
        WHO_ASKS: (
            "shares = Tensor(shares, dtype=a.dtype)",
            "shares = Tensor(shares, dtype=a.dtype, requires_grad=True)",
        ),
    },
    "ops.Conv.forward": {
        "where the channels do not agree, `reshape` raises a ValueError": (
            "if min(rows, columns) < 1:",
        ),
        "the wording of the message is free": ("raise ValueError()",),
        "`@` goes over all axes in front": ("patches = np.concatenate(below, axis=3)",),
        ANY_NEGATIVE: (
            "patches = np.concatenate(below, axis=3).reshape(-2, height * width * channels)",
            "return (patches @ b.reshape(-2, filters)).reshape(len(a), rows, columns, filters)",
        ),
        "`np.pad` has made a copy of it": (
            "return spoil((patches @ b.reshape(-1, filters))"
            ".reshape(len(a), rows, columns, filters), a)",
        ),
    },
    "ops.Conv.backward": {
        CUT: (
            "below, right = (padded.shape[axis] + spread.shape[axis] for axis in (1, 2))",
            "below, right = (padded.shape[axis] for axis in (1, 2))",
        ),
        "`transpose` without axes exchanges the last two": (
            "grad_a = conv(around, transpose(flip(b, (0, 1))))",
        ),
        FLOAT32: narrow("(grad_a, getitem(grad_b, (slice(height), slice(width))))"),
    },
    "nn.Conv.forward": {NARROW: narrow("out.transpose((0, 3, 1, 2))")[:1]},
    "nn.tiles": {NARROW: narrow("x.reshape(batch, channels, rows, size, columns, size)")[:1]},
    "nn.MaxPool2d.forward": {NARROW: narrow("tiles(x, self.kernel_size).max((3, 5))")[:1]},
    "nn.AvgPool2d.forward": {
        NARROW: narrow("tiles(x, self.kernel_size).sum((3, 5)) / self.kernel_size ** 2")[:1],
    },
}  # fmt: skip
