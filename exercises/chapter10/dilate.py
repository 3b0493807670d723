"""Zeros between the values: `Dilate`, what a stride becomes on the way back."""

from typing import Any

import numpy as np

from exercises.chapter3.sentences import FORGOT_OUT_GRAD, TUPLE_ONLY
from exercises.chapter3.standard import RULE
from grader.course import REAL, OpRow, SampleGroup, body, edit, exercise, mistake, shapes

Axes = int | tuple[int, ...]


def plan(shape: tuple[int, ...], axes: Axes, step: int) -> tuple[list[int], tuple[slice, ...]]:
    """The shape of the result, and where in it the values stand."""
    chosen = {axis % len(shape) for axis in ((axes,) if isinstance(axes, int) else axes)}
    steps = [step if axis in chosen else 1 for axis in range(len(shape))]
    sizes = [(size - 1) * each + 1 for size, each in zip(shape, steps, strict=True)]
    return sizes, tuple(slice(None, None, each) for each in steps)


def formula(a: np.ndarray, axes: Axes, step: int) -> np.ndarray:
    sizes, every = plan(a.shape, axes, step)
    out = np.zeros(sizes, a.dtype)
    out[every] = a
    return out


def twin(torch: Any, a: Any, axes: Axes, step: int) -> Any:
    sizes, every = plan(tuple(a.shape), axes, step)
    out = torch.zeros(sizes, dtype=a.dtype)
    out[every] = a
    return out


ROW = OpRow(
    op="Dilate",
    forward=formula,
    torch=twin,
    domain=(REAL,),
    samples=(shapes((3,), attrs=(0, 2)), shapes((2, 3), attrs=((0, 1), 3))),
    groups=(
        SampleGroup(
            "one-axis",
            "{method} is right for one axis of several, a negative one too.",
            (
                shapes((2, 3), attrs=(1, 2)),
                shapes((3, 2, 2), attrs=(-2, 3)),
                shapes((2, 3), attrs=((-1,), 2)),
            ),
            taught="`axes` is an int (negative too) or a tuple of ints",
        ),
        SampleGroup(
            "step-one",
            "{method} changes nothing with step 1.",
            (shapes((2, 3), attrs=((0, 1), 1)),),
            taught="1 changes nothing",
        ),
    ),
    taught={
        "forward": "An axis with n values becomes one with `(n - 1) * step + 1` places: "
        "there are no zeros before the first value or after the last one … "
        "`a` with `self.step - 1` zeros between neighbours along `self.axes`",
        "backward": "every `step`-th place of `out_grad` along `self.axes`",
    },
)


@exercise("ops.Dilate.forward", points=2, minutes=10)
class FORWARD:
    """Make an array of zeros of the new shape, then write `a` into it, to every `step`-th place.

    Three values, two places apart: how long is the axis? Not six: nothing comes after the last one.

    You can build an index in a list: `[slice(None)] * a.ndim` takes everything; give each axis that
    you stretch a `slice(None, None, self.step)`.
    """

    zeros_at_the_end = edit(
        "max((a.shape[axis] - 1) * self.step + 1, 0)", "a.shape[axis] * self.step"
    )
    """There are zeros after the last value too. They belong only *between* the values, so an axis
    of n has (n - 1) · step + 1 places."""

    def repeated(self, a):
        """You repeated each value. What comes between two neighbours is 0."""
        for axis in (self.axes,) if isinstance(self.axes, int) else self.axes:
            end = (a.shape[axis] - 1) * self.step + 1
            a = np.repeat(a, self.step, axis).take(range(end), axis)
        return a

    one_zero_more = edit(
        ("max(", ""),
        ("self.step + 1, 0)", "(self.step + 1) + 1"),
        ("None, self.step", "None, (self.step + 1)"),
    )
    """You put `step` zeros between neighbours. They should be `step` places apart, and that takes
    one zero fewer."""

    tuple_only = edit(
        ("(self.axes,) if isinstance(self.axes, int) else ", ""),
        ("max(", ""),
        ("1, 0)", "1"),
        says=TUPLE_ONLY,
    )

    last_axis_only = edit((":", "[-1:]:"), ("max(", ""), ("1, 0)", "1"))
    """If there are several axes, you stretched only the last of them."""


@exercise("ops.Dilate.backward", points=2)
class BACKWARD:
    """Which places of the output hold a value of `a`? Nobody needs the gradient of the zeros
    between them.

    Every `step`-th place: an index with a step picks them, through `getitem`.
    """

    not_picked = body("return out_grad")
    """Your gradient has the shape of the output. Pick the places that hold values of `a`."""

    def first_values(self, out_grad, node):
        """You took the first places along each axis. The values are `step` places apart."""
        (a,) = node._inputs
        return getitem(out_grad, tuple(slice(size) for size in a.shape))

    tuple_only = edit(" (self.axes,) if isinstance(self.axes, int) else", "", says=TUPLE_ONLY)

    every_axis = body("return getitem(out_grad, (slice(None, None, self.step),) * out_grad.ndim)")
    """You picked with a step along every axis. Only those in `self.axes` were stretched."""

    @mistake(says=FORGOT_OUT_GRAD)
    def forgot_out_grad(self, out_grad, node):
        (a,) = node._inputs
        return Tensor.ones(*a.shape)

    numpy_inside = RULE.detached
