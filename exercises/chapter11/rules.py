"""Engine 1, `grad_fn`: a Tensor, and rules that are objects."""

from grader.course import body, edit, exercise, mistake

from .sentences import NO_GRADIENT_FACTOR, NOT_UNBROADCAST, OWN_FACTOR, RECURSES


@exercise("chapter11.grad_fn.init", targets=("engines.grad_fn.Tensor.__init__",), points=1)
class INIT:
    """Four attributes: `data`, `requires_grad`, `grad`, `grad_fn`. Two are kept as given.

    `np.array(…, dtype=np.float64)` copies; `np.asarray` may not.
    """

    not_copied = edit("array", "asarray", has=("asarray",))
    """`np.asarray` makes no copy where the dtype fits already. Whoever changes that array later
    changes your Tensor."""

    dtype_of_the_data = edit(", dtype=np.float64", "")
    """You keep the dtype of what was given. This engine works in float64 throughout."""

    zeros_for_grad = edit("None = None", "None = np.zeros_like(self.data)")
    """`grad` starts as None here: no gradient has arrived. Zeros would be a gradient."""

    always_requires = edit(" requires_grad", " True")
    """You did not keep what `requires_grad` was given as; the default is False."""


@exercise("engines.grad_fn.unbroadcast", points=2, minutes=10)
class UNBROADCAST:
    """Two things can have happened to `shape`: axes were put in front, and axes of length 1 were
    stretched. Undo one after the other.

    There are `gradient.ndim - len(shape)` axes in front. `sum` takes a tuple of axes.

    Sum the stretched ones with `keepdims=True`, so that they keep their place.
    """

    def front_only(gradient, shape):
        """The new axes in front are summed away, but a column of the shape (2, 1) that was
        stretched to (2, 3) comes back too wide."""
        front = gradient.ndim - len(shape)
        return gradient.sum(axis=tuple(range(front)))

    def stretched_only(gradient, shape):
        """Axes of length 1 are summed, but the new axes in front are still there."""
        axes = tuple(i for i, size in enumerate(shape) if size == 1)
        return gradient.sum(axis=axes, keepdims=True)

    keepdims_forgotten = edit(("stretched ", "axes "), ("stretched, keepdims=True", "axes"))
    """A stretched axis is summed and gone. It has to stay, with length 1: `keepdims=True`."""

    def mean(gradient, shape):
        """You took the mean over the places. Each place adds its own part: a sum."""
        front = gradient.ndim - len(shape)
        gradient = gradient.mean(axis=tuple(range(front)))
        axes = tuple(i for i, size in enumerate(shape) if size == 1)
        return gradient.mean(axis=axes, keepdims=True)

    def first_row(gradient, shape):
        """You took what came back from one place and dropped the others. They add up."""
        front = gradient.ndim - len(shape)
        for _ in range(front):
            gradient = gradient[0]
        for i, size in enumerate(shape):
            if size == 1:
                gradient = gradient.take([0], axis=i)
        return gradient


@exercise(
    "chapter11.grad_fn.mul",
    targets=("engines.grad_fn.MulBackward.backward",),
    points=1,
    minutes=4,
    difficulty=1,
    needs=("chapter11.grad_fn.init", "chapter11.grad_fn.unbroadcast"),
)
class MUL:
    """When a moves by 1, a·b moves by b. Where do you find b's values?

    First multiply, then `unbroadcast`: the factors may have different shapes.
    """

    recurses = RECURSES

    @mistake(says=OWN_FACTOR)
    def own_factor(self, gradient):
        a, b = self.inputs
        return unbroadcast(gradient * a.data, a.shape), unbroadcast(gradient * b.data, b.shape)

    @mistake(says=NO_GRADIENT_FACTOR)
    def forgot_gradient(self, gradient):
        a, b = self.inputs
        ones = np.ones_like(gradient)
        return unbroadcast(b.data * ones, a.shape), unbroadcast(a.data * ones, b.shape)

    @mistake(says=NOT_UNBROADCAST, seen="https://github.com/tenstorrent/tt-metal/issues/40008")
    def not_unbroadcast(self, gradient):
        a, b = self.inputs
        return gradient * b.data, gradient * a.data

    def one_tuple(self, gradient):
        """A product has two inputs, and each gets a gradient. Return two."""
        a, b = self.inputs
        return (unbroadcast(gradient * b.data, a.shape),)


@exercise(
    "chapter11.grad_fn.sigmoid",
    targets=("engines.grad_fn.SigmoidBackward.backward",),
    points=1,
    minutes=3,
    difficulty=1,
    needs=("chapter11.grad_fn.init",),
)
class SIGMOID:
    """The result was kept when it was made: `self.out`. No exponential is needed any more."""

    recurses = RECURSES

    def of_the_input(self, gradient):
        """You put the input into s·(1 - s). The s in it is the result: `self.out`."""
        (a,) = self.inputs
        return (gradient * a.data * (1 - a.data),)

    forgot_gradient = edit("gradient * ", "", says=NO_GRADIENT_FACTOR)

    like_tanh = body("return (gradient * (1 - self.out**2),)")
    """1 - s² is the slope of tanh. That of the sigmoid is s·(1 - s)."""

    def twice(self, gradient):
        """`self.out` holds the result already. You put it through the sigmoid once more."""
        s = 1 / (1 + np.exp(-self.out))
        return (gradient * s * (1 - s),)


RULES = (INIT, UNBROADCAST, MUL, SIGMOID)
