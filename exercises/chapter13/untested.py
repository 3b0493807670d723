"""Sentences of docstrings and boxes that no check quotes: target or box → why → the sentence."""

COMES_IN = "says what comes in"
SAID_TWICE = "a docstring promises it, too, and a check quotes that"
GOES_ABOUT = "says how to go about it, or why"

UNTESTED = {
    "higher.grad": {COMES_IN: ("output: where the walk starts.",)},
    "higher.hvp": {
        COMES_IN: (
            "f: takes `inputs` one by one, `f(*inputs)`, and returns a Tensor with one number.",
            "inputs: Tensors that require gradients.",
            "vectors: one Tensor per input, of that input's shape.",
        ),
    },
    "higher.hessian": {COMES_IN: ("`f` returns a Tensor with one number;",)},
    "forward_mode.jvp_logsumexp": {
        GOES_ABOUT: (
            "the softmax is `exp(a - output)`, the output with its axes back as ones:",
            "`kept_shape` says that shape.",
        ),
    },
    "forward_mode.jvp_elementwise": {
        "says where to find the slope": (
            "The op's own `backward` multiplies what it is given by that very slope.",
        ),
    },
    "forward_mode.jvp": {
        COMES_IN: (
            "f: takes `inputs` one by one and returns a Tensor.",
            "inputs: different Tensors that require gradients.",
            "tangents: one Tensor per input, of that input's shape.",
        ),
    },
    "forward_mode.Dual": {COMES_IN: ("tangent: how fast `value` moves when the input moves.",)},
    "memory.no_grad": {
        "says why": ("Every node of every graph is made in one place, `Function.__call__`.",),
    },
    "memory.Checkpoint": {
        COMES_IN: (
            "`f` takes Tensors and returns a Tensor.",
            "Whatever should have a gradient must be one of its inputs; anything else that it uses "
            "is a…",
        ),
    },
    "box 13.1": {GOES_ABOUT: ("Write `grad(output,…",)},
    "box 13.3": {SAID_TWICE: ("They return ndarrays…",)},
    "box 13.8": {GOES_ABOUT: ("For log Σ eᵃ: if one…",)},
    "box 13.9": {SAID_TWICE: ("`jvp(f, inputs,…",)},
    "box 13.14": {GOES_ABOUT: ("In `backward`, compute…",)},
}
