"""Sentences of docstrings and boxes that no check quotes: target or box → why → the sentence."""

COMES_IN = "says what comes in"
LEFT_OPEN = "leaves it open"
HOW = "says how it can be done; what comes of it is tested"
GIVEN = "is set by code that is given"
SAID_TWICE = "a docstring promises it, too, and a check quotes that"
ABOUT_CHECKS = "is about the checks themselves"

UNTESTED = {
    "nn.Parameter.__init__": {
        COMES_IN: ("data: a Tensor, an ndarray, a (nested) list or a number.",),
        "there is one device only": ("device: passed on to Tensor.",),
    },
    "nn.collect": {LEFT_OPEN: ("The order is free.",)},
    "nn.Module.zero_grad": {LEFT_OPEN: ("An array of zeros in `grad` is fine, too.",)},
    "nn.Linear.__init__": {"says who else does so": ("This is PyTorch's default.",)},
    "nn.BatchNorm1d": {LEFT_OPEN: ("`(1, dim)` is fine, too.",)},
    "nn.BatchNorm1d.forward": {"says why": ("it has no unbiased variance.",)},
    "nn.LayerNorm1d": {LEFT_OPEN: ("`(1, dim)` is fine, too.",)},
    "nn.Linear": {LEFT_OPEN: ("`(1, out_features)` is fine, too.",)},
    "ops.LogSumExp.forward": {HOW: ("with m the maximum over the same axes,…",)},
    "ops.LogSumExp.backward": {
        HOW: ("`out_grad` and the output are repeated along every axis that was summed.",),
    },
    "ops.LogSoftmax.backward": {HOW: ("The softmax is e to the power of the output.",)},
    "nn.MSELoss.forward": {LEFT_OPEN: ("A single value in the shape `(1,)` is fine, too.",)},
    "nn.SoftmaxLoss.forward": {
        COMES_IN: ("logits: scores of shape `(batch, classes)`;",),
        LEFT_OPEN: ("A single value in the shape `(1,)` is fine, too.",),
    },
    "nn.Parameter": {"says what for": ("A module finds its parameters by this type.",)},
    "nn.Sequential": {GIVEN: ("layers: the modules, a tuple, in the order in which they run.",)},
    "nn.Residual": {COMES_IN: ("fn: the module inside; its output has the shape of its input.",)},
    "nn.Dropout": {
        COMES_IN: ("p: the probability that a value is dropped; at least 0 and less than 1.",),
    },
    "box 4.4": {
        SAID_TWICE: ("With `bias=False`,…",),
    },
    "box 4.5": {
        SAID_TWICE: ("A `Sequential` without…",),
    },
    "box 4.6": {
        ABOUT_CHECKS: ("The check can't know…",),
    },
    "box 4.8": {
        ABOUT_CHECKS: ("The check looks at…",),
    },
    "box 4.9": {
        COMES_IN: ("As for `Summation`,…",),
    },
}
