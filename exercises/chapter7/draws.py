"""The gain of a nonlinearity, and the four functions that draw weights."""

from grader.course import Exercise, Mistake

GAIN = Exercise(
    "chapter7.gain",
    section="7.1",
    targets=("init.gain",),
    points=1,
    minutes=3,
    hints=(
        "Four names, four numbers: a dict. Mind what happens with a fifth name.",
        "Which exception does `dict[…]` raise by itself? Another one is asked for.",
    ),
    mistakes=(
        Mistake(
            "squared",
            "gains = {'linear': 1.0, 'sigmoid': 1.0, 'tanh': 25 / 9, 'relu': 2.0}\n"
            "if nonlinearity not in gains:\n    raise ValueError(nonlinearity)\n"
            "return gains[nonlinearity]",
            "These are the factors of the variance. The gain is the factor of the values: the root "
            "of that.",
        ),
        Mistake(
            "tanh-one",
            "gains = {'linear': 1.0, 'sigmoid': 1.0, 'tanh': 1.0, 'relu': math.sqrt(2)}\n"
            "if nonlinearity not in gains:\n    raise ValueError(nonlinearity)\n"
            "return gains[nonlinearity]",
            "tanh shrinks what goes through it, too. Its gain is not 1.",
        ),
        Mistake(
            "silent",
            "return {'tanh': 5 / 3, 'relu': math.sqrt(2)}.get(nonlinearity, 1.0)",
            "A name that you do not know gives 1. A typing error, such as `rleu`, then goes "
            "unseen; raise ValueError.",
        ),
        Mistake(
            "key-error",
            "gains = {'linear': 1.0, 'sigmoid': 1.0, 'tanh': 5 / 3, 'relu': math.sqrt(2)}\n"
            "return gains[nonlinearity]",
            "An unknown name raises KeyError, as dicts do. Asked is ValueError.",
        ),
    ),
)  # fmt: skip

RETURN = "return Tensor(values, dtype=dtype, requires_grad=requires_grad)"


def uniform(bound: str, low: str = "-bound", shape: str = "shape or (fan_in, fan_out)") -> str:
    """A body that draws uniformly, with some of its parts exchanged."""
    return f"bound = {bound}\nvalues = np.random.uniform({low}, bound, {shape})\n{RETURN}"


def normal(std: str, shape: str = "shape or (fan_in, fan_out)") -> str:
    """A body that draws from a normal distribution, with some of its parts exchanged."""
    return f"std = {std}\nvalues = np.random.normal(0.0, std, {shape})\n{RETURN}"


def common(right: str) -> tuple[Mistake, ...]:
    """What goes wrong in all four; ``right`` is the right body."""
    return (
        Mistake(
            "swapped-shape",
            right.replace("(fan_in, fan_out))", "(fan_out, fan_in))"),
            "The shape is turned round. Our layers compute `x @ weight`, so inputs come first.",
        ),
        Mistake(
            "ignores-shape",
            right.replace("shape or (", "("),
            "You did not use `shape`. A convolution has the fans of its kernel and a shape with "
            "more axes.",
        ),
        Mistake(
            "fixed-seed",
            "np.random.seed(0)\n" + right,
            "You set the seed, so that every layer gets the same values. Seeds are for programs, "
            "never for library functions.",
        ),
        Mistake(
            "dropped-requires-grad",
            right.replace(", requires_grad=requires_grad", ""),
            "`requires_grad` was not handed on to the Tensor.",
        ),
        Mistake(
            "dropped-dtype",
            right.replace("dtype=dtype, ", ""),
            "`dtype` was not handed on to the Tensor: yours is float32 whatever was asked.",
        ),
    )


XAVIER_UNIFORM_BODY = uniform("gain * math.sqrt(6 / (fan_in + fan_out))")
XAVIER_UNIFORM = Exercise(
    "chapter7.xavier_uniform",
    section="7.2",
    targets=("init.xavier_uniform",),
    points=1,
    minutes=5,
    difficulty=2,
    hints=(
        "Work out the bound, then draw: `np.random.uniform(low, high, shape)`.",
        "`shape or (fan_in, fan_out)` is the second where the first is None.",
    ),
    mistakes=(
        Mistake(
            "std-as-bound", uniform("gain * math.sqrt(2 / (fan_in + fan_out))"),
            "You took the standard deviation for the bound. A uniform distribution that ends at b "
            "has the standard deviation b / √3.",
        ),
        Mistake(
            "fan-in-only", uniform("gain * math.sqrt(3 / fan_in)"),
            "You used fan_in alone. Xavier's rule is a compromise between forward and backward: "
            "both fans enter.",
        ),
        Mistake(
            "no-gain", uniform("math.sqrt(6 / (fan_in + fan_out))"),
            "`gain` does not enter.",
        ),
        Mistake(
            "gain-inside", uniform("math.sqrt(gain * 6 / (fan_in + fan_out))"),
            "gain stands under the root. It is a factor of the values, not of their variance.",
        ),
        Mistake(
            "one-sided", uniform("gain * math.sqrt(6 / (fan_in + fan_out))", low="0"),
            "All your values are positive. They are drawn from -bound to bound, with mean 0.",
        ),
        Mistake(
            "normal", normal("gain * math.sqrt(2 / (fan_in + fan_out))"),
            "The spread is right, but these values come from a normal distribution.",
        ),
        *common(XAVIER_UNIFORM_BODY),
    ),
)  # fmt: skip

XAVIER_NORMAL_BODY = normal("gain * math.sqrt(2 / (fan_in + fan_out))")
XAVIER_NORMAL = Exercise(
    "chapter7.xavier_normal",
    section="7.2",
    targets=("init.xavier_normal",),
    points=1,
    minutes=3,
    hints=(
        "The same as before with another distribution: `np.random.normal(mean, std, shape)`.",
        "NumPy asks for the standard deviation, not for the variance.",
    ),
    mistakes=(
        Mistake(
            "variance", normal("gain**2 * 2 / (fan_in + fan_out)"),
            "That is the variance. `np.random.normal` takes the standard deviation, its root.",
        ),
        Mistake(
            "bound-as-std", normal("gain * math.sqrt(6 / (fan_in + fan_out))"),
            "You took the bound of the uniform distribution. The standard deviation is √3 times "
            "smaller.",
        ),
        Mistake(
            "fan-in-only", normal("gain / math.sqrt(fan_in)"),
            "You used fan_in alone. Both fans enter.",
        ),
        Mistake(
            "no-gain", normal("math.sqrt(2 / (fan_in + fan_out))"),
            "`gain` does not enter.",
        ),
        Mistake(
            "uniform", uniform("gain * math.sqrt(6 / (fan_in + fan_out))"),
            "The spread is right, but these values come from a uniform distribution.",
        ),
        *common(XAVIER_NORMAL_BODY),
    ),
)  # fmt: skip

KAIMING_UNIFORM_BODY = uniform("gain(nonlinearity) * math.sqrt(3 / fan_in)")
KAIMING_UNIFORM = Exercise(
    "chapter7.kaiming_uniform",
    section="7.3",
    targets=("init.kaiming_uniform",),
    points=1,
    minutes=4,
    needs=("chapter7.gain",),
    hints=(
        "As `xavier_uniform`, with a bound of another kind. Your own `gain` gives the factor.",
        "For ReLU the bound comes out as √(6 / fan_in): the 2 of √2 is in it once, not twice.",
    ),
    mistakes=(
        Mistake(
            "gain-twice", uniform("gain(nonlinearity) * math.sqrt(6 / fan_in)"),
            "√(6 / fan_in) has ReLU's gain in it already; you multiplied by it once more.",
        ),
        Mistake(
            "always-relu", uniform("math.sqrt(6 / fan_in)"),
            "This is right for ReLU only; `nonlinearity` does not enter.",
        ),
        Mistake(
            "fan-out", uniform("gain(nonlinearity) * math.sqrt(3 / fan_out)"),
            "You divided by fan_out. Each output is a sum over fan_in inputs; that sum is what "
            "must not grow.",
        ),
        Mistake(
            "both-fans", uniform("gain(nonlinearity) * math.sqrt(6 / (fan_in + fan_out))"),
            "This is Xavier's rule with a gain. Kaiming's looks at fan_in alone.",
        ),
        Mistake(
            "std-as-bound", uniform("gain(nonlinearity) / math.sqrt(fan_in)"),
            "You took the standard deviation for the bound; the bound is √3 times larger.",
        ),
        Mistake(
            "normal", normal("gain(nonlinearity) / math.sqrt(fan_in)"),
            "The spread is right, but these values come from a normal distribution.",
        ),
        *common(KAIMING_UNIFORM_BODY),
    ),
)  # fmt: skip

KAIMING_NORMAL_BODY = normal("gain(nonlinearity) / math.sqrt(fan_in)")
KAIMING_NORMAL = Exercise(
    "chapter7.kaiming_normal",
    section="7.3",
    targets=("init.kaiming_normal",),
    points=1,
    minutes=3,
    needs=("chapter7.gain",),
    hints=(
        "The standard deviation is the gain divided by a root. Which fan is under it?",
        "NumPy asks for the standard deviation, not for the variance.",
    ),
    mistakes=(
        Mistake(
            "variance", normal("gain(nonlinearity) ** 2 / fan_in"),
            "That is the variance. `np.random.normal` takes the standard deviation, its root.",
        ),
        Mistake(
            "always-relu", normal("math.sqrt(2 / fan_in)"),
            "This is right for ReLU only; `nonlinearity` does not enter.",
        ),
        Mistake(
            "fan-out", normal("gain(nonlinearity) / math.sqrt(fan_out)"),
            "You divided by fan_out. Each output is a sum over fan_in inputs.",
        ),
        Mistake(
            "no-root", normal("gain(nonlinearity) / fan_in"),
            "The root of fan_in is missing: variances add up, not standard deviations.",
        ),
        Mistake(
            "uniform", uniform("gain(nonlinearity) * math.sqrt(3 / fan_in)"),
            "The spread is right, but these values come from a uniform distribution.",
        ),
        *common(KAIMING_NORMAL_BODY),
    ),
)  # fmt: skip
