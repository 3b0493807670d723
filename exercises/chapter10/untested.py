"""Sentences of docstrings and boxes that no check quotes: target or box → why → the sentence."""

HOW = "says how it can be done; what comes of it is tested"
COMES_IN = "says what comes in"
SAID_TWICE = "a docstring promises it, too, and a check quotes that"

UNTESTED = {
    "ops.Conv.backward": {
        HOW: (
            "First `out_grad` is spread out, its values `stride` places apart.",
            "Then the gradient of `a` is what is spread, padded to fit, under the kernel flipped…",
        ),
    },
    "nn.Conv.__init__": {"says who else does so": ("This is PyTorch's default.",)},
    "nn.Conv.forward": {HOW: ("`ops.conv` takes other orders of the axes: transpose…",)},
    "ops.Pad": {COMES_IN: ("None of them is negative.",)},
    "ops.Slice": {
        COMES_IN: (
            "An index is an int, a slice, or a tuple of these, one for each axis from the first…",
            "The step of a slice is positive, as in PyTorch: `flip` reverses an axis.",
        ),
    },
    "nn.MaxPool2d": {COMES_IN: ("kernel_size: how many rows and columns a tile has.",)},
    "nn.AvgPool2d": {COMES_IN: ("kernel_size: how many rows and columns a tile has.",)},
    "box 10.2": {
        COMES_IN: ("For `x[1, 2]` the index…",),
        "is about code that is given": ("The constructor of…",),
    },
    "box 10.3": {
        COMES_IN: ("`self.axes` is an int…",),
    },
    "box 10.5": {
        "says how to go about it, or why": ("The lowercase function…",),
    },
    "box 10.6": {
        SAID_TWICE: ("If the kernel doesn't…",),
    },
    "box 10.9": {
        SAID_TWICE: ("You get the gradients…",),
    },
}
