"""`nn.Conv`: kernels as parameters, images as PyTorch has them."""

from typing import TYPE_CHECKING

from exercises.chapter4.activations import LEAF
from exercises.chapter4.sentences import BIAS_OF_ZERO, OWN_DTYPE, PLAIN_TENSORS
from grader.course import also, edit, exercise

if TYPE_CHECKING:  # what the wrong bodies name
    from solutions.babygrad import ops
    from solutions.babygrad.tensor import Tensor


@exercise(
    "chapter10.nn_conv.init",
    targets=("nn.Conv.__init__",),
    points=2,
    needs=("chapter4.parameter.init",),
    hints=(
        "`Linear.__init__` of chapter 4 did nearly the same. What does a kernel add up, where a "
        "linear layer adds up `in_features` numbers?",
        "The shape of the weight stands in the docstring of the class. Keep `stride` and `padding` "
        "too: `forward` needs them.",
    ),
)
class INIT:
    as_the_op_wants_it = edit(
        (
            "out_channels, in_channels, kernel_size, kernel_size",
            "kernel_size, kernel_size, in_channels, out_channels",
        ),
        ("1:", ":3"),
    )
    """This is the order that `ops.conv` wants. The layer keeps its weight as PyTorch does:
    `(out_channels, in_channels, kernel_size, kernel_size)`."""

    channels_swapped = edit(
        ("out_channels, in_channels", "in_channels, out_channels"),
        ("math.prod(shape[1:])", "in_channels * kernel_size**2"),
    )
    """The channels changed places: those that come out stand first."""

    plain_tensors = edit(
        ("weight = Parameter", "weight = "), ("bias = Parameter", "bias = "), says=PLAIN_TENSORS
    )

    bound_by_channels = edit("math.prod(shape[1:])", "in_channels")
    """The bound comes from how many numbers each sum adds up. That is not one per channel but one
    per channel *and place* of the kernel."""

    from_zero = edit(
        ("shape, low=-bound", "shape, low=0"), ("out_channels, low=-bound", "out_channels, low=0")
    )
    """All values start positive. The draw goes from -1/√n to 1/√n."""

    always_a_bias = edit("bias:", "True:")
    """`bias=False` is ignored: there is a bias all the same."""

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
    hints=(
        "Write both orders of the axes side by side, and number those of the first: which goes "
        "where? `transpose` takes just these numbers.",
        "The bias has the shape `(out_channels,)`. Broadcasting lines shapes up at their right "
        "ends: when do the channels lie last?",
        "`self.bias` may be None. And the result goes back into PyTorch's order.",
    ),
)
class FORWARD:
    def no_bias(self, x):
        """The bias is missing."""
        images = x.transpose((0, 2, 3, 1))
        kernels = self.weight.transpose((2, 3, 1, 0))
        out = ops.conv(images, kernels, self.stride, self.padding)
        return out.transpose((0, 3, 1, 2))

    needs_a_bias = edit("if self.bias is not None:\n    ", "")
    """With `bias=False`, `self.bias` is None, and nothing can be added to None."""

    def bias_along_the_width(self, x):
        """The bias was added when the width lay last, so that each *column* got one instead of each
        channel; where the two are not equally many it fails. Add it while the channels lie last, or
        reshape it to `(channels, 1, 1)`."""
        out = ops.conv(
            x.transpose((0, 2, 3, 1)),
            self.weight.transpose((2, 3, 1, 0)),
            self.stride,
            self.padding,
        ).transpose((0, 3, 1, 2))
        return out if self.bias is None else out + self.bias

    bias_detached = edit("  # the channels lie last here, so that the shapes line up", ".detach()")
    """The values are right, but the bias is not part of the graph: it never gets a gradient."""

    weight_detached = edit("weight", "weight.detach()")
    """The values are right, but the weight is not part of the graph: it never gets a gradient."""

    channels_stay_last = edit(".transpose((0, 3, 1, 2))", "")
    """The channels lie last in your result. The next layer expects them where they were in `x`,
    after the batch."""

    reshaped = edit(
        "transpose((0, 2, 3, 1))", "reshape(x.shape[0], x.shape[2], x.shape[3], x.shape[1])"
    )
    """A reshape changes the shape and leaves the values in their order: pixels of different
    channels are mixed up. To move an axis takes a transpose."""

    kernel_axes_swapped = edit("2, 3, 1,", "3, 2, 1,")
    """Rows and columns of the kernels changed places."""

    stride_ignored = edit("self.stride", "1")
    """`self.stride` is ignored."""

    padding_ignored = edit(", self.padding", "")
    """`self.padding` is ignored."""

    @also(says=LEAF)
    def data_only(self, x):
        images = x.transpose((0, 2, 3, 1))
        kernels = self.weight.transpose((2, 3, 1, 0))
        out = ops.conv(images, kernels, self.stride, self.padding)
        if self.bias is not None:
            out = out + self.bias
        out = out.transpose((0, 3, 1, 2))
        return Tensor(out.data, dtype=out.dtype)
