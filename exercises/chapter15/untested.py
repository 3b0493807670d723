"""Sentences of docstrings and boxes that no check quotes: target or box → why → the sentence."""

COMES_IN = "says what comes in"
GIVEN = "is given"
ELSEWHERE = "says what another function does"

EACH_AND_MADE = {
    COMES_IN: (
        "each: the instruction.",
        "made: name → the Instruction that makes this value, inputs of the program too.",
    ),
}

HOW = "says how it can be done; what comes of it is tested"
WHY = "says why"
SAID_TWICE = "a docstring promises it, too, and a check quotes that"

UNTESTED = {
    "box 15.1": {
        HOW: ("Write what takes the place of `Function.__call__`: append an Instruction to…",),
        GIVEN: ("Three helpers are given: `stand_in` says who stands for a Tensor in the…",),
    },
    "box 15.2": {SAID_TWICE: ("Put all that `reader()` returns into the message: file, line…",)},
    "box 15.4": {SAID_TWICE: ("It was traced for certain shapes and dtypes, so others raise…",)},
    "box 15.8": {
        SAID_TWICE: (
            "Say which input an instruction leaves as it is, or None.",
            "Compare shape and dtype as well: times `np.float64(1)` can make float64 of float32.",
        ),
    },
    "box 15.16": {SAID_TWICE: ("If the signature is new: trace, optimize, build, keep.",)},
    "tracing.Traced.data": {WHY: ("so that the line can be found.",)},
    "tracing.run": {WHY: ("the program was traced for others.",)},
    "passes.dead_code": {WHY: ("whoever calls the program hands them in.",)},
    "passes.fold_constants": {ELSEWHERE: ("`dead_code` takes them away.",)},
    "passes.identity": EACH_AND_MADE,
    "passes.undone": {
        **EACH_AND_MADE,
        WHY: ("it is rounded twice,", "and e to the power of 1000 is inf."),
    },
    "compiler.groups": {WHY: ("those of a group can be one loop.",)},
    "compiler.assign_buffers": {WHY: ("who calls may keep an output forever.",)},
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
