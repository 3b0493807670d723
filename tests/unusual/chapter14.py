"""Attention and a GPT by masks that multiply, windows of memory and folds."""

from grader.course import right, variant


@variant("unusual words")
class UNUSUAL:
    @right("gpt.Characters.encode")
    def characters_encode(self, text):
        places = [*map(self.letters.find, text)]
        if -1 in places:
            raise ValueError(f"No number for {text[places.index(-1)]!r}.")
        return np.array(places, dtype=int)

    characters_decode = right(
        "gpt.Characters.decode",
        """
        return "".join(map(self.letters.__getitem__, np.asarray(tokens, dtype=int).tolist()))
    """,
    )

    @right("gpt.windows")
    def windows(tokens, length, size):
        pieces = np.lib.stride_tricks.sliding_window_view(tokens, length + 1)
        chosen = pieces[np.random.choice(len(pieces), size)]
        return chosen[:, :-1], chosen[:, 1:]

    @right("gpt.Embedding.__init__")
    def embedding_init(self, count, dim, dtype):
        super().__init__()
        self.weight = Parameter(np.random.standard_normal((count, dim)) / 50, dtype=dtype)

    @right("gpt.Embedding.forward")
    def embedding_forward(self, indices):
        numbers = indices.numpy() if isinstance(indices, Tensor) else np.array(indices)
        flat = ops.Take(numbers.ravel())(self.weight)
        return flat.reshape(*numbers.shape, self.weight.shape[1])

    @right("gpt.softmax")
    def softmax(x, axis):
        largest = x.data.max(axis=axis, keepdims=True)
        powers = ops.exp(x - Tensor(largest, dtype=x.dtype, requires_grad=False))
        return powers / powers.sum(axis).reshape(largest.shape)

    @right("gpt.causal_mask")
    def causal_mask(length):
        places = np.arange(length)
        return np.greater_equal.outer(places, places)

    # What is blocked becomes e⁰ and is multiplied by 0.
    @right("gpt.attention")
    def attention(q, k, v, mask):
        scores = q @ k.transpose() * q.shape[-1] ** -0.5
        open_ = np.ones(scores.shape[-2:], bool) if mask is None else np.asarray(mask, bool)
        largest = np.where(open_, scores.data, -np.inf).max(axis=-1, keepdims=True)
        may = Tensor(open_, dtype=q.dtype, requires_grad=False)
        powers = ops.exp((scores - Tensor(largest, dtype=q.dtype, requires_grad=False)) * may) * may
        weights = powers / powers.sum(-1).reshape(largest.shape)
        return weights @ v, weights

    @right("gpt.split_heads")
    def split_heads(x, heads):
        batch, length, dim = x.shape
        columns = ops.transpose(x)
        return ops.transpose(columns.reshape(batch, heads, dim // heads, length))

    @right("gpt.join_heads")
    def join_heads(x):
        batch, heads, length, share = x.shape
        return x.transpose().reshape(batch, -1, length).transpose()

    @right("gpt.each_token")
    def each_token(layer, x):
        rows = layer(ops.reshape(x, (-1, x.shape[-1])))
        return ops.reshape(rows, (*x.shape[:-1], rows.shape[-1]))

    @right("gpt.MultiHeadAttention.__init__")
    def multi_head_attention_init(self, dim, heads, dtype):
        share, rest = divmod(dim, heads)
        if rest:
            raise ValueError("Not the same for every head.")
        self.heads = heads
        for name in ("query", "key", "value", "output"):
            setattr(self, name, Linear(in_features=dim, out_features=dim, dtype=dtype))

    @right("gpt.MultiHeadAttention.forward")
    def multi_head_attention_forward(self, x, mask):
        asked = [each_token(layer, x) for layer in (self.query, self.key, self.value)]
        means, weights = attention(*[split_heads(each, self.heads) for each in asked], mask=mask)
        return each_token(x=join_heads(means), layer=self.output), weights

    @right("gpt.gelu")
    def gelu(x):
        inner = (x + 0.044715 * x**3) * math.sqrt(2 / math.pi)
        return x / 2 * (1 + ops.tanh(inner))

    @right("gpt.Block.__init__")
    def block_init(self, dim, heads, dtype):
        self.attention = MultiHeadAttention(dim, heads=heads, dtype=dtype)
        self.norm1, self.norm2 = (LayerNorm1d(dim, dtype=dtype) for _ in "12")
        self.expand, self.shrink = (
            Linear(*sizes, dtype=dtype) for sizes in ((dim, 4 * dim), (4 * dim, dim))
        )

    @right("gpt.Block.forward")
    def block_forward(self, x, mask):
        from functools import reduce

        def mix(x):
            return self.attention(each_token(self.norm1, x), mask=mask)[0]

        def think(x):
            wide = each_token(self.expand, each_token(self.norm2, x))
            return each_token(self.shrink, gelu(wide))

        return reduce(lambda x, part: part(x) + x, (mix, think), x)

    @right("gpt.GPT.__init__")
    def gpt_init(self, vocabulary, length, dim, heads, blocks, tied, dtype):
        sizes = {"tokens": vocabulary, "positions": length}
        vars(self).update({name: Embedding(n, dim, dtype=dtype) for name, n in sizes.items()})
        self.blocks, self.length = [], length
        while len(self.blocks) < blocks:
            self.blocks.append(Block(dim, heads, dtype=dtype))
        self.norm, self.head = LayerNorm1d(dim, dtype=dtype), None
        if not tied:
            self.head = Linear(dim, vocabulary, False, dtype)

    @right("gpt.GPT.forward")
    def gpt_forward(self, tokens):
        from functools import partial, reduce

        numbers = np.array(tokens.data if isinstance(tokens, Tensor) else tokens, dtype=int)
        batch, length = numbers.shape
        if not length <= self.length:
            raise ValueError("Too long a text.")
        places = np.tile(np.arange(length), (batch, 1))
        steps = [partial(block, mask=causal_mask(length)) for block in self.blocks]
        steps.append(partial(each_token, self.norm))
        x = reduce(lambda x, each: each(x), steps, self.positions(places) + self.tokens(numbers))
        if self.head is not None:
            return each_token(self.head, x)
        flat = x.reshape(batch * length, -1) @ self.tokens.weight.transpose()
        return flat.reshape(batch, length, flat.shape[1])

    @right("gpt.cross_entropy")
    def cross_entropy(logits, targets):
        numbers = np.asarray(targets.data if isinstance(targets, Tensor) else targets)
        right = np.equal.outer(numbers, np.arange(logits.shape[-1]))
        shares = (numbers >= 0) / np.sum(numbers >= 0)
        right, shares = (
            Tensor(each, dtype=logits.dtype, requires_grad=False) for each in (right, shares)
        )
        surprise = ops.logsumexp(logits, -1) - (logits * right).sum(-1)
        return ops.summation(surprise * shares)

    @right("gpt.train_step")
    def train_step(model, optimizer, scheduler, inputs, targets, max_norm):
        loss = cross_entropy(model(inputs), targets)
        optimizer.zero_grad()
        loss.backward()
        clip_grad_norm((p for p in model.parameters()), max_norm=max_norm)
        for each in (optimizer, scheduler):
            each.step()
        return float(loss.data.reshape(-1)[0])

    @right("gpt.next_probabilities")
    def next_probabilities(logits, temperature, top_k):
        if not temperature > 0:
            raise ValueError("A temperature above 0, please.")
        if top_k is not None and not 1 <= top_k:
            raise ValueError("At least one token has to stay.")
        scores = np.array(logits, np.float64)
        scores -= scores.max()
        if top_k is not None and top_k < scores.size:
            scores[scores < np.partition(scores, -top_k)[-top_k]] = -np.inf
        scores /= temperature
        return np.exp(scores - np.logaddexp.reduce(scores))

    @right("gpt.generate")
    def generate(model, tokens, count, temperature, top_k):
        def following(seen):
            scores = model(np.asarray(seen[-model.length :])[None]).data[0][-1]
            chances = next_probabilities(scores, temperature=temperature, top_k=top_k)
            return int(np.random.multinomial(1, chances).argmax())

        text = [*map(int, tokens)]
        while count > 0:
            text.append(following(text))
            count -= 1
        return np.array(text, dtype=int)
