"""Wrong bodies that break one clause of a promise alone: target → clause → the body, or an edit."""

BROKEN = {
    "scalar.Value.tanh": {
        "The hyperbolic tangent.": (
            "math.tanh(self.data)", "(math.exp(self.data) - 1) / (math.exp(self.data) + 1)",
        ),
    },
    "scalar.topological_order": {
        "Two nodes are the same only if they are the same object,": (
            ("id(node) not in seen", "(node.data, node._prev) not in seen"),
            ("seen.add(id(node))", "seen.add((node.data, node._prev))"),
        ),
        "whatever their `data`.": (
            ("id(node) not in seen", "node.data not in seen"),
            ("seen.add(id(node))", "seen.add(node.data)"),
        ),
    },
    "scalar.check_gradients": {
        "and its relative error…": (" / max(abs(grad), abs(numeric), 1e-4)", ""),
        "where g is the `grad` that `backward` leaves and n is the central difference.": (
            "(above - below) / (2 * epsilon)", "(above - result.data) / epsilon",
        ),
        "A leaf is a Value without `_prev` that is still there,…": ("not n._prev and ", ""),
    },
    "scalar.mended_limit": {
        "So no `data` changes between a forward and its `backward`,": (
            ("max(-limit, min(limit, moved))", "moved"),
            (
                "loss = loss_of()",
                "loss = loss_of()\n"
                "    for parameter in parameters:\n"
                "        parameter.data = max(-limit, min(limit, parameter.data))",
            ),
        ),
        "and after every step all parameters lie between -limit and limit.": (
            "max(-limit, min(limit, moved))", "moved",
        ),
    },
    "scalar.Value": {
        "`()` for a leaf.": {
            "scalar.Value.__init__": ("tuple(_prev)", "tuple(_prev) or None"),
        },
        "Every operator and function below makes a new Value,": {
            "scalar.Value.__pow__": ("out = ", "if exponent == 1:\n    return self\nout = "),
        },
        "and leaves the `data` of its inputs as it was.": {
            "scalar.Value.relu": (
                "out = Value(max(0.0, self.data)",
                "self.data = max(0.0, self.data)\nout = Value(self.data",
            ),
        },
    },
}  # fmt: skip
