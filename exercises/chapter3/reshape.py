"""The same values in another shape: `Reshape`, and `Tensor.reshape`."""

import numpy as np

from grader.course import REAL, OpRow, SampleGroup, body, edit, exercise, mistake, shapes

from .sentences import DATA_ONLY, IN_PLACE
from .standard import RULE

SHAPED = "The values of `a` in the shape `self.shape`; one axis may be -1, as in NumPy"

ROW = OpRow(
    op="Reshape",
    forward=lambda a, shape: np.reshape(a, shape),
    torch=lambda torch, a, shape: a.reshape(shape),
    domain=(REAL,),
    samples=(shapes((6,), attrs=((2, 3),)), shapes((2, 3), attrs=((3, 2),))),
    groups=(
        SampleGroup(
            "minus-one",
            "{method} is right where one axis of the new shape is -1.",
            (shapes((2, 3), attrs=((-1,),)), shapes((2, 3, 2), attrs=((4, -1),))),
            taught=SHAPED,
        ),
        SampleGroup(
            "single-number",
            "{method} is right for the shape (), which holds a single number.",
            (shapes((1,), attrs=((),)), shapes((1, 1), attrs=((),))),
            taught="The shape `()` has no axes and holds a single number",
        ),
    ),
    taught={
        "forward": SHAPED,
        "backward": "`out_grad` in the shape that `a` had",
    },
)


@exercise("ops.Reshape.forward", points=1, minutes=1)
class FORWARD:
    """The new shape was given to the constructor: it is `self.shape`.

    NumPy has a function of the same name, and it knows what -1 means.
    """

    @mistake(says=IN_PLACE)
    def in_place(self, a):
        a.shape = self.shape
        return a

    column_order = body('return np.reshape(a, self.shape, order="F")')
    """You read the values column by column (`order="F"`). Use NumPy's default, row by row."""

    resize = edit("a.reshape(self.shape)", "np.resize(a, self.shape)")
    """`np.resize` repeats or drops values until they fit, and doesn't understand -1. Reshaping
    keeps every value."""

    unchanged = body("return a")
    """You returned the array unchanged; its shape has to become `self.shape`."""


@exercise("ops.Reshape.backward", points=2, minutes=3)
class BACKWARD:
    """No value was changed, so no value of `out_grad` has to change. Only its shape is wrong.

    The gradient of `a` has the shape of `a`, and `a` is `node._inputs[0]`.
    """

    shape_of_output = body("return out_grad")
    """Your gradient has the shape of the output. The gradient of `a` must have the shape of `a`."""

    flattened = body("return reshape(out_grad, (-1,))")
    """You flattened the gradient. That fits an input with one axis only."""

    forgot_out_grad = RULE.out_grad_ones

    numpy_inside = RULE.detached


@exercise("chapter3.reshape.method", targets=("tensor.Tensor.reshape",), points=1, minutes=3)
class METHOD:
    """`*shape` gathers the arguments in a tuple. For `x.reshape(2, 3)` that is `(2, 3)`; what is it
    for `x.reshape((2, 3))`?

    If there is one argument and it is a tuple or a list, that argument is the shape. `ops.reshape`
    does the rest.
    """

    numbers_only = body("return ops.reshape(self, shape)")
    """This works for `x.reshape(2, 3)`. For `x.reshape((2, 3))`, `shape` is a tuple that holds a
    tuple."""

    tuple_only = body("return ops.reshape(self, shape[0])")
    """This works for `x.reshape((2, 3))`. For `x.reshape(2, 3)` it takes the 2 alone."""

    data_only = body("return Tensor(self.data.reshape(*shape), dtype=self.dtype)", says=DATA_ONLY)


EXERCISES = (FORWARD, BACKWARD, METHOD)
