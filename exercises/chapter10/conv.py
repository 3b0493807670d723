"""The convolution: `Conv`, by im2col, and its two gradients, which are convolutions again."""

from typing import Any

import numpy as np

from exercises.chapter3.standard import RULE
from grader.course import REAL, OpRow, SampleGroup, edit, exercise, mistake, shapes

OVERWRITTEN = (
    "Windows overlap, and each one that you write back replaces what the others left there. A "
    "pixel gets a share from every window that it lies in: add them up, `+=`."
)


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


ROWS = "`rows` is `(height + 2 * padding - kernel height) // stride + 1`, and `columns` likewise"

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
        SampleGroup(
            "channels",
            "{method} is right where images and results have different numbers of channels.",
            (shapes((1, 3, 3, 2), (2, 2, 2, 3)),),
            taught="`(kernel height, kernel width, channels in, channels out)`",
        ),
        SampleGroup(
            "stride",
            "{method} is right with a stride.",
            (shapes((1, 5, 5, 1), (3, 3, 1, 2), attrs=(2, 0)),
             shapes((2, 4, 4, 1), (1, 1, 1, 1), attrs=(3, 0))),
            taught="`stride` how many places the kernel moves from one sum to the next",
        ),
        SampleGroup(
            "padding",
            "{method} is right with padding.",
            (shapes((1, 3, 3, 1), (3, 3, 1, 2), attrs=(1, 1)),
             shapes((1, 2, 2, 2), (3, 3, 2, 1), attrs=(1, 2))),
            taught="`padding` is how many zeros are put around every image",
        ),
        SampleGroup(
            "remainder",
            "{method} is right where the stride leaves rows and columns over.",
            (shapes((1, 7, 6, 1), (2, 2, 1, 1), attrs=(3, 0)),
             shapes((1, 5, 4, 1), (2, 2, 1, 2), attrs=(3, 1))),
            taught=f"{ROWS}; what is left over at the bottom and at the right is ignored",
        ),
        SampleGroup(
            "oblong",
            "{method} is right where neither the image nor the kernel is square.",
            (shapes((1, 3, 5, 1), (2, 3, 1, 1)), shapes((2, 5, 4, 1), (1, 2, 1, 2), attrs=(2, 1))),
            taught=f"Neither images nor kernels need to be square … {ROWS}",
        ),
    ),
    taught={
        "forward": "The kernel is not flipped … The images `a` under the kernels `b`",
        "backward": "The gradients of `a` and of `b`, each a convolution with stride 1",
    },
)  # fmt: skip


@exercise("ops.Conv.forward", points=4)
class FORWARD:
    """Write the windows down as rows of one matrix: a row for each place of the kernel, with the
    height · width · channels values that it covers. What product is left to make?

    The windows come from slices: for each place (i, j) in the kernel, `a[:, i : i + s * rows : s, j
    : j + s * columns : s]` holds what lies there, for all windows at once. `np.concatenate` puts
    these side by side, along the channels.

    The columns have to be in the order of `b.reshape(-1, channels_out)`: kernel row, kernel column,
    channel. Reshape the product to `(batch, rows, columns, out)`.
    """

    def _right(self, a, b):
        height, width, channels, filters = b.shape
        p, s = self.padding, self.stride
        a = np.pad(a, ((0, 0), (p, p), (p, p), (0, 0)))
        rows, columns = (a.shape[1] - height) // s + 1, (a.shape[2] - width) // s + 1
        if min(rows, columns) < 1 or a.shape[3] != channels:
            raise ValueError("does not fit")
        below = [
            a[:, i : i + s * rows : s, j : j + s * columns : s]
            for i in range(height)
            for j in range(width)
        ]
        patches = np.concatenate(below, axis=3).reshape(-1, height * width * channels)
        return (patches @ b.reshape(-1, filters)).reshape(len(a), rows, columns, filters)

    kernel_turned_round = edit("@ b", "@ b[::-1, ::-1]", of=_right)
    """You flipped the kernel. In a book on signals, that is what makes it a convolution; in a
    network, here and in PyTorch, the kernel stays as it is."""

    kernel_axes_swapped = edit("@ b.", "@ b.swapaxes(0, 1).", of=_right)
    """You swapped rows and columns of the kernel."""

    channels_in_front = edit(("concatenate", "stack"), ("axis=3", "axis=4"), of=_right)
    """In your matrix a row goes through the channels first, in `b` they come last: values and
    weights that don't belong together are multiplied. With one channel you don't notice."""

    no_padding = edit("self.padding", "0", of=_right)
    """`self.padding` is ignored: no zeros are put around the images."""

    no_stride = edit("self.stride", "1", of=_right)
    """`self.stride` is ignored: the kernel moves on by one place each time."""

    padded_at_the_end = edit("(p, p), (p, p)", "(0, 2 * p), (0, 2 * p)", of=_right)
    """All your zeros are below and to the right. Put them around the image: `padding` of them on
    each side."""

    padded_everywhere = edit("((0, 0), (p, p), (p, p), (0, 0))", "p", of=_right)
    """You padded the batch and the channels as well. Only height and width get zeros."""

    rounded_too_late = edit(
        "(a.shape[1] - height) // s + 1, (a.shape[2] - width) // s + 1",
        "(a.shape[1] - height + 1) // s, (a.shape[2] - width + 1) // s",
        of=_right,
    )
    """You added the 1 before you divided by the stride. First count the steps, then add the place
    where the kernel begins."""

    last_place_left_out = edit("s + 1,", "s,", of=_right)
    """The last row of windows is missing: a kernel of height k fits n - k + 1 times into n rows."""

    stride_at_the_end = edit(
        ("- height) // s + 1", "- height) + 1"),
        ("- width) // s + 1", "- width) + 1"),
        ("i : i + s * rows : s, j : j + s * columns : s", "i : i + rows, j : j + columns"),
        ("rows, columns, filters)", "rows, columns, filters)[:, ::s, ::s]"),
        of=_right,
    )
    """You work out every window, and then throw away all but those that the stride asks for. Let
    the slices step by `stride` instead."""

    averaged = edit("(-1, filters)", "(-1, filters) / patches.shape[1]", of=_right)
    """You took the mean over the window. Take the sum."""

    def nothing_fits(self, a, b):
        """If the kernel is larger than the padded image, you return an empty result. Raise a
        ValueError."""
        height, width, channels, filters = b.shape
        p, s = self.padding, self.stride
        a = np.pad(a, ((0, 0), (p, p), (p, p), (0, 0)))
        rows, columns = (
            max(size - k + s, 0) // s for size, k in zip(a.shape[1:3], (height, width))
        )
        if a.shape[3] != channels:
            raise ValueError("does not fit")
        below = [
            a[:, i : i + s * rows : s, j : j + s * columns : s]
            for i in range(height)
            for j in range(width)
        ]
        patches = np.concatenate(below, axis=3).reshape(-1, height * width * channels)
        return (patches @ b.reshape(-1, filters)).reshape(len(a), rows, columns, filters)


@exercise(
    "ops.Conv.backward",
    points=6,
    needs=(
        "chapter10.conv.forward",
        "chapter10.pad.forward",
        "chapter10.slice.forward",
        "chapter10.dilate.forward",
        "chapter10.flip.forward",
        "chapter3.transpose.forward",
    ),
)
class BACKWARD:
    """Take stride 1 and no padding first, and one axis: `out[i] = Σ a[i + k] · b[k]`. Which outputs
    did `a[j]` go into, and with which weights? Which products did `b[k]` take part in?

    For `a`: `out_grad` dilated by the stride; as many zeros before it as the kernel's size less
    one, and enough after it to make it as large as the padded image plus the kernel's size less
    one; then a convolution with the flipped kernel, its channels swapped. At the end, cut off the
    padding.

    For `b`: `conv` sums over kernel height, kernel width and channels. Here the sum goes over rows,
    columns and the *batch*. So the batch has to be where `conv` looks for channels, in the padded
    `a` and in the dilated `out_grad`. If the stride left something over, the result is larger than
    the kernel: cut it.
    """

    def _back(self, out_grad, node):
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

    no_flip = edit("flip(b, (0, 1))", "b", of=_back)
    """You made the gradient of `a` with the kernel as it is. The first value of a window met the
    first weight, so on the way back the order is reversed: flip the kernel's two axes."""

    minus_padding = edit(
        "slice(p, p + a.shape[1]), slice(p, p + a.shape[2])", "slice(p, -p), slice(p, -p)", of=_back
    )
    """`slice(p, -p)` counts from the end, and -0 is 0: without padding nothing is left. Say where
    `a` ends instead: at `p + size`."""

    kernel_transposed = edit("flip(b, (0, 1)), (0, 1, 3, 2)", "b, (1, 0, 3, 2)", of=_back)
    """You swapped the kernel's rows and columns. Flip it instead: reverse it along both."""

    @mistake(seen="https://github.com/huggingface/candle/issues/633")
    def no_dilation(self, out_grad, node):
        """With a stride, the windows were apart, so the values of `out_grad` have to be apart, too:
        dilate it by the stride. Yours are side by side."""
        fill = dilate(out_grad, (1, 2), self.stride).shape

        a, b = node._inputs
        height, width = b.shape[:2]
        p = self.padding
        padded = pad(a, ((0, 0), (p, p), (p, p), (0, 0)))
        spread = pad(out_grad, tuple((0, big - small) for big, small in zip(fill, out_grad.shape)))
        below, right = (padded.shape[axis] - spread.shape[axis] for axis in (1, 2))
        around = pad(spread, ((0, 0), (height - 1, below), (width - 1, right), (0, 0)))
        grad_a = conv(around, transpose(flip(b, (0, 1)), (0, 1, 3, 2)))
        grad_a = getitem(grad_a, (slice(None), slice(p, p + a.shape[1]), slice(p, p + a.shape[2])))
        grad_b = conv(transpose(padded, (3, 1, 2, 0)), transpose(spread, (1, 2, 0, 3)))
        grad_b = getitem(transpose(grad_b, (1, 2, 0, 3)), (slice(height), slice(width)))
        return grad_a, grad_b

    no_remainder = edit(
        "(padded.shape[axis] - spread.shape[axis] for axis in (1, 2))",
        "height - 1, width - 1",
        of=_back,
        seen="https://github.com/f-dangel/backpack/issues/30",
    )
    """If the stride leaves rows or columns over, your gradient of `a` lacks them. No window looked
    there, so their gradient is 0, but they are still part of `a`."""

    remainder_in_the_kernel = edit("getitem(grad_b, (slice(height), slice(width)))", "grad_b")
    """If the stride leaves rows or columns over, your gradient of `b` is larger than the kernel.
    The first rows and columns are right: cut it to the size of `b`."""

    padding_not_cut = edit(("p, p + a.shape[1]", "None"), ("p, p + a.shape[2]", "None"), of=_back)
    """Your gradient of `a` still has the padding around it."""

    padding_cut_at_one_end = edit(
        "(p, p + a.shape[1]), slice(p, p + a.shape[2])", "(a.shape[1]), slice(a.shape[2])", of=_back
    )
    """You cut your gradient of `a` to the right size, but at the wrong end: the image begins after
    `padding` zeros."""

    kernel_of_the_bare_image = edit(
        "padded,", "pad(a, ((0, 0), (0, 2 * p), (0, 2 * p), (0, 0))),", of=_back
    )
    """For the gradient of `b`, use the image as in the forward pass, with its zeros on all
    sides."""

    channels_not_swapped = edit(
        "transpose(flip(b, (0, 1)), (0, 1, 3, 2))", "flip(b, (0, 1))", of=_back
    )
    """On the way back, the channels run the other way: what came out goes in. Swap the last two
    axes of the flipped kernel."""

    mean_of_the_batch = edit(" grad_b", " grad_b / len(a.data)", of=_back)
    """You took the mean of the kernel's gradient over the batch. All images used the same kernel,
    so their gradients add up."""

    @mistake(says=OVERWRITTEN)
    def written_over(self, out_grad, node):
        a, b = node._inputs
        height, width = b.shape[:2]
        p, s, g = self.padding, self.stride, out_grad.data
        image = np.pad(a.data, ((0, 0), (p, p), (p, p), (0, 0)))
        grad_a, grad_b = np.zeros_like(image), np.zeros_like(b.data)
        for i in range(height):
            for j in range(width):
                rows = slice(i, i + s * g.shape[1], s)
                columns = slice(j, j + s * g.shape[2], s)
                grad_a[:, rows, columns] = g @ b.data[i, j].T
                grad_b[i, j] = np.tensordot(image[:, rows, columns], g, ((0, 1, 2), (0, 1, 2)))
        grad_a = grad_a[:, p : p + a.shape[1], p : p + a.shape[2]]
        return Tensor(grad_a, dtype=a.dtype), Tensor(grad_b, dtype=b.dtype)

    @mistake(says=OVERWRITTEN)
    def written_over_by_window(self, out_grad, node):
        a, b = node._inputs
        height, width = b.shape[:2]
        p, s, g = self.padding, self.stride, out_grad.data
        image = np.pad(a.data, ((0, 0), (p, p), (p, p), (0, 0)))
        grad_a, grad_b = np.zeros_like(image), np.zeros_like(b.data)
        for i in range(g.shape[1]):
            for j in range(g.shape[2]):
                rows, columns = slice(i * s, i * s + height), slice(j * s, j * s + width)
                grad_a[:, rows, columns] = np.einsum("no,hwio->nhwi", g[:, i, j], b.data)
                grad_b += np.einsum("nhwi,no->hwio", image[:, rows, columns], g[:, i, j])
        grad_a = grad_a[:, p : p + a.shape[1], p : p + a.shape[2]]
        return Tensor(grad_a, dtype=a.dtype), Tensor(grad_b, dtype=b.dtype)

    swapped = edit("grad_a, grad_b", "grad_b, grad_a", of=_back)
    """Both gradients are right, but they are swapped: the images' gradient comes first, then the
    kernels'."""

    numpy_inside = RULE.detached
