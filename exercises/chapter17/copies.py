"""Copies where no view will do, and windows, where one always does."""

from grader.course import body, edit, exercise, instead, mistake

from .views import COPIED, OFFSET_LOST, ROWS_ASSUMED


@exercise(
    "ndarray.NDArray.compact", points=2, needs=("chapter17.offset_of", "chapter17.is_compact")
)
class COMPACT:
    """`is_compact` tells you whether there is anything to do.

    `every_index(self.shape)` goes row by row, and `offset_of` finds the word of each index. What is
    the shape of the array that you make of these words?
    """

    def always_copied(self):
        """You copied what lies row by row already. Return the array itself."""
        if is_compact(self.shape, self.strides):
            pass
        places = (
            offset_of(index, self.shape, self.strides, self.offset)
            for index in every_index(self.shape)
        )
        return NDArray([self.buffer[place] for place in places], self.shape)

    never_copied = edit("if is_compact(self.shape, self.strides):", "if True:")
    """You returned the array as it is, though its values do not lie row by row."""

    strides_kept = edit(
        "for place in places], self.shape)", "for place in places], self.shape, self.strides)"
    )
    """In the new buffer the values lie row by row: the old strides are wrong there."""

    buffer_as_it_lies = edit(
        "return NDArray([self.buffer[place] for place in places], self.shape)",
        "return NDArray(self.buffer[:], self.shape, self.strides, self.offset)",
    )
    """You copied the buffer as it lies. The values have to lie row by row, and nothing beside
    them."""

    @instead("return NDArray([self.buffer[place]")
    def cut_out(self):
        """You cut a piece out of the buffer. The values of this array lie apart: pick each by its
        index."""
        end = self.offset + math.prod(self.shape)
        return NDArray(self.buffer[self.offset : end], self.shape)

    column_by_column = edit(
        "for index in every_index(self.shape)",
        "for index in (i[::-1] for i in every_index(self.shape[::-1]))",
    )
    """You went column by column. The last index moves first: `every_index` goes row by row."""

    offset_lost = edit("self.strides, self.offset)", "self.strides)")
    """You left out `offset`, and read other words."""

    shape_lost = edit(
        "for place in places], self.shape)", "for place in places], [math.prod(self.shape)])"
    )
    """You made one long row of it. The shape stays."""

    from_word_0_alone = edit(
        "if is_compact(self.shape, self.strides):",
        "if is_compact(self.shape, self.strides) and self.offset == 0:",
    )
    """An array may begin anywhere in its buffer, and other words may follow. It is compact if its
    own values lie row by row."""


@exercise("ndarray.NDArray.reshape", points=3, minutes=15, needs=("chapter17.view_strides",))
class RESHAPE:
    """Find the size for -1 first: divide the number of values by the product of the other sizes.

    Then ask `view_strides`. With strides it is a view. With None `compact` copies the values row by
    row, and in that buffer any shape fits.
    """

    never_copied = edit("if strides is None:", "if False:")
    """You laid the shape over the words row by row, though the values do not lie like that. Then
    `view_strides` says None, and you have to copy."""

    always_copied = edit("if strides is None:", "if True:")
    """You copied although `view_strides` has an answer. Then it is a view."""

    compact_buffer = body("return NDArray(self.compact().buffer, shape)")
    """`compact` may return the array itself, with another offset and more words. And the new shape
    needs a look first: whether it fits, and what -1 stands for."""

    compact_alone = edit("if strides is None:", "if not is_compact(self.shape, self.strides):")
    """You copied whatever isn't compact. Some of it can be seen in the new shape: ask
    `view_strides`."""

    def rest_not_found(self, shape):
        """-1 stands for the size that is left over. You took it as a size."""
        count, new = math.prod(self.shape), list(shape)
        if math.prod(new) != count or min(new, default=0) < 0:
            raise ValueError(f"{self.shape} can't become {tuple(shape)}")
        strides = view_strides(self.shape, self.strides, tuple(new))
        if strides is None:
            return NDArray(self.compact().buffer, new)
        return NDArray(self.buffer, new, strides, self.offset)

    def laid_out_unasked(self, shape):
        """You never ask about the new shape: -1 stands for the size that is left over, and a shape
        that holds more or fewer values is a ValueError."""
        strides = view_strides(self.shape, self.strides, tuple(shape))
        if strides is None:
            return NDArray(self.compact().buffer, shape)
        return NDArray(self.buffer, shape, strides, self.offset)

    all_for_the_rest = edit("count // others if others else 0", "count")
    """-1 takes what the *other* sizes leave: divide by their product."""

    unchecked = edit("math.prod(new) != count or ", "")
    """The new shape has to hold exactly these values. You let others pass. Raise ValueError."""

    @instead("if new.count(-1) == 1:", "others = -math.prod(new)")
    def two_rests(new):
        """With two sizes of -1 nobody knows which gets how much. Raise ValueError."""
        if new.count(-1):
            others = abs(math.prod(new))
            rest = new.index(-1)
            new = [1 if n == -1 and i != rest else n for i, n in enumerate(new)]

    offset_lost = edit("new, strides, self.offset)", "new, strides)", says=OFFSET_LOST)

    buffer_as_it_lies = edit("self.compact().buffer", "self.buffer[:]")
    """You copied the buffer as it lies. `compact` brings the values into their order first."""

    from_the_wrong_word = edit(
        "NDArray(self.compact().buffer, new)",
        "NDArray(self.compact().buffer, new, None, self.offset)",
    )
    """In the new buffer the values begin at word 0."""

    row_major_strides_in_place = edit("new, strides, self.offset)", "new, None, self.offset)")
    """You asked `view_strides` and did not take its answer: row by row there are other words."""


@exercise("ndarray.NDArray.windows", points=3, minutes=20, difficulty=2)
class WINDOWS:
    """How far is it from a window to the next one, and from a value in a window to the next one?

    Inside a window you step as in the array. From window to window it is `step` times as far.

    Of 7 rows, windows of 3 rows begin at 0 to 4: `7 - 3` is the last one. With a step of 2 that is
    0, 2 and 4.
    """

    steps_inside = edit("right * step, down, right)", "right * step, down * step, right * step)")
    """Within a window there are no gaps. `step` says how far it is from one window to the next."""

    def steps_forgotten_and_unchecked(self, size, step):
        """The next window lies `step` further. You let it lie one further; and a window that does
        not fit is a ValueError."""
        (h, w), (*first, height, width), (*steps, down, right) = size, self.shape, self.strides
        shape = (*first, (height - h) // step + 1, (width - w) // step + 1, h, w)
        return NDArray(self.buffer, shape, (*steps, down, right, down, right), self.offset)

    one_more_before_dividing = edit(
        "(height - h) // step + 1, (width - w) // step + 1",
        "(height - h + 1) // step, (width - w + 1) // step",
    )
    """You added 1 before you divided. Of five places with a step of 2 three count: 0, 2 and 4."""

    steps_forgotten = edit("(*steps, down * step, right * step,", "(*steps, down, right,")
    """There are as many windows as there should be, and yet the next one lies one further. It lies
    `step` further."""

    one_too_few = edit(
        "(height - h) // step + 1, (width - w) // step + 1",
        "(height - h) // step, (width - w) // step",
    )
    """The last window is missing: count the one at 0 as well."""

    every_place_counted = edit(
        "(height - h) // step + 1, (width - w) // step + 1", "height - h + 1, width - w + 1"
    )
    """With a step you have fewer windows. The last of yours reach beyond the array."""

    half_a_window = edit(
        "(height - h) // step + 1, (width - w) // step + 1",
        "-(-(height - h) // step) + 1, -(-(width - w) // step) + 1",
    )
    """The last of your windows reaches beyond the array. Only whole ones count."""

    side_by_side = edit(
        ("down * step, right * step, down", "down * h, right * w, down"),
        ("(height - h) // step + 1, (width - w) // step + 1", "height // h, width // w"),
    )
    """You laid the windows side by side. The next one begins `step` further, so they overlap."""

    inside_first = edit(
        (
            "(*first, (height - h) // step + 1, (width - w) // step + 1, h, w)",
            "(*first, h, w, (height - h) // step + 1, (width - w) // step + 1)",
        ),
        (
            "(*steps, down * step, right * step, down, right)",
            "(*steps, down, right, down * step, right * step)",
        ),
    )
    """The last two axes are those inside a window. You put them before the rows and columns of
    windows."""

    width_first = edit("h, w = size", "w, h = size")
    """A size is height and width, in this order."""

    across_and_down = edit(
        "*steps, down, right = self.strides", "*steps, right, down = self.strides"
    )
    """The last stride leads to the right, the one before it down. You took them for each other."""

    row_major_assumed = edit(
        "*steps, down, right = self.strides",
        "*steps, down, right = row_major_strides(self.shape)",
        says=ROWS_ASSUMED,
    )

    @mistake(says=COPIED)
    def copied(self, size, step):
        if len(self.shape) < 2 or min(*size, step) < 1:
            raise ValueError(f"windows of {size}, a step of {step}: at least 1 each, on two axes")
        *first, height, width = self.shape
        h, w = size
        if h > height or w > width:
            raise ValueError(f"a window of {size} is larger than {(height, width)}")
        *steps, down, right = self.strides
        view = NDArray(
            self.buffer,
            (*first, (height - h) // step + 1, (width - w) // step + 1, h, w),
            (*steps, down * step, right * step, down, right),
            self.offset,
        )
        return NDArray.of(view.numpy())

    offset_lost = edit("self.offset,", "", says=OFFSET_LOST)

    @instead("if h > height or w > width:", "*steps, down, right = self.strides")
    def too_large_unchecked(self):
        """A window that is larger than the array doesn't fit once. Raise ValueError."""
        *steps, down, right = self.strides

    too_small_unchecked = edit(
        "if len(self.shape) < 2 or min(*size, step) < 1:", "if len(self.shape) < 2:"
    )
    """A window of no rows, and a step of 0, make no sense. Raise ValueError."""
