"""Mutants that may live: why each is as right as the reference, or what is left open there.

Target → reason → the line that a mutant says instead; `…` at its end stands for any end.
"""

A_LIST = "a list or a generator of names is as good as a tuple"
ZIP = "a strict zip counts, too"
WORDING = "the wording is the learner's"
NUMBERS = "which number a buffer has is left open: checks count how many there are"
COMMUTES = "what both sets hold does not depend on their order"
LAST = "the last instruction makes an output"

EQUIVALENT = {
    "passes.fold_constants": {
        "a constant is the constant of its own value": (
            "if all((name in known for name in each.inputs)):",
        ),
        A_LIST: ("return replace(program, instructions=found)",),
    },
    "passes.common_subexpressions": {
        A_LIST: ("return replace(program, instructions=found, outputs=outputs)",),
    },
    "tracing.run": {
        ZIP: ("if False:", "pass"),
        WORDING: ("raise ValueError()",),
        "NumPy compares a dtype with its name": (
            "if array.shape != given.shape or array.dtype != given.dtype:",
        ),
    },
    "compiler.assign_buffers": {
        NUMBERS: ("count = 1", "count = -1", "count -= 1", "count += 2",
                  "number[each.out] = max(fitting)"),
        LAST: (
            "kinds = {each.out: (each.shape, each.dtype) for each in "
            "list(program.instructions)[:-1]}",
            "for at, each in list(enumerate(program.instructions))[:-1]:",
        ),
        COMMUTES: (
            "early = set(each.inputs) & ending if each.op in ELEMENTWISE else set()",
            "release(set(number) & early, number, kinds, free)",
            "release(set(number) & late, number, kinds, free)",
        ),
    },
}  # fmt: skip
