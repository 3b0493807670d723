"""The order of the values turned round: `Flip`."""

import numpy as np

from exercises.chapter3.mistakes import forgot_out_grad, numpy_inside
from grader.course import REAL, Exercise, Group, Mistake, OpRow, shapes


def tuple_of(axes: int | tuple[int, ...]) -> tuple[int, ...]:
    return (axes,) if isinstance(axes, int) else axes


ROW = OpRow(
    op="Flip",
    forward=lambda a, axes: np.flip(a, axes),
    torch=lambda torch, a, axes: torch.flip(a, tuple_of(axes)),
    domain=(REAL,),
    samples=(shapes((3,), attrs=(0,)), shapes((2, 3), attrs=(1,))),
    groups=(
        Group(
            "axes",
            "{method} is right for a negative axis, and for several.",
            (shapes((3, 2), attrs=(-2,)), shapes((2, 3, 2), attrs=((0, 1),)),
             shapes((2, 2, 3), attrs=((0, -1),))),
            taught="`axes` is an int (negative too) or a tuple of ints",
        ),
    ),
    taught={
        "forward": "`a` turned round along `self.axes`: what was first is last",
        "backward": "`out_grad` turned round in the same way",
    },
)  # fmt: skip

FORWARD = Exercise(
    "chapter10.flip.forward",
    section="10.3",
    targets=("ops.Flip.forward",),
    points=1,
    minutes=1,
    hints=("NumPy has a function of the same name, and it takes an int or a tuple.",),
    mistakes=(
        Mistake(
            "all-axes", "return np.flip(a)",
            "You turned every axis round. Only those in `self.axes` are meant.",
        ),
        Mistake(
            "first-axis", "return a[::-1]",
            "`a[::-1]` turns the first axis round, whatever `self.axes` says.",
        ),
        Mistake(
            "rolled", "return np.roll(a, 1, self.axes)",
            "You moved the values on by one place. Their order is to be turned round.",
        ),
    ),
)  # fmt: skip

BACKWARD = Exercise(
    "chapter10.flip.backward",
    section="10.4",
    targets=("ops.Flip.backward",),
    points=1,
    minutes=2,
    needs=("chapter10.flip.forward",),
    hints=(
        "The value that went to the last place gets what comes back from the last place.",
        "What undoes a flip?",
    ),
    mistakes=(
        Mistake(
            "unchanged", "return out_grad",
            "You handed `out_grad` on as it came. The first value of `a` stands last in the "
            "output, so that its gradient stands last in `out_grad`.",
        ),
        Mistake(
            "all-axes", "return flip(out_grad, tuple(range(out_grad.ndim)))",
            "You turned every axis round. Only those in `self.axes` are meant.",
        ),
        forgot_out_grad("(a,) = node._inputs\nreturn Tensor.ones(*a.shape)"),
        numpy_inside("return Tensor(np.flip(out_grad.data, self.axes), dtype=out_grad.dtype)"),
    ),
)  # fmt: skip
