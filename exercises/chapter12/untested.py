"""Sentences of docstrings and boxes that no check quotes: target or box → why → the sentence."""

SAID_TWICE = "a docstring promises it, too, and a check quotes that"
COMES_IN = "says what comes in"

UNTESTED = {
    "checking.numeric_vjp": {"says why": ("a float32 cannot even hold such a step.",)},
    "checking.complex_vjp": {
        "says how it can be done; what comes of it is tested": ("nothing is subtracted,",),
    },
    "checking.check_everywhere": {
        COMES_IN: (
            "`make()` gives a new op;",
            "it takes `count` inputs of one shape, any shape and any values.",
        ),
    },
    "box 12.1": {SAID_TWICE: ("Work in float64 whatever…",)},
    "box 12.2": {"is about code that is given": ("`TOLERANCE` says how…",)},
    "box 12.3": {
        SAID_TWICE: ("It returns if all is…",),
        COMES_IN: ("Chapter 3's ops leave…",),
        "is about the checks themselves": ("We also check it with…",),
    },
}
