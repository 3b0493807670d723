"""Right solutions of chapter 2 that are written in other ways than the reference."""

from grader.course import right, variant

OPTIONS = "device=device, dtype=dtype, requires_grad=requires_grad"


# Other functions of NumPy for the same thing, and answers that are NumPy's own numbers.
@variant("other-functions")
class OTHER_FUNCTIONS:
    @right("tensor.Tensor.__init__")
    def tensor_init(self, data, *, device, dtype, requires_grad):
        source = data.numpy() if isinstance(data, Tensor) else data
        self.data = np.asarray(source).astype(np.dtype(dtype), copy=True)
        self._op, self._inputs = None, []
        self.requires_grad = bool(requires_grad)
        self.grad = None

    tensor_shape = right(
        "tensor.Tensor.shape", "return tuple(int(size) for size in np.shape(self.data))"
    )

    tensor_ndim = right("tensor.Tensor.ndim", "return len(self.data.shape)")

    tensor_size = right("tensor.Tensor.size", "return np.prod(self.data.shape)")

    tensor_numpy = right("tensor.Tensor.numpy", "return np.array(self.data)")

    @right("tensor.Tensor.detach")
    def tensor_detach(self):
        out = Tensor(self.numpy(), dtype=str(self.data.dtype))
        out.requires_grad = False
        return out

    tensor_repr = right(
        "tensor.Tensor.__repr__",
        "return 'Tensor(' + str(self.data) + ', requires_grad=' + str(self.requires_grad) + ')'",
    )

    @right("tensor.Tensor.rand")
    def tensor_rand(*shape, low, high, device, dtype, requires_grad):
        values = np.random.rand(*shape) * (high - low) + low
        return Tensor(values, device=device, dtype=dtype, requires_grad=requires_grad)

    @right("tensor.Tensor.randn")
    def tensor_randn(*shape, mean, std, device, dtype, requires_grad):
        values = np.random.randn(*shape) * std + mean
        return Tensor(values, device=device, dtype=dtype, requires_grad=requires_grad)

    @right("tensor.Tensor.randb")
    def tensor_randb(*shape, p, device, dtype, requires_grad):
        values = np.random.binomial(1, p, size=shape)
        return Tensor(values, device=device, dtype=dtype, requires_grad=requires_grad)

    tensor_ones = right("tensor.Tensor.ones", f"return Tensor(np.full(shape, 1.0), {OPTIONS})")

    tensor_zeros = right("tensor.Tensor.zeros", f"return Tensor(np.full(shape, 0), {OPTIONS})")

    @right("tensor.Tensor.one_hot")
    def tensor_one_hot(indices, num_classes, *, device, dtype, requires_grad):
        if isinstance(indices, Tensor):
            indices = indices.numpy()
        columns = np.arange(num_classes)
        return Tensor(
            np.asarray(indices)[..., None] == columns,
            device=device,
            dtype=dtype,
            requires_grad=requires_grad,
        )


# Value by value, as somebody writes it who does not know NumPy's shortcuts.
@variant("loops")
class LOOPS:
    @right("tensor.Tensor.size")
    def tensor_size(self):
        count = 1
        for size in self.data.shape:
            count *= size
        return count

    @right("tensor.Tensor.rand")
    def tensor_rand(*shape, low, high, device, dtype, requires_grad):
        values = np.zeros(shape)
        for i in np.ndindex(*shape):
            values[i] = np.random.uniform(low, high)
        return Tensor(values, device=device, dtype=dtype, requires_grad=requires_grad)

    @right("tensor.Tensor.randb")
    def tensor_randb(*shape, p, device, dtype, requires_grad):
        values = np.zeros(shape)
        for i in np.ndindex(*shape):
            values[i] = np.random.rand() < p
        return Tensor(values, device=device, dtype=dtype, requires_grad=requires_grad)

    @right("tensor.Tensor.one_hot")
    def tensor_one_hot(indices, num_classes, *, device, dtype, requires_grad):
        whole = np.array(indices.data if isinstance(indices, Tensor) else indices)
        rows = np.zeros(whole.shape + (num_classes,))
        for i in np.ndindex(*whole.shape):
            rows[i][int(whole[i])] = 1
        return Tensor(rows, device=device, dtype=dtype, requires_grad=requires_grad)


# What an array says of itself, asked elsewhere; masks and pieces; numbers by their inverse.
@variant("asked elsewhere")
class ASKED_ELSEWHERE:
    @right("tensor.Tensor.__init__")
    def tensor_init(self, data, *, device, dtype, requires_grad):
        values = np.array(data.data if isinstance(data, Tensor) else data)
        vars(self).update(
            data=values.astype(dtype),
            grad=None,
            requires_grad=requires_grad,
            _op=None,
            _inputs=[],
            _device=device,
        )

    tensor_dtype = right("tensor.Tensor.dtype", "return np.dtype(self.data.dtype.name)")

    tensor_device = right("tensor.Tensor.device", "return str('cpu')")

    tensor_ndim = right("tensor.Tensor.ndim", "return np.ndim(self.data)")

    @right("tensor.Tensor.numpy")
    def tensor_numpy(self):
        out = np.empty_like(self.data)
        out[...] = self.data
        return out

    @right("tensor.Tensor.detach")
    def tensor_detach(self):
        out = Tensor(self, dtype=self.data.dtype)
        out.requires_grad = False
        return out

    tensor_repr = right(
        "tensor.Tensor.__repr__",
        "return 'Tensor({}, requires_grad={!r})'.format(str(self.data), self.requires_grad)",
    )

    @right("tensor.Tensor.randn")
    def tensor_randn(*shape, mean, std, device, dtype, requires_grad):
        values = mean + std * np.random.standard_normal(size=shape)
        return Tensor(values, device=device, dtype=dtype, requires_grad=requires_grad)

    @right("tensor.Tensor.randb")
    def tensor_randb(*shape, p, device, dtype, requires_grad):
        values = np.random.choice([True, False], size=shape, p=[p, 1 - p])
        return Tensor(values, device=device, dtype=dtype, requires_grad=requires_grad)

    tensor_ones = right("tensor.Tensor.ones", f"return Tensor(np.zeros(shape) + 1, {OPTIONS})")

    tensor_zeros = right(
        "tensor.Tensor.zeros", f"return Tensor(np.broadcast_to(0.0, shape), {OPTIONS})"
    )

    @right("tensor.Tensor.one_hot")
    def tensor_one_hot(indices, num_classes, *, device, dtype, requires_grad):
        whole = np.array(indices.numpy() if isinstance(indices, Tensor) else indices, int)
        rows = np.zeros((whole.size, num_classes))
        rows[np.arange(whole.size), whole.reshape(-1)] = 1
        return Tensor(
            rows.reshape((*whole.shape, num_classes)),
            device=device,
            dtype=dtype,
            requires_grad=requires_grad,
        )


VARIANTS = (OTHER_FUNCTIONS, LOOPS, ASKED_ELSEWHERE)
