"""Wrong bodies that break one clause of a promise alone: target → clause → the body, or an edit."""

BACKWARDS = ("+ np.arange(length)", "+ np.arange(length)[::-1]")
SPLIT = "split_heads(each_token(layer, x), self.heads)"

BROKEN = {
    "gpt.windows": {
        "pieces of a long sequence,": BACKWARDS,
        "A row of inputs is a piece of `tokens`;": BACKWARDS,
        "its row of targets is the piece that begins *one token later*,": (
            "tokens[places + 1]", "tokens[(places + 2) % len(tokens)]",
        ),
        "so that `targets[i, t]` is what follows `inputs[i, t]`.": (
            "tokens[places + 1]", "tokens[places + 1][:, ::-1]",
        ),
    },
    "gpt.causal_mask": {
        "at itself and at everything before it,": (
            "dtype=bool)", "dtype=bool), -1",
        ),
        "but at nothing after it.": ("dtype=bool)", "dtype=bool), 1"),
    },
    "gpt.attention": {
        "the means, `(…, T, e)`,": ("weights @ v,", "weights @ v * float(v.shape[-2]),"),
        "the softmax over the *keys* of `q · k / √d`.": (" / math.sqrt(q.shape[-1])", ""),
    },
    "gpt.split_heads": {
        "and so on.": """
            batch, length, dim = x.shape
            two = 2 * (dim // heads)
            order = [*range(two), *range(dim - 1, two - 1, -1)]
            x = x @ Tensor(np.eye(dim)[:, order], dtype=x.dtype, requires_grad=False)
            return x.reshape(batch, length, heads, dim // heads).transpose((0, 2, 1, 3))
        """,
    },
    "gpt.each_token": {
        "The layer takes rows, `(rows, C)`,": "return layer(x)",
        "each token is a row.": (
            "layer(x.reshape", "layer(x.transpose((1, 0, 2)).reshape",
        ),
    },
    "gpt.MultiHeadAttention": {
        "heads: how many there are.": {
            "gpt.MultiHeadAttention.__init__": ("self.heads = heads", "self.heads = dim"),
        },
    },
    "gpt.MultiHeadAttention.__init__": {
        "keep `heads`.": ("self.heads = heads", "self.heads = 1"),
    },
    "gpt.MultiHeadAttention.forward": {
        "The layers of these names make queries, keys and values from `x`,": (
            "self.query, self.key, self.value", "self.query, self.value, self.key",
        ),
        "which are split into heads.": (SPLIT, SPLIT.replace("self.heads", "1")),
        "the result, `(B, T, C)`,": ("each_token(self.output, join_heads(means))", "x"),
        "and the weights of every head, `(B, H, T, T)`.": (
            "), weights", "), weights.transpose()",
        ),
    },
    "gpt.gelu": {
        "value and gradient are finite for every `x` from -1000 to 1000.": (
            "x * ops.sigmoid(bent)", "x / (ops.exp(bent * -1.0) + 1.0)",
        ),
    },
    "gpt.Block": {
        "attention: MultiHeadAttention of `dim` and `heads`.": {
            "gpt.Block.__init__": ("(dim, heads, dtype)", "(dim, 1, dtype)"),
        },
    },
    "gpt.Block.forward": {
        "The norm comes first in both (*pre-norm*),": (
            "each_token(self.expand, each_token(self.norm2, x))",
            "each_token(self.norm2, each_token(self.expand, x)[..., : x.shape[-1]])",
        ),
        "and the way around holds `x` as it was.": (
            "return x +", "return each_token(self.norm2, x) +",
        ),
    },
    "gpt.cross_entropy": {
        "logits: `(…, V)`;": (
            "int(counts.sum())", "int(counts.reshape(-1, *counts.shape[-2:])[0].sum())",
        ),
    },
    "gpt.train_step": {
        (
            "then scale the gradients of all parameters of the model down to `max_norm` together "
            "(`clip_grad_norm`), let the optimizer step,"
        ): ("parameters(), max_norm)", "parameters(), max(max_norm, 1.0))"),
        "and then the scheduler.": (
            (
                "optimizer.zero_grad()",
                "if any(optimizer.steps):\n    scheduler.step()\noptimizer.zero_grad()",
            ),
            ("optimizer.step()\nscheduler.step()\n", "optimizer.step()\n"),
        ),
    },
    "gpt.next_probabilities": {
        "Small ones make the likeliest likelier;": ("/ temperature", "/ max(temperature, 1.0)"),
        "large ones bring all closer together.": ("/ temperature", "/ min(temperature, 1.0)"),
        "top_k: only the k tokens with the highest scores can be drawn;": (
            ("np.sort(scores)[-top_k]", "np.sort(scores)[top_k - 1]"),
            ("scores >= lowest", "scores <= lowest"),
        ),
        "the others have probability 0.": ("-np.inf", "lowest - 1.0"),
        "all can be drawn.": ("if top_k is not None and top_k < len(scores):", "if top_k:"),
        "ValueError: `temperature` is not positive,": ("temperature <= 0 or", ""),
        "or `top_k` is less than 1.": ("and top_k < 1)", "and top_k < -1)"),
    },
    "gpt.generate": {
        "It gets only that many of the last ones,": ("-model.length :", ": model.length"),
        "and never more.": ("[-model.length :]", ""),
        "a list or an ndarray,": ("[int(token) for token in tokens]", "list.copy(tokens)"),
        "which stays as it was.": (
            "[int(token) for token in tokens]",
            "tokens if isinstance(tokens, list) else tokens.tolist()",
        ),
    },
}  # fmt: skip
