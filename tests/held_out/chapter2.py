"""Wrong bodies of chapter 2 written without knowledge of its suites, and unusual right ones."""

SECOND_CALL = {
    # "A copy": the array of the first call holds the values of the second.
    "numpy fills the same array again": (
        "tensor.Tensor.numpy",
        """\
kept = self.__dict__.get("_copy")
if kept is None or kept.shape != self.shape or kept.dtype != self.dtype:
    kept = self._copy = np.empty_like(self.data)
kept[...] = self.data
return kept""",
    ),
    # "The NumPy dtype of the values": values of another dtype in `data` go unnoticed.
    "the dtype is noted at the first look": (
        "tensor.Tensor.dtype",
        """\
if not hasattr(self, "_dtype"):
    self._dtype = self.data.dtype
return self._dtype""",
    ),
    # "A tensor of this shape that holds 1 everywhere": not after somebody wrote into an earlier.
    "ones are made once for a shape": (
        "tensor.Tensor.ones",
        """\
made = Tensor.ones.__dict__.setdefault("made", {})
key = shape, np.dtype(dtype), requires_grad
if key not in made:
    made[key] = Tensor(np.ones(shape), dtype=dtype, requires_grad=requires_grad)
return made[key]""",
    ),
    # Chapter: "`np.random.seed` makes them repeatable": a seed after the first call does nothing.
    "the seed is read at the first draw": (
        "tensor.Tensor.rand",
        """\
own = Tensor.rand.__dict__
if "stream" not in own:
    own["stream"] = np.random.default_rng(np.random.randint(2**31))
values = own["stream"].uniform(low, high, shape)
return Tensor(values, device=device, dtype=dtype, requires_grad=requires_grad)""",
    ),
    # "`_inputs` is []": what is put into the list of one leaf is in that of every other.
    "all leaves share one empty list": (
        "tensor.Tensor.__init__",
        (
            "self._inputs: list[Tensor] = []",
            'self._inputs = Tensor.__init__.__dict__.setdefault("nothing", [])',
        ),
    ),
}

SETTING = {
    # Chapter: values "must not go through" another dtype: 2**53 + 1 needs all bits of int64.
    "whole numbers go through float64": (
        "tensor.Tensor.__init__",
        (
            "self.data = np.array(data, dtype=dtype)",
            'self.data = np.array(data, dtype="float64").astype(dtype)',
        ),
    ),
    # "Make a leaf that holds its own copy": of a subclass of ndarray it holds a view.
    "a copy is made only of the very same array": (
        "tensor.Tensor.__init__",
        (
            "self.data = np.array(data, dtype=dtype)",
            "self.data = np.asarray(data, dtype=dtype)\n"
            "if self.data is data:\n"
            "    self.data = data.copy()",
        ),
    ),
    # Chapter: "shape (0, 3) has two axes": a list of no rows has one.
    "axes are counted in the nested list": (
        "tensor.Tensor.ndim",
        "return np.ndim(self.data.tolist())",
    ),
    # Chapter: shape (0, 3) has "no values at all": here it has three.
    "an axis of size 0 counts as 1": (
        "tensor.Tensor.size",
        """\
count = 1
for length in self.shape:
    count *= length or 1
return count""",
    ),
}

VARIETY = {
    # "VALUES as str(self.data) prints them": a matrix has a line for each row.
    "a matrix is printed in one line": (
        "tensor.Tensor.__repr__",
        """\
values = str(self.data).replace("\\n", "")
return f"Tensor({values}, requires_grad={self.requires_grad})\"""",
    ),
    # "True with probability p": 0.001 becomes one per cent.
    "the probability is in whole per cent": (
        "tensor.Tensor.randb",
        (
            "np.random.random(shape) < p",
            "np.random.randint(0, 100, shape) < 100 * p",
        ),
    ),
    # "Values drawn from a normal distribution" lie beyond three deviations, too.
    "no value lies beyond three deviations": (
        "tensor.Tensor.randn",
        (
            "np.random.normal(mean, std, shape)",
            "np.clip(np.random.normal(mean, std, shape), mean - 3 * std, mean + 3 * std)",
        ),
    ),
    # "`num_classes` as one more axis": with every index below it, fewer columns come back.
    "columns without a 1 at the end are cut off": (
        "tensor.Tensor.one_hot",
        (
            "rows = np.eye(num_classes)[np.asarray(indices, dtype=int)]",
            "indices = np.asarray(indices, dtype=int)\n"
            "rows = np.eye(int(indices.max()) + 1)[indices]",
        ),
    ),
}

HALF_PROMISE = {
    # "Indices as a Tensor, which stays as it was": its dtype is another afterwards.
    "the Tensor of labels becomes whole numbers": (
        "tensor.Tensor.one_hot",
        (
            "indices = indices.data",
            "indices.data = indices.data.astype(int)\n    indices = indices.data",
        ),
    ),
    # "The same values and dtype": the dtype is float64, the values have the digits of float32.
    "detach goes through float32": (
        "tensor.Tensor.detach",
        """\
out = Tensor(self.data, requires_grad=False)
out.data = out.data.astype(self.dtype)
return out""",
    ),
    # "A new leaf": a tensor that needs no gradient is handed back itself.
    "what needs no gradient is its own detached copy": (
        "tensor.Tensor.detach",
        """\
if not self.requires_grad and self._op is None:
    return self
return Tensor(self.data, dtype=self.dtype, requires_grad=False)""",
    ),
}

RIGHT = {
    "one-hot rows by comparing": (
        "tensor.Tensor.one_hot",
        """\
named = Tensor(indices, dtype="float64").data
rows = named.reshape(*named.shape, 1) == np.arange(num_classes)
return Tensor(rows, device=device, dtype=dtype, requires_grad=requires_grad)""",
    ),
    "normal values from pairs of uniform ones": (
        "tensor.Tensor.randn",
        """\
radius = np.sqrt(-2 * np.log(1 - np.random.random_sample(shape)))
values = mean + std * radius * np.cos(2 * np.pi * np.random.random_sample(shape))
return Tensor(values, device=device, dtype=dtype, requires_grad=requires_grad)""",
    ),
    "values by way of their bytes": (
        "tensor.Tensor.numpy",
        """\
return np.frombuffer(bytearray(self.data.tobytes()), self.data.dtype).reshape(self.data.shape)""",
    ),
    "a detached leaf without a constructor": (
        "tensor.Tensor.detach",
        """\
out = Tensor.__new__(Tensor)
for name, value in {"grad": None, "requires_grad": False, "_op": None, "_inputs": []}.items():
    setattr(out, name, value)
out.data = np.empty(self.data.shape, self.data.dtype)
np.copyto(out.data, self.data)
return out""",
    ),
    "zeros that are False first": (
        "tensor.Tensor.zeros",
        """\
return Tensor(
    np.broadcast_to(np.False_, shape), dtype=dtype, requires_grad=requires_grad, device=device
)""",
    ),
}
