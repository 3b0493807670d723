"""Tracers, passes and plans, all but right."""

RECORD = "tracing.Tracer.record"
TRACE = "tracing.trace"
RUN = "tracing.run"
DEAD = "passes.dead_code"
FOLD = "passes.fold_constants"
COMMON = "passes.common_subexpressions"
IDENTITY = "passes.identity"
UNDONE = "passes.undone"
OPTIMIZE = "passes.optimize"
GRADIENTS = "tracing.gradients"
GROUPS = "compiler.groups"
LIVES = "compiler.last_uses"
BUFFERS = "compiler.assign_buffers"
COMPILED = "compiler.Compiled.__call__"

SUBTLE = {
    "the dtype of the first input": (
        RECORD, "shape, dtype = outcome(name, sources, attrs)",
        "shape, dtype = outcome(name, sources, attrs)[0], str(sources[0].dtype)"),
    "each name once": (
        RECORD, "names = tuple(x.name for x in sources)",
        "names = tuple(sorted({x.name for x in sources}, reverse=True))"),
    "put back to what forward does": (
        TRACE, "Function.__call__ = before",
        "Function.__call__ = lambda op, *xs: Tensor(op.forward(*(x.data for x in xs)))"),
    "one tracer for all traces": (
        TRACE, "tracer = Tracer()", "tracer = trace.__dict__.setdefault('tracer', Tracer())"),
    "an input that is kept": (
        RUN, "values[given.out] = array", "values[given.out] = array.astype('float32')"),
    "as many axes are enough": (
        RUN, "array.shape != given.shape", "array.ndim != len(given.shape)"),
    "twice where it is read twice": (
        RUN, "    values[each.out] = KERNELS[each.op](*sources, **each.attrs)",
        "    for _ in range(1 + (each.out in program.outputs)):\n"
        "        values[each.out] = KERNELS[each.op](*sources, **each.attrs)"),
    "what the next line reads": (
        DEAD, "return replace(program, instructions=tuple(reversed(kept)))",
        "read = {n for each in program.instructions for n in each.inputs} | needed\n"
        "kept = [each for each in program.instructions if each.out in read]\n"
        "return replace(program, instructions=tuple(kept))"),
    "folded and taken away": (
        FOLD, "return replace(program, instructions=tuple(found))",
        "read = {n for each in found for n in each.inputs} | set(program.outputs)\n"
        "return replace(program, instructions=tuple(e for e in found if e.out in read))"),
    "constants of one number only": (
        FOLD, 'if each.op == "constant":', 'if each.op == "constant" and each.shape == ():'),
    "an op that commutes": (
        COMMON, "key = recipe(each), each.inputs",
        "key = recipe(each), tuple(sorted(each.inputs)) if len(each.inputs) == 2 else each.inputs"),
    "without constants": (
        COMMON, "if key in first:", "if key in first and each.op != 'constant':"),
    "outputs that stay": (
        COMMON, "if key in first:", "if key in first and each.out not in program.outputs:"),
    "zero without its sign": (
        IDENTITY, "bool(scalar == 0 and np.signbit(scalar))",
        "bool(scalar == 0 and isinstance(scalar, float))"),
    "an order that ascends is in place": (
        IDENTITY, "[axis % len(axes) for axis in axes] == [*range(len(axes))]",
        "tuple(axes) == tuple(sorted(axes))"),
    "an identity of integers too": (
        IDENTITY, 'same = each.op in ("Reshape", "BroadcastTo")',
        'same = each.op in ("Reshape", "BroadcastTo", "Abs")'),
    "axes that are their own inverse": (
        UNDONE, "for step in (before, each):", "for step in (each, each):"),
    "a negative that was seen": (
        UNDONE, "before = made[each.inputs[0]]",
        "before = made[each.inputs[0]]\n"
        "if before.inputs and each.op == 'Negate' and before.op != 'Negate':\n"
        "    before = made[before.inputs[0]]"),
    "three rounds": (
        OPTIMIZE, "while str(program) != before:",
        "rounds = 0\nwhile str(program) != before and rounds < 3:\n    rounds += 1"),
    "as many lines as before": (
        OPTIMIZE, "while str(program) != before:\n    before = str(program)",
        "before = None\nwhile before is None or len(program.instructions) < before - 1:\n"
        "    before = len(program.instructions)"),
    "a start of one number": (
        GRADIENTS, "np.ones(output.shape)", "np.ones(())"),
    "zeros of float32": (
        GRADIENTS, "zeros_like(x) for x", "Tensor(np.zeros(x.shape)) for x"),
    "a reader that is counted by its inputs": (
        GROUPS, "for name in set(each.inputs):\n        readers",
        "for name in each.inputs:\n        readers"),
    "names sorted as texts": (GROUPS, "sorted(own, key=place.__getitem__)", "sorted(own)"),
    "an output with one reader": (
        GROUPS, "dict.fromkeys(program.outputs, 1)", "dict.fromkeys(program.outputs[:1], 1)"),
    "one view deep": (
        LIVES, "memory = memory_of(program)",
        "memory = memory_of(program)\n"
        "source = {each.out: each.inputs[0] for each in program.instructions if each.inputs}\n"
        "memory = {n: (m if m == n else source[n]) for n, m in memory.items()}"),
    "free at the last use, for everybody": (
        BUFFERS, "if each.op in ELEMENTWISE else set()", "if each.op in INTO else set()"),
    "same shape is enough": (
        BUFFERS, "(each.shape, each.dtype) for each", "(sum(each.shape), each.dtype) for each"),
    "the first of several": (
        COMPILED, "(x.shape, x.dtype) for x in inputs", "(x.shape, x.dtype) for x in inputs[:1]"),
    "sorted signatures": (
        COMPILED, "tuple((x.shape, x.dtype) for x in inputs)",
        "tuple(sorted(x.shape for x in inputs)), tuple(x.dtype for x in inputs)"),
    "as many numbers are enough": (
        "tracing.run", "array.shape != given.shape",
        "array.size != np.prod(given.shape, dtype=int)"),
    "axes of 1 do not count": (
        "tracing.run", "array.shape != given.shape",
        "array.squeeze().shape != np.empty(given.shape).squeeze().shape"),
    "each output once": (
        "tracing.run", "[values[name] for name in program.outputs]",
        "[values[name] for name in dict.fromkeys(program.outputs)]"),
    "a tuple is one output": (
        "tracing.trace", "[found] if isinstance(found, Tensor) else found",
        "found if isinstance(found, list) else [found]"),
    "as many axes are the same shape": (
        "tracing.gradients", "gradient = unbroadcast(gradient, source.shape)",
        "gradient = unbroadcast(gradient, source.shape) if gradient.ndim > source.ndim else "
        "gradient"),
    "constants never die": (
        "passes.dead_code", "if each.out in needed:",
        "if each.out in needed or each.op == 'constant':"),
    "what is folded is float64": (
        "passes.fold_constants", "constant(each.out, KERNELS",
        "constant(each.out, np.float64(1) * KERNELS"),
    "constants are float64": (
        "passes.fold_constants",
        "each = constant(each.out, KERNELS[each.op](*sources, **each.attrs))",
        "each = constant(each.out, np.asarray(KERNELS[each.op](*sources, **each.attrs), "
        "'float64'))"),
    "constants that print the same": (
        "passes.common_subexpressions", "recipe(each), each.inputs",
        "(each.op, each.shape, each.dtype, str(each.attrs)), each.inputs"),
    "any Flip undoes a Flip": (
        "passes.undone", "(\"Negate\", \"Transpose\", \"Reshape\")",
        "(\"Negate\", \"Transpose\", \"Reshape\", \"Flip\")"),
    "what an output looks into is no output": (
        "compiler.assign_buffers", "last[each.out] != end",
        "each.out not in program.outputs"),
    "as many numbers and axes": (
        "compiler.Compiled.__call__", "(x.shape, x.dtype) for x in inputs",
        "(x.size, x.ndim, x.dtype) for x in inputs"),
    "as many axes in a group": (
        "compiler.groups", "made[name].shape == each.shape",
        "len(made[name].shape) == len(each.shape)"),
    "a buffer that is read twice is free twice": (
        BUFFERS, "release(early & set(number), number, kinds, free)",
        "for name in each.inputs:\n            if name in early & set(number):\n"
        "                release({name}, number, kinds, free)"),
    "attributes that say something": (
        RECORD, "dict(vars(op))", "{k: v for k, v in vars(op).items() if v is not None}"),
    "attributes that are true": (
        RECORD, "dict(vars(op))", "{k: v for k, v in vars(op).items() if v != 0 or v is None}"),
    "attributes in lists": (
        RECORD, "dict(vars(op))",
        "{k: list(v) if isinstance(v, tuple) else v for k, v in vars(op).items()}"),
    "inputs that only f is handed": (
        TRACE, "tracer.input_for(x) for x in inputs",
        "tracer.input_for(Tensor(x.data, dtype=x.dtype)) for x in inputs"),
    "put back to what the first trace found": (
        TRACE, "before = Function.__call__",
        "before = trace.__dict__.setdefault('before', Function.__call__)"),
    "each output of f once": (
        TRACE, "[found] if isinstance(found, Tensor) else found",
        "[found] if isinstance(found, Tensor) else list(dict.fromkeys(found))"),
    "what reads a value twice is new": (
        COMMON, "if key in first:", "if key in first and len({*each.inputs}) == len(each.inputs):"),
    "what reads a value twice is not known": (
        FOLD, 'each.op != "constant" and all(',
        'each.op != "constant" and len({*each.inputs}) == len(each.inputs) and all('),
    "an attribute that is None is not known": (
        FOLD, 'each.op != "constant" and all(',
        'each.op != "constant" and None not in each.attrs.values() and all('),
    "one input for the same Tensor": (
        TRACE, "given = [tracer.input_for(x) for x in inputs]",
        "known = {id(x): tracer.input_for(x) for x in {id(x): x for x in inputs}.values()}\n"
        "given = [known[id(x)] for x in inputs]"),
    "the walk ends at an input": (
        GRADIENTS, "if node._op is None or id(node) not in arrived:",
        "if node._op is None or id(node) not in arrived or any(node is x for x in inputs):"),
    "a gradient is gone once it is passed on": (
        GRADIENTS, "rule_of(node)(arrived[id(node)], node)",
        "rule_of(node)(arrived.pop(id(node)), node)"),
}  # fmt: skip
