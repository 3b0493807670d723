"""The rectifier: `ReLU`, with its kink at 0."""

import numpy as np

from grader.course import REAL, OpRow, SampleGroup, body, edit, exercise, mistake, shapes, values

from .sentences import FORGOT_OUT_GRAD
from .standard import RULE

ROW = OpRow(
    op="ReLU",
    forward=lambda a: np.where(np.real(a) > 0, a, 0),  # unlike np.maximum, keeps a complex step
    torch=lambda torch, a: torch.relu(a),
    domain=(REAL,),
    samples=(shapes((2,)), shapes((2, 3))),
    taught={
        "forward": "`max(a, 0)`, value by value",
        "backward": "`out_grad` where `a > 0`, else 0",
    },
    groups=(
        SampleGroup(
            "kink",
            "{method} returns the gradient 0 where the input is exactly 0.",
            (values([0.0, -1.5, 2.5]),),
            taught="`out_grad` where `a > 0`, else 0; at exactly 0 it is 0",
            directions=("backward",),
            numeric=False,
        ),
        SampleGroup(
            "single-number",
            "{method} turns a single number into 0, too.",
            (values(-1.7),),
            taught="`max(a, 0)`, value by value",
            directions=("forward",),
        ),
        SampleGroup(
            "single-number",
            "{method} lets the gradient of a single number pass, too.",
            (values(1.7),),
            taught="`out_grad` where `a > 0`, else 0",
            directions=("backward",),
        ),
    ),
)


@exercise("ops.ReLU.forward", points=1, minutes=1)
class FORWARD:
    """`a` is a plain NumPy array here. Each value is compared with 0, and the larger stays.

    NumPy has a function for the largest value *of* an array and another for the larger of *two*
    arrays, value by value. You want the second.
    """

    max_along_axis = edit("maximum", "max")
    """`np.max(a, 0)` is the largest value along axis 0. To compare every value with 0 there is
    another function."""

    mask = body("return (a > 0).astype(a.dtype)")
    """This says where a is positive, as 1 and 0. What is positive has to keep its value."""

    absolute = body("return np.abs(a)")
    """You flipped negative values to positive. Here they become 0."""

    wrong_side = edit("maximum", "minimum")
    """You kept the negative values. The positive ones pass."""

    in_place = RULE.in_place

    float32 = RULE.float32


@exercise("ops.ReLU.backward", points=2)
class BACKWARD:
    """Where the input was positive the output moved with it. Elsewhere the output is 0 and stays 0.

    So the slope is a mask of ones and zeros. It is a constant: computing it from `a.data` is right.

    Multiply `out_grad` by that mask. And think of a = 0: `>` or `>=`?
    """

    forgot_mask = body("return out_grad")
    """You passed `out_grad` on everywhere. Where the input was negative, the output didn't move
    with it."""

    @mistake(says=FORGOT_OUT_GRAD)
    def forgot_out_grad(self, out_grad, node):
        (a,) = node._inputs
        return Tensor(a.data > 0)

    @mistake(seen="https://github.com/pytorch/tutorials/pull/269")
    def one_at_zero(self, out_grad, node):
        """At exactly 0 you let the gradient pass. The rule is: where a is greater than 0."""
        (a,) = node._inputs
        return out_grad * Tensor(a.data >= 0)

    mask_of_gradient = body(
        "return relu(out_grad)",
        has=(r"relu\(out_grad", r"out_grad(?:\.data)? >", r"maximum\((?:out_grad|0)"),
        seen="https://github.com/exacity/deeplearningbook-chinese/issues/127",
    )
    """You kept the positive values of `out_grad`. The mask comes from the input: a negative
    gradient has to get through, too."""

    def forward_again(self, out_grad, node):
        """You computed the forward once more. `backward` returns how much the output moves with the
        input, times `out_grad`."""
        (a,) = node._inputs
        return relu(a)

    value_for_mask = body("return out_grad * node")
    """You multiplied by the output. Where the input was positive the slope is 1, however large the
    output is."""

    numpy_inside = RULE.numpy_inside

    def writes_out_grad(self, out_grad, node):
        """You wrote the zeros into `out_grad` itself. It belongs to the caller, and other nodes may
        still need it: return a new Tensor."""
        (a,) = node._inputs
        out_grad.data[a.data <= 0] = 0
        return out_grad
