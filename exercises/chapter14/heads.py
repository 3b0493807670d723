"""Several heads: split, attend, join; and layers that look at one token at a time."""

from exercises.chapter4.activations import LEAF
from grader.course import edit, exercise, mistake


@exercise(
    "gpt.split_heads",
    points=2,
    minutes=8,
    needs=("chapter3.reshape.method", "chapter3.transpose.method"),
)
class SPLIT:
    """Two steps. First make two axes of the last one: which of them counts heads, so that head 0
    gets the *first* numbers?

    Then the axis of the heads has to move in front of the tokens. That is a transpose; a reshape
    moves nothing.
    """

    @mistake(seen="https://github.com/hyunwoongko/transformer/issues/15")
    def reshape_only(x, heads):
        """A reshape leaves the values in their order: the numbers of one token end up in several
        places of one head. Make two axes of the last one, then *move* the axis."""
        batch, length, dim = x.shape
        return x.reshape(batch, heads, length, dim // heads)

    every_other = edit(("heads, dim //", "dim // heads,"), ("2, 1, 3", "3, 1, 2"))
    """You dealt out the numbers like cards, one to each head in turn. Head 0 gets the first `C / H`
    of them."""

    not_moved = edit(".transpose((0, 2, 1, 3))", "", lacks=(r"transpose|swapaxes",))
    """The shares are right, but the heads come after the tokens: `(B, T, H, …)`. Move them in
    front, so that each attends by itself."""

    @mistake(says=LEAF)
    def data_only(x, heads):
        batch, length, dim = x.shape
        parts = x.data.reshape(batch, length, heads, dim // heads)
        return Tensor(parts.transpose(0, 2, 1, 3), dtype=x.dtype)


@exercise(
    "gpt.join_heads",
    points=1,
    minutes=4,
    needs=("chapter3.reshape.method", "chapter3.transpose.method"),
)
class JOIN:
    """The two steps of `split_heads` backwards, in the other order."""

    reshape_only = edit(
        "transpose((0, 2, 1, 3)).",
        "",
        seen="https://github.com/ajhalthor/Transformer-Neural-Network/pull/4",
    )
    """The axis of the heads has to move back behind the tokens before the reshape; as it is,
    numbers of different tokens are put side by side."""

    every_other = edit("1, 3", "3, 1")
    """You took one number of each head in turn. All of head 0 comes first, then head 1."""

    def added_up(x):
        """You added the heads up. Their numbers stand side by side."""
        batch, heads, length, share = x.shape
        return ops.broadcast_to(
            x.sum(1).reshape(batch, length, 1, share), (batch, length, heads, share)
        ).reshape(batch, length, heads * share)


@exercise("gpt.each_token", points=1, needs=("chapter3.reshape.method",))
class EACH_TOKEN:
    """`B · T` tokens are `B · T` rows. What comes back may be wider or narrower than what went
    in."""

    def same_width(layer, x):
        """You expect as many numbers for each token as went in. A layer may make more or fewer of
        them."""
        batch, length, dim = x.shape
        rows = layer(x.reshape(batch * length, dim))
        return rows.reshape(batch, length, dim)

    def not_put_back(layer, x):
        """The rows are right. Put them back into `(B, T, C′)`."""
        batch, length, dim = x.shape
        rows = layer(x.reshape(batch * length, dim))
        return rows

    def batch_behind(layer, x):
        """The rows came out in another order than they went in: tokens of different sequences are
        mixed up."""
        batch, length, dim = x.shape
        rows = layer(x.transpose((1, 0, 2)).reshape(batch * length, dim))
        return rows.reshape(batch, length, -1)

    def one_after_another(layer, x):
        """The values are right, but you called the layer once per sequence. One call with all rows
        is enough, and much faster."""
        batch, length, dim = x.shape
        out = 0
        for number in range(batch):
            rows = layer(x[number])
            widths = ((number * length, (batch - 1 - number) * length), (0, 0))
            out = rows.pad(widths) + out
        return out.reshape(batch, length, -1)


@exercise(
    "chapter14.multihead.init",
    targets=("gpt.MultiHeadAttention.__init__",),
    points=1,
    minutes=4,
    needs=("chapter4.linear.init",),
)
class INIT:
    """Four layers, each with its own name. What if 4 heads have to share 6 numbers?"""

    key_is_query = edit("self.key = Linear(dim, dim, dtype=dtype)", "self.key = self.query")
    """Two of the four layers are one and the same, and learn the same numbers. Make a layer for
    each."""

    def one_layer(self, dim, heads, dtype):
        """Query, key and value are one and the same layer: what a token asks for would always be
        what it offers. Make three."""
        if dim % heads:
            raise ValueError("no")
        self.heads = heads
        self.query = self.key = self.value = Linear(dim, dim, dtype=dtype)
        self.output = Linear(dim, dim, dtype=dtype)

    def of_one_head(self, dim, heads, dtype):
        """These layers serve one head only. Each makes the numbers for *all* heads, which are then
        split."""
        if dim % heads:
            raise ValueError(f"{heads} heads do not fit")
        self.heads = heads
        self.query = Linear(dim, dim // heads, dtype=dtype)
        self.key = Linear(dim, dim // heads, dtype=dtype)
        self.value = Linear(dim, dim // heads, dtype=dtype)
        self.output = Linear(dim, dim, dtype=dtype)

    def no_biases(self, dim, heads, dtype):
        """Not every layer of yours has a bias. All four have one."""
        if dim % heads:
            raise ValueError(f"{heads} heads do not fit")
        self.heads = heads
        self.query = Linear(dim, dim, bias=False, dtype=dtype)
        self.key = Linear(dim, dim, bias=False, dtype=dtype)
        self.value = Linear(dim, dim, bias=False, dtype=dtype)
        self.output = Linear(dim, dim, bias=False, dtype=dtype)

    def no_error(self, dim, heads, dtype):
        """You don't say that `dim` can't be divided evenly. The error would come much later, from a
        reshape that nobody understands."""
        self.heads = heads
        self.query = Linear(dim, dim, dtype=dtype)
        self.key = Linear(dim, dim, dtype=dtype)
        self.value = Linear(dim, dim, dtype=dtype)
        self.output = Linear(dim, dim, dtype=dtype)

    def own_dtype(self, dim, heads, dtype):
        """The argument `dtype` is ignored."""
        if dim % heads:
            raise ValueError(f"{heads} heads do not fit")
        self.heads = heads
        self.query = Linear(dim, dim)
        self.key = Linear(dim, dim)
        self.value = Linear(dim, dim)
        self.output = Linear(dim, dim)


@exercise(
    "chapter14.multihead.forward",
    targets=("gpt.MultiHeadAttention.forward",),
    points=3,
    needs=(
        "chapter14.attention",
        "chapter14.split_heads",
        "chapter14.join_heads",
        "chapter14.each_token",
        "chapter14.multihead.init",
    ),
)
class FORWARD:
    """Three layers, three results, each split into heads. `attention` takes any axes in front.

    What comes out has heads; join them, and send each token through `output`.
    """

    def one_head(self, x, mask):
        """There is one head only, for all the numbers. Split queries, keys and values first."""
        q, k, v = (each_token(layer, x) for layer in (self.query, self.key, self.value))
        means, weights = attention(q, k, v, mask)
        batch, length, _ = x.shape
        return each_token(self.output, means), weights.reshape(batch, 1, length, length)

    mask_forgotten = edit("v, mask", "v")
    """The mask gets lost: every token sees the future."""

    no_output = edit("each_token(self.output, join_heads(means))", "join_heads(means)")
    """You don't use the layer `output`: nothing mixes what the heads have found."""

    query_and_key_swapped = edit("q, k, v,", "k, q, v,")
    """Queries and keys are swapped."""

    query_is_key = edit("self.query, self.key", "self.key, self.key")
    """Queries and keys come out of one layer, `key`. What a token looks for comes from the layer
    `query`."""

    key_is_query = edit("self.query, self.key", "self.query, self.query")
    """Queries and keys come out of one layer, `query`. What a token offers comes from the layer
    `key`."""

    def values_of_x(self, x, mask):
        """You attend to `x` itself. The layer `value` says what a token passes on."""
        q, k, v = (
            split_heads(each_token(layer, x), self.heads)
            for layer in (self.query, self.key, self.value)
        )
        v = split_heads(x, self.heads)
        means, weights = attention(q, k, v, mask)
        return each_token(self.output, join_heads(means)), weights

    scaled_by_all = edit(
        "q, k, v,",
        "q / math.sqrt(self.heads), k, v,",
        seen="https://github.com/lucidrains/vit-pytorch/issues/65",
    )
    """You divided by the root of all `C` numbers. A head has only `C / H` of them, and d is the
    size of one head."""

    @mistake(seen="https://github.com/reczoo/FuxiCTR/issues/30")
    def split_by_reshape(self, x, mask):
        """You split by a reshape alone, which mixes tokens up. `split_heads` moves the axis."""
        batch, length, dim = x.shape
        q, k, v = (
            each_token(layer, x).reshape(batch, self.heads, length, -1)
            for layer in (self.query, self.key, self.value)
        )
        means, weights = attention(q, k, v, mask)
        return each_token(self.output, join_heads(means)), weights

    joined_by_reshape = edit(
        "join_heads(means)",
        "means.reshape(*x.shape)",
        seen="https://github.com/jsbaan/transformer-from-scratch/pull/6",
    )
    """You joined by a reshape alone, which puts numbers of different tokens side by side.
    `join_heads` moves the axis back."""

    mean_of_heads = edit("), weights", "), weights.sum(1) / self.heads")
    """You returned the mean of the heads' weights, as PyTorch's MultiheadAttention does unless told
    otherwise. Return those of every head."""

    without_weights = edit(("weights ", "_ "), ("), weights", ")"))
    """Return the weights, too, as the second result."""
