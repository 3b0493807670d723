"""The convolution: `Conv`, by im2col, and its two gradients, which are convolutions again."""

from typing import Any

import numpy as np

from exercises.chapter3.mistakes import numpy_inside
from grader.course import REAL, Exercise, Group, Mistake, OpRow, shapes


def formula(a: np.ndarray, b: np.ndarray, stride: int = 1, padding: int = 0) -> np.ndarray:
    """One weighted sum after the other, as the definition has it: slow, and plain."""
    (batch, height, width, _), (kh, kw, _, filters) = a.shape, b.shape
    sizes = (batch, height + 2 * padding, width + 2 * padding, a.shape[3])
    image = np.zeros(sizes, np.result_type(a, b))
    image[:, padding : padding + height, padding : padding + width] = a
    rows, columns = ((n - k) // stride + 1 for n, k in zip(sizes[1:3], (kh, kw), strict=True))
    out = np.zeros((batch, rows, columns, filters), image.dtype)
    for row in range(rows):
        for column in range(columns):
            top, left = row * stride, column * stride
            window = image[:, top : top + kh, left : left + kw]
            out[:, row, column] = (window[..., None] * b).sum((1, 2, 3))
    return out


def twin(torch: Any, a: Any, b: Any, stride: int = 1, padding: int = 0) -> Any:
    """PyTorch has the channels in front of height and width."""
    images, kernels = a.permute(0, 3, 1, 2).contiguous(), b.permute(3, 2, 0, 1).contiguous()
    out = torch.nn.functional.conv2d(images, kernels, stride=stride, padding=padding)
    return out.permute(0, 2, 3, 1)


ROW = OpRow(
    op="Conv",
    forward=formula,
    torch=twin,
    domain=(REAL, REAL),
    samples=(
        shapes((1, 3, 3, 1), (2, 2, 1, 1)),
        shapes((2, 4, 4, 2), (3, 3, 2, 2)),
    ),
    groups=(
        Group(
            "channels",
            "{method} is right where images and results have different numbers of channels.",
            (shapes((1, 3, 3, 2), (2, 2, 2, 3)),),
            taught="`(kernel height, kernel width, channels in, channels out)`",
        ),
        Group(
            "stride",
            "{method} is right with a stride.",
            (shapes((1, 5, 5, 1), (3, 3, 1, 2), attrs=(2, 0)),
             shapes((2, 4, 4, 1), (1, 1, 1, 1), attrs=(3, 0))),
            taught="`stride` how many places the kernel moves from one sum to the next",
        ),
        Group(
            "padding",
            "{method} is right with padding.",
            (shapes((1, 3, 3, 1), (3, 3, 1, 2), attrs=(1, 1)),
             shapes((1, 2, 2, 2), (2, 2, 2, 1), attrs=(1, 2))),
            taught="`padding` is how many zeros are put around every image",
        ),
        Group(
            "remainder",
            "{method} is right where the stride leaves rows and columns over.",
            (shapes((1, 4, 4, 1), (3, 3, 1, 1), attrs=(2, 0)),
             shapes((1, 5, 4, 1), (2, 2, 1, 2), attrs=(3, 1))),
            taught="what is left over at the bottom and at the right is not looked at",
        ),
        Group(
            "oblong",
            "{method} is right where neither the image nor the kernel is square.",
            (shapes((1, 3, 5, 1), (2, 3, 1, 1)), shapes((2, 5, 4, 1), (1, 2, 1, 2), attrs=(2, 1))),
            taught="Neither images nor kernels need to be square",
        ),
    ),
    taught={
        "forward": "The images `a` under the kernels `b`",
        "backward": "The gradients of `a` and of `b`, each a convolution with stride 1",
    },
)  # fmt: skip

RIGHT = """
height, width, channels, filters = b.shape
p, s = self.padding, self.stride
a = np.pad(a, ((0, 0), (p, p), (p, p), (0, 0)))
rows, columns = (a.shape[1] - height) // s + 1, (a.shape[2] - width) // s + 1
if min(rows, columns) < 1 or a.shape[3] != channels:
    raise ValueError('does not fit')
below = [a[:, i : i + s * rows : s, j : j + s * columns : s]
         for i in range(height) for j in range(width)]
patches = np.concatenate(below, axis=3).reshape(-1, height * width * channels)
return (patches @ b.reshape(-1, filters)).reshape(len(a), rows, columns, filters)
"""


def but(old: str, new: str, text: str = RIGHT) -> str:
    """A working body with one thing done otherwise."""
    assert old in text, old
    return text.replace(old, new)


FORWARD = Exercise(
    "chapter10.conv.forward",
    section="10.6",
    targets=("ops.Conv.forward",),
    points=4,
    minutes=30,
    difficulty=3,
    hints=(
        "Write the windows down as rows of one matrix: a row for each place of the kernel, with "
        "the height · width · channels values that it covers. What product is left to make?",
        "The windows come from slices: for each place (i, j) in the kernel, "
        "`a[:, i : i + s * rows : s, j : j + s * columns : s]` holds what lies there, for all "
        "windows at once. `np.concatenate` puts these side by side, along the channels.",
        "The order of the columns has to be that of `b.reshape(-1, channels_out)`: kernel row, "
        "kernel column, channel. The result of the product is reshaped to `(batch, rows, columns, "
        "out)`.",
    ),
    mistakes=(
        Mistake(
            "kernel-turned-round", but("b.reshape(-1, filters)", "b[::-1, ::-1].reshape(-1, "
                                       "filters)"),
            "You turned the kernel round. In a book on signals that is what makes it a "
            "convolution; in a network, here and in PyTorch, the kernel lies as it is.",
        ),
        Mistake(
            "kernel-axes-swapped",
            but("b.reshape(-1, filters)", "b.swapaxes(0, 1).reshape(-1, filters)"),
            "Rows and columns of the kernel changed places.",
        ),
        Mistake(
            "channels-in-front",
            but("np.concatenate(below, axis=3)", "np.stack(below, axis=4)"),
            "In your matrix a row goes through the channels first, in `b` they come last: values "
            "and weights that do not belong together are multiplied. With one channel nothing "
            "shows.",
        ),
        Mistake(
            "no-padding", but("p, s = self.padding, self.stride", "p, s = 0, self.stride"),
            "`self.padding` is ignored: no zeros are put around the images.",
        ),
        Mistake(
            "no-stride", but("p, s = self.padding, self.stride", "p, s = self.padding, 1"),
            "`self.stride` is ignored: the kernel moves on by one place each time.",
        ),
        Mistake(
            "padded-at-the-end",
            but("((0, 0), (p, p), (p, p), (0, 0))", "((0, 0), (0, 2 * p), (0, 2 * p), (0, 0))"),
            "All zeros stand below and to the right. They go around the image: `padding` of them "
            "on each side.",
        ),
        Mistake(
            "padded-everywhere", but("((0, 0), (p, p), (p, p), (0, 0))", "p"),
            "You padded the batch and the channels as well. Only height and width get zeros.",
        ),
        Mistake(
            "rounded-too-late",
            RIGHT.replace("- height) // s + 1", "- height + 1) // s").replace(
                "- width) // s + 1", "- width + 1) // s"),
            "You added the 1 before you divided by the stride. First count the steps, then add the "
            "place where the kernel begins.",
        ),
        Mistake(
            "last-place-left-out",
            but("(a.shape[1] - height) // s + 1", "(a.shape[1] - height) // s"),
            "The last row of windows is missing: a kernel of height k fits n - k + 1 times into n "
            "rows.",
        ),
        Mistake(
            "averaged", but("patches @ b.reshape(-1, filters)",
                            "patches @ b.reshape(-1, filters) / patches.shape[1]"),
            "You took the mean over the window. It is a sum.",
        ),
        Mistake(
            "nothing-fits",
            but("(a.shape[1] - height) // s + 1, (a.shape[2] - width) // s + 1",
                "(max(size - k + s, 0) // s for size, k in zip(a.shape[1:3], (height, width)))")
            .replace("if min(rows, columns) < 1 or a", "if a"),
            "Where the kernel is larger than the padded image you returned an empty result. Say so "
            "with a ValueError.",
        ),
    ),
)  # fmt: skip

BACK = """
a, b = node._inputs
height, width = b.shape[:2]
p = self.padding
padded = pad(a, ((0, 0), (p, p), (p, p), (0, 0)))
spread = dilate(out_grad, (1, 2), self.stride)
below, right = (padded.shape[axis] - spread.shape[axis] for axis in (1, 2))
around = pad(spread, ((0, 0), (height - 1, below), (width - 1, right), (0, 0)))
grad_a = conv(around, transpose(flip(b, (0, 1)), (0, 1, 3, 2)))
grad_a = getitem(grad_a, (slice(None), slice(p, p + a.shape[1]), slice(p, p + a.shape[2])))
grad_b = conv(transpose(padded, (3, 1, 2, 0)), transpose(spread, (1, 2, 0, 3)))
grad_b = getitem(transpose(grad_b, (1, 2, 0, 3)), (slice(height), slice(width)))
return grad_a, grad_b
"""
UNDILATED = "fill = dilate(out_grad, (1, 2), self.stride).shape\n" + BACK.replace(
    "spread = dilate(out_grad, (1, 2), self.stride)",
    "spread = pad(out_grad, tuple((0, big - small) for big, small in zip(fill, out_grad.shape)))",
)

BACKWARD = Exercise(
    "chapter10.conv.backward",
    section="10.7",
    targets=("ops.Conv.backward",),
    points=6,
    minutes=45,
    difficulty=3,
    needs=(
        "chapter10.conv.forward", "chapter10.pad.forward", "chapter10.slice.forward",
        "chapter10.dilate.forward", "chapter10.flip.forward", "chapter3.transpose.forward",
    ),
    hints=(
        "Take stride 1 and no padding first, and one axis: `out[i] = Σ a[i + k] · b[k]`. Which "
        "outputs did `a[j]` go into, and with which weights? Which products did `b[k]` take part "
        "in?",
        "For `a`: `out_grad` dilated by the stride; as many zeros before it as the kernel's size "
        "less one, and behind it so many that it is then as large as the padded image plus the "
        "kernel's size less one; then a convolution with the flipped kernel whose channels have "
        "changed places. At the end cut the padding off.",
        "For `b`: `conv` sums over kernel height, kernel width and channels. Here the sum goes "
        "over rows, columns and the *batch*. So the batch has to lie where `conv` looks for "
        "channels, in the padded `a` and in the dilated `out_grad`. What comes out may be "
        "larger than the kernel, where the stride left something over: cut it.",
    ),
    mistakes=(
        Mistake(
            "no-flip", but("flip(b, (0, 1))", "b", BACK),
            "The gradient of `a` was made with the kernel as it is. The first value of a window "
            "met the first weight, so that on the way back the order is turned round: flip the "
            "kernel's two axes.",
        ),
        Mistake(
            "kernel-transposed",
            but("transpose(flip(b, (0, 1)), (0, 1, 3, 2))", "transpose(b, (1, 0, 3, 2))", BACK),
            "You swapped the kernel's rows and columns. It has to be flipped: turned round along "
            "both.",
        ),
        Mistake(
            "no-dilation", UNDILATED,
            "With a stride the windows lay apart, and so have the values of `out_grad` to lie: "
            "dilate it by the stride. Yours lie side by side.",
        ),
        Mistake(
            "no-remainder",
            but("below, right = (padded.shape[axis] - spread.shape[axis] for axis in (1, 2))",
                "below, right = height - 1, width - 1", BACK),
            "Where the stride leaves rows or columns over, your gradient of `a` lacks them. No "
            "window looked there, so their gradient is 0, but they are there.",
        ),
        Mistake(
            "remainder-in-the-kernel", but(
                "getitem(transpose(grad_b, (1, 2, 0, 3)), (slice(height), slice(width)))",
                "transpose(grad_b, (1, 2, 0, 3))", BACK),
            "Where the stride leaves rows or columns over, your gradient of `b` is larger than the "
            "kernel. The first rows and columns are right: cut it to the size of `b`.",
        ),
        Mistake(
            "padding-not-cut", but("slice(p, p + a.shape[1]), slice(p, p + a.shape[2])",
                                   "slice(None), slice(None)", BACK),
            "Your gradient of `a` still has the padding around it.",
        ),
        Mistake(
            "padding-cut-at-one-end", but("slice(p, p + a.shape[1]), slice(p, p + a.shape[2])",
                                          "slice(a.shape[1]), slice(a.shape[2])", BACK),
            "You cut your gradient of `a` to the right size, but at the wrong end: the image "
            "begins after `padding` zeros.",
        ),
        Mistake(
            "kernel-of-the-bare-image",
            but("transpose(padded, (3, 1, 2, 0))", "transpose(pad(a, ((0, 0), (0, 2 * p), "
                "(0, 2 * p), (0, 0))), (3, 1, 2, 0))", BACK),
            "For the gradient of `b` the image has to lie as it did forward, with its zeros on all "
            "sides.",
        ),
        Mistake(
            "channels-not-swapped",
            but("transpose(flip(b, (0, 1)), (0, 1, 3, 2))", "flip(b, (0, 1))", BACK),
            "On the way back the channels run the other way: what came out goes in. Swap the last "
            "two axes of the flipped kernel.",
        ),
        Mistake(
            "mean-of-the-batch", but("return grad_a, grad_b", "return grad_a, grad_b / len(a.data)",
                                     BACK),
            "You took the mean of the kernel's gradient over the batch. All images used the same "
            "kernel, so that their gradients add up.",
        ),
        Mistake(
            "swapped", but("return grad_a, grad_b", "return grad_b, grad_a", BACK),
            "Both gradients are right, but they changed places: first the one of the images, then "
            "that of the kernels.",
        ),
        numpy_inside(
            BACK.replace("a, b = node._inputs", "a, b = (x.detach() for x in node._inputs)\n"
                         "out_grad = out_grad.detach()")
        ),
    ),
)  # fmt: skip
