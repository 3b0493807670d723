"""Mutants that may live: why each is as right as the reference, or what is left open there.

Target → reason → the line that a mutant says instead; `…` at its end stands for any end.
"""

A_LIST = "a list or a generator of names is as good as a tuple"
WORDING = "the wording is the learner's"
NUMBERS = "which number a buffer has is left open: checks count how many there are"
COMMUTES = "what both sets hold does not depend on their order"
LAST = "the last instruction makes an output"

NUMPYS_OWN = "a bool of NumPy's decides as Python's does"
ASKS = "whether the ones ask for a gradient is left open: nobody walks to them"
A_SHAPE = "only its shape is looked at"
FROZEN = "a program and its lines stay as they are: the same ones have the same answer"

EQUIVALENT = {
    "tracing.Tracer.record": {A_LIST: ("names = (x.name for x in sources)",)},
    "tracing.gradients": {
        FROZEN: ("kept by identity",),
        ASKS: (
            "start = Tensor(np.ones(output.shape), dtype=output.dtype)",
            "start = Tensor(np.ones(output.shape), dtype=output.dtype, requires_grad=True)",
        ),
        "the walk ends at a leaf, which has no rule": (
            "for node in list(backwards(output))[:-1]:",
        ),
        "whatever the walk reaches has been given something": ("if node._op is None:",),
    },
    "passes.identity": {
        FROZEN: ("kept by …",),
        NUMPYS_OWN: ("same = scalar == 1", "same = scalar == 0 and np.signbit(scalar)"),
    },
    "passes.undone": {
        FROZEN: ("kept by …",),
        "it has one input": ("before = made[each.inputs[-1]]",),
        A_SHAPE: (
            "sizes = np.ones(tuple(range(len(each.shape))))",
            "sizes = np.zeros(tuple(range(len(each.shape))), bool)",
            "sizes = np.ones(range(len(each.shape)), bool)",
        ),
    },
    "passes.dead_code": {FROZEN: ("kept by …",)},
    "passes.optimize": {FROZEN: ("kept by …",)},
    "compiler.last_uses": {FROZEN: ("kept by …",)},
    "compiler.groups": {
        FROZEN: ("kept by …",),
        "an output has more than one reader either way": (
            "readers: dict[str, int] = dict.fromkeys(program.outputs, 2)",
        ),
    },
    "passes.fold_constants": {
        FROZEN: ("kept by …",),
        "a constant is the constant of its own value": (
            "if all((name in known for name in each.inputs)):",
        ),
        A_LIST: ("return replace(program, instructions=found)",),
    },
    "passes.common_subexpressions": {
        FROZEN: ("kept by …",),
        A_LIST: ("return replace(program, instructions=found, outputs=outputs)",),
    },
    "tracing.run": {
        WORDING: ("raise ValueError()",),
        "NumPy compares a dtype with its name": (
            "if array.shape != given.shape or array.dtype != given.dtype:",
        ),
    },
    "compiler.assign_buffers": {
        FROZEN: ("kept by …",),
        NUMBERS: ("count = 1", "count += 2", "number[each.out] = max(fitting)"),
        LAST: (
            "kinds = {each.out: (each.shape, each.dtype) for each in "
            "list(program.instructions)[:-1]}",
            "for at, each in list(enumerate(program.instructions))[:-1]:",
        ),
        COMMUTES: (
            "early = set(each.inputs) & ending if each.op in ELEMENTWISE else set()",
            "release(set(number) & early, number, kinds, free)",
            "release(set(number) & late, number, kinds, free)",
            "late = ({each.out} if last.get(each.out) == at else set()) | ending - early",
        ),
    },
}  # fmt: skip
