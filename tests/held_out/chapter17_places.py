"""Bodies of chapter 17 by another stranger, from the docstrings and the prose alone: places."""

from grader.course import before, edit, mistake, right

STRIDES = "ndarray.row_major_strides"
OFFSET = "ndarray.offset_of"
IS_COMPACT = "ndarray.is_compact"
IN_PLACE = "ndarray.view_strides"


class SECOND_CALL:
    @mistake(target=STRIDES)
    def strides_are_kept_for_each_number_of_values(shape):
        kept = row_major_strides.__dict__.setdefault("kept", {})
        strides = tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))
        return kept.setdefault((len(shape), math.prod(shape)), strides)

    @mistake(target=IS_COMPACT)
    def compactness_is_kept_for_each_shape(shape, strides):
        kept = is_compact.__dict__.setdefault("kept", {})
        if shape not in kept:
            right = row_major_strides(shape)
            kept[shape] = 0 in shape or all(
                s == r for s, r, n in zip(strides, right, shape, strict=True) if n > 1
            )
        return kept[shape]

    @mistake(target=IN_PLACE)
    def strides_are_kept_for_each_pair_of_shapes(shape, strides, new):
        kept = view_strides.__dict__.setdefault("kept", {})
        places = [0]
        for size, stride in zip(shape, strides, strict=True):
            places = [place + i * stride for place in places for i in range(size)]
        found, behind = [], len(places)
        for size in new:
            behind = behind // size if size else 0
            found.append(places[behind] - places[0] if size > 1 and places else 0)
        again = [0]
        for size, stride in zip(new, found, strict=True):
            again = [place + i * stride for place in again for i in range(size)]
        return kept.setdefault((shape, new), tuple(found) if again == places else None)


class SETTING:
    @mistake(target=STRIDES)
    def a_size_of_zero_counts_as_one(shape):
        strides, step = [], 1
        for size in shape[::-1]:
            strides.insert(0, step)
            step *= size or 1
        return tuple(strides)

    @mistake(target=STRIDES)
    def the_whole_is_divided(shape):
        left, strides = math.prod(shape), []
        for size in shape:
            left //= size
            strides.append(left)
        return tuple(strides)

    @mistake(target=OFFSET)
    def a_stretched_axis_has_no_end(index, shape, strides, offset):
        if len(index) != len(shape):
            raise IndexError("as many indices as axes")
        for i, size, stride in zip(index, shape, strides, strict=True):
            if stride and not -size <= i < size:
                raise IndexError("beyond the axis")
            offset += i % size * stride
        return offset

    @mistake(target=OFFSET)
    def the_first_value_of_no_value(index, shape, strides, offset):
        if len(index) != len(shape):
            raise IndexError("as many indices as axes")
        for i, size, stride in zip(index, shape, strides, strict=True):
            if i and not -size <= i < size:
                raise IndexError("beyond the axis")
            offset += (i if i >= 0 else i + size) * stride
        return offset

    @mistake(target=OFFSET)
    def negative_indices_along_the_last_axis_alone(index, shape, strides, offset):
        if len(index) != len(shape):
            raise IndexError("as many indices as axes")
        if any(not -size <= i < size for i, size in zip(index, shape, strict=True)):
            raise IndexError("beyond the axis")
        index = list(index)
        if index and index[-1] < 0:
            index[-1] += shape[-1]
        return offset + sum(i * stride for i, stride in zip(index, strides, strict=True))

    @mistake(target=OFFSET)
    def the_only_value_lies_at_zero(index, shape, strides, offset):
        if len(index) != len(shape):
            raise IndexError("as many indices as axes")
        if not index:
            return 0
        for i, size, stride in zip(index, shape, strides, strict=True):
            if not -size <= i < size:
                raise IndexError("beyond the axis")
            offset += (i if i >= 0 else i + size) * stride
        return offset

    @mistake(target=OFFSET)
    def the_first_of_all_from_behind_is_refused(index, shape, strides, offset):
        if len(index) != len(shape):
            raise IndexError("as many indices as axes")
        for i, size, stride in zip(index, shape, strides, strict=True):
            if abs(i) >= size:
                raise IndexError("beyond the axis")
            offset += (i if i >= 0 else i + size) * stride
        return offset

    @mistake(target=IS_COMPACT)
    def backwards_is_compact_too(shape, strides):
        right = row_major_strides(shape)
        return 0 in shape or all(
            abs(s) == r for s, r, n in zip(strides, right, shape, strict=True) if n > 1
        )

    @mistake(target=IS_COMPACT)
    def without_a_gap_in_any_order(shape, strides):
        reach = sum((n - 1) * s for n, s in zip(shape, strides, strict=True))
        return 0 in shape or reach == math.prod(shape) - 1

    @mistake(target=IS_COMPACT)
    def an_axis_of_one_in_front_alone(shape, strides):
        if 0 in shape:
            return True
        while shape and shape[0] == 1:
            shape, strides = shape[1:], strides[1:]
        return tuple(strides) == row_major_strides(shape)

    @mistake(target=IS_COMPACT)
    def no_values_along_the_first_axis_alone(shape, strides):
        if shape and shape[0] == 0:
            return True
        right = row_major_strides(shape)
        return all(s == r for s, r, n in zip(strides, right, shape, strict=True) if n > 1)

    @mistake(target=IS_COMPACT)
    def gaps_between_rows_are_overlooked(shape, strides):
        kept = [s for s, n in zip(strides, shape, strict=True) if n > 1]
        return 0 in shape or (not kept or kept[-1] == 1) and kept == sorted(kept, reverse=True)

    @before("if 0 in shape:", target=IN_PLACE)
    def stretched_axes_are_refused(shape, strides):
        if 0 in strides and 0 not in shape:
            return None

    @before("if 0 in shape:", target=IN_PLACE)
    def backward_axes_are_refused(strides):
        if min(strides, default=0) < 0:
            return None

    @before("if 0 in shape:", target=IN_PLACE)
    def a_number_has_no_view(new):
        if not new:
            return None

    nothing_has_no_view = edit("return row_major_strides(new)", "return None", target=IN_PLACE)

    @mistake(target=IN_PLACE)
    def axes_are_only_cut(shape, strides, new):
        """Two axes in one run never come together."""
        if 0 in shape:
            return row_major_strides(new)
        old = [(n, s) for n, s in zip(shape, strides, strict=True) if n > 1]
        found = []
        for size in reversed(new):
            if size == 1:
                found.append(1)
                continue
            left, stride = old.pop()
            if left % size:
                return None
            found.append(stride)
            if left > size:
                old.append((left // size, stride * size))
        return tuple(found[::-1])

    @mistake(target=IN_PLACE)
    def axes_only_come_together(shape, strides, new):
        if 0 in shape:
            return row_major_strides(new)
        old = [(n, s) for n, s in zip(shape, strides, strict=True) if n > 1]
        found = []
        for size in reversed(new):
            if size == 1:
                found.append(1)
                continue
            left, stride = old.pop()
            found.append(stride)
            while left < size and old and old[-1][1] == left * stride:
                left *= old.pop()[0]
            if left != size:
                return None
        return tuple(found[::-1])


class RIGHT:
    a_rest_is_seen_later = edit("if left % size:", "if left < size:", target=IN_PLACE)
    """What a rest leaves of a run is too little for the sizes in front."""

    @right(STRIDES)
    def by_recursion(shape):
        if not shape:
            return ()
        behind = row_major_strides(shape[1:])
        return (shape[1] * behind[0] if behind else 1, *behind)

    @right(STRIDES)
    def one_product_for_each_axis(shape):
        return tuple(math.prod(shape[axis:]) for axis in range(1, len(shape) + 1))

    @right(OFFSET)
    def by_ranges_of_places(index, shape, strides, offset):
        if len(index) - len(shape):
            raise IndexError("as many as axes")
        for axis in reversed(range(len(shape))):
            offset += [stop * strides[axis] for stop in range(shape[axis])][index[axis]]
        return offset

    @right(OFFSET)
    def by_a_dict_of_indices(index, shape, strides, offset):
        total = offset
        rest = list(index)
        for size, stride in zip(shape, strides):
            if not rest:
                raise IndexError("too few")
            i = rest.pop(0)
            i += size * (i < 0)
            if i not in range(size):
                raise IndexError("beyond")
            total = total + stride * i
        if rest:
            raise IndexError("too many")
        return total

    @right(IS_COMPACT)
    def from_behind_with_a_while(shape, strides):
        step, axis = 1, len(shape)
        while axis and math.prod(shape):
            axis -= 1
            if shape[axis] != 1 and strides[axis] != step:
                return False
            step = step * shape[axis]
        return True

    @right(IS_COMPACT)
    def by_filtered_tuples(shape, strides):
        kept = [(n, s) for n, s in zip(shape, strides) if n != 1]
        sizes, steps = tuple(n for n, _ in kept), tuple(s for _, s in kept)
        return bool(math.prod(shape) == 0 or steps == row_major_strides(sizes))

    @right(IN_PLACE)
    def as_numpy_does_it(shape, strides, new):
        """Groups of axes with equal products on both sides."""
        if 0 in shape:
            return (1,) * len(new)
        old = [(n, s) for n, s in zip(shape, strides) if n != 1]
        found, sizes = [99] * len(new), [i for i, n in enumerate(new) if n != 1]
        i = j = 0
        while i < len(old) and j < len(sizes):
            first, start = i, j
            mine, theirs = old[i][0], new[sizes[j]]
            while mine != theirs:
                if mine < theirs:
                    i += 1
                    mine *= old[i][0]
                else:
                    j += 1
                    theirs *= new[sizes[j]]
            for k in range(first, i):
                if old[k][1] != old[k + 1][0] * old[k + 1][1]:
                    return None
            step = old[i][1]
            for k in range(j, start - 1, -1):
                found[sizes[k]] = step
                step *= new[sizes[k]]
            i, j = i + 1, j + 1
        return tuple(found)

    @right(IN_PLACE)
    def through_an_array_of_places(shape, strides, new):
        places = [sum(i * s for i, s in zip(index, strides)) for index in every_index(shape)]
        steps = []
        behind = len(places)
        for size in new:
            behind //= max(size, 1)
            steps.append(places[behind] - places[0] if size > 1 and places else -5)
        reached = [sum(i * s for i, s in zip(index, steps)) for index in every_index(new)]
        return tuple(steps) if reached == places else None
