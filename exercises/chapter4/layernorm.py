"""`LayerNorm1d`: every row by itself."""

from grader.course import Exercise, Mistake

INIT = Exercise(
    "chapter4.layernorm1d.init",
    section="4.7",
    targets=("nn.LayerNorm1d.__init__",),
    points=1,
    minutes=3,
    needs=("chapter4.parameter.init",),
    hints=(
        "Three attributes: `weight`, `bias` and `eps`. Two of them are Parameters.",
        "At the start the module only normalises: times 1, plus 0.",
    ),
    mistakes=(
        Mistake(
            "changed-places",
            "self.eps = eps\nself.weight = Parameter(Tensor.zeros(dim, dtype=dtype))\n"
            "self.bias = Parameter(Tensor.ones(dim, dtype=dtype))",
            "Zeros and ones changed places: with a weight of 0 everything that comes in is lost.",
        ),
        Mistake(
            "plain-tensors",
            "self.eps = eps\nself.weight = Tensor.ones(dim, dtype=dtype)\n"
            "self.bias = Tensor.zeros(dim, dtype=dtype)",
            "These are plain Tensors. A module finds its parameters by the type Parameter.",
        ),
        Mistake(
            "own-eps", edit=(" eps", " 1e-5"),
            says="The argument `eps` is ignored; it is 1e-5 whatever the caller said.",
        ),
        Mistake(
            "eps-is-learned", edit=(" eps", " Parameter([eps])"),
            says=(
                "`eps` is a Parameter here, so that training would change it. It is a plain number."
            ),
        ),
        Mistake(
            "own-dtype",
            "self.eps = eps\nself.weight = Parameter(Tensor.ones(dim))\n"
            "self.bias = Parameter(Tensor.zeros(dim))",
            "The argument `dtype` is ignored: your weight and bias are float32 whatever was asked.",
        ),
    ),
)  # fmt: skip

RIGHT = """
batch, dim = x.shape
mean = (x.sum(1) / dim).reshape(batch, 1)
centred = x - mean
variance = ((centred * centred).sum(1) / dim).reshape(batch, 1)
return centred / ops.sqrt(variance + self.eps) * self.weight + self.bias
"""


def but(old: str, new: str) -> str:
    """A working body with one thing done otherwise."""
    assert old in RIGHT
    return RIGHT.replace(old, new)


FORWARD = Exercise(
    "chapter4.layernorm1d.forward",
    section="4.7",
    targets=("nn.LayerNorm1d.forward",),
    points=3,
    minutes=15,
    difficulty=2,
    needs=("chapter4.layernorm1d.init",),
    hints=(
        "Sums along axis 1, divided by `dim`, give one number per row.",
        "`x.sum(1)` has the shape `(batch,)`, which does not broadcast along rows. Reshape it "
        "to `(batch, 1)`.",
        "Four lines: the mean, the distances from it, the mean of their squares, and the formula "
        "of the docstring. Write all of them with Tensors, and the gradient follows by itself.",
    ),
    mistakes=(
        Mistake(
            "over-the-batch",
            "batch, dim = x.shape\ncentred = x - x.sum(0) / batch\n"
            "variance = (centred * centred).sum(0) / batch\n"
            "return centred / ops.sqrt(variance + self.eps) * self.weight + self.bias",
            "You took mean and variance of the columns, over the batch. LayerNorm looks at one "
            "row at a time; over the batch it is BatchNorm.",
        ),
        Mistake(
            "eps-outside",
            edit=("ops.sqrt(variance + self.eps)", "(ops.sqrt(variance) + self.eps)"),
            says="`eps` stands outside the root. Under it, it also keeps the gradient of the root "
            "finite.",
        ),
        Mistake(
            "no-eps", edit=("variance + self.eps", "variance"),
            says="`eps` is missing: a row of equal values divides 0 by 0.",
        ),
        Mistake(
            "unbiased",
            but("((centred * centred).sum(1) / dim)", "((centred * centred).sum(1) / (dim - 1))"),
            "You divided by `dim - 1`. Normalisation uses the biased variance, divided by `dim`.",
        ),
        Mistake(
            "no-root", edit=("ops.sqrt(variance + self.eps)", "(variance + self.eps)"),
            says="You divided by the variance. The standard deviation is its root.",
        ),
        Mistake(
            "detached-statistics",
            RIGHT.replace("centred = x - mean", "centred = x - mean.detach()").replace(
                "ops.sqrt(variance + self.eps)", "ops.sqrt(variance + self.eps).detach()"
            ),
            "The values are right, but mean and variance are cut out of the graph. They depend "
            "on `x` too, and the gradient of `x` has to say so.",
        ),
        Mistake(
            "shifted-first",
            "batch, dim = x.shape\nmean = (x.sum(1) / dim).reshape(batch, 1)\ncentred = x - mean\n"
            "variance = ((centred * centred).sum(1) / dim).reshape(batch, 1)\n"
            "return (centred / ops.sqrt(variance + self.eps) + self.bias) * self.weight",
            "You shifted before you scaled; first times `weight`, then plus `bias`.",
        ),
        Mistake(
            "not-reshaped", RIGHT.replace(".reshape(batch, 1)", ""),
            "`x.sum(1)` has the shape `(batch,)`, and broadcasting lines shapes up on the right: "
            "your means lie along the columns. Reshape them to `(batch, 1)`.",
        ),
        Mistake(
            "not-scaled", but(" * self.weight + self.bias", ""),
            "You stopped after the normalisation: `weight` and `bias` take no part, and never get "
            "a gradient.",
        ),
    ),
)  # fmt: skip
