"""Engine 1, `grad_fn`: a Tensor, and the rule of each operation."""

from grader.course import Exercise, Mistake

from .sentences import NO_GRADIENT_FACTOR, NOT_UNBROADCAST, OWN_FACTOR

_INIT = """\
self.data = {data}
self.requires_grad = {requires_grad}
self.grad = {grad}
self.grad_fn = grad_fn"""
_FIELDS = {
    "data": "np.array(data, dtype=np.float64)", "requires_grad": "requires_grad", "grad": "None"
}  # fmt: skip


def _init(**other: str) -> str:
    return _INIT.format(**{**_FIELDS, **other})


INIT = Exercise(
    "chapter11.grad_fn.init",
    section="11.1",
    targets=("engines.grad_fn.Tensor.__init__",),
    points=1,
    minutes=3,
    hints=(
        "Four attributes: `data`, `requires_grad`, `grad`, `grad_fn`. Two are kept as given.",
        "`np.array(…, dtype=np.float64)` copies; `np.asarray` may not.",
    ),
    mistakes=(
        Mistake(
            "not-copied",
            _init(data="np.asarray(data, dtype=np.float64)"),
            "`np.asarray` makes no copy where the dtype fits already. Whoever changes that array "
            "later changes your Tensor.",
        ),
        Mistake(
            "dtype-of-the-data",
            _init(data="np.array(data)"),
            "You keep the dtype of what was given. This engine works in float64 throughout.",
        ),
        Mistake(
            "zeros-for-grad",
            _init(grad="np.zeros_like(self.data)"),
            "`grad` starts as None here: no gradient has arrived. Zeros would be a gradient.",
        ),
        Mistake(
            "always-requires",
            _init(requires_grad="True"),
            "You did not keep what `requires_grad` was given as; the default is False.",
        ),
    ),
)

_FRONT = "front = gradient.ndim - len(shape)\n"

UNBROADCAST = Exercise(
    "chapter11.grad_fn.unbroadcast",
    section="11.1",
    targets=("engines.grad_fn.unbroadcast",),
    points=2,
    minutes=10,
    difficulty=2,
    hints=(
        "Two things can have happened to `shape`: axes were put in front, and axes of length 1 "
        "were stretched. Undo one after the other.",
        "There are `gradient.ndim - len(shape)` axes in front. `sum` takes a tuple of axes.",
        "Sum the stretched ones with `keepdims=True`, so that they keep their place.",
    ),
    mistakes=(
        Mistake(
            "front-only",
            f"{_FRONT}return gradient.sum(axis=tuple(range(front)))",
            "The new axes in front are summed away, but a column of the shape (2, 1) that was "
            "stretched to (2, 3) comes back too wide.",
        ),
        Mistake(
            "stretched-only",
            "axes = tuple(i for i, size in enumerate(shape) if size == 1)\n"
            "return gradient.sum(axis=axes, keepdims=True)",
            "Axes of length 1 are summed, but the new axes in front are still there.",
        ),
        Mistake(
            "keepdims-forgotten",
            f"{_FRONT}gradient = gradient.sum(axis=tuple(range(front)))\n"
            "axes = tuple(i for i, size in enumerate(shape) if size == 1)\n"
            "return gradient.sum(axis=axes)",
            "A stretched axis is summed and gone. It has to stay, with length 1: `keepdims=True`.",
        ),
        Mistake(
            "mean",
            f"{_FRONT}gradient = gradient.mean(axis=tuple(range(front)))\n"
            "axes = tuple(i for i, size in enumerate(shape) if size == 1)\n"
            "return gradient.mean(axis=axes, keepdims=True)",
            "You took the mean over the places. Each place adds its own part: a sum.",
        ),
        Mistake(
            "first-row",
            f"{_FRONT}for _ in range(front):\n    gradient = gradient[0]\n"
            "for i, size in enumerate(shape):\n    if size == 1:\n"
            "        gradient = gradient.take([0], axis=i)\nreturn gradient",
            "You took what came back from one place and dropped the others. They add up.",
        ),
    ),
)

_PAIR = "a, b = self.inputs\nreturn {left}, {right}"

ADD = Exercise(
    "chapter11.grad_fn.add",
    section="11.1",
    targets=("engines.grad_fn.AddBackward.backward",),
    points=1,
    minutes=4,
    needs=("chapter11.grad_fn.init", "chapter11.grad_fn.unbroadcast"),
    hints=(
        "`self.inputs` holds a and b. Both slopes are 1.",
        "One of the two may have been broadcast; `unbroadcast(gradient, a.shape)` undoes it.",
    ),
    mistakes=(
        Mistake(
            "naive-bias",
            "return gradient, gradient",
            "This is the rule for two inputs of one shape. A bias of (3,) gets a gradient of "
            "(4, 3) from it, one row per sample; `unbroadcast` sums the rows.",
        ),
        Mistake(
            "values-handed-on",
            _PAIR.format(
                left="unbroadcast(gradient * a.data, a.shape)",
                right="unbroadcast(gradient * b.data, b.shape)",
            ),
            "You multiplied by the inputs, as if this were a product. The slope of a sum is 1.",
        ),
        Mistake(
            "halves",
            _PAIR.format(
                left="unbroadcast(gradient / 2, a.shape)",
                right="unbroadcast(gradient / 2, b.shape)",
            ),
            "You shared the gradient out. Each input gets all of it: each has the slope 1.",
        ),
    ),
)

_MUL = "unbroadcast({0}, {1}.shape)"

MUL = Exercise(
    "chapter11.grad_fn.mul",
    section="11.1",
    targets=("engines.grad_fn.MulBackward.backward",),
    points=1,
    minutes=4,
    needs=("chapter11.grad_fn.init", "chapter11.grad_fn.unbroadcast"),
    hints=(
        "When a moves by 1, a·b moves by b. Where do you find b's values?",
        "First multiply, then `unbroadcast`: the factors may have different shapes.",
    ),
    mistakes=(
        Mistake(
            "own-factor",
            _PAIR.format(
                left=_MUL.format("gradient * a.data", "a"),
                right=_MUL.format("gradient * b.data", "b"),
            ),
            OWN_FACTOR,
        ),
        Mistake(
            "forgot-gradient",
            "a, b = self.inputs\nones = np.ones_like(gradient)\n"
            "return unbroadcast(b.data * ones, a.shape), unbroadcast(a.data * ones, b.shape)",
            NO_GRADIENT_FACTOR,
        ),
        Mistake(
            "not-unbroadcast",
            _PAIR.format(left="gradient * b.data", right="gradient * a.data"),
            NOT_UNBROADCAST,
        ),
        Mistake(
            "one-tuple",
            "a, b = self.inputs\nreturn (unbroadcast(gradient * b.data, a.shape),)",
            "A product has two inputs, and each gets a gradient. Return two.",
        ),
    ),
)

_ONE = "(a,) = self.inputs\nreturn ({0},)"

POW = Exercise(
    "chapter11.grad_fn.pow",
    section="11.1",
    targets=("engines.grad_fn.PowBackward.backward",),
    points=1,
    minutes=4,
    needs=("chapter11.grad_fn.init",),
    hints=(
        "The exponent is a plain number in `self.exponent`: one input, one gradient.",
        "The exponent comes down as a factor, and what stays above is one less. A tuple of one "
        "is written `(x,)`.",
    ),
    mistakes=(
        Mistake(
            "exponent-not-lowered",
            _ONE.format("gradient * self.exponent * a.data**self.exponent"),
            "The exponent came down as a factor, but the power above is still the old one; it has "
            "to be one less.",
        ),
        Mistake(
            "factor-forgotten",
            _ONE.format("gradient * a.data ** (self.exponent - 1)"),
            "The power is one less, as it should be, but the exponent is missing as a factor.",
        ),
        Mistake(
            "forgot-gradient",
            _ONE.format("self.exponent * a.data ** (self.exponent - 1)"),
            NO_GRADIENT_FACTOR,
        ),
        Mistake(
            "like-square",
            _ONE.format("gradient * 2 * a.data"),
            "This is the rule of the square. It has to hold for any exponent.",
        ),
    ),
)

RELU = Exercise(
    "chapter11.grad_fn.relu",
    section="11.1",
    targets=("engines.grad_fn.ReLUBackward.backward",),
    points=1,
    minutes=3,
    needs=("chapter11.grad_fn.init",),
    hints=("A comparison gives an array of True and False, and True counts as 1 in a product.",),
    mistakes=(
        Mistake(
            "at-zero",
            _ONE.format("gradient * (a.data >= 0)"),
            "At exactly 0 there is no slope. The convention here, and PyTorch's, is to hand on 0.",
        ),
        Mistake("forgot-gradient", _ONE.format("1.0 * (a.data > 0)"), NO_GRADIENT_FACTOR),
        Mistake(
            "sign-of-the-gradient",
            _ONE.format("np.maximum(gradient, 0)"),
            "You cut off what arrives where *it* is negative. What decides is the input.",
        ),
        Mistake(
            "times-the-value",
            _ONE.format("gradient * np.maximum(a.data, 0)"),
            "You multiplied by the value of the ReLU. Its slope is 1 or 0.",
        ),
    ),
)

SIGMOID = Exercise(
    "chapter11.grad_fn.sigmoid",
    section="11.1",
    targets=("engines.grad_fn.SigmoidBackward.backward",),
    points=1,
    minutes=3,
    needs=("chapter11.grad_fn.init",),
    hints=("The result was kept when it was made: `self.out`. No exponential is needed any more.",),
    mistakes=(
        Mistake(
            "of-the-input",
            _ONE.format("gradient * a.data * (1 - a.data)"),
            "You put the input into s·(1 - s). The s in it is the result: `self.out`.",
        ),
        Mistake("forgot-gradient", "return (self.out * (1 - self.out),)", NO_GRADIENT_FACTOR),
        Mistake(
            "like-tanh",
            "return (gradient * (1 - self.out**2),)",
            "1 - s² is the slope of tanh. That of the sigmoid is s·(1 - s).",
        ),
        Mistake(
            "twice",
            "s = 1 / (1 + np.exp(-self.out))\nreturn (gradient * s * (1 - s),)",
            "`self.out` holds the result already. You put it through the sigmoid once more.",
        ),
    ),
)

TRANSPOSE = Exercise(
    "chapter11.grad_fn.transpose",
    section="11.1",
    targets=("engines.grad_fn.TransposeBackward.backward",),
    points=0.5,
    minutes=2,
    needs=("chapter11.grad_fn.init",),
    hints=("What undoes a transpose?",),
    mistakes=(
        Mistake(
            "not-turned",
            "return (gradient,)",
            "`gradient` has the shape of the result; it has to go back in the shape of the input.",
        ),
        Mistake(
            "reshaped",
            "(a,) = self.inputs\nreturn (gradient.reshape(a.shape),)",
            "The shape is right, the places are not: `reshape` reads row by row. Transpose it.",
        ),
    ),
)

MATMUL = Exercise(
    "chapter11.grad_fn.matmul",
    section="11.1",
    targets=("engines.grad_fn.MatMulBackward.backward",),
    points=2,
    minutes=6,
    difficulty=2,
    needs=("chapter11.grad_fn.init",),
    hints=(
        "Look at the shapes: gradient is (m, n), a is (m, k), b is (k, n). There is only one way "
        "to get (m, k) out of the gradient and b.",
        "`b.data.T` and `a.data.T`; mind on which side each one stands.",
    ),
    mistakes=(
        Mistake(
            "not-transposed", edit=("b.data.T, a.data.T", "b.data, a.data"),
            says="The shapes do not fit. Each of the two products needs one factor turned.",
        ),
        Mistake(
            "swapped",
            "a, b = self.inputs\nreturn a.data.T @ gradient, gradient @ b.data.T",
            "The two gradients changed places: the first is a's.",
        ),
        Mistake(
            "forgot-gradient",
            "a, b = self.inputs\nones = np.ones_like(gradient)\n"
            "return ones @ b.data.T, a.data.T @ ones",
            NO_GRADIENT_FACTOR,
        ),
    ),
)

RULES = (INIT, UNBROADCAST, ADD, MUL, POW, RELU, SIGMOID, TRANSPOSE, MATMUL)
