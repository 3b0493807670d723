"""Loops over whole arrays: a function of each index, and values combined along axes."""

from grader.course import after, before, body, edit, exercise, instead

STRIDES_IGNORED = (
    "You read the words of an array one after another. It may be a view: its strides say where the "
    "next value lies."
)


@exercise(
    "ndarray.elementwise",
    points=3,
    minutes=20,
    difficulty=2,
    needs=("chapter17.ndarray.broadcast_to",),
)
class ELEMENTWISE:
    """First find the shape of the result. Write the shapes below each other, the last axes in line:
    a size of 1 gives way to the other one.

    `broadcast_to` makes all arrays views of this shape, and refuses what does not fit.

    `every_index(shape)` goes row by row, so the results fill a new buffer from its first word on.
    """

    first_shape = edit("if size == 1 else size", "if size == 1 > 1 else size")
    """Your result has the shape of the first array. An axis of size 1 there gives way to a larger
    one, too."""

    def most_axes(f, *arrays):
        """You took the shape of the array with the most axes. Each of two arrays can be stretched:
        from (3, 1) and (1, 4) comes (3, 4)."""
        shape = max((a.shape for a in arrays), key=len)
        views = [a.broadcast_to(shape) for a in arrays]
        out = NDArray.full(shape, 0.0)
        for place, index in enumerate(every_index(shape)):
            values = (v.buffer[offset_of(index, shape, v.strides, v.offset)] for v in views)
            out.buffer[place] = f(*values)
        return out

    @before("wide = max(len(shape), len(a.shape))")
    def as_many_axes(shape, a):
        """You refused arrays of different numbers of axes. What is missing in front counts as 1."""
        if shape and len(shape) != len(a.shape):
            raise ValueError("different numbers of axes")

    larger_size = edit("mine if size == 1 else size", "max(mine, size)")
    """You took the larger of two sizes. A size of 1 beside one of 0 gives 0."""

    from_the_front = edit(
        "(1,) * (wide - len(shape)) + shape, (1,) * (wide - len(a.shape)) + a.shape,",
        "shape + (1,) * (wide - len(shape)), a.shape + (1,) * (wide - len(a.shape)),",
    )
    """You compared axes from the first one on. They are compared from the last."""

    strides_ignored = edit(
        "v.buffer[offset_of(index, shape, v.strides, v.offset)] for v in views",
        "v.buffer[v.offset + place % math.prod(a.shape)] for v, a in zip(views, arrays)",
        says=STRIDES_IGNORED,
    )

    not_stretched = edit("[a.broadcast_to(shape) for a in arrays]", "arrays")
    """You read arrays of other shapes at the indices of the result. Stretch them first."""

    offset_lost = edit("v.strides, v.offset)", "v.strides)")
    """You left out the offsets: an array may begin anywhere in its buffer."""

    into_the_first = edit("out = NDArray.full(shape, 0.0)", "out = arrays[0].broadcast_to(shape)")
    """You wrote into the memory of the first array. The result gets a buffer of its own."""

    in_reverse = edit("f(*values)", "f(*reversed([*values]))")
    """You handed the values over in reverse order. The first array gives the first argument."""

    two_alone = edit("for v in views)", "for v in views[:2])")
    """There may be any number of arrays. You handed over two values."""

    @instead("views = [a.broadcast_to(shape)")
    def nothing_refused(arrays, shape):
        """Shapes that don't fit one another are a ValueError."""
        views = []
        for a in arrays:
            try:
                views.append(a.broadcast_to(shape))
            except ValueError:
                views.append(NDArray.full(shape, 0.0))

    called_once_more = edit(
        "out = NDArray.full(shape, 0.0)", "out = NDArray.full(shape, f(*[0.0 for _ in arrays]))"
    )
    """You called `f` once more than there are values. It may count its calls, or refuse 0."""


@exercise(
    "ndarray.reduce", points=3, minutes=20, difficulty=2, needs=("chapter17.ndarray.broadcast_to",)
)
class REDUCE:
    """Make the result with size 1 along the axes that go. Which of its words does a value of `a`
    belong to?

    Stretched to the shape of `a`, the result is a view whose strides lead there: along the axes
    that go they are 0.

    Without `keepdims` the axes of size 1 go at the end: the buffer stays as it is.
    """

    @instead("out = NDArray.full([1")
    def start_ignored(gone, a):
        """Every value begins as `start`. You began with 0."""
        out = NDArray.full([1 if i in gone else size for i, size in enumerate(a.shape)], 0.0)

    @after("stretched = out.broadcast_to(a.shape)")
    def first_value_twice(out, a, f, start):
        """You called `f` once too often: each value of `a` counts once, for one value of the
        result."""
        for place in range(len(out.buffer)):
            if 0 not in a.shape:
                out.buffer[place] = f(start, a.buffer[a.offset])

    other_way_round = edit("f(out.buffer[place], value)", "f(value, out.buffer[place])")
    """You handed the two over in reverse order: what is so far comes first."""

    last_to_first = edit("in every_index(a.shape)", "in reversed([*every_index(a.shape)])")
    """You went from the last value to the first. Go row by row."""

    axis_kept = edit("if i in gone else size for", "if i not in gone else size for")
    """You combined along the other axes. Those in `axes` go."""

    one_axis_alone = edit(
        "[axes] if isinstance(axes, int) else axes",
        "[axes] if isinstance(axes, int) else [*axes][:1]",
    )
    """Several axes may go. You took the first one alone."""

    first_axis_by_default = edit(
        "range(count) if axes is None", "range(min(count, 1)) if axes is None"
    )
    """Without `axes` all of them go."""

    keepdims_always = edit("if keepdims:", "if True:")
    """Without `keepdims` the axes are gone."""

    keepdims_never = edit("if keepdims:", "if False:")
    """With `keepdims` the axes stay, with size 1."""

    all_ones_gone = edit(
        "for i, size in enumerate(a.shape) if i not in gone]",
        "for i, size in enumerate(out.shape) if size != 1]",
    )
    """You dropped every axis of size 1. An axis that had this size before stays."""

    negative_refused = edit("axis + count if axis < 0 else axis", "axis")
    """-1 is the last axis. You refused it."""

    @instead(
        "if len(set(gone))",
        "out = NDArray.full([1",
        edits=(("axis + count if axis < 0 else axis", "axis"),),
    )
    def negative_ignored(start, gone, a):
        """-1 is the last axis. You looked for an axis of this number, so none goes."""
        out = NDArray.full([1 if i in gone else size for i, size in enumerate(a.shape)], start)

    @instead(
        "for index in every_index(a.shape):",
        "place = offset_of(index,",
        edits=(
            ("a.buffer[offset_of(index, a.shape, a.strides, a.offset)]", "a.buffer[a.offset + at]"),
        ),
        says=STRIDES_IGNORED,
    )
    def strides_ignored(a, stretched):
        for at, index in enumerate(every_index(a.shape)):
            place = offset_of(index, a.shape, stretched.strides)

    offset_lost = edit("a.strides, a.offset)", "a.strides)")
    """You left out the offset: an array may begin anywhere in its buffer."""

    @instead("if len(set(gone))", "out = NDArray.full([1")
    def unchecked(start, gone, a):
        """An axis that isn't there, or comes twice, is a ValueError."""
        out = NDArray.full([1 if i in gone else size for i, size in enumerate(a.shape)], start)

    beyond_allowed = edit(" or not set(gone) <= set(range(count))", "")
    """An axis that isn't there can't go. Raise ValueError."""

    twice_allowed = edit("len(set(gone)) != len(gone) or ", "")
    """An axis may not be named twice: -1 and the last one are the same. Raise ValueError."""

    nothing_combined = body("return NDArray(a.compact().buffer[:], a.shape)")
    """The shape is that of `a`. The axes in `axes` have to go."""
