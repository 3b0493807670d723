"""Programs for programs: what is traced, what passes make of it, where memory is used again.

A program of the course is sent as plain values: inputs as (shape, dtype), rows as (op, inputs,
attributes), outputs by name, and a number: with 7 the values of rows are called v7, v8, …
"""

import numpy as np

from .harness import Complaint, ask_first, itemised, listed, unlike

WALKS = ("computed", "traced_by_us")  # no call of these leads through learner code


def program_of(bg, given):
    """The Program that plain values describe."""
    inputs, rows, outputs, first = given
    t = bg.tracing
    made = {}
    for number, (shape, dtype) in enumerate(inputs):
        made[f"x{number}"] = t.Instruction("input", (), f"x{number}", tuple(shape), dtype)
    for number, (op, names, attrs) in enumerate(rows, first):
        sources = [made[name] for name in names.split()]
        shape, dtype = t.outcome(op, sources, attrs)
        out = f"v{number}"
        made[out] = t.Instruction(op, tuple(names.split()), out, shape, dtype, dict(attrs))
    instructions = list(made.values())
    count = len(inputs)
    return t.Program(
        tuple(instructions[:count]), tuple(instructions[count:]), tuple(outputs.split())
    )


def nearly(bg, made):
    """A program whose constants are the next numbers: as a text it is often the same."""

    def moved(each):
        if each.op != "constant":
            return each
        value = each.attrs["value"]
        attrs = {"value": np.asarray(np.nextafter(value, value.dtype.type(np.inf)))}
        return type(each)(each.op, each.inputs, each.out, each.shape, each.dtype, attrs)

    return bg.tracing.Program(made.inputs, tuple(map(moved, made.instructions)), made.outputs)


def a_program(bg, value, who):
    if not isinstance(value, bg.tracing.Program):
        raise unlike(value, f"{who} returned", "a Program was expected")
    return value


def lines_of(program):
    """A program as findings, in the course's own words: shapes, dtypes and attributes too."""
    return [
        *(line_of(each) for each in (*program.inputs, *program.instructions)),
        f"return {', '.join(program.outputs)}",
    ]


def line_of(each):
    attrs = [f"{name}={plain(value)}" for name, value in each.attrs.items()]
    given = ", ".join([*each.inputs, *attrs])
    return f"{each.out} = {each.op}({given}) {each.dtype}{list(each.shape)}"


def plain(value):
    return str(value.tolist()) if isinstance(value, (np.ndarray, np.generic)) else repr(value)


def shown(program):
    return itemised(lines_of(program))


def computed(bg, program, arrays):
    """Run a program by the course's own loop and the given kernels."""
    values = {each.out: array for each, array in zip(program.inputs, arrays)}  # noqa: B905
    for each in program.instructions:
        missing = [name for name in each.inputs if name not in values]
        if missing:
            raise Complaint(f"{each.out} reads {missing[0]}, which nothing before it makes.")
        sources = [values[name] for name in each.inputs]
        values[each.out] = bg.tracing.KERNELS[each.op](*sources, **each.attrs)
    for name in program.outputs:
        if name not in values:
            raise Complaint(f"The program returns {name}, which nothing in it makes.")
    return [np.asarray(values[name]) for name in program.outputs]


def bits(arrays):
    """Arrays to the last bit: the sign of a zero counts, and any nan is as good as another."""
    return [np.where(np.isnan(a), np.nan, a).view("int64") for a in map(np.asarray, arrays)]


def same_bits(found, right):
    """Of each array, whether it is the same to the last bit; both were computed on this machine."""
    pairs = zip(bits(found), bits(right))  # noqa: B905
    return [np.array([len(found) == len(right) and np.array_equal(*pair) for pair in pairs])]


# ---- passes -------------------------------------------------------------------------------


def passed(bg, name, program, arrays):
    """{name} makes a program smaller."""
    made, ask = program_of(bg, program), getattr(bg.passes, name)
    ask_first(ask, nearly(bg, made))
    found = a_program(bg, ask(made), name)
    with np.errstate(all="ignore"):
        before, after = (
            computed(bg, each, [np.array(array) for array in arrays]) for each in (made, found)
        )
    return {
        "value": [shown(found)],
        "same": same_bits(after, before),
        "untouched": [itemised(lines_of(made))],
    }


def another(bg, made):
    """An input of that name, of another shape."""
    return bg.tracing.Instruction("input", (), made.out, (*made.shape, 2), made.dtype)


def seen(bg, name, program, outs):
    """{name} tells which value an instruction gives back."""
    made = program_of(bg, program)
    right = {each.out: each for each in (*made.inputs, *made.instructions)}
    by_name, findings = dict(right), []
    for out in outs.split():
        asked = right[out]
        # In another program another line made what it reads; the dict is filled anew.
        by_name.update((source, another(bg, right[source])) for source in asked.inputs)
        ask_first(getattr(bg.passes, name), asked, by_name)
        by_name.update(right)
        found = getattr(bg.passes, name)(asked, by_name)
        if found is not None and not isinstance(found, str):
            raise unlike(found, f"{name} returned", "a name or None was expected")
        findings.append(f"{line_of(by_name[out])} is {found}")
    return {"value": [itemised(findings)], "untouched": [itemised(lines_of(made))]}


def rounds(bg, program, kinds):
    """optimize goes round until nothing changes.

    The passes are small ones of the course's own: each takes away the last instruction of one
    kind, if an instruction of that kind is the last one; «Exp>Tanh» makes a Tanh of it instead.
    """
    made, asked = program_of(bg, program), []

    def taking(kind):
        old, _, new = kind.partition(">")

        def one(program):
            asked.append(kind)
            *rest, last = program.instructions
            if last.op != old:
                return program
            if new:
                rest.append(
                    bg.tracing.Instruction(new, last.inputs, last.out, last.shape, last.dtype)
                )
            return bg.tracing.Program(program.inputs, tuple(rest), program.outputs)

        return one

    passes, optimize = [*map(taking, kinds.split())], bg.passes.optimize
    ask_first(optimize, made, lambda program: program)
    ask_first(optimize, bg.tracing.Program(made.inputs, (), ()), *passes)
    asked.clear()
    found = optimize(made, *passes)
    return {
        "value": [shown(a_program(bg, found, "optimize"))],
        "asked": [itemised(asked)],
        "untouched": [itemised(lines_of(made))],
    }


# ---- a trace that depends on nobody ------------------------------------------------------


def traced_by_us(bg, f, leaves):
    """The program of ``f``, whatever the learner's `trace` does: the course's own record takes the
    place of the call meanwhile."""
    t, tracer, before = bg.tracing, bg.tracing.Tracer(), bg.ops.Function.__call__

    def record(op, *inputs):
        sources = [tracer.stand_in(x) for x in inputs]
        attrs = dict(vars(op))
        shape, dtype = t.outcome(type(op).__name__, sources, attrs)
        made = t.Instruction(
            type(op).__name__, tuple(x.name for x in sources), tracer.new_name(), shape, dtype,
            attrs,
        )  # fmt: skip
        tracer.instructions.append(made)
        return t.Traced(made, op, sources)

    bg.ops.Function.__call__ = record
    try:
        found = f(*[tracer.input_for(x) for x in leaves])
        return tracer.program([found] if isinstance(found, bg.Tensor) else listed(found, "f"))
    finally:
        bg.ops.Function.__call__ = before
