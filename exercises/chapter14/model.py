"""`gelu`, the block, and the model made of blocks."""

from exercises.chapter4.activations import LEAF
from grader.course import Exercise, Mistake

CURVE = (
    "z = (x + x * x * x * 0.044715) * math.sqrt(2 / math.pi)\nreturn x * (ops.tanh(z) + 1.0) * 0.5"
)


def curve(old: str, new: str) -> str:
    """A working body of `gelu` with one thing done otherwise."""
    assert old in CURVE, old
    return CURVE.replace(old, new)


GELU = Exercise(
    "chapter14.gelu",
    section="14.9",
    targets=("gpt.gelu",),
    points=1,
    minutes=6,
    needs=("chapter3.tanh.forward",),
    hints=(
        "Write the formula down, with Tensors and numbers. The gradient follows by itself.",
        "`x * x * x` is as good as a power. `math.sqrt(2 / math.pi)` is a number.",
    ),
    mistakes=(
        Mistake(
            "not-halved", curve(" * 0.5", ""),
            "The half is missing: for large `x` the result is to be `x`.",
        ),
        Mistake(
            "no-root", curve("math.sqrt(2 / math.pi)", "(2 / math.pi)"),
            "The root is missing: √(2/π).",
        ),
        Mistake(
            "squared", curve("x * x * x * 0.044715", "x * x * 0.044715"),
            "There is a third power in the formula. With a square the curve leans to one side.",
        ),
        Mistake(
            "without-x", curve("return x * (", "return ("),
            "This goes from 0 to 1. It has to be multiplied by `x`.",
        ),
        Mistake(
            "quick", "return x * ops.sigmoid(x * 1.702)",
            "This is another approximation, `x · sigmoid(1.702 x)`. It is close, but not the one "
            "that is asked for.",
        ),
        Mistake(
            "relu", "return ops.relu(x)",
            "This is ReLU. The bend of gelu is smooth.",
        ),
        Mistake(
            "data-only", "a = x.data\nz = np.sqrt(2 / np.pi) * (a + 0.044715 * a**3)\n"
            "return Tensor(a * (np.tanh(z) + 1) / 2, dtype=x.dtype)", LEAF,
        ),
    ),
)  # fmt: skip

MAKE_BLOCK = """
self.norm1 = LayerNorm1d(dim, dtype=dtype)
self.attention = MultiHeadAttention(dim, heads, dtype)
self.norm2 = LayerNorm1d(dim, dtype=dtype)
self.expand = Linear(dim, 4 * dim, dtype=dtype)
self.shrink = Linear(4 * dim, dim, dtype=dtype)
"""

BLOCK_INIT = Exercise(
    "chapter14.block.init",
    section="14.10",
    targets=("gpt.Block.__init__",),
    points=1,
    minutes=3,
    needs=("chapter14.multihead.init", "chapter4.layernorm1d.init"),
    hints=("Five attributes, each a module. Hand `dtype` to all of them.",),
    mistakes=(
        Mistake(
            "one-norm",
            MAKE_BLOCK.replace("self.norm2 = LayerNorm1d(dim, dtype=dtype)",
                               "self.norm2 = self.norm1"),
            "Both norms are the same object, and would learn the same numbers. Make two.",
        ),
        Mistake(
            "not-wider", MAKE_BLOCK.replace("4 * dim", "dim"),
            "`expand` is to make four times as many numbers of each token, and `shrink` to come "
            "back from there.",
        ),
        Mistake(
            "own-dtype", MAKE_BLOCK.replace("heads, dtype)", "heads)"),
            "One of the modules did not get `dtype`.",
        ),
    ),
)  # fmt: skip

PASS = """
mixed, _ = self.attention(each_token(self.norm1, x), mask)
x = x + mixed
thought = gelu(each_token(self.expand, each_token(self.norm2, x)))
return x + each_token(self.shrink, thought)
"""


def but(old: str, new: str) -> str:
    """A working body of `Block.forward` with one thing done otherwise."""
    assert old in PASS, old
    return PASS.replace(old, new)


BLOCK = Exercise(
    "chapter14.block.forward",
    section="14.10",
    targets=("gpt.Block.forward",),
    points=3,
    minutes=12,
    difficulty=2,
    needs=("chapter14.block.init", "chapter14.multihead.forward", "chapter14.gelu"),
    hints=(
        "Two lines of the same form: `x` plus something that was made of the normed `x`.",
        "`self.attention` returns two things. Norms and Linear layers take rows: `each_token`.",
        "The second step begins with the result of the first.",
    ),
    mistakes=(
        Mistake(
            "norm-afterwards",
            "mixed, _ = self.attention(x, mask)\nx = each_token(self.norm1, x + mixed)\n"
            "thought = gelu(each_token(self.expand, x))\n"
            "return each_token(self.norm2, x + each_token(self.shrink, thought))",
            "The norm comes after the sum, as in the paper of 2017 (post-norm). Here it comes "
            "first, and nothing stands in the way around.",
        ),
        Mistake(
            "normed-way-around",
            "x = each_token(self.norm1, x)\nx = x + self.attention(x, mask)[0]\n"
            "x = each_token(self.norm2, x)\n"
            "return x + each_token(self.shrink, gelu(each_token(self.expand, x)))",
            "The way around holds the *normed* `x`. It is to hold `x` as it was: that is what lets "
            "gradients pass through many blocks.",
        ),
        Mistake(
            "no-way-around", but("x = x + mixed", "x = mixed"),
            "The first way around is missing: what attention found replaces the token instead of "
            "being added to it.",
        ),
        Mistake(
            "no-second-way", but("return x + each", "return each"),
            "The second way around is missing.",
        ),
        Mistake(
            "side-by-side", but("x = x + mixed\n", "").replace("return x +", "return x + mixed +"),
            "Both steps began with the same `x`. The second one begins with the result of the "
            "first.",
        ),
        Mistake(
            "mask-forgotten", but(", x), mask)", ", x))"),
            "The mask gets lost on the way to the attention.",
        ),
        Mistake(
            "one-norm", but("self.norm2", "self.norm1"),
            "You used `norm1` twice; `norm2` never learns anything.",
        ),
        Mistake(
            "no-second-norm", but("each_token(self.expand, each_token(self.norm2, x))",
                                  "each_token(self.expand, x)"),
            "The norm before the second step is missing.",
        ),
        Mistake(
            "no-bend", but("gelu(each_token(self.expand, each_token(self.norm2, x)))",
                           "each_token(self.expand, each_token(self.norm2, x))"),
            "Without gelu the two layers are as good as one: a product of matrices is a matrix.",
        ),
        Mistake(
            "relu", but("gelu(", "ops.relu("),
            "You took ReLU. The block has gelu between its two layers.",
        ),
    ),
)  # fmt: skip

MAKE_GPT = """
self.length = length
self.tokens = Embedding(vocabulary, dim, dtype)
self.positions = Embedding(length, dim, dtype)
self.blocks = [Block(dim, heads, dtype) for _ in range(blocks)]
self.norm = LayerNorm1d(dim, dtype=dtype)
self.head = None if tied else Linear(dim, vocabulary, bias=False, dtype=dtype)
"""


def make(old: str, new: str) -> str:
    """A working body of `GPT.__init__` with one thing done otherwise."""
    assert old in MAKE_GPT, old
    return MAKE_GPT.replace(old, new)


GPT_INIT = Exercise(
    "chapter14.gpt.init",
    section="14.11",
    targets=("gpt.GPT.__init__",),
    points=2,
    minutes=6,
    difficulty=2,
    needs=("chapter14.block.init", "chapter14.embedding.init"),
    hints=(
        "A list of Blocks: chapter 4 looks into lists. Each Block is an object of its own.",
        "How many rows has the table of places?",
    ),
    mistakes=(
        Mistake(
            "one-block", make("[Block(dim, heads, dtype) for _ in range(blocks)]",
                              "[Block(dim, heads, dtype)] * blocks"),
            "`[Block(…)] * n` is the *same* block n times: they all share one set of weights. Make "
            "a new one in each round.",
        ),
        Mistake(
            "places-for-tokens", make("Embedding(length, dim", "Embedding(vocabulary, dim"),
            "The table of places has a row for each place, not for each token.",
        ),
        Mistake(
            "head-with-a-bias", make("bias=False, ", ""),
            "The head has a bias. It is to have none.",
        ),
        Mistake(
            "always-a-head", make("None if tied else ", ""),
            "With `tied=True` there is to be no head of its own.",
        ),
        Mistake(
            "length-not-kept", make("self.length = length", "self.length = vocabulary"),
            "`self.length` is to be the `length` that was given.",
        ),
        Mistake(
            "own-dtype", make(", bias=False, dtype=dtype", ", bias=False"),
            "One of the modules did not get `dtype`.",
        ),
        Mistake(
            "no-norm", make("self.norm = LayerNorm1d(dim, dtype=dtype)\n", ""),
            "There is no `norm`.",
        ),
    ),
)  # fmt: skip

RUN = """
numbers = np.asarray(tokens.data if isinstance(tokens, Tensor) else tokens)
length = numbers.shape[1]
if length > self.length:
    raise ValueError('too long')
x = self.tokens(numbers) + self.positions(np.arange(length))
mask = causal_mask(length)
for block in self.blocks:
    x = block(x, mask)
x = each_token(self.norm, x)
if self.head is None:
    return x @ self.tokens.weight.transpose()
return each_token(self.head, x)
"""


def run(old: str, new: str) -> str:
    """A working body of `GPT.forward` with one thing done otherwise."""
    assert old in RUN, old
    return RUN.replace(old, new)


GPT = Exercise(
    "chapter14.gpt.forward",
    section="14.11",
    targets=("gpt.GPT.forward",),
    points=4,
    minutes=20,
    difficulty=3,
    needs=(
        "chapter14.gpt.init", "chapter14.embedding.forward", "chapter14.causal_mask",
        "chapter14.block.forward",
    ),
    hints=(
        "Two rows of numbers for each token: what it is, and where it stands. They are added.",
        "One mask serves all blocks. It depends on how long *these* sequences are.",
        "`self.head` may be None. Then the table of tokens, turned round, makes scores.",
    ),
    mistakes=(
        Mistake(
            "no-mask", run("block(x, mask)", "block(x)"),
            "The blocks got no mask: every token sees the tokens that it is to predict. The loss "
            "will be wonderful, and what the model writes will be nonsense.",
        ),
        Mistake(
            "no-places", run(" + self.positions(np.arange(length))", ""),
            "The places are missing: to attention, a sequence is a bag of tokens without an order.",
        ),
        Mistake(
            "places-of-tokens", run("self.positions(np.arange(length))",
                                    "self.positions(numbers % self.length)"),
            "You looked up the tokens in the table of places. What counts there is *where* a token "
            "stands: 0, 1, 2, …",
        ),
        Mistake(
            "places-backwards", run("np.arange(length)", "np.arange(length)[::-1]"),
            "Your places count from the end. The first token stands at place 0.",
        ),
        Mistake(
            "no-norm", run("x = each_token(self.norm, x)\n", ""),
            "The last `norm` is missing.",
        ),
        Mistake(
            "first-block-only", run("for block in self.blocks:\n", "for block in "
                                                                   "self.blocks[:1]:\n"),
            "Only the first block takes part.",
        ),
        Mistake(
            "blocks-beside-each-other",
            run("for block in self.blocks:\n    x = block(x, mask)\n",
                "start = x\nfor block in self.blocks:\n    x = block(start, mask)\n"),
            "Every block got the first `x`, so that only the last one counted.",
        ),
        Mistake(
            "cut-off", run("    raise ValueError('too long')\n",
                           "    numbers = numbers[:, -self.length:]\n    length = self.length\n"),
            "You cut off what is too long, and say nothing. Whoever calls the model has to know.",
        ),
        Mistake(
            "needs-a-head", run("if self.head is None:\n    return x @ "
                                "self.tokens.weight.transpose()"
                                "\n", ""),
            "With tied weights `self.head` is None. The table of `tokens` takes its place.",
        ),
        Mistake(
            "tied-but-detached", run("self.tokens.weight.transpose()",
                                     "self.tokens.weight.detach().transpose()"),
            "The scores are right, but the table does not learn from its second use: a gradient "
            "has to come back from both.",
        ),
        Mistake(
            "probabilities", run("return each_token(self.head, x)",
                                 "return softmax(each_token(self.head, x))"),
            "These are probabilities. The loss makes them itself; scores are asked for.",
        ),
        Mistake(
            "last-place-only", run("return each_token(self.head, x)",
                                   "return each_token(self.head, x)[:, -1:]"),
            "You returned the scores of the last place. The model learns at every place at once.",
        ),
    ),
)  # fmt: skip
