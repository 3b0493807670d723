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

    tensor_rand = right(
        "tensor.Tensor.rand",
        f"values = np.random.rand(*shape) * (high - low) + low\nreturn Tensor(values, {OPTIONS})",
    )

    tensor_randn = right(
        "tensor.Tensor.randn",
        f"values = np.random.randn(*shape) * std + mean\nreturn Tensor(values, {OPTIONS})",
    )

    tensor_randb = right(
        "tensor.Tensor.randb",
        f"values = np.random.binomial(1, p, size=shape)\nreturn Tensor(values, {OPTIONS})",
    )

    tensor_ones = right("tensor.Tensor.ones", f"return Tensor(np.full(shape, 1.0), {OPTIONS})")

    tensor_zeros = right("tensor.Tensor.zeros", f"return Tensor(np.full(shape, 0), {OPTIONS})")

    tensor_one_hot = right(
        "tensor.Tensor.one_hot",
        "if isinstance(indices, Tensor):\n    indices = indices.numpy()\n"
        "columns = np.arange(num_classes)\n"
        f"return Tensor(np.asarray(indices)[..., None] == columns, {OPTIONS})",
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

    tensor_rand = right(
        "tensor.Tensor.rand",
        "values = np.zeros(shape)\nfor i in np.ndindex(*shape):\n"
        f"    values[i] = np.random.uniform(low, high)\nreturn Tensor(values, {OPTIONS})",
    )

    tensor_randb = right(
        "tensor.Tensor.randb",
        "values = np.zeros(shape)\nfor i in np.ndindex(*shape):\n"
        f"    values[i] = np.random.rand() < p\nreturn Tensor(values, {OPTIONS})",
    )

    tensor_one_hot = right(
        "tensor.Tensor.one_hot",
        "whole = np.array(indices.data if isinstance(indices, Tensor) else indices)\n"
        "rows = np.zeros(whole.shape + (num_classes,))\n"
        "for i in np.ndindex(*whole.shape):\n    rows[i][int(whole[i])] = 1\n"
        f"return Tensor(rows, {OPTIONS})",
    )


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

    tensor_randn = right(
        "tensor.Tensor.randn",
        "values = mean + std * np.random.standard_normal(size=shape)\n"
        f"return Tensor(values, {OPTIONS})",
    )

    tensor_randb = right(
        "tensor.Tensor.randb",
        "values = np.random.choice([True, False], size=shape, p=[p, 1 - p])\n"
        f"return Tensor(values, {OPTIONS})",
    )

    tensor_ones = right("tensor.Tensor.ones", f"return Tensor(np.zeros(shape) + 1, {OPTIONS})")

    tensor_zeros = right(
        "tensor.Tensor.zeros", f"return Tensor(np.broadcast_to(0.0, shape), {OPTIONS})"
    )

    tensor_one_hot = right(
        "tensor.Tensor.one_hot",
        "whole = np.array(indices.numpy() if isinstance(indices, Tensor) else indices, int)\n"
        "rows = np.zeros((whole.size, num_classes))\n"
        "rows[np.arange(whole.size), whole.reshape(-1)] = 1\n"
        f"return Tensor(rows.reshape((*whole.shape, num_classes)), {OPTIONS})",
    )


VARIANTS = (OTHER_FUNCTIONS, LOOPS, ASKED_ELSEWHERE)
