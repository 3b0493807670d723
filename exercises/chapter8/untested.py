"""Sentences of docstrings and boxes that no check quotes: target or box → why → the sentence."""

COMES_IN = "says what comes in"
GOES_ABOUT = "says how to go about it, or why"
LEFT_OPEN = "leaves it open"
SAID_TWICE = "a docstring promises it, too, and a check quotes that"

UNTESTED = {
    "nn.named_state": {
        LEFT_OPEN: ("The order is free.",),
        GOES_ABOUT: ("the code that builds the model knows them.",),
    },
    "optim.Optimizer.state_dict": {GOES_ABOUT: ("which are Tensors and belong to the model.",)},
    "checkpoint.require_match": {
        COMES_IN: (
            "own: what has to be filled: names, and Tensors or arrays; their `shape` counts.",
            "state: what has to be loaded: names,",
        ),
        LEFT_OPEN: ("It helps to give both shapes, too; the wording is yours.",),
    },
    "checkpoint.save": {
        COMES_IN: ("state: names and arrays.",),
        GOES_ABOUT: ("`opened` takes care of that.",),
    },
    "checkpoint.load": {GOES_ABOUT: ("`opened` takes care of that.",)},
    "checkpoint.random_state": {GOES_ABOUT: ('`np.random` has only one, "MT19937".',)},
    "box 8.1": {
        SAID_TWICE: ("The values of the dict…",),
    },
    "box 8.2": {
        SAID_TWICE: ("Every value is an…",),
    },
    "box 8.3": {
        SAID_TWICE: ("If they fit, it returns…",),
    },
    "box 8.4": {
        SAID_TWICE: (
            "The module's Tensors and…",
            "Afterwards module and…",
            "If names or shapes don't…",
        ),
    },
    "box 8.5": {
        SAID_TWICE: (
            "- `save(state, file)`…",
            "If there are arrays of…",
            "If you pass an open file,…",
        ),
        GOES_ABOUT: ("(NumPy raises it for you…",),
    },
    "box 8.6": {
        SAID_TWICE: (
            "An item of a list or…",
            "Every value is an…",
            "It leaves alone whatever…",
            "It copies the arrays,…",
            "If names or shapes don't…",
        ),
    },
    "box 8.7": {
        SAID_TWICE: ("- `random_state()`:…",),
    },
    "box 8.8": {
        SAID_TWICE: ("It raises `ValueError`…",),
    },
}
