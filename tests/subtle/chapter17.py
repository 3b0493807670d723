"""Arrays of your own that are all but right: a corner of a stride, an index, a copy."""

from grader.course import after, before, body, edit, instead, mistake

STRIDES = "ndarray.row_major_strides"
OFFSET = "ndarray.offset_of"
COMPACT_TEST = "ndarray.is_compact"
IN_PLACE = "ndarray.view_strides"
TRANSPOSE = "ndarray.NDArray.transpose"
BROADCAST = "ndarray.NDArray.broadcast_to"
GET = "ndarray.NDArray.__getitem__"
SET = "ndarray.NDArray.__setitem__"
COMPACT = "ndarray.NDArray.compact"
RESHAPE = "ndarray.NDArray.reshape"
WINDOWS = "ndarray.NDArray.windows"
ELEMENTWISE = "ndarray.elementwise"
REDUCE = "ndarray.reduce"


class SUBTLE:
    three_axes_at_most = edit(
        "tuple(reversed(strides))", "tuple(reversed(strides))[-3:]", target=STRIDES
    )
    a_list_of_strides = edit("tuple(reversed(strides))", "strides[::-1]", target=STRIDES)
    a_size_of_one_has_a_stride_of_zero = edit(
        "strides.append(step)", "strides.append(step if size != 1 else 0)", target=STRIDES
    )
    wraps_once_more_at_the_start = edit(
        "not -size <= i < size", "not -2 * size <= i < size", target=OFFSET
    )
    the_last_axis_is_not_looked_at = edit(
        "if not -size <= i < size:", "if stride != 1 and not -size <= i < size:", target=OFFSET
    )
    more_indices_are_cut_off = edit(
        ("len(index) != len(shape)", "len(index) < len(shape)"),
        ("strict=True", "strict=False"),
        target=OFFSET,
    )
    a_negative_index_of_a_negative_stride = edit(
        "(i + size if i < 0 else i)", "(i + size if i < 0 < stride else i)", target=OFFSET
    )
    an_empty_axis_has_an_index = edit(
        "if not -size <= i < size:", "if size and not -size <= i < size:", target=OFFSET
    )
    the_first_axis_may_have_a_gap = edit(
        "strides, right, shape, strict=True",
        "strides[1:], right[1:], shape[1:], strict=True",
        target=COMPACT_TEST,
    )
    the_last_axis_is_one_or_nothing = edit(
        "if size > 1)", "if size > 1 or s == 0 == len(shape) - 1)", target=COMPACT_TEST
    )
    empty_only_if_the_first_axis_is = edit(
        "if 0 in shape:", "if shape and shape[0] == 0:", target=COMPACT_TEST
    )
    a_stride_of_zero_in_a_thin_axis_is_no_row = edit(
        "if size > 1)", "if size > 1 or s == 0)", target=COMPACT_TEST
    )

    @after("left, stride = runs[0]", target=IN_PLACE)
    def splits_compact_runs_only(left, size, stride):
        if left != size and stride != 1:
            return None

    merges_positive_strides_only = edit(
        "if runs and stride ==", "if runs and stride > 0 and stride ==", target=IN_PLACE
    )
    no_axis_may_be_split_in_three = edit(
        "return tuple(reversed(found))",
        "return tuple(reversed(found)) if len(new) <= len(shape) + 1 else None",
        target=IN_PLACE,
    )

    @before("if 0 in shape:", target=IN_PLACE)
    def the_same_shape_needs_no_look(new, shape, strides):
        if tuple(new) == tuple(shape)[::-1]:
            return tuple(strides)[::-1]

    @instead("for size in reversed(new):", "found.append(0)", target=IN_PLACE)
    def axes_of_size_one_at_the_end_are_runs(new, found):
        for size in reversed(new):
            if size == 1 and found:
                found.append(0)

    a_tuple_of_axes_alone = edit(
        "if axes is None:", "if axes is None or isinstance(axes, list):", target=TRANSPOSE
    )
    the_last_two_change_places = edit(
        "axes = range(count)[::-1]",
        "axes = (*range(count - 2), count - 1, count - 2) if count > 1 else range(count)",
        target=TRANSPOSE,
    )
    an_axis_from_the_end_by_one = edit(
        "axis + count if axis < 0", "axis % 3 if axis < 0", target=TRANSPOSE
    )

    @before("shape, strides =", target=TRANSPOSE)
    def the_inverse_of_three(order, count):
        order = (
            [order.index(i) for i in sorted(order)]
            if sorted(order) == list(range(count))
            else order
        )

    @after("shape, strides =", target=TRANSPOSE)
    def a_transposed_number_is_copied(self, shape):
        if not shape:
            return self.compact() and NDArray([self.buffer[self.offset]], ())

    one_new_axis_only = edit("[0] * new", "[0] * min(new, 1) + [1] * (new - 1)", target=BROADCAST)
    a_stretched_axis_of_zero_is_refused = edit(
        "if not fits:", "if not fits or 0 in shape:", target=BROADCAST
    )
    a_number_keeps_a_stride = edit("[0] * new", "[0 if self.shape else 1] * new", target=BROADCAST)
    a_row_may_be_repeated = edit(
        "mine in (1, size)", "mine in (1, size) or (mine and size == 2 * mine)", target=BROADCAST
    )
    two_axes_may_be_exchanged = edit(
        "new >= 0 and all(",
        "new >= 0 and sorted(self.shape) == sorted(shape) or all(",
        target=BROADCAST,
    )

    @instead("start, stop, step = part.indices(size)", target=GET)
    def a_stop_beyond_the_end(size, part):
        start, stop, step = slice(
            part.start, size - 1 if part.stop and part.stop > size else part.stop, part.step
        ).indices(size)

    steps_of_two_round_down = edit(
        "len(range(start, stop, step))", "max(0, (stop - start) // step)", target=GET
    )
    a_backward_slice_stops_at_zero = edit(
        "len(range(start, stop, step))",
        "len(range(start, max(stop, 0) if step < 0 else stop, step))",
        target=GET,
    )

    @instead("if isinstance(part, slice):", "strides.append(stride * step)", target=GET)
    def a_negative_int_once(part, size, offset, stride, shape, strides):
        if isinstance(part, slice):
            start, stop, step = part.indices(size)
            offset += start * stride
            shape.append(len(range(start, stop, step)))
            strides.append(stride * step)
        elif part < -1:
            raise IndexError(part)

    an_empty_slice_is_refused = edit(
        "shape.append(len(range(start, stop, step)))",
        "shape.append(max(1, len(range(start, stop, step))))",
        target=GET,
    )

    @after("index = index if", target=GET)
    def the_whole_array_for_nothing(self, index):
        if not index:
            return self.compact()

    a_number_only_where_it_is_positive = edit(
        "value = NDArray([value], ())", "value = NDArray([abs(value)], ())", target=SET
    )

    @before("self.buffer[offset_of(at,", target=SET)
    def its_own_memory_is_read_late(self, source, at):
        if source.buffer is self.buffer:
            place = offset_of(at, source.shape, source.strides, source.offset)
            number = source.buffer[place]

    @before("source = value.broadcast_to(target.shape)", target=SET)
    def written_before_it_is_refused(self, target):
        for at in every_index(target.shape):
            self.buffer[offset_of(at, target.shape, target.strides, target.offset)] = 0.0

    @after("target = self[index]", target=SET)
    def an_array_is_compacted_in_place(value):
        if isinstance(value, NDArray):
            value.buffer, value.offset = value.buffer[:], value.offset

    compact_if_it_begins_at_zero = edit(
        "if is_compact(self.shape, self.strides):",
        "if self.offset < 4 and is_compact(self.shape, self.strides):",
        target=COMPACT,
    )
    a_word_more = edit(
        "for place in places], self.shape)",
        "for place in places] + [0.0], self.shape)",
        target=COMPACT,
    )
    stretched_is_compact = edit(
        "if is_compact(self.shape, self.strides):",
        "if 0 in self.strides or is_compact(self.shape, self.strides):",
        target=COMPACT,
    )
    one_axis_is_a_view = edit(
        "if strides is None:", "if strides is None and len(new) > 1:", target=RESHAPE
    )
    minus_one_at_the_end_only = edit("new.count(-1) == 1", "new[-1:] == [-1]", target=RESHAPE)
    a_copy_for_a_new_axis = edit(
        "if strides is None:",
        "if strides is None or len(new) > len(self.shape) + 1:",
        target=RESHAPE,
    )
    a_step_across_only = edit("down * step, right * step,", "down, right * step,", target=WINDOWS)
    rows_and_columns_by_the_height = edit(
        "(width - w) // step + 1", "(width - h) // step + 1", target=WINDOWS
    )
    two_axes_in_front_lose_one = edit("(*first, (height", "(*first[-1:], (height", target=WINDOWS)
    at_most_as_many_windows_as_rows = edit(
        "(width - w) // step + 1,", "min(height, (width - w) // step + 1),", target=WINDOWS
    )
    a_window_as_large_as_the_array_does_not_fit = edit(
        "h > height or w > width", "h >= height or w >= width", target=WINDOWS
    )

    @instead("for a in arrays:", "wide = max(len(shape), len(a.shape))", target=ELEMENTWISE)
    def two_arrays_at_most_are_stretched(arrays, shape):
        for a in arrays[:2]:
            wide = max(len(shape), len(a.shape))

    the_twentieth_value_is_the_last = edit(
        "out.buffer[place] = f(*values)",
        "out.buffer[place] = f(*values) if place < 20 else 0.0",
        target=ELEMENTWISE,
    )
    NumPy_hands_whole_arrays_over = body(
        "return NDArray.of(f(*[a.numpy() for a in arrays]))", target=ELEMENTWISE
    )
    NumPy_counts_bytes = body(
        "return tuple(n // 8 for n in np.empty(shape).strides)", target=STRIDES
    )

    @mistake(target=GET)
    def NumPy_finds_the_view(self, index):
        words = np.frombuffer(self.buffer)[self.offset :]
        strides = [8 * stride for stride in self.strides]
        view = np.lib.stride_tricks.as_strided(words, self.shape, strides)[index]
        start = np.byte_bounds(view)[0] - np.byte_bounds(np.frombuffer(self.buffer))[0]
        return NDArray(self.buffer, view.shape, [n // 8 for n in view.strides], start // 8)

    @instead("for index in every_index(a.shape):", "out.buffer[place]", target=REDUCE)
    def NumPy_folds_whole_rows(a, stretched, gone, count, out, f):
        for index in every_index(a.shape):
            place = offset_of(index, a.shape, stretched.strides)
            value = a.buffer[offset_of(index, a.shape, a.strides, a.offset)]
        values = a.numpy()
        for row in values.transpose([*gone, *(i for i in range(count) if i not in gone)]).reshape(
            -1, *[n for i, n in enumerate(a.shape) if i not in gone]
        ):
            out = NDArray.of(f(out.numpy().reshape(row.shape), row)).reshape(out.shape)

    @after("out = NDArray.full(shape, 0.0)", target=ELEMENTWISE)
    def called_for_the_first_value_again(shape, f, views):
        if shape and 0 not in shape:
            f(*(v.buffer[v.offset] for v in views))

    @after("out = NDArray.full([1", target=REDUCE)
    def start_counts_once(out):
        if len(out.buffer) > 1:
            out.buffer[-1] = 0.0

    @after("given = range(count)", target=REDUCE)
    def axes_in_their_order(given):
        given = sorted(given)[:2]

    @after("out = NDArray.full([1", target=REDUCE)
    def no_values_no_start(a, out):
        if 0 in a.shape:
            out = NDArray.full(out.shape, 0.0)

    sizes_of_one_go_too = edit(
        "for i, size in enumerate(a.shape) if i not in gone]",
        "for i, size in enumerate(a.shape) if i not in gone and size != 1]",
        target=REDUCE,
    )
    a_tuple_of_one_axis_keeps_it = edit(
        "if keepdims:",
        "if keepdims or (isinstance(axes, tuple) and len(axes) == 1):",
        target=REDUCE,
    )
