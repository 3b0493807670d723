"""The properties of a tensor: `shape`, `dtype`, `ndim`, `size`, `device`."""

from functools import partial

from grader.course import body, edit, exercise

of_section = partial(exercise, points=1, minutes=1)


@of_section("chapter2.shape", targets=("tensor.Tensor.shape",))
class SHAPE:
    """`self.data` is an ndarray. It knows its own shape, and answers with a tuple."""

    list = body("return list(self.data.shape)")
    """The sizes are right, but in a list. A shape is a tuple: it can't be changed, and it equals
    `(2, 3)`, which a list never does."""

    length = body("return (len(self.data),) if self.data.ndim else ()")
    """`len` is the size of the first axis only. The shape has one size for every axis."""

    count = body("return (self.data.size,)")
    """You returned how many values there are. The shape has one size for every axis."""

    reversed = edit("shape", "T.shape")
    """The sizes are in reverse order: this is the shape of the transpose."""


@of_section("chapter2.dtype", targets=("tensor.Tensor.dtype",))
class DTYPE:
    """`self.data` is an ndarray. It knows its own dtype."""

    fixed = body('return np.dtype("float32")')
    """You always return float32. That is the default; this tensor may have another dtype."""

    name = edit("dtype", "dtype.name")
    """You returned the name, a string. Return NumPy's dtype object: it tells you more, such as
    `x.dtype.kind`."""

    python_type = body("return float")
    """You returned Python's `float`. It can't tell float32 from float64; the dtype of the array
    can."""


@of_section("chapter2.ndim", targets=("tensor.Tensor.ndim",))
class NDIM:
    """How many numbers does the shape hold? The ndarray knows it, too."""

    size = edit("ndim", "size")
    """You counted the values. `ndim` counts the axes: 2 for a matrix of any size."""

    one_more = edit("ndim", "ndim or 1")
    """You said that a single number has one axis. It has none."""

    length = body("return len(self.data) if self.data.shape else 0")
    """`len(self.data)` is the size of the first axis. `ndim` is how many axes there are."""

    shape = edit("ndim", "shape")
    """You returned the shape itself. `ndim` is how many sizes it holds, one number."""


@of_section("chapter2.size", targets=("tensor.Tensor.size",))
class SIZE:
    """A matrix of shape `(2, 3)` has 6 values. The ndarray can count them for you."""

    axes = edit("size", "ndim")
    """You counted the axes. `size` counts the values: 6 for the shape `(2, 3)`."""

    first_axis = body("return len(self.data) if self.data.shape else 1")
    """`len(self.data)` is the size of the first axis alone. The sizes of all axes multiply."""

    sum = body("return sum(self.data.shape)")
    """You added the sizes of the axes. They multiply: 2 rows of 3 are 6 values."""

    bytes = edit("size", "nbytes")
    """You counted bytes, and a value takes several of them. `size` counts values."""

    shape = edit("size", "shape")
    """You returned the shape. In PyTorch `x.size()` gives that; here `size` is how many values
    there are, one number."""


@of_section("chapter2.device", targets=("tensor.Tensor.device",))
class DEVICE:
    """There is nothing to find out: the answer is the same for every tensor."""

    upper_case = edit("cpu", "CPU")
    """The right word in the wrong case. Strings are compared letter by letter: `"cpu"`."""

    numbered = edit("cpu", "cpu:0")
    """You numbered the device, as you would with several GPUs. There is one CPU: `"cpu"`."""

    cuda = edit("cpu", "cuda")
    """`cuda` is PyTorch's name for a graphics card. NumPy computes on the CPU."""
