"""Engine 3, closures: an operation and its way back, written in one place."""

from exercises.chapter1.sentences import FORGOT_OUT_GRAD
from grader.course import body, edit, exercise, mistake

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


@exercise(
    "chapter11.closure.mul",
    targets=("engines.closure.Tensor.__mul__",),
    points=1,
    minutes=6,
    difficulty=2,
)
class MUL:
    """As `__add__`, with the other factor in place of 1.

    Multiply first, then `_unbroadcast`: the factors may have different shapes.
    """

    @mistake(says=OWN_FACTOR)
    def own_factor(self, other):
        other = as_tensor(other)
        out = Tensor(self.data * other.data, _prev=(self, other))

        def push():
            self.grad += _unbroadcast(self.data * out.grad, self.shape)
            other.grad += _unbroadcast(other.data * out.grad, other.shape)

        out._backward = push
        return out

    @mistake(says=NOT_UNBROADCAST)
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
    difficulty=1,
)
class MATMUL:
    """Look at the shapes: there is only one way in which they fit."""

    overwrites = edit(("+= out", "= out"), ("+= self", "= self"), says=STORED_NOT_ADDED)

    @mistake(says=NOT_STORED, has=HANDED_BACK)
    def not_stored(self, other):
        out = Tensor(self.data @ other.data, _prev=(self, other))

        def push() -> None:
            return out.grad @ other.data.T, self.data.T @ out.grad

        out._backward = push
        return out

    right_only = edit("self.grad += out.grad @ other.data.T", "")
    """Only the right factor is handed something. Below this layer nothing would learn."""

    no_graph = body("return Tensor(self.data @ other.data)", says=NO_GRAPH)
    too_early = read_early(("out.grad @", "early @"), ("T @ out.grad", "T @ early"))
    unattached = UNATTACHED


@exercise(
    "chapter11.closure.tanh",
    targets=("engines.closure.Tensor.tanh",),
    points=1,
    minutes=3,
    difficulty=1,
)
class TANH:
    """The result is at hand in the closure: `out.data`."""

    of_the_input = edit("- out", "- self")
    """You put the input into 1 - t². The t in it is the result: `out.data`."""

    forgot_out_grad = edit(("(1", "1"), ("2) * out.grad", "2"), says=FORGOT_OUT_GRAD)
    overwrites = edit("+=", "=", says=STORED_NOT_ADDED)
    not_stored = edit(
        ("self.grad", "return self.grad"), ("+=", "+"), says=NOT_STORED, has=HANDED_BACK
    )
    too_early = read_early()
    unattached = UNATTACHED


OPERATIONS = (MUL, MATMUL, TANH)
