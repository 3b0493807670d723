"""Right solutions that are written in another way than the reference."""

from grader.course import Variant

# Masks as large negative numbers, heads by slices, one-hot tables, sums instead of softmax.
BY_HAND = Variant(
    "by-hand",
    {
        "gpt.Characters.encode": (
            "found = []\nfor letter in text:\n    if letter not in self.letters:\n"
            "        raise ValueError(letter)\n    found.append(self.letters.index(letter))\n"
            "return np.array(found)"
        ),
        "gpt.Characters.decode": (
            "text = ''\nfor token in tokens:\n    text += self.letters[int(token)]\nreturn text"
        ),
        "gpt.windows": (
            "starts = [np.random.randint(len(tokens) - length) for _ in range(size)]\n"
            "inputs = np.stack([tokens[s : s + length] for s in starts])\n"
            "return inputs, np.stack([tokens[s + 1 : s + 1 + length] for s in starts])"
        ),
        "ops.Take.forward": "return np.take(a, self.indices, axis=0)",
        # Every copy by itself, and then their sum.
        "ops.Take.backward": (
            "(a,) = node._inputs\nrows = out_grad.reshape(self.indices.size, a.shape[1])\n"
            "total = None\n"
            "for place, row in enumerate(self.indices.ravel()):\n"
            "    one = rows[place : place + 1].pad(((int(row), a.shape[0] - 1 - int(row)), (0, "
            "0)))\n"
            "    total = one if total is None else total + one\n"
            "return total"
        ),
        "gpt.Embedding.__init__": (
            "self.weight = Parameter(np.random.normal(0, 0.02, (count, dim)), dtype=dtype)"
        ),
        "gpt.Embedding.forward": (
            "numbers = np.array(indices.data if isinstance(indices, Tensor) else indices, int)\n"
            "hot = Tensor.one_hot(numbers.ravel(), self.weight.shape[0], dtype=self.weight.dtype)\n"
            "return (hot @ self.weight).reshape(*numbers.shape, -1)"
        ),
        "gpt.softmax": (
            "shape = [1 if i == axis % x.ndim else n for i, n in enumerate(x.shape)]\n"
            "largest = x.data.max(axis=axis, keepdims=True)\n"
            "powers = ops.exp(x - Tensor(largest, dtype=x.dtype, requires_grad=False))\n"
            "return powers / powers.sum(axis).reshape(*shape)"
        ),
        "gpt.causal_mask": (
            "places = np.arange(length)\nreturn places[None, :] <= places[:, None]"
        ),
        # So low that e to that power is 0 in any dtype.
        "gpt.attention": (
            "scores = ops.matmul(q * q.shape[-1] ** -0.5, ops.transpose(k))\n"
            "if mask is not None:\n"
            "    low = (~np.asarray(mask)) * -1e9\n"
            "    scores = scores + Tensor(low, dtype=scores.dtype, requires_grad=False)\n"
            "weights = softmax(scores, axis=-1)\nreturn [ops.matmul(weights, v), weights]"
        ),
        "gpt.split_heads": (
            "batch, length, dim = x.shape\n"
            "return x.reshape((batch, length, heads, -1)).transpose((0, 2, 1, 3))"
        ),
        "gpt.join_heads": (
            "x = ops.transpose(x, (0, 2, 1, 3))\nreturn ops.reshape(x, (*x.shape[:2], -1))"
        ),
        "gpt.each_token": (
            "rows = layer(x.reshape(-1, x.shape[-1]))\nreturn rows.reshape((*x.shape[:-1], -1))"
        ),
        "gpt.MultiHeadAttention.__init__": (
            "for name in ('value', 'key', 'query', 'output'):\n"
            "    setattr(self, name, Linear(dim, dim, dtype=dtype))\n"
            "self.heads = heads\nif dim // heads * heads != dim:\n    raise ValueError('uneven')"
        ),
        "gpt.MultiHeadAttention.forward": (
            "made = []\nfor layer in (self.query, self.key, self.value):\n"
            "    made.append(split_heads(each_token(layer, x), self.heads))\n"
            "mixed, weights = attention(*made, mask=mask)\n"
            "rows = mixed.transpose((0, 2, 1, 3)).reshape(-1, x.shape[-1])\n"
            "return self.output(rows).reshape(x.shape), weights"
        ),
        "gpt.gelu": (
            "z = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)\nreturn 0.5 * x * (1 + ops.tanh(z))"
        ),
        "gpt.Block.__init__": (
            "self.expand, self.shrink = Linear(dim, dim * 4, dtype=dtype), "
            "Linear(dim * 4, dim, dtype=dtype)\n"
            "self.attention = MultiHeadAttention(dim, heads, dtype=dtype)\n"
            "self.norm1, self.norm2 = (LayerNorm1d(dim, dtype=dtype) for _ in range(2))"
        ),
        "gpt.Block.forward": (
            "x = x + self.attention(each_token(self.norm1, x), mask)[0]\n"
            "rows = x.reshape(-1, x.shape[-1])\n"
            "rows = rows + self.shrink(gelu(self.expand(self.norm2(rows))))\n"
            "return rows.reshape(x.shape)"
        ),
        "gpt.GPT.forward": (
            "numbers = np.asarray(tokens.data if isinstance(tokens, Tensor) else tokens, int)\n"
            "batch, length = numbers.shape\n"
            "if length > self.length:\n    raise ValueError('too long')\n"
            "x = self.positions(np.tile(np.arange(length), (batch, 1))) + self.tokens(numbers)\n"
            "for block in self.blocks:\n    x = block(x, causal_mask(length))\n"
            "rows = self.norm(x.reshape(batch * length, -1))\n"
            "table = self.tokens.weight.transpose() if self.head is None else self.head.weight\n"
            "return (rows @ table).reshape(batch, length, -1)"
        ),
        "gpt.cross_entropy": (
            "numbers = np.array(targets.data if isinstance(targets, Tensor) else targets).ravel()\n"
            "places, = np.nonzero(numbers >= 0)\n"
            "rows = ops.log_softmax(logits.reshape(-1, logits.shape[-1]))\n"
            "pick = np.zeros(rows.shape)\npick[places, numbers[places]] = -1 / len(places)\n"
            "return (rows * Tensor(pick, dtype=logits.dtype, requires_grad=False)).sum()"
        ),
        "gpt.train_step": (
            "loss = cross_entropy(model(inputs), targets)\noptimizer.zero_grad()\n"
            "loss.backward()\nclip_grad_norm(optimizer.parameters, max_norm)\n"
            "optimizer.step()\nscheduler.step()\nreturn loss.data.sum().item()"
        ),
        "gpt.next_probabilities": (
            "if not temperature > 0 or top_k is not None and top_k <= 0:\n"
            "    raise ValueError('no')\n"
            "scores = np.array(logits, dtype='float64')\n"
            "kept = sorted(scores)[-(top_k or len(scores)):]\n"
            "scores = (scores - scores.max()) / temperature * 1.0\n"
            "chances = np.exp(scores) * (np.asarray(logits) >= kept[0])\n"
            "return chances / chances.sum()"
        ),
        "gpt.generate": (
            "found = np.array(tokens, dtype=int)\n"
            "for _ in range(count):\n"
            "    logits = model(found[-model.length :][None]).data[0]\n"
            "    p = next_probabilities(logits[-1], temperature, top_k)\n"
            "    token = min(np.searchsorted(p.cumsum(), np.random.random(), 'right'), len(p) - "
            "1)\n"
            "    found = np.append(found, token)\n"
            "return found"
        ),
    },
)  # fmt: skip

# Every result is float32, whatever the inputs were.
FLOAT32 = Variant(
    "float32-results",
    edits=(
        ("ops.py", "Tensor(data, dtype=data.dtype, requires_grad", "Tensor(data, requires_grad"),
    ),
)

# Sorted tables and views of windows; axes turned twice; logarithms until the end; other draws.
TURNED = Variant(
    "views, axes turned twice, logarithms until the end",
    {
        "gpt.Characters.encode": """
            table = dict(zip(self.letters, range(len(self))))
            try:
                return np.fromiter(map(table.__getitem__, text), np.int32, len(text))
            except KeyError as error:
                raise ValueError(f"{error.args[0]} has no number") from None
        """,
        "gpt.Characters.decode": """
            numbers = np.asarray(tokens, dtype=int)
            return "".join(np.array(list(self.letters))[numbers].tolist())
        """,
        "gpt.windows": """
            pieces = np.lib.stride_tricks.sliding_window_view(tokens, length + 1)
            pieces = pieces[np.random.choice(len(pieces), size)]
            return pieces[:, :-1], pieces[:, 1:]
        """,
        "ops.Take.forward": """
            rows = [a[i] for i in self.indices.flat]
            return np.array(rows, a.dtype).reshape((*self.indices.shape, a.shape[1]))
        """,
        "ops.Take.backward": """
            rows, dim = node._inputs[0].shape
            hits = np.arange(rows)[:, None] == self.indices.reshape(1, -1)
            hits = Tensor(hits, dtype=out_grad.dtype, requires_grad=False)
            return hits @ out_grad.reshape(-1, dim)
        """,
        "gpt.Embedding.__init__": (
            "self.weight = Parameter(0.02 * Tensor.randn(count, dim, dtype=dtype))\n"
            "self.count, self.dim = count, dim"
        ),
        "gpt.Embedding.forward": """
            if isinstance(indices, Tensor):
                indices = indices.numpy().astype("int64")
            return ops.Take(indices)(self.weight)
        """,
        "gpt.softmax": """
            shape = list(x.shape)
            shape[axis] = 1
            return ops.exp(x - ops.reshape(ops.logsumexp(x, axis), tuple(shape)))
        """,
        "gpt.causal_mask": "return np.greater_equal.outer(range(length), range(length))",
        "gpt.attention": """
            d = q.shape[-1] ** 0.25
            scores = (q / d) @ (k / d).transpose()
            if mask is not None:
                lowest = np.finfo(scores.dtype).min / 2
                closed = np.where(np.asarray(mask, dtype=bool), 0, lowest)
                scores = Tensor(closed, dtype=scores.dtype, requires_grad=False) + scores
            weights = softmax(scores, -1)
            return weights.matmul(v), weights
        """,
        "gpt.split_heads": """
            batch, length, dim = x.shape
            return x.transpose().reshape(batch, heads, dim // heads, length).transpose()
        """,
        "gpt.join_heads": """
            batch, heads, length, share = x.shape
            return ops.transpose(x.transpose().reshape((batch, heads * share, length)))
        """,
        "gpt.each_token": """
            out = layer(ops.reshape(x, (x.shape[0] * x.shape[1], x.shape[2])))
            return ops.reshape(out, x.shape[:2] + out.shape[1:])
        """,
        "gpt.MultiHeadAttention.__init__": """
            share, rest = divmod(dim, heads)
            if rest != 0:
                raise ValueError(f"{dim} / {heads}")
            self.heads, self.share = heads, share
            makes = ("output", "query", "key", "value")
            vars(self).update({name: Linear(dim, dim, bias=True, dtype=dtype) for name in makes})
        """,
        "gpt.MultiHeadAttention.forward": """
            def heads_of(layer):
                return split_heads(x=each_token(layer=layer, x=x), heads=self.heads)

            found = attention(
                mask=mask, v=heads_of(self.value), k=heads_of(self.key), q=heads_of(self.query))
            return [each_token(self.output, join_heads(found[0])), found[1]]
        """,
        "gpt.gelu": """
            root = (8 / math.pi) ** 0.5
            return ops.mul(ops.sigmoid(root * x + 0.044715 * root * ops.power_scalar(x, 3)), x)
        """,
        "gpt.Block.__init__": """
            super().__init__()
            for number in ("1", "2"):
                setattr(self, "norm" + number, LayerNorm1d(dim=dim, dtype=dtype))
            self.shrink = Linear(dim << 2, dim, dtype=dtype)
            self.expand = Linear(dim, dim << 2, dtype=dtype)
            self.attention = MultiHeadAttention(heads=heads, dim=dim, dtype=dtype)
        """,
        "gpt.Block.forward": """
            def talk(x):
                return self.attention(each_token(self.norm1, x), mask=mask)[0]

            def think(x):
                return each_token(lambda r: self.shrink(gelu(self.expand(self.norm2(r)))), x)

            for step in (talk, think):
                x = step(x) + x
            return x
        """,
        "gpt.GPT.__init__": """
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
        """,
        "gpt.GPT.forward": """
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
        """,
        "gpt.cross_entropy": """
            numbers = np.array(targets.data if isinstance(targets, Tensor) else targets, int)
            numbers, classes = numbers.reshape(-1), logits.shape[-1]
            places = [i * classes + t for i, t in enumerate(numbers.tolist()) if t >= 0]
            found = ops.log_softmax(logits).reshape(-1, 1)
            return -ops.take(found, places).sum() / len(places)
        """,
        "gpt.train_step": """
            model.zero_grad()
            out = model(inputs)
            loss = cross_entropy(logits=out, targets=targets)
            loss.backward()
            clip_grad_norm((p for p in model.parameters()), max_norm=max_norm)
            optimizer.step()
            scheduler.step()
            return loss.numpy().sum().item()
        """,
        "gpt.next_probabilities": """
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
        """,
        "gpt.generate": """
            found = np.empty(len(tokens) + count, dtype=int)
            found[: len(tokens)] = tokens
            for end in range(len(tokens), len(found)):
                logits = model(found[None, max(0, end - model.length) : end])
                p = next_probabilities(logits.numpy()[0][-1], temperature, top_k=top_k)
                found[end] = np.random.multinomial(1, p).argmax()
            return found
        """,
    },
)  # fmt: skip

# A matrix of ones for a sum, plain lists for arrays, races of waiting times for draws.
RACES = Variant(
    "queues, counts and races",
    {
        "gpt.Characters.encode": """
            places = [self.letters.find(letter) for letter in text]
            if -1 in places:
                raise ValueError(f"{text[places.index(-1)]!r} is not among them")
            return np.array(places, dtype=np.intp)
        """,
        "gpt.windows": """
            def pieces():
                for start in np.random.randint(len(tokens) - length, size=size).tolist():
                    yield tokens[start : start + length], tokens[start + 1 :][:length]

            inputs, targets = zip(*pieces())
            return np.array(inputs), np.array(targets)
        """,
        "ops.Take.backward": """
            rows, dim = node._inputs[0].shape
            table = np.zeros((rows, self.indices.size), out_grad.dtype)
            table[self.indices.ravel(), np.arange(self.indices.size)] = 1
            table = Tensor(table, dtype=table.dtype, requires_grad=False)
            return matmul(table, reshape(out_grad, (-1, dim)))
        """,
        "gpt.softmax": """
            top = x.data.max(axis, keepdims=True)
            e = ops.exp(x + Tensor(-top, dtype=x.dtype, requires_grad=False))
            ones = np.ones((x.shape[axis],) * 2)
            order = [i for i in range(x.ndim) if i != axis % x.ndim] + [axis % x.ndim]
            last = e.transpose(tuple(order)).reshape(-1, x.shape[axis])
            total = last @ Tensor(ones, dtype=x.dtype, requires_grad=False)
            back = tuple(int(i) for i in np.argsort(order))
            return e / total.reshape([x.shape[i] for i in order]).transpose(back)
        """,
        "gpt.causal_mask": "return ~np.triu(np.ones((length, length), dtype=bool), k=1)",
        "gpt.gelu": """
            z = (x + x * x * x * 0.044715) * math.sqrt(2 / math.pi)
            return x / 2 + x / 2 * ops.tanh(z)
        """,
        "gpt.cross_entropy": """
            numbers = np.array(targets.data if isinstance(targets, Tensor) else targets)
            counts = (numbers >= 0).astype(float)
            right = (np.arange(logits.shape[-1]) == numbers[..., None]).astype(float)

            def weigh(x, weights):
                return (x * Tensor(weights, dtype=logits.dtype, requires_grad=False)).sum()

            total = weigh(ops.logsumexp(logits, -1), counts) - weigh(logits, right)
            return total / counts.sum()
        """,
        "gpt.next_probabilities": """
            if min(temperature, 1 if top_k is None else top_k) <= 0:
                raise ValueError("neither may be 0 or less")
            scores = [float(s) for s in logits]
            kept = sorted(scores, reverse=True)[:top_k][-1]
            powers = [math.exp((s - max(scores)) / temperature) * (s >= kept) for s in scores]
            return np.array(powers) / math.fsum(powers)
        """,
        # The first of several waiting times comes from each with its probability.
        "gpt.generate": """
            from collections import deque
            seen, found = deque(tokens, maxlen=model.length), list(tokens)
            while len(found) < len(tokens) + count:
                logits = model(np.array([seen], dtype=int)).data
                p = next_probabilities(logits[0, -1], temperature, top_k)
                with np.errstate(divide="ignore"):
                    token = int(np.argmin(np.random.exponential(size=len(p)) / p))
                seen.append(token)
                found.append(token)
            return np.array(found, dtype=int)
        """,
    },
)

VARIANTS = (BY_HAND, TURNED, RACES, FLOAT32)
