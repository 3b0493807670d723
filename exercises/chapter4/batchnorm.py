"""`BatchNorm1d`: every column of a batch, and a memory for evaluation."""

from grader.course import edit, exercise, instead, mistake

CHANGES_IN_EVALUATION = (
    "The running statistics change in evaluation mode too: what the model says about one example "
    "then depends on those that it saw before."
)
WHOLE = r"\.(sum|mean|var|std)\(\)|summation\([^(),]+\)"  # of all there is, no axis named


@exercise("nn.BatchNorm1d.__init__", points=1)
class INIT:
    """Six attributes. Which of them are learned by gradient descent, and which are only recorded?

    A Tensor with `requires_grad=False` isn't a Parameter, and that is what the running statistics
    should be.
    """

    def running_parameters(self, dim, eps, momentum, dtype):
        """The running statistics are Parameters here: an optimizer would change them. They describe
        the data; gradients don't learn them."""
        self.eps = eps
        self.momentum = momentum
        self.weight = Parameter(Tensor.ones(dim, dtype=dtype))
        self.bias = Parameter(Tensor.zeros(dim, dtype=dtype))
        self.running_mean = Parameter(Tensor.zeros(dim, dtype=dtype))
        self.running_var = Parameter(Tensor.ones(dim, dtype=dtype))

    variance_of_zero = edit(" Tensor.ones", " Tensor.zeros")
    """`running_var` starts at 0, so an untrained module divides by nearly nothing. It starts at
    1."""

    own_momentum = edit("float(momentum)", "0.9")
    """The argument `momentum` is ignored."""

    def own_dtype(self, dim, eps, momentum, dtype):
        """The argument `dtype` is ignored: everything is float32 whatever the caller asked for."""
        self.eps = eps
        self.momentum = momentum
        self.weight = Parameter(Tensor.ones(dim))
        self.bias = Parameter(Tensor.zeros(dim))
        self.running_mean = Tensor.zeros(dim, requires_grad=False)
        self.running_var = Tensor.ones(dim, requires_grad=False)

    running_with_gradient = edit(
        ("zeros(dim, dtype=dtype, requires_grad=False)", "zeros(dim, dtype=dtype)"),
        ("ones(dim, dtype=dtype, requires_grad=False)", "ones(dim, dtype=dtype)"),
    )
    """A Tensor requires a gradient unless you say otherwise. Your running statistics do, so in
    evaluation mode each `backward` computes gradients for them that nobody uses."""

    plain_tensors = edit(("weight = Parameter", "weight = "), ("bias = Parameter", "bias = "))
    """Weight and bias are plain Tensors. A module finds its parameters by the type Parameter."""


@exercise("nn.BatchNorm1d.forward", points=4)
class FORWARD:
    """The last line is the same in both modes. What differs is where `mean` and `variance` come
    from.

    In training they are Tensors of the graph, from sums over axis 0. The running statistics are
    arrays beside the graph: update them from `.data`.

    The variance of the batch is needed twice: biased, to normalise; times `batch / (batch - 1)`,
    for the running one.
    """

    def _right(self, x):
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

    @instead(
        "mean = x.sum(0) / batch",
        edits=(
            (
                "(centred * centred).sum(0) / batch",
                "((centred * centred).sum(1) / dim).reshape(batch, 1)",
            ),
        ),
        of=_right,
    )
    def over_the_rows(x, batch):
        """You took mean and variance of each row. That is LayerNorm; BatchNorm looks at one column
        of the batch at a time."""
        dim = x.shape[1]
        mean = (x.sum(1) / dim).reshape(batch, 1)

    over_everything = edit(
        ("x.sum(0) / batch", "x.sum() / x.size"),
        ("(centred * centred).sum(0) / batch", "(centred * centred).sum() / x.size"),
        of=_right,
        has=(WHOLE,),
        shown_by=WHOLE,
    )
    """You took the whole batch at once, over both axes. Every column is a feature with a mean and a
    variance of its own: sum over axis 0 only."""

    @instead("variance = (centred", edits=(("data * (batch / (batch - 1))", "data"),), of=_right)
    def normalised_by_unbiased(batch, centred):
        """You normalised by the unbiased variance. It is for `running_var` only; the batch is
        normalised by the biased one."""
        variance = (centred * centred).sum(0) / (batch - 1)

    remembered_biased = edit(
        "data * (batch / (batch - 1))",
        "data",
        of=_right,
        seen="https://github.com/tinygrad/tinygrad/pull/807",
    )
    """`running_var` got the biased variance. A batch is a small sample of the data, so keep the
    unbiased one, divided by `batch - 1`."""

    momentum_reversed = edit(
        "1 - self.momentum,",
        "self.momentum, 1 -",
        of=_right,
        seen="https://github.com/Jermmy/pytorch-quantization-demo/issues/17",
    )
    """The momentum is the wrong way round. Here, as in PyTorch, it is the share of the new batch:
    0.1 keeps nine tenths of the old value."""

    @mistake(says=CHANGES_IN_EVALUATION)
    def updated_always(self, x):
        batch = x.shape[0]
        if self.training and batch < 2:
            raise ValueError("two rows, please")
        mean = x.sum(0) / batch
        centred = x - mean
        variance = (centred * centred).sum(0) / batch
        old, new = 1 - self.momentum, self.momentum
        if batch > 1:
            unbiased = variance.data * (batch / (batch - 1))
            self.running_mean.data = old * self.running_mean.data + new * mean.data
            self.running_var.data = old * self.running_var.data + new * unbiased
        if not self.training:
            centred = x - self.running_mean
            variance = self.running_var
        return centred / ops.sqrt(variance + self.eps) * self.weight + self.bias

    @mistake(says=CHANGES_IN_EVALUATION)
    def updated_in_evaluation(self, x):
        new = self.momentum
        mean, unbiased = x.data.mean(0), x.data.var(0, ddof=1)
        self.running_mean.data = (1 - new) * self.running_mean.data + new * mean
        self.running_var.data = (1 - new) * self.running_var.data + new * unbiased
        if self.training:
            batch = x.shape[0]
            if batch < 2:
                raise ValueError("two rows, please")
            mean = x.sum(0) / batch
            centred = x - mean
            variance = (centred * centred).sum(0) / batch
            old, new = 1 - self.momentum, self.momentum
            unbiased = variance.data * (batch / (batch - 1))
        else:
            centred = x - self.running_mean
            variance = self.running_var
        return centred / ops.sqrt(variance + self.eps) * self.weight + self.bias

    @mistake(says=CHANGES_IN_EVALUATION)
    def updated_behind_evaluation(self, x):
        batch = x.shape[0]
        if self.training and batch < 2:
            raise ValueError("two rows, please")
        mean = x.sum(0) / batch
        centred = x - mean
        variance = (centred * centred).sum(0) / batch
        old, new = 1 - self.momentum, self.momentum
        unbiased = variance.data * (batch / max(batch - 1, 1))
        if not self.training:
            centred = x - self.running_mean.detach()
            variance = self.running_var.detach()
        self.running_mean.data = old * self.running_mean.data + new * mean.data
        self.running_var.data = old * self.running_var.data + new * unbiased
        return centred / ops.sqrt(variance + self.eps) * self.weight + self.bias

    batch_in_evaluation = edit(
        ("- self.running_mean", "- x.sum(0) / x.shape[0]"),
        ("= self.running_var", "= (centred * centred).sum(0) / x.shape[0]"),
        of=_right,
    )
    """In evaluation mode you still use the statistics of the batch. A single example would come out
    as the bias, whatever it is."""

    @instead(
        "unbiased = variance.data",
        "self.running_var.data",
        edits=(("BatchNorm1d needs at least two rows in training mode.", "two rows, please"),),
        seen="https://github.com/paiml/aprender/pull/2166",
    )
    def never_remembered(variance, batch):
        """The running statistics never change: in evaluation the module knows nothing of the
        data."""
        unbiased = variance.data * (batch / (batch - 1))

    @instead("self.running_mean.data", "self.running_var.data", of=_right)
    def mean_only(self, old, new, mean):
        """Only `running_mean` is updated; `running_var` stays as it was."""
        self.running_mean.data = old * self.running_mean.data + new * mean.data

    replaced = edit("1 - self.momentum, self.momentum", "0, 1", of=_right)
    """The running statistics are replaced by those of the last batch. Move them only a share of the
    way, `momentum`."""

    detached_statistics = edit(
        ("- mean", "- mean.detach()"),
        ("(variance + self.eps)", "(variance + self.eps).detach()"),
        of=_right,
    )
    """The values are right, but mean and variance are cut out of the graph. In training they depend
    on `x`, and the gradient of `x` has to say so."""

    @instead(
        "self.running_mean.data",
        "self.running_var.data",
        edits=((".data * (batch / (batch - 1))", " * (new * batch / (batch - 1))"),),
        of=_right,
    )
    def running_in_the_graph(self, old, new, mean, unbiased):
        """The numbers are right, but your running statistics became results of the graph. They now
        require a gradient, and hold on to every batch since the first: memory runs out. Compute
        them from `.data`."""
        self.running_mean = old * self.running_mean + new * mean
        self.running_var = old * self.running_var + unbiased

    eps_outside = edit(
        "ops.sqrt(variance + self.eps)", "(ops.sqrt(variance) + self.eps)", of=_right
    )
    """`eps` is outside the root."""

    not_scaled = edit(" * self.weight + self.bias", "", of=_right)
    """You stopped after the normalisation: `weight` and `bias` aren't used, and never get a
    gradient."""

    single_row = edit(("2", "1"), ("(batch - 1)", "max(batch - 1, 1)"), of=_right)
    """You accept a batch of one row in training. Its distance from its own mean is 0, so nothing of
    it is left; raise a ValueError."""
