"""Wrong bodies that break one clause of a promise alone: target → clause → the body, or an edit."""

MADE = "super().__init__(data, device=device, dtype=dtype, requires_grad=requires_grad)"

BROKEN = {
    "nn.Parameter.__init__": {
        "None keeps the dtype of a Tensor;": (
            'data.dtype if isinstance(data, Tensor) else "float32"', '"float32"',
        ),
        "anything else becomes float32.": (
            'data.dtype if isinstance(data, Tensor) else "float32"',
            'getattr(data, "dtype", "float32")',
        ),
        "requires_grad: True,": ("requires_grad=requires_grad", "requires_grad=False"),
        "whatever `data` had,": (
            "requires_grad=requires_grad",
            "requires_grad=requires_grad and getattr(data, 'requires_grad', True)",
        ),
        "A parameter is always a leaf,": (
            MADE, f"{MADE}\nself.grad = getattr(data, 'grad', None)",
        ),
        "even when `data` is a Tensor that was computed.": (
            MADE,
            f"{MADE}\n"
            "if isinstance(data, Tensor):\n    self._op, self._inputs = data._op, data._inputs",
        ),
    },
    "nn.collect": {
        "No other object is looked into.": (
            "isinstance(thing, Module)", "hasattr(thing, '__dict__')",
        ),
    },
    "nn.Flatten.forward": {
        "`(batch, a, b, …)` becomes `(batch, a·b·…)`;": (
            "(batch, math.prod(rest))", "(batch * math.prod(rest))",
        ),
        "the values keep their order.": ("x.reshape", "x.transpose().reshape"),
    },
    "nn.LayerNorm1d.forward": {
        "the variance is the biased one, the mean squared distance (divide by `dim`).": (
            "((centred * centred).sum(1) / dim).reshape(batch, 1)",
            "((x * x).sum(1) / dim).reshape(batch, 1) - mean * mean",
        ),
    },
    "nn.BatchNorm1d.forward": {
        "In training mode `mean` and `variance` are those of each column of this batch;": (
            ("x.sum(0) / batch", "x.sum() / x.size"),
            ("(centred * centred).sum(0) / batch", "(centred * centred).sum() / x.size"),
        ),
        "the variance is the biased one (divide by `batch`),": (
            "(centred * centred).sum(0) / batch", "(centred * centred).sum(0) / (batch - 1)",
        ),
        "Then each running statistic becomes…": ("1 - self.momentum, self", "1, self"),
        "there, `new` is the mean,": ("new * mean.data", "new * x.data[-1]"),
        "and the unbiased variance (divide by `batch - 1`).": (" * (batch / (batch - 1))", ""),
    },
    "ops.LogSoftmax.forward": {
        "without an axis given, the last one.": """
            axis = None if self.axis == -1 else self.axis
            shifted = a - a.max(axis=axis, keepdims=True)
            return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))
        """,
    },
}  # fmt: skip
