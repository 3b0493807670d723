"""Sentences of the docstrings that no check quotes: target → why → the sentence."""

COMES_IN = "says what comes in"

UNTESTED = {
    "optim.clip_grad_norm": {
        COMES_IN: (
            "max_norm: the greatest length that the gradients may have, a positive number.",
        ),
    },
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
}
