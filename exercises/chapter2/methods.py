"""The way out of a tensor: `numpy`, `detach`, `__repr__`."""

from grader.course import body, edit, exercise


@exercise("chapter2.numpy", targets=("tensor.Tensor.numpy",), points=1)
class NUMPY:
    """Users may write to the array that they get. What would that do to the tensor?

    An ndarray has a method that returns a second array with the same values.
    """

    alias = edit(".copy()", "")
    """You returned the tensor's own array. If somebody writes to it, the tensor changes."""

    list = edit("copy", "tolist")
    """You returned a list. Return an ndarray."""

    flattened = edit("copy", "flatten")
    """`flatten` does copy, but it also puts all values into one axis: the shape is lost."""

    float64 = body('return np.array(self.data, dtype="float64")')
    """You converted the values to float64. The array has the dtype of the tensor."""

    float32 = body('return np.array(self.data, dtype="float32")')
    """You converted the values to float32. The array has the dtype of the tensor."""

    tensor = body("return Tensor(self.data, dtype=self.data.dtype)")
    """You returned a Tensor. `numpy()` is the way out of the library: return an ndarray."""


@exercise("chapter2.detach", targets=("tensor.Tensor.detach",), points=2)
class DETACH:
    """A new tensor is a leaf and owns a copy: your `__init__` takes care of that.

    Two of the defaults of `__init__` aren't what is wanted here.

    The dtype defaults to float32 and `requires_grad` to True. Pass both yourself.
    """

    same_tensor = body("return self")
    """You returned the tensor itself, with its past. Return a new one."""

    def in_place(self):
        """You detached the tensor itself and returned it. The original has to stay as it was: its
        graph may still be needed."""
        self.requires_grad = False
        self._op = None
        self._inputs = []
        return self

    requires_grad_kept = body("return Tensor(self.data, dtype=self.data.dtype)")
    """The new tensor still requires a gradient, because True is the default of `__init__`."""

    dtype_lost = edit("dtype=self.dtype, ", "")
    """A float64 tensor became float32, because that is the default of `__init__`. The dtype has to
    be passed on."""

    def history_kept(self):
        """The new tensor still knows the operation that made the old one. A detached tensor is a
        leaf."""
        out = Tensor(self.data, dtype=self.data.dtype, requires_grad=False)
        out._op, out._inputs = self._op, self._inputs
        return out

    def alias(self):
        """The new tensor shares its array with the old one, as in PyTorch. In this library it has
        its own copy."""
        out = Tensor(0.0, requires_grad=False)
        out.data = self.data
        return out

    array = body("return self.data.copy()")
    """You returned an ndarray. `detach` gives a Tensor; the way to an ndarray is `numpy`."""


@exercise("chapter2.repr", targets=("tensor.Tensor.__repr__",), points=1)
class REPR:
    """Return a string, don't print. An f-string puts values between fixed words.

    Inside an f-string, `{…}` shows an array as `str` does.
    """

    repr_of_array = edit("data", "data!r")
    """You used `repr` of the array, which adds `array(…)` and the dtype. `str` of it gives the
    values alone."""

    list = edit("data", "data.tolist()")
    """You printed the values as a Python list, with commas. Use `str` of the array."""

    no_requires_grad = body('return f"Tensor({self.data})"')
    """`requires_grad` is missing from the text."""

    always_true = edit("{self.requires_grad}", "True")
    """You wrote `requires_grad=True` as fixed words. Some tensors have False."""

    lower_case = edit("Tensor", "tensor")
    """The class is called `Tensor`, with a capital T. PyTorch writes it in lower case."""

    printed = edit(("return ", "print("), (')"', ')")'), has=(r"print\(",))
    """You printed the text and returned nothing. `__repr__` returns it; Python does the
    printing."""
