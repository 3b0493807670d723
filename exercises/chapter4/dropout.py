"""`Dropout`."""

from grader.course import edit, exercise, mistake

BY_P = "You divide by p, the share that was dropped. Divide by the share that was kept."


@exercise("nn.Dropout.forward", points=3)
class FORWARD:
    """Two cases, by `self.training`. In evaluation there is nothing to do.

    `Tensor.randb` draws a mask. Its `p` is the probability of True; yours is the probability of a
    drop.

    Multiply `x` by the mask with an operator of the graph: then the gradient is multiplied by the
    same mask, too. And what was kept has to make up for what was dropped.
    """

    unscaled = edit(
        "(kept / (1 - self.p))", "kept", seen="https://github.com/tinygrad/tinygrad/pull/170"
    )
    """What was kept isn't scaled up. In training the next layer then sees smaller sums than in
    evaluation, by the factor 1 - p."""

    @mistake(seen="https://github.com/csxeba/brainforge/issues/1")
    def active_in_evaluation(self, x):
        """Values are dropped in evaluation mode too. Look at `self.training` first."""
        kept = Tensor.randb(*x.shape, p=1 - self.p, dtype=x.dtype)
        return x * (kept / (1 - self.p))

    keeps_with_p = edit("p=1 - ", "p=")
    """`p` is the probability of dropping a value; you keep one with that probability."""

    def scaled_in_evaluation(self, x):
        """You scale down in evaluation instead of up in training. The averages agree, but here
        evaluation has to leave `x` alone."""
        if not self.training:
            return x * (1 - self.p)
        kept = Tensor.randb(*x.shape, p=1 - self.p, dtype=x.dtype)
        return x * kept

    multiplied = edit("/ (1 - self.p)", "* (1 - self.p)")
    """You multiply by the share that was kept, so the sums shrink once more. Divide by it."""

    multiplied_by_p = edit("/ (1 - self.p)", "* self.p")
    """You multiply by p, the share that was dropped. Divide by the share that was kept."""

    divided_by_p = edit(
        "(1 - self.p)", "(self.p or 1)", says=BY_P,
        seen="https://github.com/lmjohns3/theanets/pull/123",
    )  # fmt: skip

    divided_by_any_p = edit("(1 - self.p)", "self.p", says=BY_P)

    whole_rows = edit("*x.shape", "x.shape[0], 1")
    """One draw per row: a whole example is dropped or kept. Draw for every value."""

    def one_mask_for_all(self, x):
        """You draw the mask once and always use it: the same values are dropped in every step."""
        if not self.training:
            return x
        if not hasattr(self, "kept"):
            self.kept = Tensor.randb(*x.shape, p=1 - self.p, dtype=x.dtype)
        return x * (self.kept / (1 - self.p))

    outside_the_graph = edit(
        "x * (kept / (1 - self.p))", "Tensor(x.data * kept.data / (1 - self.p), dtype=x.dtype)"
    )
    """The values are right, but the result is a leaf, so no gradient gets past it. Multiply the
    Tensor, not its data."""
