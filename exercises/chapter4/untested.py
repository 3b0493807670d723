"""Sentences of the docstrings that no check quotes: target → why → the sentence."""

COMES_IN = "says what comes in"
LEFT_OPEN = "leaves it open"
HOW = "says how it can be done; what comes of it is tested"
GIVEN = "is set by code that is given"

UNTESTED = {
    "nn.Parameter.__init__": {
        COMES_IN: ("data: a Tensor, an ndarray, a (nested) list or a number.",),
        "there is one device only": ("device: passed on to Tensor.",),
    },
    "nn.collect": {LEFT_OPEN: ("The order is free.",)},
    "nn.Module.zero_grad": {LEFT_OPEN: ("An array of zeros in `grad` is fine, too.",)},
    "nn.Linear.__init__": {"says who else does so": ("This is PyTorch's default.",)},
    "ops.LogSumExp.backward": {
        HOW: ("`out_grad` and the output are repeated along every axis that was summed.",),
    },
    "ops.LogSoftmax.backward": {HOW: ("The softmax is e to the power of the output.",)},
    "nn.MSELoss.forward": {LEFT_OPEN: ("A single value in the shape `(1,)` is fine, too.",)},
    "nn.SoftmaxLoss.forward": {LEFT_OPEN: ("A single value in the shape `(1,)` is fine, too.",)},
    "nn.Parameter": {"says what for": ("A module finds its parameters by this type.",)},
    "nn.Sequential": {GIVEN: ("layers: the modules, a tuple, in the order in which they run.",)},
    "nn.Residual": {COMES_IN: ("fn: the module inside; its output has the shape of its input.",)},
    "nn.Dropout": {
        COMES_IN: ("p: the probability that a value is dropped; at least 0 and less than 1.",),
    },
}
