"""`Sequential` and `Residual`: modules made of modules."""

from grader.course import Exercise, Mistake

SEQUENTIAL = Exercise(
    "chapter4.sequential.forward",
    section="4.5",
    targets=("nn.Sequential.forward",),
    points=1,
    minutes=3,
    needs=("chapter4.module.call",),
    hints=(
        "A loop over `self.layers`. What does each layer get?",
        "Let one name stand for the latest result, and give it a new value in every round.",
    ),
    mistakes=(
        Mistake(
            "all-from-x", "out = x\nfor layer in self.layers:\n    out = layer(x)\nreturn out",
            "Every layer got the first input; only the last one counted. Each layer is to get "
            "what the layer before it gave.",
        ),
        Mistake(
            "backwards", edit=("self.layers", "reversed(self.layers)"),
            says="The layers ran from the last to the first.",
        ),
        Mistake(
            "early-return", edit=("x =", "return"),
            says="`return` stands inside the loop, so that only the first layer ran.",
        ),
        Mistake(
            "skips-the-last", edit=("self.layers", "self.layers[:-1]"),
            says="The last layer never ran.",
        ),
        Mistake(
            "starts-from-yesterday",
            "x = getattr(self, 'last', x)\nfor layer in self.layers:\n    x = layer(x)\n"
            "self.last = x\nreturn x",
            "The second call went on from the result of the first. Every call starts from its own "
            "`x`.",
        ),
    ),
)  # fmt: skip

RESIDUAL = Exercise(
    "chapter4.residual.forward",
    section="4.5",
    targets=("nn.Residual.forward",),
    points=1,
    minutes=2,
    needs=("chapter4.module.call",),
    hints=(
        "Two ways from `x` to the result: one through `fn`, one straight.",
        "One call and one sum.",
    ),
    mistakes=(
        Mistake(
            "no-way-around", "return self.fn(x)",
            "The way around is missing: `x` itself is to be added.",
        ),
        Mistake(
            "added-before", "return self.fn(x + x)",
            "You added before `fn`; the sum comes after it.",
        ),
        Mistake(
            "detached", "return self.fn(x) + x.detach()",
            "The values are right, but no gradient comes back on the straight way, and that is "
            "what a residual connection is for.",
        ),
        Mistake(
            "minus", "return self.fn(x) - x",
            "`x` is to be added, not taken away.",
        ),
        Mistake(
            "called-twice", "self.fn(x)\nreturn self.fn(x) + x",
            "`fn` is called twice. That costs twice the time, and a BatchNorm inside would count "
            "the batch twice.",
        ),
    ),
)  # fmt: skip
