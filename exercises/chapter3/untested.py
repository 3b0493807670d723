"""Sentences of the docstrings that no check quotes: target → why → the sentence."""

UNTESTED = {
    "tensor.topological_order": {
        "leaves it open": (
            "A tensor with `requires_grad=False` may be left out, with all that it was made…",
        ),
    },
    "bughunt.mended_backward": {
        "says what comes in": (
            "`node` is the tensor to start from and `grad` the gradient that arrives there.",
        ),
    },
    "ops.Mul": {"says why": ("Each input is scaled by the other.",)},
}
