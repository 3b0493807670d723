"""`BatchNorm1d`: every column of a batch, and a memory for evaluation."""

from grader.course import Exercise, Mistake

MADE = """
self.eps = eps
self.momentum = momentum
self.weight = Parameter(Tensor.ones(dim, dtype=dtype))
self.bias = Parameter(Tensor.zeros(dim, dtype=dtype))
self.running_mean = Tensor.zeros(dim, dtype=dtype, requires_grad=False)
self.running_var = Tensor.ones(dim, dtype=dtype, requires_grad=False)
"""
RIGHT = """
if self.training:
    batch = x.shape[0]
    if batch < 2:
        raise ValueError("two rows, please")
    mean = x.sum(0) / batch
    centred = x - mean
    variance = (centred * centred).sum(0) / batch
    old, new = 1 - self.momentum, self.momentum
    unbiased = variance.data * (batch / (batch - 1))
    self.running_mean.data = old * self.running_mean.data + new * mean.data
    self.running_var.data = old * self.running_var.data + new * unbiased
else:
    centred = x - self.running_mean
    variance = self.running_var
return centred / ops.sqrt(variance + self.eps) * self.weight + self.bias
"""
MEAN_LINE = "    self.running_mean.data = old * self.running_mean.data + new * mean.data\n"
VAR_LINE = "    self.running_var.data = old * self.running_var.data + new * unbiased\n"
UNBIASED = "variance.data * (batch / (batch - 1))"
OVER_ROWS = RIGHT.replace(
    "mean = x.sum(0) / batch", "dim = x.shape[1]\n    mean = (x.sum(1) / dim).reshape(batch, 1)"
).replace(
    "(centred * centred).sum(0) / batch",
    "((centred * centred).sum(1) / dim).reshape(batch, 1)",
)
OVER_ALL = RIGHT.replace("x.sum(0) / batch", "x.sum() / x.size").replace(
    "(centred * centred).sum(0) / batch", "(centred * centred).sum() / x.size"
)
WHOLE = r"\.(sum|mean|var|std)\(\)|summation\([^(),]+\)"  # of all there is, no axis named
NORMALISED = "ops.sqrt(variance + self.eps)"
UPDATE = """
new = self.momentum
mean, unbiased = x.data.mean(0), x.data.var(0, ddof=1)
self.running_mean.data = (1 - new) * self.running_mean.data + new * mean
self.running_var.data = (1 - new) * self.running_var.data + new * unbiased
"""


def but(old: str, new: str, text: str = RIGHT) -> str:
    """A working body with one thing done otherwise."""
    assert old in text, old
    return text.replace(old, new)


INIT = Exercise(
    "chapter4.batchnorm1d.init",
    section="4.8",
    targets=("nn.BatchNorm1d.__init__",),
    points=1,
    minutes=4,
    needs=("chapter4.parameter.init",),
    hints=(
        "Six attributes. Which of them are learned by gradient descent, and which are only noted?",
        "A Tensor with `requires_grad=False` is no Parameter, and that is what the running "
        "statistics shall be.",
    ),
    mistakes=(
        Mistake(
            "running-parameters",
            but("Tensor.zeros(dim, dtype=dtype, requires_grad=False)",
                "Parameter(Tensor.zeros(dim, dtype=dtype))", MADE).replace(
                "Tensor.ones(dim, dtype=dtype, requires_grad=False)",
                "Parameter(Tensor.ones(dim, dtype=dtype))"),
            "The running statistics are Parameters here: an optimizer would change them. They "
            "are notes about the data, not something to learn by gradients.",
        ),
        Mistake(
            "variance-of-zero",
            but("self.running_var = Tensor.ones", "self.running_var = Tensor.zeros", MADE),
            "`running_var` starts at 0, so that an untrained module divides by nearly nothing. "
            "It starts at 1.",
        ),
        Mistake(
            "own-momentum", edit=(" momentum", " 0.9"),
            says="The argument `momentum` is ignored.",
        ),
        Mistake(
            "own-dtype", MADE.replace(", dtype=dtype", ""),
            "The argument `dtype` is ignored: everything is float32 whatever was asked.",
        ),
        Mistake(
            "running-with-gradient", MADE.replace(", requires_grad=False", ""),
            "A Tensor requires a gradient unless you say otherwise. Your running statistics do, "
            "so that in evaluation mode each `backward` works one out for them, for nobody.",
        ),
        Mistake(
            "plain-tensors", MADE.replace("Parameter(", "("),
            "Weight and bias are plain Tensors. A module finds its parameters by the type "
            "Parameter.",
        ),
    ),
)  # fmt: skip

FORWARD = Exercise(
    "chapter4.batchnorm1d.forward",
    section="4.8",
    targets=("nn.BatchNorm1d.forward",),
    points=4,
    minutes=25,
    difficulty=3,
    needs=("chapter4.batchnorm1d.init",),
    hints=(
        "The last line is the same in both modes. What differs is where `mean` and `variance` "
        "come from.",
        "In training they are Tensors of the graph, from sums over axis 0. The running statistics "
        "are arrays beside the graph: update them from `.data`.",
        "The variance of the batch is needed twice: biased, to normalise; times "
        "`batch / (batch - 1)`, to be remembered.",
    ),
    mistakes=(
        Mistake(
            "over-the-rows",
            OVER_ROWS,
            "You took mean and variance of each row. That is LayerNorm; BatchNorm looks at one "
            "column of the batch at a time.",
        ),
        Mistake(
            "over-everything",
            OVER_ALL,
            "You took the whole batch at once, over both axes. Every column is a feature with a "
            "mean and a variance of its own: sum over axis 0 only.",
            has=(WHOLE,),
            shown_by=WHOLE,
        ),
        Mistake(
            "normalised-by-unbiased",
            but("sum(0) / batch\n    old", "sum(0) / (batch - 1)\n    old")
            .replace(UNBIASED, "variance.data"),
            "You normalised by the unbiased variance. It is for `running_var` only; the batch "
            "is normalised by the biased one.",
        ),
        Mistake(
            "remembered-biased", but(UNBIASED, "variance.data"),
            "`running_var` got the biased variance. A batch is a small sample of the data, so "
            "that the unbiased one is remembered, divided by `batch - 1`.",
        ),
        Mistake(
            "momentum-reversed",
            but("1 - self.momentum, self.momentum", "self.momentum, 1 - self.momentum"),
            "The momentum is turned round. Here, as in PyTorch, it is the share of the new batch: "
            "0.1 keeps nine tenths of the old.",
        ),
        Mistake(
            "updated-in-evaluation", but("if self.training:", UPDATE + "if self.training:")
            .replace(MEAN_LINE, "")
            .replace(VAR_LINE, ""),
            "The running statistics change in evaluation mode too: what the model says about one "
            "example then depends on those that it saw before.",
        ),
        Mistake(
            "batch-in-evaluation",
            but("centred = x - self.running_mean\n    variance = self.running_var",
                "centred = x - x.sum(0) / x.shape[0]\n    variance = (centred * centred).sum(0) / "
                "x.shape[0]"),
            "In evaluation mode you still use the statistics of the batch. A single example would "
            "come out as the bias, whatever it is.",
        ),
        Mistake(
            "never-remembered",
            but(MEAN_LINE, "")
            .replace(VAR_LINE, ""),
            "The running statistics never change: in evaluation the module knows nothing of the "
            "data.",
        ),
        Mistake(
            "mean-only",
            but(VAR_LINE, ""),
            "Only `running_mean` is updated; `running_var` stays as it was.",
        ),
        Mistake(
            "replaced", but("old, new = 1 - self.momentum, self.momentum", "old, new = 0, 1"),
            "The running statistics are replaced by those of the last batch. They are to move "
            "towards them by the share `momentum`.",
        ),
        Mistake(
            "detached-statistics",
            but("centred = x - mean\n", "centred = x - mean.detach()\n").replace(
                NORMALISED, "ops.sqrt(variance + self.eps).detach()"),
            "The values are right, but mean and variance are cut out of the graph. In training "
            "they depend on `x`, and the gradient of `x` has to say so.",
        ),
        Mistake(
            "running-in-the-graph",
            but(MEAN_LINE, "    self.running_mean = old * self.running_mean + new * mean\n")
            .replace(VAR_LINE, "    self.running_var = old * self.running_var + unbiased\n")
            .replace(UNBIASED, "variance * (new * batch / (batch - 1))"),
            "The numbers are right, but your running statistics became results of the graph. They "
            "require a gradient now, and hold on to every batch since the first: memory runs out. "
            "Work them out from `.data`.",
        ),
        Mistake(
            "eps-outside", but(NORMALISED, "(ops.sqrt(variance) + self.eps)"),
            "`eps` stands outside the root.",
        ),
        Mistake(
            "not-scaled", but(" * self.weight + self.bias", ""),
            "You stopped after the normalisation: `weight` and `bias` take no part, and never get "
            "a gradient.",
        ),
        Mistake(
            "single-row", but("batch < 2", "batch < 1").replace("(batch - 1)", "max(batch - 1, 1)"),
            "A batch of one row went through in training. Its distance from its own mean is 0, so "
            "that nothing of it is left; say so with a ValueError.",
        ),
    ),
)  # fmt: skip
