"""Tensors of random values: `rand`, `randn`, `randb`."""

from functools import partial

from grader.course import body, edit, exercise, mistake

of_section = partial(exercise, points=1, minutes=3)


FIXED_SEED = (
    "You set the seed inside, so every call gives the same values. Seeds are for the program that "
    "calls you, not for you."
)
ONE_DRAW = "You drew one number and filled the tensor with it. Draw every value separately."
OWN_GENERATOR = (
    "You made your own random generator. The values are right, but `np.random.seed` doesn't reach "
    "it, so nobody can repeat them."
)
OPTIONS_DROPPED = (
    "You didn't pass `dtype` and `requires_grad` on, so the new tensor has the defaults of "
    "`__init__`, whatever the caller asked for."
)


@of_section("chapter2.rand", targets=("tensor.Tensor.rand",))
class RAND:
    """`np.random.uniform` knows about two bounds. `shape` is a tuple already.

    Do not forget to pass `dtype` and `requires_grad` on to the tensor.
    """

    def bounds_ignored(*shape, low, high, device, dtype, requires_grad):
        """Your values lie between 0 and 1 whatever `low` and `high` are."""
        return Tensor(
            np.random.random(shape), device=device, dtype=dtype, requires_grad=requires_grad
        )

    def scaled_by_high(*shape, low, high, device, dtype, requires_grad):
        """You multiplied by `high` and then added `low`. The width of the interval is `high -
        low`."""
        return Tensor(
            low + high * np.random.random(shape),
            device=device,
            dtype=dtype,
            requires_grad=requires_grad,
        )

    low_ignored = edit(
        "low + high * np.random.random(shape)",
        "np.random.uniform(0, high, shape)",
        of=scaled_by_high,
    )
    """Your values start at 0. They have to start at `low`."""

    normal = edit(
        "low + high * np.random.random(shape)",
        "np.random.normal(low, high, shape)",
        of=scaled_by_high,
    )
    """You drew from a normal distribution, with `low` as its mean and `high` as its spread. `rand`
    is uniform; `randn` is normal."""

    @mistake(says=ONE_DRAW)
    def one_draw(*shape, low, high, device, dtype, requires_grad):
        return Tensor(
            np.full(shape, np.random.uniform(low, high)),
            device=device,
            dtype=dtype,
            requires_grad=requires_grad,
        )

    @mistake(says=FIXED_SEED)
    def seeded(*shape, low, high, device, dtype, requires_grad):
        np.random.seed(0)
        return Tensor(
            np.random.uniform(low, high, shape),
            device=device,
            dtype=dtype,
            requires_grad=requires_grad,
        )

    @mistake(says=OWN_GENERATOR)
    def own_generator(*shape, low, high, device, dtype, requires_grad):
        if not hasattr(Tensor, "generator"):
            Tensor.generator = np.random.default_rng(0)
        return Tensor(
            Tensor.generator.uniform(low, high, shape),
            device=device,
            dtype=dtype,
            requires_grad=requires_grad,
        )

    options_dropped = body(
        "return Tensor(np.random.uniform(low, high, shape))", says=OPTIONS_DROPPED
    )


@of_section("chapter2.randn", targets=("tensor.Tensor.randn",))
class RANDN:
    """`np.random.normal` takes a mean and a standard deviation.

    Do not forget to pass `dtype` and `requires_grad` on to the tensor.
    """

    def variance(*shape, mean, std, device, dtype, requires_grad):
        """You used the variance, `std` squared, where the standard deviation belongs."""
        return Tensor(
            np.random.normal(mean, std**2, shape),
            device=device,
            dtype=dtype,
            requires_grad=requires_grad,
        )

    root = edit("2", "0.5", of=variance)
    """You took the square root of `std`, as if it were a variance. It is the standard deviation
    already."""

    def standard(*shape, mean, std, device, dtype, requires_grad):
        """Your values have mean 0 and standard deviation 1 whatever was asked for."""
        return Tensor(
            np.random.normal(size=shape), device=device, dtype=dtype, requires_grad=requires_grad
        )

    def shifted_first(*shape, mean, std, device, dtype, requires_grad):
        """You added the mean first and stretched afterwards, so the mean was stretched too."""
        return Tensor(
            (np.random.normal(size=shape) + mean) * std,
            device=device,
            dtype=dtype,
            requires_grad=requires_grad,
        )

    uniform = edit(
        "normal(mean, std**2, shape)",
        "uniform(mean - 3**0.5 * std, mean + 3**0.5 * std, shape)",
        of=variance,
    )
    """Mean and spread are right, but the values are uniform: none lies far out. `randn` is
    normal."""

    one_draw = edit(
        ("np", "np.full(shape, np"), ("std**2, shape", "std)"), of=variance, says=ONE_DRAW
    )

    @mistake(says=FIXED_SEED)
    def seeded(*shape, mean, std, device, dtype, requires_grad):
        np.random.seed(0)
        return Tensor(
            np.random.normal(mean, std, shape),
            device=device,
            dtype=dtype,
            requires_grad=requires_grad,
        )

    @mistake(says=OWN_GENERATOR)
    def own_generator(*shape, mean, std, device, dtype, requires_grad):
        if not hasattr(Tensor, "generator"):
            Tensor.generator = np.random.default_rng(0)
        return Tensor(
            Tensor.generator.normal(mean, std, shape),
            device=device,
            dtype=dtype,
            requires_grad=requires_grad,
        )

    options_dropped = body(
        "return Tensor(np.random.normal(mean, std, shape))", says=OPTIONS_DROPPED
    )


@of_section("chapter2.randb", targets=("tensor.Tensor.randb",))
class RANDB:
    """A uniform number between 0 and 1 lies below 0.3 with probability 0.3.

    A comparison of an array with a number gives an array of bools.
    """

    def inverted(*shape, p, device, dtype, requires_grad):
        """Your values are False with probability `p`. It is the probability of True."""
        return Tensor(
            np.random.random(shape) >= p, device=device, dtype=dtype, requires_grad=requires_grad
        )

    def fair(*shape, p, device, dtype, requires_grad):
        """You tossed a fair coin and ignored `p`."""
        return Tensor(
            np.random.random(shape) < 0.5, device=device, dtype=dtype, requires_grad=requires_grad
        )

    def not_compared(*shape, p, device, dtype, requires_grad):
        """You turned the random numbers themselves into bools. Everything but 0 counts as True, so
        all of them did."""
        return Tensor(
            np.random.random(shape), device=device, dtype=dtype, requires_grad=requires_grad
        )

    @mistake(says=ONE_DRAW)
    def one_draw(*shape, p, device, dtype, requires_grad):
        return Tensor(
            np.full(shape, np.random.random() < p),
            device=device,
            dtype=dtype,
            requires_grad=requires_grad,
        )

    @mistake(says=FIXED_SEED)
    def seeded(*shape, p, device, dtype, requires_grad):
        np.random.seed(0)
        return Tensor(
            np.random.random(shape) < p, device=device, dtype=dtype, requires_grad=requires_grad
        )

    @mistake(says=OWN_GENERATOR)
    def own_generator(*shape, p, device, dtype, requires_grad):
        if not hasattr(Tensor, "generator"):
            Tensor.generator = np.random.default_rng(0)
        return Tensor(
            Tensor.generator.random(shape) < p,
            device=device,
            dtype=dtype,
            requires_grad=requires_grad,
        )

    options_dropped = body("return Tensor(np.random.random(shape) < p)")
    """You didn't pass `dtype` and `requires_grad` on. The defaults of `__init__` turned your mask
    into float32 values that require a gradient."""

    requires_grad_dropped = body("return Tensor(np.random.random(shape) < p, dtype=dtype)")
    """You didn't pass `requires_grad` on. The default of `__init__` is True, so your mask
    requires a gradient."""
