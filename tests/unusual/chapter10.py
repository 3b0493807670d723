"""Images by index arrays, windows of memory and einsum."""

from grader.course import right, variant


@variant("unusual words")
class UNUSUAL:
    @right("ops.Pad.forward")
    def pad_forward(self, a):
        out = np.zeros([b + n + e for (b, e), n in zip(self.widths, a.shape)], a.dtype)
        places = np.ix_(*(np.arange(n) + b for (b, _), n in zip(self.widths, a.shape)))
        out[places if a.ndim else ()] = a
        return out

    @right("ops.Pad.backward")
    def pad_backward(self, out_grad, node):
        for axis, (before, after) in enumerate(self.widths):
            whole = [slice(None)] * axis
            out_grad = out_grad[(*whole, slice(before, out_grad.shape[axis] - after))]
        return out_grad

    @right("ops.Slice.forward")
    def slice_forward(self, a):
        out = a
        for axis, part in reversed([*enumerate(self.index)]):
            rows = range(a.shape[axis])[part]
            out = np.take(out, rows if isinstance(part, int | np.integer) else list(rows), axis)
        return np.asarray(out, a.dtype)

    @right("ops.Slice.backward")
    def slice_backward(self, out_grad, node):
        (a,) = node._inputs
        picked = places(self.index, a.shape)
        # For each axis a matrix that says which place goes where; their product does it.
        grad = reshape(out_grad, tuple(map(len, picked)))
        for axis, rows in enumerate(picked):
            where = np.zeros((len(rows), a.shape[axis]))
            where[np.arange(len(rows)), list(rows)] = 1
            where = Tensor(where, dtype=out_grad.dtype, requires_grad=False)
            order = [*range(grad.ndim)]
            order[axis], order[-1] = order[-1], order[axis]
            shape = grad.transpose(tuple(order)).shape
            grad = grad.transpose(tuple(order)).reshape(-1, len(rows)) @ where
            grad = grad.reshape(*shape[:-1], a.shape[axis]).transpose(tuple(order))
        return grad

    @right("ops.Dilate.forward")
    def dilate_forward(self, a):
        for axis in np.atleast_1d(self.axes):
            spread = np.zeros((*a.shape, self.step), a.dtype)
            spread[..., 0] = a
            spread = np.moveaxis(spread, -1, axis % a.ndim + 1)
            shape = list(a.shape)
            shape[axis] *= self.step
            a = np.delete(spread.reshape(shape), np.s_[max(shape[axis] - self.step + 1, 0) :], axis)
        return a

    @right("ops.Dilate.backward")
    def dilate_backward(self, out_grad, node):
        axes = {axis % out_grad.ndim for axis in np.atleast_1d(self.axes).tolist()}
        steps = (self.step if axis in axes else 1 for axis in range(out_grad.ndim))
        return out_grad[tuple(slice(0, None, step) for step in steps)]

    @right("ops.Flip.forward")
    def flip_forward(self, a):
        for axis in np.atleast_1d(self.axes):
            a = np.take(a, np.arange(a.shape[axis])[::-1], axis)
        return a

    flip_backward = right("ops.Flip.backward", "return Flip(axes=self.axes)(out_grad)")

    @right("ops.Max.forward")
    def max_forward(self, a):
        return np.maximum.reduce(a, axis=self.axes, keepdims=True).squeeze(
            tuple(range(a.ndim)) if self.axes is None else self.axes
        )

    @right("ops.Max.backward")
    def max_backward(self, out_grad, node):
        (a,) = node._inputs
        kept = np.amax(a.data, axis=self.axes, keepdims=True)
        ties = np.sum(is_largest := a.data >= kept, axis=self.axes, keepdims=True)
        share = reshape(out_grad, kept.shape) / Tensor(ties, dtype=a.dtype, requires_grad=False)
        return share * Tensor(is_largest, dtype=a.dtype, requires_grad=False)

    @right("ops.Conv.forward")
    def conv_forward(self, a, b):
        p, s = self.padding, self.stride
        padded = np.pad(a, [(0, 0), (p, p), (p, p), (0, 0)])
        size = b.shape[:2]
        if a.shape[-1] != b.shape[2] or any(k > n for k, n in zip(size, padded.shape[1:3])):
            raise ValueError("This kernel does not fit.")
        below = np.lib.stride_tricks.sliding_window_view(padded, size, axis=(1, 2))[:, ::s, ::s]
        return np.einsum("nrcihw,hwio->nrco", below, b)

    @right("ops.Conv.backward")
    def conv_backward(self, out_grad, node):
        (a, b), p, s = node._inputs, self.padding, self.stride
        padded = pad(a, ((0, 0), (p, p), (p, p), (0, 0)))
        rows, columns = out_grad.shape[1:3]
        grad_a, grad_b = None, []
        for i in range(b.shape[0]):
            for j in range(b.shape[1]):
                under = padded[:, i : i + s * (rows - 1) + 1 : s, j : j + s * (columns - 1) + 1 : s]
                flat = out_grad.reshape(-1, b.shape[3])
                grad_b.append(under.reshape(-1, b.shape[2]).transpose() @ flat)
                back = dilate((flat @ b[i, j].transpose()).reshape(under.shape), (1, 2), s)
                down, across = (padded.shape[x] - back.shape[x] for x in (1, 2))
                back = pad(back, ((0, 0), (i, down - i), (j, across - j), (0, 0)))
                grad_a = back if grad_a is None else grad_a + back
        corner = slice(p, p + a.shape[1]), slice(p, p + a.shape[2])
        total, cells = None, len(grad_b)
        for place, each in enumerate(grad_b):
            put = pad(each.reshape(1, *each.shape), ((place, cells - 1 - place), (0, 0), (0, 0)))
            total = put if total is None else total + put
        return grad_a[(slice(None), *corner)], total.reshape(b.shape)

    @right("nn.Conv.__init__")
    def conv_init(self, in_channels, out_channels, kernel_size, stride, padding, bias, dtype):
        self.stride, self.padding = stride, padding
        n = in_channels * kernel_size**2
        shape = out_channels, in_channels, kernel_size, kernel_size
        drawn = np.random.uniform(-(n**-0.5), n**-0.5, (out_channels, n + 1))
        self.weight = Parameter(drawn[:, :-1].reshape(shape), dtype=dtype)
        self.bias = Parameter(drawn[:, -1], dtype=dtype) if bias else None

    @right("nn.Conv.forward")
    def nn_conv_forward(self, x):
        def turned(x, order):
            return ops.Transpose(tuple(map(int, order)))(x)

        out = turned(
            ops.Conv(self.stride, self.padding)(turned(x, "0231"), turned(self.weight, "2310")),
            "0312",
        )
        if self.bias is None:
            return out
        return out + self.bias.reshape(1, -1, 1, 1)

    @right("nn.tiles")
    def tiles(x, size):
        for axis in (2, 3):
            x = x[(slice(None),) * axis + (slice(x.shape[axis] - x.shape[axis] % size),)]
        shape = x.shape[:2]
        for n in x.shape[2:]:
            shape += n // size, size
        return ops.Reshape(shape)(x)

    @right("nn.MaxPool2d.forward")
    def max_pool2d_forward(self, x):
        cut = ops.transpose(tiles(x, self.kernel_size), (0, 1, 2, 4, 3, 5))
        return ops.amax(cut.reshape(*cut.shape[:4], -1), -1)

    @right("nn.AvgPool2d.forward")
    def avg_pool2d_forward(self, x):
        cut, k = tiles(x, self.kernel_size), self.kernel_size
        share = Tensor(np.full((k, 1), 1 / k), dtype=x.dtype, requires_grad=False)
        across = cut @ share
        return ((across.reshape(cut.shape[:5]).transpose()) @ share).reshape(
            *cut.shape[:3], cut.shape[4]
        )
