"""Sentences of docstrings and boxes that no check quotes: target or box → why → the sentence."""

COMES_IN = "says what comes in"
GIVEN = "code that stands there sees to it"
SAID_TWICE = "a docstring promises it, too, and a check quotes that"

UNTESTED = {
    "gpt.Characters": {
        GIVEN: ("letters: every character that occurs, each once, in order;",),
    },
    "ops.Take": {GIVEN: ("an ndarray or (nested) sequences.",)},
    "gpt.softmax": {COMES_IN: ("If some values along the axis are `-inf`,",)},
    "gpt.attention": {
        COMES_IN: ("k: the keys, `(…, S, d)`;", "every row has at least one True."),
    },
    "gpt.each_token": {COMES_IN: ("and gives rows, `(rows, C′)`;",)},
    "gpt.next_probabilities": {COMES_IN: ("logits: scores of shape `(V,)`;",)},
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
            "tokens: at least one whole number to begin with;",
            "count: how many to draw.",
        ),
    },
    "box 14.1": {SAID_TWICE: ("A character without a…",)},
    "box 14.6": {SAID_TWICE: ("It returns the means…",)},
    "box 14.11": {SAID_TWICE: ("More tokens than…",)},
}
