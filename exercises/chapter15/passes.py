"""Passes that take instructions away, or compute them beforehand."""

from grader.course import body, edit, exercise, instead, mistake


@exercise("passes.dead_code", points=2, minutes=12, difficulty=2)
class DEAD:
    """Begin at the end: the outputs are needed. Who makes a needed value needs its own inputs.

    A set of needed names, and one walk over `reversed(program.instructions)`. `replace(program,
    instructions=…)` makes the new program.
    """

    @mistake()
    def forwards(program):
        """You asked of each instruction whether *anybody* reads it. A dead instruction that reads
        another one keeps that alive. Walk backwards, from the outputs."""
        read = {name for each in program.instructions for name in each.inputs}
        read |= set(program.outputs)
        kept = tuple(each for each in program.instructions if each.out in read)
        return replace(program, instructions=kept)

    backwards_kept = edit(
        "tuple(reversed(kept))",
        "tuple(kept)",
        lacks=(r"tuple\((?:reversed\(|\w{1,40}\[::-1\])", r"\.reverse\(\)"),
    )
    """Your program runs from the last line to the first. You walked backwards: reverse the list at
    the end."""

    from_the_front = edit(
        ("reversed(program.instructions)", "program.instructions"),
        ("tuple(reversed(kept))", "tuple(kept)"),
        lacks=(r"reversed\(", r"\[::-1\]"),
    )
    """You walked from the front. What an instruction needs stands *before* it: when you learn of
    it, you have passed it already."""

    inputs_not_needed = edit("needed.update(each.inputs)", "needed.update(each.inputs[:1])")
    """Only the first input of an instruction is needed in your pass. All of them are."""

    one_output = edit("program.outputs", "program.outputs[:1]")
    """You began with the first output only. All of them are needed."""

    inputs_dropped = edit(
        "program, ", "program, inputs=tuple(i for i in program.inputs if i.out in needed), "
    )
    """You took inputs away. The caller still hands in the same arrays: the inputs stay."""

    nothing_taken = body("return program")
    """You returned the program as it is."""

    @mistake()
    def changed_in_place(program):
        """You wrote into the program that came in. It may be needed as it was: make a new one."""
        needed, kept = set(program.outputs), []
        for each in reversed(program.instructions):
            if each.out in needed:
                needed.update(each.inputs)
                kept.append(each)
        object.__setattr__(program, "instructions", tuple(reversed(kept)))
        return program


@exercise("passes.fold_constants", points=2, minutes=12, difficulty=2)
class FOLD:
    """A dict of what is known: name → value. At first these are the constants.

    If all inputs are known, compute the instruction as `run` would, and let `constant(name, value)`
    write it down.
    """

    any_known = edit("all(name in known", "any(name in known")
    """You fold where some input isn't known. All of them have to be."""

    def once(program):
        """A value that you have folded is known from then on. You look only at the constants that
        were there at first."""
        known = {
            each.out: each.attrs["value"] for each in program.instructions if each.op == "constant"
        }
        found = []
        for each in program.instructions:
            if each.op != "constant" and all(name in known for name in each.inputs):
                sources = [known[name] for name in each.inputs]
                each = constant(each.out, KERNELS[each.op](*sources, **each.attrs))
            found.append(each)
        return replace(program, instructions=tuple(found))

    attributes_forgotten = edit(
        "KERNELS[each.op](*sources, **each.attrs)",
        "KERNELS[each.op](*sources, **(each.attrs if len(each.attrs) != 1 or 'axes' in each.attrs "
        "else {**each.attrs, **({'scalar': 1.0} if 'scalar' in each.attrs else {})}))",
    )
    """You computed with another scalar than that of the instruction: pass on all of its
    attributes."""

    @instead("found.append(each)")
    def dropped(each, found):
        """You left the constants out of the program. Instructions read them: they stay."""
        if each.op != "constant":
            found.append(each)

    new_name = edit("constant(each.out,", 'constant(f"{each.out}c",')
    """The constant has another name than the instruction that it replaces. Who reads it looks for
    the old one."""

    nothing_folded = body("return program")
    """You returned the program as it is."""

    single_precision = edit(
        "KERNELS[each.op](*sources, **each.attrs))",
        "KERNELS[each.op](*sources, **each.attrs).astype('float32').astype(each.dtype))",
    )
    """You rounded on the way. A constant is what the kernel gives, to the last bit."""


@exercise("passes.common_subexpressions", points=3, minutes=18, difficulty=3)
class COMMON:
    """Two dicts: recipe and inputs → the first name; a name that went → the name that stands for
    it.

    Rename the inputs of an instruction first (`renamed`), and look it up after that. So equal
    chains become one, from the front to the back.

    Outputs are names, too.
    """

    inputs_ignored = edit("recipe(each), each.inputs", "recipe(each)")
    """You compared what is done, but not with what. Two tanh of different values are not the
    same."""

    any_order = edit("recipe(each), each.inputs", "recipe(each), frozenset(each.inputs)")
    """You ignored the order of the inputs. a - b is not b - a."""

    attributes_ignored = edit("recipe(each), each.inputs", "each.op, each.inputs")
    """You compared names of ops. Times 2 and times 3 are both MulScalar: `recipe` holds the
    attributes, too."""

    @instead("each = renamed(each, names)", "key = recipe(each), each.inputs")
    def renamed_too_late(each, names):
        """You looked the instruction up before you renamed its inputs. A chain that is there twice
        then loses its first instruction only."""
        key = recipe(each), each.inputs
        each = renamed(each, names)

    outputs_forgotten = edit("names.get(name, name)", "name")
    """An output still has the name of an instruction that is gone."""

    readers_forgotten = edit("each = renamed(each, names)", "")
    """The instructions that read what is gone were not renamed."""

    def last_one_stays(program):
        """You renamed everything, and took nothing away."""
        names, last, found = {}, {}, []
        for each in program.instructions:
            key = recipe(each), tuple(names.get(n, n) for n in each.inputs)
            last[key] = names[each.out] = last.get(key, each.out)
            found.append(renamed(each, names))
        outputs = tuple(names[n] if n in names else n for n in program.outputs)
        return replace(program, instructions=tuple(found), outputs=outputs)

    @instead("first[key] = each.out")
    def neighbours_only(key, each):
        """You compare with the instruction right before. The first one may be anywhere above: keep
        all of them."""
        first = {key: each.out}
