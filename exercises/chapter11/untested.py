"""Sentences of docstrings and boxes that no check quotes: target or box → why → the sentence."""

COMES_IN = "says what comes in"
GIVEN = "is set by code that is given"

UNTESTED = {
    "engines.grad_fn.unbroadcast": {
        "says why": ("A value that was used in many places sums what comes back from each.",),
    },
    "engines.grad_fn.backward_in_order": {
        "says how it can be done; what comes of it is tested": ("It works on rules alone",),
    },
    "engines.apply.Function.apply": {
        "says why": (
            "NumPy makes one of an array without axes,", "and a number is no ndarray.",
        ),
    },
    "engines.grad_fn.train_step": {
        COMES_IN: (
            "model: called with a Tensor of `x`, it gives logits; it has `parameters()`.",
            "x: one row per sample.", "y: the right class of each row.",
        ),
    },
    "zoo.gradients_of": {
        COMES_IN: (
            "numbers: what the leaves hold;",
            "leaf: makes a new leaf of an engine from a number or an array: `Value`, or a…",
            "expression: takes as many leaves as there are `numbers` and returns one node that…",
        ),
    },
    "engines.apply.Tensor": {
        GIVEN: (
            "data: an ndarray; one that is given keeps its dtype, everything else becomes float32.",
            "grad: None at first;",
            "_creator: the `Context` of the call that made it; None for a leaf.",
        ),
    },
    "engines.closure.Tensor": {
        GIVEN: (
            "data: an ndarray of float64.",
            "requires_grad: whether this is learned; the code that takes the step looks at it.",
            "grad: an ndarray of the shape of `data`; zeros at first.",
            "`()` for a leaf.",
            "For a leaf it does nothing.",
        ),
    },
    "box 11.4": {
        "says how to go about it, or why": ("The rules stay as they…",),
    },
}  # fmt: skip
