"""The gain of a nonlinearity, and the four functions that draw weights."""

from grader.course import body, edit, exercise, mistake

SWAPPED_SHAPE = "The shape is transposed. Our layers compute `x @ weight`, so inputs come first."
IGNORES_SHAPE = (
    "You didn't use `shape`. A convolution has the fans of its kernel and a shape with more axes."
)
FIXED_SEED = (
    "You set the seed, so every layer gets the same values. Seeds are for programs, never for "
    "library functions."
)
DROPPED_DTYPE = (
    "`dtype` wasn't passed on to the Tensor: yours is float32 whatever the caller asked for."
)


@exercise("init.gain", points=1)
class GAIN:
    """Four names, four numbers: a dict. What should happen with a fifth name?

    Which exception does `dict[…]` raise by itself? You need another one.
    """

    def squared(nonlinearity):
        """These are the factors of the variance. The gain is the factor of the values: the root of
        that."""
        gains = {"linear": 1.0, "sigmoid": 1.0, "tanh": 25 / 9, "relu": 2.0}
        if nonlinearity not in gains:
            raise ValueError(nonlinearity)
        return gains[nonlinearity]

    tanh_one = edit(
        ("5 / 3", "1.0"), ("f\"{nonlinearity!r} is none of {', '.join(gains)}.\"", "nonlinearity")
    )
    """tanh shrinks what goes through it, too. Its gain isn't 1."""

    silent = body('return {"tanh": 5 / 3, "relu": math.sqrt(2)}.get(nonlinearity, 1.0)')
    """A name that you don't know gives 1. Then nobody notices a typing error, such as `rleu`; raise
    ValueError."""

    def key_error(nonlinearity):
        """An unknown name raises KeyError, as dicts do. Raise ValueError."""
        gains = {"linear": 1.0, "sigmoid": 1.0, "tanh": 5 / 3, "relu": math.sqrt(2)}
        return gains[nonlinearity]


@exercise("init.xavier_uniform", points=1, needs=())
class XAVIER_UNIFORM:
    """Work out the bound, then draw: `np.random.uniform(low, high, shape)`.

    `shape` is None unless the caller chose one, and `()` is a choice: compare with None.
    """

    std_as_bound = edit("6", "2", seen="https://github.com/keras-team/keras/pull/372")
    """You took the standard deviation for the bound. A uniform distribution that ends at b has the
    standard deviation b / √3."""

    fan_in_only = edit("6 / (fan_in + fan_out)", "3 / fan_in")
    """You used fan_in alone. Xavier's rule is a compromise between forward and backward: both fans
    enter."""

    no_gain = edit(" gain *", "")
    """`gain` doesn't enter."""

    gain_inside = edit((" gain *", ""), ("6", "gain * 6"))
    """gain is under the root. It is a factor of the values, not of their variance."""

    one_sided = edit("-bound", "0")
    """All your values are positive. They are drawn from -bound to bound, with mean 0."""

    def normal(fan_in, fan_out, gain, *, shape, dtype, requires_grad):
        """The spread is right, but these values come from a normal distribution."""
        std = gain * math.sqrt(2 / (fan_in + fan_out))
        values = np.random.normal(0.0, std, shape or (fan_in, fan_out))
        return Tensor(values, dtype=dtype, requires_grad=requires_grad)

    swapped_shape = edit("fan_in, fan_out", "fan_out, fan_in", says=SWAPPED_SHAPE)
    ignores_shape = edit(" if shape is None else shape", "", says=IGNORES_SHAPE)

    @mistake(says=FIXED_SEED)
    def fixed_seed(fan_in, fan_out, gain, *, shape, dtype, requires_grad):
        np.random.seed(0)
        bound = gain * math.sqrt(6 / (fan_in + fan_out))
        values = np.random.uniform(-bound, bound, (fan_in, fan_out) if shape is None else shape)
        return Tensor(values, dtype=dtype, requires_grad=requires_grad)

    dropped_requires_grad = edit(", requires_grad=requires_grad", "")
    """`requires_grad` wasn't passed on to the Tensor."""

    dropped_dtype = edit("dtype=dtype, ", "", says=DROPPED_DTYPE)


@exercise("init.xavier_normal", points=1, minutes=3, difficulty=1, needs=())
class XAVIER_NORMAL:
    """The same as before with another distribution: `np.random.normal(mean, std, shape)`.

    NumPy asks for the standard deviation, not for the variance.
    """

    variance = edit(
        "gain * math.sqrt(2 / (fan_in + fan_out))",
        "gain**2 * 2 / (fan_in + fan_out)",
        seen="https://github.com/SethHWeidman/DLFS_code/issues/10",
    )
    """That is the variance. `np.random.normal` takes the standard deviation, its root."""

    bound_as_std = edit("2", "6", seen="https://github.com/dmlc/minpy/issues/158")
    """You took the bound of the uniform distribution. The standard deviation is √3 times
    smaller."""

    fan_in_only = edit(
        ("gain *", "gain /"),
        ("2 / (fan_in + fan_out)", "fan_in"),
        seen="https://github.com/harvard-edge/cs249r_book/issues/1161",
    )
    """You used fan_in alone. Both fans enter."""

    no_gain = edit(" gain *", "")
    """`gain` doesn't enter."""

    def uniform(fan_in, fan_out, gain, *, shape, dtype, requires_grad):
        """The spread is right, but these values come from a uniform distribution."""
        bound = gain * math.sqrt(6 / (fan_in + fan_out))
        values = np.random.uniform(-bound, bound, shape or (fan_in, fan_out))
        return Tensor(values, dtype=dtype, requires_grad=requires_grad)

    swapped_shape = edit("fan_in, fan_out", "fan_out, fan_in", says=SWAPPED_SHAPE)
    ignores_shape = edit(" if shape is None else shape", "", says=IGNORES_SHAPE)

    @mistake(says=FIXED_SEED)
    def fixed_seed(fan_in, fan_out, gain, *, shape, dtype, requires_grad):
        np.random.seed(0)
        std = gain * math.sqrt(2 / (fan_in + fan_out))
        values = np.random.normal(0.0, std, (fan_in, fan_out) if shape is None else shape)
        return Tensor(values, dtype=dtype, requires_grad=requires_grad)

    dropped_requires_grad = edit(", requires_grad=requires_grad", "")
    """`requires_grad` wasn't passed on to the Tensor."""

    dropped_dtype = edit("dtype=dtype, ", "", says=DROPPED_DTYPE)


@exercise("init.kaiming_uniform", points=1, minutes=4)
class KAIMING_UNIFORM:
    """As `xavier_uniform`, with a bound of another kind. Your own `gain` gives the factor.

    For ReLU the bound comes out as √(6 / fan_in): the 2 of √2 is in it once, not twice.
    """

    gain_twice = edit("3", "6")
    """√(6 / fan_in) has ReLU's gain in it already; you multiplied by it once more."""

    always_relu = edit((" gain(nonlinearity) *", ""), ("3", "6"))
    """This is right for ReLU only; `nonlinearity` doesn't enter."""

    fan_out = edit("3 / fan_in", "3 / fan_out")
    """You divided by fan_out. Each output is a sum over fan_in inputs; that sum is what must not
    grow."""

    both_fans = edit("3 / fan_in", "6 / (fan_in + fan_out)")
    """This is Xavier's rule with a gain. Kaiming's looks at fan_in alone."""

    std_as_bound = edit(
        ("*", "/"), ("3 / ", ""), seen="https://github.com/LaurentMazare/tch-rs/pull/573"
    )
    """You took the standard deviation for the bound; the bound is √3 times larger."""

    def normal(fan_in, fan_out, nonlinearity, *, shape, dtype, requires_grad):
        """The spread is right, but these values come from a normal distribution."""
        std = gain(nonlinearity) / math.sqrt(fan_in)
        values = np.random.normal(0.0, std, shape or (fan_in, fan_out))
        return Tensor(values, dtype=dtype, requires_grad=requires_grad)

    swapped_shape = edit("fan_in, fan_out", "fan_out, fan_in", says=SWAPPED_SHAPE)
    ignores_shape = edit(" if shape is None else shape", "", says=IGNORES_SHAPE)

    @mistake(says=FIXED_SEED)
    def fixed_seed(fan_in, fan_out, nonlinearity, *, shape, dtype, requires_grad):
        np.random.seed(0)
        bound = gain(nonlinearity) * math.sqrt(3 / fan_in)
        values = np.random.uniform(-bound, bound, (fan_in, fan_out) if shape is None else shape)
        return Tensor(values, dtype=dtype, requires_grad=requires_grad)

    dropped_requires_grad = edit(", requires_grad=requires_grad", "")
    """`requires_grad` wasn't passed on to the Tensor."""

    dropped_dtype = edit("dtype=dtype, ", "", says=DROPPED_DTYPE)


@exercise("init.kaiming_normal", points=1, minutes=3)
class KAIMING_NORMAL:
    """The standard deviation is the gain divided by a root. Which fan is under it?

    NumPy asks for the standard deviation, not for the variance.
    """

    variance = edit("/ math.sqrt(fan_in)", "** 2 / fan_in")
    """That is the variance. `np.random.normal` takes the standard deviation, its root."""

    always_relu = edit((" gain(nonlinearity) /", ""), ("(fan_in)", "(2 / fan_in)"))
    """This is right for ReLU only; `nonlinearity` doesn't enter."""

    fan_out = edit("(fan_in)", "(fan_out)")
    """You divided by fan_out. Each output is a sum over fan_in inputs."""

    no_root = edit("math.sqrt(fan_in)", "fan_in")
    """The root of fan_in is missing: variances add up, not standard deviations."""

    def uniform(fan_in, fan_out, nonlinearity, *, shape, dtype, requires_grad):
        """The spread is right, but these values come from a uniform distribution."""
        bound = gain(nonlinearity) * math.sqrt(3 / fan_in)
        values = np.random.uniform(-bound, bound, shape or (fan_in, fan_out))
        return Tensor(values, dtype=dtype, requires_grad=requires_grad)

    swapped_shape = edit("fan_in, fan_out", "fan_out, fan_in", says=SWAPPED_SHAPE)
    ignores_shape = edit(" if shape is None else shape", "", says=IGNORES_SHAPE)

    @mistake(says=FIXED_SEED)
    def fixed_seed(fan_in, fan_out, nonlinearity, *, shape, dtype, requires_grad):
        np.random.seed(0)
        std = gain(nonlinearity) / math.sqrt(fan_in)
        values = np.random.normal(0.0, std, (fan_in, fan_out) if shape is None else shape)
        return Tensor(values, dtype=dtype, requires_grad=requires_grad)

    dropped_requires_grad = edit(", requires_grad=requires_grad", "")
    """`requires_grad` wasn't passed on to the Tensor."""

    dropped_dtype = edit("dtype=dtype, ", "", says=DROPPED_DTYPE)
