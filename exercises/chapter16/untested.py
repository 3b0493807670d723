"""Sentences of docstrings and boxes that no check quotes: target or box → why → the sentence."""

COMES_IN = "says what comes in"
FREE = "leaves it open"
HOW = "says how it can be done; what comes of it is tested"
WHY = "says why"
SAID_TWICE = "a docstring promises it, too, and a check quotes that"

UNTESTED = {
    "inference.draw": {COMES_IN: ("probabilities: not negative, of shape `(V,)`.",)},
    "inference.choose": {
        COMES_IN: ("logits: scores of shape `(V,)`.", "top_p: None: nothing more is cut off."),
    },
    "inference.Cache": {
        COMES_IN: (
            "keys, values: arrays of shape `(B, H, room, D)`, made once.",
            "Only their first `filled` places count.",
        ),
    },
    "inference.visible": {
        COMES_IN: ("before: how many tokens the cache holds;", "count: T, how many are new."),
        WHY: ("at something, since a softmax over nothing is nan.",),
    },
    "inference.attend": {
        COMES_IN: ("x: the new tokens, `(B, T, C)`.", "every row has at least one."),
        FREE: ("No gradient has to come back from here.",),
    },
    "inference.SmallLinear": {
        COMES_IN: (
            "codes, scales: `quantise` of the layer's weight *transposed*: a row for each output.",
            "bias: that of the layer, an ndarray; None where it has none.",
        ),
    },
    "inference.SmallLinear.forward": {
        COMES_IN: ("`x` has the shape `(rows, in_features)`.",),
        FREE: ("No gradient has to come back from here.",),
    },
    "box 16.1": {
        SAID_TWICE: (
            "The token with which the sum *gets past* p stays; otherwise p = 0.4 would leave…",
        ),
    },
    "box 16.5": {HOW: ("Here arrays are enough: `x.data` is the array in a Tensor, and…",)},
    "box 16.9": {HOW: ("Turn the codes into the dtype of `x` before you multiply: int8…",)},
    "inference.perplexity": {
        COMES_IN: (
            "model: gives logits, a Tensor `(1, T, V)` for tokens `(1, T)`, as `GPT` does;",
            "tokens: whole numbers of shape `(n,)`, n at least 2.",
        )
    },
}
