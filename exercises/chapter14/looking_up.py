"""Rows of a table: `Take`, and the layer that owns one."""

import numpy as np

from exercises.chapter3.mistakes import numpy_inside
from grader.course import REAL, Exercise, Group, Mistake, OpRow, shapes

REPEATED = shapes((3, 2), attrs=((2, 0, 2),)), shapes((4, 3), attrs=(((1, 1), (0, 1)),))

ROW = OpRow(
    op="Take",
    forward=lambda a, indices: a[np.array(indices)],
    torch=lambda torch, a, indices: a[torch.tensor(indices)],
    domain=(REAL,),
    samples=(shapes((3, 2), attrs=((2, 0),)), shapes((4, 3), attrs=(((0, 3), (1, 2)),))),
    groups=(
        Group(
            "repeated",
            "{method} is right where a row is asked for several times.",
            REPEATED,
            taught="a number may be asked for many times",
        ),
        Group(
            "unasked",
            "{method} gives zeros to the rows that nobody asked for.",
            (shapes((5, 2), attrs=((3,),)),),
            taught="A row that nobody asked for gets zeros",
            directions=("backward",),
        ),
    ),
    taught={
        "forward": "Row `i` of `a` for every `i` in `self.indices`",
        "backward": "every row gets the *sum* of what arrives at its copies",
    },
)  # fmt: skip

FORWARD = Exercise(
    "chapter14.take.forward",
    section="14.3",
    targets=("ops.Take.forward",),
    points=1,
    minutes=2,
    hints=("What does NumPy do with an array of whole numbers between the brackets?",),
    mistakes=(
        Mistake(
            "columns", "return a[:, self.indices % a.shape[1]]",
            "You picked columns. Every number names a *row*.",
        ),
        Mistake(
            "flattened", "return a[self.indices.ravel()]",
            "The rows are right, but the result is one long list of them. It keeps the shape of "
            "the indices.",
        ),
        Mistake(
            "counted-from-one", "return a[self.indices - 1]",
            "You took the row before the one that was asked for.",
        ),
    ),
)  # fmt: skip

START = (
    "(a,) = node._inputs\nrows, dim = a.shape\nflat = self.indices.ravel()\n"
    "arrived = out_grad.data.reshape(-1, dim)\n"
)
SUMMED = (
    "(a,) = node._inputs\nrows, dim = a.shape\n"
    "copies = Tensor.one_hot(self.indices.ravel(), rows, dtype=out_grad.dtype)\n"
    "grad = matmul(transpose(copies), reshape(out_grad, (self.indices.size, dim)))\n"
)

BACKWARD = Exercise(
    "chapter14.take.backward",
    section="14.3",
    targets=("ops.Take.backward",),
    points=3,
    minutes=15,
    difficulty=3,
    needs=("chapter14.take.forward", "chapter3.matmul.forward"),
    hints=(
        "Where row 2 was taken three times, it has three copies, and three gradients arrive. What "
        "does chapter 3 say about a value that is used three times?",
        "The forward is a matrix product in disguise: a row of zeros with a single 1, times the "
        "table, is a row of the table. What is the gradient of `b` in `a @ b`?",
        "`Tensor.one_hot` makes these rows. Transposed, times `out_grad` with one row per index.",
    ),
    mistakes=(
        Mistake(
            "last-copy-wins",
            START + "grad = np.zeros(a.shape, out_grad.dtype)\ngrad[flat] = arrived\n"
            "return Tensor(grad, dtype=grad.dtype)",
            "Where a row was taken several times, only one of its copies counts: an assignment to "
            "`grad[indices]` (and `+=` too!) writes each place once. The gradients of all copies "
            "have to be added up.",
        ),
        Mistake(
            "averaged",
            SUMMED + "counts = np.maximum(np.bincount(self.indices.ravel(), minlength=rows), 1)\n"
            "return grad / Tensor(counts.reshape(-1, 1), dtype=a.dtype, requires_grad=False)",
            "You took the mean over the copies of a row. Every copy moves the result by itself: "
            "their gradients add up.",
        ),
        Mistake(
            "forgot-out-grad",
            "(a,) = node._inputs\n"
            "counts = np.bincount(self.indices.ravel(), minlength=a.shape[0]).reshape(-1, 1)\n"
            "return Tensor(counts * np.ones(a.shape), dtype=a.dtype)",
            "You counted how often each row was taken. What has to be added up is `out_grad`, the "
            "gradient that arrived at each copy.",
        ),
        Mistake(
            "not-put-back", "return out_grad",
            "Your gradient has the shape of what was picked. The gradient of the table has the "
            "shape of the table.",
        ),
        numpy_inside(
            START + "grad = np.zeros(a.shape, out_grad.dtype)\nnp.add.at(grad, flat, arrived)\n"
            "return Tensor(grad, dtype=grad.dtype)"
        ),
    ),
)  # fmt: skip

EMBEDDING_INIT = Exercise(
    "chapter14.embedding.init",
    section="14.3",
    targets=("gpt.Embedding.__init__",),
    points=1,
    minutes=2,
    needs=("chapter4.parameter.init",),
    hints=("`Tensor.randn` knows `std` and `dtype`. A module finds what is a Parameter.",),
    mistakes=(
        Mistake(
            "plain-tensor", "self.weight = Tensor.randn(count, dim, std=0.02, dtype=dtype)",
            "`weight` is a plain Tensor, so that no optimizer will ever see it.",
        ),
        Mistake(
            "turned-round",
            "self.weight = Parameter(Tensor.randn(dim, count, std=0.02, dtype=dtype))",
            "The table lies on its side: it has one row for each token.",
        ),
        Mistake(
            "spread-of-one", "self.weight = Parameter(Tensor.randn(count, dim, dtype=dtype))",
            "You draw with a standard deviation of 1, as PyTorch does. Here it is 0.02.",
        ),
        Mistake(
            "uniform",
            "self.weight = Parameter(Tensor.rand(count, dim, low=-0.02, high=0.02, dtype=dtype))",
            "You draw uniformly. A normal distribution is asked for.",
        ),
        Mistake(
            "own-dtype", "self.weight = Parameter(Tensor.randn(count, dim, std=0.02))",
            "The argument `dtype` is ignored.",
        ),
    ),
)  # fmt: skip

EMBEDDING = Exercise(
    "chapter14.embedding.forward",
    section="14.3",
    targets=("gpt.Embedding.forward",),
    points=1,
    minutes=2,
    needs=("chapter14.take.forward", "chapter14.take.backward", "chapter14.embedding.init"),
    hints=("`ops.take` does it. One of the three kinds of indices needs a line before it.",),
    mistakes=(
        Mistake(
            "data-only",
            "numbers = np.asarray(indices.data if isinstance(indices, Tensor) else indices)\n"
            "return Tensor(self.weight.data[numbers], dtype=self.weight.dtype)",
            "The values are right, but the result is a leaf: no gradient reaches the table. Go "
            "through `ops.take`.",
        ),
        Mistake(
            "needs-an-array", "return ops.take(self.weight, indices[...])",
            "An ndarray is not the only thing that may come: a list or a Tensor of whole numbers "
            "is as good.",
        ),
    ),
)  # fmt: skip
