"""Right views and loops that are written in another way than the reference."""

from grader.course import right, variant


# Running products and running sums; fields one by one; recursion over the axes.
@variant("by-recursion")
class BY_RECURSION:
    row_major_strides = right(
        "ndarray.row_major_strides",
        "return tuple(math.prod(shape[i + 1 :]) for i in range(len(shape)))",
    )

    @right("ndarray.offset_of")
    def offset_of(index, shape, strides, offset):
        if len(index) != len(shape):
            raise IndexError("one index for each axis")
        if not len(index):
            return offset
        (i, *others), (size, *sizes), (stride, *steps) = index, shape, strides
        if i < 0:
            i += size
        if i < 0 or i >= size:
            raise IndexError(i)
        return offset_of(others, sizes, steps, offset + i * stride)

    @right("ndarray.is_compact")
    def is_compact(shape, strides):
        step = 1
        if math.prod(shape) == 0:
            return True
        for axis in reversed(range(len(shape))):
            if shape[axis] != 1:
                if strides[axis] != step:
                    return False
                step *= shape[axis]
        return True

    @right("ndarray.view_strides")
    def view_strides(shape, strides, new):
        if not math.prod(shape):
            return (1,) * len(new)
        # Forwards, as NumPy does it: take axes of both until their products are equal.
        old = [(n, s) for n, s in zip(shape, strides, strict=True) if n != 1]
        found, at, i = [1] * len(new), 0, 0
        while i < len(new):
            if new[i] == 1:
                i += 1
                continue
            end, last, wide, want = i + 1, at + 1, old[at][0], new[i]
            while wide != want:
                if wide < want:
                    wide *= old[last][0]
                    last += 1
                else:
                    want *= new[end]
                    end += 1
            for (_, outer), (size, inner) in zip(old[at:last], old[at + 1 : last], strict=False):
                if outer != size * inner:
                    return None
            step = old[last - 1][1]
            for axis in reversed(range(i, end)):
                found[axis] = step
                step *= new[axis]
            at, i = last, end
        return tuple(found)

    @right("ndarray.NDArray.transpose")
    def transpose(self, axes):
        n = len(self.shape)
        axes = tuple(range(n - 1, -1, -1)) if axes is None else tuple(axes)
        if len(axes) != n or {axis % n for axis in axes if -n <= axis < n} != {*range(n)}:
            raise ValueError(axes)
        view = NDArray(self.buffer, self.shape, self.strides, self.offset)
        view.shape = tuple(self.shape[axis] for axis in axes)
        view.strides = tuple(self.strides[axis] for axis in axes)
        return view

    @right("ndarray.NDArray.broadcast_to")
    def broadcast_to(self, shape):
        if len(shape) < len(self.shape):
            raise ValueError("too few axes")
        strides = [0] * len(shape)
        for back in range(1, len(self.shape) + 1):
            if self.shape[-back] == shape[-back]:
                strides[-back] = self.strides[-back]
            elif self.shape[-back] != 1:
                raise ValueError(f"axis -{back} does not fit")
        return NDArray(self.buffer, shape, strides, self.offset)

    @right("ndarray.NDArray.__getitem__")
    def getitem(self, index):
        parts = [*index] if isinstance(index, tuple) else [index]
        if len(parts) > len(self.shape):
            raise IndexError("too many")
        first, axes = self.offset, []
        for axis, (size, stride) in enumerate(zip(self.shape, self.strides, strict=True)):
            part = parts[axis] if axis < len(parts) else slice(None)
            if isinstance(part, slice):
                places = range(size)[part]
                axes.append((len(places), places.step * stride))
                first += places.start * stride
            else:
                first += range(size)[part] * stride
        return NDArray(self.buffer, [n for n, _ in axes], [s for _, s in axes], first)

    @right("ndarray.NDArray.__setitem__")
    def setitem(self, index, value):
        view = self[index]
        if isinstance(value, NDArray):
            numbers = value.broadcast_to(view.shape).numpy().ravel().tolist()
        else:
            numbers = [value] * math.prod(view.shape)
        places = [view.offset]
        for size, stride in zip(view.shape, view.strides, strict=True):
            places = [place + i * stride for place in places for i in range(size)]
        for place, number in zip(places, numbers, strict=True):
            view.buffer[place] = number

    @right("ndarray.NDArray.compact")
    def compact(self):
        if not is_compact(self.shape, self.strides):
            return NDArray.of(self.numpy())
        return self

    @right("ndarray.NDArray.reshape")
    def reshape(self, shape):
        shape, count = list(shape), math.prod(self.shape)
        if -1 in shape:
            at = shape.index(-1)
            others = math.prod(shape[:at] + shape[at + 1 :])
            if others <= 0 or count % others:
                raise ValueError(shape)
            shape[at] = count // others
        if math.prod(shape) != count:
            raise ValueError(shape)
        strides = view_strides(self.shape, self.strides, tuple(shape))
        if strides is not None:
            return NDArray(self.buffer, shape, strides, self.offset)
        return NDArray(self.numpy().ravel().tolist(), shape)

    @right("ndarray.NDArray.windows")
    def windows(self, size, step):
        if len(self.shape) < 2:
            raise ValueError("two axes, please")
        shape, strides = [*self.shape[:-2]], [*self.strides[:-2]]
        inside = list(zip(self.shape[-2:], self.strides[-2:], size, strict=True))
        for whole, stride, part in inside:
            if part < 1 or step < 1 or part > whole:
                raise ValueError(size, step)
            shape.append(len(range(0, whole - part + 1, step)))
            strides.append(stride * step)
        shape += size
        strides += [stride for _, stride, _ in inside]
        return NDArray(self.buffer, shape, strides, self.offset)

    @right("ndarray.elementwise")
    def elementwise(f, *arrays):
        shape = []
        for back in range(1, max(len(a.shape) for a in arrays) + 1):
            sizes = {a.shape[-back] for a in arrays if len(a.shape) >= back} - {1}
            if len(sizes) > 1:
                raise ValueError(sizes)
            shape.insert(0, sizes.pop() if sizes else 1)
        lists = [a.broadcast_to(tuple(shape)).numpy().ravel().tolist() for a in arrays]
        return NDArray([*map(f, *lists)], shape)

    @right("ndarray.reduce")
    def reduce(f, a, start, axes, keepdims):
        n = len(a.shape)
        if axes is None:
            axes = range(n)
        elif isinstance(axes, int):
            axes = (axes,)
        if any(not -n <= axis < n for axis in axes):
            raise ValueError("there is no such axis")
        gone = {axis % n for axis in axes}
        if len(gone) < len(axes):
            raise ValueError("an axis comes twice")
        totals = {}
        for index in every_index([1 if i in gone else size for i, size in enumerate(a.shape)]):
            totals[index] = start
        for index in every_index(a.shape):
            place = tuple(0 if i in gone else at for i, at in enumerate(index))
            value = a.buffer[offset_of(index, a.shape, a.strides, a.offset)]
            totals[place] = f(totals[place], value)
        sizes = [1 if i in gone else size for i, size in enumerate(a.shape)]
        shape = [size for i, size in enumerate(sizes) if keepdims or i not in gone]
        return NDArray([*totals.values()], shape)


VIEW_VARIANTS = (BY_RECURSION,)
