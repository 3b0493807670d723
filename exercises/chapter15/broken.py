"""Wrong bodies that break one clause of a promise alone: target → clause → the body, or an edit."""

BROKEN = {
    "tracing.Tracer.record": {
        "Its op is the name of the class of `op`;": (
            "Instruction(name, names", "Instruction(name.lower(), names",
        ),
        "its inputs are the names of those that stand in for `inputs`;": (
            "for x in sources)", "for x in reversed(sources))",
        ),
        "its attributes are those of `op`, `vars(op)`, in a dict of its own;": (
            "dict(vars(op))", "vars(op)",
        ),
    },
    "tracing.trace": {
        "f: takes Tensors; returns a Tensor,": (
            "[found] if isinstance(found, Tensor) else found", "found",
        ),
    },
    "tracing.run": {
        "Every instruction is computed once, in order, by its function in `KERNELS`,": (
            "values[each.out] = KERNELS[each.op](*sources, **each.attrs)",
            "KERNELS[each.op](*sources, **each.attrs)\n"
            "    values[each.out] = KERNELS[each.op](*sources, **each.attrs)",
        ),
        "which takes the arrays of the inputs and the attributes by name.": (
            "(*sources, **each.attrs)", "(*sources, *each.attrs)",
        ),
    },
    "passes.common_subexpressions": {
        "and who reads them reads the first one instead: later instructions,": (
            "each = renamed(each, names)", "each = renamed(each, {})",
        ),
        "which may become the same by that, and outputs.": (
            "names.get(name, name)", "name",
        ),
    },
    "passes.undone": {
        "- `Transpose` of a `Transpose`,": ('"Transpose", "Reshape")', '"Reshape")'),
        "if each axis is back in its place.": (
            "if sizes.shape != tuple", "if () == tuple",
        ),
        "- `Reshape` of a `Reshape`,": ('"Transpose", "Reshape")', '"Transpose")'),
        "if the shape is the first one again.": (
            "if made[name].shape != each.shape",
            'if each.op != "Reshape" and made[name].shape != each.shape',
        ),
    },
    "tracing.gradients": {
        "All of it is Tensor operations,": (
            "gradient = unbroadcast(gradient, source.shape)",
            "gradient = Tensor(unbroadcast(gradient, source.shape).data)",
        ),
        "no `data` is read.": ("for node in backwards", "output.data\nfor node in backwards"),
    },
    "compiler.groups": {
        "Such a value is made by an instruction of `ELEMENTWISE`": (
            ("if name in group_of", "if name in made"), (".pop(name)", ".pop(name, [name])"),
        ),
    },
    "compiler.last_uses": {
        "Memory in which an output lies is needed to the end,": (
            "{memory[name]: len(", "{name: len(",
        ),
        "which is `len(program.instructions)`.": (
            "len(program.instructions) for", "len(program.instructions) + 1 for",
        ),
    },
    "compiler.assign_buffers": {
        "Any other instruction reads its inputs while it writes,": (
            "ending & set(each.inputs) if each.op in ELEMENTWISE else set()",
            "ending & set(each.inputs)",
        ),
        "and what it reads for the last time becomes free after it.": (
            "late = ending - early", "late = (set() if each.op == 'MatMul' else ending - early)",
        ),
    },
    "compiler.Compiled.__call__": {
        "and what was built is kept in `made`.": """
            signature = tuple((x.shape, x.dtype) for x in inputs)
            kept = vars(self).setdefault("kept", {})
            if signature not in kept:
                kept[signature] = build(optimize(trace(self.f, *inputs)))
            return kept[signature](*(x.data for x in inputs))
        """,
        "what is kept runs, on the data of the inputs,": """
            signature = tuple((x.shape, x.dtype) for x in inputs)
            if signature not in self.made:
                self.made[signature] = build(optimize(trace(self.f, *inputs)))
                self.data = {**vars(self).get("data", {}), signature: [x.data for x in inputs]}
            return self.made[signature](*self.data[signature])
        """,
        "which stays as it was.": (
            "return self.made[signature](*(x.data for x in inputs))",
            "found = self.made[signature](*(x.data for x in inputs))\n"
            "for x in inputs:\n    x.data[...] = 0\nreturn found",
        ),
    },
}  # fmt: skip
