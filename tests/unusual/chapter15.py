"""Programs by recursion, patterns and backward looks; buffers last in, first out."""

from grader.course import right, variant


@variant("unusual words")
class UNUSUAL:
    @right("tracing.run")
    def run(program, *arrays):
        wanted = [(each.shape, each.dtype) for each in program.inputs]
        if wanted != [(a.shape, a.dtype.name) for a in arrays]:
            raise ValueError("Traced for other arrays.")
        values = {each.out: array for each, array in zip(program.inputs, arrays)}
        for each in program.instructions:
            values |= {each.out: KERNELS[each.op](*map(values.get, each.inputs), **each.attrs)}
        return [*map(values.__getitem__, program.outputs)]

    traced_data = right(
        "tracing.Traced.data", 'raise CannotTrace("No values here yet. Look at " + reader())'
    )

    @right("tracing.Tracer.record")
    def tracer_record(self, op, *inputs):
        stand_ins = [*map(self.stand_in, inputs)]
        attrs = {**vars(op)}
        shape, dtype = outcome(op.__class__.__name__, stand_ins, attrs)
        self.instructions += [
            Instruction(
                op=op.__class__.__name__,
                inputs=tuple(each.name for each in stand_ins),
                out=self.new_name(),
                shape=shape,
                dtype=dtype,
                attrs=attrs,
            )
        ]
        return Traced(self.instructions[-1], op=op, inputs=stand_ins)

    @right("tracing.trace")
    def trace(f, *inputs):
        import contextlib

        tracer = Tracer()
        with contextlib.ExitStack() as after:
            after.callback(setattr, Function, "__call__", Function.__call__)

            def record(op, *tensors):
                return tracer.record(op, *tensors)

            Function.__call__ = record
            outputs = f(*map(tracer.input_for, inputs))
        return tracer.program((outputs,) if isinstance(outputs, Tensor) else outputs)

    relu_rule = right("tracing.relu_rule", "return Step()(node) * out_grad")

    @right("tracing.abs_rule")
    def abs_rule(out_grad, node):
        (a,) = node._inputs
        return out_grad * Step()(a) - out_grad * Step()(-a)

    @right("tracing.gradients")
    def gradients(output, inputs):
        parts = {id(output): [Tensor.ones(*output.shape, dtype=output.dtype, requires_grad=False)]}

        def total(node):
            first, *others = parts[id(node)]
            for each in others:
                first = first + each
            parts[id(node)] = [first]
            return first

        for node in backwards(output):
            if id(node) in parts and node._op is not None:
                found = rule_of(node)(total(node), node)
                found = [found] if isinstance(found, Tensor) else found
                for source, part in zip(node._inputs, found):
                    parts.setdefault(id(source), []).append(unbroadcast(part, source.shape))
        return [total(x) if id(x) in parts else zeros_like(x) for x in inputs]

    @right("passes.dead_code")
    def dead_code(program):
        made = {each.out: each for each in program.instructions}
        needed, todo = set(), [*program.outputs]
        while todo:
            if (name := todo.pop()) in made and name not in needed:
                needed.add(name)
                todo += made[name].inputs
        kept = filter(lambda each: each.out in needed, program.instructions)
        return replace(program, instructions=tuple(kept))

    @right("passes.fold_constants")
    def fold_constants(program):
        known = {}

        def folded(each):
            match each:
                case Instruction(op="constant", attrs={"value": value}):
                    known[each.out] = value
                case Instruction(inputs=inputs) if known.keys() >= {*inputs}:
                    known[each.out] = KERNELS[each.op](*(known[n] for n in inputs), **each.attrs)
                    return constant(each.out, known[each.out])
            return each

        return replace(program, instructions=(*map(folded, program.instructions),))

    @right("passes.common_subexpressions")
    def common_subexpressions(program):
        first, names = {}, {}

        def stays(each):
            read = tuple(names[name] if name in names else name for name in each.inputs)
            names[each.out] = first.setdefault((recipe(each), read), each.out)
            return names[each.out] == each.out

        kept = [each for each in program.instructions if stays(each)]
        return Program(
            program.inputs,
            tuple(renamed(each, names) for each in kept),
            tuple(map(lambda name: names.get(name, name), program.outputs)),
        )

    @right("passes.identity")
    def identity(each, made):
        def one(scalar):
            return scalar == 1

        tests = {
            **dict.fromkeys(("MulScalar", "DivScalar", "PowerScalar"), one),
            "AddScalar": lambda scalar: scalar == 0 and np.copysign(1, scalar) < 0,
            "Reshape": lambda shape: True,
            "BroadcastTo": lambda shape: True,
            "Transpose": lambda axes: (
                axes is not None
                and [range(len(axes))[axis] for axis in axes] == [*range(len(axes))]
            ),
        }
        if each.op not in tests or not tests[each.op](**each.attrs):
            return None
        before = made[each.inputs[0]]
        return before.out if (before.shape, before.dtype) == (each.shape, each.dtype) else None

    @right("passes.undone")
    def undone(each, made):
        def order(step, n):
            axes = step.attrs["axes"]
            return [*range(n)][:-2] + [n - 1, n - 2] if axes is None else [a % n for a in axes]

        if not each.inputs or (before := made[each.inputs[0]]).op != each.op:
            return None
        match each.op:
            case "Negate":
                back = True
            case "Reshape":
                back = made[before.inputs[0]].shape == each.shape
            case "Transpose":
                n = len(each.shape)
                first, second = order(before, n), order(each, n)
                back = [first[axis] for axis in second] == [*range(n)]
            case _:
                back = False
        return before.inputs[0] if back else None

    @right("passes.optimize")
    def optimize(program, *passes):
        from functools import reduce

        smaller = reduce(lambda now, each: each(now), passes or PASSES, program)
        return smaller if str(smaller) == str(program) else optimize(smaller, *passes)

    # From the end on: who is read by one alone goes into the group of that one.
    @right("compiler.groups")
    def groups(program):
        readers, home = {}, {}
        for each in program.instructions:
            for name in {*each.inputs}:
                readers.setdefault(name, []).append(each)
        for each in reversed(program.instructions):
            if each.op in ELEMENTWISE:
                home[each.out] = each.out
                match readers.get(each.out, []):
                    case [only] if only.out in home and each.out not in program.outputs:
                        if only.shape == each.shape:
                            home[each.out] = home[only.out]
        names = [each.out for each in program.instructions if each.out in home]
        ends = [name for name in names if home[name] == name]
        return [[name for name in names if home[name] == end] for end in ends]

    @right("compiler.last_uses")
    def last_uses(program):
        memory, found = memory_of(program), {}
        for name in program.outputs:
            found[memory[name]] = len(program.instructions)
        for at, each in reversed([*enumerate(program.instructions)]):
            for name in (each.out, *each.inputs):
                found.setdefault(memory[name], at)
        for each in program.inputs:
            found.setdefault(each.out, -1)
        return found

    @right("compiler.assign_buffers")
    def assign_buffers(program):
        last, memory = last_uses(program), memory_of(program)
        held, stack, total = {}, [], 0
        kind = {each.out: (each.shape, each.dtype) for each in program.instructions}
        for at, each in enumerate(program.instructions):
            ends = [n for n in dict.fromkeys(memory[x] for x in each.inputs) if last[n] == at]
            now = [n for n in ends if each.op in ELEMENTWISE and n in each.inputs]
            stack += [(kind[n], held[n]) for n in now if n in held]
            if each.op in INTO and last[each.out] < len(program.instructions):
                fits = [i for i, (k, _) in enumerate(stack) if k == kind[each.out]]
                if fits:
                    held[each.out] = stack.pop(fits[-1])[1]
                else:
                    held[each.out], total = total, total + 1
            if last.get(each.out) == at:
                ends.append(each.out)
            stack += [(kind[n], held[n]) for n in ends if n in held and n not in now]
        return held

    @right("compiler.Compiled.__call__")
    def compiled_call(self, *inputs):
        signature = ";".join(f"{x.dtype}{x.shape}" for x in inputs)
        try:
            built = self.made[signature]
        except KeyError:
            built = self.made.setdefault(signature, build(optimize(trace(self.f, *inputs))))
        return built(*[x.data for x in inputs])
