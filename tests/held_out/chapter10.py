"""Wrong bodies of chapter 10 written without knowledge of its suites, and unusual right ones."""

from grader.course import after, before, edit, instead, mistake, right


class SECOND_CALL:
    @instead("a = np.pad(a, ((0,", target="ops.Conv.forward")
    def the_padded_image_is_used_again(a, p):
        """Zeros around every image: a frame of the same size still holds a larger image from
        before."""
        whole = len(a), a.shape[1] + 2 * p, a.shape[2] + 2 * p, a.shape[3]
        frames = globals().setdefault("_frames", {})
        frame = frames.setdefault((whole, a.dtype.str), np.zeros(whole, a.dtype))
        frame[:, p : whole[1] - p, p : whole[2] - p] = a
        a = frame

    @instead("largest = a.data", "shares = largest", target="ops.Max.backward")
    def the_shares_of_a_Tensor_are_kept(self, a):
        """out_grad where the largest value was: where it was in the first call, for the same
        Tensor."""
        kept = a.__dict__.setdefault("_shares", {})
        if self.axes not in kept:
            largest = a.data == a.data.max(axis=self.axes, keepdims=True)
            kept[self.axes] = largest / largest.sum(axis=self.axes, keepdims=True)
        shares = kept[self.axes]

    @instead("kernels = self.weight.transpose((2,", target="nn.Conv.forward")
    def the_kernels_are_turned_once(self):
        """Every kernel: after a step of the optimizer, the kernels of before are used."""
        if not hasattr(self, "_kernels"):
            self._kernels = self.weight.transpose((2, 3, 1, 0))
        kernels = self._kernels

    @mistake(target="nn.tiles")
    def the_number_of_tiles_is_kept_by_the_width(x, size):
        """height // size of *this* image: the key leaves the height out."""
        batch, channels, height, width = x.shape
        known = tiles.__dict__.setdefault("known", {})
        rows, columns = known.setdefault((width, size), (height // size, width // size))
        x = x[:, :, : rows * size, : columns * size]
        return x.reshape(batch, channels, rows, size, columns, size)

    @instead("return (patches @", target="ops.Conv.forward")
    def the_products_go_into_the_same_array(self, filters, patches, a, b, rows, columns):
        """The values of the output stay what they were when the next one is computed."""
        if getattr(self, "_out", np.empty(0)).shape != (len(patches), filters):
            self._out = np.empty((len(patches), filters), np.result_type(a, b))
        np.matmul(patches, b.reshape(-1, filters), out=self._out)
        return self._out.reshape(len(a), rows, columns, filters)


class SETTING:
    @mistake(target="ops.Dilate.backward")
    def negative_axes_in_a_tuple_pick_nothing(self, out_grad, node):
        """«axes is an int or a tuple of ints», and an int may be negative: not in a tuple here."""
        axes = (self.axes % out_grad.ndim,) if isinstance(self.axes, int) else self.axes
        every = tuple(
            slice(None, None, self.step if axis in axes else 1) for axis in range(out_grad.ndim)
        )
        return getitem(out_grad, every)

    @after("p, s = self.padding, self.stride", target="ops.Conv.forward")
    def a_kernel_has_to_fit_without_the_padding(height, width, a):
        """The kernel has to fit into the *padded* image."""
        if height > a.shape[1] or width > a.shape[2]:
            raise ValueError("the kernel is larger than the image")

    @mistake(target="ops.Slice.backward")
    def what_has_a_step_is_put_back_in_NumPy(self, out_grad, node):
        """Made of Tensor operations, to be differentiated again: with a step it is a constant."""
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

    axis_zero_counts_as_none = edit(
        "return ops.amax(self, axes)",
        "return ops.amax(self, axes or None)",
        target="tensor.Tensor.max",
    )
    """The largest value over axis 0 is not that of all: 0 counts as nothing."""


class VARIETY:
    as_much_room_at_the_right_as_below = edit(
        "for axis in (1, 2))", "for axis in (1, 1))", target="ops.Conv.backward"
    )
    """«images need not be square»: the room below is taken for the room at the right, too."""

    nearly_equal_values_tie = edit(
        "largest = a.data == a.data.max(axis=self.axes, keepdims=True)",
        "largest = np.isclose(a.data, a.data.max(axis=self.axes, keepdims=True))",
        target="ops.Max.backward",
    )
    """«where k values tie»: nearly equal values do not."""

    first_along_the_rows_then_down = edit(
        "return tiles(x, self.kernel_size).max((3, 5))",
        "return tiles(x, self.kernel_size).max(5).max(3)",
        target="nn.MaxPool2d.forward",
    )
    """Ties in a tile are shared equally: three of four get a quarter, a quarter and a half."""

    @before("self.bias = Parameter(Tensor.rand(out_channels,", target="nn.Conv.__init__")
    def the_bias_looks_at_its_own_length(out_channels):
        """n is how many numbers each *sum* adds up: right if there are as many channels out."""
        bound = 1 / math.sqrt(out_channels)

    @mistake(target="tensor.Tensor.__getitem__")
    def one_index_after_the_other(self, index):
        """A tuple is one index for several axes: x[:, 1] picks a column, not row 1."""
        picked = self
        for part in index if isinstance(index, tuple) else (index,):
            picked = ops.getitem(picked, part)
        return picked

    @mistake(target="nn.AvgPool2d.forward")
    def the_mean_by_the_number_of_columns(self, x):
        """The mean of a tile has size times size terms: this divides by size times columns."""
        cut = tiles(x, self.kernel_size)
        return cut.sum((3, 5)) / (cut.shape[3] * cut.shape[4])

    as_many_columns_as_rows = edit(
        "rows, columns = height // size, width // size",
        "rows = columns = min(height, width) // size",
        target="nn.tiles",
    )
    """Images are not square: a wide one loses its columns."""

    the_kernels_rows_are_a_stride_apart = edit(
        "a[:, i : i + s * rows : s, j : j + s * columns : s]",
        "a[:, i * s : (i + rows) * s : s, j : j + s * columns : s]",
        target="ops.Conv.forward",
    )
    """The kernel's rows are neighbours, whatever the stride is: with a stride of 1 they are
    here."""


class HALF_PROMISE:
    one_row_too_many_is_let_through = edit(
        "if min(rows, columns) < 1 or", "if min(rows, columns) < 0 or", target="ops.Conv.forward"
    )
    """ValueError if the kernel is larger: one row too many gives an empty output instead."""

    @instead("grad_b = conv(transpose(padded,", target="ops.Conv.backward")
    def the_images_are_a_constant_on_the_way_back(padded, spread):
        """«Every backward can be differentiated again»: in this one the images are a constant."""
        still = Tensor(padded.data, dtype=padded.dtype, requires_grad=False)
        grad_b = conv(transpose(still, (3, 1, 2, 0)), transpose(spread, (1, 2, 0, 3)))

    @mistake(target="ops.Flip.forward")
    def reversed_where_it_lies(self, a):
        """A forward leaves its input as it was: the array itself is reversed."""
        a[...] = np.flip(a, self.axes).copy()
        return a

    @before(
        "# For each place",
        edits=(("a.shape[3] != channels:", "a.shape[3] not in (1, channels):"),),
        target="ops.Conv.forward",
    )
    def one_channel_serves_for_all(a, channels):
        """«the channels do not agree» is a ValueError: one channel is stretched to the kernel's."""
        a = np.broadcast_to(a, (*a.shape[:3], channels))

    @mistake(target="ops.Conv.forward")
    def every_window_and_then_every_second_one(self, a, b):
        """«as many windows as the stride asks for»: all are computed, and most thrown away."""
        height, width, channels, filters = b.shape
        p, s = self.padding, self.stride
        a = np.pad(a, ((0, 0), (p, p), (p, p), (0, 0)))
        if a.shape[1] < height or a.shape[2] < width or a.shape[3] != channels:
            raise ValueError(f"kernels {b.shape} do not fit into padded images {a.shape}")
        windows = np.lib.stride_tricks.sliding_window_view(a, (height, width), axis=(1, 2))
        out = np.tensordot(windows, b, axes=((4, 5, 3), (0, 1, 2)))
        return out[:, ::s, ::s]


class RIGHT:
    @right("ops.Conv.forward")
    def a_sum_of_products_one_for_each_place_of_the_kernel(self, a, b):
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

    @right("ops.Dilate.forward")
    def layers_of_zeros_behind_every_value(self, a):
        axes = (self.axes,) if np.ndim(self.axes) == 0 else self.axes
        for axis in axes:
            if self.step == 1 or a.shape[axis] == 0:
                continue
            first = np.moveaxis(a, axis, 0)
            layers = [first] + [np.zeros_like(first)] * (self.step - 1)
            long = np.stack(layers, axis=1).reshape(len(first) * self.step, *first.shape[1:])
            a = np.moveaxis(long[: len(long) - self.step + 1], 0, axis)
        return a.copy()

    @right("ops.Slice.backward")
    def a_matrix_of_ones_for_every_axis(self, out_grad, node):
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

    @right("ops.Max.backward")
    def the_lost_axes_by_a_reshape_the_rest_by_broadcasting(self, out_grad, node):
        (a,) = node._inputs
        top = np.max(a.data, axis=self.axes, keepdims=True)
        many = np.sum(np.equal(a.data, top), axis=self.axes, keepdims=True, dtype=a.dtype)
        winners = np.where(a.data < top, np.zeros((), a.dtype), np.reciprocal(many))
        return reshape(out_grad, top.shape) * Tensor(winners, dtype=a.dtype, requires_grad=False)

    @right("nn.AvgPool2d.forward")
    def a_mean_is_a_convolution(self, x):
        size, channels = self.kernel_size, x.shape[1]
        kernels = np.zeros((size, size, channels, channels))
        kernels[:, :, range(channels), range(channels)] = 1 / size**2
        flat = Tensor(kernels, dtype=x.dtype, requires_grad=False)
        return ops.conv(x.transpose((0, 2, 3, 1)), flat, size).transpose((0, 3, 1, 2))

    @right("nn.MaxPool2d.forward")
    def a_tile_in_a_row(self, x):
        cut = tiles(x, self.kernel_size).transpose((0, 1, 2, 4, 3, 5))
        return cut.reshape(*cut.shape[:4], self.kernel_size**2).max(-1)

    @right("ops.Pad.backward")
    def one_axis_at_a_time(self, out_grad, node):
        (a,) = node._inputs

        def cut(grad, axis):
            if axis < 0:
                return grad
            start = self.widths[axis][0]
            whole = [slice(None)] * axis
            return cut(getitem(grad, (*whole, slice(start, start + a.shape[axis]))), axis - 1)

        return cut(out_grad, a.ndim - 1)

    @right("nn.Conv.forward")
    def the_bias_afterwards(self, x):
        orders = {"in": (0, 2, 3, 1), "out": (0, 3, 1, 2)}
        arguments = x.transpose(orders["in"]), self.weight.transpose((2, 3, 1, 0))
        maps = ops.Conv(padding=self.padding, stride=self.stride)(*arguments).transpose(
            orders["out"]
        )
        if self.bias is None:
            return maps
        return self.bias.reshape(1, -1, 1, 1).broadcast_to(maps.shape) + maps
