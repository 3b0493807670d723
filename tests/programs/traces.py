"""Programs for what is traced, run back, and walked back."""

import numpy as np

from .compilations import (
    a_program,
    computed,
    line_of,
    lines_of,
    nearly,
    program_of,
    same_bits,
    shown,
    traced_by_us,
)  # fmt: skip
from .harness import POOL, alone, ask_first, itemised, leaf, listed, told, unlike
from .higher import called


def ops_of(bg):
    """Two ops that nobody may compute with: only their names and attributes count."""
    computed = []

    class MulScalar(bg.ops.Function):
        def __init__(self, scalar):
            self.scalar = scalar

        def forward(self, a):
            computed.append(1)
            return a * self.scalar

    class Add(bg.ops.Function):
        def forward(self, a, b):
            computed.append(1)
            return a + b

    return MulScalar, Add, computed


def recorded(bg, shape, dtype, scalar):
    """Tracer.record writes an instruction."""
    scaled, add, made_values = ops_of(bg)
    tracer = bg.tracing.Tracer()
    x = tracer.input_for(bg.Tensor(np.ones(shape), dtype=dtype))
    fixed = bg.Tensor(np.full(shape[1:], 2.0), dtype="float64", requires_grad=False)
    op, plus = scaled(scalar), add()
    first = a_traced(bg, tracer.record(op, x))
    second = a_traced(bg, tracer.record(plus, first, fixed))
    third = a_traced(bg, tracer.record(plus, first, fixed))
    written = list(tracer.instructions)
    op.scalar = -1.0  # what an op becomes later is not what was recorded
    return {
        "value": [itemised(line_of(each) for each in written)],
        "names": [itemised([first.name, second.name, third.name])],
        "graph": [
            np.array([first._op is op, second._op is plus]),
            np.array([len(first._inputs), len(second._inputs)]),
            np.array([begins_with(first, x), begins_with(second, first)]),
            np.array([isinstance(each, bg.tracing.Traced) for each in second._inputs]),
        ],
        "quiet": [np.array(len(made_values))],
        "kind": [itemised(f"{each.dtype}{list(each.shape)}" for each in (first, second))],
    }


def recorded_rows(bg, given):
    """Tracer.record writes every attribute of an op."""
    inputs, rows, _, first = given
    tracer, made = bg.tracing.Tracer(), {}
    for number, (shape, dtype) in enumerate(inputs):
        made[f"x{number}"] = tracer.input_for(bg.Tensor(np.ones(shape), dtype=dtype))
    for number, (name, read, attrs) in enumerate(rows, first):
        op = type(name, (bg.ops.Function,), {})()
        vars(op).update(attrs)
        sources = [made[each] for each in read.split()]
        made[f"v{number}"] = a_traced(bg, tracer.record(op, *sources))
    return {"value": [itemised(line_of(each) for each in tracer.instructions)]}


def begins_with(node, source):
    return len(node._inputs) > 0 and node._inputs[0] is source


def a_traced(bg, value):
    if not isinstance(value, bg.tracing.Traced):
        raise unlike(value, "Tracer.record returned", "a Traced was expected")
    return value


def read_values(bg, shape):
    """Code that reads the data of a Traced is told where."""
    x = bg.tracing.Tracer().input_for(bg.Tensor(np.ones(shape)))

    def direct():
        return x.data > 0

    def copied():
        return x.numpy()

    def asked():
        return 1 if x else 0

    lines = {each: each.__code__.co_firstlineno + 1 for each in (direct, copied, asked)}
    found = {each.__name__: refusal(bg, each) for each in lines}
    with_line = [f"line {line}:" in found[each.__name__][1] for each, line in lines.items()]
    return {
        "value": [itemised(kind for kind, _ in found.values())],
        "line": [np.array(with_line)],
        "file": [np.array([direct.__code__.co_filename in said for _, said in found.values()])],
    }


def refusal(bg, ask):
    """Return the kind of error that a call ended with, and its message."""
    try:
        ask()
    except bg.tracing.CannotTrace as error:
        return "CannotTrace", str(error)
    except NotImplementedError:
        raise
    except Exception as error:
        return type(error).__name__, str(error)
    return "nothing was raised", ""


@alone
def traced(bg, call, arrays, dtype, handed):
    """trace writes the program of a function.

    ``handed``: which of the arrays is each input; a number twice is the same Tensor twice.
    """
    made = [bg.Tensor(array, dtype=dtype) for array in arrays]
    leaves, asked = [made[number] for number in handed], []

    def f(*given):
        asked.append(given)
        return called(bg, call, given, {f"w{number}": x for number, x in enumerate(leaves)})

    def around(op, *inputs):
        return before(op, *inputs)

    before = bg.ops.Function.__call__
    ask_first(bg.tracing.trace, lambda *given: given, *leaves)
    bg.ops.Function.__call__ = before
    program = a_program(bg, bg.tracing.trace(f, *leaves), "trace")
    restored, times = bg.ops.Function.__call__ is before, [len(asked)]
    bg.ops.Function.__call__ = around  # as inside of another trace, or of no_grad
    again = a_program(bg, bg.tracing.trace(f, *leaves), "trace")
    restored &= bg.ops.Function.__call__ is around
    times.append(len(asked) - times[0])
    bg.ops.Function.__call__ = before
    eager = f(*leaves)
    eager = [eager] if isinstance(eager, bg.Tensor) else eager
    found = computed(bg, program, [x.data for x in leaves])
    same = len(found) == len(eager) and all(map(alike, found, eager))
    return {
        "value": [shown(program)],
        "again": [shown(again)],
        "same": [np.array(same)],
        "restored": [np.array(restored)],
        "asked": [np.array(times)],
        "given": [np.array([isinstance(each, bg.tracing.Traced) for each in asked[0]])],
        "inputs": [np.array(x.data) for x in made],
    }


def alike(found, eager):
    """Whether both are the same to the last bit; where an op of this package makes float32 of
    what it is given, to that precision."""
    if found.dtype != eager.data.dtype:
        return np.allclose(found, eager.data, 1e-5, 1e-6)
    return np.array_equal(found, eager.data, equal_nan=True)


@alone
def trace_broken_off(bg, shape):
    """After a function that raised, ops compute again."""
    x, before = leaf(bg, np.ones(shape)), bg.ops.Function.__call__

    def f(x):
        raise KeyError("on purpose")

    ended = told(lambda: bg.tracing.trace(f, x), [])
    restored = bg.ops.Function.__call__ is before
    return {
        "restored": [np.array(restored)],
        "raised": [np.array(ended == "KeyError")],
    }


# ---- running ------------------------------------------------------------------------------


class counted_kernels:
    """``with counted_kernels(bg) as asked:`` the list grows by a name with every kernel."""

    def __init__(self, bg):
        self.table = bg.tracing.KERNELS

    def __enter__(self):
        self.own, asked = dict(self.table), []

        def noting(name, kernel):
            def ask(*arrays, **attrs):
                asked.append(name)
                return kernel(*arrays, **attrs)

            return ask

        self.table.update({name: noting(name, kernel) for name, kernel in self.own.items()})
        return asked

    def __exit__(self, *error):
        self.table.update(self.own)


def ran(bg, program, arrays):
    """run computes a program."""
    made, run = program_of(bg, program), bg.tracing.run
    made = POOL.take(("program", *lines_of(made)), lambda: made)[0]
    given = [POOL.array(each) for each in arrays]
    turned = bg.tracing.Program(made.inputs, made.instructions, made.outputs[::-1])
    for other in (nearly(bg, made), turned):
        ask_first(run, other, *given)
    with counted_kernels(bg) as asked:
        found = listed(run(made, *given), "run")
    return {
        "value": [as_array(each, "run") for each in found],
        "same": same_bits(found, computed(bg, made, given)),
        "inputs": given,
        "asked": [itemised(sorted(asked))],
    }


def as_array(value, who):
    if isinstance(value, (np.ndarray, np.generic)):
        return np.asarray(value)
    raise unlike(value, f"{who} returned a list with", "an ndarray was expected")


def not_run(bg, program, calls):
    """run refuses arrays that the program was not traced for."""
    made = program_of(bg, program)
    ended = [
        told(lambda each=each: bg.tracing.run(made, *[np.array(a) for a in each]), [])
        for each in calls
    ]
    return [itemised(ended)]


# ---- the way back -------------------------------------------------------------------------


@alone
def masks(bg, name, kind, array, cotangent):
    """{name} writes the mask into the program."""

    def f(a, g):
        op = getattr(bg.ops, kind)()
        found = getattr(bg.tracing, name)(g, op(a))
        if found is None:
            raise unlike(found, f"{name} returned", "a Tensor was expected")
        return found

    leaves = [leaf(bg, array), leaf(bg, cotangent)]
    traced_by_us(bg, f, leaves)
    program = traced_by_us(bg, f, leaves)
    other = np.array(array[::-1])
    return {
        "value": computed(bg, program, [array, cotangent]),
        "other": computed(bg, program, [other, cotangent]),
    }


@alone
def walked(bg, call, arrays):
    """gradients writes the way back into the program, for the inputs or for names in ``call``."""
    asked, own = [], bg.tracing.rule_of
    given = []

    def noting(node):
        rule = own(node)

        def ask(out_grad, node):
            asked.append(type(node._op).__name__)
            return rule(out_grad, node)

        return ask

    def f(*inputs):
        named = called(bg, call, inputs)
        output, *more = named if isinstance(named, tuple) else [named]
        wanted = more or list(inputs)
        given.extend(inputs)
        bg.tracing.rule_of = noting
        try:
            found = listed(bg.tracing.gradients(output, wanted), "gradients")
        finally:
            bg.tracing.rule_of = own
        for each in found:
            if not isinstance(each, bg.Tensor):
                raise unlike(each, "gradients returned a list with", "a Tensor was expected")
        return found

    dtype = "float64"
    program = traced_by_us(bg, f, [bg.Tensor(each, dtype=dtype) for each in arrays])
    found = computed(bg, program, arrays)
    other = [np.array(each * 0.5) for each in arrays]
    return {
        "value": found,
        "other": computed(bg, program, other),
        "asked": [itemised(sorted(asked))],
        "untouched": [np.array([x.grad is None for x in given])],
        "kinds": [itemised(f"{each.dtype}{list(each.shape)}" for each in found)],
    }
