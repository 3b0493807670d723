"""`Linear`: its parameters and its product."""

from grader.course import body, edit, exercise, mistake

from .sentences import BIAS_OF_ZERO, OWN_DTYPE, PLAIN_TENSORS


@exercise("nn.Linear.__init__", points=2)
class INIT:
    """`Tensor.rand` of chapter 2 has arguments `low` and `high`.

    Wrap each tensor in a Parameter, and keep it under the name that the class promises.

    With `bias=False` the attribute still exists: it's None.
    """

    turned_round = edit("in_features, out_features", "out_features, in_features")
    """The weight is transposed. Here its shape is `(in_features, out_features)`, so `x @ weight`
    fits; PyTorch stores the transpose."""

    plain_tensors = edit(
        ("weight = Parameter", "weight = "), ("bias = Parameter", "bias = "), says=PLAIN_TENSORS
    )

    from_zero = edit(
        (" out_features, low=-bound", " out_features, low=0"),
        (
            "(out_features, low=-bound, high=bound, dtype=dtype)",
            "(out_features, low=0, high=bound, dtype=dtype)",
        ),
    )
    """All values start positive. The draw goes from -1/√in_features to 1/√in_features."""

    standard_normal = edit(
        "rand(in_features, out_features, low=-bound, high=bound, dtype=dtype)",
        "randn(in_features, out_features, dtype=dtype)",
    )
    """You drew from the normal distribution with spread 1. With many inputs such sums grow large;
    the bound 1/√in_features keeps them small."""

    bound_by_outputs = edit("(in_features)", "(out_features)")
    """The bound comes from the number of inputs, because that is how many terms each output adds
    up."""

    always_a_bias = edit("bias:", "True:")
    """`bias=False` is ignored: there is a bias anyway."""

    @mistake(says=OWN_DTYPE)
    def own_dtype(self, in_features, out_features, bias, dtype):
        bound = 1 / math.sqrt(in_features)
        weight = Tensor.rand(in_features, out_features, low=-bound, high=bound)
        self.weight = Parameter(weight)
        self.bias = None
        if bias:
            self.bias = Parameter(Tensor.rand(out_features, low=-bound, high=bound))

    bias_of_zero = edit(
        "rand(out_features, low=-bound, high=bound, dtype=dtype)",
        "zeros(out_features, dtype=dtype)",
        says=BIAS_OF_ZERO,
    )

    all_zero = edit(
        "rand(in_features, out_features, low=-bound, high=bound, dtype=dtype)",
        "zeros(in_features, out_features, dtype=dtype)",
    )
    """Your weight starts at 0. Then all columns get the same gradient and stay equal forever."""

    all_zero_and_the_bias = edit(
        ("rand(in_features, out_features, low=-bound, high=bound, dtype=dtype)",
         "zeros(in_features, out_features, dtype=dtype)"),
        ("rand(out_features, low=-bound, high=bound, dtype=dtype)",
         "zeros(out_features, dtype=dtype)"),
    )  # fmt: skip
    """Weight and bias start at 0. Then all columns of the weight get the same gradient and stay
    equal forever."""


@exercise("nn.Linear.forward", points=2)
class FORWARD:
    """A matrix product, then a sum. The bias is added to every row; your `+` broadcasts it.

    `self.bias` may be None. Ask with `is None`, not with `if self.bias`.
    """

    transposed = edit("weight", "weight.transpose()")
    """You transposed the weight. It has the shape `(in_features, out_features)` and fits as it
    is."""

    no_bias = body("return x @ self.weight")
    """The bias is missing."""

    needs_a_bias = body("return x @ self.weight + self.bias")
    """With `bias=False`, `self.bias` is None, and nothing can be added to None."""

    detached = edit("weight", "weight.detach()")
    """The values are right, but the weight isn't part of the graph: it never gets a gradient."""

    minus = edit("+", "-")
    """Add the bias; don't subtract it."""
