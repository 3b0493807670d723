"""Convolutions, pools and the ops below them that are almost right."""

from grader.course import after, edit, instead, mistake

PAD = "ops.Pad.forward"
SLICE = "ops.Slice.forward"
DILATE = "ops.Dilate.forward"
FLIP = "ops.Flip.forward"
MAX, MAX_BACK = "ops.Max.forward", "ops.Max.backward"
CONV, CONV_BACK = "ops.Conv.forward", "ops.Conv.backward"
LAYER, LAYER_FORWARD = "nn.Conv.__init__", "nn.Conv.forward"
TILES = "nn.tiles"
MAX_POOL = "nn.MaxPool2d.forward"

LARGEST = "largest = a.data == a.data.max(axis=self.axes, keepdims=True)"
POOLED = "tiles(x, self.kernel_size).max((3, 5))"


class SUBTLE:
    @mistake(target=PAD)
    def Pad_gives_float64(self, a):
        out = np.zeros([b + n + c for (b, c), n in zip(self.widths, a.shape)])
        out[tuple(slice(b, b + n) for (b, _), n in zip(self.widths, a.shape))] = a
        return out

    Slice_rounds_to_float32 = edit(
        "np.asarray(a[self.index])", "np.asarray(a[self.index], dtype='float32')", target=SLICE
    )
    Slice_gives_float64 = edit(
        "np.asarray(a[self.index])", "np.asarray(a[self.index], dtype='float64')", target=SLICE
    )
    Dilate_gives_float64 = edit("np.zeros(shape, a.dtype)", "np.zeros(shape)", target=DILATE)
    Dilate_in_float32_and_back = edit(
        "return out", "return out.astype('float32').astype(a.dtype)", target=DILATE
    )
    Flip_rounds = edit(
        "np.flip(a, self.axes)", "np.flip(a, self.axes).astype('float32')", target=FLIP
    )
    Flip_gives_float64 = edit(
        "np.flip(a, self.axes)", "np.flip(a, self.axes) * np.float64(1)", target=FLIP
    )
    Max_gives_float64 = edit(
        "np.asarray(a.max(axis=self.axes))",
        "np.asarray(a.max(axis=self.axes), dtype='float64')",
        target=MAX,
    )
    Max_in_float32_and_back = edit(
        "np.asarray(a.max(axis=self.axes))",
        "np.asarray(a.astype('float32').max(axis=self.axes), dtype=a.dtype)",
        target=MAX,
    )
    Max_begins_at_zero = edit(
        "a.max(axis=self.axes)", "a.max(axis=self.axes, initial=-20.0)", target=MAX
    )
    Max_begins_at_minus_30 = edit(
        "a.max(axis=self.axes)", "a.max(axis=self.axes, initial=-30.0)", target=MAX
    )
    ties_by_isclose = edit(
        LARGEST,
        "largest = np.isclose(a.data, a.data.max(axis=self.axes, keepdims=True))",
        target=MAX_BACK,
    )
    ties_by_a_tolerance = edit(
        LARGEST,
        "largest = a.data >= a.data.max(axis=self.axes, keepdims=True) - 1e-6",
        target=MAX_BACK,
    )
    four_that_tie_share_as_three_do = edit(
        "largest.sum(axis=self.axes, keepdims=True)",
        "np.minimum(largest.sum(axis=self.axes, keepdims=True), 3)",
        target=MAX_BACK,
    )
    Conv_gives_float64 = edit(
        "a = np.pad(a, ((0, 0), (p, p), (p, p), (0, 0)))",
        "a = np.pad(a, ((0, 0), (p, p), (p, p), (0, 0))).astype('float64')",
        target=CONV,
    )

    @after("height, width, channels, filters = b.shape", target=CONV)
    def the_size_test_looks_at_the_bare_image(height, width, a):
        if height > a.shape[1] or width > a.shape[2]:
            raise ValueError("too large")

    only_the_height_is_tested = edit("min(rows, columns) < 1", "rows < 1", target=CONV)
    only_the_width_is_tested = edit("min(rows, columns) < 1", "columns < 1", target=CONV)

    @after("rows, columns = (a.shape[1]", target=CONV)
    def one_channel_is_broadcast(channels, a):
        if a.shape[3] == 1 < channels:
            a = np.broadcast_to(a, (*a.shape[:3], channels))

    @after("rows, columns = (a.shape[1]", target=CONV)
    def more_channels_than_the_kernel_has(a, channels):
        a = a[..., :channels]

    @after("rows, columns = (a.shape[1]", target=CONV)
    def an_assertion_for_a_kernel_that_does_not_fit(rows):
        assert rows > 0

    @instead("return (patches @", target=CONV)
    def Conv_writes_into_its_kernels(rows, columns, filters, a, patches, b):
        out = (patches @ b.reshape(-1, filters)).reshape(len(a), rows, columns, filters)
        b *= 1.0000001
        return out

    what_the_stride_leaves_over_of_the_rows_is_that_of_the_columns = edit(
        "for axis in (1, 2))", "for axis in (2, 2))", target=CONV_BACK
    )
    what_the_stride_leaves_over_of_the_columns_is_that_of_the_rows = edit(
        "for axis in (1, 2))", "for axis in (1, 1))", target=CONV_BACK
    )
    the_outgoing_channels_count = edit(
        "math.prod(shape[1:])", "math.prod(shape[2:]) / shape[1]", target=LAYER
    )
    a_kernel_that_is_turned = edit(
        "transpose((2, 3, 1, 0))", "transpose((3, 2, 1, 0))", target=LAYER_FORWARD
    )
    what_is_left_over_is_cut_at_the_top = edit(
        "x[:, :, : rows * size, : columns * size]",
        "x[:, :, height % size :, : columns * size]",
        target=TILES,
    )
    a_maximum_of_maxima = edit(POOLED, "tiles(x, self.kernel_size).max(5).max(3)", target=MAX_POOL)
    a_maximum_of_maxima_the_other_way = edit(
        POOLED, "tiles(x, self.kernel_size).max(3).max(4)", target=MAX_POOL
    )
    no_bias_is_drawn_for_a_stride = edit(
        "Tensor.rand(out_channels, low=-bound,",
        "Tensor.rand(out_channels, low=-bound if stride == 1 else bound,",
        target=LAYER,
    )
    two_of_three_axes = edit(
        "flip(out_grad, self.axes)",
        "flip(out_grad, self.axes[:2] if isinstance(self.axes, tuple) else self.axes)",
        target="ops.Flip.backward",
    )
