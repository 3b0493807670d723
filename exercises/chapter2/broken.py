"""Wrong bodies that break one clause of a promise alone: target → clause → the body, or an edit."""

BROKEN = {
    "tensor.Tensor.__init__": {
        "whatever `data` had.": (
            "np.array(data, dtype=dtype)",
            "np.array(data, dtype=getattr(data, 'dtype', dtype))",
        ),
    },
    "tensor.Tensor.one_hot": {
        "`indices`: integers of any shape…": (
            "indices = indices.data", "indices = [int(index) for index in indices.data]",
        ),
        "which stays as it was;": (
            "indices = indices.data",
            "indices.data = indices.data.astype(int)\n    indices = indices.data",
        ),
    },
    "tensor.Tensor.shape": {"`()` for a single number.": "return self.data.shape or (1,)"},
}  # fmt: skip
