"""Zeros between the values: `Dilate`, what a stride becomes on the way back."""

from typing import Any

import numpy as np

from exercises.chapter3.mistakes import forgot_out_grad, numpy_inside
from grader.course import REAL, Exercise, Group, Mistake, OpRow, shapes

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
        Group(
            "one-axis",
            "{method} is right for one axis of several, a negative one too.",
            (shapes((2, 3), attrs=(1, 2)), shapes((3, 2, 2), attrs=(-2, 3))),
            taught="`axes` is an int (negative too) or a tuple of ints",
        ),
        Group(
            "step-one",
            "{method} changes nothing with step 1.",
            (shapes((2, 3), attrs=((0, 1), 1)),),
            taught="1 changes nothing",
        ),
    ),
    taught={
        "forward": "`a` with `self.step - 1` zeros between neighbours along `self.axes`",
        "backward": "every `step`-th place of `out_grad` along `self.axes`",
    },
)

RIGHT = """
shape, every = list(a.shape), [slice(None)] * a.ndim
for axis in (self.axes,) if isinstance(self.axes, int) else self.axes:
    shape[axis] = (a.shape[axis] - 1) * self.step + 1
    every[axis] = slice(None, None, self.step)
out = np.zeros(shape, a.dtype)
out[tuple(every)] = a
return out
"""


def but(old: str, new: str, text: str = RIGHT) -> str:
    """A working body with one thing done otherwise."""
    assert old in text
    return text.replace(old, new)


FORWARD = Exercise(
    "chapter10.dilate.forward",
    section="10.3",
    targets=("ops.Dilate.forward",),
    points=2,
    minutes=10,
    difficulty=2,
    hints=(
        "Make an array of zeros of the new shape, then write `a` into it, to every `step`-th "
        "place.",
        "Three values, two places apart: how long is the axis? Not six: nothing comes after the "
        "last one.",
        "An index may be put together in a list: `[slice(None)] * a.ndim` takes everything; give "
        "the axes that are to be stretched a `slice(None, None, self.step)`.",
    ),
    mistakes=(
        Mistake(
            "zeros-at-the-end", but("(a.shape[axis] - 1) * self.step + 1",
                                    "a.shape[axis] * self.step"),
            "There are zeros after the last value too. They belong *between* the values only, so "
            "that an axis of n has (n - 1) · step + 1 places.",
        ),
        Mistake(
            "repeated",
            "for axis in (self.axes,) if isinstance(self.axes, int) else self.axes:\n"
            "    end = (a.shape[axis] - 1) * self.step + 1\n"
            "    a = np.repeat(a, self.step, axis).take(range(end), axis)\nreturn a",
            "You repeated each value. What comes between two neighbours is 0.",
        ),
        Mistake(
            "one-zero-more",
            RIGHT.replace("self.step", "(self.step + 1)"),
            "You put `step` zeros between neighbours. They are to be `step` places apart, and that "
            "takes one zero less.",
        ),
        Mistake(
            "tuple-only",
            but("(self.axes,) if isinstance(self.axes, int) else self.axes", "self.axes"),
            "`self.axes` may be a single int, and an int cannot be looped over.",
        ),
        Mistake(
            "last-axis-only",
            but("(self.axes,) if isinstance(self.axes, int) else self.axes",
                "(self.axes,) if isinstance(self.axes, int) else self.axes[-1:]"),
            "Where there are several axes you stretched only the last of them.",
        ),
    ),
)  # fmt: skip

EVERY = """
every = [slice(None)] * out_grad.ndim
for axis in (self.axes,) if isinstance(self.axes, int) else self.axes:
    every[axis] = slice(None, None, self.step)
return getitem(out_grad, tuple(every))
"""

BACKWARD = Exercise(
    "chapter10.dilate.backward",
    section="10.4",
    targets=("ops.Dilate.backward",),
    points=2,
    minutes=5,
    difficulty=2,
    needs=("chapter10.dilate.forward", "chapter10.slice.forward"),
    hints=(
        "Which places of the output hold a value of `a`? What the zeros between them hand back "
        "reaches nobody.",
        "Every `step`-th place: an index with a step picks them, through `getitem`.",
    ),
    mistakes=(
        Mistake(
            "not-picked", "return out_grad",
            "Your gradient has the shape of the output. Pick the places where values of `a` stand.",
        ),
        Mistake(
            "first-values",
            "(a,) = node._inputs\n"
            "return getitem(out_grad, tuple(slice(size) for size in a.shape))",
            "You took the first places along each axis. The values stand `step` places apart.",
        ),
        Mistake(
            "tuple-only", edit=("(self.axes,) if isinstance(self.axes, int) else self", "self"),
            says="`self.axes` may be a single int, and an int cannot be looped over.",
        ),
        Mistake(
            "every-axis",
            "return getitem(out_grad, (slice(None, None, self.step),) * out_grad.ndim)",
            "You picked with a step along every axis. Only those in `self.axes` were stretched.",
        ),
        forgot_out_grad("(a,) = node._inputs\nreturn Tensor.ones(*a.shape)"),
        numpy_inside(
            but("getitem(out_grad, tuple(every))",
                "Tensor(out_grad.data[tuple(every)], dtype=out_grad.dtype)", EVERY)
        ),
    ),
)  # fmt: skip
