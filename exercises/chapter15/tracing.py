"""From a function to a program, and what a program gives."""

from grader.course import after, before, body, edit, exercise, instead, mistake


@exercise(
    "chapter15.record", targets=("tracing.Tracer.record",), points=3, minutes=15, difficulty=2
)
class RECORD:
    """Five steps: who stands in for each input, what `outcome` says, an Instruction,
    `self.instructions.append`, a Traced.

    `self.stand_in(x)` for each input, first of all: it may write a constant, and only after that is
    `self.new_name()` the right one. `dict(vars(op))` copies the attributes.
    """

    not_written = edit("self.instructions.append(made)", "")
    """You made the instruction but didn't append it to `instructions`: the program stays empty."""

    @after("made = Instruction(name,")
    def values_computed(op, sources):
        """You called `forward`. Nothing is computed while a program is written: `outcome` knows
        shape and dtype."""
        op.forward(*(np.ones(x.shape) for x in sources))

    attributes_shared = edit("dict(vars(op))", "vars(op)")
    """You kept the attributes of the op itself. If they change later, the program changes. Copy
    them: `dict(vars(op))`."""

    attributes_forgotten = edit("dict(vars(op))", "{}")
    """The attributes are missing: a MulScalar without its scalar is no instruction."""

    inputs_as_given = edit("made, op, sources", "made, op, inputs")
    """`_inputs` holds what came in. It should hold those that stand in: a rule that reads
    `node._inputs` would see a Tensor that the program doesn't know."""

    no_op = edit("made, op, sources", "made, None, sources")
    """What you return doesn't know its op: nobody can walk back from it."""

    graph_forgotten = edit("made, op, sources", "made")
    """What you return knows neither its op nor its inputs: nobody can walk back from it."""

    @before("sources = [self.stand_in(x) for x in inputs]", edits=(("self.new_name(), ", "out, "),))
    def name_too_early(self):
        """You took the new name before the inputs had theirs. An input that becomes a constant
        takes the same one. Ask for the name last."""
        out = self.new_name()

    inputs_backwards = edit("x.name for x in sources", "x.name for x in reversed(sources)")
    """The inputs are in reverse order."""

    shape_of_the_first = edit(
        "outcome(name, sources, attrs)",
        "sources[0].shape, str(sources[0].dtype)",
        lacks=(r"\boutcome\(",),
    )
    """You took shape and dtype of the first input. A sum is smaller, and broadcasting makes larger:
    ask `outcome`."""


@exercise("chapter15.refuse", targets=("tracing.Traced.data",), points=1, minutes=5, difficulty=1)
class REFUSE:
    """`raise CannotTrace(…)`. An f-string holds `reader()` and your own words."""

    def without_the_line(self):
        """The message doesn't say where. Somebody has to find that line: put `reader()` into it."""
        words = "A Traced has no values."
        raise CannotTrace(words)

    other_kind = body('raise ValueError(f"{reader()}: there are no values.")')
    """You raised another kind of error. Whoever calls `trace` waits for CannotTrace."""

    nothing_said = body("return None")
    """You returned None. Whoever reads values goes on with nonsense, and fails somewhere else."""

    @mistake()
    def ones(self):
        """You returned made-up values. The program would be right for these and wrong for all
        others, and nobody would notice."""
        return np.ones(self.shape, self.dtype)

    swallowed = body("raise AttributeError(reader())")
    """An AttributeError says that there is no such name, and `hasattr` and `getattr` swallow it.
    Raise CannotTrace."""

    def file_only(self):
        """The message names the file, but not the line: hand over all that `reader()` returns."""
        place = reader().partition(", line")[0]
        raise CannotTrace(place)


@exercise("tracing.trace", points=2, minutes=15, difficulty=2, needs=("chapter15.record",))
class TRACE:
    """Chapter 13's `no_grad` does the same: remember `Function.__call__`, put something else there,
    put it back in `finally`.

    `Function.__call__ = lambda op, *xs: tracer.record(op, *xs)`: as an attribute of a class, a
    plain function gets the op in front.

    `f` may return one Tensor or several; `tracer.program` takes a list.
    """

    def not_put_back(f, *inputs):
        """You didn't put `Function.__call__` back: from now on no op computes anything."""
        tracer = Tracer()
        given = [tracer.input_for(x) for x in inputs]
        before = Function.__call__
        Function.__call__ = lambda op, *xs: tracer.record(op, *xs)
        found = f(*given)
        return tracer.program([found] if isinstance(found, Tensor) else found)

    @instead("try:", "Function.__call__ = before")
    def only_without_error(f, given, before):
        """You put it back only if all went well. After an exception no op computes anything: use
        `finally`."""
        found = f(*given)
        Function.__call__ = before

    @instead("try:", "found = f(*given)", lacks=(r"\braise\b",))
    def swallows(f, given):
        """You swallow the exception: whoever called `trace` never learns what went wrong."""
        try:
            found = f(*given)
        except Exception:
            found = given

    one_output = edit("[found] if isinstance(found, Tensor) else found",
                      "[found] if isinstance(found, Tensor) else found[:1]")  # fmt: skip
    """You kept only the first output."""

    one_tensor_forgotten = edit("[found] if isinstance(found, Tensor) else found", "found")
    """`f` may return one Tensor, and `tracer.program` takes a list: put it into one."""

    called_with_the_tensors = edit("f(*given)", "f(*inputs)")
    """You called `f` with the Tensors themselves. Give it the tracer's inputs: they have names and
    no values."""

    @before("found = f(*given)")
    def called_twice(f, given):
        """You called `f` twice: every instruction is there twice."""
        f(*given)

    inputs_backwards = edit("for x in inputs]", "for x in reversed(inputs)][::-1]")
    """The inputs got their names in reverse order: `x0` is the first."""

    @mistake()
    def record_unbound(f, *inputs):
        """`tracer.record` is bound to the tracer already: as an attribute of a class it is called
        without the op. Wrap it in a plain function."""
        tracer = Tracer()
        given = [tracer.input_for(x) for x in inputs]
        before = Function.__call__
        Function.__call__ = tracer.record
        try:
            found = f(*given)
        finally:
            Function.__call__ = before
        return tracer.program([found] if isinstance(found, Tensor) else found)


@exercise("tracing.run", points=2, minutes=12, difficulty=1)
class RUN:
    """A dict from names to arrays. First the inputs are in it, then line by line what is computed.

    `KERNELS[each.op](*sources, **each.attrs)`: the arrays by place, the attributes by name.
    """

    attributes_forgotten = edit(", **each.attrs", "")
    """The attributes are missing: `KERNELS[op]` takes them by name, `**each.attrs`."""

    attributes_in_one = edit("**each.attrs", "each.attrs")
    """You hand over all attributes as one dict. `**` in front of it gives each by its name."""

    inputs_backwards = edit("for name in each.inputs]", "for name in reversed(each.inputs)]")
    """The inputs are in reverse order: b - a is not a - b."""

    last_value = edit("[values[name] for name in program.outputs]", "[values[each.out]]")
    """You returned the last value. The outputs are those of `program.outputs`, in their order."""

    all_values = edit("[values[name] for name in program.outputs]", "list(values.values())")
    """You returned every value. Only `program.outputs` were meant."""

    shapes_not_checked = edit("array.shape != given.shape or ", "")
    """You didn't look at the shapes. A program is right for the shapes that it was traced with."""

    dtypes_not_checked = edit(" or str(array.dtype) != given.dtype", "")
    """You didn't look at the dtypes. A program is right for the dtypes that it was traced with."""

    count_not_checked = edit("strict=True", "strict=False")
    """You didn't count the arrays: one too many goes unnoticed."""

    @mistake()
    def computed_on_demand(program, *arrays):
        """You compute a value whenever somebody reads it, and so some of them many times. Go
        through the instructions once, in order, and keep what each one makes."""
        if len(arrays) != len(program.inputs):
            raise ValueError("count")
        values = {}
        for given, array in zip(program.inputs, arrays, strict=True):
            if array.shape != given.shape or str(array.dtype) != given.dtype:
                raise ValueError("kind")
            values[given.out] = array
        made = {each.out: each for each in program.instructions}

        def value(name):
            if name in values:
                return values[name]
            each = made[name]
            return KERNELS[each.op](*map(value, each.inputs), **each.attrs)

        return [value(name) for name in program.outputs]
