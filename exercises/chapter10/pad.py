"""Zeros around the values: `Pad`, and `Tensor.pad`."""

from typing import Any

import numpy as np

from exercises.chapter3.sentences import DATA_ONLY, FORGOT_OUT_GRAD
from exercises.chapter3.standard import RULE
from grader.course import REAL, OpRow, SampleGroup, body, edit, exercise, mistake, shapes

Widths = tuple[tuple[int, int], ...]


def formula(a: np.ndarray, widths: Widths) -> np.ndarray:
    out = np.zeros([b + size + c for (b, c), size in zip(widths, a.shape, strict=True)], a.dtype)
    out[tuple(slice(b, b + size) for (b, _), size in zip(widths, a.shape, strict=True))] = a
    return out


def twin(torch: Any, a: Any, widths: Widths) -> Any:
    """PyTorch names the last axis first."""
    return torch.nn.functional.pad(a, [w for pair in reversed(widths) for w in pair])


ROW = OpRow(
    op="Pad",
    forward=formula,
    torch=twin,
    domain=(REAL,),
    samples=(shapes((3,), attrs=(((1, 2),),)), shapes((2, 3), attrs=(((2, 1), (1, 3)),))),
    groups=(
        SampleGroup(
            "one-side",
            "{method} is right where zeros are put on one side only, or on none.",
            (shapes((3,), attrs=(((3, 0),),)), shapes((2, 2), attrs=(((0, 0), (0, 1)),))),
            taught="One of the two numbers may be 0, or both",
        ),
    ),
    taught={
        "forward": "how many zeros come before its first value, and how many after its last one … "
        "`a` with zeros around it, as many as `self.widths` says",
        "backward": "the part of `out_grad` that lies where `a` was put",
    },
)


@exercise("ops.Pad.forward", points=1, minutes=2)
class FORWARD:
    """NumPy has a function of the same name. What do you pass it, besides the array?

    `self.widths` is a pair for each axis already, and `np.pad` fills with zeros unless you say
    otherwise.
    """

    same_on_both_sides = body(
        "return np.pad(a, [(before, before) for before, after in self.widths])"
    )
    """You put as many zeros after the values as before them. The second number of each pair says
    how many come after."""

    swapped = body("return np.pad(a, [(after, before) for before, after in self.widths])")
    """The sides are swapped: the first number of each pair is for the zeros *before* the values."""

    border_repeated = edit("widths", "widths, mode='edge'")
    """You repeated the values at the border. Put zeros there."""

    first_pair_for_all = edit("widths", "widths[0]")
    """You gave every axis the widths of the first one. There is a pair for each axis."""


@exercise("ops.Pad.backward", points=2)
class BACKWARD:
    """A zero that you put there isn't an input: nobody needs the gradient of its place. So what do
    you keep of `out_grad`, and what do you cut off?

    `getitem(out_grad, …)` with one slice for each axis. Where does `a` begin along an axis? And how
    long is it?

    Not `slice(before, -after)`: what does that pick if `after` is 0?
    """

    not_cut = body("return out_grad")
    """Your gradient has the shape of the padded array. The gradient of `a` has the shape of `a`:
    cut the padding off."""

    from_the_start = edit("(w[0], w[0] + size) for w", "(0, size) for (before, after)")
    """You took the first values along each axis. `a` begins after the zeros in front of it."""

    minus_after = edit("(w[0], w[0] + size) for w", "(before, -after) for (before, after)")
    """`slice(before, -after)` counts from the end, and -0 is 0: if no zeros come after, nothing is
    left. Say where `a` ends instead: at `before + size`."""

    sides_swapped = edit("(w[0], w[0] + size) for w", "(after, after + size) for (before, after)")
    """You began after as many places as there are zeros at the *end*."""

    @mistake(says=FORGOT_OUT_GRAD)
    def forgot_out_grad(self, out_grad, node):
        (a,) = node._inputs
        return Tensor.ones(*a.shape)

    numpy_inside = RULE.detached


@exercise("chapter10.pad.method", targets=("tensor.Tensor.pad",), points=1, minutes=1)
class METHOD:
    """`ops.pad` makes the node. Pass it `self` and the widths."""

    pairs_as_arguments = edit("widths", "*widths")
    """The star takes the pairs apart, so `ops.pad` gets each one as a separate argument. Pass them
    together, in one tuple."""

    data_only = body("return Tensor(np.pad(self.data, widths), dtype=self.dtype)", says=DATA_ONLY)
