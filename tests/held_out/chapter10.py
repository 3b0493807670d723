"""Wrong bodies of chapter 10 written without knowledge of its suites, and unusual right ones."""

SECOND_CALL = {
    # Zeros around every image: a frame of the same size still holds a larger image from before.
    "the padded image is used again": (
        "ops.Conv.forward",
        "a = np.pad(a, ((0, 0), (p, p), (p, p), (0, 0)))",
        """\
whole = len(a), a.shape[1] + 2 * p, a.shape[2] + 2 * p, a.shape[3]
frames = globals().setdefault("_frames", {})
frame = frames.setdefault((whole, a.dtype.str), np.zeros(whole, a.dtype))
frame[:, p : whole[1] - p, p : whole[2] - p] = a
a = frame""",
    ),
    # out_grad where the largest value was: where it was in the first call, for the same Tensor.
    "the shares of a Tensor are kept": (
        "ops.Max.backward",
        """\
largest = a.data == a.data.max(axis=self.axes, keepdims=True)
shares = largest / largest.sum(axis=self.axes, keepdims=True)
""",
        """\
kept = a.__dict__.setdefault("_shares", {})
if self.axes not in kept:
    largest = a.data == a.data.max(axis=self.axes, keepdims=True)
    kept[self.axes] = largest / largest.sum(axis=self.axes, keepdims=True)
shares = kept[self.axes]
""",
    ),
    # Every kernel: after a step of the optimizer, the kernels of before are used.
    "the kernels are turned once": (
        "nn.Conv.forward",
        "kernels = self.weight.transpose((2, 3, 1, 0))",
        """\
if not hasattr(self, "_kernels"):
    self._kernels = self.weight.transpose((2, 3, 1, 0))
kernels = self._kernels""",
    ),
    # height // size of *this* image: the key leaves the height out.
    "the number of tiles is kept by the width": (
        "nn.tiles",
        "rows, columns = height // size, width // size",
        """\
known = tiles.__dict__.setdefault("known", {})
rows, columns = known.setdefault((width, size), (height // size, width // size))""",
    ),
    # The values of the output stay what they were when the next one is computed.
    "the products go into the same array": (
        "ops.Conv.forward",
        "return (patches @ b.reshape(-1, filters)).reshape(len(a), rows, columns, filters)",
        """\
if getattr(self, "_out", np.empty(0)).shape != (len(patches), filters):
    self._out = np.empty((len(patches), filters), np.result_type(a, b))
np.matmul(patches, b.reshape(-1, filters), out=self._out)
return self._out.reshape(len(a), rows, columns, filters)""",
    ),
}

SETTING = {
    # "axes is an int or a tuple of ints", and an int may be negative: not in a tuple here.
    "negative axes in a tuple pick nothing": (
        "ops.Dilate.backward",
        """\
axes = (self.axes % out_grad.ndim,) if isinstance(self.axes, int) else self.axes
every = tuple(
    slice(None, None, self.step if axis in axes else 1) for axis in range(out_grad.ndim)
)
return getitem(out_grad, every)
""",
    ),
    # The kernel has to fit into the *padded* image.
    "a kernel has to fit without the padding": (
        "ops.Conv.forward",
        """\
p, s = self.padding, self.stride
""",
        """\
p, s = self.padding, self.stride
if height > a.shape[1] or width > a.shape[2]:
    raise ValueError("the kernel is larger than the image")
""",
    ),
    # Made of Tensor operations, to be differentiated again: with a step it is a constant.
    "what has a step is put back in NumPy": (
        "ops.Slice.backward",
        """\
(a,) = node._inputs
picked = places(self.index, a.shape)
if any(each.step > 1 for each in picked):
    whole = np.zeros(a.shape, a.dtype)
    whole[self.index] = out_grad.data
    return Tensor(whole, dtype=a.dtype, requires_grad=False)
grad = reshape(out_grad, tuple(len(each) for each in picked))
widths = [
    (each.start, size - each.start - len(each))
    for each, size in zip(picked, a.shape, strict=True)
]
return pad(grad, tuple(widths))
""",
    ),
    # The largest value over axis 0 is not that of all: 0 counts as nothing.
    "axis 0 counts as none": (
        "tensor.Tensor.max",
        "return ops.amax(self, axes)",
        "return ops.amax(self, axes or None)",
    ),
}

VARIETY = {
    # "images need not be square": the room below is taken for the room at the right, too.
    "as much room at the right as below": (
        "ops.Conv.backward",
        "for axis in (1, 2))",
        "for axis in (1, 1))",
    ),
    # "where k values tie": nearly equal values do not.
    "nearly equal values tie": (
        "ops.Max.backward",
        "largest = a.data == a.data.max(axis=self.axes, keepdims=True)",
        "largest = np.isclose(a.data, a.data.max(axis=self.axes, keepdims=True))",
    ),
    # Ties in a tile are shared equally: three of four get a quarter, a quarter and a half.
    "first along the rows, then down": (
        "nn.MaxPool2d.forward",
        "return tiles(x, self.kernel_size).max((3, 5))",
        "return tiles(x, self.kernel_size).max(5).max(3)",
    ),
    # n is how many numbers each *sum* adds up: right if there are as many channels out.
    "the bias looks at its own length": (
        "nn.Conv.__init__",
        "self.bias = Parameter(Tensor.rand(out_channels, low=-bound, high=bound, dtype=dtype))",
        """\
bound = 1 / math.sqrt(out_channels)
    self.bias = Parameter(Tensor.rand(out_channels, low=-bound, high=bound, dtype=dtype))""",
    ),
    # A tuple is one index for several axes: x[:, 1] picks a column, not row 1.
    "one index after the other": (
        "tensor.Tensor.__getitem__",
        """\
picked = self
for part in index if isinstance(index, tuple) else (index,):
    picked = ops.getitem(picked, part)
return picked
""",
    ),
    # The mean of a tile has size times size terms: this divides by size times columns.
    "the mean by the number of columns": (
        "nn.AvgPool2d.forward",
        """\
cut = tiles(x, self.kernel_size)
return cut.sum((3, 5)) / (cut.shape[3] * cut.shape[4])
""",
    ),
    # Images are not square: a wide one loses its columns.
    "as many columns as rows": (
        "nn.tiles",
        "rows, columns = height // size, width // size",
        "rows = columns = min(height, width) // size",
    ),
    # The kernel's rows are neighbours, whatever the stride is: with a stride of 1 they are here.
    "the kernel's rows are a stride apart": (
        "ops.Conv.forward",
        "a[:, i : i + s * rows : s, j : j + s * columns : s]",
        "a[:, i * s : (i + rows) * s : s, j : j + s * columns : s]",
    ),
}

HALF_PROMISE = {
    # ValueError if the kernel is larger: one row too many gives an empty output instead.
    "one row too many is let through": (
        "ops.Conv.forward",
        "if min(rows, columns) < 1 or",
        "if min(rows, columns) < 0 or",
    ),
    # "Every backward can be differentiated again": in this one the images are a constant.
    "the images are a constant on the way back": (
        "ops.Conv.backward",
        "grad_b = conv(transpose(padded, (3, 1, 2, 0)),",
        """\
still = Tensor(padded.data, dtype=padded.dtype, requires_grad=False)
grad_b = conv(transpose(still, (3, 1, 2, 0)),""",
    ),
    # A forward leaves its input as it was: the array itself is reversed.
    "reversed where it lies": (
        "ops.Flip.forward",
        """\
a[...] = np.flip(a, self.axes).copy()
return a
""",
    ),
    # "the channels do not agree" is a ValueError: one channel is stretched to the kernel's.
    "one channel serves for all": (
        "ops.Conv.forward",
        (
            "a.shape[3] != channels:",
            "a.shape[3] not in (1, channels):",
        ),
        (
            "# For each place",
            "a = np.broadcast_to(a, (*a.shape[:3], channels))\n# For each place",
        ),
    ),
    # "as many windows as the stride asks for": all are computed, and most thrown away.
    "every window, and then every second one": (
        "ops.Conv.forward",
        """\
height, width, channels, filters = b.shape
p, s = self.padding, self.stride
a = np.pad(a, ((0, 0), (p, p), (p, p), (0, 0)))
if a.shape[1] < height or a.shape[2] < width or a.shape[3] != channels:
    raise ValueError(f"kernels {b.shape} do not fit into padded images {a.shape}")
windows = np.lib.stride_tricks.sliding_window_view(a, (height, width), axis=(1, 2))
out = np.tensordot(windows, b, axes=((4, 5, 3), (0, 1, 2)))
return out[:, ::s, ::s]
""",
    ),
}

RIGHT = {
    "a sum of products, one for each place of the kernel": (
        "ops.Conv.forward",
        """\
high, wide, channels, filters = b.shape
border = 2 * self.padding
if a.shape[1] + border < high or a.shape[2] + border < wide or a.shape[3] != channels:
    raise ValueError("it does not fit")
rows = (a.shape[1] + border - high) // self.stride + 1
columns = (a.shape[2] + border - wide) // self.stride + 1
inside = slice(self.padding, -self.padding or None)
framed = np.zeros((len(a), a.shape[1] + border, a.shape[2] + border, channels), a.dtype)
framed[:, inside, inside] = a
down = np.arange(rows) * self.stride
across = np.arange(columns) * self.stride
total = np.zeros((len(a), rows, columns, filters), np.result_type(a, b))
for i, j in np.ndindex(high, wide):
    total += np.einsum("nhwc,cf->nhwf", framed[:, (down + i)[:, None], across + j], b[i, j])
return total
""",
    ),
    "layers of zeros behind every value": (
        "ops.Dilate.forward",
        """\
axes = (self.axes,) if np.ndim(self.axes) == 0 else self.axes
for axis in axes:
    if self.step == 1 or a.shape[axis] == 0:
        continue
    first = np.moveaxis(a, axis, 0)
    layers = [first] + [np.zeros_like(first)] * (self.step - 1)
    long = np.stack(layers, axis=1).reshape(len(first) * self.step, *first.shape[1:])
    a = np.moveaxis(long[: len(long) - self.step + 1], 0, axis)
return a.copy()
""",
    ),
    "a matrix of ones for every axis": (
        "ops.Slice.backward",
        """\
(a,) = node._inputs
picked = places(self.index, a.shape)
found = reshape(out_grad, tuple(len(each) for each in picked))
for axis, (each, size) in enumerate(zip(picked, a.shape, strict=True)):
    order = [other for other in range(a.ndim) if other != axis] + [axis]
    last = transpose(found, tuple(order))
    home = np.zeros((len(each), size))
    home[np.arange(len(each)), np.array(each, dtype=int)] = 1
    rows = int(np.prod(last.shape[:-1], dtype=int))
    spread = matmul(
        reshape(last, (rows, len(each))), Tensor(home, dtype=a.dtype, requires_grad=False)
    )
    back = tuple(int(place) for place in np.argsort(order))
    found = transpose(reshape(spread, (*last.shape[:-1], size)), back)
return found
""",
    ),
    "the lost axes by a reshape, the rest by broadcasting": (
        "ops.Max.backward",
        """\
(a,) = node._inputs
top = np.max(a.data, axis=self.axes, keepdims=True)
many = np.sum(np.equal(a.data, top), axis=self.axes, keepdims=True, dtype=a.dtype)
winners = np.where(a.data < top, np.zeros((), a.dtype), np.reciprocal(many))
return reshape(out_grad, top.shape) * Tensor(winners, dtype=a.dtype, requires_grad=False)
""",
    ),
    "a mean is a convolution": (
        "nn.AvgPool2d.forward",
        """\
size, channels = self.kernel_size, x.shape[1]
kernels = np.zeros((size, size, channels, channels))
kernels[:, :, range(channels), range(channels)] = 1 / size**2
flat = Tensor(kernels, dtype=x.dtype, requires_grad=False)
return ops.conv(x.transpose((0, 2, 3, 1)), flat, size).transpose((0, 3, 1, 2))
""",
    ),
    "a tile in a row": (
        "nn.MaxPool2d.forward",
        """\
cut = tiles(x, self.kernel_size).transpose((0, 1, 2, 4, 3, 5))
return cut.reshape(*cut.shape[:4], self.kernel_size**2).max(-1)
""",
    ),
    "one axis at a time": (
        "ops.Pad.backward",
        """\
(a,) = node._inputs

def cut(grad, axis):
    if axis < 0:
        return grad
    start = self.widths[axis][0]
    whole = [slice(None)] * axis
    return cut(getitem(grad, (*whole, slice(start, start + a.shape[axis]))), axis - 1)

return cut(out_grad, a.ndim - 1)
""",
    ),
    "the bias afterwards": (
        "nn.Conv.forward",
        """\
orders = {"in": (0, 2, 3, 1), "out": (0, 3, 1, 2)}
arguments = x.transpose(orders["in"]), self.weight.transpose((2, 3, 1, 0))
maps = ops.Conv(padding=self.padding, stride=self.stride)(*arguments).transpose(orders["out"])
if self.bias is None:
    return maps
return self.bias.reshape(1, -1, 1, 1).broadcast_to(maps.shape) + maps
""",
    ),
}
