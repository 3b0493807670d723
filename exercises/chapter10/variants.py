"""Right solutions that are written in another way than the reference."""

from grader.course import Variant

NORMAL = "axes = (self.axes,) if isinstance(self.axes, int) else tuple(self.axes)\n"

# Windows as a view, sums by einsum; axes one after the other; slices as lists; pools by halves.
EINSUM = Variant(
    "einsum over strided windows",
    {
        "ops.Pad.forward": (
            "out = np.zeros([b + n + c for (b, c), n in zip(self.widths, a.shape)], a.dtype)\n"
            "out[tuple(slice(b, b + n) for (b, _), n in zip(self.widths, a.shape))] = a\n"
            "return out"
        ),
        "ops.Pad.backward": (
            "shape = node._inputs[0].shape\n"
            "return out_grad[tuple(slice(b, b + n) for (b, _), n in zip(self.widths, shape))]"
        ),
        "ops.Slice.forward": "return a[self.index]",
        "ops.Slice.backward": (
            "(a,) = node._inputs\npicked = places(self.index, a.shape)\n"
            "grad = out_grad.reshape([len(r) for r in picked])\n"
            "for axis, r in enumerate(picked):\n"
            "    grad = dilate(grad, (axis,), r.step)\n"
            "    widths = [(0, 0)] * a.ndim\n"
            "    widths[axis] = (r.start, a.shape[axis] - r.start - grad.shape[axis])\n"
            "    grad = grad.pad(widths)\n"
            "return grad"
        ),
        "ops.Dilate.forward": (
            NORMAL + "for axis in axes:\n"
            "    a = a.swapaxes(axis, 0)\n"
            "    out = np.zeros(((len(a) - 1) * self.step + 1, *a.shape[1:]), dtype=a.dtype)\n"
            "    out[:: self.step] = a\n"
            "    a = out.swapaxes(axis, 0)\n"
            "return a"
        ),
        "ops.Dilate.backward": (
            NORMAL + "chosen = [axis % out_grad.ndim for axis in axes]\n"
            "return out_grad[tuple(slice(None, None, self.step if axis in chosen else 1)\n"
            "                      for axis in range(out_grad.ndim))]"
        ),
        "ops.Flip.forward": (
            NORMAL + "for axis in axes:\n"
            "    a = a.take(range(a.shape[axis] - 1, -1, -1), axis)\n"
            "return a"
        ),
        "ops.Flip.backward": "return Flip(self.axes)(out_grad)",
        # The mask from the output itself, and a gradient that broadcasting stretches.
        "ops.Max.backward": (
            "(a,) = node._inputs\n"
            "kept = np.expand_dims(a.data.sum(axis=self.axes), self.axes).shape "
            "if self.axes is not None else (1,) * a.ndim\n"
            "mask = (a.data == node.data.reshape(kept)).astype(a.dtype)\n"
            "count = mask.sum(axis=self.axes, keepdims=True)\n"
            "return out_grad.reshape(kept) * Tensor(mask / count, dtype=a.dtype)"
        ),
        "ops.Conv.forward": (
            "n, h, w, c = a.shape\nkh, kw, channels, f = b.shape\n"
            "p, s = self.padding, self.stride\n"
            "h, w = h + 2 * p, w + 2 * p\nrows, columns = (h - kh) // s + 1, (w - kw) // s + 1\n"
            "if h < kh or w < kw or c != channels:\n    raise ValueError('no room')\n"
            "x = np.zeros((n, h, w, c), a.dtype)\nx[:, p : h - p, p : w - p] = a\n"
            "N, H, W, C = x.strides\n"
            "windows = np.lib.stride_tricks.as_strided(\n"
            "    x, (n, rows, columns, kh, kw, c), (N, H * s, W * s, H, W, C))\n"
            "return np.einsum('nhwijc,ijcf->nhwf', windows, b)"
        ),
        "nn.Conv.__init__": (
            "self.stride, self.padding = stride, padding\n"
            "k = (in_channels * kernel_size * kernel_size) ** -0.5\n"
            "shape = (out_channels, in_channels, kernel_size, kernel_size)\n"
            "self.weight = Parameter(np.random.uniform(-k, k, shape), dtype=dtype)\n"
            "self.bias = None\n"
            "if bias:\n"
            "    self.bias = Parameter(np.random.uniform(-k, k, out_channels), dtype=dtype)"
        ),
        "nn.Conv.forward": (
            "x = ops.transpose(ops.transpose(x, (0, 2, 1, 3)), (0, 1, 3, 2))\n"
            "kernels = self.weight.transpose((2, 3, 1, 0))\n"
            "x = ops.Conv(self.stride, self.padding)(x, kernels).transpose((0, 3, 1, 2))\n"
            "return x if self.bias is None else x + self.bias.reshape(-1, 1, 1)"
        ),
        "nn.tiles": (
            "n, c, h, w = x.shape\nx = x[:, :, : h - h % size, : w - w % size]\n"
            "return ops.reshape(x, (n, c, h // size, size, w // size, size))"
        ),
        "nn.MaxPool2d.forward": (
            "t = tiles(x, self.kernel_size)\n"
            "return ops.amax(ops.transpose(t, (0, 1, 2, 4, 3, 5)), (-1, -2))"
        ),
        "nn.AvgPool2d.forward": (
            "k = self.kernel_size\nn, c, h, w = x.shape\ntotal = 0\n"
            "for i in range(k):\n"
            "    for j in range(k):\n"
            "        total = total + x[:, :, i : h // k * k : k, j : w // k * k : k]\n"
            "return total * (1 / k**2)"
        ),
    },
)  # fmt: skip

# One window after the other, as the definition has it.
LOOPS = Variant(
    "loops over windows",
    {
        "ops.Slice.forward": "return a[self.index].copy()",
        "ops.Max.forward": "return np.max(a, axis=self.axes)",
        "ops.Max.backward": (
            "(a,) = node._inputs\n"
            "largest = a.data == a.data.max(axis=self.axes, keepdims=True)\n"
            "shares = Tensor(largest / largest.sum(axis=self.axes, keepdims=True), dtype=a.dtype)\n"
            "kept = a.data.max(axis=self.axes, keepdims=True).shape\n"
            "return (reshape(out_grad, kept) * shares,)"
        ),
        "ops.Conv.forward": (
            "p, s = self.padding, self.stride\n"
            "a = np.pad(a, [(0, 0), (p, p), (p, p), (0, 0)])\nkh, kw, c, f = b.shape\n"
            "rows, columns = (a.shape[1] - kh) // s + 1, (a.shape[2] - kw) // s + 1\n"
            "if rows <= 0 or columns <= 0 or c != a.shape[3]:\n"
            "    raise ValueError('does not fit')\n"
            "out = np.zeros((len(a), rows, columns, f), a.dtype)\n"
            "for i in range(rows):\n"
            "    for j in range(columns):\n"
            "        window = a[:, i * s : i * s + kh, j * s : j * s + kw]\n"
            "        out[:, i, j] = np.tensordot(window, b, 3)\n"
            "return out"
        ),
        # The other way to the gradient of the kernel: one weight after the other. Its values come
        # from NumPy, so that it cannot be differentiated again.
        "ops.Conv.backward": (
            "a, b = (x.data for x in node._inputs)\np, s = self.padding, self.stride\n"
            "v = out_grad.data\nkh, kw = b.shape[:2]\n"
            "a = np.pad(a, [(0, 0), (p, p), (p, p), (0, 0)])\n"
            "da, db = np.zeros_like(a), np.zeros_like(b)\n"
            "for i in range(v.shape[1]):\n"
            "    for j in range(v.shape[2]):\n"
            "        here = (slice(None), slice(i * s, i * s + kh), slice(j * s, j * s + kw))\n"
            "        da[here] += np.tensordot(v[:, i, j], b, ([1], [3]))\n"
            "        db += np.tensordot(a[here], v[:, i, j], ([0], [0]))\n"
            "da = da[:, p : da.shape[1] - p, p : da.shape[2] - p]\n"
            "return Tensor(da, dtype=da.dtype), Tensor(db, dtype=db.dtype)"
        ),
        "nn.MaxPool2d.forward": (
            "t = tiles(x, self.kernel_size).transpose((0, 1, 2, 4, 3, 5))\n"
            "return t.reshape(*t.shape[:4], -1).max(-1)"
        ),
    },
    but=("chapter10.conv.backward/again",),
)  # fmt: skip

# Every result is float32, whatever the inputs were.
FLOAT32 = Variant(
    "float32-results",
    edits=(
        ("ops.py", "Tensor(data, dtype=data.dtype, requires_grad", "Tensor(data, requires_grad"),
    ),
)

# A selection as a matrix product, axis by axis, by the Fourier transform, by halves of an average.
SELECTED = Variant(
    "matrices of a selection, the Fourier transform, one weight at a time",
    {
        "tensor.Tensor.pad": "return ops.Pad(widths)(self)",
        "tensor.Tensor.__getitem__": "return ops.Slice(index=index)(self)",
        "tensor.Tensor.max": "return ops.Max(axes=axes)(self)",
        "ops.Pad.forward": """
            for axis, pair in enumerate(self.widths):
                before, after = (
                    np.zeros((*a.shape[:axis], n, *a.shape[axis + 1 :]), a.dtype) for n in pair)
                a = np.concatenate([before, a, after], axis)
            return np.array(a)
        """,
        "ops.Pad.backward": """
            shape = node._inputs[0].shape
            for axis, (before, _) in enumerate(self.widths):
                whole = (slice(None),) * axis
                out_grad = out_grad[(*whole, slice(before, before + shape[axis]))]
            return out_grad
        """,
        "ops.Slice.forward": """
            for axis, part in reversed(list(enumerate(self.index))):
                a = a[(slice(None),) * axis + (part,)]
            return np.array(a)
        """,
        "ops.Slice.backward": """
            (a,) = node._inputs
            numbers = np.arange(a.size).reshape(a.shape)[self.index]
            chosen = Tensor.one_hot(np.ravel(numbers), a.size, dtype=a.dtype)
            return (out_grad.reshape(1, out_grad.size) @ chosen).reshape(a.shape)
        """,
        "ops.Dilate.forward": """
            axes = {axis % a.ndim for axis in np.atleast_1d(self.axes).tolist()}
            steps = [self.step if axis in axes else 1 for axis in range(a.ndim)]
            places = [range(0, n * s, s) for n, s in zip(a.shape, steps)]
            out = np.zeros([max(0, (n - 1) * s + 1) for n, s in zip(a.shape, steps)], a.dtype)
            out[np.ix_(*places)] = a
            return out
        """,
        "ops.Dilate.backward": """
            for axis in (self.axes,) if isinstance(self.axes, int) else self.axes:
                every = [slice(None)] * (axis % out_grad.ndim)
                out_grad = Slice((*every, slice(0, None, self.step)))(out_grad)
            return out_grad
        """,
        "ops.Flip.forward": """
            axes = self.axes if isinstance(self.axes, (tuple, list)) else [self.axes]
            turned = [axis % a.ndim for axis in axes]
            return a[tuple(slice(None, None, -1 if i in turned else 1) for i in range(a.ndim))]
        """,
        "ops.Flip.backward": """
            for axis in np.ravel(self.axes).tolist():
                out_grad = flip(out_grad, axis)
            return out_grad
        """,
        "ops.Max.forward": "return np.array(np.maximum.reduce(a, axis=self.axes))",
        "ops.Max.backward": """
            (a,) = node._inputs
            top = np.amax(a.data, self.axes, keepdims=True)
            mask = Tensor(np.equal(a.data, top), dtype=a.dtype, requires_grad=False)
            each = out_grad / mask.sum(self.axes)
            return mask * each.reshape(top.shape)
        """,
        "ops.Conv.forward": """
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
        """,
        "ops.Conv.backward": """
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
                        ((i, height - 1 - i), (j, width - 1 - j), (0, 0), (0, 0)))
                    grad_b = part if grad_b is None else grad_b + part
                    back = flat @ b[i, j].transpose()
                    back = dilate(back.reshape(n, rows, columns, channels), (1, 2), s)
                    left = seen.shape[1] - i - down, seen.shape[2] - j - across
                    back = pad(back, ((0, 0), (i, left[0]), (j, left[1]), (0, 0)))
                    grad_a = back if grad_a is None else grad_a + back
            return [grad_a[:, p : p + a.shape[1], p : p + a.shape[2]], grad_b]
        """,
        "nn.Conv.__init__": """
            vars(self).update(stride=stride, padding=padding, kernel_size=kernel_size)
            fan_in = in_channels * kernel_size**2

            def draw(*shape):
                return Parameter((Tensor.rand(*shape, dtype="float64") * 2 - 1) / fan_in**0.5,
                                 dtype=dtype)

            self.bias = draw(out_channels) if bias else None
            self.weight = draw(out_channels, in_channels, kernel_size, kernel_size)
        """,
        "nn.Conv.forward": """
            p = (self.padding,) * 2
            x = x.pad(((0, 0), (0, 0), p, p))
            x = ops.transpose(x, axes=(0, 2, 3, 1))
            weight = ops.transpose(self.weight, axes=(2, 3, 1, 0))
            out = ops.conv(x, weight, stride=self.stride)
            if self.bias is not None:
                out = self.bias.broadcast_to(out.shape) + out
            return ops.transpose(out, (0, 3, 1, 2))
        """,
        "nn.tiles": """
            for axis in (2, 3):
                x = x[(slice(None),) * axis + (slice(0, x.shape[axis] // size * size),)]
            n, c, h, w = x.shape
            return x.reshape((n * c, h // size, size, w // size, size)).reshape(
                (n, c, h // size, size, w // size, size))
        """,
        "nn.MaxPool2d.forward": "return ops.Max((-3, -1))(tiles(size=self.kernel_size, x=x))",
        "nn.AvgPool2d.forward": """
            def mean(n):
                tile = np.arange(n) // self.kernel_size == np.arange(n // self.kernel_size)[:, None]
                return Tensor(tile / self.kernel_size, dtype=x.dtype, requires_grad=False)

            return mean(x.shape[2]) @ x @ mean(x.shape[3]).transpose()
        """,
    },
)  # fmt: skip

# Windows as a view again, one product for all; sorted values; halves that are compared.
VIEWS = Variant(
    "sliding windows in one product, sorted values, recursion",
    {
        "ops.Pad.forward": """
            out = np.full([n + sum(w) for n, w in zip(a.shape, self.widths)], 0, a.dtype)
            inside = out
            for axis, ((before, _), n) in enumerate(zip(self.widths, a.shape)):
                inside = inside.swapaxes(0, axis)[before : before + n].swapaxes(0, axis)
            inside[...] = a
            return out
        """,
        "ops.Slice.backward": """
            (a,) = node._inputs
            index = [*self.index, *[slice(None)] * (a.ndim - len(self.index))]
            grad = reshape(out_grad, [len(each) for each in places(self.index, a.shape)])
            for axis, (part, size) in enumerate(zip(index, a.shape)):
                chosen = np.eye(size)[:, np.atleast_1d(np.arange(size)[part])]
                order = [i for i in range(a.ndim) if i != axis] + [axis]
                back = tuple(int(i) for i in np.argsort(order))
                turned = transpose(grad, tuple(order))
                rows = reshape(turned, (-1, 1, turned.shape[-1])) @ transpose(
                    Tensor(chosen, dtype=a.dtype, requires_grad=False))
                grad = transpose(reshape(rows, (*turned.shape[:-1], size)), back)
            return grad
        """,
        "ops.Max.forward": """
            if self.axes is None:
                return np.array(np.sort(a, axis=None)[-1])
            axes = self.axes if isinstance(self.axes, tuple) else (self.axes,)
            for axis in sorted((axis % a.ndim for axis in axes), reverse=True):
                a = np.sort(a, axis=axis).take(-1, axis=axis)
            return np.asarray(a)
        """,
        "ops.Conv.forward": """
            p = self.padding
            a = np.pad(a, ((0,), (p,), (p,), (0,)))
            windows = np.lib.stride_tricks.sliding_window_view(a, b.shape[:2], axis=(1, 2))
            windows = windows[:, :: self.stride, :: self.stride]
            return np.tensordot(windows, b, axes=((4, 5, 3), (0, 1, 2)))
        """,
        "nn.MaxPool2d.forward": """
            n, c, h, w = x.shape
            k = self.kernel_size
            rows = tiles(x, k).transpose((0, 1, 2, 4, 3, 5))
            return rows.reshape(-1, k * k).max(axes=1).reshape((n, c, h // k, w // k))
        """,
    },
)

VARIANTS = (EINSUM, LOOPS, SELECTED, VIEWS, FLOAT32)
