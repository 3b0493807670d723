"""Sentences of docstrings and boxes that no check quotes: target or box → why → the sentence."""

COMES_IN = "says what comes in"
GOES_ABOUT = "says how to go about it, or why"
SAID_TWICE = "a docstring promises it, too, and a check quotes that"

UNTESTED = {
    "optim.SGD.step": {GOES_ABOUT: ("and nothing has to be remembered.",)},
    "optim.clip_grad_norm": {
        COMES_IN: (
            "max_norm: the greatest length that the gradients may have, a positive number.",
        ),
    },
    "optim.warmup_cosine": {COMES_IN: ("`total` is greater than `warmup`;",)},
    "optim.Optimizer": {
        "is tested of every step that there is: of SGD and of Adam": (
            "`step` reads it again each time, so you can change it between two steps.",
        ),
    },
    "optim.Scheduler": {
        COMES_IN: (
            "optimizer: whose `lr` is set.",
            "schedule: a function from a step number, counted from 0, to a learning rate.",
        ),
    },
    "box 5.1": {
        SAID_TWICE: (
            "- `__init__(self,…",
            "It raises `ValueError`…",
            "- `zero_grad(self)` sets…",
            "Their values stay.",
        ),
        "is about code that is given": ("`step` of this class…",),
    },
    "box 5.3": {
        SAID_TWICE: (
            "- `__init__` keeps…",
            "- `direction(i,…",
            "It leaves `gradient`…",
        ),
    },
    "box 5.4": {
        SAID_TWICE: ("A parameter whose `grad`…",),
    },
    "box 5.5": {
        SAID_TWICE: (
            "`clip_grad_norm(parameters,…",
            "It skips parameters…",
        ),
    },
    "box 5.6": {
        SAID_TWICE: ("Write the functions…",),
    },
}
