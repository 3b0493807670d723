"""Sentences of the docstrings that no check quotes: target → why → the sentence."""

COMES_IN = "says what comes in"

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
        "says why": ("Nothing has arrived there, which is not the same as a gradient of zeros.",),
    },
}
