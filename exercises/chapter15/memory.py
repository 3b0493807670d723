"""Exercises on memory: groups of values, their lifetimes, and buffers used again."""

from grader.course import body, edit, exercise, instead, mistake

BY_NAME = (
    "You looked at names, not at memory. Who reads a view reads the memory that it looks into."
)


@exercise("compiler.groups", points=3, minutes=20, difficulty=3)
class GROUPS:
    """Count first: how many instructions read each value? An output has one reader more.

    Then once through the program, with a dict from the last value of a group to the group. A new
    instruction begins one, and may `pop` those of its inputs.
    """

    outputs_forgotten = edit("dict.fromkeys(program.outputs, 1)", "{}")
    """An output may not disappear in a group: the caller reads it, too."""

    readers_ignored = edit("readers[name] == 1 and ", "")
    """You fused a value that others read as well. They would look for it in vain: it has to be
    stored."""

    shapes_ignored = edit(" and made[name].shape == each.shape", "")
    """You fused values of another shape. A small value that is repeated would be computed again for
    every copy."""

    @instead("for name in set(each.inputs):", "readers[name] = readers.get(name, 0) + 1")
    def read_twice(each, readers):
        """`x * x` reads x twice, and is one reader."""
        for name in each.inputs:
            readers[name] = readers.get(name, 0) + 1

    everything = edit("if each.op not in ELEMENTWISE:", "if False:")
    """A matrix product needs whole rows and columns: only ops in `ELEMENTWISE` can be fused."""

    first_input = edit(
        "if name in group_of and", "if name == each.inputs[0] and name in group_of and"
    )
    """You took in the group of the first input only."""

    nothing_fused = body(
        "return [[each.out] for each in program.instructions if each.op in ELEMENTWISE]"
    )
    """Each instruction is a group of its own: nothing is fused."""

    not_in_order = edit("sorted(own, key=place.__getitem__)",
                        "sorted(own, key=place.__getitem__, reverse=True)")  # fmt: skip
    """Within a group the order is that of the program."""

    as_texts = edit("sorted(own, key=place.__getitem__)", "sorted(own)")
    """You sorted names as texts, and there v100 stands before v99."""


@exercise("compiler.last_uses", points=2, minutes=12, difficulty=2)
class LIVES:
    """Go through the instructions with `enumerate`. Who reads, writes its number down; the last one
    wins.

    Under which name? Under that of the memory: `memory[name]`. The outputs come at the end.
    """

    views_ignored = edit(("last[memory[name]] = at", "last[name] = at"), says=BY_NAME)

    all_by_name = edit(
        ("last[memory[name]] = at", "last[name] = at"), ("{memory[name]: len", "{name: len"),
        says=BY_NAME,
    )  # fmt: skip

    def outputs_forgotten(program):
        """Outputs are needed to the end: the caller reads them."""
        memory = memory_of(program)
        last = {each.out: -1 for each in program.inputs}
        for at, each in enumerate(program.instructions):
            for name in (*each.inputs, each.out):
                last[memory[name]] = at
        return last

    outputs_by_name = edit("{memory[name]: len", "{name: len")
    """An output that is a view keeps the memory that it looks into to the end."""

    first_use = edit(
        "last[memory[name]] = at",
        "last[memory[name]] = max(last.get(memory[name], -1), 0) or at",
    )
    """You kept the first one that reads. The last one counts."""

    unread_forgotten = edit("(*each.inputs, each.out)", "each.inputs")
    """What nobody reads is missing: it is needed by the instruction that makes it."""

    counted_from_one = edit("enumerate(program.instructions)", "enumerate(program.instructions, 1)")
    """Instructions are counted from 0."""

    inputs_forgotten = edit("{each.out: -1 for each in program.inputs}", "{}")
    """An input that nobody reads is missing."""

    end_too_early = edit("len(program.instructions) for", "len(program.instructions) - 1 for")
    """The end is `len(program.instructions)`: after the last instruction, not at it."""


@exercise("compiler.assign_buffers", points=4, minutes=25, difficulty=3)
class BUFFERS:
    """What becomes free at instruction `at`? The memory of its inputs whose last use is `at`, and
    its own, if nobody reads it.

    In which order? For an op of ELEMENTWISE: give back the buffers of what it reads by name, then
    take one. For others: take one, then give back.

    Keep the free ones by `(shape, dtype)`. `release` puts a buffer there.
    """

    outputs_too = edit(" and last[each.out] != end", "")
    """An output got a buffer. The next call would write over what the caller has kept."""

    viewed_outputs_too = edit(" and last[each.out] != end", " and each.out not in program.outputs")
    """An output that is a view looks into a buffer of yours: the next call would write over what
    the caller has kept."""

    products_in_place = edit("if each.op in ELEMENTWISE else set()", "")
    """A matrix product wrote into its own input: it reads rows and columns again and again while it
    writes. Only ops of `ELEMENTWISE` may do that."""

    never_in_place = edit("ending & set(each.inputs) if each.op in ELEMENTWISE else set()", "set()")
    """You never write into what is read for the last time. A chain of ten instructions then needs
    two buffers instead of one."""

    through_views = edit("ending & set(each.inputs)", "ending")
    """You wrote into memory that is read through a view: through a transposed one, numbers that are
    still to be read are gone."""

    kinds_ignored = edit("(each.shape, each.dtype) for each", "0 for each")
    """You gave a value a buffer of another shape or dtype."""

    dtypes_ignored = edit("(each.shape, each.dtype) for each", "each.shape for each")
    """You compared shapes only. A buffer has one dtype: float64 doesn't fit into float32."""

    never_free = edit("    release(late & set(number), number, kinds, free)", "    pass")
    """What an instruction reads for the last time never becomes free in your plan, if it isn't
    written over at once."""

    def a_buffer_each(program):
        """Every value has a buffer of its own: nothing is used again."""
        last, end = last_uses(program), len(program.instructions)
        names = [e.out for e in program.instructions if e.op in INTO and last[e.out] != end]
        return {name: at for at, name in enumerate(names)}

    unused_kept = edit("({each.out} if last.get(each.out) == at else set())", "set()")
    """A value that nobody reads keeps its buffer forever."""

    any_op = edit("each.op in INTO and ", "each.out in last and ")
    """You gave a buffer to an op that can't write into one: look at `INTO`."""

    @mistake()
    def given_back_too_early(program):
        """You gave a buffer back although somebody still reads what is in it."""
        last = last_uses(program)
        end, number, free, count = len(program.instructions), {}, {}, 0
        kinds = {each.out: (each.shape, each.dtype) for each in program.instructions}
        memory = memory_of(program)
        for each in program.instructions:
            gone = {memory[name] for name in each.inputs} & set(number)
            early = gone & set(each.inputs) if each.op in ELEMENTWISE else set()
            for name in early:
                free.setdefault(kinds[name], []).append(number[name])
            if each.op in INTO and last[each.out] != end:
                fitting = free.setdefault(kinds[each.out], [])
                if fitting:
                    number[each.out] = fitting.pop()
                else:
                    number[each.out] = count
                    count += 1
            for name in gone - early:
                free.setdefault(kinds[name], []).append(number[name])
        return number
