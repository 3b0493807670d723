"""Sentences of docstrings and boxes that no check quotes: target or box → why → the sentence."""

COMES_IN = "says what comes in"
SAID_TWICE = "a docstring promises it, too, and a check quotes that"

UNTESTED = {
    "init.activation_statistics": {
        COMES_IN: ("layers: functions or Modules that take a Tensor and return one.",),
    },
    "init.initialize": {
        COMES_IN: (
            "parameters: any iterable of Tensors.",
            "draw: a function such as `kaiming_normal`; it is called with fan_in and fan_out and…",
        ),
    },
    "init.gradient_statistics": {
        COMES_IN: ("most often those of one model, in the order of its layers.",),
        "says why": ("Nothing has arrived there, which is not the same as a gradient of zeros.",),
    },
    "box 7.1": {
        SAID_TWICE: (
            "`gain(nonlinearity)`…",
            "Any other name raises…",
        ),
    },
    "box 7.2": {
        SAID_TWICE: ("Both functions have the…",),
    },
    "box 7.3": {
        SAID_TWICE: ("Both functions have the…",),
    },
    "box 7.4": {
        "leaves it open": ("A plain tuple of three…",),
    },
    "box 7.5": {
        SAID_TWICE: ("All other parameters…",),
    },
    "box 7.6": {
        "is about code that is given": ("The given function…",),
    },
}
