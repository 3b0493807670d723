"""Mutants that may live: why each is as right as the reference, or what is left open there.

Target → reason → the line that a mutant says instead; `…` at its end stands for any end.
"""

DEVICE = "`device` is accepted and changes nothing"
NARROW = "no dtype is promised of a node: packages whose results are all float32 are right"
FLOAT32 = "a gradient may go through float32, the default of a Tensor that a rule makes"
ITSELF = "every call gives this module"
WORDING = "the wording of the message is free"


def narrow(*results: str) -> tuple[str, ...]:
    return tuple(f"return cast({result}, 'float32')" for result in results)


def narrow_gradient(result: str) -> tuple[str, ...]:
    return *narrow(result), f"return cast({result}, 'float32', and_back=True)"


NORMALIZED = "centred / ops.sqrt(variance + self.eps) * self.weight + self.bias"

EQUIVALENT = {
    "nn.Parameter.__init__": {
        DEVICE: (
            "last device in place of its default", "device = None",
            "super().__init__(data, dtype=dtype, requires_grad=requires_grad)",
        ),
    },
    "nn.collect": {"the order is free": ("stack.extend(thing)",)},
    "nn.Module.train": {ITSELF: ("return kept(self, self)",)},
    "nn.Module.eval": {ITSELF: ("return kept(self.train(False), self)",)},
    "nn.ReLU.forward": {NARROW: narrow("ops.relu(x)")},
    "nn.Flatten.forward": {NARROW: narrow("x.reshape(batch, math.prod(rest))")},
    "nn.Linear.forward": {NARROW: narrow("out if self.bias is None else out + self.bias")},
    "nn.Sequential.forward": {NARROW: narrow("x")},
    "nn.Residual.forward": {NARROW: narrow("x + self.fn(x)")},
    "nn.Dropout.forward": {
        NARROW: narrow("x", "x * (kept / (1 - self.p))"),
        "a truth divided by a number is a float": (
            "kept = Tensor.randb(*x.shape, p=1 - self.p)",
        ),
    },
    "nn.LayerNorm1d.forward": {NARROW: narrow(NORMALIZED)},
    "nn.BatchNorm1d.__init__": {
        "no check has a number of NumPy's for it": ("self.momentum = momentum",),
    },
    "nn.BatchNorm1d.forward": {NARROW: narrow(NORMALIZED), WORDING: ("raise ValueError()",)},
    "ops.LogSumExp.forward": {
        "a number of NumPy's is as good as an array without axes": (
            "return np.log(total) + largest.reshape(total.shape)",
        ),
    },
    "ops.LogSumExp.backward": {
        FLOAT32: narrow_gradient("spread(out_grad, node) * exp(a - spread(node, node))"),
    },
    "ops.LogSoftmax.backward": {FLOAT32: narrow_gradient("out_grad - exp(node) * total")},
    "nn.MSELoss.forward": {
        WORDING: ("raise ValueError()",),
        "a square has no sign": ("difference = targets - predictions",),
        NARROW: narrow("(difference * difference).sum() / predictions.size"),
    },
    "nn.SoftmaxLoss.forward": {
        "float32 holds 0 and 1 exactly": ("right = Tensor.one_hot(y, classes)",),
        NARROW: narrow("(ops.log_softmax(logits) * right).sum() / -batch"),
    },
}  # fmt: skip
