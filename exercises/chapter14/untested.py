"""Sentences of docstrings and boxes that no check quotes: target or box → why → the sentence."""

COMES_IN = "says what comes in"
SAID_TWICE = "a docstring promises it, too, and a check quotes that"

UNTESTED = {
    "gpt.windows": {
        COMES_IN: (
            "tokens: integers of shape `(n,)`, n greater than `length`.",
            "length: how many tokens a piece has.",
            "size: how many pieces there are in the batch.",
        ),
    },
    "gpt.MultiHeadAttention.forward": {COMES_IN: ("x: `(B, T, C)`.",)},
    "gpt.cross_entropy": {
        COMES_IN: ("At least one counts.",),
        "leaves it open": ("A single value in the shape `(1,)` is fine, too.",),
    },
    "gpt.generate": {
        COMES_IN: (
            "model: gives logits for a batch of sequences, as `GPT` does; `model.length` is how…",
            "count: how many to draw.",
        ),
    },
    "box 14.1": {SAID_TWICE: ("A character without a…",)},
    "box 14.6": {SAID_TWICE: ("It returns the means…",)},
    "box 14.11": {SAID_TWICE: ("More tokens than…",)},
}
