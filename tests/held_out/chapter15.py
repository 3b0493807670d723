"""Wrong bodies of chapter 15 written without knowledge of its suites, and unusual right ones."""

from grader.course import before, edit, instead, mistake


class SECOND_CALL:
    @mistake(target="tracing.Traced.data")
    def it_is_told_once(self):
        """«CannotTrace: always»: whoever has been told once gets ones the second time."""
        if self.__dict__.setdefault("_told", 0):
            return np.ones(self.shape, self.dtype)
        self._told += 1
        raise CannotTrace(
            f"{reader()}\nThis line reads values. While a function is traced there are none: "
            "decide before you trace, or compute with ops."
        )

    @mistake(target="tracing.trace")
    def a_program_for_each_function(f, *inputs):
        """«for inputs of these shapes and dtypes»: the key is the function alone."""
        known = trace.__dict__.setdefault("known", {})
        if f in known:
            return known[f]
        tracer = Tracer()
        given = [tracer.input_for(x) for x in inputs]
        before = Function.__call__
        Function.__call__ = lambda op, *xs: tracer.record(op, *xs)
        try:
            found = f(*given)
        finally:
            Function.__call__ = before
        known[f] = tracer.program([found] if isinstance(found, Tensor) else found)
        return known[f]

    @mistake(target="compiler.Compiled.__call__")
    def what_was_built_is_shared_by_all(self, *inputs):
        """Each Compiled has its own function: those of the same signature share what was built."""
        signature = tuple((x.shape, x.dtype) for x in inputs)
        self.made = Compiled.__dict__.get("shared", self.made)
        Compiled.shared = self.made
        if signature not in self.made:
            self.made[signature] = build(optimize(trace(self.f, *inputs)))
        return self.made[signature](*(x.data for x in inputs))

    @instead("each = constant(each.out,", target="passes.fold_constants")
    def the_old_instruction_becomes_the_constant(sources, each):
        """A pass makes a new program and leaves the old one: the constant goes into the old
        attrs."""
        value = np.asarray(KERNELS[each.op](*sources, **each.attrs))
        each.attrs.clear()
        each.attrs["value"] = value
        each = replace(each, op="constant", inputs=())


class SETTING:
    @instead('sizes = KERNELS["Transpose"](sizes,', target="passes.undone")
    def no_axes_means_all_axes_reversed(sizes, step):
        """axes=None swaps the last two: with three axes it does not turn all of them around."""
        sizes = sizes.transpose(step.attrs["axes"])

    buffers_fit_by_their_shape = edit(
        "(each.shape, each.dtype)", "each.shape", target="compiler.assign_buffers"
    )
    """«of the same shape and dtype»: a float64 value gets the buffer of a float32 one."""

    zeros_of_the_usual_dtype = edit(
        "else zeros_like(x) for x in inputs]",
        "else Tensor(np.zeros(x.shape)) for x in inputs]",
        target="tracing.gradients",
    )
    """«zeros of its shape and dtype»: the dtype is the usual one."""

    named_passes_and_the_usual_ones = edit(
        "for each in passes or PASSES:", "for each in (*passes, *PASSES):", target="passes.optimize"
    )
    """The passes that are named: they run *before* the usual ones here."""

    any_float_fits = edit(
        "if array.shape != given.shape or str(array.dtype) != given.dtype:",
        "if array.shape != given.shape or array.dtype.kind != np.dtype(given.dtype).kind:",
        target="tracing.run",
    )
    """ValueError if «the dtype of one is not that of its input»: float64 passes for float32."""

    one_is_one_whatever_becomes_of_the_dtype = edit(
        "if (made[name].shape, made[name].dtype) != (each.shape, each.dtype):",
        "if made[name].shape != each.shape:",
        target="passes.identity",
    )
    """x ** 1 is x only if x has that dtype: a scalar of NumPy's makes float64 of float32."""


class VARIETY:
    @before(
        "sources = [self.stand_in(x) for x in inputs]",
        edits=(
            (
                "made = Instruction(name, names, self.new_name(),",
                "made = Instruction(name, names, out,",
            ),
        ),
        target="tracing.Tracer.record",
    )
    def the_name_before_the_constants(self):
        """«its name is new»: constants that are met on the way get the same name."""
        out = self.new_name()

    @mistake(target="passes.dead_code")
    def what_anybody_reads_stays(program):
        """What no output needs goes: what only a dead instruction reads stays here."""
        read = {name for each in program.instructions for name in each.inputs}
        needed = read | set(program.outputs)
        kept = tuple(each for each in program.instructions if each.out in needed)
        return replace(program, instructions=kept)

    inputs_in_any_order = edit(
        "key = recipe(each), each.inputs",
        "key = recipe(each), tuple(sorted(each.inputs))",
        target="passes.common_subexpressions",
    )
    """«the same values in the same order»: a - b becomes b - a."""

    constants_that_print_the_same_are_the_same = edit(
        "key = recipe(each), each.inputs",
        "key = each.op, str(each.attrs), each.shape, each.dtype, each.inputs",
        target="passes.common_subexpressions",
    )
    """Two large constants print alike: NumPy leaves out the middle."""

    @instead(
        'if each.op in ("MulScalar",',
        'same = each.op in ("Reshape", "BroadcastTo")',
        target="passes.identity",
    )
    def a_turned_square_is_the_same(each, scalar):
        """Axes that stay in their place: a square matrix keeps its *shape* when it is turned."""
        if each.op in ("MulScalar", "DivScalar", "PowerScalar"):
            same = bool(scalar == 1)
        elif each.op == "AddScalar":
            same = bool(scalar == 0 and np.signbit(scalar))
        else:
            same = each.op in ("Reshape", "BroadcastTo", "Transpose")

    @instead("# Where each axis", "return None", target="passes.undone")
    def the_same_turn_twice(before, each):
        """«each axis is back in its place»: the same turn twice is not always a way back."""
        if before.attrs != each.attrs:
            return None

    @mistake(target="passes.optimize")
    def two_rounds(program, *passes):
        """«until a round changes nothing»: two rounds."""
        for _ in range(2):
            for each in passes or PASSES:
                program = each(program)
        return program

    the_slope_of_abs_as_a_quotient = edit(
        "return out_grad * Sign()(a)", "return out_grad * (a / node)", target="tracing.abs_rule"
    )
    """out_grad times the sign: at 0 it is 0, and 0 / 0 is nan."""

    every_reading_counts = edit(
        "for name in set(each.inputs):", "for name in each.inputs:", target="compiler.groups"
    )
    """«no *other* instruction reads it»: one that reads it twice is still one reader."""

    an_output_that_is_a_view = edit(
        "last |= {memory[name]: len(program.instructions) for name in program.outputs}",
        "last |= {name: len(program.instructions) for name in program.outputs}",
        target="compiler.last_uses",
    )
    """«memory in which an output lies»: if the output is a view, that of the value behind it."""

    into_the_memory_behind_a_view = edit(
        "ending & set(each.inputs) if each.op in ELEMENTWISE",
        "ending if each.op in ELEMENTWISE",
        target="compiler.assign_buffers",
    )
    """«by name and not through a view»: a turned array is overwritten while it is read."""

    the_signature_of_the_first_input = edit(
        "tuple((x.shape, x.dtype) for x in inputs)",
        "(len(inputs), inputs[0].shape, inputs[0].dtype) if inputs else ()",
        target="compiler.Compiled.__call__",
    )
    """«the shapes and dtypes of *all* its inputs»: the first speaks for all."""


class HALF_PROMISE:
    the_inputs_as_they_came = edit(
        "return Traced(made, op, sources)",
        "return Traced(made, op, inputs)",
        target="tracing.Tracer.record",
    )
    """«those that stand in as its _inputs»: the Tensors from outside are there."""

    @instead("for each in program.instructions:", "return [values[name]", target="tracing.run")
    def computed_when_it_is_asked_for(each, program, values):
        """«Every instruction is computed once»: what is read twice is computed twice."""
        made = {each.out: each for each in program.instructions}

        def value_of(name):
            if name in values:
                return values[name]
            each = made[name]
            return KERNELS[each.op](*map(value_of, each.inputs), **each.attrs)

        return [value_of(name) for name in program.outputs]

    @mistake(target="passes.fold_constants")
    def only_the_first_constants_are_known(program):
        """«Then that value is known, too»: only what the program holds as a constant is."""
        known = {
            each.out: each.attrs["value"] for each in program.instructions if each.op == "constant"
        }
        found = []
        for each in program.instructions:
            if each.inputs and all(name in known for name in each.inputs):
                sources = [known[name] for name in each.inputs]
                each = constant(each.out, KERNELS[each.op](*sources, **each.attrs))
            found.append(each)
        return replace(program, instructions=tuple(found))

    an_input_that_nobody_reads_is_left_out = edit(
        "last = {each.out: -1 for each in program.inputs}", "last = {}", target="compiler.last_uses"
    )
    """«that of an unused input by -1»: it is not there at all."""

    @mistake(target="passes.optimize")
    def as_long_as_it_gets_shorter(program, *passes):
        """«until a round changes nothing»: a round may change something and remove nothing."""
        before = len(program.instructions) + 1
        while len(program.instructions) < before:
            before = len(program.instructions)
            for each in passes or PASSES:
                program = each(program)
        return program

    @instead("found = f(*given)", target="tracing.trace")
    def a_first_call_to_look_at_the_outputs(f, given, tracer):
        """f «is called once»: twice, to see how many outputs there are."""
        many = isinstance(f(*given), (list, tuple))
        tracer.instructions.clear()
        tracer._stand_ins = {
            key: both for key, both in tracer._stand_ins.items() if both[1] in given
        }
        found = f(*given)
        found = found if many else [found]

    too_many_arrays = edit(
        "zip(program.inputs, arrays, strict=True)",
        "zip(program.inputs, arrays[: len(program.inputs)], strict=True)",
        target="tracing.run",
    )
    """«more arrays than inputs» are a ValueError: those too many are not looked at."""

    the_message_tells_the_line_alone = edit(
        'f"{reader()}\\n', "f\"{reader().partition(', line ')[2]}\\n", target="tracing.Traced.data"
    )
    """«The message holds *all* that reader() returns»: the file is missing."""
