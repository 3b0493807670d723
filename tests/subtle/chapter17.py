"""Arrays of your own that are all but right: a corner of a stride, an index, a copy."""

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
VIEW = "return NDArray(self.buffer, shape, strides, self.offset)"

SUBTLE = {
    "three axes at most": (STRIDES, "tuple(reversed(strides))", "tuple(reversed(strides))[-3:]"),
    "a list of strides": (STRIDES, "tuple(reversed(strides))", "strides[::-1]"),
    "a size of 1 has a stride of 0": (STRIDES, "strides.append(step)",
                                      "strides.append(step if size != 1 else 0)"),
    "wraps once more at the start": (OFFSET, "not -size <= i < size", "not -2 * size <= i < size"),
    "the last axis is not looked at": (
        OFFSET, "if not -size <= i < size:", "if stride != 1 and not -size <= i < size:"),
    "more indices are cut off": (OFFSET, ("len(index) != len(shape)", "len(index) < len(shape)"),
                                 ("strict=True", "strict=False")),
    "a negative index of a negative stride": (
        OFFSET, "(i + size if i < 0 else i)", "(i + size if i < 0 < stride else i)"),
    "an empty axis has an index": (OFFSET, "if not -size <= i < size:",
                                   "if size and not -size <= i < size:"),
    "the first axis may have a gap": (COMPACT_TEST, "strides, right, shape, strict=True",
                                      "strides[1:], right[1:], shape[1:], strict=True"),
    "the last axis is 1 or nothing": (COMPACT_TEST, "if size > 1)",
                                      "if size > 1 or s == 0 == len(shape) - 1)"),
    "empty only if the first axis is": (COMPACT_TEST, "if 0 in shape:",
                                        "if shape and shape[0] == 0:"),
    "a stride of 0 in a thin axis is no row": (
        COMPACT_TEST, "if size > 1)", "if size > 1 or s == 0)"),
    "splits compact runs only": (IN_PLACE, "left, stride = runs[0]",
                                 "left, stride = runs[0]\n    if left != size and stride != 1:\n"
                                 "        return None"),
    "merges positive strides only": (IN_PLACE, "if runs and stride ==",
                                     "if runs and stride > 0 and stride =="),
    "no axis may be split in three": (
        IN_PLACE, "return tuple(reversed(found))",
        "return tuple(reversed(found)) if len(new) <= len(shape) + 1 else None"),
    "the same shape needs no look": (IN_PLACE, "if 0 in shape:",
                                     "if tuple(new) == tuple(shape)[::-1]:\n"
                                     "    return tuple(strides)[::-1]\nif 0 in shape:"),
    "axes of size 1 at the end are runs": (
        IN_PLACE, "if size == 1:\n        found.append(0)\n        continue",
        "if size == 1 and found:\n        found.append(0)\n        continue"),
    "a tuple of axes alone": (TRANSPOSE, "if axes is None:",
                              "if axes is None or isinstance(axes, list):"),
    "the last two change places": (
        TRANSPOSE, "axes = range(count)[::-1]",
        "axes = (*range(count - 2), count - 1, count - 2) if count > 1 else range(count)"),
    "an axis from the end, by one": (TRANSPOSE, "axis + count if axis < 0", "axis % 3 if axis < 0"),
    "the inverse of three": (
        TRANSPOSE, "shape, strides =", "order = [order.index(i) for i in sorted(order)] "
        "if sorted(order) == list(range(count)) else order\nshape, strides ="),
    "a transposed number is copied": (TRANSPOSE, VIEW, f"if not shape:\n    return self.compact() "
                                      f"and NDArray([self.buffer[self.offset]], ())\n{VIEW}"),
    "one new axis only": (BROADCAST, "[0] * new", "[0] * min(new, 1) + [1] * (new - 1)"),
    "a stretched axis of 0 is refused": (BROADCAST, "if not fits:", "if not fits or 0 in shape:"),
    "a number keeps a stride": (BROADCAST, "[0] * new", "[0 if self.shape else 1] * new"),
    "a row may be repeated": (BROADCAST, "mine in (1, size)",
                              "mine in (1, size) or (mine and size == 2 * mine)"),
    "two axes may be exchanged": (BROADCAST, "new >= 0 and all(",
                                  "new >= 0 and sorted(self.shape) == sorted(shape) or all("),
    "a stop beyond the end": (
        GET, "part.indices(size)",
        "slice(part.start, size - 1 if part.stop and part.stop > size else part.stop,\n"
        "              part.step).indices(size)"),
    "steps of two round down": (GET, "len(range(start, stop, step))",
                                "max(0, (stop - start) // step)"),
    "a backward slice stops at 0": (
        GET, "len(range(start, stop, step))",
        "len(range(start, max(stop, 0) if step < 0 else stop, step))"),
    "a negative int, once": (
        GET, "else:", "elif part < -1:\n        raise IndexError(part)\n    else:"),
    "an empty slice is refused": (GET, "shape.append(len(range(start, stop, step)))",
                                  "shape.append(max(1, len(range(start, stop, step))))"),
    "the whole array for nothing": (GET, "index = index if isinstance(index, tuple) else (index,)",
                                    "index = index if isinstance(index, tuple) else (index,)\n"
                                    "if not index:\n    return self.compact()"),
    "a number only where it is positive": (
        SET, "value = NDArray([value], ())", "value = NDArray([abs(value)], ())"),
    "its own memory is read late": (
        SET, "    self.buffer[offset_of(at, target.shape",
        "    if source.buffer is self.buffer:\n"
        "        place = offset_of(at, source.shape, source.strides, source.offset)\n"
        "        number = source.buffer[place]\n"
        "    self.buffer[offset_of(at, target.shape"),
    "written before it is refused": (
        SET, "source = value.broadcast_to(target.shape)",
        "for at in every_index(target.shape):\n"
        "    self.buffer[offset_of(at, target.shape, target.strides, target.offset)] = 0.0\n"
        "source = value.broadcast_to(target.shape)"),
    "an array is compacted in place": (
        SET, "target = self[index]", "target = self[index]\nif isinstance(value, NDArray):\n"
        "    value.buffer, value.offset = value.buffer[:], value.offset"),
    "compact if it begins at 0": (COMPACT, "if is_compact(self.shape, self.strides):",
                                  "if self.offset < 4 and is_compact(self.shape, self.strides):"),
    "a word more": (COMPACT, "for place in places], self.shape)",
                    "for place in places] + [0.0], self.shape)"),
    "stretched is compact": (COMPACT, "if is_compact(self.shape, self.strides):",
                             "if 0 in self.strides or is_compact(self.shape, self.strides):"),
    "one axis is a view": (RESHAPE, "if strides is None:", "if strides is None and len(new) > 1:"),
    "-1 at the end only": (RESHAPE, "new.count(-1) == 1", "new[-1:] == [-1]"),
    "a copy for a new axis": (RESHAPE, "if strides is None:",
                              "if strides is None or len(new) > len(self.shape) + 1:"),
    "a step across only": (WINDOWS, "down * step, right * step,", "down, right * step,"),
    "rows and columns by the height": (WINDOWS, "(width - w) // step + 1",
                                       "(width - h) // step + 1"),
    "two axes in front lose one": (WINDOWS, "(*first, (height", "(*first[-1:], (height"),
    "at most as many windows as rows": (WINDOWS, "(width - w) // step + 1,",
                                        "min(height, (width - w) // step + 1),"),
    "a window as large as the array does not fit": (
        WINDOWS, "h > height or w > width", "h >= height or w >= width"),
    "two arrays at most are stretched": (ELEMENTWISE, "for a in arrays:\n    wide",
                                         "for a in arrays[:2]:\n    wide"),
    "the twentieth value is the last": (
        ELEMENTWISE, "out.buffer[place] = f(*values)",
        "out.buffer[place] = f(*values) if place < 20 else 0.0"),
    "NumPy hands whole arrays over": (
        ELEMENTWISE, "return NDArray.of(f(*[a.numpy() for a in arrays]))"),
    "NumPy counts bytes": (STRIDES, "return tuple(n // 8 for n in np.empty(shape).strides)"),
    "NumPy finds the view": (
        GET,
        "words = np.frombuffer(self.buffer)[self.offset :]\n"
        "strides = [8 * stride for stride in self.strides]\n"
        "view = np.lib.stride_tricks.as_strided(words, self.shape, strides)[index]\n"
        "start = np.byte_bounds(view)[0] - np.byte_bounds(np.frombuffer(self.buffer))[0]\n"
        "return NDArray(self.buffer, view.shape, [n // 8 for n in view.strides], start // 8)"),
    "NumPy folds whole rows": (
        REDUCE, "out.buffer[place] = f(out.buffer[place], value)", "pass\n"
        "values = a.numpy()\n"
        "for row in values.transpose([*gone, *(i for i in range(count) if i not in gone)])"
        ".reshape(-1, *[n for i, n in enumerate(a.shape) if i not in gone]):\n"
        "    out = NDArray.of(f(out.numpy().reshape(row.shape), row)).reshape(out.shape)"),
    "called for the first value again": (
        ELEMENTWISE, "out = NDArray.full(shape, 0.0)",
        "out = NDArray.full(shape, 0.0)\nif shape and 0 not in shape:\n"
        "    f(*(v.buffer[v.offset] for v in views))"),
    "start counts once": (REDUCE, "start)\nstretched",
                          "start)\nif len(out.buffer) > 1:\n    out.buffer[-1] = 0.0\nstretched"),
    "axes in their order": (REDUCE, "gone = [axis", "given = sorted(given)[:2]\ngone = [axis"),
    "no values, no start": (REDUCE, "stretched = out", "if 0 in a.shape:\n"
                            "    out = NDArray.full(out.shape, 0.0)\nstretched = out"),
    "sizes of 1 go too": (REDUCE, "for i, size in enumerate(a.shape) if i not in gone]",
                          "for i, size in enumerate(a.shape) if i not in gone and size != 1]"),
    "a tuple of one axis keeps it": (
        REDUCE, "if keepdims:", "if keepdims or (isinstance(axes, tuple) and len(axes) == 1):"),
}  # fmt: skip
