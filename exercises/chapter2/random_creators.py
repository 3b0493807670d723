"""Tensors of random values: `rand`, `randn`, `randb`."""

from functools import partial

from grader.course import Exercise, Mistake

of_section = partial(
    Exercise, section="2.6", points=1, minutes=3, difficulty=2, needs=("chapter2.init",)
)
OPTIONS = "device=device, dtype=dtype, requires_grad=requires_grad"

# Made once, so that it gives the same numbers whenever the answer key is built.
GENERATOR = """
if not hasattr(Tensor, "generator"):
    Tensor.generator = np.random.default_rng(0)
"""


def tensor_of(values: str) -> str:
    """A body that draws ``values`` and passes every option on."""
    return f"return Tensor({values}, {OPTIONS})"


FIXED_SEED = (
    "You set the seed inside, so every call gives the same values. Seeds are for the program that "
    "calls you, not for you."
)
ONE_DRAW = (
    "You drew one number and filled the tensor with it. Every value has to be a draw of its own."
)
OWN_GENERATOR = (
    "You made a random generator of your own. The values are right, but `np.random.seed` does not "
    "reach it, so nobody can repeat them."
)
OPTIONS_DROPPED = (
    "You did not pass `dtype` and `requires_grad` on, so the new tensor has the defaults of "
    "`__init__`, whatever the caller asked for."
)

RAND = of_section(
    "chapter2.rand",
    targets=("tensor.Tensor.rand",),
    hints=(
        "`np.random.uniform` knows about two bounds. `shape` is a tuple already.",
        "Do not forget to pass `dtype` and `requires_grad` on to the tensor.",
    ),
    mistakes=(
        Mistake(
            "bounds-ignored", tensor_of("np.random.random(shape)"),
            "Your values lie between 0 and 1 whatever `low` and `high` are.",
        ),
        Mistake(
            "scaled-by-high", tensor_of("low + high * np.random.random(shape)"),
            "You multiplied by `high` and then added `low`. The width of the interval is "
            "`high - low`.",
        ),
        Mistake(
            "low-ignored", tensor_of("np.random.uniform(0, high, shape)"),
            "Your values start at 0. They have to start at `low`.",
        ),
        Mistake(
            "normal", tensor_of("np.random.normal(low, high, shape)"),
            "You drew from a normal distribution, with `low` as its mean and `high` as its spread. "
            "`rand` is uniform; `randn` is normal.",
        ),
        Mistake(
            "one-draw", tensor_of("np.full(shape, np.random.uniform(low, high))"), ONE_DRAW,
        ),
        Mistake(
            "seeded", "np.random.seed(0)\n" + tensor_of("np.random.uniform(low, high, shape)"),
            FIXED_SEED,
        ),
        Mistake(
            "own-generator", GENERATOR + tensor_of("Tensor.generator.uniform(low, high, shape)"),
            OWN_GENERATOR,
        ),
        Mistake(
            "options-dropped", "return Tensor(np.random.uniform(low, high, shape))",
            OPTIONS_DROPPED,
        ),
    ),
)  # fmt: skip

RANDN = of_section(
    "chapter2.randn",
    targets=("tensor.Tensor.randn",),
    hints=(
        "`np.random.normal` takes a mean and a standard deviation.",
        "Do not forget to pass `dtype` and `requires_grad` on to the tensor.",
    ),
    mistakes=(
        Mistake(
            "variance", tensor_of("np.random.normal(mean, std**2, shape)"),
            "You used the variance, `std` squared, where the standard deviation belongs.",
        ),
        Mistake(
            "root", tensor_of("np.random.normal(mean, std**0.5, shape)"),
            "You took the square root of `std`, as if it were a variance. It is the standard "
            "deviation already.",
        ),
        Mistake(
            "standard", tensor_of("np.random.normal(size=shape)"),
            "Your values have mean 0 and standard deviation 1 whatever was asked for.",
        ),
        Mistake(
            "shifted-first", tensor_of("(np.random.normal(size=shape) + mean) * std"),
            "You added the mean first and stretched afterwards, so the mean was stretched too.",
        ),
        Mistake(
            "uniform",
            tensor_of("np.random.uniform(mean - 3**0.5 * std, mean + 3**0.5 * std, shape)"),
            "Mean and spread are right, but the values are uniform: none lies far out. `randn` is "
            "normal.",
        ),
        Mistake(
            "one-draw", tensor_of("np.full(shape, np.random.normal(mean, std))"), ONE_DRAW,
        ),
        Mistake(
            "seeded", "np.random.seed(0)\n" + tensor_of("np.random.normal(mean, std, shape)"),
            FIXED_SEED,
        ),
        Mistake(
            "own-generator", GENERATOR + tensor_of("Tensor.generator.normal(mean, std, shape)"),
            OWN_GENERATOR,
        ),
        Mistake(
            "options-dropped", "return Tensor(np.random.normal(mean, std, shape))",
            OPTIONS_DROPPED,
        ),
    ),
)  # fmt: skip

RANDB = of_section(
    "chapter2.randb",
    targets=("tensor.Tensor.randb",),
    hints=(
        "A uniform number between 0 and 1 lies below 0.3 with probability 0.3.",
        "A comparison of an array with a number gives an array of bools.",
    ),
    mistakes=(
        Mistake(
            "inverted", tensor_of("np.random.random(shape) >= p"),
            "Your values are False with probability `p`. It is the probability of True.",
        ),
        Mistake(
            "fair", tensor_of("np.random.random(shape) < 0.5"),
            "You tossed a fair coin and ignored `p`.",
        ),
        Mistake(
            "not-compared", tensor_of("np.random.random(shape)"),
            "You turned the random numbers themselves into bools. Everything but 0 counts as True, "
            "so all of them did.",
        ),
        Mistake(
            "one-draw", tensor_of("np.full(shape, np.random.random() < p)"), ONE_DRAW,
        ),
        Mistake(
            "seeded", "np.random.seed(0)\n" + tensor_of("np.random.random(shape) < p"),
            FIXED_SEED,
        ),
        Mistake(
            "own-generator", GENERATOR + tensor_of("Tensor.generator.random(shape) < p"),
            OWN_GENERATOR,
        ),
        Mistake(
            "options-dropped", "return Tensor(np.random.random(shape) < p)",
            "You did not pass `dtype` and `requires_grad` on. The defaults of `__init__` turned "
            "your mask into float32 values that require a gradient.",
        ),
        Mistake(
            "requires-grad-dropped", "return Tensor(np.random.random(shape) < p, dtype=dtype)",
            "You did not pass `requires_grad` on. The default of `__init__` is True, so your mask "
            "asks for a gradient.",
        ),
    ),
)  # fmt: skip
