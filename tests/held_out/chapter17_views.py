"""Bodies of chapter 17 by another stranger, from the docstrings and the prose alone: views."""

from grader.course import after, before, edit, mistake, right

TRANSPOSE = "ndarray.NDArray.transpose"
BROADCAST = "ndarray.NDArray.broadcast_to"
GET = "ndarray.NDArray.__getitem__"
SET = "ndarray.NDArray.__setitem__"


class SECOND_CALL:
    @mistake(target=TRANSPOSE)
    def the_given_axes_are_changed(self, axes):
        """A list that somebody gives is theirs."""
        count = len(self.shape)
        if axes is None:
            axes = list(range(count))[::-1]
        if isinstance(axes, list):
            for i, axis in enumerate(axes):
                axes[i] = axis + count if axis < 0 else axis
        order = [axis + count if axis < 0 else axis for axis in axes]
        if sorted(order) != list(range(count)):
            raise ValueError("each axis once")
        shape, strides = [self.shape[i] for i in order], [self.strides[i] for i in order]
        return NDArray(self.buffer, shape, strides, self.offset)


class SETTING:
    @mistake(target=TRANSPOSE)
    def no_axes_named_are_all_axes(self, axes=()):
        """`not axes` is true of an empty list as well."""
        count = len(self.shape)
        if not axes:
            axes = range(count)[::-1]
        order = [axis + count if axis < 0 else axis for axis in axes]
        if sorted(order) != list(range(count)):
            raise ValueError("each axis once")
        shape, strides = [self.shape[i] for i in order], [self.strides[i] for i in order]
        return NDArray(self.buffer, shape, strides, self.offset)

    @mistake(target=TRANSPOSE)
    def axes_are_taken_round_and_round(self, axes):
        count = len(self.shape)
        order = [*range(count)][::-1] if axes is None else [axis % count for axis in axes]
        if sorted(order) != list(range(count)):
            raise ValueError("each axis once")
        return NDArray(
            self.buffer,
            [self.shape[i] for i in order],
            [self.strides[i] for i in order],
            self.offset,
        )

    @mistake(target=TRANSPOSE)
    def an_axis_beyond_is_an_index_error(self, axes):
        order = range(len(self.shape))[::-1] if axes is None else axes
        pairs = [(self.shape[i], self.strides[i]) for i in order]
        named = {range(len(self.shape))[i] for i in order}
        if len(named) != len(self.shape) or len(pairs) != len(named):
            raise ValueError("each axis once")
        return NDArray(self.buffer, [n for n, _ in pairs], [s for _, s in pairs], self.offset)

    nothing_is_no_size = edit(
        "mine in (1, size)", "size > 0 and mine in (1, size)", target=BROADCAST
    )

    @before("new = len(shape) - len(self.shape)", target=BROADCAST)
    def axes_of_one_may_go(self, shape):
        while len(self.shape) > len(shape) and self.shape[0] == 1:
            self = self[0]

    new_axes_forget_where_it_begins = edit(
        "shape, strides, self.offset", "shape, strides, 0 if new else self.offset", target=BROADCAST
    )
    one_stretches_to_some_only = edit(
        "mine in (1, size)", "mine == size or mine == 1 and size > 1", target=BROADCAST
    )
    a_new_axis_has_a_stride_of_one = edit("[0] * new", "[1] * new", target=BROADCAST)

    @mistake(target=GET)
    def the_rest_of_a_slice_is_left(self, index):
        """A slice of 5 by steps of 2 has three values."""
        index = index if isinstance(index, tuple) else (index,)
        if len(index) > len(self.shape):
            raise IndexError("too many indices")
        shape, strides, offset = [], [], self.offset
        for axis, (size, stride) in enumerate(zip(self.shape, self.strides, strict=True)):
            part = index[axis] if axis < len(index) else slice(None)
            if isinstance(part, slice):
                start, stop, step = part.indices(size)
                offset += start * stride
                shape.append(max(0, (stop - start) // step))
                strides.append(stride * step)
            else:
                if not -size <= part < size:
                    raise IndexError("beyond its axis")
                offset += part % size * stride
        return NDArray(self.buffer, shape, strides, offset)

    @mistake(target=GET)
    def slices_by_hand(self, index):
        """Ends far beyond an axis are cut at one end alone."""
        index = index if isinstance(index, tuple) else (index,)
        if len(index) > len(self.shape):
            raise IndexError("too many indices")
        index = [*index, *[slice(None)] * (len(self.shape) - len(index))]
        shape, strides, offset = [], [], self.offset
        for part, size, stride in zip(index, self.shape, self.strides, strict=True):
            if isinstance(part, slice):
                step = 1 if part.step is None else part.step
                first, last = (0, size) if step > 0 else (size - 1, -1)
                start = first if part.start is None else part.start
                stop = last if part.stop is None else part.stop
                start = start + size if start < 0 else start
                if part.stop is not None and stop < 0:
                    stop += size
                stop = min(stop, size)
                offset += start * stride
                shape.append(len(range(start, stop, step)))
                strides.append(stride * step)
            else:
                if not -size <= part < size:
                    raise IndexError("beyond its axis")
                offset += (part if part >= 0 else part + size) * stride
        return NDArray(self.buffer, shape, strides, offset)

    @after("start, stop, step = part.indices(size)", target=GET)
    def a_slice_beyond_is_an_error(start, size):
        if not 0 <= start < size:
            raise IndexError("beyond its axis")

    no_index_at_all_is_an_error = edit(
        "if len(index) > len(self.shape):", "if not 0 < len(index) <= len(self.shape):", target=GET
    )
    a_step_is_never_larger_than_the_axis = edit(
        "strides.append(stride * step)", "strides.append(stride * min(step, 2))", target=GET
    )
    an_int_takes_the_last_axis_away = edit(
        "offset += offset_of([part], (size,), (stride,))",
        "offset += offset_of([part], (size,), (self.strides[0],))",
        target=GET,
    )
    a_negative_step_of_a_turned_axis = edit(
        "strides.append(stride * step)",
        "strides.append(-abs(stride * step) if step < 0 else stride * step)",
        target=GET,
    )

    @mistake(target=SET)
    def only_itself_is_read_first(self, index, value):
        """Another view of the same words is read while they change."""
        target = self[index]
        if not isinstance(value, NDArray):
            value = NDArray([value], ())
        if value is self:
            value = NDArray(array("d", value.buffer), value.shape, value.strides, value.offset)
        source = value.broadcast_to(target.shape)
        for at in every_index(target.shape):
            place = offset_of(at, target.shape, target.strides, target.offset)
            word = offset_of(at, source.shape, source.strides, source.offset)
            self.buffer[place] = source.buffer[word]

    @mistake(target=SET)
    def turned_round_where_it_moves_on(self, index, value):
        """From behind, as `memmove` does: right for rows, and not for a transpose."""
        target = self[index]
        if not isinstance(value, NDArray):
            value = NDArray([value], ())
        source = value.broadcast_to(target.shape)
        order = list(every_index(target.shape))
        for at in order[::-1] if source.offset < target.offset else order:
            place = offset_of(at, target.shape, target.strides, target.offset)
            word = offset_of(at, source.shape, source.strides, source.offset)
            self.buffer[place] = source.buffer[word]

    @mistake(target=SET)
    def as_many_values_will_do(self, index, value):
        target = self[index]
        if not isinstance(value, NDArray):
            value = NDArray([value], ())
        if math.prod(value.shape) == math.prod(target.shape):
            value = value.reshape(target.shape)
        source = value.broadcast_to(target.shape)
        read = [
            source.buffer[offset_of(at, source.shape, source.strides, source.offset)]
            for at in every_index(source.shape)
        ]
        for at, number in zip(every_index(target.shape), read, strict=True):
            self.buffer[offset_of(at, target.shape, target.strides, target.offset)] = number

    @before("source = value.broadcast_to", target=SET)
    def nothing_takes_anything(target):
        if 0 in target.shape:
            return

    @mistake(target=SET)
    def one_value_is_the_first_word(self, index, value):
        target = self[index]
        if isinstance(value, NDArray) and math.prod(value.shape) == 1:
            value = value.buffer[0]
        if not isinstance(value, NDArray):
            value = NDArray([value], ())
        source = value.broadcast_to(target.shape)
        read = [
            source.buffer[offset_of(at, source.shape, source.strides, source.offset)]
            for at in every_index(source.shape)
        ]
        for at, number in zip(every_index(target.shape), read, strict=True):
            self.buffer[offset_of(at, target.shape, target.strides, target.offset)] = number


class RIGHT:
    @right(TRANSPOSE)
    def the_same_array_where_nothing_moves(self, axes):
        count = len(self.shape)
        order = tuple(range(count))[::-1] if axes is None else tuple(axes)
        if any(not -count <= axis < count for axis in order):
            raise ValueError("no such axis")
        order = tuple(axis % count for axis in order)
        if len(order) != count or len(set(order)) != count:
            raise ValueError("each axis once")
        return NDArray(
            self.buffer,
            tuple(map(self.shape.__getitem__, order)),
            tuple(map(self.strides.__getitem__, order)),
            self.offset,
        )

    @right(TRANSPOSE)
    def with_a_copied_array(self, axes=None):
        import copy

        view = copy.copy(self)
        count = len(view.shape)
        axes = [*range(count - 1, -1, -1)] if axes is None else [*axes]
        for place, axis in enumerate(axes):
            if axis < 0:
                axes[place] = count + axis
        if set(axes) ^ set(range(count)) or len(axes) > count:
            raise ValueError("each axis once")
        view.shape = tuple(self.shape[axis] for axis in axes)
        view.strides = tuple(self.strides[axis] for axis in axes)
        return view

    @right(BROADCAST)
    def axis_after_axis_from_behind(self, shape):
        strides = []
        for k in range(1, max(len(shape), len(self.shape)) + 1):
            if k > len(shape):
                raise ValueError("too few axes")
            mine = self.shape[-k] if k <= len(self.shape) else 1
            if mine not in (1, shape[-k]):
                raise ValueError("does not fit")
            strides = [self.strides[-k] if mine != 1 else 0, *strides]
        return NDArray(self.buffer, tuple(shape), tuple(strides), offset=self.offset)

    @right(BROADCAST)
    def an_axis_of_one_that_stays_keeps_its_stride(self, shape):
        shape = tuple(shape)
        extra = len(shape) - len(self.shape)
        if extra < 0:
            raise ValueError("axes would get lost")
        old = [None] * extra + [*zip(self.shape, self.strides)]
        strides = []
        for pair, size in zip(old, shape):
            if pair is None or pair[0] == 1 != size:
                strides.append(0)
            elif pair[0] == size:
                strides.append(pair[1])
            else:
                raise ValueError(f"{pair[0]} is not {size}")
        return NDArray(self.buffer, shape, strides, self.offset)

    @right(GET)
    def by_ranges(self, index):
        if not isinstance(index, tuple):
            return self[(index,)]
        if len(index) > len(self.shape):
            raise IndexError("too many")
        offset, kept = self.offset, []
        for axis, size in enumerate(self.shape):
            places = range(size)
            if axis < len(index):
                try:
                    places = places[index[axis]]
                except IndexError:
                    raise IndexError(f"{index[axis]} is beyond {size}") from None
            if isinstance(places, int):
                offset += places * self.strides[axis]
            else:
                if places:
                    offset += places[0] * self.strides[axis]
                kept.append((len(places), places.step * self.strides[axis]))
        return NDArray(self.buffer, [n for n, _ in kept], [s for _, s in kept], offset)

    @right(GET)
    def one_axis_at_a_time(self, index):
        parts = list(index) if isinstance(index, tuple) else [index]
        if len(parts) > len(self.shape):
            raise IndexError("too many")
        shape, strides, offset = list(self.shape), list(self.strides), self.offset
        axis = 0
        for part in parts:
            size, stride = shape[axis], strides[axis]
            if isinstance(part, slice):
                begin, end, step = part.indices(size)
                count = 0
                at = begin
                while (at < end) if step > 0 else (at > end):
                    count, at = count + 1, at + step
                if count:
                    offset += begin * stride
                shape[axis], strides[axis] = count, stride * step
                axis += 1
            else:
                if part < -size or part >= size:
                    raise IndexError("beyond")
                offset += (part + size if part < 0 else part) * stride
                del shape[axis], strides[axis]
        return NDArray(self.buffer, shape, strides, offset)

    @right(SET)
    def all_places_first(self, index, value):
        target = self[index]
        places = [
            offset_of(at, target.shape, target.strides, target.offset)
            for at in every_index(target.shape)
        ]
        if isinstance(value, NDArray):
            values = value.broadcast_to(target.shape).compact()
            begin = values.offset
            read = values.buffer[begin : begin + len(places)]
        else:
            read = [float(value)] * len(places)
        for place, number in zip(places, read):
            self.buffer[place] = number

    @right(SET)
    def through_a_copied_buffer(self, index, value):
        target = self[index]
        if isinstance(value, NDArray):
            old = NDArray(array("d", value.buffer), value.shape, value.strides, value.offset)
        else:
            old = NDArray.full((), value)
        old = old.broadcast_to(target.shape)
        for at in every_index(target.shape):
            word = offset_of(at, target.shape, target.strides, target.offset)
            target.buffer[word] = old.buffer[offset_of(at, old.shape, old.strides, old.offset)]
