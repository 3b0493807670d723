"""`softmax`, the causal mask, and scaled dot-product attention."""

from exercises.chapter4.activations import LEAF
from grader.course import body, edit, exercise, mistake


@exercise(
    "gpt.softmax", points=1, needs=("chapter4.logsoftmax.forward", "chapter4.logsoftmax.backward")
)
class SOFTMAX:
    """Chapter 4 has an operation that gives the *logarithms* of just these numbers, and is finite
    at ±1000.
    """

    @mistake(seen="https://github.com/jhcross/span-parser/issues/2")
    def overflows(x, axis):
        """e to the power of 1000 is too large for any float. Use what you wrote for that in chapter
        4: it subtracts the maximum first."""
        kept = tuple(1 if i == axis % x.ndim else n for i, n in enumerate(x.shape))
        powers = ops.exp(x)
        return powers / powers.sum(axis).reshape(kept)

    logarithms = body("return ops.log_softmax(x, axis)")
    """These are the logarithms of the weights."""

    axis_ignored = edit("x, axis", "x")
    """You always take the last axis, whatever `axis` says."""

    def over_everything(x, axis):
        """All values together sum to 1. Each row along the axis should do so by itself."""
        powers = ops.exp(x - Tensor(x.data.max(), dtype=x.dtype, requires_grad=False))
        return powers / powers.sum().reshape((1,) * x.ndim)

    @mistake(says=LEAF)
    def data_only(x, axis):
        powers = np.exp(x.data - x.data.max(axis=axis, keepdims=True))
        return Tensor(powers / powers.sum(axis=axis, keepdims=True), dtype=x.dtype)


@exercise("gpt.causal_mask", points=1)
class MASK:
    """A triangle of ones. `np.tril` and `np.triu` cut one out; which one keeps the lower part?"""

    the_future = edit("tril", "triu", seen="https://github.com/marin-community/levanter/pull/102")
    """Each token may look at itself and at what comes *later*: rows and columns are swapped."""

    not_itself = edit("((length, length), dtype=bool)", "((length, length), dtype=bool), -1")
    """A token may not look at itself. The first one could then look at nothing at all, and a
    softmax over nothing is nan."""

    what_is_hidden = edit(
        "np.tril", "~np.tril", seen="https://github.com/rasbt/LLMs-from-scratch/pull/1062"
    )
    """Your mask is True where a token may *not* look. PyTorch's MultiheadAttention does it that
    way; here, as in its scaled_dot_product_attention, True means: may look."""

    everyone = edit(("np.tril(", ""), ("bool))", "bool)"))
    """Everybody may look at everybody. What comes later has to be hidden: it's what the model has
    to predict."""

    minus_infinity = body(
        "return np.where(np.tril(np.ones((length, length), dtype=bool)), 0.0, -np.inf)",
        seen="https://github.com/harvard-edge/cs249r_book/pull/1785",
    )
    """These are numbers to add to the scores. The mask is made of booleans; `attention` turns it
    into numbers."""

    zeros_and_ones = edit(", dtype=bool", "")
    """The triangle is right, but it's made of 0.0 and 1.0. Return booleans."""


@exercise(
    "gpt.attention",
    points=4,
    needs=("chapter14.softmax", "chapter3.matmul.forward", "chapter3.matmul.backward"),
)
class ATTENTION:
    """`q` has the shape (T, d) and `k` (S, d). Which product of matrices holds the dot product of
    every query with every key, (T, S)?

    Each row of the scores belongs to one query. The weights of one query sum to 1: over which axis
    is the softmax?

    What must get no weight needs a power that is 0: e to the power of what is 0? Add that to the
    scores where the mask is False, as a Tensor that requires no gradient.
    """

    not_scaled = edit(
        "(q @ k.transpose()) / math.sqrt(q.shape[-1])",
        "(q @ k.transpose())",
        seen="https://github.com/mlc-ai/mlc-llm/pull/3426",
    )
    """The division by √d is missing. Without it the scores grow with d, and the softmax gives
    nearly everything to one key."""

    scaled_by_d = edit(
        "math.sqrt(q.shape[-1])", "q.shape[-1]", seen="https://github.com/delzac/cntkx/issues/10"
    )
    """You divided by d. A sum of d products spreads like √d, so divide by that."""

    scaled_by_queries = edit("shape[-1]", "shape[-2]")
    """You divided by the root of how many queries there are. What counts is d, how many numbers
    each of them has."""

    scaled_by_keys = edit(("q.", "k."), ("1", "2"))
    """You divided by the root of how many keys there are. What counts is d, how many numbers each
    of them has."""

    multiplied = edit("/", "*", seen="https://github.com/esceptico/perceiver-io/issues/9")
    """You multiplied by √d; divide the scores by it."""

    scaled_after = edit(
        ("(q @ k.transpose()) / math.sqrt(q.shape[-1])", "(q @ k.transpose())"),
        ("(scores)", "(scores) / math.sqrt(q.shape[-1])"),
        seen="https://github.com/FrancescoSaverioZuppichini/ViT/issues/2",
    )
    """You divided the *weights* by √d, after the softmax. Then they no longer sum to 1; divide the
    scores."""

    over_the_queries = edit(
        "(scores)",
        "(scores, -2)",
        seen="https://github.com/labmlai/annotated_deep_learning_paper_implementations/issues/146",
    )
    """Your softmax runs over the queries: for each key the weights sum to 1. The weights of one
    *query*, over the keys, should sum to 1."""

    no_softmax = edit("softmax(scores)", "scores")
    """The scores aren't weights yet: they may be negative, and don't sum to 1."""

    def mask_ignored(q, k, v, mask):
        """`mask` is ignored: every query sees every key."""
        scores = (q @ k.transpose()) / math.sqrt(q.shape[-1])
        weights = softmax(scores)
        return weights @ v, weights

    mask_turned_round = edit("0.0, -np.inf", "-np.inf, 0.0")
    """You hid what the mask allows. True means that the query *may* look."""

    @mistake(seen="https://github.com/hyunwoongko/transformer/issues/10")
    def mask_multiplies(q, k, v, mask):
        """You set the hidden scores to 0. But e⁰ is 1, so a hidden key keeps its weight. A weight
        of 0 takes a score of -∞."""
        scores = (q @ k.transpose()) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores * Tensor(mask, dtype=q.dtype, requires_grad=False)
        weights = softmax(scores)
        return weights @ v, weights

    @mistake(seen="https://github.com/huggingface/pytorch-image-models/pull/2236")
    def mask_afterwards(q, k, v, mask):
        """You hid the keys after the softmax. What is left of a row then no longer sums to 1: the
        hidden keys were part of the sum."""
        scores = (q @ k.transpose()) / math.sqrt(q.shape[-1])
        weights = softmax(scores)
        if mask is not None:
            weights = weights * Tensor(mask, dtype=q.dtype, requires_grad=False)
        return weights @ v, weights

    not_low_enough = edit(
        "np.inf", "1.0", seen="https://github.com/TransformerLensOrg/TransformerLens/pull/366"
    )
    """Your mask makes a difference of 1 in the scores. What is hidden gets less likely, not
    impossible: it takes -∞."""

    def keys_as_values(q, k, v, mask):
        """You took the mean of the keys. The keys only say how much each *value* counts."""
        if v.shape[-1] != k.shape[-1]:
            v = v * 1.0

        scores = (q @ k.transpose()) / math.sqrt(q.shape[-1])
        if mask is not None:
            blocked = np.where(mask, 0.0, -np.inf)
            scores = scores + Tensor(blocked, dtype=scores.dtype, requires_grad=False)
        weights = softmax(scores)
        return weights @ k, weights

    changed_places = edit(" @ v, weights", ", weights @ v")
    """Your results are swapped: first the means, then the weights."""

    weights_detached = edit(" @ v", ".detach() @ v")
    """The values are right, but the weights are cut out of the graph: queries and keys would never
    learn what to look for."""
