"""Sentences of docstrings and boxes that no check quotes: target or box → why → the sentence."""

SAID_TWICE = "a docstring promises it, too, and a check quotes that"
HOW = "says how it can be done; what comes of it is tested"
GOES_ABOUT = "says how to go about it, or why"

UNTESTED = {
    "tensor.topological_order": {
        "leaves it open": (
            "A tensor with `requires_grad=False` may be left out, with all that it was made…",
        ),
        "follows from the rest of the sentence": ("`root` is last.",),
    },
    "ops.Exp.backward": {HOW: ("which is the output itself.",)},
    "ops.unbroadcast": {HOW: ("Made of Tensor operations,",)},
    "bughunt.mended_backward": {
        "says what comes in": (
            "`node` is the tensor to start from and `grad` the gradient that arrives there.",
        ),
    },
    "box 3.1": {
        GOES_ABOUT: ("Why does `Add.backward`…",),
    },
    "box 3.2": {
        SAID_TWICE: ("Take two arrays and…",),
    },
    "box 3.11": {
        GOES_ABOUT: ("Work in this order,…",),
    },
    "box 3.13": {
        SAID_TWICE: ("`predict_diamond` returns…",),
        GOES_ABOUT: ("Just return the two…",),
    },
}
