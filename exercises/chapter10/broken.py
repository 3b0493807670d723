"""Wrong bodies that break one clause of a promise alone: below each its clause."""

from grader.course import before, broken, edit, instead, mistake

ROWS, COLUMNS = "(a.shape[1] - height) // s", "(a.shape[2] - width) // s"


@broken("tensor.Tensor.max")
class TENSOR_MAX:
    the_largest_value_over_axes = edit("self, axes", "self, -1 if axes is None else axes")
    """The largest value over `axes` (None: of all);"""

    def these_axes_are_gone(self, axes):
        """these axes are gone in the result."""
        return ops.reshape(ops.amax(self, axes), self.data.max(axis=axes, keepdims=True).shape)


@broken("ops.Conv.forward")
class CONV_FORWARD:
    rows_is = edit(ROWS, COLUMNS)
    """`rows` is `(height + 2 * padding - kernel height) // stride + 1`,"""

    columns_likewise = edit(COLUMNS, ROWS)
    """and `columns` likewise;"""

    what_is_left_over_at = edit(
        "if min", "if (a.shape[1] - height) % s or (a.shape[2] - width) % s or min"
    )
    """what is left over at the bottom and at the right is ignored."""

    @instead("if min(rows, columns)", 'raise ValueError(f"kernels')
    def valueerror_the_kernel_is_larger(rows, columns, channels, a, b):
        """ValueError: the kernel is larger than the padded image,"""
        rows, columns = max(rows, 0), max(columns, 0)
        if a.shape[3] != channels:
            raise ValueError(f"kernels {b.shape} do not fit into padded images {a.shape}")

    @before("height, width, channels, filters = b.shape")
    def a_and_b_do_not(a, b):
        """or `a` and `b` do not agree on the number of channels."""
        a, b = a[..., : b.shape[2]], b[:, :, : a.shape[3]]


@broken("nn.Conv.__init__")
class CONV_INIT:
    the_values_of_both_start = edit(
        ("shape, low=-bound", "shape, low=0"), ("out_channels, low=-bound", "out_channels, low=0")
    )
    """The values of both start uniform between -1/√n and 1/√n,…"""

    where_n_is_how_many = edit("math.prod(shape[1:])", "in_channels")
    """where n is how many numbers each sum adds up:…"""


@broken("nn.MaxPool2d.forward")
class MAXPOOL2D_FORWARD:
    def where_several_tie_in_equal(self, x):
        """where several tie, in equal shares."""
        size = self.kernel_size
        apart = tiles(x, size).transpose((0, 1, 2, 4, 3, 5))
        flat = apart.reshape((*apart.shape[:4], size * size))
        first = Tensor.one_hot(flat.data.argmax(-1), size * size, dtype=x.dtype)
        return (flat * first).sum(-1)


@broken("ops.Pad")
class PAD:
    how_many_zeros_come_before = edit(
        "self.widths", "[(after, after) for _, after in self.widths]", target="ops.Pad.forward"
    )
    """how many zeros come before its first value,"""

    how_many_after_its_last = edit(
        "self.widths", "[(before, before) for before, _ in self.widths]", target="ops.Pad.forward"
    )
    """and how many after its last one."""


@broken("ops.Slice")
class SLICE:
    @mistake(target="ops.Slice.forward")
    def an_int_removes_its_axis(self, a):
        """An int removes its axis;"""
        return np.asarray(
            a[
                tuple(
                    part if isinstance(part, slice) else slice(part, part + 1 or None)
                    for part in self.index
                )
            ]
        )

    axes_without_an_index_stay = edit(
        "a[self.index]",
        "a[(*self.index, *[0] * (a.ndim - len(self.index)))]",
        target="ops.Slice.forward",
    )
    """axes without an index stay whole."""
