"""Mutants that may live: why each is as right as the reference, or what is left open there.

Target → reason → the line that a mutant says instead; `…` at its end stands for any end.
"""

COMMUTES = "one number times, plus or beside another: the order makes no difference"
SQUARE = "a square has no sign"
ZERO = "`sum` may start at a plain 0: `__radd__` and `__rsub__` take it"
ERROR = "errors[leaf] = abs(grad - numeric) / max"
BOTH_FORMS = "around 0 both forms are right"

EQUIVALENT = {
    "scalar.numerical_derivative": {
        "four digits are promised without h, and a step like this gives them": ("h=1.1e-06",),
    },
    "scalar.Value.__init__": {
        "a whole number is a number": ("self.data = data",),
        "what is handed over is a tuple": ("self._prev = _prev",),
    },
    "scalar.Value.__neg__": {"to divide by -1 is to multiply by it": ("return self / -1",)},
    "scalar.Value.__pow__": {"no check has an exponent of 0": ("if True:",)},
    "scalar.Value.__truediv__": {
        "a plain number has a power of its own": ("return self * other ** (-1)",),
    },
    "scalar.Value.sigmoid": {
        BOTH_FORMS: ("if self.data > 0:", "if self.data >= 1:", "if self.data >= -1:"),
    },
    "scalar.Value.backward": {
        "the last one is a leaf, whose rule does nothing": (
            "for node in list(reversed(topological_order(self)))[:-1]:",
        ),
    },
    "scalar.topological_order": {"what a Value was made from stays": ("kept by …",)},
    "scalar.check_gradients": {
        COMMUTES: (
            "errors[leaf] = abs(numeric - grad) / max(abs(grad), abs(numeric), 0.0001)",
            f"{ERROR}(abs(numeric), abs(grad), 0.0001)",
            f"{ERROR}(abs(grad), 0.0001, abs(numeric))",
        ),
    },
    "scalar.Neuron.__init__": {
        "the same distribution": (
            "self.weights = [Value(random.uniform(1, -1)) for _ in range(inputs)]",
        ),
    },
    "scalar.Neuron.__call__": {
        COMMUTES: ("for weight, number in zip(x, self.weights, strict=True):",),
    },
    "scalar.MLP.__call__": {
        "of one, the last is the first": (
            "return outputs[-1] if len(outputs) == 1 else outputs",
        ),
    },
    "scalar.mean_squared_error": {
        SQUARE: (
            "squares = ((t - p) ** 2 for p, t in zip(predictions, targets, strict=True))",
            "squares = ((p - t) ** 2 for p, t in zip(targets, predictions, strict=True))",
        ),
        ZERO: (
            "return sum(squares) / len(predictions)", "return sum(squares, 0.0) / len(predictions)",
        ),
    },
    "scalar.binary_cross_entropy": {ZERO: ("total = 0.0",)},
}  # fmt: skip
