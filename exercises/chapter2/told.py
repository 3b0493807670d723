"""Mutants that are told a mistake: somebody has read its sentence beside each, and it is true.

Target → mistake → the mutant's new line; `…` at its end stands for any end.
"""

TOLD = {
    "tensor.Tensor.__init__": {
        "tensor-not-opened": ["if False:"],
        "always-float32": ["dtype = 'float32'"],
        "requires-grad-fixed": ["requires_grad = True"],
    },
    "tensor.Tensor.numpy": {
        "alias": ["return (lambda: self.data)()"],
    },
    "tensor.Tensor.detach": {
        "array": ["return self.data"],
        "requires-grad-kept": [
            "return Tensor(self.data, dtype=self.dtype)",
            "return Tensor(self.data, dtype=self.dtype, requires_grad=True)",
        ],
    },
    "tensor.Tensor.rand": {
        "low-ignored": ["low = 0.0"],
    },
    "tensor.Tensor.randb": {
        "inverted": ["values = np.random.random(shape) > p"],
        "requires-grad-dropped": [
            "return Tensor(values, device=device, dtype=dtype)",
            "requires_grad=True",
        ],
        "fair": ["p = 0.5"],
    },
    "tensor.Tensor.ones": {
        "dtype-dropped": [
            "return Tensor(np.ones(shape), device=device, requires_grad=requires_grad)",
            "dtype = 'float32'",
        ],
        "requires-grad-dropped": [
            "return Tensor(np.ones(shape), device=device, dtype=dtype)",
            "requires_grad = True",
        ],
    },
    "tensor.Tensor.zeros": {
        "dtype-dropped": [
            "return Tensor(np.zeros(shape), device=device, requires_grad=requires_grad)",
            "dtype = 'float32'",
        ],
        "requires-grad-dropped": [
            "return Tensor(np.zeros(shape), device=device, dtype=dtype)",
            "requires_grad = True",
        ],
    },
    "tensor.Tensor.one_hot": {
        "tensor-not-opened": ["if False:"],
        "floats-as-indices": ["rows = np.eye(num_classes)[indices]"],
    },
}
