"""From an index to a word: strides, places, gaps, and strides for another shape."""

from grader.course import before, body, edit, exercise, instead, mistake

BEYOND = (
    "An index beyond its axis is an IndexError. You read on in the next row, or before the array."
)


@exercise("ndarray.row_major_strides", points=1)
class STRIDES:
    """Along the last axis the next value is the next word. How far is it to the next row, and to
    the next block of rows?

    Go through the sizes from the last to the first, and multiply as you go.
    """

    not_turned_back = edit("tuple(reversed(strides))", "tuple(strides)")
    """These strides are in the order in which you found them, from the last axis to the first.
    Reverse their order."""

    column_major = edit(
        ("in reversed(shape)", "in shape"), ("tuple(reversed(strides))", "tuple(strides)")
    )
    """You began with the first axis, so values lie column by column. Row by row, the *last* axis
    has a stride of 1."""

    def own_size_too(shape):
        """You multiplied by the size of the axis itself, too. Only the axes behind it count."""
        strides, step = [], 1
        for size in reversed(shape):
            step *= size
            strides.append(step)
        return tuple(reversed(strides))

    added = edit("step *= size", "step += size")
    """You added the sizes. A block of 3 rows of 4 values has 3 · 4 of them."""

    in_bytes = edit("[], 1", "[], 8")
    """You counted bytes, as NumPy does. These strides count words."""

    next_size_alone = body("return (*shape[1:], 1) if shape else ()")
    """You took the size of the next axis alone. All axes behind count."""

    stride_of_a_number = edit("tuple(reversed(strides))", "tuple(reversed(strides)) or (1,)")
    """A number has no axes, so it has no strides either."""

    zero_left_out = edit("step *= size", "step *= size or 1")
    """You left a size of 0 out of the product. Every size behind counts."""

    one_more_for_ones = edit("step *= size", "step *= max(size, 2)")
    """An axis of size 1 is no reason to step further: multiply by 1."""


@exercise("ndarray.offset_of", points=2)
class OFFSET:
    """Each axis adds to the place: index times stride. Where does the sum begin?

    Look at each index first. From `-size` to `size - 1` it is fine, and `i + size` is where a
    negative one leads.
    """

    @before("for i, size, stride")
    def offset_forgotten():
        """The array does not begin at word 0: begin with `offset`."""
        offset = 0

    row_major_assumed = edit(
        "zip(index, shape, strides,", "zip(index, shape, row_major_strides(shape),"
    )
    """You stepped as if the values lay row by row. Step as `strides` say."""

    sizes_for_strides = edit("* stride", "* size")
    """You multiplied by the size of the axis. The stride says how far a step is."""

    negative_taken_as_it_is = edit("(i + size if i < 0 else i)", "i")
    """A negative index leads you to words before the array. It counts from the end of its axis."""

    one_too_far_back = edit("i + size if", "i + size - 1 if")
    """-1 is the last value of an axis: you went one too far back."""

    @mistake(says=BEYOND)
    def unchecked(index, shape, strides, offset):
        if len(index) != len(shape):
            raise IndexError(f"{len(index)} indices for {len(shape)} axes")
        for i, size, stride in zip(index, shape, strides, strict=True):
            offset += (i + size if i < 0 else i) * stride
        return offset

    end_unchecked = edit("-size <= i < size", "-size <= i", says=BEYOND)

    start_unchecked = edit("-size <= i < size", "i < size", says=BEYOND)

    last_but_one = edit("i < size:", "i <= size:")
    """An axis of size 3 has the indices 0, 1 and 2. You let 3 pass."""

    first_refused = edit("-size <= i", "-size < i")
    """In an axis of size 3, index -3 is the first value. You refused it."""

    negative_refused = edit("not -size <= i", "not 0 <= i")
    """You refused negative indices. They count from the end."""

    a_sum_alone = body("return offset + sum(i * s for i, s in zip(index, strides))")
    """The sum is right. Look at each index first: a negative one counts from the end, and one
    beyond its axis is an IndexError, as is one too many."""

    def count_unchecked(index, shape, strides, offset):
        """There has to be one index for each axis. You ignored what is over on either side."""
        for i, size, stride in zip(index, shape, strides, strict=False):
            if not -size <= i < size:
                raise IndexError(f"index {i} is beyond an axis of size {size}")
            offset += (i + size if i < 0 else i) * stride
        return offset

    fewer_unchecked = edit(
        ("len(index) != len(shape)", "len(index) > len(shape)"), ("strict=True", "strict=False")
    )
    """With fewer indices than axes there is no single value. You filled up with 0."""

    value_error = edit('raise IndexError(f"index {i}', 'raise ValueError(f"index {i}')
    """What is beyond an axis is an IndexError, as in a list."""


@exercise("ndarray.is_compact", points=2)
class IS_COMPACT:
    """`row_major_strides` says what the strides would be. Which of them matter?

    Leave out the axes of size 1. If any size is 0, there is nothing to compare.
    """

    all_compared = body("return tuple(strides) == row_major_strides(shape)")
    """You compared all strides. That of an axis of size 1 doesn't matter, and an array without
    values is compact, whatever its strides are."""

    thin_axes_compared = edit(" if size > 1", "")
    """You compared the stride of an axis of size 1. Nobody takes a step along it."""

    empty_compared = edit(("if 0 in shape:", ""), ("return True", ""))
    """Without values there is nothing that could lie apart: that is compact."""

    last_axis_alone = body("return 0 in shape or not shape or shape[-1] == 1 or strides[-1] == 1")
    """You looked at the last axis alone. There may be a gap between two rows."""

    first_axis_alone = edit(
        "return all(s == r for s, r, size in zip(strides, right, shape, strict=True) if size > 1)",
        "return not shape or shape[0] == 1 or strides[0] == right[0]",
    )
    """You looked at the first axis alone. Within a row there may be gaps, too."""

    def in_any_order(shape, strides):
        """These values lie without a gap, but not all of them row by row. Each axis has a stride of
        its own to compare."""
        step = 1
        for stride, size in sorted(zip(strides, shape, strict=True)):
            if size > 1 and stride != step and 0 not in shape:
                return False
            step *= size
        return True

    any_axis = edit("return all(", "return not shape or any(")
    """One axis with the right stride is not enough: all have to have it."""

    backwards_too = edit("s == r", "abs(s) == r")
    """A negative stride walks backwards. That is not row by row."""

    gaps_allowed = edit("s == r", "s >= r")
    """A stride that is too large leaves a gap."""

    smaller_allowed = edit("s == r", "s <= r")
    """A stride that is too small, or 0, shows the same words again."""

    number_is_not = edit("return all(", "return bool(shape) and all(")
    """A number is one value, and lies without a gap."""


@exercise("ndarray.view_strides", points=4, minutes=25, difficulty=3)
class VIEW_STRIDES:
    """Some axes run on into one another: the stride of one is the size times the stride of the one
    behind it. One stride can walk through all their values.

    First find these runs, from the last axis on, as pairs of how many values and which stride. Axes
    of size 1 belong to none.

    Then take the new sizes from the last on. Each has to divide what is left of its run; its stride
    is the run's, and the next new axis of this run steps over `size` times as many words.
    """

    compact_alone = body(
        "return row_major_strides(new) if is_compact(shape, strides) or 0 in shape else None"
    )
    """You gave up where the array as a whole does not lie row by row. It is enough that the axes
    that are merged or split do."""

    never_none = body("return row_major_strides(new)")
    """You never looked at `strides`. Row by row through this memory you meet other values."""

    never_in_place = body("return None")
    """Often there are such strides: split one axis, and nothing has to move."""

    merged_unseen = edit("if runs and stride == runs[-1][0] * runs[-1][1]:", "if runs:")
    """You merged axes that don't run on into one another. Between their rows is a gap, or another
    order."""

    @instead("for size, stride", "runs[-1][0] *= size")
    def thin_axes_split_runs(shape, strides, runs):
        """An axis of size 1 keeps nothing apart, whatever its stride is: leave it out."""
        for size, stride in zip(reversed(shape), reversed(strides), strict=True):
            if runs and stride == runs[-1][0] * runs[-1][1]:
                runs[-1][0] *= size

    across_two_runs = edit(("if left % size:", ""), ("return None", ""))
    """A new axis can't reach from one run into the next: one stride does not lead there."""

    runs_not_stepped_through = edit("[left // size, stride * size]", "[left // size, stride]")
    """The next new axis of a run steps over the whole one behind it: multiply by its size."""

    not_turned_back = edit("return tuple(reversed(found))", "return tuple(found)")
    """You found the strides from the last axis on. Reverse their order."""

    merged_by_size_alone = edit("stride == runs[-1][0] * runs[-1][1]", "stride == runs[-1][0]")
    """A run of n values with stride s reaches n · s words far. You left out s."""

    @before("if 0 in shape:")
    def stretched_refused(strides):
        """A stride of 0 is a stride as well: an axis that shows one value again and again can be
        split."""
        if 0 in strides:
            return None

    empty_not_in_place = edit("return row_major_strides(new)", "return None")
    """Without values there is nothing to copy: any strides will do."""
