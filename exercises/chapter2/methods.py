"""The way out of a tensor: `numpy`, `detach`, `__repr__`."""

from functools import partial

from grader.course import Exercise, Mistake

after_init = partial(Exercise, needs=("chapter2.init",))

NUMPY = after_init(
    "chapter2.numpy",
    section="2.3",
    targets=("tensor.Tensor.numpy",),
    points=1,
    minutes=2,
    hints=(
        "Whoever gets the array may write to it. What would that do to the tensor?",
        "An ndarray has a method that returns a second array with the same values.",
    ),
    mistakes=(
        Mistake(
            "alias", "return self.data",
            "You handed out the tensor's own array. Whoever writes to it changes the tensor.",
        ),
        Mistake(
            "list", "return self.data.tolist()",
            "You returned a list. An ndarray was asked for.",
        ),
        Mistake(
            "flattened", "return self.data.flatten()",
            "`flatten` does copy, but it also puts all values into one axis: the shape is lost.",
        ),
        Mistake(
            "float64", "return np.array(self.data, dtype='float64')",
            "You converted the values to float64. The array has the dtype of the tensor.",
        ),
        Mistake(
            "float32", "return np.array(self.data, dtype='float32')",
            "You converted the values to float32. The array has the dtype of the tensor.",
        ),
        Mistake(
            "tensor", "return Tensor(self.data, dtype=self.data.dtype)",
            "You returned a Tensor. `numpy()` leads out of the library: an ndarray was asked for.",
        ),
    ),
)  # fmt: skip

DETACH = Exercise(
    "chapter2.detach",
    needs=("chapter2.init", "chapter2.dtype"),
    section="2.4",
    targets=("tensor.Tensor.detach",),
    points=2,
    minutes=5,
    difficulty=2,
    hints=(
        "A new tensor is a leaf and owns a copy: your `__init__` sees to that.",
        "Two of the defaults of `__init__` are not what is wanted here.",
        "The dtype defaults to float32 and `requires_grad` to True. Pass both yourself.",
    ),
    mistakes=(
        Mistake(
            "same-tensor", "return self",
            "You returned the tensor itself, with its past. A new one was asked for.",
        ),
        Mistake(
            "in-place",
            "self.requires_grad = False\nself._op = None\nself._inputs = []\nreturn self",
            "You cut the tensor itself loose, and handed it back. The original has to stay as it "
            "was: somebody else still needs its graph.",
        ),
        Mistake(
            "requires-grad-kept", "return Tensor(self.data, dtype=self.data.dtype)",
            "The new tensor still requires a gradient, because True is the default of `__init__`.",
        ),
        Mistake(
            "dtype-lost", "return Tensor(self.data, requires_grad=False)",
            "A float64 tensor became float32, because that is the default of `__init__`. The dtype "
            "has to be passed on.",
        ),
        Mistake(
            "history-kept",
            "out = Tensor(self.data, dtype=self.data.dtype, requires_grad=False)\n"
            "out._op, out._inputs = self._op, self._inputs\nreturn out",
            "The new tensor still knows the operation that made the old one. Detached means that "
            "it does not: it is a leaf.",
        ),
        Mistake(
            "alias",
            "out = Tensor(0.0, requires_grad=False)\nout.data = self.data\nreturn out",
            "The new tensor shares its array with the old one, as in PyTorch. In this library "
            "it has a copy of its own.",
        ),
        Mistake(
            "array", "return self.data.copy()",
            "You returned an ndarray. `detach` gives a Tensor; the way to an ndarray is `numpy`.",
        ),
    ),
)  # fmt: skip

REPR = after_init(
    "chapter2.repr",
    section="2.5",
    targets=("tensor.Tensor.__repr__",),
    points=1,
    minutes=3,
    hints=(
        "Return a string, do not print. An f-string puts values between fixed words.",
        "Inside an f-string, `{…}` shows an array as `str` does.",
    ),
    mistakes=(
        Mistake(
            "repr-of-array", "return f'Tensor({self.data!r}, requires_grad={self.requires_grad})'",
            "You used `repr` of the array, which adds `array(…)` and the dtype. `str` of it gives "
            "the values alone.",
        ),
        Mistake(
            "list", "return f'Tensor({self.data.tolist()}, requires_grad={self.requires_grad})'",
            "You printed the values as a Python list, with commas. `str` of the array was asked "
            "for.",
        ),
        Mistake(
            "no-requires-grad", "return f'Tensor({self.data})'",
            "`requires_grad` is missing from the text.",
        ),
        Mistake(
            "always-true", "return f'Tensor({self.data}, requires_grad=True)'",
            "You wrote `requires_grad=True` as fixed words. Some tensors have False.",
        ),
        Mistake(
            "lower-case", "return f'tensor({self.data}, requires_grad={self.requires_grad})'",
            "The class is called `Tensor`, with a capital T. PyTorch writes it small.",
        ),
        Mistake(
            "printed", "print(f'Tensor({self.data}, requires_grad={self.requires_grad})')",
            "You printed the text and returned nothing. `__repr__` returns it; Python does the "
            "printing.",
        ),
    ),
)  # fmt: skip
