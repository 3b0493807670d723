"""Right solutions that are written in another way than the reference."""

from grader.course import Variant, right, variant

from . import other_variants


# Masks as large negative numbers, heads by slices, one-hot tables, sums instead of softmax.
@variant("by-hand")
class BY_HAND:
    @right("gpt.Characters.encode")
    def characters_encode(self, text):
        found = []
        for letter in text:
            if letter not in self.letters:
                raise ValueError(letter)
            found.append(self.letters.index(letter))
        return np.array(found)

    @right("gpt.Characters.decode")
    def characters_decode(self, tokens):
        text = ""
        for token in tokens:
            text += self.letters[int(token)]
        return text

    @right("gpt.windows")
    def windows(tokens, length, size):
        starts = [np.random.randint(len(tokens) - length) for _ in range(size)]
        inputs = np.stack([tokens[s : s + length] for s in starts])
        return inputs, np.stack([tokens[s + 1 : s + 1 + length] for s in starts])

    take_forward = right("ops.Take.forward", "return np.take(a, self.indices, axis=0)")

    # Every copy by itself, and then their sum.
    @right("ops.Take.backward")
    def take_backward(self, out_grad, node):
        (a,) = node._inputs
        rows = out_grad.reshape(self.indices.size, a.shape[1])
        total = None
        for place, row in enumerate(self.indices.ravel()):
            one = rows[place : place + 1].pad(((int(row), a.shape[0] - 1 - int(row)), (0, 0)))
            total = one if total is None else total + one
        return total

    embedding_init = right(
        "gpt.Embedding.__init__",
        "self.weight = Parameter(np.random.normal(0, 0.02, (count, dim)), dtype=dtype)",
    )

    @right("gpt.Embedding.forward")
    def embedding_forward(self, indices):
        numbers = np.array(indices.data if isinstance(indices, Tensor) else indices, int)
        hot = Tensor.one_hot(numbers.ravel(), self.weight.shape[0], dtype=self.weight.dtype)
        return (hot @ self.weight).reshape(*numbers.shape, -1)

    @right("gpt.softmax")
    def softmax(x, axis):
        shape = [1 if i == axis % x.ndim else n for i, n in enumerate(x.shape)]
        largest = x.data.max(axis=axis, keepdims=True)
        powers = ops.exp(x - Tensor(largest, dtype=x.dtype, requires_grad=False))
        return powers / powers.sum(axis).reshape(*shape)

    @right("gpt.causal_mask")
    def causal_mask(length):
        places = np.arange(length)
        return places[None, :] <= places[:, None]

    # So low that e to that power is 0 in any dtype.
    @right("gpt.attention")
    def attention(q, k, v, mask):
        scores = ops.matmul(q * q.shape[-1] ** -0.5, ops.transpose(k))
        if mask is not None:
            low = (~np.asarray(mask)) * -1e9
            scores = scores + Tensor(low, dtype=scores.dtype, requires_grad=False)
        weights = softmax(scores, axis=-1)
        return [ops.matmul(weights, v), weights]

    @right("gpt.split_heads")
    def split_heads(x, heads):
        batch, length, dim = x.shape
        return x.reshape((batch, length, heads, -1)).transpose((0, 2, 1, 3))

    @right("gpt.join_heads")
    def join_heads(x):
        x = ops.transpose(x, (0, 2, 1, 3))
        return ops.reshape(x, (*x.shape[:2], -1))

    @right("gpt.each_token")
    def each_token(layer, x):
        rows = layer(x.reshape(-1, x.shape[-1]))
        return rows.reshape((*x.shape[:-1], -1))

    @right("gpt.MultiHeadAttention.__init__")
    def multi_head_attention_init(self, dim, heads, dtype):
        for name in ("value", "key", "query", "output"):
            setattr(self, name, Linear(dim, dim, dtype=dtype))
        self.heads = heads
        if dim // heads * heads != dim:
            raise ValueError("uneven")

    @right("gpt.MultiHeadAttention.forward")
    def multi_head_attention_forward(self, x, mask):
        made = []
        for layer in (self.query, self.key, self.value):
            made.append(split_heads(each_token(layer, x), self.heads))
        mixed, weights = attention(*made, mask=mask)
        rows = mixed.transpose((0, 2, 1, 3)).reshape(-1, x.shape[-1])
        return self.output(rows).reshape(x.shape), weights

    @right("gpt.gelu")
    def gelu(x):
        z = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
        return 0.5 * x * (1 + ops.tanh(z))

    @right("gpt.Block.__init__")
    def block_init(self, dim, heads, dtype):
        self.expand, self.shrink = (
            Linear(dim, dim * 4, dtype=dtype),
            Linear(dim * 4, dim, dtype=dtype),
        )
        self.attention = MultiHeadAttention(dim, heads, dtype=dtype)
        self.norm1, self.norm2 = (LayerNorm1d(dim, dtype=dtype) for _ in range(2))

    @right("gpt.Block.forward")
    def block_forward(self, x, mask):
        x = x + self.attention(each_token(self.norm1, x), mask)[0]
        rows = x.reshape(-1, x.shape[-1])
        rows = rows + self.shrink(gelu(self.expand(self.norm2(rows))))
        return rows.reshape(x.shape)

    @right("gpt.GPT.forward")
    def gpt_forward(self, tokens):
        numbers = np.asarray(tokens.data if isinstance(tokens, Tensor) else tokens, int)
        batch, length = numbers.shape
        if length > self.length:
            raise ValueError("too long")
        x = self.positions(np.tile(np.arange(length), (batch, 1))) + self.tokens(numbers)
        for block in self.blocks:
            x = block(x, causal_mask(length))
        rows = self.norm(x.reshape(batch * length, -1))
        table = self.tokens.weight.transpose() if self.head is None else self.head.weight
        return (rows @ table).reshape(batch, length, -1)

    @right("gpt.cross_entropy")
    def cross_entropy(logits, targets):
        numbers = np.array(targets.data if isinstance(targets, Tensor) else targets).ravel()
        (places,) = np.nonzero(numbers >= 0)
        rows = ops.log_softmax(logits.reshape(-1, logits.shape[-1]))
        pick = np.zeros(rows.shape)
        pick[places, numbers[places]] = -1 / len(places)
        return (rows * Tensor(pick, dtype=logits.dtype, requires_grad=False)).sum()

    @right("gpt.train_step")
    def train_step(model, optimizer, scheduler, inputs, targets, max_norm):
        loss = cross_entropy(model(inputs), targets)
        optimizer.zero_grad()
        loss.backward()
        clip_grad_norm(optimizer.parameters, max_norm)
        optimizer.step()
        scheduler.step()
        return loss.data.sum().item()

    @right("gpt.next_probabilities")
    def next_probabilities(logits, temperature, top_k):
        if not temperature > 0 or top_k is not None and top_k <= 0:
            raise ValueError("no")
        scores = np.array(logits, dtype="float64")
        kept = sorted(scores)[-(top_k or len(scores)) :]
        scores = (scores - scores.max()) / temperature * 1.0
        chances = np.exp(scores) * (np.asarray(logits) >= kept[0])
        return chances / chances.sum()

    @right("gpt.generate")
    def generate(model, tokens, count, temperature, top_k):
        found = np.array(tokens, dtype=int)
        for _ in range(count):
            logits = model(found[-model.length :][None]).data[0]
            p = next_probabilities(logits[-1], temperature, top_k)
            token = min(np.searchsorted(p.cumsum(), np.random.random(), "right"), len(p) - 1)
            found = np.append(found, token)
        return found


# Every result is float32, whatever the inputs were.
FLOAT32 = Variant(
    "float32-results",
    edits=(
        ("ops.py", "Tensor(data, dtype=data.dtype, requires_grad", "Tensor(data, requires_grad"),
    ),
)


# Sorted tables and views of windows; axes turned twice; logarithms until the end; other draws.
@variant("views, axes turned twice, logarithms until the end")
class TURNED:
    @right("gpt.Characters.encode")
    def characters_encode(self, text):
        table = dict(zip(self.letters, range(len(self))))
        try:
            return np.fromiter(map(table.__getitem__, text), np.int32, len(text))
        except KeyError as error:
            raise ValueError(f"{error.args[0]} has no number") from None

    @right("gpt.Characters.decode")
    def characters_decode(self, tokens):
        numbers = np.asarray(tokens, dtype=int)
        return "".join(np.array(list(self.letters))[numbers].tolist())

    @right("gpt.windows")
    def windows(tokens, length, size):
        pieces = np.lib.stride_tricks.sliding_window_view(tokens, length + 1)
        pieces = pieces[np.random.choice(len(pieces), size)]
        return pieces[:, :-1], pieces[:, 1:]

    @right("ops.Take.forward")
    def take_forward(self, a):
        rows = [a[i] for i in self.indices.flat]
        return np.array(rows, a.dtype).reshape((*self.indices.shape, a.shape[1]))

    @right("ops.Take.backward")
    def take_backward(self, out_grad, node):
        rows, dim = node._inputs[0].shape
        hits = np.arange(rows)[:, None] == self.indices.reshape(1, -1)
        hits = Tensor(hits, dtype=out_grad.dtype, requires_grad=False)
        return hits @ out_grad.reshape(-1, dim)

    @right("gpt.Embedding.__init__")
    def embedding_init(self, count, dim, dtype):
        self.weight = Parameter(0.02 * Tensor.randn(count, dim, dtype=dtype))
        self.count, self.dim = count, dim

    @right("gpt.Embedding.forward")
    def embedding_forward(self, indices):
        if isinstance(indices, Tensor):
            indices = indices.numpy().astype("int64")
        return ops.Take(indices)(self.weight)

    @right("gpt.softmax")
    def softmax(x, axis):
        shape = list(x.shape)
        shape[axis] = 1
        return ops.exp(x - ops.reshape(ops.logsumexp(x, axis), tuple(shape)))

    causal_mask = right(
        "gpt.causal_mask", "return np.greater_equal.outer(range(length), range(length))"
    )

    @right("gpt.attention")
    def attention(q, k, v, mask):
        d = q.shape[-1] ** 0.25
        scores = (q / d) @ (k / d).transpose()
        if mask is not None:
            lowest = np.finfo(scores.dtype).min / 2
            closed = np.where(np.asarray(mask, dtype=bool), 0, lowest)
            scores = Tensor(closed, dtype=scores.dtype, requires_grad=False) + scores
        weights = softmax(scores, -1)
        return weights.matmul(v), weights

    @right("gpt.split_heads")
    def split_heads(x, heads):
        batch, length, dim = x.shape
        return x.transpose().reshape(batch, heads, dim // heads, length).transpose()

    @right("gpt.join_heads")
    def join_heads(x):
        batch, heads, length, share = x.shape
        return ops.transpose(x.transpose().reshape((batch, heads * share, length)))

    @right("gpt.each_token")
    def each_token(layer, x):
        out = layer(ops.reshape(x, (x.shape[0] * x.shape[1], x.shape[2])))
        return ops.reshape(out, x.shape[:2] + out.shape[1:])

    @right("gpt.MultiHeadAttention.__init__")
    def multi_head_attention_init(self, dim, heads, dtype):
        share, rest = divmod(dim, heads)
        if rest != 0:
            raise ValueError(f"{dim} / {heads}")
        self.heads, self.share = heads, share
        makes = ("output", "query", "key", "value")
        vars(self).update({name: Linear(dim, dim, bias=True, dtype=dtype) for name in makes})

    @right("gpt.MultiHeadAttention.forward")
    def multi_head_attention_forward(self, x, mask):
        def heads_of(layer):
            return split_heads(x=each_token(layer=layer, x=x), heads=self.heads)

        found = attention(
            mask=mask, v=heads_of(self.value), k=heads_of(self.key), q=heads_of(self.query)
        )
        return [each_token(self.output, join_heads(found[0])), found[1]]

    @right("gpt.gelu")
    def gelu(x):
        root = (8 / math.pi) ** 0.5
        return ops.mul(ops.sigmoid(root * x + 0.044715 * root * ops.power_scalar(x, 3)), x)

    @right("gpt.Block.__init__")
    def block_init(self, dim, heads, dtype):
        super().__init__()
        for number in ("1", "2"):
            setattr(self, "norm" + number, LayerNorm1d(dim=dim, dtype=dtype))
        self.shrink = Linear(dim << 2, dim, dtype=dtype)
        self.expand = Linear(dim, dim << 2, dtype=dtype)
        self.attention = MultiHeadAttention(heads=heads, dim=dim, dtype=dtype)

    @right("gpt.Block.forward")
    def block_forward(self, x, mask):
        def talk(x):
            return self.attention(each_token(self.norm1, x), mask=mask)[0]

        def think(x):
            return each_token(lambda r: self.shrink(gelu(self.expand(self.norm2(r)))), x)

        for step in (talk, think):
            x = step(x) + x
        return x

    @right("gpt.GPT.__init__")
    def gpt_init(self, vocabulary, length, dim, heads, blocks, tied, dtype):
        super().__init__()
        self.vocabulary, self.length, self.tied = vocabulary, length, tied
        self.norm, self.blocks = LayerNorm1d(dim=dim, dtype=dtype), []
        self.head = None
        if not tied:
            self.head = Linear(dim, vocabulary, False, dtype)
        while len(self.blocks) < blocks:
            self.blocks.append(Block(dim, heads, dtype=dtype))
        self.positions = Embedding(length, dim, dtype=dtype)
        self.tokens = Embedding(count=vocabulary, dim=dim, dtype=dtype)

    @right("gpt.GPT.forward")
    def gpt_forward(self, tokens):
        import functools

        numbers = np.array(tokens.numpy() if isinstance(tokens, Tensor) else tokens, dtype=int)
        length = numbers.shape[-1]
        if not length <= self.length:
            raise ValueError(f"at most {self.length}")
        start = self.tokens(numbers) + self.positions.weight[:length]
        x = functools.reduce(lambda x, b: b(x, causal_mask(length)), self.blocks, start)
        if self.head is not None:
            return each_token(self.head, each_token(self.norm, x))
        return each_token(lambda r: self.norm(r) @ ops.transpose(self.tokens.weight), x)

    @right("gpt.cross_entropy")
    def cross_entropy(logits, targets):
        numbers = np.array(targets.data if isinstance(targets, Tensor) else targets, int)
        numbers, classes = numbers.reshape(-1), logits.shape[-1]
        places = [i * classes + t for i, t in enumerate(numbers.tolist()) if t >= 0]
        found = ops.log_softmax(logits).reshape(-1, 1)
        return -ops.take(found, places).sum() / len(places)

    @right("gpt.train_step")
    def train_step(model, optimizer, scheduler, inputs, targets, max_norm):
        model.zero_grad()
        out = model(inputs)
        loss = cross_entropy(logits=out, targets=targets)
        loss.backward()
        clip_grad_norm((p for p in model.parameters()), max_norm=max_norm)
        optimizer.step()
        scheduler.step()
        return loss.numpy().sum().item()

    @right("gpt.next_probabilities")
    def next_probabilities(logits, temperature, top_k):
        if temperature <= 0:
            raise ValueError("temperature")
        if top_k is not None and top_k <= 0:
            raise ValueError("top_k")
        scores = np.array(logits, float)
        k = len(scores) if top_k is None else min(top_k, len(scores))
        out = scores < np.partition(scores, -k)[-k]
        scores = (scores - max(scores)) / temperature
        scores[out] = -np.inf
        return np.exp(scores - np.logaddexp.reduce(scores))

    @right("gpt.generate")
    def generate(model, tokens, count, temperature, top_k):
        found = np.empty(len(tokens) + count, dtype=int)
        found[: len(tokens)] = tokens
        for end in range(len(tokens), len(found)):
            logits = model(found[None, max(0, end - model.length) : end])
            p = next_probabilities(logits.numpy()[0][-1], temperature, top_k=top_k)
            found[end] = np.random.multinomial(1, p).argmax()
        return found


VARIANTS = (BY_HAND, TURNED, other_variants.RACES, FLOAT32)
