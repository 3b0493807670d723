"""A Tensor that asks NumPy's less known functions."""

from grader.course import right, variant

OPTIONS = "device=device, dtype=dtype, requires_grad=requires_grad"


@variant("unusual words")
class UNUSUAL:
    @right("tensor.Tensor.__init__")
    def tensor_init(self, data, *, device, dtype, requires_grad):
        match data:
            case Tensor(data=values):
                pass
            case values:
                pass
        self.data = np.empty(np.shape(values), dtype)
        self.data[...] = values
        self.requires_grad, self.grad = requires_grad, None
        self._op, self._inputs = None, []

    tensor_shape = right("tensor.Tensor.shape", "return (*map(int, self.data.shape),)")

    tensor_dtype = right("tensor.Tensor.dtype", "return np.result_type(self.data)")

    tensor_ndim = right("tensor.Tensor.ndim", "return sum(1 for _ in self.data.shape)")

    tensor_size = right(
        "tensor.Tensor.size", "return np.multiply.reduce(self.data.shape, dtype=int)"
    )

    tensor_device = right("tensor.Tensor.device", 'return "CPU".lower()')

    @right("tensor.Tensor.numpy")
    def tensor_numpy(self):
        import copy

        return copy.deepcopy(self.data)

    @right("tensor.Tensor.detach")
    def tensor_detach(self):
        twin = Tensor.__new__(Tensor)
        vars(twin).update(
            data=self.data.copy(), grad=None, requires_grad=False, _op=None, _inputs=[]
        )
        return twin

    tensor_repr = right(
        "tensor.Tensor.__repr__",
        'return "Tensor(%s, requires_grad=%s)" % (self.data, self.requires_grad)',
    )

    @right("tensor.Tensor.rand")
    def tensor_rand(*shape, low, high, device, dtype, requires_grad):
        values = np.random.sample(shape)
        values *= high - low
        values += low
        return Tensor(values, device=device, dtype=dtype, requires_grad=requires_grad)

    # Box and Muller: two uniform draws make a normal one.
    @right("tensor.Tensor.randn")
    def tensor_randn(*shape, mean, std, device, dtype, requires_grad):
        length = np.sqrt(-2 * np.log(1 - np.random.random(shape)))
        normal = length * np.cos(2 * np.pi * np.random.random(shape))
        return Tensor(mean + std * normal, device=device, dtype=dtype, requires_grad=requires_grad)

    @right("tensor.Tensor.randb")
    def tensor_randb(*shape, p, device, dtype, requires_grad):
        ones = np.random.uniform(size=shape) >= 1 - p
        return Tensor(ones, device=device, dtype=dtype, requires_grad=requires_grad)

    tensor_ones = right("tensor.Tensor.ones", f"return Tensor(np.tile(1, shape), {OPTIONS})")

    tensor_zeros = right(
        "tensor.Tensor.zeros", f"return Tensor(np.logical_not(np.ones(shape)), {OPTIONS})"
    )

    @right("tensor.Tensor.one_hot")
    def tensor_one_hot(indices, num_classes, *, device, dtype, requires_grad):
        if isinstance(indices, Tensor):
            indices = indices.data
        return Tensor(
            np.equal.outer(indices, np.arange(num_classes)),
            device=device,
            dtype=dtype,
            requires_grad=requires_grad,
        )
