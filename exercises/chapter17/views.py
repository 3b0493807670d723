"""Views in the memory of their array, and what is written through them."""

from grader.course import body, edit, exercise

COPIED = (
    "You copied the values. A view has the buffer of its array: what is written to one shows in "
    "the other."
)
OFFSET_LOST = "You left out `offset`: the view begins at word 0, and not where its array begins."
ROWS_ASSUMED = (
    "You stepped as if the values of this array lay row by row. Begin with its own `strides`."
)


@exercise("ndarray.NDArray.transpose", points=2)
class TRANSPOSE:
    """No value moves. Which of the four fields are other ones in the view?

    Make a list `order` without negative axes first. Then shape and strides are picked by the same
    list.

    `sorted(order)` tells you whether each axis is named once.
    """

    the_way_back = edit(
        "shape, strides =", "order = [order.index(i) for i in range(count)]\nshape, strides ="
    )
    """You moved axis i to place `axes[i]`. It is the other way round: axis i of the view *comes
    from* axis `axes[i]`."""

    shape_alone = edit(
        "[self.shape[i] for i in order], [self.strides[i] for i in order]",
        "[self.shape[i] for i in order], self.strides",
    )
    """You changed the shape and kept the strides, so each axis steps as another one did."""

    strides_alone = edit("[self.shape[i] for i in order],", "self.shape,")
    """You changed the strides and kept the shape. Both belong to an axis, and move with it."""

    row_major_again = edit(
        "NDArray(self.buffer, shape, strides, self.offset)",
        "NDArray(self.buffer, shape, None, self.offset)",
    )
    """You laid the new shape over the words row by row. Take each axis's stride along."""

    copied = edit(
        "return NDArray(self.buffer, shape, strides, self.offset)",
        "return NDArray.of(NDArray(self.buffer, shape, strides, self.offset).numpy())",
        says=COPIED,
    )

    always_reversed = body(
        "return NDArray(self.buffer, self.shape[::-1], self.strides[::-1], self.offset)"
    )
    """You reversed the axes, whatever `axes` says. That is right without `axes` alone."""

    offset_lost = edit("strides, self.offset)", "strides)", says=OFFSET_LOST)

    offset_lost_and_unchecked = edit(
        ("strides, self.offset)", "strides)"),
        (
            "if sorted(order) != list(range(count)):\n"
            '    raise ValueError(f"{tuple(axes)} doesn\'t name each of {count} axes once")\n',
            "",
        ),
        says=OFFSET_LOST,
    )

    last_two = edit(
        "axes = range(count)[::-1]",
        "axes = [*range(count)]\n    axes[-2:] = axes[-2:][::-1]",
    )
    """Without `axes` you exchanged the last two. *All* axes come in reverse order."""

    nothing_reversed = edit("range(count)[::-1]", "range(count)")
    """Without `axes` you changed nothing. The axes come in reverse order."""

    negative_refused = edit("axis + count if axis < 0 else axis", "axis")
    """-1 is the last axis. You refused it."""

    unchecked = edit(
        "if sorted(order) != list(range(count)):\n"
        '    raise ValueError(f"{tuple(axes)} doesn\'t name each of {count} axes once")\n',
        "",
    )
    """You let axes pass that don't name each axis once. Raise ValueError."""

    twice_allowed = edit(
        "sorted(order) != list(range(count))", "not set(order) <= set(range(count))"
    )
    """An axis may not be left out, or come twice. Raise ValueError."""

    array_itself_changed = edit(
        "return NDArray(self.buffer, shape, strides, self.offset)",
        "self.shape, self.strides = tuple(shape), tuple(strides)\nreturn self",
    )
    """You changed the array itself. Make another NDArray with the same buffer."""


@exercise("ndarray.NDArray.broadcast_to", points=2)
class BROADCAST:
    """An axis along which every index finds the same value: how far is a step along it?

    Write both shapes below each other, the last axes in line. What is over in front is new.

    An axis fits if its size is 1 or the new one. Its stride stays, or is 0.
    """

    stride_kept = edit("stride if mine == size else 0", "stride")
    """You kept the stride of a stretched axis, so a step along it leads to other words. It has to
    stay where it is: 0."""

    copied = edit(
        "return NDArray(self.buffer, shape, strides, self.offset)",
        "return NDArray.of(NDArray(self.buffer, shape, strides, self.offset).numpy())",
        says=COPIED,
    )

    from_the_front = edit(
        (
            "zip(self.shape, shape[new:], strict=True)\n)",
            "zip(self.shape, shape[: len(self.shape)], strict=True)\n)",
        ),
        ("[0] * new + [", "["),
        (
            "zip(self.shape, shape[new:], self.strides, strict=True)\n]",
            "zip(self.shape, shape, self.strides)\n] + [0] * new",
        ),
    )
    """You compared axes from the first one on. New axes stand in front: compare from the last."""

    new_axes_step = edit("[0] * new", "[1] * new")
    """A new axis shows the same values again and again: its stride is 0."""

    all_strides_zero = edit(
        "stride if mine == size else 0", "stride if self.shape == shape[new:] else 0"
    )
    """You set all strides to 0 where one axis is stretched. The others step on as before."""

    row_major_assumed = edit(
        "zip(self.shape, shape[new:], self.strides, strict=True)",
        "zip(self.shape, shape[new:], row_major_strides(self.shape), strict=True)",
        says=ROWS_ASSUMED,
    )

    offset_lost = edit("strides, self.offset)", "strides)", says=OFFSET_LOST)

    unchecked = edit("if not fits:", "if new < 0:")
    """You stretched an axis that is larger than 1, so some indices lead to words of nobody. Raise
    ValueError."""

    def nothing_refused(self, shape):
        """The strides are right, and nothing is refused: say for each axis whether it fits, else
        raise ValueError."""
        strides = [0] * (len(shape) - len(self.shape))
        sizes = zip(shape[len(strides) :], self.shape, self.strides)
        strides += [stride if mine == size else 0 for size, mine, stride in sizes]
        return NDArray(self.buffer, shape, strides, self.offset)

    shrunk = edit("mine in (1, size) for", "mine in (1, size) or size == 1 for")
    """A size can't shrink to 1: which of its values would remain? Raise ValueError."""

    repeated = edit("mine in (1, size) for", "mine and size % mine == 0 for")
    """An axis of 2 can't become one of 4: no stride shows both values again and again. Raise
    ValueError."""

    zero_stretched = edit("mine in (1, size) for", "mine in (0, 1, size) for")
    """Of no values nothing can be stretched. Raise ValueError."""

    larger_alone = edit("mine in (1, size) for", "mine == size or mine == 1 < size for")
    """A size of 1 can be stretched to 0 as well: then there are no values."""


@exercise(
    "chapter17.ndarray.getitem", targets=("ndarray.NDArray.__getitem__",), points=3, minutes=20
)
class GET:
    """Go through the axes with their indices. What does an int change, and what a slice?

    An int moves the offset and takes the axis away. A slice moves the offset to its first value,
    and its step multiplies the stride.

    `part.indices(size)` of a slice gives start, stop and step without None and without negative
    bounds; `range(start, stop, step)` of the same three has as many values as the slice.
    """

    start_forgotten = edit("offset += start * stride\n        ", "")
    """A slice begins at its `start`. You began at the first value of the axis."""

    step_forgotten = edit("stride * step", "stride")
    """With a step of 2 the next value lies two strides further. You left out the step."""

    rounded_down = edit("len(range(start, stop, step))", "max(0, (stop - start) // step)")
    """`[0:5:2]` has three values: 0, 2 and 4. You rounded down."""

    step_not_counted = edit("len(range(start, stop, step))", "max(0, abs(stop - start))")
    """With a step of 2 a slice has half as many values. You counted all between start and stop."""

    bounds_as_they_come = edit(
        "start, stop, step = part.indices(size)",
        "start, stop = part.start or 0, size if part.stop is None else part.stop\n"
        "        step = part.step or 1",
        shown_by=r"\.stop or\b",
    )
    """The bounds of a slice may be negative, or beyond the axis, and for a negative step they
    default to the other ends. `part.indices(size)` knows that."""

    end_left_open = edit(
        "part.indices(size)", "slice(part.start, part.stop, abs(part.step or 1)).indices(size)"
    )
    """A negative step walks backwards. You walked forwards."""

    axes_behind_lost = edit(
        ("index += (slice(None),) * (len(self.shape) - len(index))\n", ""),
        ("self.strides, strict=True)", "self.strides)"),
    )
    """The axes behind the index stay whole. You lost them."""

    axis_of_one_kept = edit(
        "offset += offset_of([part], (size,), (stride,))",
        "offset += offset_of([part], (size,), (stride,))\n"
        "        shape.append(1)\n"
        "        strides.append(stride)",
    )
    """An int takes its axis away. You left one of size 1."""

    int_taken_as_it_is = edit("offset_of([part], (size,), (stride,))", "part * stride")
    """An int may be negative, or beyond its axis: you multiplied it as it came."""

    a_float_at_the_end = edit(
        "return NDArray(self.buffer, shape, strides, offset)",
        "return NDArray(self.buffer, shape, strides, offset) if shape else self.buffer[offset]",
    )
    """With an int for each axis you returned the value. Return a view of shape `()`: you can write
    into it."""

    copied = edit(
        "return NDArray(self.buffer, shape, strides, offset)",
        "return NDArray.of(NDArray(self.buffer, shape, strides, offset).numpy())",
        says=COPIED,
    )

    offset_lost = edit("[], [], self.offset", "[], [], 0", says=OFFSET_LOST)

    row_major_assumed = edit(
        "zip(index, self.shape, self.strides, strict=True)",
        "zip(index, self.shape, row_major_strides(self.shape), strict=True)",
        says=ROWS_ASSUMED,
    )

    too_many_unchecked = edit(
        (
            "if len(index) > len(self.shape):\n"
            '    raise IndexError(f"{len(index)} indices for {len(self.shape)} axes")\n',
            "",
        ),
        ("self.strides, strict=True)", "self.strides)"),
    )
    """You ignored the indices that are over. More indices than axes are an IndexError."""


@exercise(
    "chapter17.ndarray.setitem",
    targets=("ndarray.NDArray.__setitem__",),
    points=3,
    minutes=15,
    needs=("chapter17.ndarray.getitem", "chapter17.ndarray.broadcast_to"),
)
class SET:
    """`self[index]` is a view of the words that change. What is missing is a value for each of
    them.

    A number is an array of shape `()`, and `broadcast_to` stretches it, as it does all others.

    Read all values into a list. Then write them, index by index.
    """

    read_late = edit(
        ("read = [\n", "read = (\n"),
        ("for at in every_index(source.shape)\n]", "for at in every_index(source.shape)\n)"),
    )
    """You read a value after others have been written. In `a[1:] = a[:-1]` that value may be gone:
    read all first."""

    into_a_row = edit(
        "for at, number in zip(every_index(target.shape), read, strict=True):\n"
        "    self.buffer[offset_of(at, target.shape, target.strides, target.offset)] = number",
        "for place, number in enumerate(read, target.offset):\n    self.buffer[place] = number",
    )
    """You wrote into words one after another. The places of a view lie apart: ask its strides."""

    read_from_a_row = edit(
        "source.buffer[offset_of(at, source.shape, source.strides, source.offset)]\n"
        "    for at in every_index(source.shape)",
        "source.buffer[source.offset + place]\n"
        "    for place, _ in enumerate(every_index(source.shape))",
    )
    """You read the words of the value one after another. It may be a view as well, or stretched:
    ask its strides."""

    compact_from_word_0 = edit(
        (
            "read = [\n"
            "    source.buffer[offset_of(at, source.shape, source.strides, source.offset)]\n"
            "    for at in every_index(source.shape)\n"
            "]\n",
            "read = source.compact().buffer[: math.prod(source.shape)]\n",
        ),
        ("read, strict=True)", "read)"),
    )
    """`compact` may return the array itself, and that one begins at its own offset. You read from
    word 0 on."""

    not_stretched = edit("value.broadcast_to(target.shape)", "value")
    """You did not stretch the value. A number, a row or a column fills the whole target."""

    first_value_alone = edit("read, strict=True)", "read[:1])")
    """You wrote the first value alone. Every place that the index names gets one."""

    own_copy = edit("target = self[index]", "self.buffer = self.buffer[:]\ntarget = self[index]")
    """You wrote into a buffer of your own. The other views of this memory still look into the old
    one."""

    source_offset_lost = edit("source.strides, source.offset)", "source.strides)")
    """The value need not begin at word 0 of its buffer. You left out its offset."""

    target_offset_lost = edit("target.strides, target.offset)", "target.strides)")
    """The target begins at its own offset. You left it out."""

    index_ignored = edit("target = self[index]", "target = self")
    """You filled the whole array. Write to what `index` names."""

    numbers_alone = edit(
        "if not isinstance(value, NDArray):\n    value = NDArray([value], ())",
        "if isinstance(value, NDArray):\n"
        "    value = float(value.numpy().flat[0])\n"
        "value = NDArray([value], ())",
    )
    """Of an array you wrote the first value everywhere. Each place gets its own."""

    as_much_as_fits = edit(
        (
            "value.broadcast_to(target.shape)",
            "value if value.shape else value.broadcast_to(target.shape)",
        ),
        ("read, strict=True)", "read)"),
    )
    """You wrote as many values as there were. Stretch them to the shape, or raise ValueError."""
