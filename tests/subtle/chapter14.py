"""Attention, a model and what is drawn from it, all but right."""

ENCODE = "gpt.Characters.encode"
WINDOWS = "gpt.windows"
SOFTMAX = "gpt.softmax"
ATTENTION = "gpt.attention"
BLOCK = "gpt.Block.__init__"
GPT = "gpt.GPT.__init__"
SCORES = "gpt.GPT.forward"
LOSS = "gpt.cross_entropy"
STEP = "gpt.train_step"
CHANCES = "gpt.next_probabilities"
GENERATE = "gpt.generate"
MASKED = "scores = scores + Tensor(blocked, dtype=scores.dtype, requires_grad=False)"
LOW = "blocked = np.where(mask, 0.0, -np.inf)"
CLIP = "clip_grad_norm(model.parameters(), max_norm)"

SUBTLE = {
    "numbers with a point": (ENCODE, "dtype=int", "dtype=float"),
    "all rows begin one after another": (
        WINDOWS, "np.random.randint(0, len(tokens) - length, size)",
        "(np.random.randint(0, len(tokens) - length) + np.arange(size)) % (len(tokens) - length)"),
    "pieces that are drawn once": (
        WINDOWS, "np.random.randint(0", "np.random.default_rng(0).integers(0"),
    "two embeddings are the same": (
        "gpt.Embedding.__init__",
        "Tensor.randn(count, dim, std=0.02, dtype=dtype)",
        "np.random.default_rng(0).normal(0, 0.02, (count, dim)), dtype=dtype"),
    "an even spread of the same size": (
        "gpt.Embedding.__init__",
        "Tensor.randn(count, dim, std=0.02, dtype=dtype)",
        "np.random.uniform(-0.0346, 0.0346, (count, dim)), dtype=dtype"),
    "the largest of all, not of the row": (
        SOFTMAX, "largest = Tensor(x.data.max(), dtype=x.dtype, requires_grad=False)\n"
        "kept = tuple(1 if i == axis % x.ndim else n for i, n in enumerate(x.shape))\n"
        "powers = ops.exp(x - largest)\nreturn powers / powers.sum(axis).reshape(kept)"),
    "axes counted from the end, but for the last": (
        SOFTMAX, "largest = x.data.max(axis=axis, keepdims=True)\n"
        "last = x.ndim - 1 if axis == -1 else axis\n"
        "kept = tuple(1 if i == last else n for i, n in enumerate(x.shape))\n"
        "powers = ops.exp(x - Tensor(largest, dtype=x.dtype, requires_grad=False))\n"
        "return powers / powers.sum(axis).reshape(kept)"),
    "a softmax in float64": (
        SOFTMAX, "return ops.exp(ops.log_softmax(x * Tensor(1.0, dtype='float64'), axis))"),
    "a softmax that clips": (
        SOFTMAX, "data = np.clip(x.data, x.data.max(axis=axis, keepdims=True) - 700, None)\n"
        "x = x + Tensor(data - x.data, dtype=x.dtype, requires_grad=False)\n"
        "return ops.exp(ops.log_softmax(x, axis))"),
    "thirty for infinity": (ATTENTION, "-np.inf", "-30.0"),
    "a thousand for infinity": (ATTENTION, "-np.inf", "-1000.0"),
    "scores of zero are hidden": (
        ATTENTION, MASKED,
        "scores = scores * Tensor(mask, dtype=scores.dtype, requires_grad=False)\n"
        "    hidden = np.where(scores.data == 0, -np.inf, 0.0)\n"
        "    scores = scores + Tensor(hidden, dtype=scores.dtype, requires_grad=False)"),
    "powers that are hidden afterwards": (
        ATTENTION,
        "scores = (q @ k.transpose()) / math.sqrt(q.shape[-1])\n"
        "weights = softmax(scores)\n"
        "if mask is not None:\n"
        "    weights = weights * Tensor(mask, dtype=q.dtype, requires_grad=False)\n"
        "    weights = weights / weights.sum(-1).reshape(*weights.shape[:-1], 1)\n"
        "return weights @ v, weights"),
    "the mask is turned on the spot": (
        ATTENTION, LOW, "np.logical_not(mask, out=mask)\n    blocked = np.where(mask, -np.inf, 0)"),
    "attention in float64": (ATTENTION, "dtype=scores.dtype", "dtype='float64'"),
    "gelu with a digit less": ("gpt.gelu", "0.044715", "0.0447"),
    "gelu in float64": (
        "gpt.gelu", "ops.sigmoid(bent)", "ops.sigmoid(bent * Tensor(1.0, dtype='float64'))"),
    "gelu through a root of seven digits": ("gpt.gelu", "math.sqrt(2 / math.pi)", "0.79788"),
    "a block of one head": (BLOCK, "MultiHeadAttention(dim, heads", "MultiHeadAttention(dim, 1"),
    "blocks of one head": (GPT, "Block(dim, heads", "Block(dim, 1"),
    "the first length for all": (
        SCORES, "mask = causal_mask(length)",
        "if 'mask' not in vars(self):\n    self.mask = causal_mask(length)\nmask = self.mask"),
    "no place for a single token": (SCORES, "np.arange(length)", "np.arange(length) % length"
                                    " if length > 1 else np.array([self.length - 1])"),
    "only -1 does not count": (LOSS, "numbers >= 0", "numbers != -1"),
    "-100 does not count": (
        LOSS, "counts = numbers >= 0",
        "counts = (numbers != -1) & (numbers != -100)"),
    "targets that are set to 0": (
        LOSS, "counts = numbers >= 0", "counts = numbers >= 0\nnumbers[~counts] = 0"),
    "each sequence by its own count": (
        LOSS, "chosen.sum() / -int(counts.sum())",
        "((chosen.sum(-1).sum(-1) if logits.ndim > 2 else chosen.sum(-1))"
        " / Tensor(-np.maximum(1, counts.sum(-1)).astype(float), dtype=logits.dtype)).sum()"
        " / counts[..., 0].size"),
    "each parameter clipped alone": (
        STEP, CLIP, "for each in model.parameters():\n    clip_grad_norm([each], max_norm)"),
    "only the first parameter is clipped": (
        STEP, CLIP, "clip_grad_norm(model.parameters()[:1], max_norm)"),
    "each number clipped alone": (
        STEP, CLIP, "for each in model.parameters():\n"
        "    g = each.grad.data if isinstance(each.grad, Tensor) else each.grad\n"
        "    np.clip(g, -max_norm, max_norm, out=g)"),
    "long gradients are scaled, short ones too": (
        STEP, CLIP, "clip_grad_norm(model.parameters(), 1e-12)\n"
        "for each in model.parameters():\n    each.grad *= max_norm * 1e12"),
    "the argument of the probabilities is written to": (
        CHANCES, "scores = np.where(scores >= lowest, scores, -np.inf)",
        "scores[scores < lowest] = -np.inf"),
    "the argument is divided": (
        CHANCES, "powers = np.exp((scores - scores.max()) / temperature)",
        "scores /= temperature\npowers = np.exp(scores - scores.max())"),
    "probabilities in the dtype of the logits": (CHANCES, ', dtype="float64"', ""),
    "probabilities in float32": (
        CHANCES, "powers / powers.sum()", "(powers / powers.sum()).astype('float32')"),
    "what is left out has a score of -1000": (CHANCES, "scores, -np.inf", "scores, -1000.0"),
    "ties that are nearly ties": (
        CHANCES, "scores >= lowest", "(scores >= lowest) | np.isclose(scores, lowest)"),
    "a negative top_k is an index": (CHANCES, "top_k < 1", "top_k == 0"),
    "the seed is set for drawing": (
        GENERATE, "drawn = [", "np.random.seed(0)\ndrawn = ["),
    "a generator of its own for drawing": (
        GENERATE, ("np.random.choice", "rng.choice"),
        ("drawn = [", "rng = np.random.default_rng(0)\ndrawn = [")),
    "the likeliest once in a while": (
        GENERATE, "np.random.choice(len(chances), p=chances)",
        "chances.argmax() if len(drawn) < 3 else np.random.choice(len(chances), p=chances)"),
    "tokens in a list only": (GENERATE, "[int(token) for token in tokens]", "list.copy(tokens)"),
    "nothing but the new tokens": (
        GENERATE, "return np.array(drawn)", "return np.array(drawn) if count else np.array([])"),
}  # fmt: skip
