"""Sentences of the docstrings that no check quotes: target → why → the sentence."""

COMES_IN = "says what comes in"
LEFT_OPEN = "leaves it open"

UNTESTED = {
    "nn.named_state": {LEFT_OPEN: ("The order is free.",)},
    "checkpoint.require_match": {
        COMES_IN: (
            "own: what has to be filled: names, and Tensors or arrays; their `shape` counts.",
        ),
        LEFT_OPEN: ("It helps to give both shapes, too; the wording is yours.",),
    },
    "checkpoint.save": {COMES_IN: ("state: names and arrays.",)},
}
