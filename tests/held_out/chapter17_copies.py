"""Bodies of chapter 17 by another stranger, from the docstrings and the prose alone: copies."""

from grader.course import after, before, edit, mistake, right

COMPACT = "ndarray.NDArray.compact"
RESHAPE = "ndarray.NDArray.reshape"
WINDOWS = "ndarray.NDArray.windows"


class SECOND_CALL:
    @mistake(target=COMPACT)
    def a_copy_is_made_once_for_each_array(self):
        """A value that was written since then is not in it."""
        if is_compact(self.shape, self.strides):
            return self
        if "copied" not in self.__dict__:
            values = [
                self.buffer[offset_of(index, self.shape, self.strides, self.offset)]
                for index in every_index(self.shape)
            ]
            self.copied = NDArray(values, self.shape)
        return self.copied


class SETTING:
    only_a_whole_buffer_is_compact = edit(
        "if is_compact(self.shape, self.strides):",
        "if is_compact(self.shape, self.strides) and len(self.buffer) == math.prod(self.shape):",
        target=COMPACT,
    )
    nothing_is_copied_too = edit(
        "if is_compact(self.shape, self.strides):",
        "if math.prod(self.shape) and is_compact(self.shape, self.strides):",
        target=COMPACT,
    )

    @before("places = (", target=COMPACT)
    def turned_axes_reverse_the_buffer(self):
        if len(self.shape) == 1 and self.strides[0] < 0:
            return NDArray(self.buffer[::-1], self.shape)

    a_size_may_be_too_small = edit(
        "if math.prod(new) != count", "if math.prod(new) > count", target=RESHAPE
    )
    two_negative_sizes_are_a_product = edit(" or min(new, default=0) < 0", "", target=RESHAPE)

    @mistake(target=RESHAPE)
    def the_given_shape_is_changed(self, shape):
        count = math.prod(self.shape)
        if list(shape).count(-1) == 1:
            others = -math.prod(shape)
            new = shape if isinstance(shape, list) else list(shape)
            new[new.index(-1)] = count // others if others else 0
            shape = new
        if math.prod(shape) != count or min(shape, default=0) < 0:
            raise ValueError("not as many values")
        strides = view_strides(self.shape, self.strides, tuple(shape))
        if strides is None:
            return NDArray(self.compact().buffer, shape)
        return NDArray(self.buffer, shape, strides, self.offset)

    no_room_for_nothing = edit(
        "if math.prod(new) != count", "if not count or math.prod(new) != count", target=RESHAPE
    )
    the_same_shape_is_a_copy = edit(
        "strides = view_strides(self.shape, self.strides, tuple(new))",
        "strides = None if not is_compact(self.shape, self.strides) and tuple(new) == self.shape "
        "else view_strides(self.shape, self.strides, tuple(new))",
        target=RESHAPE,
    )
    a_window_is_smaller_than_the_image = edit(
        "if h > height or w > width:", "if h >= height or w >= width:", target=WINDOWS
    )
    only_the_last_of_the_axes_in_front = edit(
        ("(*first, (height", "(*first[-1:], (height"),
        ("(*steps, down * step", "(*steps[-1:], down * step"),
        target=WINDOWS,
    )

    @after("h, w = size", target=WINDOWS)
    def windows_never_leave_a_gap(step, h, w):
        step = min(step, max(h, w))

    the_width_may_be_nothing = edit(
        "min(*size, step) < 1", "min(size[0], step) < 1", target=WINDOWS
    )
    windows_of_a_new_array = edit(
        "*steps, down, right = self.strides",
        "*steps, down, right = row_major_strides(self.shape)",
        target=WINDOWS,
    )


class RIGHT:
    @right(COMPACT)
    def by_growing_places(self):
        if is_compact(self.shape, self.strides):
            return self
        places = [self.offset]
        for size, stride in zip(self.shape, self.strides):
            places = [place + i * stride for place in places for i in range(size)]
        return NDArray(array("d", map(self.buffer.__getitem__, places)), self.shape)

    @right(COMPACT)
    def by_writing_into_a_new_one(self):
        if not is_compact(self.shape, self.strides):
            new = NDArray.full(self.shape, 0.0)
            new[()] = self
            return new
        return self

    @right(RESHAPE)
    def with_a_loop_for_the_open_size(self, shape):
        count = math.prod(self.shape)
        open_axes = [axis for axis, size in enumerate(shape) if size == -1]
        known = math.prod(size for size in shape if size != -1)
        if len(open_axes) > 1 or any(size < -1 for size in shape):
            raise ValueError("at most one open size")
        if open_axes:
            if known and count % known or not known and count:
                raise ValueError("no such size")
            size = count // known if known else 0
            shape = [size if given == -1 else given for given in shape]
        elif known != count:
            raise ValueError("not as many")
        strides = view_strides(self.shape, self.strides, tuple(shape))
        if strides is not None:
            return NDArray(self.buffer, shape, strides, self.offset)
        values = self.compact()
        return NDArray(values.buffer, shape, None, values.offset)

    @right(WINDOWS)
    def by_slices_and_stretches(self, size, step):
        if len(self.shape) < 2:
            raise ValueError("two axes")
        steps = int(step)
        if steps < 1 or any(side < 1 for side in size):
            raise ValueError("at least 1")
        *_, rows, columns = [*self.shape]
        down = [*range(0, rows - size[0] + 1, steps)]
        across = [*range(0, columns - size[1] + 1, steps)]
        if not down or not across:
            raise ValueError("too large")
        shape = self.shape[:-2] + (len(down), len(across)) + tuple(size)
        last = self.strides[-2:]
        strides = self.strides[:-2] + tuple(steps * s for s in last) + last
        return NDArray(self.buffer, shape, strides, self.offset)
