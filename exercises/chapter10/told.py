"""Mutants that are told a mistake: somebody has read its sentence beside each, and it is true.

Target → mistake → the mutant's new line; `…` at its end stands for any end.
"""

TOLD = {
    "ops.Dilate.forward": {
        "tuple-only": ["for axis in (self.axes,) if False else self.axes:"],
    },
    "ops.Pad.backward": {
        "not-cut": ["return out_grad", "return getitem(out_grad, tuple())"],
    },
    "ops.Slice.backward": {
        "step-ignored": ["if each.step < 1:", "grad = grad"],
    },
    "ops.Dilate.backward": {
        "tuple-only": ["for axis in (self.axes,) if False else self.axes:"],
        "not-picked": [
            "no: every[axis] = slice(None, None, self.step)",
            "every[axis] = slice(None, None)",
            "return out_grad",
            "return getitem(out_grad, tuple())",
        ],
    },
    "ops.Max.backward": {
        "ties-double": ["shares = largest"],
        "to-everyone": ["return Summation(self.axes).backward(out_grad, node)"],
        "forgot-out-grad": ["return shares"],
    },
    "tensor.Tensor.max": {
        "axes-ignored": ["axes = None"],
    },
    "ops.Conv.forward": {
        "no-padding": ["a = a"],
        "last-place-left-out": [
            "rows, columns = ((a.shape[1] - height) // s, (a.shape[2] - width) // s + 1)",
            "rows, columns = ((a.shape[1] - height) // s + 0, (a.shape[2] - width) // s + 1)",
        ],
        "nothing-fits": [
            "if False:",
            "if min(rows, columns) < 1 and a.shape[3] != channels:",
            "if a.shape[3] != channels:",
            "if max(rows, columns) < 1 or a.shape[3] != channels:",
            "if min(rows, columns) < 0 or a.shape[3] != channels:",
            "no: raise ValueError(f'kernels {b.shape} do not fit into padded images {a.shape}')",
        ],
    },
    "ops.Conv.backward": {
        "no-dilation": ["spread = out_grad"],
        "channels-not-swapped": ["grad_a = conv(around, flip(b, (0, 1)))"],
        "no-flip": ["grad_a = conv(around, transpose(b, (0, 1, 3, 2)))"],
        "padding-not-cut": ["grad_a = grad_a"],
    },
    "nn.Conv.__init__": {
        "stride-not-kept": ["stride = 1"],
        "always-a-bias": ["bias = True"],
        "own-dtype": ["dtype = 'float32'"],
    },
    "nn.Conv.forward": {
        "needs-a-bias": ["if True:"],
        "no-bias": ["if False:", "out = out"],
    },
    "nn.tiles": {
        "remainder-kept": ["x = x"],
        "axes-swapped": ["return x.reshape(batch, channels, rows, size, size, columns)"],
    },
    "nn.AvgPool2d.forward": {
        "divided-by-the-side": [
            "return tiles(x, self.kernel_size).sum((3, 5)) / self.kernel_size ** 1"
        ],
    },
}
