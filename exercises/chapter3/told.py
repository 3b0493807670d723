"""Mutants that are told a mistake: somebody has read its sentence beside each, and it is true.

Target → mistake → the mutant's new line; `…` at its end stands for any end.
"""

TOLD = {
    "tensor.Tensor.__add__": {
        "number-as-tensor": ["if True:", "if other:", "if Tensor:"],
    },
    "tensor.Tensor.__sub__": {
        "sign-of-number": ["return ops.add_scalar(self, number(other))"],
    },
    "tensor.Tensor.__mul__": {
        "number-as-tensor": ["if True:", "if other:", "if Tensor:"],
    },
    "tensor.Tensor.__truediv__": {
        "swapped": ["return ops.divide(other, self)"],
    },
    "tensor.Tensor.__pow__": {
        "number-as-tensor": ["if True:", "if other:", "if Tensor:"],
        "swapped": ["return ops.power(other, self)"],
    },
    "tensor.Tensor.__rsub__": {
        "forgot-minus": ["return ops.add_scalar(self, number(other))"],
    },
    "ops.Pow.backward": {
        "exponent-not-reduced": [
            "return (out_grad * b * a ** b, out_grad * node * log(a))",
            "return (out_grad * b * a ** (b - 0), out_grad * node * log(a))",
        ],
    },
    "ops.Abs.backward": {
        "forgot-sign": ["return out_grad"],
        "forgot-out-grad": ["return Tensor(np.sign(a.data), dtype=a.dtype, requires_grad=False)"],
        "value-for-sign": ["return out_grad * Tensor(a.data, dtype=a.dtype, requires_grad=False)"],
    },
    "ops.ReLU.backward": {
        "forgot-mask": ["return out_grad"],
        "forgot-out-grad": ["return Tensor(a.data > 0, dtype=a.dtype, requires_grad=False)"],
        "one-at-zero": [
            "return out_grad * Tensor(a.data >= 0, dtype=a.dtype, requires_grad=False)"
        ],
    },
    "ops.Tanh.backward": {
        "not-squared": ["return out_grad - out_grad * node"],
    },
    "ops.Reshape.backward": {
        "shape-of-output": ["return out_grad"],
    },
    "tensor.Tensor.reshape": {
        "numbers-only": [
            "if False:",
            "if len(shape) != 1 and isinstance(shape[0], (tuple, list, np.ndarray)):",
            "if shape == 1 and isinstance(shape[0], (tuple, list, np.ndarray)):",
            "if len(shape) == 2 and isinstance(shape[0], (tuple, list, np.ndarray)):",
            "if len(shape) == 0 and isinstance(shape[0], (tuple, list, np.ndarray)):",
            "shape = tuple(shape)",
        ],
    },
    "ops.Transpose.forward": {
        "axes-ignored": ["if True:"],
        "reversed": ["if False:"],
    },
    "ops.Transpose.backward": {
        "axes-ignored": ["if True:", "return transpose(out_grad)"],
        "none-unhandled": ["if False:"],
        "same-permutation": ["return transpose(out_grad, tuple((int(axis) for axis in axes)))"],
    },
    "tensor.Tensor.transpose": {
        "axes-dropped": ["axes = None"],
    },
    "ops.Summation.forward": {
        "axes-ignored": ["return np.asarray(a.sum())"],
        "mean": ["return np.asarray(a.mean(axis=self.axes))"],
    },
    "ops.Summation.backward": {
        "none-unhandled": ["axes = range(a.ndim) if False else self.axes"],
        "negative-axis": [
            "summed = {axis for axis in ((axes,) if isinstance(axes, int) else axes)}"
        ],
        "reshaped": [
            "summed = {a.ndim for axis in ((axes,) if isinstance(axes, int) else axes)}",
            "kept = tuple((1 if False else size for axis, size in enumerate(a.shape)))",
        ],
        "tuple-only": ["summed = {axis % a.ndim for axis in ((axes,) if False else axes)}"],
        "axis-not-put-back": ["return broadcast_to(out_grad, a.shape)"],
    },
    "tensor.Tensor.sum": {
        "axes-dropped": ["axes = None"],
    },
    "ops.BroadcastTo.forward": {
        "fewer-axes": [
            "if False:",
            "no: raise ValueError(f'{a.shape} does not broadcast to {self.shape}: it "
            "has more axes')",
        ],
    },
    "ops.BroadcastTo.backward": {
        "added-only-reshaped": [
            "stretched = [added + axis for axis, size in enumerate(a.shape) if size == 0]"
        ],
    },
    "ops.PowerScalar.forward": {
        "swapped": ["return np.power(float(self.scalar), a)"],
    },
    "ops.PowerScalar.backward": {
        "power-left-out": [
            "return out_grad * (a * self.scalar)",
            "return out_grad * (a ** 1 * self.scalar)",
        ],
        "exponent-not-reduced": [
            "return out_grad * (a ** self.scalar * self.scalar)",
            "return out_grad * (a ** (self.scalar - 0) * self.scalar)",
        ],
    },
    "tensor.Tensor.backward": {
        "grad-ignored": ["if True:", "grad = None"],
        "not-reversed": ["for node in filter(arrived.__contains__, topological_order(self)):"],
        "call-overwritten": [
            "node.grad = np.array(total if True else node.grad + total)",
            "node.grad = np.array(total if node.grad is None else total)",
        ],
        "bare-tensor": ["if False:"],
        "path-overwritten-in-order": [
            "arrived[source] = arrived[source] + gradient if False else gradient",
            "arrived[source] = gradient if source in arrived else gradient",
        ],
    },
    "ops.unbroadcast": {
        "not-summed": ["if True:", "if grad.shape != shape:", "summed = grad"],
        "added-only": ["stretched = [i + added for i, size in enumerate(shape) if size == 0]"],
    },
}
