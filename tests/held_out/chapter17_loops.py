"""Bodies of chapter 17 by another stranger, from the docstrings and the prose alone: loops."""

from grader.course import before, edit, mistake, right

ELEMENTWISE = "ndarray.elementwise"
REDUCE = "ndarray.reduce"


class SECOND_CALL:
    @mistake(target=ELEMENTWISE)
    def f_is_asked_once_for_equal_values(f, *arrays):
        """«called once for each value of the result»"""
        wide = max(len(a.shape) for a in arrays)
        shapes = [(1,) * (wide - len(a.shape)) + a.shape for a in arrays]
        shape = tuple(next((s for s in sizes if s != 1), 1) for sizes in zip(*shapes, strict=True))
        views, answers = [a.broadcast_to(shape) for a in arrays], {}
        out = NDArray.full(shape, 0.0)
        for place, index in enumerate(every_index(shape)):
            given = tuple(v.buffer[offset_of(index, shape, v.strides, v.offset)] for v in views)
            if given not in answers:
                answers[given] = f(*given)
            out.buffer[place] = answers[given]
        return out


class VARIETY:
    @mistake(target=ELEMENTWISE)
    def f_is_tried_before(f, *arrays):
        """To learn what it gives; «called once for each value of the result»."""
        wide = max(len(a.shape) for a in arrays)
        shapes = [(1,) * (wide - len(a.shape)) + a.shape for a in arrays]
        shape = tuple(next((s for s in sizes if s != 1), 1) for sizes in zip(*shapes, strict=True))
        views = [a.broadcast_to(shape) for a in arrays]
        out = NDArray.full(shape, f(*[v.buffer[v.offset] for v in views]) * 0.0)
        for place, index in enumerate(every_index(shape)):
            given = [v.buffer[offset_of(index, shape, v.strides, v.offset)] for v in views]
            out.buffer[place] = f(*given)
        return out

    @mistake(target=ELEMENTWISE)
    def the_largest_size_wins(f, *arrays):
        """0 is smaller than 1, and yet 1 stretches to it."""
        wide = max(len(a.shape) for a in arrays)
        shapes = [(1,) * (wide - len(a.shape)) + a.shape for a in arrays]
        shape = tuple(max(sizes) for sizes in zip(*shapes, strict=True))
        views = [a.broadcast_to(shape) for a in arrays]
        out = NDArray.full(shape, 0.0)
        for place, index in enumerate(every_index(shape)):
            given = [v.buffer[offset_of(index, shape, v.strides, v.offset)] for v in views]
            out.buffer[place] = f(*given)
        return out

    two_arrays_make_the_shape = edit("for a in arrays:", "for a in arrays[:2]:", target=ELEMENTWISE)
    the_last_array_makes_the_shape = edit(
        ("tuple(mine if size == 1 else size for", "tuple(size if mine == 1 else mine for"),
        ("for a in arrays:", "for a in arrays[-2:]:"),
        target=ELEMENTWISE,
    )
    whole_numbers_where_they_are_whole = edit(
        "out.buffer[place] = f(*values)",
        "out.buffer[place] = f(*[int(x) if x == x // 1 else x for x in values])",
        target=ELEMENTWISE,
    )
    """«with one float of each array»"""

    axis_zero_is_no_axis = edit("if axes is None", "if not axes", target=REDUCE)
    named_twice_is_seen_before_it_is_resolved = edit(
        "len(set(gone)) != len(gone)", "len(set(given)) != len(given)", target=REDUCE
    )
    all_axes_never_stay = edit("if keepdims:", "if keepdims and axes is not None:", target=REDUCE)

    @before("if keepdims:", target=REDUCE)
    def nothing_is_zero(a, out):
        if 0 in a.shape:
            out = NDArray.full(out.shape, 0.0)

    from_behind = edit(
        "for index in every_index(a.shape):",
        "for index in list(every_index(a.shape))[::-1]:",
        target=REDUCE,
    )

    @mistake(target=REDUCE)
    def one_axis_after_the_other(f, a, start, axes, keepdims):
        """Each begins with `start` again: 5 is added for every axis and row."""
        count = len(a.shape)
        given = range(count) if axes is None else [axes] if isinstance(axes, int) else axes
        gone = [axis + count if axis < 0 else axis for axis in given]
        if len(set(gone)) != len(gone) or not set(gone) <= set(range(count)):
            raise ValueError("different axes, please")
        for axis in sorted(gone, reverse=True):
            shape = [1 if i == axis else size for i, size in enumerate(a.shape)]
            out = NDArray.full(shape, start)
            stretched = out.broadcast_to(a.shape)
            for index in every_index(a.shape):
                place = offset_of(index, a.shape, stretched.strides)
                value = a.buffer[offset_of(index, a.shape, a.strides, a.offset)]
                out.buffer[place] = f(out.buffer[place], value)
            a = out
        if keepdims:
            return a
        return NDArray(a.buffer, [n for i, n in enumerate(a.shape) if i not in gone])

    @mistake(target=REDUCE)
    def axes_go_in_the_order_that_is_given(f, a, start, axes, keepdims):
        count = len(a.shape)
        given = range(count) if axes is None else [axes] if isinstance(axes, int) else axes
        gone = [axis + count if axis < 0 else axis for axis in given]
        if len(set(gone)) != len(gone) or not set(gone) <= set(range(count)):
            raise ValueError("different axes, please")
        out = NDArray.full([1 if i in gone else size for i, size in enumerate(a.shape)], start)
        stretched = out.broadcast_to(a.shape)
        for index in every_index(a.shape):
            place = offset_of(index, a.shape, stretched.strides)
            value = a.buffer[offset_of(index, a.shape, a.strides, a.offset)]
            out.buffer[place] = f(out.buffer[place], value)
        if keepdims:
            return out
        shape = list(out.shape)
        for taken, axis in enumerate(gone):
            del shape[max(0, axis - taken)]
        return NDArray(out.buffer, shape)

    @mistake(target=REDUCE)
    def only_a_tuple_is_several(f, a, start, axes, keepdims):
        count = len(a.shape)
        given = axes if isinstance(axes, tuple) else range(count) if axes is None else (axes,)
        gone = [axis + count if axis < 0 else axis for axis in given]
        if len(set(gone)) != len(gone) or not set(gone) <= set(range(count)):
            raise ValueError("different axes, please")
        out = NDArray.full([1 if i in gone else size for i, size in enumerate(a.shape)], start)
        stretched = out.broadcast_to(a.shape)
        for index in every_index(a.shape):
            place = offset_of(index, a.shape, stretched.strides)
            value = a.buffer[offset_of(index, a.shape, a.strides, a.offset)]
            out.buffer[place] = f(out.buffer[place], value)
        if keepdims:
            return out
        return NDArray(out.buffer, [size for i, size in enumerate(a.shape) if i not in gone])

    @before("out = NDArray.full(", target=REDUCE)
    def without_axes_it_is_itself(a, gone):
        if not gone:
            return NDArray(a.compact().buffer, a.shape)


class RIGHT:
    @right(ELEMENTWISE)
    def one_generator(f, *arrays):
        wide = max(len(a.shape) for a in arrays)
        columns = zip(*[[1] * (wide - len(a.shape)) + [*a.shape] for a in arrays])
        shape = []
        for sizes in columns:
            others = {size for size in sizes if size != 1} or {1}
            if len(others) > 1:
                raise ValueError("they don't fit")
            shape.extend(others)
        views = [a.broadcast_to(tuple(shape)) for a in arrays]
        places = [[v.offset] for v in views]
        for axis, size in enumerate(shape):
            places = [
                [place + i * v.strides[axis] for place in mine for i in range(size)]
                for v, mine in zip(views, places)
            ]
        rows = zip(*[[v.buffer[p] for p in mine] for v, mine in zip(views, places)])
        return NDArray([f(*row) for row in rows], shape)

    @right(ELEMENTWISE)
    def two_shapes_after_the_other(f, *arrays):
        def joined(one, other):
            if len(one) < len(other):
                one, other = other, one
            front = one[: len(one) - len(other)]
            back = []
            for x, y in zip(one[len(front) :], other):
                if x != y and 1 not in (x, y):
                    raise ValueError("they don't fit")
                back.append(y if x == 1 else x)
            return front + tuple(back)

        shape = ()
        for each in arrays:
            shape = joined(shape, each.shape)
        views = [each.broadcast_to(shape) for each in arrays]
        out = array("d")
        for index in every_index(shape):
            out.append(f(*[v.buffer[offset_of(index, shape, v.strides, v.offset)] for v in views]))
        return NDArray(out, shape)

    @right(REDUCE)
    def a_walk_for_each_value_of_the_result(f, a, start, axes, keepdims):
        count = len(a.shape)
        if axes is None:
            axes = tuple(range(count))
        elif isinstance(axes, int):
            axes = (axes,)
        if any(not -count <= axis < count for axis in axes):
            raise ValueError("no such axis")
        gone = sorted(axis % count for axis in axes)
        if len({*gone}) < len(gone):
            raise ValueError("twice")
        kept = [axis for axis in range(count) if axis not in gone]
        values = []
        for outer in every_index(tuple(a.shape[axis] for axis in kept)):
            so_far = start
            for inner in every_index(tuple(a.shape[axis] for axis in gone)):
                at = [0] * count
                for axis, i in [*zip(kept, outer), *zip(gone, inner)]:
                    at[axis] = i
                word = a.buffer[offset_of(at, a.shape, a.strides, a.offset)]
                so_far = f(so_far, word)
            values.append(so_far)
        if keepdims:
            return NDArray(values, [1 if i in gone else n for i, n in enumerate(a.shape)])
        return NDArray(values, [a.shape[axis] for axis in kept])

    @right(REDUCE)
    def by_a_dict_of_results(f, a, start, axes, keepdims):
        count = len(a.shape)
        named = range(count) if axes is None else (axes,) if isinstance(axes, int) else tuple(axes)
        try:
            gone = [range(count)[axis] for axis in named]
        except IndexError:
            raise ValueError("no such axis") from None
        if len(gone) != len(set(gone)):
            raise ValueError("twice")
        small = tuple(1 if i in gone else n for i, n in enumerate(a.shape))
        results = dict.fromkeys(every_index(small), start)
        for index in every_index(a.shape):
            key = tuple(0 if i in gone else at for i, at in enumerate(index))
            word = a.buffer[offset_of(index, a.shape, a.strides, a.offset)]
            results[key] = f(results[key], word)
        shape = small if keepdims else [n for i, n in enumerate(a.shape) if i not in gone]
        return NDArray(list(results.values()), shape)
