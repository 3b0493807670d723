"""Tracers, passes and plans, all but right."""

from grader.course import after, edit, instead, mistake

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


class SUBTLE:
    the_dtype_of_the_first_input = edit(
        "shape, dtype = outcome(name, sources, attrs)",
        "shape, dtype = outcome(name, sources, attrs)[0], str(sources[0].dtype)",
        target=RECORD,
    )
    each_name_once = edit(
        "names = tuple(x.name for x in sources)",
        "names = tuple(sorted({x.name for x in sources}, reverse=True))",
        target=RECORD,
    )
    put_back_to_what_forward_does = edit(
        "Function.__call__ = before",
        "Function.__call__ = lambda op, *xs: Tensor(op.forward(*(x.data for x in xs)))",
        target=TRACE,
    )
    one_tracer_for_all_traces = edit(
        "tracer = Tracer()", "tracer = trace.__dict__.setdefault('tracer', Tracer())", target=TRACE
    )
    an_input_that_is_kept = edit(
        "values[given.out] = array", "values[given.out] = array.astype('float32')", target=RUN
    )
    as_many_axes_are_enough = edit(
        "array.shape != given.shape", "array.ndim != len(given.shape)", target=RUN
    )

    @instead("values[each.out]", target=RUN)
    def twice_where_it_is_read_twice(each, program, values, sources):
        for _ in range(1 + (each.out in program.outputs)):
            values[each.out] = KERNELS[each.op](*sources, **each.attrs)

    @instead("return replace(program,", target=DEAD)
    def what_the_next_line_reads(needed, program, each):
        read = {n for each in program.instructions for n in each.inputs} | needed
        kept = [each for each in program.instructions if each.out in read]
        return replace(program, instructions=tuple(kept))

    @instead("return replace(program,", target=FOLD)
    def folded_and_taken_away(found, program, each):
        read = {n for each in found for n in each.inputs} | set(program.outputs)
        return replace(program, instructions=tuple(e for e in found if e.out in read))

    constants_of_one_number_only = edit(
        'if each.op == "constant":', 'if each.op == "constant" and each.shape == ():', target=FOLD
    )
    an_op_that_commutes = edit(
        "key = recipe(each), each.inputs",
        "key = recipe(each), tuple(sorted(each.inputs)) if len(each.inputs) == 2 else each.inputs",
        target=COMMON,
    )
    without_constants = edit(
        "if key in first:", "if key in first and each.op != 'constant':", target=COMMON
    )
    outputs_that_stay = edit(
        "if key in first:", "if key in first and each.out not in program.outputs:", target=COMMON
    )
    zero_without_its_sign = edit(
        "bool(scalar == 0 and np.signbit(scalar))",
        "bool(scalar == 0 and isinstance(scalar, float))",
        target=IDENTITY,
    )
    an_order_that_ascends_is_in_place = edit(
        "[axis % len(axes) for axis in axes] == [*range(len(axes))]",
        "tuple(axes) == tuple(sorted(axes))",
        target=IDENTITY,
    )
    an_identity_of_integers_too = edit(
        'same = each.op in ("Reshape", "BroadcastTo")',
        'same = each.op in ("Reshape", "BroadcastTo", "Abs")',
        target=IDENTITY,
    )
    axes_that_are_their_own_inverse = edit(
        "for step in (before, each):", "for step in (each, each):", target=UNDONE
    )

    @after("before = made[each.inputs[0]]", target=UNDONE)
    def a_negative_that_was_seen(before, each, made):
        if before.inputs and each.op == "Negate" and before.op != "Negate":
            before = made[before.inputs[0]]

    @instead("while str(program) != before:", target=OPTIMIZE)
    def three_rounds(before, program):
        rounds = 0
        while str(program) != before and rounds < 3:
            rounds += 1

    @mistake(target=OPTIMIZE)
    def as_many_lines_as_before(program, *passes):
        before = ""
        before = None
        while before is None or len(program.instructions) < before - 1:
            before = len(program.instructions)
            for each in passes or PASSES:
                program = each(program)
        return program

    a_start_of_one_number = edit("np.ones(output.shape)", "np.ones(())", target=GRADIENTS)
    zeros_of_float32 = edit(
        "zeros_like(x) for x", "Tensor(np.zeros(x.shape)) for x", target=GRADIENTS
    )

    @instead(
        "for name in set(each.inputs):", "readers[name] = readers.get(name, 0) + 1", target=GROUPS
    )
    def a_reader_that_is_counted_by_its_inputs(each, readers):
        for name in each.inputs:
            readers[name] = readers.get(name, 0) + 1

    names_sorted_as_texts = edit("sorted(own, key=place.__getitem__)", "sorted(own)", target=GROUPS)
    an_output_with_one_reader = edit(
        "dict.fromkeys(program.outputs, 1)", "dict.fromkeys(program.outputs[:1], 1)", target=GROUPS
    )

    @after("memory = memory_of(program)", target=LIVES)
    def one_view_deep(each, program, memory):
        source = {each.out: each.inputs[0] for each in program.instructions if each.inputs}
        memory = {n: (m if m == n else source[n]) for n, m in memory.items()}

    free_at_the_last_use_for_everybody = edit(
        "if each.op in ELEMENTWISE else set()", "if each.op in INTO else set()", target=BUFFERS
    )
    same_shape_is_enough = edit(
        "(each.shape, each.dtype) for each",
        "(sum(each.shape), each.dtype) for each",
        target=BUFFERS,
    )
    the_first_of_several = edit(
        "(x.shape, x.dtype) for x in inputs",
        "(x.shape, x.dtype) for x in inputs[:1]",
        target=COMPILED,
    )
    sorted_signatures = edit(
        "tuple((x.shape, x.dtype) for x in inputs)",
        "tuple(sorted(x.shape for x in inputs)), tuple(x.dtype for x in inputs)",
        target=COMPILED,
    )
    as_many_numbers_are_enough = edit(
        "array.shape != given.shape",
        "array.size != np.prod(given.shape, dtype=int)",
        target="tracing.run",
    )
    axes_of_one_do_not_count = edit(
        "array.shape != given.shape",
        "array.squeeze().shape != np.empty(given.shape).squeeze().shape",
        target="tracing.run",
    )
    each_output_once = edit(
        "[values[name] for name in program.outputs]",
        "[values[name] for name in dict.fromkeys(program.outputs)]",
        target="tracing.run",
    )
    a_tuple_is_one_output = edit(
        "[found] if isinstance(found, Tensor) else found",
        "found if isinstance(found, list) else [found]",
        target="tracing.trace",
    )
    as_many_axes_are_the_same_shape = edit(
        "gradient = unbroadcast(gradient, source.shape)",
        "gradient = unbroadcast(gradient, source.shape) if gradient.ndim > source.ndim else "
        "gradient",
        target="tracing.gradients",
    )
    constants_never_die = edit(
        "if each.out in needed:",
        "if each.out in needed or each.op == 'constant':",
        target="passes.dead_code",
    )
    what_is_folded_is_float64 = edit(
        "constant(each.out, KERNELS",
        "constant(each.out, np.float64(1) * KERNELS",
        target="passes.fold_constants",
    )
    constants_are_float64 = edit(
        "each = constant(each.out, KERNELS[each.op](*sources, **each.attrs))",
        "each = constant(each.out, np.asarray(KERNELS[each.op](*sources, **each.attrs), "
        "'float64'))",
        target="passes.fold_constants",
    )
    constants_that_print_the_same = edit(
        "recipe(each), each.inputs",
        "(each.op, each.shape, each.dtype, str(each.attrs)), each.inputs",
        target="passes.common_subexpressions",
    )
    any_Flip_undoes_a_Flip = edit(
        '("Negate", "Transpose", "Reshape")',
        '("Negate", "Transpose", "Reshape", "Flip")',
        target="passes.undone",
    )
    what_an_output_looks_into_is_no_output = edit(
        "last[each.out] != end", "each.out not in program.outputs", target="compiler.assign_buffers"
    )
    as_many_numbers_and_axes = edit(
        "(x.shape, x.dtype) for x in inputs",
        "(x.size, x.ndim, x.dtype) for x in inputs",
        target="compiler.Compiled.__call__",
    )
    as_many_axes_in_a_group = edit(
        "made[name].shape == each.shape",
        "len(made[name].shape) == len(each.shape)",
        target="compiler.groups",
    )

    @instead("release(early & set(number),", target=BUFFERS)
    def a_buffer_that_is_read_twice_is_free_twice(each, early, number, kinds, free):
        for name in each.inputs:
            if name in early & set(number):
                release({name}, number, kinds, free)

    attributes_that_say_something = edit(
        "dict(vars(op))", "{k: v for k, v in vars(op).items() if v is not None}", target=RECORD
    )
    attributes_that_are_true = edit(
        "dict(vars(op))",
        "{k: v for k, v in vars(op).items() if v != 0 or v is None}",
        target=RECORD,
    )
    attributes_in_lists = edit(
        "dict(vars(op))",
        "{k: list(v) if isinstance(v, tuple) else v for k, v in vars(op).items()}",
        target=RECORD,
    )
    inputs_that_only_f_is_handed = edit(
        "tracer.input_for(x) for x in inputs",
        "tracer.input_for(Tensor(x.data, dtype=x.dtype)) for x in inputs",
        target=TRACE,
    )
    put_back_to_what_the_first_trace_found = edit(
        "before = Function.__call__",
        "before = trace.__dict__.setdefault('before', Function.__call__)",
        target=TRACE,
    )
    each_output_of_f_once = edit(
        "[found] if isinstance(found, Tensor) else found",
        "[found] if isinstance(found, Tensor) else list(dict.fromkeys(found))",
        target=TRACE,
    )
    what_reads_a_value_twice_is_new = edit(
        "if key in first:",
        "if key in first and len({*each.inputs}) == len(each.inputs):",
        target=COMMON,
    )
    what_reads_a_value_twice_is_not_known = edit(
        'each.op != "constant" and all(',
        'each.op != "constant" and len({*each.inputs}) == len(each.inputs) and all(',
        target=FOLD,
    )
    an_attribute_that_is_None_is_not_known = edit(
        'each.op != "constant" and all(',
        'each.op != "constant" and None not in each.attrs.values() and all(',
        target=FOLD,
    )

    @instead("given = [tracer.input_for(x)", target=TRACE)
    def one_input_for_the_same_Tensor(tracer, inputs):
        known = {id(x): tracer.input_for(x) for x in {id(x): x for x in inputs}.values()}
        given = [known[id(x)] for x in inputs]

    the_walk_ends_at_an_input = edit(
        "if node._op is None or id(node) not in arrived:",
        "if node._op is None or id(node) not in arrived or any(node is x for x in inputs):",
        target=GRADIENTS,
    )
    a_gradient_is_gone_once_it_is_passed_on = edit(
        "rule_of(node)(arrived[id(node)], node)",
        "rule_of(node)(arrived.pop(id(node)), node)",
        target=GRADIENTS,
    )
