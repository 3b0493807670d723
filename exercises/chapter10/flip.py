"""The order of the values turned round: `Flip`."""

import numpy as np

from exercises.chapter3.sentences import FORGOT_OUT_GRAD
from exercises.chapter3.standard import RULE
from grader.course import REAL, OpRow, SampleGroup, body, edit, exercise, mistake, shapes


def tuple_of(axes: int | tuple[int, ...]) -> tuple[int, ...]:
    return (axes,) if isinstance(axes, int) else axes


ROW = OpRow(
    op="Flip",
    forward=lambda a, axes: np.flip(a, axes),
    torch=lambda torch, a, axes: torch.flip(a, tuple_of(axes)),
    domain=(REAL,),
    samples=(shapes((3,), attrs=(0,)), shapes((2, 3), attrs=(1,))),
    groups=(
        SampleGroup(
            "axes",
            "{method} is right for a negative axis, and for several.",
            (shapes((2, 3), attrs=(-2,)), shapes((2, 3, 2), attrs=((0, 2, 1),)),
             shapes((2, 2, 3), attrs=((0, -1),))),
            taught="`axes` is an int (negative too) or a tuple of ints",
        ),
    ),
    taught={
        "forward": "`a` reversed along `self.axes`: what was first is last",
        "backward": "`out_grad` reversed in the same way",
    },
)  # fmt: skip


@exercise("ops.Flip.forward", points=1, minutes=1, difficulty=1)
class FORWARD:
    """NumPy has a function of the same name, and it takes an int or a tuple."""

    all_axes = body("return np.flip(a)")
    """You flipped every axis. Flip only those in `self.axes`."""

    first_axis = body("return a[::-1]")
    """`a[::-1]` flips the first axis, whatever `self.axes` says."""

    rolled = edit("flip(a, self.axes)", "roll(a, 1, self.axes)")
    """You moved the values on by one place. Reverse their order instead."""


@exercise("ops.Flip.backward", points=1, minutes=2, difficulty=1)
class BACKWARD:
    """The value that went to the last place gets the gradient of the last place.

    What undoes a flip?
    """

    unchanged = body("return out_grad")
    """You passed `out_grad` on unchanged. The first value of `a` comes last in the output, so its
    gradient comes last in `out_grad`."""

    all_axes = body("return flip(out_grad, tuple(range(out_grad.ndim)))")
    """You flipped every axis. Flip only those in `self.axes`."""

    @mistake(says=FORGOT_OUT_GRAD)
    def forgot_out_grad(self, out_grad, node):
        (a,) = node._inputs
        return Tensor.ones(*a.shape)

    numpy_inside = RULE.detached
