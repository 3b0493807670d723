"""Sentences of the docstrings that no check quotes: target → why → the sentence."""

HOW = "says how it can be done; what comes of it is tested"

UNTESTED = {
    "ops.Conv.backward": {
        HOW: (
            "First `out_grad` is spread out, its values `stride` places apart.",
            "Then the gradient of `a` is what is spread, padded to fit, under the kernel flipped…",
        ),
    },
    "nn.Conv.__init__": {"says who else does so": ("This is PyTorch's default.",)},
    "nn.Conv.forward": {HOW: ("`ops.conv` wants other orders of the axes: turn…",)},
}
