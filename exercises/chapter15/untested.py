"""Sentences of the docstrings that no check quotes: target → why → the sentence."""

COMES_IN = "says what comes in"
GIVEN = "is given"

EACH_AND_MADE = {
    COMES_IN: (
        "each: the instruction.",
        "made: name → the Instruction that makes this value, inputs of the program too.",
    ),
}

UNTESTED = {
    "passes.identity": EACH_AND_MADE,
    "passes.undone": EACH_AND_MADE,
    "compiler.Compiled": {
        GIVEN: ("f: the function.", "made: signature → what `build` made for it."),
    },
    "tracing.Traced": {
        GIVEN: (
            "name: the name of its value in the program.",
            "_op, _inputs: as in every Tensor; the inputs are Traced, too.",
        ),
    },
    "tracing.Tracer": {GIVEN: ("inputs, instructions: what is written so far.",)},
}
