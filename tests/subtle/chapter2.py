"""Tensors, what they say of themselves, and creators that are almost right."""

INIT, DETACH, NUMPY = "tensor.Tensor.__init__", "tensor.Tensor.detach", "tensor.Tensor.numpy"
SHAPE, NDIM, SIZE = "tensor.Tensor.shape", "tensor.Tensor.ndim", "tensor.Tensor.size"
DTYPE, DEVICE, REPR = "tensor.Tensor.dtype", "tensor.Tensor.device", "tensor.Tensor.__repr__"
RAND, RANDN, RANDB = "tensor.Tensor.rand", "tensor.Tensor.randn", "tensor.Tensor.randb"
ONES, ZEROS, ONE_HOT = "tensor.Tensor.ones", "tensor.Tensor.zeros", "tensor.Tensor.one_hot"
OPTIONS = "device=device, dtype=dtype, requires_grad=requires_grad"

SUBTLE = {
    "whole numbers go through floats": (
        INIT, "np.array(data, dtype=dtype)", "np.array(data, dtype='float64').astype(dtype)"),
    "a copy of everything but arrays of this dtype": (
        INIT, "np.array(data, dtype=dtype)", "np.asarray(data, dtype=dtype)"),
    "other Tensors are shared": (
        INIT, "np.array(data, dtype=dtype)",
        "np.array(data, dtype=dtype, copy=not isinstance(data, np.ndarray) or None)"),
    "a number has an axis": (INIT, "np.array(data, dtype=dtype)",
                             "np.array(data, dtype=dtype, ndmin=1)"),
    "no gradient for whole numbers": (
        INIT, "self.requires_grad = requires_grad",
        "self.requires_grad = requires_grad and self.data.dtype.kind == 'f'"),
    "the inputs are None": (INIT, "list[Tensor] = []", "list[Tensor] = None"),
    "at most three axes": (SHAPE, "self.data.shape", "self.data.shape[:3]"),
    "the size of float64 values": (SIZE, "self.data.size", "self.data.nbytes // 8"),
    "a single number has no value": (
        SIZE, "return self.data.size", "return self.data.size if self.data.ndim else 0"),
    "axes of 1 do not count": (NDIM, "self.data.ndim", "sum(n != 1 for n in self.data.shape)"),
    "a scalar's type for a dtype": (DTYPE, "return self.data.dtype", "return str(self.data.dtype)"),
    "the device that was passed": (DEVICE, 'return "cpu"', 'return "CPU"'),
    "a list in between": (NUMPY, "self.data.copy()",
                          "np.array(self.data.tolist(), self.data.dtype)"),
    "a view": (NUMPY, "self.data.copy()", "self.data.view()"),
    "a copy without axes is none": (
        NUMPY, "return self.data.copy()",
        "return self.data.copy() if self.data.ndim else self.data.reshape(1).copy()"),
    "itself where it asks for nothing": (
        DETACH, "return Tensor(self.data",
        "if not self.requires_grad and self._op is None:\n    return self\n"
        "return Tensor(self.data"),
    "with the gradient of old": (
        DETACH, "return Tensor(self.data, dtype=self.dtype, requires_grad=False)",
        "out = Tensor(self.data, dtype=self.dtype, requires_grad=False)\n"
        "out.grad = self.grad\nreturn out"),
    "always float32": (DETACH, "dtype=self.dtype", "dtype='float32'"),
    "four digits": (REPR, "{self.data}", "{np.array2string(self.data, precision=4)}"),
    "small numbers are nothing": (
        REPR, "{self.data}", "{np.array2string(self.data, suppress_small=True)}"),
    "as repr prints them": (REPR, "{self.data}", "{self.data!r}"),
    "a single number between 0 and 1": (
        RAND, "np.random.uniform(low, high, shape)",
        "np.random.uniform(low, high, shape) if shape else np.random.random()"),
    "seven digits": (
        RAND, "np.random.uniform(low, high, shape)",
        "np.float32(np.random.uniform(low, high, shape))"),
    "a generator of its own": (RAND, "np.random.uniform", "np.random.default_rng().uniform"),
    "a seed of its own": (RAND, "values =", "np.random.seed(1)\nvalues ="),
    "normal numbers of seven digits": (
        RANDN, "np.random.normal(mean, std, shape)",
        "np.float32(np.random.normal(mean, std, shape))"),
    "the variance": (RANDN, "mean, std, shape", "mean, std**0.5, shape"),
    "nothing beyond three deviations": (
        RANDN, "np.random.normal(mean, std, shape)",
        "np.clip(np.random.normal(mean, std, shape), mean - 2 * std, mean + 2 * std)"),
    "whole percents": (
        RANDB, "np.random.random(shape) < p", "np.random.randint(0, 100, shape) < round(100 * p)"),
    "a mask for a row": (
        RANDB, "np.random.random(shape) < p",
        "np.broadcast_to(np.random.random(shape[:1] + (1,) * (len(shape) - 1)) < p, shape)"),
    "one for a mask that asks": (
        RANDB, "requires_grad=requires_grad", "requires_grad=bool(requires_grad and p < 0)"),
    "zeros without dtype": (ZEROS, f"{OPTIONS}", "device=device, requires_grad=requires_grad"),
    "classes below 128": (
        ONE_HOT, "np.asarray(indices, dtype=int)", "np.asarray(indices, dtype='int8')"),
    "no rows, no classes": (
        ONE_HOT, "return Tensor(rows", "rows = rows if rows.size else np.zeros(0)\n"
        "return Tensor(rows"),
    "one row for one index": (
        ONE_HOT, "np.asarray(indices, dtype=int)", "np.atleast_1d(np.asarray(indices, dtype=int))"),
    "a Tensor's indices are used up": (
        ONE_HOT, "return Tensor(rows", "if getattr(indices, 'dtype', None) == 'float32':\n"
        "    indices *= 0\nreturn Tensor(rows"),
    "the gradient of the other Tensor": (
        "tensor.Tensor.__init__",
        ("    data = data.data",
         "    self.grad, data = data.grad, data.data"),
        ("self.grad: NDArray | None = None",
         "self.grad = vars(self).get('grad')")),
    "the same copy again": (
        "tensor.Tensor.numpy", "return self.data.copy()",
        "if not hasattr(self, '_copy'):\n    self._copy = self.data.copy()\nreturn self._copy"),
    "a copy of what was there first": (
        "tensor.Tensor.numpy", "return self.data.copy()",
        "if not hasattr(self, '_copy'):\n    self._copy = self.data.copy()\nreturn "
        "self._copy.copy()"),
    "whole numbers become floats": (
        "tensor.Tensor.detach", "dtype=self.dtype",
        "dtype=np.result_type(self.dtype, 'float32')"),
    "Laplace's distribution": (
        "tensor.Tensor.randn", "np.random.normal(mean, std, shape)",
        "np.random.laplace(mean, std / 2**0.5, shape)"),
    "the logistic distribution": (
        "tensor.Tensor.randn", "np.random.normal(mean, std, shape)",
        "np.random.logistic(mean, std * 3**0.5 / np.pi, shape)"),
    "never quite sure": (
        "tensor.Tensor.randb", "< p",
        "< min(max(p, 0.01), 0.99)"),
    "indices of two axes at most": (
        "tensor.Tensor.one_hot", "rows = np.eye(num_classes)[np.asarray(indices, dtype=int)]",
        "numbers = np.asarray(indices, dtype=int)\nrows = np.eye(num_classes)[numbers.reshape("
        "len(numbers), -1) if numbers.ndim > 2 else numbers]"),
    "the Tensor's indices become integers": (
        "tensor.Tensor.one_hot", "    indices = indices.data",
        "    indices.data = indices.data.astype(int)\n    indices = indices.data"),
}  # fmt: skip
