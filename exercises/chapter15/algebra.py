"""Identities, operations that undo another, and all passes until nothing changes."""

from grader.course import edit, exercise, instead, mistake


@exercise("passes.identity", points=3, minutes=18, difficulty=2)
class IDENTITY:
    """First what holds for all: one input, and shape and dtype of the result are those of
    `made[name]`. After that a question for each op.

    `x + 0.0` and `x + (-0.0)` differ at x = -0.0. `np.signbit` tells the two zeros apart; `==`
    doesn't.
    """

    any_zero = edit("scalar == 0 and np.signbit(scalar)", "scalar == 0")
    """-0.0 + 0.0 is 0.0: `x + 0.0` changes the sign of a zero, and 1 / x then goes to the other
    infinity. Only `x + (-0.0)` leaves every x as it is."""

    zero_forgotten = edit("bool(scalar == 0 and np.signbit(scalar))", "False")
    """`x + (-0.0)` leaves every x as it is, -0.0 too. You don't see it."""

    times_zero = edit("bool(scalar == 1)", "bool(scalar in (0, 1))")
    """`x * 0` is not x."""

    signs_ignored = edit("bool(scalar == 1)", "bool(abs(scalar) == 1)")
    """`x * -1` changes the sign. Only 1 leaves x as it is."""

    nearly_one = edit("bool(scalar == 1)", "bool(np.isclose(scalar, 1))")
    """A factor that is *nearly* 1 changes x. To the last bit means `== 1`."""

    power_forgotten = edit(', "PowerScalar"', "")
    """`x ** 1` is x, too."""

    dtype_ignored = edit(
        "(made[name].shape, made[name].dtype) != (each.shape, each.dtype)",
        "made[name].shape != each.shape",
    )
    """You compared shapes only. Times an array of 1.0 in float64 makes float64 of float32: that is
    no identity."""

    shape_ignored = edit(
        "(made[name].shape, made[name].dtype) != (each.shape, each.dtype)",
        "made[name].dtype != each.dtype",
    )
    """You didn't compare the shapes: a Reshape to another shape is no identity."""

    square_transposed = edit(
        "axes is not None and [axis % len(axes) for axis in axes] == [*range(len(axes))]", "True"
    )
    """A Transpose of a square matrix has the same shape, and other values. Look at the axes."""

    counted_from_0 = edit("[axis % len(axes) for axis in axes]", "[*axes]")
    """Axes may count from the end: (-2, -1) leaves both axes of a matrix in their places."""

    none_for_in_place = edit("axes is not None and", "axes is None or")
    """`axes=None` doesn't leave the axes in their places: it swaps the last two."""

    attribute_read = edit('same = each.op in ("Reshape", "BroadcastTo")',
                          'same = each.attrs.get("shape") == each.shape')  # fmt: skip
    """You compared with the attribute, which may hold a -1. What counts is the shape that comes
    out."""


@exercise("passes.undone", points=3, minutes=15, difficulty=3)
class UNDONE:
    """`before = made[each.inputs[0]]` is the instruction before. What it read is what you give
    back, if both have the same op and cancel.

    For two Transposes: follow each axis. `range(n)` through the first one's axes, then through the
    second one's. `None` swaps the last two.
    """

    any_transposes = edit("if sizes.shape != tuple(range(len(each.shape))):", "if False:")
    """Two Transposes don't always cancel: follow each axis through both of them."""

    @instead("(name,) = before.inputs", "return None")
    def any_reshape(before):
        """Two Reshapes cancel only if the shape is the first one again."""
        (name,) = before.inputs

    its_own_input = edit("return name", "return each.inputs[0]")
    """You gave back what `each` reads. It undoes that one: give back what came *before* it."""

    any_op = edit(
        "if before.op != each.op:", "if before.op not in ('Negate', 'Transpose', 'Reshape'):"
    )
    """A Negate doesn't undo a Transpose. Both have to be the same op."""

    negate_forgotten = edit('("Negate", "Transpose", "Reshape")', '("Transpose", "Reshape")')
    """`--x` is x. You don't see it."""

    same_axes = edit("for step in (before, each):", "for step in (before, before):")
    """You applied the axes of the first Transpose twice. Follow the axes through both of them."""

    @instead("# Where each axis", "return None")
    def equal_axes(before, each):
        """Equal axes don't always cancel: (1, 2, 0) twice moves every axis two places."""
        if before.attrs["axes"] != each.attrs["axes"]:
            return None

    @mistake()
    def exp_and_log(each, made):
        """Log of Exp is rounded twice, and Exp of 1000 is inf: it doesn't bring back x to the last
        bit."""
        pairs = {"Negate": "Negate", "Log": "Exp"}
        before = made[each.inputs[0]] if each.inputs else None
        if before is None or pairs.get(each.op, each.op) != before.op:
            return None
        if each.op not in ("Negate", "Log", "Transpose", "Reshape"):
            return None
        (name,) = before.inputs
        if made[name].shape != each.shape:
            return None
        if each.op == "Transpose":
            order = np.arange(len(each.shape)).tolist()
            for step in (before, each):
                axes = step.attrs["axes"]
                order = (
                    [*order[:-2], order[-1], order[-2]]
                    if axes is None
                    else [order[axis] for axis in axes]
                )
            if order != sorted(order):
                return None
        return name


@exercise("passes.optimize", points=1, minutes=8, difficulty=1)
class OPTIMIZE:
    """`str(program)` before a round and after it.

    A `while` loop around a `for` loop.
    """

    def one_round(program, *passes):
        """You went through the passes once. What the last one did may give the first one something
        to do."""
        for each in passes or PASSES:
            program = each(program)
        return program

    def two_rounds(program, *passes):
        """Two rounds are not always enough. Go on until a round changes nothing."""
        for _ in range(2):
            for each in passes or PASSES:
                program = each(program)
        return program

    def lines_counted(program, *passes):
        """You compared how many instructions there are. A round may change some and take none
        away."""
        before = -1
        while len(program.instructions) != before:
            before = len(program.instructions)
            for each in passes or PASSES:
                program = each(program)
        return program

    def each_to_the_end(program, *passes):
        """You repeated each pass by itself. One pass makes work for another: repeat the whole
        round."""
        for each in passes or PASSES:
            before = ""
            while str(program) != before:
                before = str(program)
                program = each(program)
        return program

    first_pass_only = edit("in passes or PASSES:", "in (passes or PASSES)[:1]:")
    """You ran the first pass only."""

    backwards = edit("in passes or PASSES:", "in reversed(passes or PASSES):")
    """You ran the passes in reverse order."""

    not_taken_over = edit("program = each(program)", "each(program)")
    """A pass returns a new program, and you dropped it."""

    def always_ten(program, *passes):
        """You always go round ten times: too often for most programs, not often enough for some.
        Stop when a round changes nothing."""
        for _ in range(10):
            for each in passes or PASSES:
                program = each(program)
        return program
