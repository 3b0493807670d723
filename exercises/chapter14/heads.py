"""Several heads: split, attend, join; and layers that look at one token at a time."""

from exercises.chapter4.activations import LEAF
from grader.course import Exercise, Mistake

START = "batch, length, dim = x.shape\n"

SPLIT = Exercise(
    "chapter14.split_heads",
    section="14.7",
    targets=("gpt.split_heads",),
    points=2,
    minutes=8,
    difficulty=2,
    needs=("chapter3.reshape.method", "chapter3.transpose.method"),
    hints=(
        "Two steps. First make two axes of the last one: which of them counts heads, so that head "
        "0 gets the *first* numbers?",
        "Then the axis of the heads has to move in front of the tokens. That is a transpose; a "
        "reshape moves nothing.",
    ),
    mistakes=(
        Mistake(
            "reshape-only", START + "return x.reshape(batch, heads, length, dim // heads)",
            "A reshape leaves the values in their order: the numbers of one token end up in "
            "several places of one head. Make two axes of the last one, then *move* the axis.",
        ),
        Mistake(
            "every-other",
            START + "return x.reshape(batch, length, dim // heads, heads).transpose((0, 3, 1, 2))",
            "You dealt the numbers out like cards, one to each head in turn. Head 0 gets the first "
            "`C / H` of them.",
        ),
        Mistake(
            "not-moved", START + "return x.reshape(batch, length, heads, dim // heads)",
            "The shares are right, but the heads stand behind the tokens: `(B, T, H, …)`. They "
            "have to stand in front, so that each attends by itself.",
        ),
        Mistake(
            "data-only",
            START + "parts = x.data.reshape(batch, length, heads, dim // heads)\n"
            "return Tensor(parts.transpose(0, 2, 1, 3), dtype=x.dtype)", LEAF,
        ),
    ),
)  # fmt: skip

JOIN = Exercise(
    "chapter14.join_heads",
    section="14.7",
    targets=("gpt.join_heads",),
    points=1,
    minutes=4,
    difficulty=2,
    needs=("chapter3.reshape.method", "chapter3.transpose.method"),
    hints=("The two steps of `split_heads` backwards, in the other order.",),
    mistakes=(
        Mistake(
            "reshape-only",
            "batch, heads, length, share = x.shape\n"
            "return x.reshape(batch, length, heads * share)",
            "The axis of the heads has to move back behind the tokens before the reshape; as it "
            "is, numbers of different tokens are put side by side.",
        ),
        Mistake(
            "every-other",
            "batch, heads, length, share = x.shape\n"
            "return x.transpose((0, 2, 3, 1)).reshape(batch, length, heads * share)",
            "You took one number of each head in turn. All of head 0 comes first, then head 1.",
        ),
        Mistake(
            "added-up", "batch, heads, length, share = x.shape\n"
            "return ops.broadcast_to(x.sum(1).reshape(batch, length, 1, share), "
            "(batch, length, heads, share)).reshape(batch, length, heads * share)",
            "You added the heads up. Their numbers stand side by side.",
        ),
    ),
)  # fmt: skip

ROWS = "batch, length, dim = x.shape\nrows = layer(x.reshape(batch * length, dim))\n"

EACH_TOKEN = Exercise(
    "chapter14.each_token",
    section="14.8",
    targets=("gpt.each_token",),
    points=1,
    minutes=5,
    needs=("chapter3.reshape.method",),
    hints=(
        "`B · T` tokens are `B · T` rows. What comes back may be wider or narrower than what went "
        "in.",
    ),
    mistakes=(
        Mistake(
            "same-width", ROWS + "return rows.reshape(batch, length, dim)",
            "You expect as many numbers for each token as went in. A layer may make more or fewer "
            "of them.",
        ),
        Mistake(
            "not-put-back", ROWS + "return rows",
            "The rows are right. Put them back into `(B, T, C′)`.",
        ),
        Mistake(
            "batch-behind",
            "batch, length, dim = x.shape\n"
            "rows = layer(x.transpose((1, 0, 2)).reshape(batch * length, dim))\n"
            "return rows.reshape(batch, length, -1)",
            "The rows went in in another order than they came out: tokens of different sequences "
            "changed places.",
        ),
        Mistake(
            "one-after-another",
            "batch, length, dim = x.shape\nout = 0\n"
            "for number in range(batch):\n"
            "    rows = layer(x[number])\n"
            "    widths = ((number * length, (batch - 1 - number) * length), (0, 0))\n"
            "    out = rows.pad(widths) + out\n"
            "return out.reshape(batch, length, -1)",
            "The values are right, but you called the layer once per sequence. One call with all "
            "rows is enough, and much faster.",
        ),
    ),
)  # fmt: skip

MAKE = """
if dim % heads:
    raise ValueError(f'{heads} heads do not fit')
self.heads = heads
self.query = Linear(dim, dim, dtype=dtype)
self.key = Linear(dim, dim, dtype=dtype)
self.value = Linear(dim, dim, dtype=dtype)
self.output = Linear(dim, dim, dtype=dtype)
"""

INIT = Exercise(
    "chapter14.multihead.init",
    section="14.8",
    targets=("gpt.MultiHeadAttention.__init__",),
    points=1,
    minutes=4,
    needs=("chapter4.linear.init",),
    hints=("Four layers with names of their own. What if 6 numbers are to be shared by 4 heads?",),
    mistakes=(
        Mistake(
            "one-layer",
            "if dim % heads:\n    raise ValueError('no')\nself.heads = heads\n"
            "self.query = self.key = self.value = Linear(dim, dim, dtype=dtype)\n"
            "self.output = Linear(dim, dim, dtype=dtype)",
            "Query, key and value are one and the same layer: what a token asks for would always "
            "be what it offers. Make three.",
        ),
        Mistake(
            "of-one-head",
            MAKE.replace("Linear(dim, dim,", "Linear(dim, dim // heads,", 3),
            "These layers serve one head only. Each makes the numbers for *all* heads, which are "
            "then split.",
        ),
        Mistake(
            "no-biases", MAKE.replace("dim, dtype=", "dim, bias=False, dtype="),
            "Your layers have no biases.",
        ),
        Mistake(
            "no-error", MAKE.replace("if dim % heads:\n    raise ValueError(f'{heads} heads do not "
                                     "fit')\n", ""),
            "You do not say that `dim` cannot be shared out evenly. It would be said much later, "
            "by a reshape that nobody understands.",
        ),
        Mistake(
            "own-dtype", MAKE.replace(", dtype=dtype", ""),
            "The argument `dtype` is ignored.",
        ),
    ),
)  # fmt: skip

PASS = """
q, k, v = (split_heads(each_token(layer, x), self.heads)
           for layer in (self.query, self.key, self.value))
means, weights = attention(q, k, v, mask)
return each_token(self.output, join_heads(means)), weights
"""


def but(old: str, new: str) -> str:
    """A working body with one thing done otherwise."""
    assert old in PASS, old
    return PASS.replace(old, new)


FORWARD = Exercise(
    "chapter14.multihead.forward",
    section="14.8",
    targets=("gpt.MultiHeadAttention.forward",),
    points=3,
    minutes=15,
    difficulty=3,
    needs=(
        "chapter14.attention", "chapter14.split_heads", "chapter14.join_heads",
        "chapter14.each_token", "chapter14.multihead.init",
    ),
    hints=(
        "Three layers, three results, each split into heads. `attention` takes any axes in front.",
        "What comes out has heads; join them, and send each token through `output`.",
    ),
    mistakes=(
        Mistake(
            "one-head",
            "q, k, v = (each_token(layer, x) for layer in (self.query, self.key, self.value))\n"
            "means, weights = attention(q, k, v, mask)\n"
            "batch, length, _ = x.shape\n"
            "return each_token(self.output, means), weights.reshape(batch, 1, length, length)",
            "There is one head only, for all the numbers. Split queries, keys and values first.",
        ),
        Mistake(
            "mask-forgotten", but("attention(q, k, v, mask)", "attention(q, k, v)"),
            "The mask gets lost: every token sees the future.",
        ),
        Mistake(
            "no-output", but("each_token(self.output, join_heads(means))", "join_heads(means)"),
            "The layer `output` takes no part: nothing mixes what the heads have found.",
        ),
        Mistake(
            "query-and-key-swapped", but("attention(q, k, v", "attention(k, q, v"),
            "Queries and keys changed places.",
        ),
        Mistake(
            "values-of-x", but("for layer in (self.query, self.key, self.value))\n",
                               "for layer in (self.query, self.key, self.value))\n"
                               "v = split_heads(x, self.heads)\n"),
            "You attend to `x` itself. The layer `value` says what a token hands out.",
        ),
        Mistake(
            "scaled-by-all",
            but("attention(q, k, v, mask)", "attention(q / math.sqrt(self.heads), k, v, mask)"),
            "You divided by the root of all `C` numbers. A head has only `C / H` of them, and √d "
            "is of the head.",
        ),
        Mistake(
            "split-by-reshape",
            "batch, length, dim = x.shape\n"
            "q, k, v = (each_token(layer, x).reshape(batch, self.heads, length, -1)\n"
            "           for layer in (self.query, self.key, self.value))\n"
            "means, weights = attention(q, k, v, mask)\n"
            "return each_token(self.output, join_heads(means)), weights",
            "You split by a reshape alone, which mixes tokens up. `split_heads` moves the axis.",
        ),
        Mistake(
            "joined-by-reshape",
            but("join_heads(means)", "means.reshape(*x.shape)"),
            "You joined by a reshape alone, which puts numbers of different tokens side by side. "
            "`join_heads` moves the axis back.",
        ),
        Mistake(
            "mean-of-heads", but(", weights\n", ", weights.sum(1) / self.heads\n"),
            "You returned the mean of the heads' weights, as PyTorch's MultiheadAttention does "
            "unless told otherwise. Return those of every head.",
        ),
        Mistake(
            "without-weights", but(", weights\n", "\n").replace("means, weights", "means, _"),
            "The weights are asked for too, as the second result.",
        ),
    ),
)  # fmt: skip
