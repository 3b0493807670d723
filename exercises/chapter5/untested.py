"""Sentences of the docstrings that no check quotes: target → why → the sentence."""

UNTESTED = {
    "optim.clip_grad_norm": {
        "says what comes in": (
            "max_norm: the greatest length that the gradients may have, a positive number.",
        ),
    },
}
