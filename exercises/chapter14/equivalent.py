"""Mutants that may live: why each is as right as the reference, or what is left open there.

Target → reason → the line that a mutant says instead; `…` at its end stands for any end.
"""

NO_MESSAGE = "what the message says is left open"
ASKS = "whether a constant asks for a gradient is left open: nobody looks at it"
FLOAT64_STAYS = "beside a number of float64, one of float32 becomes float64; 0 and 1 lose nothing"
RULE_IN_FLOAT32 = "a Tensor that a rule makes is float32 by default, and that may not cost the rule"

EQUIVALENT = {
    "gpt.Characters.encode": {
        "the order in which a message names several characters is left open": (
            "unknown = set(text) - set(numbers)",
        ),
        "of whole numbers; an empty text has none": (
            "return np.array([numbers[letter] for letter in text])",
        ),
        "of a list both make an array": (
            "return np.asarray([numbers[letter] for letter in text], dtype=int)",
        ),
    },
    "ops.Take.backward": {
        RULE_IN_FLOAT32: (
            "copies = Tensor.one_hot(self.indices.ravel(), rows)",
            "return cast(matmul(transpose(copies), reshape(out_grad, (self.indices.size, dim))), …",
        ),
    },
    "gpt.attention": {
        "the same number more in every score that stays changes no weight": (
            "blocked = np.where(mask, 0.1, -np.inf)",
        ),
        FLOAT64_STAYS: ("scores = scores + Tensor(blocked, requires_grad=False)",),
        ASKS: (
            "scores = scores + Tensor(blocked, dtype=scores.dtype)",
            "scores = scores + Tensor(blocked, dtype=scores.dtype, requires_grad=True)",
        ),
    },
    "gpt.causal_mask": {
        "all masks of one length are alike": ("one array for all results",),
    },
    "gpt.each_token": {
        "NumPy takes any negative size for the one that is left open": (
            "return layer(x.reshape(batch * length, dim)).reshape(batch, length, -2)",
        ),
    },
    "gpt.MultiHeadAttention.__init__": {NO_MESSAGE: ("raise ValueError()",)},
    "gpt.GPT.forward": {NO_MESSAGE: ("raise ValueError()",)},
    "gpt.cross_entropy": {
        "rows of what does not count are multiplied by 0": (
            "right = np.eye(logits.shape[-1])[np.where(counts, numbers, 1)] * counts[..., None]",
            "right = np.eye(logits.shape[-1])[np.where(counts, numbers, -1)] * counts[..., None]",
        ),
        FLOAT64_STAYS: (
            "chosen = ops.log_softmax(logits) * Tensor(right, requires_grad=False)",
        ),
        ASKS: (
            "chosen = ops.log_softmax(logits) * Tensor(right, dtype=logits.dtype)",
            "chosen = ops.log_softmax(logits) * Tensor(right, dtype=logits.dtype, "
            "requires_grad=True)",
        ),
        "no check has whole numbers in floats": (
            "numbers = np.asarray(targets.data if isinstance(targets, Tensor) else targets)",
        ),
        "NumPy's whole number divides as well": ("return chosen.sum() / -counts.sum()",),
    },
    "gpt.train_step": {
        "the loss is a single number, in float64 either way": (
            "return loss.data.item()", "return float(loss.data)",
        ),
    },
    "gpt.next_probabilities": {
        NO_MESSAGE: ("raise ValueError()",),
        "as many as there are: all stay": ("if top_k is not None and top_k <= len(scores):",),
    },
    "gpt.generate": {
        "NumPy's whole numbers are as good": (
            "drawn = [token for token in tokens]",
            "drawn.append(np.random.choice(len(chances), p=chances))",
        ),
        "a model takes a list, too": ("seen = [drawn[-model.length:]]",),
        "of a list both make an array": (
            "seen = np.asarray([drawn[-model.length:]])", "return np.asarray(drawn)",
        ),
        "of one sequence the last is the first": (
            "chances = next_probabilities(model(seen).data[-1, -1], temperature, top_k)",
        ),
    },
}  # fmt: skip
