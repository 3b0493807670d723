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

VARIANTS = (EINSUM, LOOPS, FLOAT32)
