"""Wrong bodies that break one clause of a promise alone: target → clause → the body, or an edit."""

ROWS, COLUMNS = "(a.shape[1] - height) // s", "(a.shape[2] - width) // s"

BROKEN = {
    "tensor.Tensor.max": {
        "The largest value over `axes` (None: of all);": (
            "self, axes", "self, -1 if axes is None else axes",
        ),
        "these axes are gone in the result.": (
            "ops.amax(self, axes)",
            "ops.reshape(\n"
            "    ops.amax(self, axes), self.data.max(axis=axes, keepdims=True).shape\n"
            ")",
        ),
    },
    "ops.Conv.forward": {
        "`rows` is `(height + 2 * padding - kernel height) // stride + 1`,": (ROWS, COLUMNS),
        "and `columns` likewise;": (COLUMNS, ROWS),
        "what is left over at the bottom and at the right is ignored.": (
            "if min", "if (a.shape[1] - height) % s or (a.shape[2] - width) % s or min",
        ),
        "ValueError: the kernel is larger than the padded image,": (
            "if min(rows, columns) < 1 or ", "rows, columns = max(rows, 0), max(columns, 0)\nif ",
        ),
        "or `a` and `b` do not agree on the number of channels.": (
            "height, width, channels, filters =",
            "a, b = a[..., : b.shape[2]], b[:, :, : a.shape[3]]\n"
            "height, width, channels, filters =",
        ),
    },
    "nn.Conv.__init__": {
        "The values of both start uniform between -1/√n and 1/√n,…": (
            ("shape, low=-bound", "shape, low=0"),
            ("out_channels, low=-bound", "out_channels, low=0"),
        ),
        "where n is how many numbers each sum adds up:…": ("math.prod(shape[1:])", "in_channels"),
    },
    "nn.MaxPool2d.forward": {
        "where several tie, in equal shares.": """
            size = self.kernel_size
            apart = tiles(x, size).transpose((0, 1, 2, 4, 3, 5))
            flat = apart.reshape((*apart.shape[:4], size * size))
            first = Tensor.one_hot(flat.data.argmax(-1), size * size, dtype=x.dtype)
            return (flat * first).sum(-1)
        """,
    },
    "ops.Pad": {
        "how many zeros come before its first value,": {
            "ops.Pad.forward": ("self.widths", "[(after, after) for _, after in self.widths]"),
        },
        "and how many after its last one.": {
            "ops.Pad.forward": ("self.widths", "[(before, before) for before, _ in self.widths]"),
        },
    },
    "ops.Slice": {
        "An int removes its axis;": {
            "ops.Slice.forward": (
                "a[self.index]",
                "a[tuple(\n"
                "    part if isinstance(part, slice) else slice(part, part + 1 or None)\n"
                "    for part in self.index\n"
                ")]",
            ),
        },
        "axes without an index stay whole.": {
            "ops.Slice.forward": (
                "a[self.index]", "a[(*self.index, *[0] * (a.ndim - len(self.index)))]",
            ),
        },
    },
}  # fmt: skip
