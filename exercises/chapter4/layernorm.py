"""`LayerNorm1d`: every row by itself."""

from grader.course import edit, exercise, mistake

from .sentences import OWN_DTYPE


@exercise("nn.LayerNorm1d.__init__", points=1)
class INIT:
    """Three attributes: `weight`, `bias` and `eps`. Two of them are Parameters.

    At the start the module only normalises: times 1, plus 0.
    """

    def changed_places(self, dim, eps, dtype):
        """Zeros and ones are swapped: with a weight of 0 everything that comes in is lost."""
        self.eps = eps
        self.weight = Parameter(Tensor.zeros(dim, dtype=dtype))
        self.bias = Parameter(Tensor.ones(dim, dtype=dtype))

    def plain_tensors(self, dim, eps, dtype):
        """These are plain Tensors. A module finds its parameters by the type Parameter."""
        self.eps = eps
        self.weight = Tensor.ones(dim, dtype=dtype)
        self.bias = Tensor.zeros(dim, dtype=dtype)

    own_eps = edit(" eps", " 1e-5")
    """The argument `eps` is ignored; it is 1e-5 whatever the caller said."""

    eps_is_learned = edit(" eps", " Parameter([eps])")
    """`eps` is a Parameter here, so training would change it. It is a plain number."""

    @mistake(says=OWN_DTYPE)
    def own_dtype(self, dim, eps, dtype):
        self.eps = eps
        self.weight = Parameter(Tensor.ones(dim))
        self.bias = Parameter(Tensor.zeros(dim))


@exercise("nn.LayerNorm1d.forward", points=3)
class FORWARD:
    """Sums along axis 1, divided by `dim`, give one number per row.

    `x.sum(1)` has the shape `(batch,)`, which does not broadcast along rows. Reshape it to `(batch,
    1)`.

    Four lines: the mean, the distances from it, the mean of their squares, and the formula of the
    docstring. Write all of them with Tensors, and the gradient comes for free.
    """

    def over_the_batch(self, x):
        """You took mean and variance of the columns, over the batch. LayerNorm looks at one row at
        a time; over the batch it is BatchNorm."""
        batch, dim = x.shape
        centred = x - x.sum(0) / batch
        variance = (centred * centred).sum(0) / batch
        return centred / ops.sqrt(variance + self.eps) * self.weight + self.bias

    eps_outside = edit(
        "ops.sqrt(variance + self.eps)",
        "(ops.sqrt(variance) + self.eps)",
        seen="https://github.com/tracel-ai/burn/issues/2185",
    )
    """`eps` is outside the root. Under it, it also keeps the gradient of the root finite."""

    no_eps = edit(" + self.eps", "")
    """`eps` is missing: a row of equal values divides 0 by 0."""

    unbiased = edit(
        "(centred * centred).sum(1) / dim",
        "(centred * centred).sum(1) / (dim - 1)",
        seen="https://github.com/harvardnlp/annotated-transformer/pull/119",
    )
    """You divided by `dim - 1`. Normalisation uses the biased variance, divided by `dim`."""

    no_root = edit("ops.sqrt", "")
    """You divided by the variance. The standard deviation is its root."""

    detached_statistics = edit(("- mean", "- mean.detach()"), (" * self", ".detach() * self"))
    """The values are right, but mean and variance are cut out of the graph. They depend on `x` too,
    and the gradient of `x` has to say so."""

    shifted_first = edit(
        ("return ", "return ("), ("* self.weight + self.bias", "+ self.bias) * self.weight")
    )
    """You shifted before you scaled; first times `weight`, then plus `bias`."""

    def not_reshaped(self, x):
        """`x.sum(1)` has the shape `(batch,)`, and broadcasting lines shapes up on the right: one
        number per row lies along the columns. Reshape such sums to `(batch, 1)`."""
        batch, dim = x.shape
        mean = x.sum(1) / dim
        centred = x - mean
        variance = (centred * centred).sum(1) / dim
        return centred / ops.sqrt(variance + self.eps) * self.weight + self.bias

    not_scaled = edit(" * self.weight + self.bias", "")
    """You stopped after the normalisation: `weight` and `bias` aren't used, and never get a
    gradient."""
