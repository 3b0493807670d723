"""A Tensor that asks NumPy's less known functions."""

OPTIONS = "device=device, dtype=dtype, requires_grad=requires_grad"

UNUSUAL = {
    "tensor.Tensor.__init__": """
        match data:
            case Tensor(data=values):
                pass
            case values:
                pass
        self.data = np.empty(np.shape(values), dtype)
        self.data[...] = values
        self.requires_grad, self.grad = requires_grad, None
        self._op, self._inputs = None, []
    """,
    "tensor.Tensor.shape": "return (*map(int, self.data.shape),)",
    "tensor.Tensor.dtype": "return np.result_type(self.data)",
    "tensor.Tensor.ndim": "return sum(1 for _ in self.data.shape)",
    "tensor.Tensor.size": "return np.multiply.reduce(self.data.shape, dtype=int)",
    "tensor.Tensor.device": 'return "CPU".lower()',
    "tensor.Tensor.numpy": "import copy\nreturn copy.deepcopy(self.data)",
    "tensor.Tensor.detach": """
        twin = Tensor.__new__(Tensor)
        vars(twin).update(
            data=self.data.copy(), grad=None, requires_grad=False, _op=None, _inputs=[])
        return twin
    """,
    "tensor.Tensor.__repr__": (
        'return "Tensor(%s, requires_grad=%s)" % (self.data, self.requires_grad)'
    ),
    "tensor.Tensor.rand": f"""
        values = np.random.sample(shape)
        values *= high - low
        values += low
        return Tensor(values, {OPTIONS})
    """,
    # Box and Muller: two uniform draws make a normal one.
    "tensor.Tensor.randn": f"""
        length = np.sqrt(-2 * np.log(1 - np.random.random(shape)))
        normal = length * np.cos(2 * np.pi * np.random.random(shape))
        return Tensor(mean + std * normal, {OPTIONS})
    """,
    "tensor.Tensor.randb": f"""
        return Tensor(np.random.uniform(size=shape) >= 1 - p, {OPTIONS})
    """,
    "tensor.Tensor.ones": f"return Tensor(np.tile(1, shape), {OPTIONS})",
    "tensor.Tensor.zeros": f"return Tensor(np.logical_not(np.ones(shape)), {OPTIONS})",
    "tensor.Tensor.one_hot": f"""
        if isinstance(indices, Tensor):
            indices = indices.data
        return Tensor(np.equal.outer(indices, np.arange(num_classes)), {OPTIONS})
    """,
}
