"""Mutants that are told a mistake: somebody has read its sentence beside each, and it is true.

Target → mistake → the mutant's new line; `…` at its end stands for any end.
"""

TOLD = {
    "tracing.Tracer.record": {
        "attributes-forgotten": ["name, attrs = (type(op).__name__, dict())"],
        "not-written": ["no: self.instructions.append(made)", "made", "self.instructions"],
    },
    "tracing.Traced.data": {
        "nothing-said": [
            "no: raise CannotTrace(f'{reader()}\\nThis line reads values. While a "
            "function is traced there are none: decide before you trace, or compute "
            "with ops.')"
        ],
        "without-the-line": ["raise CannotTrace()"],
    },
    "tracing.trace": {
        "not-put-back": ["no: Function.__call__ = before"],
        "one-tensor-forgotten": ["return tracer.program([found] if False else found)"],
    },
    "passes.dead_code": {
        "nothing-taken": ["if True:", "return program", "return replace(program)"],
    },
    "passes.fold_constants": {
        "any-known": [
            "if True:",
            "if each.op != 'constant' or all((name in known for name in each.inputs)):",
            "if each.op != 'constant':",
            "if each.op != 'constant' and (name in known for name in each.inputs):",
        ],
        "nothing-folded": [
            "if False:",
            "if each.op == 'constant' and all((name in known for name in each.inputs)):",
            "no: known[each.out] = each.attrs['value']",
            "return program",
            "return replace(program)",
        ],
    },
    "passes.common_subexpressions": {
        "readers-forgotten": ["each = each"],
        "outputs-forgotten": ["return replace(program, instructions=tuple(found))"],
    },
    "passes.identity": {
        "zero-forgotten": [
            "elif False:",
            "same = bool()",
            "same = bool(scalar == 1 and np.signbit(scalar))",
            "same = bool(scalar == 0 and scalar)",
        ],
        "square-transposed": [
            "same = axes is not None or [axis % len(axes) for axis in axes] == [*range(len(axes))]"
        ],
        "counted-from-0": [
            "same = axes is not None and [axis for axis in axes] == [*range(len(axes))]"
        ],
    },
    "passes.undone": {
        "any-reshape": ["if False:"],
        "any-transposes": ["if False:", "sizes = sizes"],
    },
    "tracing.gradients": {
        "overwritten": ["arrived[id(source)] = gradient if before is None else gradient"],
    },
    "compiler.groups": {
        "outputs-forgotten": ["readers: dict[str, int] = dict.fromkeys(program.outputs, 0)"],
        "nothing-fused": [
            "readers[name] = readers.get(name, 0) - 1",
            "readers[name] = readers.get(name, 1) + 1",
            "readers[name] = readers.get(name, 0) + 2",
            "if False:",
            "if name in group_of and readers == 1 and (made[name].shape == each.shape):",
            "if name in group_of and readers[name] == 0 and (made[name].shape == each.shape):",
            "no: own += group_of.pop(name)",
        ],
        "readers-ignored": ["readers[name] = 1", "readers[name] = 0 + 1"],
        "everything": ["no: continue"],
    },
    "compiler.last_uses": {
        "inputs-forgotten": ["last = {each.out: -1 for each in list(program.inputs)[:-1]}"],
        "unread-forgotten": ["for name in list((*each.inputs, each.out))[:-1]:"],
        "outputs-forgotten": [
            "no: last |= {memory[name]: len(program.instructions) for name in program.outputs}"
        ],
    },
    "compiler.assign_buffers": {
        "outputs-too": ["end = program.instructions", "if each.op in INTO and last != end:"],
        "products-in-place": ["early = ending & set(each.inputs) if True else set()"],
        "never-in-place": [
            "early = ending & set(each.inputs) if False else set()",
            "early = ending & set() if each.op in ELEMENTWISE else set()",
        ],
        "a-buffer-each": ["fitting = []", "if False:"],
        "never-free": [
            "late = ending - early & ({each.out} if last.get(each.out) == at else set())",
            "late & set(number)",
            "number",
            "kinds",
            "free",
            "release(late & set(number), kinds, number, free)",
            "release(late & set(), number, kinds, free)",
        ],
        "unused-kept": [
            "late = ending - early",
            "late = ending - early | ({each.out} if False else set())",
            "late = ending - early | ({each.out} if each.out == at else set())",
        ],
    },
}
