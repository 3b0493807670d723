"""Views in the memory of their array, and what is written through them."""

from grader.course import after, before, body, edit, exercise, instead, mistake

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

    @before("shape, strides =")
    def the_way_back(order, count):
        """You moved axis i to place `axes[i]`. It is the other way round: axis i of the view *comes
        from* axis `axes[i]`."""
        order = [order.index(i) for i in range(count)]

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

    @mistake(says=OFFSET_LOST)
    def offset_lost_and_unchecked(self, axes):
        count = len(self.shape)
        if axes is None:
            axes = range(count)[::-1]
        order = [axis + count if axis < 0 else axis for axis in axes]
        shape, strides = [self.shape[i] for i in order], [self.strides[i] for i in order]
        return NDArray(self.buffer, shape, strides)

    def axes_as_they_come(self, axes):
        """You forgot the offset, and took `axes` as they come: a negative one counts from the end,
        and each has to be named once."""
        if axes is None:
            axes = range(len(self.shape))[::-1]
        shape, strides = [self.shape[i] for i in axes], [self.strides[i] for i in axes]
        return NDArray(self.buffer, shape, strides)

    @instead("axes = range(count)[::-1]")
    def last_two(count):
        """Without `axes` you exchanged the last two. *All* axes come in reverse order."""
        axes = [*range(count)]
        axes[-2:] = axes[-2:][::-1]

    nothing_reversed = edit("range(count)[::-1]", "range(count)")
    """Without `axes` you changed nothing. The axes come in reverse order."""

    negative_refused = edit("axis + count if axis < 0 else axis", "axis")
    """-1 is the last axis. You refused it."""

    def unchecked(self, axes):
        """You let axes pass that don't name each axis once. Raise ValueError."""
        count = len(self.shape)
        if axes is None:
            axes = range(count)[::-1]
        order = [axis + count if axis < 0 else axis for axis in axes]
        shape, strides = [self.shape[i] for i in order], [self.strides[i] for i in order]
        return NDArray(self.buffer, shape, strides, self.offset)

    twice_allowed = edit(
        "sorted(order) != list(range(count))", "not set(order) <= set(range(count))"
    )
    """An axis may not be left out, or come twice. Raise ValueError."""

    @instead("return NDArray(self.buffer,")
    def array_itself_changed(self, shape, strides):
        """You changed the array itself. Make another NDArray with the same buffer."""
        self.shape, self.strides = tuple(shape), tuple(strides)
        return self


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

    def from_the_front(self, shape):
        """You compared axes from the first one on. New axes stand in front: compare from the
        last."""
        new = len(shape) - len(self.shape)
        fits = new >= 0 and all(
            mine in (1, size)
            for mine, size in zip(self.shape, shape[: len(self.shape)], strict=True)
        )
        if not fits:
            raise ValueError(f"{self.shape} can't be stretched to {tuple(shape)}")
        strides = [
            stride if mine == size else 0
            for mine, size, stride in zip(self.shape, shape, self.strides)
        ] + [0] * new
        return NDArray(self.buffer, shape, strides, self.offset)

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

    start_forgotten = edit("offset += start * stride", "")
    """A slice begins at its `start`. You began at the first value of the axis."""

    step_forgotten = edit("stride * step", "stride")
    """With a step of 2 the next value lies two strides further. You left out the step."""

    rounded_down = edit("len(range(start, stop, step))", "max(0, (stop - start) // step)")
    """`[0:5:2]` has three values: 0, 2 and 4. You rounded down."""

    step_not_counted = edit("len(range(start, stop, step))", "max(0, abs(stop - start))")
    """With a step of 2 a slice has half as many values. You counted all between start and stop."""

    @instead("start, stop, step = part.indices(size)", shown_by=r"\.(start|stop|step) or\b")
    def bounds_as_they_come(size, part):
        """The bounds of a slice may be negative, or beyond the axis, and for a negative step they
        default to the other ends. `part.indices(size)` knows that."""
        start, stop = part.start or 0, size if part.stop is None else part.stop
        step = part.step or 1

    end_left_open = edit(
        "part.indices(size)", "slice(part.start, part.stop, abs(part.step or 1)).indices(size)"
    )
    """A negative step walks backwards. You walked forwards."""

    @instead(
        "index += (slice(None),)",
        "shape, strides, offset = [], [], self.offset",
        edits=(("self.strides, strict=True)", "self.strides)"),),
    )
    def axes_behind_lost(self):
        """The axes behind the index stay whole. You lost them."""
        shape, strides, offset = [], [], self.offset

    @after("offset += offset_of([part],")
    def axis_of_one_kept(shape, stride, strides):
        """An int takes its axis away. You left one of size 1."""
        shape.append(1)
        strides.append(stride)

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

    @instead(
        "if len(index) > len(self.shape):",
        "index += (slice(None),)",
        edits=(("self.strides, strict=True)", "self.strides)"),),
    )
    def too_many_unchecked(self, index):
        """You ignored the indices that are over. More indices than axes are an IndexError."""
        index += (slice(None),) * (len(self.shape) - len(index))


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

    @instead("read = [", "self.buffer[offset_of(at,")
    def read_late(self, source, at, target):
        """You read a value after others have been written. In `a[1:] = a[:-1]` that value may be
        gone: read all first."""
        read = (
            source.buffer[offset_of(at, source.shape, source.strides, source.offset)]
            for at in every_index(source.shape)
        )
        for at, number in zip(every_index(target.shape), read, strict=True):
            self.buffer[offset_of(at, target.shape, target.strides, target.offset)] = number

    def read_and_written_in_turn(self, index, value):
        """You read a value after others have been written. In `a[1:] = a[:-1]` that value may be
        gone: read all first. And ask whether it fits even where nothing is written."""
        target = self[index]
        for at in every_index(target.shape):
            number = value
            if isinstance(value, NDArray):
                source = value.broadcast_to(target.shape)
                word = offset_of(at, source.shape, source.strides, source.offset)
                number = source.buffer[word]
            self.buffer[offset_of(at, target.shape, target.strides, target.offset)] = number

    @instead("for at, number in", "self.buffer[offset_of(at,")
    def into_a_row(self, read, target):
        """You wrote into words one after another. The places of a view lie apart: ask its
        strides."""
        for place, number in enumerate(read, target.offset):
            self.buffer[place] = number

    @instead("read = [", "self.buffer[offset_of(at,")
    def read_from_a_row(self, source, target):
        """You read the words of the value one after another. It may be a view as well, or
        stretched: ask its strides."""
        read = [
            source.buffer[source.offset + place]
            for place, _ in enumerate(every_index(source.shape))
        ]
        for at, number in zip(every_index(target.shape), read, strict=True):
            self.buffer[offset_of(at, target.shape, target.strides, target.offset)] = number

    def compact_from_word_0(self, index, value):
        """`compact` may return the array itself, and that one begins at its own offset. You read
        from word 0 on."""
        target = self[index]
        if not isinstance(value, NDArray):
            value = NDArray([value], ())
        source = value.broadcast_to(target.shape)
        read = source.compact().buffer[: math.prod(source.shape)]
        for at, number in zip(every_index(target.shape), read):
            self.buffer[offset_of(at, target.shape, target.strides, target.offset)] = number

    not_stretched = edit("value.broadcast_to(target.shape)", "value")
    """You did not stretch the value. A number, a row or a column fills the whole target."""

    first_value_alone = edit("read, strict=True)", "read[:1])")
    """You wrote the first value alone. Every place that the index names gets one."""

    @before("target = self[index]")
    def own_copy(self):
        """You wrote into a buffer of your own. The other views of this memory still look into the
        old one."""
        self.buffer = self.buffer[:]

    source_offset_lost = edit("source.strides, source.offset)", "source.strides)")
    """The value need not begin at word 0 of its buffer. You left out its offset."""

    target_offset_lost = edit("target.strides, target.offset)", "target.strides)")
    """The target begins at its own offset. You left it out."""

    index_ignored = edit("target = self[index]", "target = self")
    """You filled the whole array. Write to what `index` names."""

    @instead("if not isinstance(value, NDArray):", "value = NDArray([value], ())")
    def numbers_alone(value):
        """Of an array you wrote the first value everywhere. Each place gets its own."""
        if isinstance(value, NDArray):
            value = value.numpy().ravel().tolist()[0]
        value = NDArray([value], ())

    as_much_as_fits = edit(
        (
            "value.broadcast_to(target.shape)",
            "value if value.shape else value.broadcast_to(target.shape)",
        ),
        ("read, strict=True)", "read)"),
    )
    """You wrote as many values as there were. Stretch them to the shape, or raise ValueError."""
