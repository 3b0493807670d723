"""Tensors of known values: `ones`, `zeros`, `one_hot`."""

from grader.course import body, edit, exercise, mistake

LIST_ONLY = (
    "Your code takes a flat list of indices. `indices` may have more axes, or none at all: the "
    "result has its shape, and one axis more."
)
# A row and a column for each index of a list, and nothing that makes a list of them first.
BY_PAIRS = (
    r"(?s)^(?!.*(?:reshape|ravel|flat)).*"
    r"\[np\.arange\((?:len\(\w{1,40}\)|\w{1,40}\.(?:size|shape\[0\]))\), \w{1,40}\] = "
)


@exercise("chapter2.ones", targets=("tensor.Tensor.ones",), points=1, minutes=2)
class ONES:
    """`shape` is a tuple of all sizes: the star in front of the parameter collected them.

    NumPy makes the array; the tensor takes it together with `dtype` and `requires_grad`.
    """

    dtype_dropped = edit("device=device, dtype=dtype, ", "")
    """You didn't pass `dtype` on, so the new tensor is float32 whatever was asked for."""

    requires_grad_dropped = body("return Tensor(np.ones(shape), dtype=dtype)")
    """You didn't pass `requires_grad` on, so it is True whatever was asked for."""

    first_axis = edit("shape", "shape[0] if shape else ()")
    """You used the first size only. The array has one axis for every size."""

    one_axis = edit("shape", "int(np.prod(shape))")
    """There are as many values as there should be, but they are all in one axis."""

    unpacked = edit("shape", "*shape")
    """`np.ones` wants the whole shape as one argument. With `*` the second size lands where NumPy
    expects a dtype."""

    other_number = edit("ones", "zeros")
    """This fills the tensor with zeros."""

    shape_as_data = edit("np.ones(shape)", "shape")
    """You made a tensor that holds the sizes themselves. They are its shape."""


@exercise("chapter2.zeros", targets=("tensor.Tensor.zeros",), points=1, minutes=2)
class ZEROS:
    """As in `ones`, but for the number.

    NumPy makes the array; the tensor takes it together with `dtype` and `requires_grad`.
    """

    dtype_dropped = edit("device=device, dtype=dtype, ", "")
    """You didn't pass `dtype` on, so the new tensor is float32 whatever was asked for."""

    requires_grad_dropped = body("return Tensor(np.zeros(shape), dtype=dtype)")
    """You didn't pass `requires_grad` on, so it is True whatever was asked for."""

    first_axis = edit("shape", "shape[0] if shape else ()")
    """You used the first size only. The array has one axis for every size."""

    one_axis = edit("shape", "int(np.prod(shape))")
    """There are as many values as there should be, but they are all in one axis."""

    unpacked = edit("shape", "*shape")
    """`np.zeros` wants the whole shape as one argument. With `*` the second size lands where NumPy
    expects a dtype."""

    other_number = edit("zeros", "ones")
    """This fills the tensor with ones."""

    shape_as_data = edit("np.zeros(shape)", "shape")
    """You made a tensor that holds the sizes themselves. They are its shape."""


@exercise("chapter2.one_hot", targets=("tensor.Tensor.one_hot",), points=2)
class ONE_HOT:
    """The identity matrix has the one-hot row of 0 on top, the row of 1 below it, and so on.

    An array can be indexed with an array of integers: it picks one row per index.

    The indices of a Tensor are in its `data`, as floats. Make integers of them first.
    """

    off_by_one = edit(
        ("rows = np.eye(num_classes)[", "indices = "),
        ("]", ""),
        ("rows,", "np.eye(num_classes)[indices - 1],"),
        seen="https://github.com/DengPingFan/Inf-Net/issues/33",
    )
    """You counted the classes from 1. Index 0 is the first column."""

    transposed = edit(
        ("rows = np.eye(num_classes)[", "indices = "),
        ("]", ""),
        ("rows,", "np.eye(num_classes)[indices].T,"),
    )
    """Rows and columns are swapped. One row per index: the classes are the last axis."""

    one_axis_only = edit(
        ("rows = np.eye(num_classes)[", "indices = "),
        ("]", ""),
        ("rows,", "np.eye(num_classes)[indices.reshape(-1)],"),
    )
    """You put all indices into one axis first. The result has the shape of `indices`, and one more
    axis."""

    @mistake(says=LIST_ONLY, shown_by=BY_PAIRS)
    def list_only(indices, num_classes, *, device, dtype, requires_grad):
        if isinstance(indices, Tensor):
            indices = indices.data
        indices = np.asarray(indices, dtype=int)
        rows = np.zeros((len(indices), num_classes))
        rows[np.arange(len(indices)), indices] = 1
        return Tensor(rows, device=device, dtype=dtype, requires_grad=requires_grad)

    @mistake(says=LIST_ONLY)
    def list_only_in_a_loop(indices, num_classes, *, device, dtype, requires_grad):
        if isinstance(indices, Tensor):
            indices = indices.data
        indices = np.asarray(indices, dtype=int)
        rows = np.zeros((len(indices), num_classes))
        for row, index in enumerate(indices):
            rows[row, index] = 1
        return Tensor(rows, device=device, dtype=dtype, requires_grad=requires_grad)

    classes_guessed = edit(
        ("rows = np.eye(num_classes)[", "indices = "),
        ("]", ""),
        ("rows,", "np.eye(indices.max() + 1)[indices],"),
    )
    """You took the largest index as the last class. There are `num_classes` columns, even if the
    last classes don't occur."""

    added_up = edit(
        ("rows = np.eye(num_classes)[", "indices = "),
        ("]", ""),
        ("rows,", "np.eye(num_classes)[indices.reshape(-1)].sum(axis=0),"),
    )
    """You put all the ones into a single row. Every index gets a row of its own."""

    def tensor_not_opened(indices, num_classes, *, device, dtype, requires_grad):
        """The indices may be a Tensor, and NumPy can't read one. Take the array out of it."""
        return Tensor(
            np.eye(num_classes)[np.asarray(indices, dtype=int)],
            device=device,
            dtype=dtype,
            requires_grad=requires_grad,
        )

    def floats_as_indices(indices, num_classes, *, device, dtype, requires_grad):
        """A Tensor of labels holds floats, and NumPy takes integers as indices only."""
        if isinstance(indices, Tensor):
            indices = indices.data
        return Tensor(
            np.eye(num_classes)[indices], device=device, dtype=dtype, requires_grad=requires_grad
        )

    def options_dropped(indices, num_classes, *, device, dtype, requires_grad):
        """You didn't pass `dtype` and `requires_grad` on. The default of `__init__` makes the
        labels require a gradient."""
        if isinstance(indices, Tensor):
            indices = indices.data
        indices = np.asarray(indices, dtype=int)
        return Tensor(np.eye(num_classes)[indices])
