"""`softmax`, the causal mask, and scaled dot-product attention."""

from exercises.chapter4.activations import LEAF
from grader.course import Exercise, Mistake

KEPT = "kept = tuple(1 if i == axis % x.ndim else n for i, n in enumerate(x.shape))\n"

SOFTMAX = Exercise(
    "chapter14.softmax",
    section="14.4",
    targets=("gpt.softmax",),
    points=1,
    minutes=4,
    needs=("chapter4.logsoftmax.forward", "chapter4.logsoftmax.backward"),
    hints=(
        "Chapter 4 has an operation that gives the *logarithms* of just these numbers, and is "
        "finite at ±1000.",
    ),
    mistakes=(
        Mistake(
            "overflows", KEPT + "powers = ops.exp(x)\n"
            "return powers / powers.sum(axis).reshape(kept)",
            "e to the power of 1000 is too large for any float. Take what chapter 4 wrote for "
            "that: it subtracts the maximum first.",
        ),
        Mistake(
            "logarithms", "return ops.log_softmax(x, axis)",
            "These are the logarithms of the weights.",
        ),
        Mistake(
            "axis-ignored", "return ops.exp(ops.log_softmax(x))",
            "You always take the last axis, whatever `axis` says.",
        ),
        Mistake(
            "over-everything",
            "powers = ops.exp(x - Tensor(x.data.max(), dtype=x.dtype, requires_grad=False))\n"
            "return powers / powers.sum().reshape((1,) * x.ndim)",
            "All values together sum to 1. Each row along the axis is to do so by itself.",
        ),
        Mistake(
            "data-only",
            "powers = np.exp(x.data - x.data.max(axis=axis, keepdims=True))\n"
            "return Tensor(powers / powers.sum(axis=axis, keepdims=True), dtype=x.dtype)",
            LEAF,
        ),
    ),
)  # fmt: skip

MASK = Exercise(
    "chapter14.causal_mask",
    section="14.5",
    targets=("gpt.causal_mask",),
    points=1,
    minutes=4,
    hints=("A triangle of ones. `np.tril` and `np.triu` cut one out; which one lies below?",),
    mistakes=(
        Mistake(
            "the-future", "return np.triu(np.ones((length, length), dtype=bool))",
            "Each token may look at itself and at what comes *later*: rows and columns changed "
            "places.",
        ),
        Mistake(
            "not-itself", "return np.tril(np.ones((length, length), dtype=bool), -1)",
            "A token may not look at itself. The first one could then look at nothing at all, and "
            "a softmax over nothing is nan.",
        ),
        Mistake(
            "what-is-hidden", "return ~np.tril(np.ones((length, length), dtype=bool))",
            "True stands where a token may *not* look. That is how PyTorch's MultiheadAttention "
            "has it; here, as in its scaled_dot_product_attention, True means: may look.",
        ),
        Mistake(
            "everyone", "return np.ones((length, length), dtype=bool)",
            "Everybody may look at everybody. What comes later has to be hidden: it is what the "
            "model is to predict.",
        ),
        Mistake(
            "minus-infinity",
            "return np.where(np.tril(np.ones((length, length), dtype=bool)), 0.0, -np.inf)",
            "These are numbers to add to the scores. The mask is made of booleans; `attention` "
            "makes numbers of it.",
        ),
        Mistake(
            "zeros-and-ones", "return np.tril(np.ones((length, length)))",
            "The triangle is right, but it is made of 0.0 and 1.0. Booleans are asked for.",
        ),
    ),
)  # fmt: skip

RIGHT = """
scores = (q @ k.transpose()) / math.sqrt(q.shape[-1])
if mask is not None:
    blocked = np.where(mask, 0.0, -np.inf)
    scores = scores + Tensor(blocked, dtype=scores.dtype, requires_grad=False)
weights = softmax(scores)
return weights @ v, weights
"""
MASKED = RIGHT[RIGHT.index("if mask") : RIGHT.index("weights =")]
ADDED = "    blocked = np.where(mask, 0.0, -np.inf)\n"


def but(old: str, new: str) -> str:
    """A working body with one thing done otherwise."""
    assert old in RIGHT, old
    return RIGHT.replace(old, new)


ATTENTION = Exercise(
    "chapter14.attention",
    section="14.6",
    targets=("gpt.attention",),
    points=4,
    minutes=25,
    difficulty=3,
    needs=("chapter14.softmax", "chapter3.matmul.forward", "chapter3.matmul.backward"),
    hints=(
        "`q` has the shape (T, d) and `k` (S, d). Which product of matrices holds the dot product "
        "of every query with every key, (T, S)?",
        "Each row of the scores belongs to one query. The weights of one query sum to 1: over "
        "which axis is the softmax?",
        "What must get no weight at all must have no power: e to the power of what is 0? Add that "
        "to the scores where the mask is False, as a Tensor that asks for no gradient.",
    ),
    mistakes=(
        Mistake(
            "not-scaled", but(" / math.sqrt(q.shape[-1])", ""),
            "The division by √d is missing. Without it the scores grow with d, and the softmax "
            "gives nearly everything to one key.",
        ),
        Mistake(
            "scaled-by-d", but("math.sqrt(q.shape[-1])", "q.shape[-1]"),
            "You divided by d. A sum of d products spreads like √d, so that is what to divide by.",
        ),
        Mistake(
            "scaled-by-keys", but("math.sqrt(q.shape[-1])", "math.sqrt(k.shape[-2])"),
            "You divided by the root of how many keys there are. What counts is d, how many "
            "numbers each of them has.",
        ),
        Mistake(
            "multiplied", but("/ math.sqrt", "* math.sqrt"),
            "You multiplied by √d; the scores are to be divided by it.",
        ),
        Mistake(
            "scaled-after",
            RIGHT.replace(" / math.sqrt(q.shape[-1])", "").replace(
                "softmax(scores)", "softmax(scores) / math.sqrt(q.shape[-1])"),
            "You divided the *weights* by √d, after the softmax. Then they no longer sum to 1; "
            "divide the scores.",
        ),
        Mistake(
            "over-the-queries", but("softmax(scores)", "softmax(scores, -2)"),
            "Your softmax runs over the queries: for each key the weights sum to 1. It is the "
            "weights of one *query*, over the keys, that do.",
        ),
        Mistake(
            "no-softmax", but("softmax(scores)", "scores"),
            "The scores are not weights yet: they may be negative, and do not sum to 1.",
        ),
        Mistake(
            "mask-ignored", RIGHT.replace(MASKED, ""),
            "`mask` is ignored: every query sees every key.",
        ),
        Mistake(
            "mask-turned-round", but("np.where(mask, 0.0, -np.inf)", "np.where(mask, -np.inf, "
                                                                     "0.0)"),
            "You hid what the mask allows. True means that the query *may* look.",
        ),
        Mistake(
            "mask-multiplies",
            RIGHT.replace(MASKED, "if mask is not None:\n"
                          "    scores = scores * Tensor(mask, dtype=q.dtype, "
                          "requires_grad=False)\n"),
            "You set the hidden scores to 0. But e⁰ is 1, so that a hidden key keeps its weight. "
            "A weight of 0 takes a score of -∞.",
        ),
        Mistake(
            "mask-afterwards",
            RIGHT.replace(MASKED, "").replace(
                "weights = softmax(scores)\n",
                "weights = softmax(scores)\nif mask is not None:\n"
                "    weights = weights * Tensor(mask, dtype=q.dtype, requires_grad=False)\n"),
            "You hid the keys after the softmax. What is left of a row then no longer sums to 1: "
            "the hidden keys have had their part in the sum.",
        ),
        Mistake(
            "not-low-enough",
            but("-np.inf", "-1.0"),
            "You took 1 off the scores of what is hidden. That makes it less likely, not "
            "impossible: it takes -∞.",
        ),
        Mistake(
            "keys-as-values", "if v.shape[-1] != k.shape[-1]:\n    v = v * 1.0\n"
            + but("weights @ v", "weights @ k"),
            "You took the mean of the keys. The keys only say how much each *value* counts.",
        ),
        Mistake(
            "changed-places", but("return weights @ v, weights", "return weights, weights @ v"),
            "First the means, then the weights.",
        ),
        Mistake(
            "weights-detached", but("return weights @ v", "return weights.detach() @ v"),
            "The values are right, but the weights are cut out of the graph: queries and keys "
            "would never learn what to look for.",
        ),
    ),
)  # fmt: skip
