"""Sentences of the docstrings that no check quotes: target → why → the sentence."""

UNTESTED = {
    "tensor.Tensor.rand": {
        "it happens once in 33 million draws": ("Rounded to `dtype`, a draw…",),
    },
    "tensor.Tensor.__init__": {
        "there is one device only": ("device: accepted for the sake of later engines;…",),
    },
}
