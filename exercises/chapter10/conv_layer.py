"""`nn.Conv`: kernels as parameters, images as PyTorch has them."""

from exercises.chapter4.activations import LEAF
from grader.course import Exercise, Mistake

RIGHT = """
self.stride = stride
self.padding = padding
shape = (out_channels, in_channels, kernel_size, kernel_size)
bound = 1 / math.sqrt(math.prod(shape[1:]))
self.weight = Parameter(Tensor.rand(*shape, low=-bound, high=bound, dtype=dtype))
self.bias = None
if bias:
    self.bias = Parameter(Tensor.rand(out_channels, low=-bound, high=bound, dtype=dtype))
"""


def but(old: str, new: str, text: str = RIGHT) -> str:
    """A working body with one thing done otherwise."""
    assert old in text, old
    return text.replace(old, new)


INIT = Exercise(
    "chapter10.nn_conv.init",
    section="10.8",
    targets=("nn.Conv.__init__",),
    points=2,
    minutes=8,
    difficulty=2,
    needs=("chapter4.parameter.init",),
    hints=(
        "`Linear.__init__` of chapter 4 did nearly the same. What does a kernel add up, where a "
        "linear layer adds up `in_features` numbers?",
        "The shape of the weight stands in the docstring of the class. Keep `stride` and `padding` "
        "too: `forward` needs them.",
    ),
    mistakes=(
        Mistake(
            "as-the-op-wants-it",
            but("(out_channels, in_channels, kernel_size, kernel_size)",
                "(kernel_size, kernel_size, in_channels, out_channels)").replace("shape[1:]",
                                                                                "shape[:3]"),
            "This is the order that `ops.conv` wants. The layer keeps its weight as PyTorch does: "
            "`(out_channels, in_channels, kernel_size, kernel_size)`.",
        ),
        Mistake(
            "channels-swapped",
            but("(out_channels, in_channels,", "(in_channels, out_channels,").replace(
                "math.prod(shape[1:])", "in_channels * kernel_size**2"),
            "The channels changed places: those that come out stand first.",
        ),
        Mistake(
            "plain-tensors", RIGHT.replace("Parameter(", "("),
            "Weight and bias are plain Tensors. A module finds its parameters by their type, so "
            "an optimizer would never see these.",
        ),
        Mistake(
            "bound-by-channels", but("math.prod(shape[1:])", "in_channels"),
            "The bound comes from how many numbers each sum adds up. That is not one per channel "
            "but one per channel *and place* of the kernel.",
        ),
        Mistake(
            "from-zero", RIGHT.replace("low=-bound", "low=0"),
            "All values start positive. The draw goes from -1/√n to 1/√n.",
        ),
        Mistake(
            "always-a-bias", edit=("if bias:", "if True:"),
            says="`bias=False` is ignored: there is a bias all the same.",
        ),
        Mistake(
            "own-dtype", RIGHT.replace(", dtype=dtype", ""),
            "The argument `dtype` is ignored: your weight and bias are float32 whatever was asked.",
        ),
        Mistake(
            "stride-not-kept", edit=("self.stride = stride", "self.stride = 1"),
            says="The argument `stride` is ignored.",
        ),
        Mistake(
            "bias-of-zero",
            but("Tensor.rand(out_channels, low=-bound, high=bound, dtype=dtype)",
                "Tensor.zeros(out_channels, dtype=dtype)"),
            "Your bias starts at 0. Many networks do so, but here, as in PyTorch, it is drawn from "
            "the same range as the weight.",
        ),
        Mistake(
            "bias-per-input",
            edit=("Tensor.rand(out_channels, low", "Tensor.rand(in_channels, low"),
            says="There is one bias for each channel that comes *out*.",
        ),
    ),
)  # fmt: skip

PASS = """
images = x.transpose((0, 2, 3, 1))
kernels = self.weight.transpose((2, 3, 1, 0))
out = ops.conv(images, kernels, self.stride, self.padding)
if self.bias is not None:
    out = out + self.bias
return out.transpose((0, 3, 1, 2))
"""

FORWARD = Exercise(
    "chapter10.nn_conv.forward",
    section="10.8",
    targets=("nn.Conv.forward",),
    points=3,
    minutes=12,
    difficulty=2,
    needs=(
        "chapter10.nn_conv.init", "chapter10.conv.forward", "chapter10.conv.backward",
        "chapter3.transpose.forward",
    ),
    hints=(
        "Write both orders of the axes side by side, and number those of the first: which goes "
        "where? `transpose` takes just these numbers.",
        "The bias has the shape `(out_channels,)`. Broadcasting lines shapes up at their right "
        "ends: when do the channels lie last?",
        "`self.bias` may be None. And the result goes back into PyTorch's order.",
    ),
    mistakes=(
        Mistake(
            "no-bias", but("if self.bias is not None:\n    out = out + self.bias\n", "", PASS),
            "The bias is missing.",
        ),
        Mistake(
            "needs-a-bias", but("if self.bias is not None:\n    out", "out", PASS),
            "With `bias=False`, `self.bias` is None, and nothing can be added to None.",
        ),
        Mistake(
            "bias-along-the-width",
            "out = ops.conv(x.transpose((0, 2, 3, 1)), self.weight.transpose((2, 3, 1, 0)), "
            "self.stride, self.padding).transpose((0, 3, 1, 2))\n"
            "return out if self.bias is None else out + self.bias",
            "The bias was added when the width lay last, so that each *column* got one instead of "
            "each channel; where the two are not equally many it fails. Add it while the channels "
            "lie last, or reshape it to `(channels, 1, 1)`.",
        ),
        Mistake(
            "bias-detached", but("out + self.bias", "out + self.bias.detach()", PASS),
            "The values are right, but the bias is not part of the graph: it never gets a "
            "gradient.",
        ),
        Mistake(
            "weight-detached", but("self.weight.transpose", "self.weight.detach().transpose", PASS),
            "The values are right, but the weight is not part of the graph: it never gets a "
            "gradient.",
        ),
        Mistake(
            "channels-stay-last", but("return out.transpose((0, 3, 1, 2))", "return out", PASS),
            "The channels lie last in your result. The next layer expects them where they were in "
            "`x`, after the batch.",
        ),
        Mistake(
            "reshaped",
            but("x.transpose((0, 2, 3, 1))",
                "x.reshape(x.shape[0], x.shape[2], x.shape[3], x.shape[1])", PASS),
            "A reshape changes the shape and leaves the values in their order: pixels of different "
            "channels are mixed up. To move an axis takes a transpose.",
        ),
        Mistake(
            "kernel-axes-swapped", but("(2, 3, 1, 0)", "(3, 2, 1, 0)", PASS),
            "Rows and columns of the kernels changed places.",
        ),
        Mistake(
            "stride-ignored", but("self.stride, self.padding", "1, self.padding", PASS),
            "`self.stride` is ignored.",
        ),
        Mistake(
            "padding-ignored", but("self.stride, self.padding", "self.stride", PASS),
            "`self.padding` is ignored.",
        ),
        Mistake(
            "data-only", PASS.replace("return out.transpose((0, 3, 1, 2))",
                                      "out = out.transpose((0, 3, 1, 2))\n"
                                      "return Tensor(out.data, dtype=out.dtype)"),
            LEAF,
        ),
    ),
)  # fmt: skip
