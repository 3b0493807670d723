"""Wrong bodies that break one clause of a promise alone: below each its clause."""

from grader.course import after, broken, edit


@broken("tracing.Tracer.record")
class TRACER_RECORD:
    its_op_is_the_name = edit("Instruction(name, names", "Instruction(name.lower(), names")
    """Its op is the name of the class of `op`;"""

    its_inputs_are_the_names = edit("for x in sources)", "for x in reversed(sources))")
    """its inputs are the names of those that stand in for `inputs`;"""

    its_attributes_are_those = edit("dict(vars(op))", "vars(op)")
    """its attributes are those of `op`, `vars(op)`, in a dict of its own;"""


@broken("tracing.trace")
class TRACE:
    f_takes_tensors_returns = edit("[found] if isinstance(found, Tensor) else found", "found")
    """f: takes Tensors; returns a Tensor,"""


@broken("tracing.run")
class RUN:
    @after("sources = [values[name]")
    def every_instruction_is_computed_once(sources, each):
        """Every instruction is computed once, in order, by its function in `KERNELS`,"""
        KERNELS[each.op](*sources, **each.attrs)

    which_takes_the_arrays = edit("(*sources, **each.attrs)", "(*sources, *each.attrs)")
    """which takes the arrays of the inputs and the attributes by name."""


@broken("passes.common_subexpressions")
class COMMON_SUBEXPRESSIONS:
    who_reads_them_reads = edit("each = renamed(each, names)", "each = renamed(each, {})")
    """and who reads them reads the first one instead: later instructions,"""

    which_may_become_the_same = edit("names.get(name, name)", "name")
    """which may become the same by that, and outputs."""


@broken("passes.undone")
class UNDONE:
    transpose_of_a_transpose = edit('"Transpose", "Reshape")', '"Reshape")')
    """- `Transpose` of a `Transpose`,"""

    if_each_axis_is_back = edit("if sizes.shape != tuple", "if () == tuple")
    """if each axis is back in its place."""

    reshape_of_a_reshape = edit('"Transpose", "Reshape")', '"Transpose")')
    """- `Reshape` of a `Reshape`,"""

    if_the_shape = edit(
        "if made[name].shape != each.shape",
        'if each.op != "Reshape" and made[name].shape != each.shape',
    )
    """if the shape is the first one again."""


@broken("tracing.gradients")
class GRADIENTS:
    all_of_it_is_tensor = edit(
        "gradient = unbroadcast(gradient, source.shape)",
        "gradient = Tensor(unbroadcast(gradient, source.shape).data)",
    )
    """All of it is Tensor operations,"""

    @after("arrived = {id(output): start}")
    def no_data_is_read(output):
        """no `data` is read."""
        output.data


@broken("compiler.groups")
class GROUPS:
    such_a_value_is_made = edit(
        ("if name in group_of", "if name in made"), (".pop(name)", ".pop(name, [name])")
    )
    """Such a value is made by an instruction of `ELEMENTWISE`"""


@broken("compiler.last_uses")
class LAST_USES:
    memory_in_which_an_output = edit("{memory[name]: len(", "{name: len(")
    """Memory in which an output lies is needed to the end,"""

    which_is_len = edit("len(program.instructions) for", "len(program.instructions) + 1 for")
    """which is `len(program.instructions)`."""


@broken("compiler.assign_buffers")
class ASSIGN_BUFFERS:
    any_other_instruction_reads = edit(
        "ending & set(each.inputs) if each.op in ELEMENTWISE else set()",
        "ending & set(each.inputs)",
    )
    """Any other instruction reads its inputs while it writes,"""

    what_it_reads = edit(
        "late = ending - early", "late = (set() if each.op == 'MatMul' else ending - early)"
    )
    """and what it reads for the last time becomes free after it."""


@broken("compiler.Compiled.__call__")
class COMPILED_CALL:
    def what_was_built_is_kept(self, *inputs):
        """and what was built is kept in `made`."""
        signature = tuple((x.shape, x.dtype) for x in inputs)
        kept = vars(self).setdefault("kept", {})
        if signature not in kept:
            kept[signature] = build(optimize(trace(self.f, *inputs)))
        return kept[signature](*(x.data for x in inputs))

    def what_is_kept_runs_on(self, *inputs):
        """what is kept runs, on the data of the inputs,"""
        signature = tuple((x.shape, x.dtype) for x in inputs)
        if signature not in self.made:
            self.made[signature] = build(optimize(trace(self.f, *inputs)))
            self.data = {**vars(self).get("data", {}), signature: [x.data for x in inputs]}
        return self.made[signature](*self.data[signature])

    def which_stays_as_it_was(self, *inputs):
        """which stays as it was."""
        signature = tuple((x.shape, x.dtype) for x in inputs)
        if signature not in self.made:
            self.made[signature] = build(optimize(trace(self.f, *inputs)))
        found = self.made[signature](*(x.data for x in inputs))
        for x in inputs:
            x.data[...] = 0
        return found
