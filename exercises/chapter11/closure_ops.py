"""Engine 3, closures: an operation and its way back, written in one place."""

from typing import TYPE_CHECKING

from exercises.chapter1.sentences import FORGOT_OUT_GRAD
from grader.course import also, body, edit, exercise

from .sentences import (
    HANDED_BACK,
    NO_GRAPH,
    NOT_STORED,
    NOT_UNBROADCAST,
    OWN_FACTOR,
    STORED_NOT_ADDED,
    UNATTACHED,
    read_early,
)

if TYPE_CHECKING:  # what the wrong bodies name
    import numpy as np

    from solutions.babygrad.engines.closure import Tensor, _unbroadcast, as_tensor

_HELPER = "engines.closure._unbroadcast"


@exercise(
    "chapter11.closure.unbroadcast",
    targets=(_HELPER,),
    points=0.5,
    minutes=2,
    hints=("The function of 11.1 once more: every engine works alone. Copy your own.",),
)
class UNBROADCAST:
    front_only = body("return gradient.sum(axis=tuple(range(gradient.ndim - len(shape))))")
    """The new axes in front are summed away, but a stretched column comes back too wide."""

    def stretched_only(gradient, shape):
        """Axes of length 1 are summed, but the new axes in front are still there."""
        axes = tuple(i for i, size in enumerate(shape) if size == 1)
        return gradient.sum(axis=axes, keepdims=True)

    reshaped = body("return np.resize(gradient, shape)")
    """You cut the gradient to size. What is cut off belongs to the sum."""


@exercise(
    "chapter11.closure.add",
    targets=("engines.closure.Tensor.__add__",),
    points=1,
    needs=("chapter11.closure.unbroadcast",),
    hints=(
        "Chapter 1's `__add__` with arrays: make the result, write the function, hang it there.",
        "Each input may have been broadcast: `_unbroadcast(out.grad, self.shape)`.",
    ),
)
class ADD:
    def naive_bias(self, other):
        """This is the rule for two inputs of one shape. A bias of (D,) gets a row per sample from
        it; `_unbroadcast` sums the rows."""
        other = as_tensor(other)
        out = Tensor(self.data + other.data, _prev=(self, other))

        def push():
            self.grad = self.grad + out.grad
            other.grad = other.grad + out.grad

        out._backward = push
        return out

    overwrites = edit(
        ("self.grad +=", "self.grad ="), ("other.grad +=", "other.grad ="), says=STORED_NOT_ADDED
    )

    too_early = read_early(("out.grad, self", "early, self"), ("out.grad, other", "early, other"))
    unattached = UNATTACHED
    no_graph = body("return Tensor(self.data + as_tensor(other).data)", says=NO_GRAPH)


@exercise(
    "chapter11.closure.mul",
    targets=("engines.closure.Tensor.__mul__",),
    points=1,
    minutes=4,
    needs=("chapter11.closure.unbroadcast",),
    hints=("As `__add__`, with the other factor in place of 1.",),
)
class MUL:
    @also(says=OWN_FACTOR)
    def own_factor(self, other):
        other = as_tensor(other)
        out = Tensor(self.data * other.data, _prev=(self, other))

        def push():
            self.grad += _unbroadcast(self.data * out.grad, self.shape)
            other.grad += _unbroadcast(other.data * out.grad, other.shape)

        out._backward = push
        return out

    @also(says=NOT_UNBROADCAST)
    def not_unbroadcast(self, other):
        other = as_tensor(other)
        out = Tensor(self.data * other.data, _prev=(self, other))

        def push():
            self.grad = self.grad + other.data * out.grad
            other.grad = other.grad + self.data * out.grad

        out._backward = push
        return out

    overwrites = edit(
        ("self.grad +=", "self.grad ="), ("other.grad +=", "other.grad ="), says=STORED_NOT_ADDED
    )
    forgot_out_grad = edit(
        ("out.grad, self", "np.ones(out.shape), self"),
        ("out.grad, other", "np.ones(out.shape), other"),
        says=FORGOT_OUT_GRAD,
    )
    too_early = read_early(("out.grad, self", "early, self"), ("out.grad, other", "early, other"))
    unattached = UNATTACHED


@exercise(
    "chapter11.closure.matmul",
    targets=("engines.closure.Tensor.__matmul__",),
    points=1.5,
    minutes=4,
    hints=("Look at the shapes: there is only one way in which they fit.",),
)
class MATMUL:
    overwrites = edit(("+= out", "= out"), ("+= self", "= self"), says=STORED_NOT_ADDED)
    not_stored = edit(
        ("self.grad +=", "return"), ("T\n    other.grad +=", "T,"), says=NOT_STORED, has=HANDED_BACK
    )

    right_only = edit("\n    self.grad += out.grad @ other.data.T", "")
    """Only the right factor is handed something. Below this layer nothing would learn."""

    no_graph = body("return Tensor(self.data @ other.data)", says=NO_GRAPH)
    too_early = read_early(("out.grad @", "early @"), ("T @ out.grad", "T @ early"))
    unattached = UNATTACHED


@exercise(
    "chapter11.closure.sum",
    targets=("engines.closure.Tensor.sum",),
    points=1.5,
    minutes=6,
    hints=(
        "`self.grad += something` broadcasts: (2, 1) is added to every column of (2, 3).",
        "So only the summed axes have to come back, with length 1: `np.expand_dims`.",
    ),
)
class SUM:
    axes_not_put_back = edit(
        ("if axis is not None and not keepdims:\n        ", ""),
        ("expand_dims", "broadcast_to"),
        (", axis", ", self.shape"),
    )
    """The summed axes are gone from `out.grad`. Put them back with length 1, or the numbers land in
    the wrong places."""

    overwrites = edit(
        "+= arrived  # broadcast to the shape of self",
        "= arrived + np.zeros(self.shape)",
        says=STORED_NOT_ADDED,
    )
    ones = edit(
        ("if axis is not None and not keepdims:\n        ", ""),
        ("expand_dims", "ones"),
        ("arrived, axis", "self.shape"),
        says=FORGOT_OUT_GRAD,
    )

    like_mean = edit("  # broadcast to the shape of self", " * out.data.size / self.data.size")
    """You divided by the number of terms. That is the rule of the mean."""

    not_stored = edit(
        ("self.grad", "return self.grad"), ("+=", "+"), says=NOT_STORED, has=HANDED_BACK
    )
    too_early = read_early()
    unattached = UNATTACHED


@exercise(
    "chapter11.closure.mean",
    targets=("engines.closure.Tensor.mean",),
    points=0.5,
    minutes=3,
    difficulty=1,
    needs=("chapter11.closure.sum", "chapter11.closure.mul"),
    hints=("A mean is a sum times a number. How many terms went into each sum?",),
)
class MEAN:
    divided_by_all = body("return self.sum(axis, keepdims) * (1 / self.data.size)")
    """You always divide by the number of all elements. With an axis, each sum has fewer terms."""

    no_graph = body("return Tensor(self.data.mean(axis=axis, keepdims=keepdims))", says=NO_GRAPH)

    not_divided = body("return self.sum(axis, keepdims)")
    """This is the sum. Divide it by the number of terms."""

    first_axis = body("return self.sum(axis, keepdims) * (1 / self.shape[0])")
    """You divide by the length of the first axis, whichever was summed."""


@exercise(
    "chapter11.closure.tanh",
    targets=("engines.closure.Tensor.tanh",),
    points=1,
    minutes=3,
    difficulty=1,
    hints=("The result is at hand in the closure: `out.data`.",),
)
class TANH:
    of_the_input = edit("- out", "- self")
    """You put the input into 1 - t². The t in it is the result: `out.data`."""

    forgot_out_grad = edit(("(1", "1"), ("2) * out.grad", "2"), says=FORGOT_OUT_GRAD)
    overwrites = edit("+=", "=", says=STORED_NOT_ADDED)
    not_stored = edit(
        ("self.grad", "return self.grad"), ("+=", "+"), says=NOT_STORED, has=HANDED_BACK
    )
    too_early = read_early()
    unattached = UNATTACHED


@exercise(
    "chapter11.closure.relu",
    targets=("engines.closure.Tensor.relu",),
    points=1,
    minutes=3,
    difficulty=1,
    hints=("A comparison gives True and False, and True counts as 1 in a product.",),
)
class RELU:
    at_zero = edit("> 0", ">= 0")
    """At exactly 0 there is no slope. The convention here, and PyTorch's, is to hand on 0."""

    forgot_out_grad = edit(" * out.grad", "", says=FORGOT_OUT_GRAD)
    overwrites = edit("+=", "=", says=STORED_NOT_ADDED)

    def edited(self):
        """You wrote the result into the input. Whoever still uses it finds other numbers there;
        make a new Tensor."""
        self.data = np.maximum(self.data, 0)
        out = Tensor(self.data, _prev=(self,))

        def push():
            self.grad += (self.data > 0) * out.grad

        out._backward = push
        return out
    too_early = read_early()
    unattached = UNATTACHED


@exercise(
    "chapter11.closure.exp",
    targets=("engines.closure.Tensor.exp",),
    points=0.5,
    minutes=2,
    difficulty=1,
    hints=("The slope of eᵃ is eᵃ: the result itself.",),
)
class EXP:
    of_the_input = edit("+= out", "+= self")
    """You multiplied by the input. The slope of eᵃ is the result, `out.data`."""

    forgot_out_grad = edit("data * out.grad", "data", says=FORGOT_OUT_GRAD)
    overwrites = edit("+=", "=", says=STORED_NOT_ADDED)
    too_early = read_early()
    unattached = UNATTACHED


@exercise(
    "chapter11.closure.log",
    targets=("engines.closure.Tensor.log",),
    points=0.5,
    minutes=2,
    difficulty=1,
    hints=("The slope of ln a is 1/a, with a the input.",),
)
class LOG:
    of_the_result = edit("grad / self", "grad / out")
    """You divided by the result. The slope is one over the input."""

    forgot_out_grad = edit("out.grad", "1", says=FORGOT_OUT_GRAD)
    overwrites = edit("+=", "=", says=STORED_NOT_ADDED)
    too_early = read_early()
    unattached = UNATTACHED


OPERATIONS = (UNBROADCAST, ADD, MUL, MATMUL, SUM, MEAN, TANH, RELU, EXP, LOG)
