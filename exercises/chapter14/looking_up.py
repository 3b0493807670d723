"""Rows of a table: `Take`, and the layer that owns one."""

import numpy as np

from exercises.chapter3.standard import RULE
from grader.course import REAL, OpRow, SampleGroup, body, edit, exercise, mistake, shapes

REPEATED = shapes((3, 2), attrs=((2, 0, 2),)), shapes((4, 3), attrs=(((1, 1), (0, 1)),))

ROW = OpRow(
    op="Take",
    forward=lambda a, indices: a[np.array(indices)],
    torch=lambda torch, a, indices: a[torch.tensor(indices)],
    domain=(REAL,),
    samples=(shapes((3, 2), attrs=((2, 0),)), shapes((4, 3), attrs=(((0, 3), (1, 2)),))),
    groups=(
        SampleGroup(
            "repeated",
            "{method} is right where a row is picked several times.",
            REPEATED,
            taught="a number may occur many times",
        ),
        SampleGroup(
            "unasked",
            "{method} gives zeros to the rows that were not picked.",
            (shapes((5, 2), attrs=((3,),)),),
            taught="A row that was not picked gets zeros",
            directions=("backward",),
        ),
    ),
    taught={
        "forward": "whole numbers from 0 on, of any shape … Row `i` of `a` for every `i` in "
        "`self.indices` … `dim` as one more, last axis",
        "backward": "every row gets the *sum* of what arrives at its copies",
    },
)  # fmt: skip


@exercise("ops.Take.forward", points=1, minutes=2, difficulty=1)
class FORWARD:
    """What does NumPy do with an array of whole numbers as an index?"""

    columns = body("return a[:, self.indices % a.shape[1]]")
    """You picked columns. Every number names a *row*."""

    flattened = edit("indices", "indices.ravel()")
    """The rows are right, but the result is one long list of them. It keeps the shape of the
    indices."""

    counted_from_one = edit("indices", "indices - 1")
    """You took the row before the right one."""


@exercise(
    "ops.Take.backward",
    points=3,
    minutes=15,
    needs=("chapter14.take.forward", "chapter3.matmul.forward"),
)
class BACKWARD:
    """If row 2 was taken three times, it has three copies, and three gradients arrive. What does
    chapter 3 say about a value that is used three times?

    The forward is a matrix product in disguise: a row of zeros with a single 1, times the table, is
    a row of the table. What is the gradient of `b` in `a @ b`?

    `Tensor.one_hot` makes these rows. Transposed, times `out_grad` with one row per index.
    """

    @mistake(seen="https://github.com/pytorch/pytorch/issues/1528")
    def last_copy_wins(self, out_grad, node):
        """If a row was taken several times, only one of its copies counts: an assignment to
        `grad[indices]` (and `+=`, too!) writes each place once. Add up the gradients of all
        copies."""
        (a,) = node._inputs
        rows, dim = a.shape
        flat = self.indices.ravel()
        arrived = out_grad.data.reshape(-1, dim)
        grad = np.zeros(a.shape, out_grad.dtype)
        grad[flat] = arrived
        return Tensor(grad, dtype=grad.dtype)

    def averaged(self, out_grad, node):
        """You took the mean over the copies of a row. Every copy moves the result by itself: their
        gradients add up."""
        (a,) = node._inputs
        rows, dim = a.shape
        copies = Tensor.one_hot(self.indices.ravel(), rows, dtype=out_grad.dtype)
        grad = matmul(transpose(copies), reshape(out_grad, (self.indices.size, dim)))
        counts = np.maximum(np.bincount(self.indices.ravel(), minlength=rows), 1)
        return grad / Tensor(counts.reshape(-1, 1), dtype=a.dtype, requires_grad=False)

    def forgot_out_grad(self, out_grad, node):
        """You counted how often each row was taken. Add up `out_grad`, the gradient that arrived at
        each copy."""
        (a,) = node._inputs
        counts = np.bincount(self.indices.ravel(), minlength=a.shape[0]).reshape(-1, 1)
        return Tensor(counts * np.ones(a.shape), dtype=a.dtype)

    not_put_back = body("return out_grad")
    """Your gradient has the shape of what was picked. The gradient of the table has the shape of
    the table."""

    numpy_inside = RULE.detached


@exercise(
    "gpt.Embedding.__init__",
    points=1,
    minutes=2,
    needs=("chapter4.parameter.init",),
)
class EMBEDDING_INIT:
    """`Tensor.randn` takes `std` and `dtype`. A module finds what is a Parameter."""

    plain_tensor = edit(("Parameter(", ""), ("dtype))", "dtype)"))
    """`weight` is a plain Tensor, so no optimizer will ever see it."""

    turned_round = edit("count, dim", "dim, count")
    """The table is transposed: it should have one row for each token."""

    spread_of_one = edit("std=0.02, ", "")
    """You draw with a standard deviation of 1, as PyTorch does. Here it is 0.02."""

    uniform = edit(("randn", "rand"), ("std", "low=-0.02, high"))
    """You draw uniformly. Use a normal distribution."""

    own_dtype = edit("02, dtype=dtype", "02")
    """The argument `dtype` is ignored."""


@exercise(
    "gpt.Embedding.forward",
    points=1,
    minutes=2,
    needs=("chapter14.take.forward", "chapter14.take.backward", "chapter14.embedding.init"),
)
class EMBEDDING:
    """`ops.take` does it. One of the three kinds of indices needs a line before it."""

    def data_only(self, indices):
        """The values are right, but the result is a leaf: no gradient reaches the table. Go through
        `ops.take`."""
        numbers = np.asarray(indices.data if isinstance(indices, Tensor) else indices)
        return Tensor(self.weight.data[numbers], dtype=self.weight.dtype)

    needs_an_array = body("return ops.take(self.weight, indices[...])")
    """An ndarray isn't the only thing that you may get: a list or a Tensor of whole numbers is
    fine, too."""
