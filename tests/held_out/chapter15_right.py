"""Unusual right bodies of chapter 15."""

from grader.course import right


class RIGHT:
    @right("passes.dead_code")
    def what_is_needed_grows_until_it_stays(program):
        reads = {each.out: each.inputs for each in program.instructions}
        alive, fresh = set(), set(program.outputs)
        while fresh:
            alive |= fresh
            fresh = {source for name in fresh for source in reads.get(name, ())} - alive
        left = [each for each in program.instructions if each.out in alive]
        return Program(program.inputs, tuple(left), program.outputs)

    @right("passes.common_subexpressions")
    def by_the_whole_history_of_a_value(program):
        history = {each.out: ("input", number) for number, each in enumerate(program.inputs)}
        numbers, owner, kept = {}, {}, []
        for each in program.instructions:
            story = (recipe(each), tuple(history[name] for name in each.inputs))
            number = numbers.setdefault(story, len(numbers))
            history[each.out] = ("made", number)
            if number not in owner:
                owner[number] = each.out
                swap = {
                    name: owner[history[name][1]]
                    for name in each.inputs
                    if history[name][0] == "made"
                }
                kept.append(renamed(each, swap))
        ends = [
            owner[history[name][1]] if history[name][0] == "made" else name
            for name in program.outputs
        ]
        return Program(program.inputs, tuple(kept), tuple(ends))

    @right("passes.undone")
    def by_numbering_the_axes(each, made):
        before = made[each.inputs[0]] if each.inputs else None
        if before is None or each.op != before.op:
            return None
        origin = made[before.inputs[0]] if before.inputs else None
        if each.op == "Negate":
            return origin.out
        if each.op == "Reshape":
            return origin.out if tuple(origin.shape) == tuple(each.shape) else None
        if each.op != "Transpose":
            return None
        order = list(range(len(each.shape)))
        for turn in (before.attrs["axes"], each.attrs["axes"]):
            if turn is None:
                order[-2:] = order[:-3:-1]
            else:
                order = [order[axis] for axis in turn]
        return origin.out if order == sorted(order) else None

    @right("passes.identity")
    def a_table_of_what_changes_nothing(each, made):
        import math

        def negative_zero(number):
            return number == 0 and math.copysign(1.0, number) < 0

        def in_place(axes):
            places = [axis % len(axes) for axis in axes or ()]
            return axes is not None and places == sorted(places)

        tests = {
            "MulScalar": ("scalar", lambda number: number == 1),
            "DivScalar": ("scalar", lambda number: number == 1),
            "PowerScalar": ("scalar", lambda number: number == 1),
            "AddScalar": ("scalar", negative_zero),
            "Transpose": ("axes", in_place),
            "Reshape": ("shape", lambda shape: True),
            "BroadcastTo": ("shape", lambda shape: True),
        }
        if each.op not in tests:
            return None
        attribute, harmless = tests[each.op]
        source = made[each.inputs[0]]
        if source.shape != each.shape or source.dtype != each.dtype:
            return None
        return source.out if harmless(each.attrs[attribute]) else None

    @right("passes.optimize")
    def rounds_by_recursion(program, *passes):
        from functools import reduce

        order = passes if len(passes) else PASSES
        after = reduce(lambda so_far, each: each(so_far), order, program)
        return after if str(after) == str(program) else optimize(after, *passes)

    the_step_of_what_came_out = right("tracing.relu_rule", "return Step()(node) * out_grad")

    @right("compiler.last_uses")
    def from_the_last_line_to_the_first(program):
        memory, end = memory_of(program), len(program.instructions)
        found = {memory[name]: end for name in program.outputs}
        for at in range(end - 1, -1, -1):
            each = program.instructions[at]
            for name in [*each.inputs, each.out]:
                found.setdefault(memory[name], at)
        for each in program.inputs:
            found.setdefault(memory[each.out], -1)
        return found

    @right("compiler.groups")
    def who_may_be_taken_is_asked_beforehand(program):
        lines = {each.out: each for each in program.instructions}
        asked = {name: set() for name in lines}
        for at, each in enumerate(program.instructions):
            for name in each.inputs:
                if name in asked:
                    asked[name].add(at)
        home = {}
        for at in reversed(range(len(program.instructions))):
            each = program.instructions[at]
            if each.op not in ELEMENTWISE:
                continue
            home[each.out] = each.out
            if each.out not in program.outputs and len(asked[each.out]) == 1:
                reader = program.instructions[min(asked[each.out])]
                if reader.op in ELEMENTWISE and reader.shape == each.shape:
                    home[each.out] = home[reader.out]
        teams = {}
        for each in program.instructions:
            if each.out in home:
                teams.setdefault(home[each.out], []).append(each.out)
        return [teams[name] for name in lines if name in teams]

    @right("compiler.Compiled.__call__")
    def asked_for_and_made_if_it_is_missing(self, *inputs):
        key = ()
        for x in inputs:
            key += (x.data.shape, x.data.dtype)
        try:
            ready = self.made[key]
        except KeyError:
            program = optimize(trace(self.f, *inputs))
            ready = self.made[key] = build(program)
        return ready(*[x.data for x in inputs])
