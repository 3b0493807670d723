"""Engine 2, `Function.apply`: the operations, two static methods each."""

from grader.course import Exercise, Mistake

from .sentences import NO_GRADIENT_FACTOR, NOT_UNBROADCAST, OWN_FACTOR

_MUL = "a, b = ctx.saved\nreturn {left}, {right}"

MUL = Exercise(
    "chapter11.apply.mul",
    section="11.5",
    targets=("engines.apply.Mul.forward", "engines.apply.Mul.backward"),
    points=1,
    minutes=4,
    hints=(
        "`forward` saves what `backward` will need: `ctx.save_for_backward(a, b)`.",
        "`a, b = ctx.saved`. Multiply, then `unbroadcast`.",
    ),
    mistakes=(
        Mistake(
            "own-factor",
            _MUL.format(
                left="unbroadcast(gradient * a, a.shape)",
                right="unbroadcast(gradient * b, b.shape)",
            ),
            OWN_FACTOR,
            "engines.apply.Mul.backward",
        ),
        Mistake(
            "not-unbroadcast",
            _MUL.format(left="gradient * b", right="gradient * a"),
            NOT_UNBROADCAST,
            "engines.apply.Mul.backward",
        ),
        Mistake(
            "forgot-gradient",
            "a, b = ctx.saved\none = np.ones_like(gradient)\n"
            "return unbroadcast(one * b, a.shape), unbroadcast(one * a, b.shape)",
            NO_GRADIENT_FACTOR,
            "engines.apply.Mul.backward",
        ),
        Mistake(
            "changes-the-gradient",
            "a, b = ctx.saved\nright = unbroadcast(gradient * a, b.shape)\n"
            "gradient *= b\nreturn unbroadcast(gradient, a.shape), right",
            "You changed `gradient` in place. That array belongs to the walk, which may hand it "
            "to others as well.",
            "engines.apply.Mul.backward",
        ),
        Mistake(
            "saved-swapped",
            "ctx.save_for_backward(b, a)\nreturn a * b",
            "You saved the two inputs in the other order, so that each plays the other's part.",
        ),
    ),
)

_POWER = "(a,) = ctx.saved\nreturn {0}"
_CHECKED = (
    "if not isinstance(exponent, numbers.Real):\n    raise TypeError('not a number')\n"
    "ctx.save_for_backward({saved})\nctx.exponent = {kept}\nreturn a**exponent"
)

POW = Exercise(
    "chapter11.apply.pow",
    section="11.5",
    targets=("engines.apply.Pow.forward", "engines.apply.Pow.backward"),
    points=1.5,
    minutes=6,
    difficulty=2,
    hints=(
        "The exponent is no array: keep it as an attribute of the Context, `ctx.exponent`.",
        "`isinstance(exponent, numbers.Real)` knows ints, floats and NumPy's numbers.",
    ),
    mistakes=(
        Mistake(
            "no-type-error",
            "ctx.save_for_backward(a)\nctx.exponent = exponent\nreturn a**exponent",
            "An exponent that is no number goes through, and fails far away, or not at all. "
            "Raise TypeError here.",
        ),
        Mistake(
            "floats-only",
            _CHECKED.format(saved="a", kept="exponent").replace("numbers.Real", "float"),
            "Only floats are numbers to your check: 3 is refused. `numbers.Real` takes in whole "
            "numbers and NumPy's.",
        ),
        Mistake(
            "exponent-not-lowered",
            _POWER.format("gradient * ctx.exponent * a**ctx.exponent"),
            "The exponent came down as a factor, but the power above is still the old one; it has "
            "to be one less.",
            "engines.apply.Pow.backward",
        ),
        Mistake(
            "forgot-gradient",
            _POWER.format("ctx.exponent * a ** (ctx.exponent - 1)"),
            NO_GRADIENT_FACTOR,
            "engines.apply.Pow.backward",
        ),
        Mistake(
            "saved-the-result",
            _CHECKED.format(saved="a**exponent", kept="exponent"),
            "You saved the result. The rule wants the input: n·aⁿ⁻¹.",
        ),
    ),
)

MATMUL = Exercise(
    "chapter11.apply.matmul",
    section="11.5",
    targets=("engines.apply.MatMul.forward", "engines.apply.MatMul.backward"),
    points=1.5,
    minutes=4,
    hints=("The two products of 11.1, with what was saved in the place of `self.inputs`.",),
    mistakes=(
        Mistake(
            "swapped",
            "a, b = ctx.saved\nreturn a.T @ gradient, gradient @ b.T",
            "The two gradients changed places: the first is a's.",
            "engines.apply.MatMul.backward",
        ),
        Mistake(
            "not-transposed",
            "a, b = ctx.saved\nreturn gradient @ b, a @ gradient",
            "The shapes do not fit. Each of the two products needs one factor turned.",
            "engines.apply.MatMul.backward",
        ),
        Mistake(
            "forgot-gradient",
            "a, b = ctx.saved\none = np.ones_like(gradient)\nreturn one @ b.T, a.T @ one",
            NO_GRADIENT_FACTOR,
            "engines.apply.MatMul.backward",
        ),
        Mistake(
            "nothing-saved",
            "return a @ b",
            "`forward` saved nothing, and `backward` finds an empty `ctx.saved`.",
        ),
    ),
)

_SPREAD = "{put}return np.broadcast_to(gradient, ctx.shape){more}"
_PUT = "if ctx.axis is not None and not ctx.keepdims:\n    {0}\n"

SUM = Exercise(
    "chapter11.apply.sum",
    section="11.5",
    targets=("engines.apply.Sum.forward", "engines.apply.Sum.backward"),
    points=1.5,
    minutes=10,
    difficulty=2,
    hints=(
        "Keep `a.shape`, `axis` and `keepdims` in the Context. No array needs to be saved.",
        "`np.expand_dims(gradient, axis)` puts the summed axes back with length 1, several too.",
        "`np.broadcast_to(gradient, ctx.shape)` then stretches them.",
    ),
    mistakes=(
        Mistake(
            "axes-not-put-back",
            _SPREAD.format(put="", more=""),
            "The summed axes are gone from the gradient. Put them back with length 1 before you "
            "broadcast, or the numbers land in the wrong places.",
            "engines.apply.Sum.backward",
        ),
        Mistake(
            "ones",
            "return np.ones(ctx.shape)",
            "You returned ones. That is the slope; the gradient that arrived is missing.",
            "engines.apply.Sum.backward",
        ),
        Mistake(
            "like-mean",
            _SPREAD.format(
                put=_PUT.format("gradient = np.expand_dims(gradient, ctx.axis)"),
                more=" * gradient.size / np.prod(ctx.shape)",
            ),
            "You divided by the number of terms. That is the rule of the mean.",
            "engines.apply.Sum.backward",
        ),
        Mistake(
            "put-last",
            _SPREAD.format(
                put=_PUT.format(
                    "for _ in np.atleast_1d(ctx.axis):\n"
                    "        gradient = np.expand_dims(gradient, -1)"
                ),
                more="",
            ),
            "You put every summed axis back at the end. It belongs where it was: "
            "`np.expand_dims` takes the axis.",
            "engines.apply.Sum.backward",
        ),
        Mistake(
            "axis-ignored", edit=("axis=axis, keepdims=keepdims", ""),
            says="You always sum everything. `axis` and `keepdims` have to reach the sum.",
        ),
    ),
)

TANH = Exercise(
    "chapter11.apply.tanh",
    section="11.5",
    targets=("engines.apply.Tanh.forward", "engines.apply.Tanh.backward"),
    points=1,
    minutes=3,
    hints=("`Exp` above saves what it made, for the same reason.",),
    mistakes=(
        Mistake(
            "saved-the-input",
            "ctx.save_for_backward(a)\nreturn np.tanh(a)",
            "You saved the input, and the rule takes it for the result: 1 - t² wants t.",
        ),
        Mistake(
            "forgot-gradient",
            "(out,) = ctx.saved\nreturn 1 - out * out",
            NO_GRADIENT_FACTOR,
            "engines.apply.Tanh.backward",
        ),
        Mistake(
            "like-sigmoid",
            "(out,) = ctx.saved\nreturn gradient * out * (1 - out)",
            "t·(1 - t) is the slope of the sigmoid. That of tanh is 1 - t².",
            "engines.apply.Tanh.backward",
        ),
        Mistake(
            "squares-what-is-saved",
            "(out,) = ctx.saved\nout **= 2\nreturn gradient * (1 - out)",
            "You squared the saved array in place. It is still the Tensor's; and a second call "
            "squares it again.",
            "engines.apply.Tanh.backward",
        ),
    ),
)

_CE = """\
labels = labels.astype(int)
shifted = {shifted}
log_probabilities = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
ctx.save_for_backward({saved}, labels)
return {out}"""
_CES = {
    "shifted": "logits - logits.max(axis=1, keepdims=True)", "saved": "np.exp(log_probabilities)",
    "out": "-log_probabilities[np.arange(len(labels)), labels].mean()",
}  # fmt: skip
_CE_BACK = """\
probabilities, labels = ctx.saved
slope = {slope}
slope[np.arange(len(labels)), labels] -= 1
return {out}"""
_OUT = "gradient * slope / len(labels), None"


def _ce(**other: str) -> str:
    return _CE.format(**{**_CES, **other})


CROSS_ENTROPY = Exercise(
    "chapter11.apply.cross_entropy",
    section="11.5",
    targets=("engines.apply.CrossEntropy.forward", "engines.apply.CrossEntropy.backward"),
    points=2,
    minutes=12,
    difficulty=2,
    hints=(
        "Work out the softmax once, in `forward`, and save it together with the labels.",
        "In `backward`: a *copy* of the probabilities, minus 1 at the right class, divided by the "
        "number of rows.",
        "Two inputs, so a tuple of two: `(…, None)`.",
    ),
    mistakes=(
        Mistake(
            "saved-is-changed",
            _CE_BACK.format(slope="probabilities", out=_OUT),
            "You take the 1 away from the saved array itself. A second walk over this graph finds "
            "probabilities from which it is gone already; work on a copy.",
            "engines.apply.CrossEntropy.backward",
        ),
        Mistake(
            "not-divided",
            _CE_BACK.format(slope="probabilities.copy()", out="gradient * slope, None"),
            "The loss is a mean, so every row counts with 1/rows. That factor is missing.",
            "engines.apply.CrossEntropy.backward",
        ),
        Mistake(
            "forgot-gradient",
            _CE_BACK.format(slope="probabilities.copy()", out="slope / len(labels), None"),
            NO_GRADIENT_FACTOR,
            "engines.apply.CrossEntropy.backward",
        ),
        Mistake(
            "labels-get-one-too",
            _CE_BACK.format(
                slope="probabilities.copy()",
                out="gradient * slope / len(labels), np.zeros(len(labels))",
            ),
            "Labels are no quantity that could move a little: they get None, not zeros.",
            "engines.apply.CrossEntropy.backward",
        ),
        Mistake(
            "not-shifted",
            _ce(shifted="logits"),
            "e¹⁰⁰⁰ is infinite, and the loss with it. Take the largest logit of each row away "
            "first.",
        ),
        Mistake(
            "log-of-the-softmax",
            _ce(
                out="-np.log(np.exp(log_probabilities[np.arange(len(labels)), labels])).mean()",
            ),
            "You take the logarithm of a probability that has become 0 on the way. Keep to the "
            "logarithm: shifted - log Σ exp(shifted).",
        ),
        Mistake(
            "summed",
            _ce(out="-log_probabilities[np.arange(len(labels)), labels].sum()"),
            "You summed the losses. It is the mean over the rows.",
        ),
    ),
)

OPERATIONS = (MUL, POW, MATMUL, SUM, TANH, CROSS_ENTROPY)
