"""Sentences of docstrings and boxes that no check quotes: target or box → why → the sentence."""

SAID_TWICE = "a docstring promises it, too, and a check quotes that"

UNTESTED = {
    "box 12.1": {SAID_TWICE: ("Work in float64 whatever…",)},
    "box 12.2": {"is about code that is given": ("`TOLERANCE` says how…",)},
    "box 12.3": {
        SAID_TWICE: ("It returns if all is…",),
        "says what comes in": ("Chapter 3's ops leave…",),
        "is about the checks themselves": ("We also check it with…",),
    },
}
