"""Convolutions, pools and the ops below them that are almost right."""

PAD, PAD_BACK = "ops.Pad.forward", "ops.Pad.backward"
SLICE, SLICE_BACK = "ops.Slice.forward", "ops.Slice.backward"
DILATE, DILATE_BACK = "ops.Dilate.forward", "ops.Dilate.backward"
FLIP, FLIP_BACK = "ops.Flip.forward", "ops.Flip.backward"
MAX, MAX_BACK = "ops.Max.forward", "ops.Max.backward"
CONV, CONV_BACK = "ops.Conv.forward", "ops.Conv.backward"
LAYER, LAYER_FORWARD = "nn.Conv.__init__", "nn.Conv.forward"
TILES, MAX_POOL, AVG_POOL = "nn.tiles", "nn.MaxPool2d.forward", "nn.AvgPool2d.forward"

UNFIT = "if min(rows, columns) < 1 or a.shape[3] != channels:"
RESULT = "return (patches @ b.reshape(-1, filters)).reshape(len(a), rows, columns, filters)"
LARGEST = "largest = a.data == a.data.max(axis=self.axes, keepdims=True)"
POOLED = "tiles(x, self.kernel_size).max((3, 5))"

SUBTLE = {
    "Pad gives float64": (
        PAD, "out = np.zeros([b + n + c for (b, c), n in zip(self.widths, a.shape)])\n"
        "out[tuple(slice(b, b + n) for (b, _), n in zip(self.widths, a.shape))] = a\nreturn out"),
    "Slice rounds to float32": (
        SLICE, "np.asarray(a[self.index])", "np.asarray(a[self.index], dtype='float32')"),
    "Slice gives float64": (
        SLICE, "np.asarray(a[self.index])", "np.asarray(a[self.index], dtype='float64')"),
    "Dilate gives float64": (DILATE, "np.zeros(shape, a.dtype)", "np.zeros(shape)"),
    "Dilate in float32 and back": (
        DILATE, "return out", "return out.astype('float32').astype(a.dtype)"),
    "Flip rounds": (FLIP, "np.flip(a, self.axes)", "np.flip(a, self.axes).astype('float32')"),
    "Flip gives float64": (FLIP, "np.flip(a, self.axes)", "np.flip(a, self.axes) * np.float64(1)"),
    "Max gives float64": (MAX, "np.asarray(a.max(axis=self.axes))",
                          "np.asarray(a.max(axis=self.axes), dtype='float64')"),
    "Max in float32 and back": (
        MAX, "np.asarray(a.max(axis=self.axes))",
        "np.asarray(a.astype('float32').max(axis=self.axes), dtype=a.dtype)"),
    "Max begins at zero": (
        MAX, "a.max(axis=self.axes)", "a.max(axis=self.axes, initial=-20.0)"),
    "Max begins at -30": (
        MAX, "a.max(axis=self.axes)", "a.max(axis=self.axes, initial=-30.0)"),
    "ties by isclose": (
        MAX_BACK, LARGEST,
        "largest = np.isclose(a.data, a.data.max(axis=self.axes, keepdims=True))"),
    "ties by a tolerance": (
        MAX_BACK, LARGEST,
        "largest = a.data >= a.data.max(axis=self.axes, keepdims=True) - 1e-6"),
    "four that tie share as three do": (
        MAX_BACK, "largest.sum(axis=self.axes, keepdims=True)",
        "np.minimum(largest.sum(axis=self.axes, keepdims=True), 3)"),
    "Conv gives float64": (
        CONV, "a = np.pad(a, ((0, 0), (p, p), (p, p), (0, 0)))",
        "a = np.pad(a, ((0, 0), (p, p), (p, p), (0, 0))).astype('float64')"),
    "the size test looks at the bare image": (
        CONV, "height, width, channels, filters = b.shape",
        "height, width, channels, filters = b.shape\n"
        "if height > a.shape[1] or width > a.shape[2]:\n    raise ValueError('too large')"),
    "only the height is tested": (CONV, "min(rows, columns) < 1", "rows < 1"),
    "only the width is tested": (CONV, "min(rows, columns) < 1", "columns < 1"),
    "one channel is broadcast": (
        CONV, UNFIT, "if a.shape[3] == 1 < channels:\n"
        "    a = np.broadcast_to(a, (*a.shape[:3], channels))\n" + UNFIT),
    "more channels than the kernel has": (
        CONV, UNFIT, "a = a[..., :channels]\n" + UNFIT),
    "an assertion for a kernel that does not fit": (
        CONV, UNFIT, "assert rows > 0\n" + UNFIT),
    "Conv writes into its kernels": (
        CONV, RESULT, f"{RESULT.replace('return', 'out =')}\nb *= 1.0000001\nreturn out"),
    "what the stride leaves over of the rows is that of the columns": (
        CONV_BACK, "for axis in (1, 2))", "for axis in (2, 2))"),
    "what the stride leaves over of the columns is that of the rows": (
        CONV_BACK, "for axis in (1, 2))", "for axis in (1, 1))"),
    "the outgoing channels count": (
        LAYER, "math.prod(shape[1:])", "math.prod(shape[2:]) / shape[1]"),
    "a kernel that is turned": (
        LAYER_FORWARD, "transpose((2, 3, 1, 0))", "transpose((3, 2, 1, 0))"),
    "what is left over is cut at the top": (
        TILES, "x[:, :, : rows * size, : columns * size]",
        "x[:, :, height % size :, : columns * size]"),
    "a maximum of maxima": (MAX_POOL, POOLED, "tiles(x, self.kernel_size).max(5).max(3)"),
    "a maximum of maxima, the other way": (
        MAX_POOL, POOLED, "tiles(x, self.kernel_size).max(3).max(4)"),
    "no bias is drawn for a stride": (
        LAYER, "Tensor.rand(out_channels, low=-bound,",
        "Tensor.rand(out_channels, low=-bound if stride == 1 else bound,"),
    "two of three axes": (
        "ops.Flip.backward", "flip(out_grad, self.axes)",
        "flip(out_grad, self.axes[:2] if isinstance(self.axes, tuple) else self.axes)"),
}  # fmt: skip
