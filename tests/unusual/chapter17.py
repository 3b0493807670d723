"""Arrays of your own, by ranges, dicts and generators."""

from grader.course import right, variant


@variant("unusual words")
class UNUSUAL:
    @right("ndarray.row_major_strides")
    def row_major_strides(shape):
        from itertools import accumulate
        from operator import mul

        return tuple([*accumulate(shape[:0:-1], mul, initial=1)][::-1]) if shape else ()

    @right("ndarray.offset_of")
    def offset_of(index, shape, strides, offset):
        if len({len(index), len(shape)}) > 1:
            raise IndexError("no such place")
        steps = [range(size)[i] for i, size in zip(index, shape, strict=True)]
        return offset + sum(i * stride for i, stride in zip(steps, strides, strict=True))

    @right("ndarray.is_compact")
    def is_compact(shape, strides):
        count = math.prod(shape)
        places = [0]
        for size, stride in zip(shape, strides, strict=True):
            places = [place + i * stride for place in places for i in range(size)]
        return places == [*range(count)]

    @right("ndarray.view_strides")
    def view_strides(shape, strides, new):
        # By trying: the places of all values say which stride each new axis must have.
        places = [0]
        for size, stride in zip(shape, strides, strict=True):
            places = [place + i * stride for place in places for i in range(size)]
        found, step = [], len(places)
        for size in new:
            step = step // size if size else 0
            found.append(places[step] - places[0] if size > 1 and step < len(places) else 7)
        again = [0]
        for size, stride in zip(new, found, strict=True):
            again = [place + i * stride for place in again for i in range(size)]
        return tuple(found) if again == places else None

    @right("ndarray.NDArray.transpose")
    def transpose(self, axes):
        import operator

        names = [*range(len(self.shape))]
        try:
            chosen = names[::-1] if axes is None else [names[axis] for axis in axes]
        except IndexError:
            raise ValueError("there is no such axis") from None
        if {*chosen} != {*names} or len(chosen) != len(names):
            raise ValueError("each axis once")
        pairs = [(self.shape[axis], self.strides[axis]) for axis in chosen]
        shape, strides = (map(operator.itemgetter(i), pairs) for i in (0, 1))
        return NDArray(self.buffer, tuple(shape), tuple(strides), offset=self.offset)

    @right("ndarray.NDArray.broadcast_to")
    def broadcast_to(self, shape):
        from itertools import zip_longest

        mine = zip(self.shape[::-1], self.strides[::-1], strict=True)
        strides = []
        for wanted, pair in zip_longest(shape[::-1], mine):
            match (wanted, pair):
                case (None, _):
                    raise ValueError("an axis would be lost")
                case (_, None) | (_, (1, _)):
                    strides = [0, *strides]
                case (size, (same, stride)) if size == same:
                    strides = [stride, *strides]
                case _:
                    raise ValueError("only 1 can be stretched")
        return NDArray(self.buffer, shape, strides, self.offset)

    @right("ndarray.NDArray.__getitem__")
    def getitem(self, index):
        whole = slice(None)
        parts = index if type(index) is tuple else (index,)
        spare = len(self.shape) - len(parts)
        if spare < 0:
            raise IndexError(index)
        axes, offset = [], self.offset
        for size, stride, part in zip(self.shape, self.strides, (*parts, *[whole] * spare)):
            chosen = range(0, size * stride, stride)[part] if stride else None
            if chosen is None:  # all of them are the same word
                chosen = range(size)[part]
                if isinstance(chosen, range):
                    axes.append((len(chosen), 0))
            elif isinstance(chosen, range):
                axes.append((len(chosen), chosen.step))
                offset += chosen.start if len(chosen) else 0
            else:
                offset += chosen
        return NDArray(self.buffer, [n for n, _ in axes], [s for _, s in axes], offset)

    @right("ndarray.NDArray.__setitem__")
    def setitem(self, index, value):
        target = self[index]
        size = math.prod(target.shape)
        if isinstance(value, NDArray):
            source = iter(value.broadcast_to(target.shape).numpy().flat)
        else:
            source = iter([value] * size)
        changes = {
            offset_of(at, target.shape, target.strides, target.offset): float(number)
            for at, number in zip(every_index(target.shape), [*source], strict=True)
        }
        for place, number in changes.items():
            self.buffer[place] = number

    @right("ndarray.NDArray.compact")
    def compact(self):
        if self.strides == row_major_strides(self.shape) or is_compact(self.shape, self.strides):
            return self
        new = NDArray.full(self.shape, 0)
        for word, at in enumerate(every_index(self.shape)):
            new.buffer[word] = self.buffer[offset_of(at, self.shape, self.strides, self.offset)]
        return new

    @right("ndarray.NDArray.reshape")
    def reshape(self, shape):
        sizes, values = tuple(shape), math.prod(self.shape)
        if sizes.count(-1) > 1:
            raise ValueError("one size may be left open")
        others = math.prod(size for size in sizes if size != -1)
        rest = next((n for n in range(values + 1) if n * others == values), None)
        sizes = tuple(rest if size == -1 else size for size in sizes)
        if None in sizes or math.prod(sizes) != values:
            raise ValueError("too much or too little")
        match view_strides(self.shape, self.strides, sizes):
            case None:
                flat = self.compact()
                return NDArray(list(flat.buffer), sizes)
            case strides:
                return NDArray(self.buffer, sizes, strides, self.offset)

    @right("ndarray.NDArray.windows")
    def windows(self, size, step):
        (h, w), ndim = size, len(self.shape)
        if ndim < 2 or h < 1 or w < 1 or step < 1:
            raise ValueError("no windows")
        if h > self.shape[-2] or w > self.shape[-1]:
            raise ValueError("too large")
        whole = (slice(None),) * (ndim - 2)
        corners = self[(*whole, slice(0, self.shape[-2] - h + 1, step),
                        slice(0, self.shape[-1] - w + 1, step))]  # fmt: skip
        return NDArray(
            self.buffer, corners.shape + (h, w), corners.strides + self.strides[-2:], self.offset
        )

    @right("ndarray.elementwise")
    def elementwise(f, *arrays):
        from itertools import zip_longest

        columns = zip_longest(*[a.shape[::-1] for a in arrays], fillvalue=1)
        shape = tuple(min({*sizes} - {1}, default=1) for sizes in columns)[::-1]
        views = [a.broadcast_to(shape) for a in arrays]
        return NDArray(
            [f(*[v.buffer[offset_of(at, shape, v.strides, v.offset)] for v in views])
             for at in every_index(shape)],
            shape,
        )  # fmt: skip

    @right("ndarray.reduce")
    def reduce(f, a, start, axes, keepdims):
        from functools import reduce as fold

        ndim = len(a.shape)
        axes = range(ndim) if axes is None else [axes] if isinstance(axes, int) else [*axes]
        named = [axis + ndim * (axis < 0) for axis in axes]
        if not {*named} <= {*range(ndim)} or len({*named}) != len(named):
            raise ValueError("not these axes")
        kept = [axis for axis in range(ndim) if axis not in named]
        lines = a.transpose([*kept, *sorted(named)])
        results = [
            fold(f, lines[at].numpy().ravel().tolist(), start)
            for at in every_index([a.shape[axis] for axis in kept])
        ]
        wide = [1 if axis in named else size for axis, size in enumerate(a.shape)]
        return NDArray(results, wide if keepdims else [a.shape[axis] for axis in kept])
