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

VARIANTS = (BY_HAND, FLOAT32)
