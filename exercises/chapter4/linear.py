"""`Linear`: its parameters and its product."""

from grader.course import Exercise, Mistake

RIGHT = """
bound = 1 / math.sqrt(in_features)
weight = Tensor.rand(in_features, out_features, low=-bound, high=bound, dtype=dtype)
self.weight = Parameter(weight)
self.bias = None
if bias:
    self.bias = Parameter(Tensor.rand(out_features, low=-bound, high=bound, dtype=dtype))
"""


def but(old: str, new: str) -> str:
    """A working constructor with one thing done otherwise."""
    assert old in RIGHT
    return RIGHT.replace(old, new)


INIT = Exercise(
    "chapter4.linear.init",
    section="4.4",
    targets=("nn.Linear.__init__",),
    points=2,
    minutes=8,
    difficulty=2,
    needs=("chapter4.parameter.init",),
    hints=(
        "`Tensor.rand` of chapter 2 has arguments `low` and `high`.",
        "Wrap each tensor in a Parameter, and keep it under the name that the class promises.",
        "With `bias=False` the attribute exists all the same: it is None.",
    ),
    mistakes=(
        Mistake(
            "turned-round",
            but("rand(in_features, out_features,", "rand(out_features, in_features,"),
            "The weight lies the other way round. Here it is `(in_features, out_features)`, so "
            "that `x @ weight` fits; PyTorch keeps its transpose.",
        ),
        Mistake(
            "plain-tensors", RIGHT.replace("Parameter(", "("),
            "Weight and bias are plain Tensors. A module finds its parameters by their type, so "
            "an optimizer would never see these.",
        ),
        Mistake(
            "from-zero", RIGHT.replace("low=-bound", "low=0"),
            "All values start positive. The draw goes from -1/√in_features to 1/√in_features.",
        ),
        Mistake(
            "standard-normal",
            but("Tensor.rand(in_features, out_features, low=-bound, high=bound, dtype=dtype)",
                "Tensor.randn(in_features, out_features, dtype=dtype)"),
            "You drew from the normal distribution with spread 1. With many inputs such sums "
            "grow large; the bound 1/√in_features keeps them small.",
        ),
        Mistake(
            "bound-by-outputs", edit=("sqrt(in_features)", "sqrt(out_features)"),
            says="The bound comes from the number of inputs, because that is how many terms each "
            "output adds up.",
        ),
        Mistake(
            "always-a-bias", edit=("if bias:", "if True:"),
            says="`bias=False` is ignored: there is a bias all the same.",
        ),
        Mistake(
            "own-dtype", RIGHT.replace(", dtype=dtype", ""),
            "The argument `dtype` is ignored: your weight and bias are float32 whatever was asked.",
        ),
        Mistake(
            "bias-of-zero",
            but("Tensor.rand(out_features, low=-bound, high=bound, dtype=dtype)",
                "Tensor.zeros(out_features, dtype=dtype)"),
            "Your bias starts at 0. Many networks do so, but here, as in PyTorch, it is drawn from "
            "the same range as the weight.",
        ),
        Mistake(
            "all-zero",
            but("Tensor.rand(in_features, out_features, low=-bound, high=bound, dtype=dtype)",
                "Tensor.zeros(in_features, out_features, dtype=dtype)"),
            "Your weight starts at 0. Then all columns get the same gradient and stay alike for "
            "ever.",
        ),
    ),
)  # fmt: skip

FORWARD = Exercise(
    "chapter4.linear.forward",
    section="4.4",
    targets=("nn.Linear.forward",),
    points=2,
    minutes=4,
    needs=("chapter4.linear.init",),
    hints=(
        "A matrix product, then a sum. The bias is added to every row; your `+` broadcasts it.",
        "`self.bias` may be None. Ask with `is None`, not with `if self.bias`.",
    ),
    mistakes=(
        Mistake(
            "transposed",
            "out = x @ self.weight.transpose()\nreturn out if self.bias is None else out + "
            "self.bias",
            "You transposed the weight. It has the shape `(in_features, out_features)` and fits as "
            "it is.",
        ),
        Mistake(
            "no-bias", "return x @ self.weight",
            "The bias is missing.",
        ),
        Mistake(
            "needs-a-bias", "return x @ self.weight + self.bias",
            "With `bias=False`, `self.bias` is None, and nothing can be added to None.",
        ),
        Mistake(
            "detached", edit=("self.weight", "self.weight.detach()"),
            says="The values are right, but the weight is not part of the graph: it never gets a "
            "gradient.",
        ),
        Mistake(
            "minus", edit=("+", "-"),
            says="The bias is to be added, not taken away.",
        ),
    ),
)  # fmt: skip
