"""`Dropout`."""

from grader.course import Exercise, Mistake

EVALUATION = "if not self.training:\n    return x\n"
KEPT = "kept = Tensor.randb(*x.shape, p=1 - self.p, dtype=x.dtype)\n"

FORWARD = Exercise(
    "chapter4.dropout.forward",
    section="4.6",
    targets=("nn.Dropout.forward",),
    points=3,
    minutes=12,
    difficulty=2,
    hints=(
        "Two cases, by `self.training`. In evaluation there is nothing to do.",
        "`Tensor.randb` draws a mask. Its `p` is the probability of True; yours is that of a drop.",
        "Multiply `x` by the mask with an operator of the graph: then the gradient is multiplied "
        "by the same mask by itself. And what was kept has to make up for what was dropped.",
    ),
    mistakes=(
        Mistake(
            "unscaled", EVALUATION + KEPT + "return x * kept",
            "What was kept is not scaled up. In training the next layer then sees smaller sums "
            "than in evaluation, by the factor 1 - p.",
        ),
        Mistake(
            "active-in-evaluation", KEPT + "return x * (kept / (1 - self.p))",
            "Values are dropped in evaluation mode too. Look at `self.training` first.",
        ),
        Mistake(
            "keeps-with-p",
            EVALUATION + "kept = Tensor.randb(*x.shape, p=self.p, dtype=x.dtype)\n"
            "return x * (kept / (1 - self.p))",
            "`p` is the probability to drop a value; you keep one with that probability.",
        ),
        Mistake(
            "scaled-in-evaluation",
            "if not self.training:\n    return x * (1 - self.p)\n" + KEPT + "return x * kept",
            "You scale down in evaluation instead of up in training. The averages agree, but "
            "here evaluation has to leave `x` alone.",
        ),
        Mistake(
            "divided-by-p", EVALUATION + KEPT + "return x * (kept / (self.p or 1))",
            "You divide by p, the share that was dropped. Divide by the share that was kept.",
        ),
        Mistake(
            "whole-rows",
            EVALUATION + "kept = Tensor.randb(x.shape[0], 1, p=1 - self.p, dtype=x.dtype)\n"
            "return x * (kept / (1 - self.p))",
            "One draw per row: a whole example is dropped or kept. Draw for every value.",
        ),
        Mistake(
            "one-mask-for-all",
            EVALUATION + "if not hasattr(self, 'kept'):\n"
            "    self.kept = Tensor.randb(*x.shape, p=1 - self.p, dtype=x.dtype)\n"
            "return x * (self.kept / (1 - self.p))",
            "The mask is drawn once and used for ever: the same values are silent in every step.",
        ),
        Mistake(
            "outside-the-graph",
            EVALUATION + KEPT + "return Tensor(x.data * kept.data / (1 - self.p), dtype=x.dtype)",
            "The values are right, but the result is a leaf, so no gradient gets past it. "
            "Multiply the Tensor, not its data.",
        ),
    ),
)  # fmt: skip
