"""`nn.Conv`: kernels as parameters, images as PyTorch has them."""

from exercises.chapter4.activations import LEAF
from exercises.chapter4.sentences import BIAS_OF_ZERO, OWN_DTYPE, PLAIN_TENSORS
from grader.course import edit, exercise, mistake


@exercise(
    "chapter10.nn_conv.init",
    targets=("nn.Conv.__init__",),
    points=2,
    needs=("chapter4.parameter.init",),
)
class INIT:
    """`Linear.__init__` of chapter 4 did nearly the same. A linear layer adds up `in_features`
    numbers. How many does a kernel add up?

    The docstring of the class has the shape of the weight. Keep `stride` and `padding` too:
    `forward` needs them.
    """

    as_the_op_wants_it = edit(
        (
            "out_channels, in_channels, kernel_size, kernel_size",
            "kernel_size, kernel_size, in_channels, out_channels",
        ),
        ("1:", ":3"),
    )
    """This is the order that `ops.conv` takes. The layer keeps its weight as PyTorch does:
    `(out_channels, in_channels, kernel_size, kernel_size)`."""

    channels_swapped = edit(
        ("out_channels, in_channels", "in_channels, out_channels"),
        ("math.prod(shape[1:])", "in_channels * kernel_size**2"),
    )
    """The channels are swapped: those that come out are first."""

    plain_tensors = edit(
        ("weight = Parameter", "weight = "), ("bias = Parameter", "bias = "), says=PLAIN_TENSORS
    )

    bound_by_channels = edit("math.prod(shape[1:])", "in_channels")
    """The bound comes from how many numbers each sum adds up: one per channel *and place* of the
    kernel, not one per channel."""

    from_zero = edit(
        ("shape, low=-bound", "shape, low=0"), ("out_channels, low=-bound", "out_channels, low=0")
    )
    """All values start positive. The draw goes from -1/√n to 1/√n."""

    always_a_bias = edit("bias:", "True:")
    """`bias=False` is ignored: there is a bias anyway."""

    own_dtype = edit(
        ("shape, low=-bound, high=bound, dtype=dtype", "shape, low=-bound, high=bound"),
        (
            "out_channels, low=-bound, high=bound, dtype=dtype",
            "out_channels, low=-bound, high=bound",
        ),
        says=OWN_DTYPE,
    )

    stride_not_kept = edit(" stride", " 1")
    """The argument `stride` is ignored."""

    bias_of_zero = edit(
        "rand(out_channels, low=-bound, high=bound, dtype=dtype)",
        "zeros(out_channels, dtype=dtype)",
        says=BIAS_OF_ZERO,
    )

    bias_per_input = edit("out_channels, low", "in_channels, low")
    """There is one bias for each channel that comes *out*."""


@exercise(
    "chapter10.nn_conv.forward",
    targets=("nn.Conv.forward",),
    points=3,
    needs=(
        "chapter10.nn_conv.init",
        "chapter10.conv.forward",
        "chapter10.conv.backward",
        "chapter3.transpose.forward",
    ),
)
class FORWARD:
    """Write both orders of the axes side by side, and number those of the first: which goes where?
    `transpose` takes just these numbers.

    The bias has the shape `(out_channels,)`. Broadcasting lines shapes up at their right ends: when
    are the channels last?

    `self.bias` may be None. And the result goes back into PyTorch's order.
    """

    def no_bias(self, x):
        """The bias is missing."""
        images = x.transpose((0, 2, 3, 1))
        kernels = self.weight.transpose((2, 3, 1, 0))
        out = ops.conv(images, kernels, self.stride, self.padding)
        return out.transpose((0, 3, 1, 2))

    def needs_a_bias(self, x):
        """With `bias=False`, `self.bias` is None, and nothing can be added to None."""
        images = x.transpose((0, 2, 3, 1))
        kernels = self.weight.transpose((2, 3, 1, 0))
        out = ops.conv(images, kernels, self.stride, self.padding)
        out = out + self.bias  # the channels lie last here, so that the shapes line up
        return out.transpose((0, 3, 1, 2))

    def bias_along_the_width(self, x):
        """You added the bias when the width was last, so each *column* got one instead of each
        channel; if there aren't as many of one as of the other, it fails. Add it while the channels
        are last, or reshape it to `(channels, 1, 1)`."""
        out = ops.conv(
            x.transpose((0, 2, 3, 1)),
            self.weight.transpose((2, 3, 1, 0)),
            self.stride,
            self.padding,
        ).transpose((0, 3, 1, 2))
        return out if self.bias is None else out + self.bias

    bias_detached = edit("  # the channels lie last here, so that the shapes line up", ".detach()")
    """The values are right, but the bias isn't part of the graph: it never gets a gradient."""

    weight_detached = edit("weight", "weight.detach()")
    """The values are right, but the weight isn't part of the graph: it never gets a gradient."""

    channels_stay_last = edit(".transpose((0, 3, 1, 2))", "")
    """The channels are last in your result. The next layer expects them where they were in `x`,
    after the batch."""

    reshaped = edit(
        "transpose((0, 2, 3, 1))", "reshape(x.shape[0], x.shape[2], x.shape[3], x.shape[1])"
    )
    """A reshape changes the shape and leaves the values in their order: pixels of different
    channels are mixed up. To move an axis, you need a transpose."""

    kernel_axes_swapped = edit("2, 3, 1,", "3, 2, 1,")
    """You swapped rows and columns of the kernels."""

    stride_ignored = edit("self.stride", "1")
    """`self.stride` is ignored."""

    padding_ignored = edit(", self.padding", "")
    """`self.padding` is ignored."""

    @mistake(says=LEAF)
    def data_only(self, x):
        images = x.transpose((0, 2, 3, 1))
        kernels = self.weight.transpose((2, 3, 1, 0))
        out = ops.conv(images, kernels, self.stride, self.padding)
        if self.bias is not None:
            out = out + self.bias
        out = out.transpose((0, 3, 1, 2))
        return Tensor(out.data, dtype=out.dtype)
