"""`gelu`, the block, and the model made of blocks."""

from exercises.chapter4.activations import LEAF
from grader.course import after, body, edit, exercise, instead, mistake


@exercise("gpt.gelu", points=1, needs=("chapter3.tanh.forward",))
class GELU:
    """Write the formula down, with Tensors and numbers. The gradient comes for free.

    `x * x * x` is as good as a power. `math.sqrt(2 / math.pi)` is a number.
    """

    def not_halved(x):
        """The half is missing: for large `x` the result should be `x`."""
        z = (x + x * x * x * 0.044715) * math.sqrt(2 / math.pi)
        return x * (ops.tanh(z) + 1.0)

    constant = edit("0.044715", "0.44715")
    """The factor of x³ is ten times too large: it is 0.044715."""

    too_small = edit("0.044715", "0.0044715")
    """The factor of x³ is ten times too small: it is 0.044715."""

    lost_digit = edit("0.044715", "0.04715")
    """The factor of x³ lost a digit: it is 0.044715."""

    two_pi = edit("2 / math.pi", "2 * math.pi")
    """This is √(2π); the formula has √(2/π)."""

    def no_root(x):
        """The root is missing: √(2/π)."""
        z = (x + x * x * x * 0.044715) * (2 / math.pi)
        return x * (ops.tanh(z) + 1.0) * 0.5

    def squared(x):
        """There is a third power in the formula. With a square the curve leans to one side."""
        z = (x + x * x * 0.044715) * math.sqrt(2 / math.pi)
        return x * (ops.tanh(z) + 1.0) * 0.5

    @mistake(seen="https://github.com/tensorflow/tfjs/pull/8224")
    def without_x(x):
        """This goes from 0 to 1. It has to be multiplied by `x`."""
        z = (x + x * x * x * 0.044715) * math.sqrt(2 / math.pi)
        return (ops.tanh(z) + 1.0) * 0.5

    quick = body("return x * ops.sigmoid(x * 1.702)")
    """This is another approximation, `x · sigmoid(1.702 x)`. It's close, but not the one in the
    docstring."""

    relu = body("return ops.relu(x)")
    """This is ReLU. The bend of gelu is smooth."""

    @mistake(says=LEAF)
    def data_only(x):
        a = x.data
        z = np.sqrt(2 / np.pi) * (a + 0.044715 * a**3)
        return Tensor(a * (np.tanh(z) + 1) / 2, dtype=x.dtype)


@exercise(
    "gpt.Block.__init__",
    points=1,
    minutes=3,
    difficulty=1,
    needs=("chapter14.multihead.init", "chapter4.layernorm1d.init"),
)
class BLOCK_INIT:
    """Five attributes, each a module. Pass `dtype` to all of them."""

    one_norm = edit("norm2 = LayerNorm1d(dim, dtype=dtype)", "norm2 = self.norm1")
    """Both norms are the same object, and would learn the same numbers. Make two."""

    not_wider = edit((" 4 * ", " "), ("4 * dim, dim", "dim, dim"))
    """`expand` should make four times as many numbers of each token, and `shrink` come back from
    there."""

    own_dtype = edit("heads, dtype", "heads")
    """One of the modules didn't get `dtype`."""


@exercise(
    "gpt.Block.forward",
    points=3,
    minutes=12,
    needs=("chapter14.block.init", "chapter14.multihead.forward", "chapter14.gelu"),
)
class BLOCK:
    """Two lines of the same form: `x` plus something that was made of the normed `x`.

    `self.attention` returns two things. Norms and Linear layers take rows: `each_token`.

    The second step begins with the result of the first.
    """

    def norm_afterwards(self, x, mask):
        """The norm comes after the sum, as in the paper of 2017 (post-norm). Here it comes first,
        and nothing is in the way around."""
        mixed, _ = self.attention(x, mask)
        x = each_token(self.norm1, x + mixed)
        thought = gelu(each_token(self.expand, x))
        return each_token(self.norm2, x + each_token(self.shrink, thought))

    @mistake(seen="https://github.com/Howuhh/faster-trajectory-transformer/issues/3")
    def normed_way_around(self, x, mask):
        """The way around holds the *normed* `x`. It should hold `x` as it was: that is what lets
        gradients pass through many blocks."""
        x = each_token(self.norm1, x)
        x = x + self.attention(x, mask)[0]
        x = each_token(self.norm2, x)
        return x + each_token(self.shrink, gelu(each_token(self.expand, x)))

    no_way_around = edit("x = x +", "x =")
    """The first way around is missing: what attention found replaces the token instead of being
    added to it."""

    no_second_way = edit("x + each_token", "each_token")
    """The second way around is missing."""

    def side_by_side(self, x, mask):
        """Both steps began with the same `x`. The second one begins with the result of the
        first."""
        mixed, _ = self.attention(each_token(self.norm1, x), mask)
        thought = gelu(each_token(self.expand, each_token(self.norm2, x)))
        return x + mixed + each_token(self.shrink, thought)

    mask_forgotten = edit(", mask", "")
    """The mask gets lost on the way to the attention."""

    one_norm = edit("norm2", "norm1")
    """You used `norm1` twice; `norm2` never learns anything."""

    no_second_norm = edit("each_token(self.norm2, x)", "x")
    """The norm before the second step is missing."""

    no_bend = edit(("gelu(", ""), ("norm2, x)", "norm2, x"))
    """Without gelu the two layers are as good as one: a product of matrices is a matrix."""

    relu = edit("gelu", "ops.relu")
    """You took ReLU. The block has gelu between its two layers."""


@exercise(
    "gpt.GPT.__init__",
    points=2,
    minutes=6,
    difficulty=2,
    needs=("chapter14.block.init", "chapter14.embedding.init"),
)
class GPT_INIT:
    """A list of Blocks: chapter 4 looks into lists. Each Block is a separate object.

    How many rows has the table of places?
    """

    one_block = edit(
        "[Block(dim, heads, dtype) for _ in range(blocks)]", "[Block(dim, heads, dtype)] * blocks"
    )
    """`[Block(…)] * n` is the *same* block n times: they all share one set of weights. Make a new
    one each time."""

    places_for_tokens = edit("length,", "vocabulary,")
    """The table of places has a row for each place, not for each token."""

    head_with_a_bias = edit("bias=False, ", "")
    """The head has a bias. It should have none."""

    always_a_head = edit("None if tied else ", "")
    """With `tied=True`, don't make a separate head."""

    length_not_kept = edit(" length", " vocabulary")
    """`self.length` should be the `length` that was passed."""

    own_dtype = edit("False, dtype=dtype", "False")
    """One of the modules didn't get `dtype`."""

    no_norm = edit("self.norm = LayerNorm1d(dim, dtype=dtype)", "", lacks=(r"self\.norm = ",))
    """There is no `norm`."""


@exercise(
    "gpt.GPT.forward",
    points=4,
    minutes=20,
    needs=(
        "chapter14.gpt.init",
        "chapter14.embedding.forward",
        "chapter14.causal_mask",
        "chapter14.block.forward",
    ),
)
class GPT:
    """Two rows of numbers for each token: what it is, and where it stands. Add them.

    One mask serves all blocks. It depends on how long *these* sequences are.

    `self.head` may be None. Then the table of tokens, transposed, makes scores.
    """

    no_mask = edit(
        ('f"{length} tokens are more than the {self.length} it can look at"', "'too long'"),
        ("x, mask", "x"),
        seen="https://github.com/paiml/entrenar/issues/310",
    )
    """The blocks got no mask, or one that hides nothing: every token sees the tokens that it has to
    predict. The loss will be wonderful, and what the model writes will be nonsense."""

    no_places = edit(
        ('f"{length} tokens are more than the {self.length} it can look at"', "'too long'"),
        ("(numbers) + self.positions(np.arange(length))", "(numbers)"),
    )
    """The places are missing: to attention, a sequence is a bag of tokens without an order."""

    places_of_tokens = edit(
        ('f"{length} tokens are more than the {self.length} it can look at"', "'too long'"),
        ("np.arange(length)", "numbers % self.length"),
    )
    """You looked up the tokens in the table of places. What counts there is *where* a token stands:
    0, 1, 2, …"""

    places_from_one = edit("np.arange(length)", "np.arange(1, length + 1)")
    """You count places from 1. The first token stands at place 0."""

    places_backwards = edit(
        ('f"{length} tokens are more than the {self.length} it can look at"', "'too long'"),
        ("arange(length)", "arange(length)[::-1]"),
    )
    """Your places count from the end. The first token stands at place 0."""

    @instead(
        "x = block(x, mask)",
        "x = each_token(self.norm, x)",
        edits=(
            ('f"{length} tokens are more than the {self.length} it can look at"', "'too long'"),
        ),
    )
    def no_norm(block, x, mask):
        """The last `norm` is missing."""
        x = block(x, mask)

    first_block_only = edit(
        ('f"{length} tokens are more than the {self.length} it can look at"', "'too long'"),
        ("blocks", "blocks[:1]"),
    )
    """Only the first block takes part."""

    @after(
        "mask = causal_mask(length)",
        edits=(
            ('f"{length} tokens are more than the {self.length} it can look at"', "'too long'"),
            ("x,", "start,"),
        ),
    )
    def blocks_beside_each_other(x):
        """Every block got the first `x`, so only the last one counted."""
        start = x

    def cut_off(self, tokens):
        """You silently cut off what is too long. The caller has to know: raise ValueError."""
        numbers = np.asarray(tokens.data if isinstance(tokens, Tensor) else tokens)
        length = numbers.shape[1]
        if length > self.length:
            numbers = numbers[:, -self.length :]
            length = self.length
        x = self.tokens(numbers) + self.positions(np.arange(length))
        mask = causal_mask(length)
        for block in self.blocks:
            x = block(x, mask)
        x = each_token(self.norm, x)
        if self.head is None:
            return x @ self.tokens.weight.transpose()
        return each_token(self.head, x)

    @instead(
        "if self.head is None:",
        "return each_token(self.head, x)",
        edits=(
            ('f"{length} tokens are more than the {self.length} it can look at"', "'too long'"),
        ),
    )
    def needs_a_head(self, x):
        """With tied weights `self.head` is None. The table of `tokens` takes its place."""
        return each_token(self.head, x)

    tied_but_detached = edit(
        ('f"{length} tokens are more than the {self.length} it can look at"', "'too long'"),
        ("transpose", "detach().transpose"),
    )
    """The scores are right, but the table doesn't learn from its second use: a gradient has to come
    back from both."""

    probabilities = edit(
        ('f"{length} tokens are more than the {self.length} it can look at"', "'too long'"),
        ("each_token(self.head, x)", "softmax(each_token(self.head, x))"),
    )
    """These are probabilities. The loss makes them itself; return scores."""

    last_place_only = edit(
        ('f"{length} tokens are more than the {self.length} it can look at"', "'too long'"),
        ("(self.head, x)", "(self.head, x)[:, -1:]"),
    )
    """You returned the scores of the last place. The model learns at every place at once."""
