"""Sentences of the docstrings that no check quotes: target → why → the sentence."""

HOW = "says how it can be done; what comes of it is tested"
COMES_IN = "says what comes in"

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
}
