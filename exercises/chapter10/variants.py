"""Right solutions that are written in another way than the reference."""

from grader.course import Variant, right, variant

from . import other_variants


# Windows as a view, sums by einsum; axes one after the other; slices as lists; pools by halves.
@variant("einsum over strided windows")
class EINSUM:
    @right("ops.Pad.forward")
    def pad_forward(self, a):
        out = np.zeros([b + n + c for (b, c), n in zip(self.widths, a.shape)], a.dtype)
        out[tuple(slice(b, b + n) for (b, _), n in zip(self.widths, a.shape))] = a
        return out

    @right("ops.Pad.backward")
    def pad_backward(self, out_grad, node):
        shape = node._inputs[0].shape
        return out_grad[tuple(slice(b, b + n) for (b, _), n in zip(self.widths, shape))]

    slice_forward = right("ops.Slice.forward", "return a[self.index]")

    @right("ops.Slice.backward")
    def slice_backward(self, out_grad, node):
        (a,) = node._inputs
        picked = places(self.index, a.shape)
        grad = out_grad.reshape([len(r) for r in picked])
        for axis, r in enumerate(picked):
            grad = dilate(grad, (axis,), r.step)
            widths = [(0, 0)] * a.ndim
            widths[axis] = (r.start, a.shape[axis] - r.start - grad.shape[axis])
            grad = grad.pad(widths)
        return grad

    @right("ops.Dilate.forward")
    def dilate_forward(self, a):
        axes = (self.axes,) if isinstance(self.axes, int) else tuple(self.axes)
        for axis in axes:
            a = a.swapaxes(axis, 0)
            out = np.zeros(((len(a) - 1) * self.step + 1, *a.shape[1:]), dtype=a.dtype)
            out[:: self.step] = a
            a = out.swapaxes(axis, 0)
        return a

    @right("ops.Dilate.backward")
    def dilate_backward(self, out_grad, node):
        axes = (self.axes,) if isinstance(self.axes, int) else tuple(self.axes)
        chosen = [axis % out_grad.ndim for axis in axes]
        return out_grad[
            tuple(
                slice(None, None, self.step if axis in chosen else 1)
                for axis in range(out_grad.ndim)
            )
        ]

    @right("ops.Flip.forward")
    def flip_forward(self, a):
        axes = (self.axes,) if isinstance(self.axes, int) else tuple(self.axes)
        for axis in axes:
            a = a.take(range(a.shape[axis] - 1, -1, -1), axis)
        return a

    flip_backward = right("ops.Flip.backward", "return Flip(self.axes)(out_grad)")

    # The mask from the output itself, and a gradient that broadcasting stretches.
    @right("ops.Max.backward")
    def max_backward(self, out_grad, node):
        (a,) = node._inputs
        kept = (
            np.expand_dims(a.data.sum(axis=self.axes), self.axes).shape
            if self.axes is not None
            else (1,) * a.ndim
        )
        mask = (a.data == node.data.reshape(kept)).astype(a.dtype)
        count = mask.sum(axis=self.axes, keepdims=True)
        return out_grad.reshape(kept) * Tensor(mask / count, dtype=a.dtype)

    @right("ops.Conv.forward")
    def conv_forward(self, a, b):
        n, h, w, c = a.shape
        kh, kw, channels, f = b.shape
        p, s = self.padding, self.stride
        h, w = h + 2 * p, w + 2 * p
        rows, columns = (h - kh) // s + 1, (w - kw) // s + 1
        if h < kh or w < kw or c != channels:
            raise ValueError("no room")
        x = np.zeros((n, h, w, c), a.dtype)
        x[:, p : h - p, p : w - p] = a
        N, H, W, C = x.strides
        windows = np.lib.stride_tricks.as_strided(
            x, (n, rows, columns, kh, kw, c), (N, H * s, W * s, H, W, C)
        )
        return np.einsum("nhwijc,ijcf->nhwf", windows, b)

    @right("nn.Conv.__init__")
    def conv_init(self, in_channels, out_channels, kernel_size, stride, padding, bias, dtype):
        self.stride, self.padding = stride, padding
        k = (in_channels * kernel_size * kernel_size) ** -0.5
        shape = (out_channels, in_channels, kernel_size, kernel_size)
        self.weight = Parameter(np.random.uniform(-k, k, shape), dtype=dtype)
        self.bias = None
        if bias:
            self.bias = Parameter(np.random.uniform(-k, k, out_channels), dtype=dtype)

    @right("nn.Conv.forward")
    def nn_conv_forward(self, x):
        x = ops.transpose(ops.transpose(x, (0, 2, 1, 3)), (0, 1, 3, 2))
        kernels = self.weight.transpose((2, 3, 1, 0))
        x = ops.Conv(self.stride, self.padding)(x, kernels).transpose((0, 3, 1, 2))
        return x if self.bias is None else x + self.bias.reshape(-1, 1, 1)

    @right("nn.tiles")
    def tiles(x, size):
        n, c, h, w = x.shape
        x = x[:, :, : h - h % size, : w - w % size]
        return ops.reshape(x, (n, c, h // size, size, w // size, size))

    @right("nn.MaxPool2d.forward")
    def max_pool2d_forward(self, x):
        t = tiles(x, self.kernel_size)
        return ops.amax(ops.transpose(t, (0, 1, 2, 4, 3, 5)), (-1, -2))

    @right("nn.AvgPool2d.forward")
    def avg_pool2d_forward(self, x):
        k = self.kernel_size
        n, c, h, w = x.shape
        total = 0
        for i in range(k):
            for j in range(k):
                total = total + x[:, :, i : h // k * k : k, j : w // k * k : k]
        return total * (1 / k**2)


# One window after the other, as the definition has it.
@variant("loops over windows", but=("chapter10.conv.backward/again",))
class LOOPS:
    slice_forward = right("ops.Slice.forward", "return a[self.index].copy()")

    max_forward = right("ops.Max.forward", "return np.max(a, axis=self.axes)")

    @right("ops.Max.backward")
    def max_backward(self, out_grad, node):
        (a,) = node._inputs
        largest = a.data == a.data.max(axis=self.axes, keepdims=True)
        shares = Tensor(largest / largest.sum(axis=self.axes, keepdims=True), dtype=a.dtype)
        kept = a.data.max(axis=self.axes, keepdims=True).shape
        return (reshape(out_grad, kept) * shares,)

    @right("ops.Conv.forward")
    def conv_forward(self, a, b):
        p, s = self.padding, self.stride
        a = np.pad(a, [(0, 0), (p, p), (p, p), (0, 0)])
        kh, kw, c, f = b.shape
        rows, columns = (a.shape[1] - kh) // s + 1, (a.shape[2] - kw) // s + 1
        if rows <= 0 or columns <= 0 or c != a.shape[3]:
            raise ValueError("does not fit")
        out = np.zeros((len(a), rows, columns, f), a.dtype)
        for i in range(rows):
            for j in range(columns):
                window = a[:, i * s : i * s + kh, j * s : j * s + kw]
                out[:, i, j] = np.tensordot(window, b, 3)
        return out

    # The other way to the gradient of the kernel: one weight after the other. Its values come
    # from NumPy, so that it cannot be differentiated again.
    @right("ops.Conv.backward")
    def conv_backward(self, out_grad, node):
        a, b = (x.data for x in node._inputs)
        p, s = self.padding, self.stride
        v = out_grad.data
        kh, kw = b.shape[:2]
        a = np.pad(a, [(0, 0), (p, p), (p, p), (0, 0)])
        da, db = np.zeros_like(a), np.zeros_like(b)
        for i in range(v.shape[1]):
            for j in range(v.shape[2]):
                here = (slice(None), slice(i * s, i * s + kh), slice(j * s, j * s + kw))
                da[here] += np.tensordot(v[:, i, j], b, ([1], [3]))
                db += np.tensordot(a[here], v[:, i, j], ([0], [0]))
        da = da[:, p : da.shape[1] - p, p : da.shape[2] - p]
        return Tensor(da, dtype=da.dtype), Tensor(db, dtype=db.dtype)

    @right("nn.MaxPool2d.forward")
    def max_pool2d_forward(self, x):
        t = tiles(x, self.kernel_size).transpose((0, 1, 2, 4, 3, 5))
        return t.reshape(*t.shape[:4], -1).max(-1)


# Every result is float32, whatever the inputs were.
FLOAT32 = Variant(
    "float32-results",
    edits=(
        ("ops.py", "Tensor(data, dtype=data.dtype, requires_grad", "Tensor(data, requires_grad"),
    ),
)


# A selection as a matrix product, axis by axis, by the Fourier transform, by halves of an average.
@variant("matrices of a selection, the Fourier transform, one weight at a time")
class SELECTED:
    tensor_pad = right("tensor.Tensor.pad", "return ops.Pad(widths)(self)")

    tensor_getitem = right("tensor.Tensor.__getitem__", "return ops.Slice(index=index)(self)")

    tensor_max = right("tensor.Tensor.max", "return ops.Max(axes=axes)(self)")

    @right("ops.Pad.forward")
    def pad_forward(self, a):
        for axis, pair in enumerate(self.widths):
            before, after = (
                np.zeros((*a.shape[:axis], n, *a.shape[axis + 1 :]), a.dtype) for n in pair
            )
            a = np.concatenate([before, a, after], axis)
        return np.array(a)

    @right("ops.Pad.backward")
    def pad_backward(self, out_grad, node):
        shape = node._inputs[0].shape
        for axis, (before, _) in enumerate(self.widths):
            whole = (slice(None),) * axis
            out_grad = out_grad[(*whole, slice(before, before + shape[axis]))]
        return out_grad

    @right("ops.Slice.forward")
    def slice_forward(self, a):
        for axis, part in reversed(list(enumerate(self.index))):
            a = a[(slice(None),) * axis + (part,)]
        return np.array(a)

    @right("ops.Slice.backward")
    def slice_backward(self, out_grad, node):
        (a,) = node._inputs
        numbers = np.arange(a.size).reshape(a.shape)[self.index]
        chosen = Tensor.one_hot(np.ravel(numbers), a.size, dtype=a.dtype)
        return (out_grad.reshape(1, out_grad.size) @ chosen).reshape(a.shape)

    @right("ops.Dilate.forward")
    def dilate_forward(self, a):
        axes = {axis % a.ndim for axis in np.atleast_1d(self.axes).tolist()}
        steps = [self.step if axis in axes else 1 for axis in range(a.ndim)]
        places = [range(0, n * s, s) for n, s in zip(a.shape, steps)]
        out = np.zeros([max(0, (n - 1) * s + 1) for n, s in zip(a.shape, steps)], a.dtype)
        out[np.ix_(*places)] = a
        return out

    @right("ops.Dilate.backward")
    def dilate_backward(self, out_grad, node):
        for axis in (self.axes,) if isinstance(self.axes, int) else self.axes:
            every = [slice(None)] * (axis % out_grad.ndim)
            out_grad = Slice((*every, slice(0, None, self.step)))(out_grad)
        return out_grad

    @right("ops.Flip.forward")
    def flip_forward(self, a):
        axes = self.axes if isinstance(self.axes, (tuple, list)) else [self.axes]
        turned = [axis % a.ndim for axis in axes]
        return a[tuple(slice(None, None, -1 if i in turned else 1) for i in range(a.ndim))]

    @right("ops.Flip.backward")
    def flip_backward(self, out_grad, node):
        for axis in np.ravel(self.axes).tolist():
            out_grad = flip(out_grad, axis)
        return out_grad

    max_forward = right("ops.Max.forward", "return np.array(np.maximum.reduce(a, axis=self.axes))")

    @right("ops.Max.backward")
    def max_backward(self, out_grad, node):
        (a,) = node._inputs
        top = np.amax(a.data, self.axes, keepdims=True)
        mask = Tensor(np.equal(a.data, top), dtype=a.dtype, requires_grad=False)
        each = out_grad / mask.sum(self.axes)
        return mask * each.reshape(top.shape)

    @right("ops.Conv.forward")
    def conv_forward(self, a, b):
        (height, width, channels, filters), s = b.shape, self.stride
        a = np.pad(a, [(n, n) for n in (0, self.padding, self.padding, 0)])
        rows, columns = a.shape[1] - height, a.shape[2] - width
        if rows < 0 or columns < 0 or a.shape[3] != channels:
            raise ValueError("no place for it")
        size = a.shape[1:3]
        seen = np.fft.rfft2(a, size, axes=(1, 2))
        kernels = np.fft.rfft2(b, size, axes=(0, 1)).conj()
        out = np.fft.irfft2(np.einsum("nhwc,hwcf->nhwf", seen, kernels), size, axes=(1, 2))
        return out[:, : rows + 1 : s, : columns + 1 : s].astype(a.dtype)

    @right("ops.Conv.backward")
    def conv_backward(self, out_grad, node):
        a, b = node._inputs
        n, rows, columns, filters = out_grad.shape
        height, width, channels, _ = b.shape
        p, s = self.padding, self.stride
        seen = pad(a, ((0, 0), (p, p), (p, p), (0, 0)))
        flat = reshape(out_grad, (-1, filters))
        grad_a = grad_b = None
        for i in range(height):
            for j in range(width):
                down, across = s * (rows - 1) + 1, s * (columns - 1) + 1
                below = seen[:, i : i + down : s, j : j + across : s]
                part = below.reshape(-1, channels).transpose() @ flat
                part = part.reshape(1, 1, channels, filters).pad(
                    ((i, height - 1 - i), (j, width - 1 - j), (0, 0), (0, 0))
                )
                grad_b = part if grad_b is None else grad_b + part
                back = flat @ b[i, j].transpose()
                back = dilate(back.reshape(n, rows, columns, channels), (1, 2), s)
                left = seen.shape[1] - i - down, seen.shape[2] - j - across
                back = pad(back, ((0, 0), (i, left[0]), (j, left[1]), (0, 0)))
                grad_a = back if grad_a is None else grad_a + back
        return [grad_a[:, p : p + a.shape[1], p : p + a.shape[2]], grad_b]

    @right("nn.Conv.__init__")
    def conv_init(self, in_channels, out_channels, kernel_size, stride, padding, bias, dtype):
        vars(self).update(stride=stride, padding=padding, kernel_size=kernel_size)
        fan_in = in_channels * kernel_size**2

        def draw(*shape):
            return Parameter(
                (Tensor.rand(*shape, dtype="float64") * 2 - 1) / fan_in**0.5, dtype=dtype
            )

        self.bias = draw(out_channels) if bias else None
        self.weight = draw(out_channels, in_channels, kernel_size, kernel_size)

    @right("nn.Conv.forward")
    def nn_conv_forward(self, x):
        p = (self.padding,) * 2
        x = x.pad(((0, 0), (0, 0), p, p))
        x = ops.transpose(x, axes=(0, 2, 3, 1))
        weight = ops.transpose(self.weight, axes=(2, 3, 1, 0))
        out = ops.conv(x, weight, stride=self.stride)
        if self.bias is not None:
            out = self.bias.broadcast_to(out.shape) + out
        return ops.transpose(out, (0, 3, 1, 2))

    @right("nn.tiles")
    def tiles(x, size):
        for axis in (2, 3):
            x = x[(slice(None),) * axis + (slice(0, x.shape[axis] // size * size),)]
        n, c, h, w = x.shape
        return x.reshape((n * c, h // size, size, w // size, size)).reshape(
            (n, c, h // size, size, w // size, size)
        )

    max_pool2d_forward = right(
        "nn.MaxPool2d.forward", "return ops.Max((-3, -1))(tiles(size=self.kernel_size, x=x))"
    )

    @right("nn.AvgPool2d.forward")
    def avg_pool2d_forward(self, x):
        def mean(n):
            tile = np.arange(n) // self.kernel_size == np.arange(n // self.kernel_size)[:, None]
            return Tensor(tile / self.kernel_size, dtype=x.dtype, requires_grad=False)

        return mean(x.shape[2]) @ x @ mean(x.shape[3]).transpose()


VARIANTS = (EINSUM, LOOPS, SELECTED, other_variants.VIEWS, FLOAT32)
