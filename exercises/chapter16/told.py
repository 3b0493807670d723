"""Mutants that are told a mistake: somebody has read its sentence beside each, and it is true.

Target → mistake → the mutant's new line; `…` at its end stands for any end.
"""

TOLD = {
    "inference.nucleus": {
        "not-refused": [
            "if False:",
            "no: raise ValueError('p has to be above 0, and at most 1')",
            "raise 'p has to be above 0, and at most 1'",
        ],
        "reached-left-out": ["before = np.cumsum(chances[order])"],
    },
    "inference.draw": {
        "not-above": ["return int(np.searchsorted(reached, generator.random() * reached[-1]))"],
        "rounding": [
            "return int(np.searchsorted(reached, generator.random() / reached[-1], side='right'))"
        ],
    },
    "inference.choose": {
        "zero-not-taken": ["if False:", "if temperature == -1:"],
        "top-p-ignored": ["chances = chances", "top_p = None"],
        "top-k-ignored": ["top_k = None"],
    },
    "inference.Cache.extend": {
        "not-asked": [
            "if False:",
            "no: raise ValueError(f'{end} tokens are more than the "
            "{self.keys.shape[2]} it has room for')",
        ],
        "not-counted": ["no: self.filled = end"],
    },
    "inference.attend": {
        "value-for-key": ["keys, values = cache.extend(v, k)"],
        "sight-ignored": ["scores = scores"],
        "overflows": ["powers = np.exp(scores + scores.max(axis=-1, keepdims=True))"],
    },
    "inference.step": {
        "starts-ignored": ["places = np.maximum(np.arange(before, before + count), 0)"],
        "first-place": ["last = model.norm(Tensor(x.data[:, -0], dtype=x.dtype))"],
        "needs-a-head": ["head = model.tokens.weight.transpose() if False else model.head.weight"],
    },
    "inference.stream": {
        "not-refused": [
            "if False:",
            "if len(prompt) - count > model.length:",
            "if count > model.length:",
            "no: raise ValueError(f'{len(prompt)} + {count} tokens are more than {model.length}')",
            "raise f'{len(prompt)} + {count} tokens are more than {model.length}'",
        ],
        "one-too-few": ["for _ in list(range(count))[:-1]:"],
        "top-p-forgotten": ["top_p = None"],
    },
    "inference.quantise": {
        "no-row-of-zeros": [
            "scales = np.where(largest >= 0, largest / 127, 1.0).astype('float32')",
            "scales = np.where(largest > -1, largest / 127, 1.0).astype('float32')",
        ],
    },
    "inference.restore": {
        "by-column": ["return codes * scales"],
    },
    "inference.SmallLinear.forward": {
        "no-bias": ["if False:", "out = out"],
    },
    "inference.perplexity": {
        "pieces-side-by-side-of-all": [
            "piece = tokens[start:start + model.length]",
            "piece = tokens[start:start + model.length + 0]",
        ],
        "overflows": ["scores = scores + scores.max(axis=-1, keepdims=True)", "scores = scores"],
        "no-minus": [
            "logarithms = np.log(np.exp(scores).sum(axis=-1, keepdims=True)) - scores",
            "return float(np.exp(surprise / (1 - len(tokens))))",
        ],
        "divided-by-all": ["return float(np.exp(surprise / (len(tokens) - 0)))"],
    },
    "inference.multiply_adds": {
        "new-keys-only": ["before = 0"],
    },
}
