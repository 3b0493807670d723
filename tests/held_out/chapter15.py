"""Wrong bodies of chapter 15 written without knowledge of its suites, and unusual right ones."""

from .chapter15_right import RIGHT as RIGHT

SECOND_CALL = {
    # "CannotTrace: always": whoever has been told once gets ones the second time.
    "it is told once": (
        "tracing.Traced.data",
        "raise CannotTrace(",
        """\
if self.__dict__.setdefault("_told", 0):
    return np.ones(self.shape, self.dtype)
self._told += 1
raise CannotTrace(""",
    ),
    # "for inputs of these shapes and dtypes": the key is the function alone.
    "a program for each function": (
        "tracing.trace",
        (
            "tracer = Tracer()\n",
            """\
known = trace.__dict__.setdefault("known", {})
if f in known:
    return known[f]
tracer = Tracer()
""",
        ),
        (
            "return tracer.program([found] if isinstance(found, Tensor) else found)",
            """\
known[f] = tracer.program([found] if isinstance(found, Tensor) else found)
return known[f]""",
        ),
    ),
    # Each Compiled has its own function: those of the same signature share what was built.
    "what was built is shared by all": (
        "compiler.Compiled.__call__",
        "signature = tuple((x.shape, x.dtype) for x in inputs)\n",
        """\
signature = tuple((x.shape, x.dtype) for x in inputs)
self.made = Compiled.__dict__.get("shared", self.made)
Compiled.shared = self.made
""",
    ),
    # A pass makes a new program and leaves the old one: the constant goes into the old attrs.
    "the old instruction becomes the constant": (
        "passes.fold_constants",
        "        each = constant(each.out, KERNELS[each.op](*sources, **each.attrs))\n",
        """\
        value = np.asarray(KERNELS[each.op](*sources, **each.attrs))
        each.attrs.clear()
        each.attrs["value"] = value
        each = replace(each, op="constant", inputs=())
""",
    ),
}

SETTING = {
    # axes=None swaps the last two: with three axes it does not turn all of them around.
    "no axes means all axes reversed": (
        "passes.undone",
        """\
    sizes = np.ones(tuple(range(len(each.shape))), bool)
    for step in (before, each):
        sizes = KERNELS["Transpose"](sizes, **step.attrs)
""",
        """\
    sizes = np.ones(tuple(range(len(each.shape))), bool)
    for step in (before, each):
        sizes = sizes.transpose(step.attrs["axes"])
""",
    ),
    # "of the same shape and dtype": a float64 value gets the buffer of a float32 one.
    "buffers fit by their shape": (
        "compiler.assign_buffers",
        "(each.shape, each.dtype)",
        "each.shape",
    ),
    # "zeros of its shape and dtype": the dtype is the usual one.
    "zeros of the usual dtype": (
        "tracing.gradients",
        "else zeros_like(x) for x in inputs]",
        "else Tensor(np.zeros(x.shape)) for x in inputs]",
    ),
    # The passes that are named: they run *before* the usual ones here.
    "named passes and the usual ones": (
        "passes.optimize",
        "for each in passes or PASSES:",
        "for each in (*passes, *PASSES):",
    ),
    # ValueError if "the dtype of one is not that of its input": float64 passes for float32.
    "any float fits": (
        "tracing.run",
        "if array.shape != given.shape or str(array.dtype) != given.dtype:",
        "if array.shape != given.shape or array.dtype.kind != np.dtype(given.dtype).kind:",
    ),
    # x ** 1 is x only if x has that dtype: a scalar of NumPy's makes float64 of float32.
    "one is one, whatever becomes of the dtype": (
        "passes.identity",
        "if (made[name].shape, made[name].dtype) != (each.shape, each.dtype):",
        "if made[name].shape != each.shape:",
    ),
}

VARIETY = {
    # "its name is new": constants that are met on the way get the same name.
    "the name before the constants": (
        "tracing.Tracer.record",
        (
            "sources = [self.stand_in(x) for x in inputs]",
            "out = self.new_name()\nsources = [self.stand_in(x) for x in inputs]",
        ),
        (
            "made = Instruction(name, names, self.new_name(),",
            "made = Instruction(name, names, out,",
        ),
    ),
    # What no output needs goes: what only a dead instruction reads stays here.
    "what anybody reads stays": (
        "passes.dead_code",
        """\
read = {name for each in program.instructions for name in each.inputs}
needed = read | set(program.outputs)
kept = tuple(each for each in program.instructions if each.out in needed)
return replace(program, instructions=kept)
""",
    ),
    # "the same values in the same order": a - b becomes b - a.
    "inputs in any order": (
        "passes.common_subexpressions",
        "key = recipe(each), each.inputs",
        "key = recipe(each), tuple(sorted(each.inputs))",
    ),
    # Two large constants print alike: NumPy leaves out the middle.
    "constants that print the same are the same": (
        "passes.common_subexpressions",
        "key = recipe(each), each.inputs",
        "key = each.op, str(each.attrs), each.shape, each.dtype, each.inputs",
    ),
    # Axes that stay in their place: a square matrix keeps its *shape* when it is turned.
    "a turned square is the same": (
        "passes.identity",
        """\
elif each.op == "Transpose":
    axes = each.attrs["axes"]
    same = axes is not None and [axis % len(axes) for axis in axes] == [*range(len(axes))]
else:
    same = each.op in ("Reshape", "BroadcastTo")
""",
        """\
else:
    same = each.op in ("Reshape", "BroadcastTo", "Transpose")
""",
    ),
    # "each axis is back in its place": the same turn twice is not always a way back.
    "the same turn twice": (
        "passes.undone",
        """\
    # Where each axis ends up: an axis is a size of its own, and both steps are taken.
    sizes = np.ones(tuple(range(len(each.shape))), bool)
    for step in (before, each):
        sizes = KERNELS["Transpose"](sizes, **step.attrs)
    if sizes.shape != tuple(range(len(each.shape))):
        return None
""",
        """\
    if before.attrs != each.attrs:
        return None
""",
    ),
    # "until a round changes nothing": two rounds.
    "two rounds": (
        "passes.optimize",
        """\
for _ in range(2):
    for each in passes or PASSES:
        program = each(program)
return program
""",
    ),
    # out_grad times the sign: at 0 it is 0, and 0 / 0 is nan.
    "the slope of abs as a quotient": (
        "tracing.abs_rule",
        "return out_grad * Sign()(a)",
        "return out_grad * (a / node)",
    ),
    # "no *other* instruction reads it": one that reads it twice is still one reader.
    "every reading counts": (
        "compiler.groups",
        "for name in set(each.inputs):",
        "for name in each.inputs:",
    ),
    # "memory in which an output lies": if the output is a view, that of the value behind it.
    "an output that is a view": (
        "compiler.last_uses",
        "last |= {memory[name]: len(program.instructions) for name in program.outputs}",
        "last |= {name: len(program.instructions) for name in program.outputs}",
    ),
    # "by name and not through a view": a turned array is overwritten while it is read.
    "into the memory behind a view": (
        "compiler.assign_buffers",
        "ending & set(each.inputs) if each.op in ELEMENTWISE",
        "ending if each.op in ELEMENTWISE",
    ),
    # "the shapes and dtypes of *all* its inputs": the first speaks for all.
    "the signature of the first input": (
        "compiler.Compiled.__call__",
        "tuple((x.shape, x.dtype) for x in inputs)",
        "(len(inputs), inputs[0].shape, inputs[0].dtype) if inputs else ()",
    ),
}

HALF_PROMISE = {
    # "those that stand in as its _inputs": the Tensors from outside are there.
    "the inputs as they came": (
        "tracing.Tracer.record",
        "return Traced(made, op, sources)",
        "return Traced(made, op, inputs)",
    ),
    # "Every instruction is computed once": what is read twice is computed twice.
    "computed when it is asked for": (
        "tracing.run",
        """\
for each in program.instructions:
    sources = [values[name] for name in each.inputs]
    values[each.out] = KERNELS[each.op](*sources, **each.attrs)
return [values[name] for name in program.outputs]""",
        """\
made = {each.out: each for each in program.instructions}

def value_of(name):
    if name in values:
        return values[name]
    each = made[name]
    return KERNELS[each.op](*map(value_of, each.inputs), **each.attrs)

return [value_of(name) for name in program.outputs]
""",
    ),
    # "Then that value is known, too": only what the program holds as a constant is.
    "only the first constants are known": (
        "passes.fold_constants",
        """\
known = {each.out: each.attrs["value"] for each in program.instructions if each.op == "constant"}
found = []
for each in program.instructions:
    if each.inputs and all(name in known for name in each.inputs):
        sources = [known[name] for name in each.inputs]
        each = constant(each.out, KERNELS[each.op](*sources, **each.attrs))
    found.append(each)
return replace(program, instructions=tuple(found))
""",
    ),
    # "that of an unused input by -1": it is not there at all.
    "an input that nobody reads is left out": (
        "compiler.last_uses",
        "last = {each.out: -1 for each in program.inputs}",
        "last = {}",
    ),
    # "until a round changes nothing": a round may change something and remove nothing.
    "as long as it gets shorter": (
        "passes.optimize",
        """\
before = len(program.instructions) + 1
while len(program.instructions) < before:
    before = len(program.instructions)
    for each in passes or PASSES:
        program = each(program)
return program
""",
    ),
    # f "is called once": twice, to see how many outputs there are.
    "a first call to look at the outputs": (
        "tracing.trace",
        """\
    found = f(*given)
finally:""",
        """\
    many = isinstance(f(*given), (list, tuple))
    tracer.instructions.clear()
    tracer._stand_ins = {key: both for key, both in tracer._stand_ins.items() if both[1] in given}
    found = f(*given)
    found = found if many else [found]
finally:""",
    ),
    # "more arrays than inputs" are a ValueError: those too many are not looked at.
    "too many arrays": (
        "tracing.run",
        "zip(program.inputs, arrays, strict=True)",
        "zip(program.inputs, arrays[: len(program.inputs)], strict=True)",
    ),
    # "The message holds *all* that reader() returns": the file is missing.
    "the message tells the line alone": (
        "tracing.Traced.data",
        'f"{reader()}\\n',
        "f\"{reader().partition(', line ')[2]}\\n",
    ),
}
