"""The absolute value: `Abs`, with its kink at 0."""

import numpy as np

from grader.course import REAL, OpRow, SampleGroup, body, edit, exercise, mistake, shapes, values

from .sentences import FORGOT_OUT_GRAD
from .standard import RULE

ROW = OpRow(
    op="Abs",
    forward=lambda a: np.where(np.real(a) < 0, -a, a),  # unlike np.abs, keeps a complex step
    torch=lambda torch, a: torch.maximum(a, -a),  # at 0 both halves count: 1/2 - 1/2
    domain=(REAL,),
    samples=(shapes((2,)), shapes((2, 3))),
    taught={
        "forward": "The absolute value of every value",
        "backward": "the sign of `a`",
    },
    groups=(
        SampleGroup(
            "kink",
            "{method} returns the gradient 0 where the input is exactly 0.",
            (values([0.0, -1.5, 2.5]),),
            taught="the sign of `a`, and by convention 0 where `a` is 0",
            directions=("backward",),
            numeric=False,
        ),
        SampleGroup(
            "single-number",
            "{method} turns a single number, too.",
            (values(-1.7),),
            taught="The absolute value of every value",
            directions=("forward",),
        ),
        SampleGroup(
            "far",
            "{method} is right for numbers whose squares no float holds.",
            (values([-1e200, 1e-200, 0.0]),),
            taught="The absolute value of every value",
            directions=("forward",),
            weight=0.5,
        ),
    ),
)


@exercise("ops.Abs.forward", points=1, minutes=1)
class FORWARD:
    """`a` is a plain NumPy array here, and NumPy has the function.

    Beware: inside `ops.py` the bare name `abs` is the course's own function of Tensors, not
    Python's. Ask NumPy.
    """

    own_abs = edit("np.", "")
    """Inside `ops.py` the name `abs` is the function of Tensors at the end of the file, and it
    calls this very method. Use NumPy's function here."""

    cut_off = edit("abs(a)", "maximum(a, 0)")
    """You turned negative values into 0, as ReLU does. Here they become positive."""

    all_or_nothing = body("return -a if np.any(a < 0) else a")
    """You decided for the whole array at once. Each value has a sign of its own."""

    in_place = RULE.in_place


@exercise("ops.Abs.backward", points=2)
class BACKWARD:
    """Draw |a|: on the right of 0 it climbs, on the left it falls. Which slopes are these?

    NumPy has a function that gives 1, -1, and 0 at zero. Its result is a constant, so computing it
    from `a.data` is right; wrap it in a Tensor.
    """

    forgot_sign = body("return out_grad")
    """You passed `out_grad` on unchanged. Left of 0 the absolute value falls, so there the sign
    flips."""

    @mistake(says=FORGOT_OUT_GRAD)
    def forgot_out_grad(self, out_grad, node):
        (a,) = node._inputs
        return Tensor(np.sign(a.data))

    def value_for_sign(self, out_grad, node):
        """You multiplied by a. Only its sign counts: the slope is 1 or -1 however large a is."""
        (a,) = node._inputs
        return out_grad * a

    def one_at_zero(self, out_grad, node):
        """At exactly 0 you used the slope 1. There |a| has no slope, and by convention the gradient
        is 0."""
        (a,) = node._inputs
        return out_grad * Tensor(np.where(a.data >= 0, 1, -1))

    def zero_over_zero(self, out_grad, node):
        """a/|a| is the sign of a, but at exactly 0 it is 0/0, which is not a number. By convention
        the gradient there is 0."""
        (a,) = node._inputs
        return out_grad * a / abs(a)

    numpy_inside = RULE.numpy_inside
