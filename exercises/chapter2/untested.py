"""Sentences of the docstrings that no check quotes: target → why → the sentence."""

UNTESTED = {
    "tensor.Tensor.rand": {
        "it happens once in 33 million draws": ("Rounded to `dtype`, a draw…",),
    },
    "tensor.Tensor.randb": {"says what for": ("a mask, such as dropout needs.",)},
    "tensor.Tensor.__init__": {
        "there is one device only": ("device: accepted for the sake of later engines;…",),
    },
    "tensor.Tensor": {
        "is set by code that is given": (
            "_op: the `Function` that made this tensor;",
            "_inputs: the tensors that `_op` was called with;",
        ),
    },
}
