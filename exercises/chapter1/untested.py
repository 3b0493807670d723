"""Sentences of docstrings and boxes that no check quotes: target or box → why → the sentence."""

COMES_IN = "says what comes in"

GOES_ABOUT = "says how to go about it, or why"

UNTESTED = {
    "scalar.numerical_derivative": {
        COMES_IN: (
            "f: a function of one number that returns a number.", "x: where.",
            "h: how far to step to either side.",
        ),
    },
    "scalar.Value.__init__": {
        "is tested of every operator": (
            "the operator that makes this Value puts its own rule there.",
        ),
    },
    "scalar.Value.relu": {GOES_ABOUT: ("At exactly 0 there is no derivative;",)},
    "scalar.Value.sigmoid": {
        GOES_ABOUT: (
            "where s is the result;", "it follows from the parts.",
            "For a very negative number exp(-a) is too large for a float:",
            "there, use the equal form…",
        ),
    },
    "scalar.Value.backward": {
        "says what it is not for": ("Meant for a fresh graph: a second call on the same one…",),
    },
    "scalar.check_gradients": {
        COMES_IN: ("value: a function without arguments that rebuilds the expression from its…",),
        GOES_ABOUT: ("A number written into the expression becomes a new Value on every call,",),
    },
    "scalar.MLP.__init__": {
        COMES_IN: (
            "sizes: the number of inputs, then the number of neurons of every layer.",
            "output: the activation of the last layer.",
        ),
    },
    "scalar.mean_squared_error": {
        COMES_IN: ("predictions: Values.", "targets: as many numbers."),
    },
    "scalar.binary_cross_entropy": {
        COMES_IN: (
            "probabilities: Values strictly between 0 and 1, such as `sigmoid` makes.",
            "targets: as many numbers from 0 to 1; 1 where the answer is yes.",
        ),
    },
    "box 1.1": {
        COMES_IN: ("`f` takes one number…",),
    },
    "box 1.6": {
        GOES_ABOUT: ("Start with a 1 at…",),
    },
}  # fmt: skip
