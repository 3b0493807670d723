"""Mutants that are told a mistake: somebody has read its sentence beside each, and it is true.

Target → mistake → the mutant's new line; `…` at its end stands for any end.
"""

TOLD = {
    "gpt.Characters.encode": {
        "silent-error": ["raise ValueError()"],
    },
    "gpt.windows": {
        "beyond-the-end": [
            "starts = np.random.randint(0, len(tokens) + length, size)",
            "starts = np.random.randint(0, len(tokens), size)",
            "places = starts[:, None] + length",
            "return (tokens[places], tokens[places + 2])",
        ],
        "not-shifted": ["return (tokens[places], tokens[places + 0])"],
    },
    "gpt.Embedding.__init__": {
        "own-dtype": ["dtype = 'float32'"],
    },
    "gpt.softmax": {
        "axis-ignored": ["axis = -1"],
    },
    "gpt.attention": {
        "mask-ignored": ["if False:", "blocked = 0.0", "scores = scores", "mask = None"],
        "not-low-enough": ["blocked = mask"],
    },
    "gpt.each_token": {
        "not-put-back": ["return layer(x.reshape(batch * length, dim))"],
    },
    "gpt.MultiHeadAttention.__init__": {
        "no-error": [
            "if False:",
            "no: raise ValueError(f'{dim} numbers cannot be shared out evenly among "
            "{heads} heads')",
        ],
        "own-dtype": ["dtype = 'float32'"],
    },
    "gpt.MultiHeadAttention.forward": {
        "mask-forgotten": ["mask = None"],
    },
    "gpt.gelu": {
        "squared": ["bent = x * (x * 0.044715 + 1.0) * (2 * math.sqrt(2 / math.pi))"],
        "no-root": ["bent = x * (x * x * 0.044715 + 1.0) * (2 * (2 / math.pi))"],
        "without-x": ["return ops.sigmoid(bent)"],
    },
    "gpt.Block.forward": {
        "mask-forgotten": ["mask = None"],
    },
    "gpt.GPT.__init__": {
        "no-norm": ["no: self.norm = LayerNorm1d(dim, dtype=dtype)"],
        "always-a-head": [
            "self.head = None if False else Linear(dim, vocabulary, bias=False, dtype=dtype)",
            "tied = False",
        ],
        "head-with-a-bias": [
            "self.head = None if tied else Linear(dim, vocabulary, bias=True, dtype=dtype)"
        ],
    },
    "gpt.GPT.forward": {
        "no-places": ["x = self.tokens(numbers)"],
        "no-mask": ["mask = length", "x = block(x)"],
        "no-norm": ["x = x"],
        "needs-a-head": ["if False:"],
    },
    "gpt.cross_entropy": {
        "last-token-instead": ["right = np.eye(logits.shape[-1])[numbers] * counts[..., None]"],
    },
    "gpt.train_step": {
        "zero-grad-forgotten": ["no: optimizer.zero_grad()"],
        "not-clipped": [
            "no: clip_grad_norm(model.parameters(), max_norm)",
            "model.parameters()",
            "max_norm",
        ],
        "step-forgotten": ["no: optimizer.step()"],
        "scheduler-forgotten": ["no: scheduler.step()"],
        "always-one": ["max_norm = 1.0"],
    },
    "gpt.next_probabilities": {
        "not-refused": [
            "if False:",
            "if temperature <= 0 and (top_k is not None and top_k < 1):",
            "no: raise ValueError('temperature has to be positive, and top_k at least 1')",
        ],
        "no-top-k": ["if False:", "scores = scores"],
        "multiplied": ["powers = np.exp((scores - scores.max()) * temperature)"],
        "no-temperature": ["powers = np.exp(scores - scores.max())"],
        "overflows": [
            "powers = np.exp((scores + scores.max()) / temperature)",
            "powers = np.exp(scores / temperature)",
        ],
    },
    "gpt.generate": {
        "all-of-it": ["seen = np.array([drawn[:]])"],
        "first-place": [
            "chances = next_probabilities(model(seen).data[0, -0], temperature, top_k)"
        ],
        "temperature-forgotten": ["temperature = 1.0"],
        "top-k-forgotten": ["top_k = None"],
    },
}
