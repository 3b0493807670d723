"""Wrong bodies that break one clause of a promise alone: target → clause → the body, or an edit."""

SEEN = "seen: set[Tensor] = set()"

BROKEN = {
    "ops.Sigmoid.forward": {
        "`1 / (1 + e⁻ᵃ)`, value by value;": ("np.exp(-np.abs(a))", "np.exp(-2 * np.abs(a))"),
    },
    "ops.Sigmoid.backward": {
        "The gradient of `a`: s·(1 - s),": ("1 - node", "1 + node"),
        "where s is the output.": """
            (a,) = node._inputs
            return out_grad * a * (1 - a)
        """,
    },
    "ops.Tanh.forward": {
        "The hyperbolic tangent of every value;": ("tanh(a)", "tanh(a / 2)"),
        "far from 0 it is -1 or 1,": ("tanh(a)", "tanh(np.where(np.abs(a) < 20, a, 0))"),
        "and never nan.": (
            "np.tanh(a)", "(np.exp(2 * a) - 1) / (np.exp(2 * a) + 1)",
        ),
    },
    "ops.Tanh.backward": {
        "The gradient of `a`: 1 - t²,": ("- out", "+ out"),
        "where t is the output.": """
            (a,) = node._inputs
            return out_grad - out_grad * a * a
        """,
    },
    "ops.Reshape.forward": {
        "The values of `a` in the shape `self.shape`;": (
            "self.shape)", 'self.shape, order="F")',
        ),
        "one axis may be -1, as in NumPy.": (
            "self.shape", "tuple(size if size >= 0 else 1 for size in self.shape)",
        ),
    },
    "ops.BroadcastTo.forward": {
        "`a` repeated to fill `self.shape`;": (
            "np.full(self.shape, a, a.dtype)", "np.resize(a, self.shape)",
        ),
    },
    "tensor.Tensor.__mul__": {
        "`self * other`, value by value;": ("ops.mul(", "ops.matmul("),
        "`other` is a Tensor or a number.": (
            "ops.mul_scalar(self, number(other))", "ops.mul(self, other)",
        ),
    },
    "tensor.Tensor.transpose": {
        "The last two axes swapped;": (
            "self, axes", "self, tuple(reversed(range(self.ndim))) if axes is None else axes",
        ),
        "or, with `axes`, the axes in that order.": ("self, axes", "self"),
    },
    "tensor.Tensor.sum": {
        "over all of them);": ("self, axes", "self, -1 if axes is None else axes"),
        "these axes are gone in the result.": (
            "ops.summation(self, axes)",
            "ops.reshape(\n"
            "    ops.summation(self, axes), self.data.sum(axis=axes, keepdims=True).shape\n"
            ")",
        ),
    },
    "tensor.topological_order": {
        "The tensors stay as they are,": (
            "order.append(node)", "order.append(node)\n        node.grad = 0",
        ),
        "so the next call finds the same.": (
            SEEN, 'seen = topological_order.__dict__.setdefault("seen", set())',
        ),
    },
}  # fmt: skip
