"""Tensors of known values: `ones`, `zeros`, `one_hot`."""

from functools import partial

from grader.course import Exercise, Mistake

after_init = partial(Exercise, needs=("chapter2.init",))
OPTIONS = "device=device, dtype=dtype, requires_grad=requires_grad"


def filled_mistakes(function: str, other: str) -> tuple[Mistake, ...]:
    """What goes wrong in the same way with ones and with zeros."""
    return (
        Mistake(
            "dtype-dropped", f"return Tensor(np.{function}(shape), requires_grad=requires_grad)",
            "You did not pass `dtype` on, so the new tensor is float32 whatever was asked for.",
        ),
        Mistake(
            "requires-grad-dropped", f"return Tensor(np.{function}(shape), dtype=dtype)",
            "You did not pass `requires_grad` on, so it is True whatever was asked for.",
        ),
        Mistake(
            "first-axis", f"return Tensor(np.{function}(shape[0] if shape else ()), {OPTIONS})",
            "You used the first size only. The array has one axis for every size.",
        ),
        Mistake(
            "one-axis", f"return Tensor(np.{function}(int(np.prod(shape))), {OPTIONS})",
            "There are as many values as there should be, but all in one axis.",
        ),
        Mistake(
            "unpacked", f"return Tensor(np.{function}(*shape), {OPTIONS})",
            f"`np.{function}` wants the whole shape as one argument. With `*` the second size "
            "lands where NumPy expects a dtype.",
        ),
        Mistake(
            "other-number", f"return Tensor(np.{other}(shape), {OPTIONS})",
            f"This fills the tensor with {other}.",
        ),
        Mistake(
            "shape-as-data", f"return Tensor(shape, {OPTIONS})",
            "You made a tensor that holds the sizes themselves. They are its shape.",
        ),
    )  # fmt: skip


ONES = after_init(
    "chapter2.ones",
    section="2.7",
    targets=("tensor.Tensor.ones",),
    points=1,
    minutes=2,
    hints=(
        "`shape` is a tuple of all sizes: the star in front of the parameter collected them.",
        "NumPy makes the array; the tensor takes it together with `dtype` and `requires_grad`.",
    ),
    mistakes=filled_mistakes("ones", "zeros"),
)  # fmt: skip

ZEROS = after_init(
    "chapter2.zeros",
    section="2.7",
    targets=("tensor.Tensor.zeros",),
    points=1,
    minutes=2,
    hints=(
        "As in `ones`, but for the number.",
        "NumPy makes the array; the tensor takes it together with `dtype` and `requires_grad`.",
    ),
    mistakes=filled_mistakes("zeros", "ones"),
)  # fmt: skip

INDICES = """
if isinstance(indices, Tensor):
    indices = indices.data
indices = np.asarray(indices, dtype=int)
"""


def rows_of(rows: str) -> str:
    """A body that reads the indices and makes a tensor of ``rows``."""
    return INDICES + f"return Tensor({rows}, {OPTIONS})"


ONE_HOT = after_init(
    "chapter2.one_hot",
    section="2.8",
    targets=("tensor.Tensor.one_hot",),
    points=2,
    minutes=8,
    difficulty=2,
    hints=(
        "The identity matrix has the one-hot row of 0 on top, below it that of 1, and so on.",
        "An array can be indexed with an array of integers: it picks one row per index.",
        "The indices of a Tensor are in its `data`, as floats. Make integers of them first.",
    ),
    mistakes=(
        Mistake(
            "off-by-one", rows_of("np.eye(num_classes)[indices - 1]"),
            "You counted the classes from 1. Index 0 is the first column.",
        ),
        Mistake(
            "transposed", rows_of("np.eye(num_classes)[indices].T"),
            "Rows and columns changed places. One row per index: the classes are the last axis.",
        ),
        Mistake(
            "one-axis-only", rows_of("np.eye(num_classes)[indices.reshape(-1)]"),
            "You put all indices into one axis first. The result has the shape of `indices`, and "
            "one more axis.",
        ),
        Mistake(
            "classes-guessed", rows_of("np.eye(indices.max() + 1)[indices]"),
            "You took the largest index for the last class. There are `num_classes` columns, also "
            "where the last classes do not occur.",
        ),
        Mistake(
            "added-up", rows_of("np.eye(num_classes)[indices.reshape(-1)].sum(axis=0)"),
            "You put all the ones into a single row. Every index gets a row of its own.",
        ),
        Mistake(
            "tensor-not-opened",
            f"return Tensor(np.eye(num_classes)[np.asarray(indices, dtype=int)], {OPTIONS})",
            "The indices may be a Tensor, and NumPy cannot read one. Take the array out of it.",
        ),
        Mistake(
            "floats-as-indices",
            "if isinstance(indices, Tensor):\n    indices = indices.data\n"
            f"return Tensor(np.eye(num_classes)[indices], {OPTIONS})",
            "A Tensor of labels holds floats, and NumPy takes integers as indices only.",
        ),
        Mistake(
            "options-dropped", INDICES + "return Tensor(np.eye(num_classes)[indices])",
            "You did not pass `dtype` and `requires_grad` on. The default of `__init__` makes the "
            "labels require a gradient.",
        ),
    ),
)  # fmt: skip
