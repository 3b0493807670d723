"""Programs for what is alive when, where it lies, and what is kept from call to call."""

import numpy as np

from .compilations import lines_of, program_of
from .harness import alone, count_from_here, itemised, leaf, listed, unlike


def grouped(bg, program):
    """groups fuses what is computed value by value."""
    made = program_of(bg, program)
    found = listed(bg.compiler.groups(made), "groups")
    return {
        "value": [itemised(" ".join(listed(each, "groups, inside,")) for each in found)],
        "untouched": [itemised(lines_of(made))],
    }


def lives(bg, program):
    """last_uses tells how long memory is needed."""
    made = program_of(bg, program)
    found = bg.compiler.last_uses(made)
    if not isinstance(found, dict):
        raise unlike(found, "last_uses returned", "a dict was expected")
    return {
        "value": [itemised(f"{name}: {int(at)}" for name, at in sorted(found.items()))],
        "untouched": [itemised(lines_of(made))],
    }


def buffered(bg, program, arrays, fewest):
    """assign_buffers shares out memory."""
    made = program_of(bg, program)
    number = bg.compiler.assign_buffers(made)
    if not isinstance(number, dict):
        raise unlike(number, "assign_buffers returned", "a dict was expected")
    number = {str(name): int(buffer) for name, buffer in number.items()}
    kinds = {each.out: f"{each.dtype}{list(each.shape)}" for each in made.instructions}
    ops = {each.out: each.op for each in made.instructions}
    lost, count = overwritten(program, number, kinds), len(set(number.values()))
    held = {}
    for name, buffer in number.items():
        held.setdefault(buffer, set()).add(kinds.get(name, "no value of the program"))
    memory = bg.compiler.memory_of(made)
    kept = sorted({memory[name] for name in made.outputs} & set(number))
    return {
        "who": [itemised(sorted(number))],
        "right": in_buffers(bg, made, number, arrays, lost),
        "count": [np.array(count if lost & set(made.outputs) else max(count, fewest))],
        "kinds": [itemised(sorted(" and ".join(sorted(k)) for k in held.values() if len(k) > 1))],
        "outputs": [itemised(kept)],
        "into": [itemised(sorted(n for n in number if ops.get(n) not in bg.compiler.INTO))],
        "untouched": [itemised(lines_of(made))],
    }


# As in `tracing.py` and `compiler.py`: a learner may change those files, and not this one.
ELEMENTWISE = {
    "Add", "Sub", "Mul", "Div", "Pow", "Negate", "Log", "Exp", "Sqrt", "Abs", "ReLU", "Sigmoid",
    "Tanh", "Step", "Sign", "AddScalar", "MulScalar", "DivScalar", "PowerScalar",
}  # fmt: skip
VIEWS = {"Reshape", "Transpose", "Slice", "Flip"}


def overwritten(program, number, kinds):
    """The values that are made of what something else was written over.

    Nothing is computed here. A kernel is the learner's, and may know better than what it is given.
    """
    _, rows, _, first = program
    home, current, lost = {}, {}, set()
    for at, (op, names, _) in enumerate(rows, first):
        out, sources = f"v{at}", names.split()
        if lost & set(sources):
            lost.add(out)
        if out not in number:
            home[out] = home.get(sources[0]) if op in VIEWS else None
            continue
        key = number[out]
        kind, times = current.get(key, (kinds[out], 0))
        current[key] = kind, times = kinds[out], times + (kind != kinds[out])
        place = key, times
        read = [name for name in sources if home.get(name) == place]
        if read and (op not in ELEMENTWISE or not number.keys() & set(read)):
            lost.add(out)  # it writes before it has read
        lost |= {name for name, where in home.items() if where == place}
        home[out] = place
    return frozenset(lost)


def in_buffers(bg, program, number, arrays, lost):
    """Run a program with one array for each buffer, into which views look.

    What is no ELEMENTWISE op writes its result in two halves, and spoils the rest before it reads
    its inputs: a buffer of its own input shows. Of an output that is ``lost`` a number is nan.
    """
    values = {each.out: array for each, array in zip(program.inputs, arrays)}  # noqa: B905
    buffers = {}
    for each in program.instructions:
        sources = [values[name] for name in each.inputs]
        kernel = bg.tracing.KERNELS[each.op]
        if each.out not in number:
            values[each.out] = kernel(*sources, **each.attrs)
            continue
        key = number[each.out]
        buffer = buffers.get(key)
        if buffer is None or buffer.shape != each.shape or str(buffer.dtype) != each.dtype:
            buffer = buffers[key] = np.full(each.shape, np.nan, each.dtype)
        direct = [a is buffer for a in sources]
        if (
            each.op not in bg.tracing.ELEMENTWISE
            or not any(direct)
            and any(np.may_share_memory(a, buffer) for a in sources)
        ):
            buffer[...] = np.nan
        buffer[...] = kernel(*sources, **each.attrs)
        values[each.out] = buffer
    found = {name: np.array(values[name]) for name in program.outputs}
    for name in lost & found.keys():
        found[name].flat[:1] = np.nan
    return [found[name] for name in program.outputs]


def spent_in_a_call(bg, program, arrays):
    """A program that was built takes as much memory as its buffers and its outputs."""
    made = program_of(bg, program)
    count_from_here()
    return bg.compiler.build(made)(*arrays)


# ---- once for each shape ------------------------------------------------------------------


class Steps:
    """The three steps of a Compiled, of a function that doubles; they note how they are asked."""

    def __init__(self, bg):
        self.bg, self.asked = bg, []

    def trace(self, f, *inputs):
        f(*inputs)
        rows = [("MulScalar", f"x{number}", {"scalar": 2.0}) for number in range(len(inputs))]
        outputs = " ".join(f"v{number}" for number in range(len(inputs)))
        return program_of(self.bg, ([(x.shape, x.dtype) for x in inputs], rows, outputs, 0))

    def optimize(self, program, *passes):
        self.asked.append("optimize")
        return program

    def build(self, program):
        self.asked.append("build")

        def run(*arrays):
            for array in arrays:
                if not isinstance(array, np.ndarray):
                    raise unlike(array, "The built function was given", "an ndarray was expected")
            return [2.0 * array for array, _ in zip(arrays, program.inputs)]  # noqa: B905

        return run


@alone
def kept(bg, calls, dtypes):
    """Compiled traces once for each signature."""
    compiler, steps, asked = bg.compiler, Steps(bg), []
    own = compiler.trace, compiler.optimize, compiler.build

    def f(*inputs):
        asked.append(1)
        return [x * 2.0 for x in inputs]

    compiler.trace, compiler.optimize, compiler.build = steps.trace, steps.optimize, steps.build
    try:
        function, found, counts, given, known = compiler.Compiled(f), [], [], [], {}
        for arrays, dtype in zip(calls, dtypes, strict=True):
            leaves = []
            for at, array in enumerate(arrays):
                # The same Tensor with other values, as a weight; then another one, as a batch.
                signature = at, array.shape, dtype
                tensor = known.pop(signature, None)
                if tensor is None:
                    tensor = known[signature] = leaf(bg, array, dtype=dtype)
                tensor.data[...] = array
                leaves.append(tensor)
            found += [np.array(each) for each in listed(function(*leaves), "Compiled.__call__")]
            given += [np.array(x.data) for x in leaves]
            counts.append(len(asked))
        other = compiler.Compiled(f)
        other(*[leaf(bg, array) for array in calls[0]])
    finally:
        compiler.trace, compiler.optimize, compiler.build = own
    return {
        "value": [np.asarray(each, dtype="float64") for each in found],
        "kinds": [itemised(f"{each.dtype}{list(each.shape)}" for each in found)],
        "asked": [np.array(counts)],
        "made": [np.array(len(function.made))],
        "steps": [itemised(steps.asked)],
        "apart": [np.array([len(asked) - counts[-1], len(other.made)])],
        "inputs": given,
    }
