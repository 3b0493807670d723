"""Wrong bodies that break one clause of a promise alone: target → clause → the body, or an edit."""

SCALE = "largest / 127, 1.0"

BROKEN = {
    "inference.nucleus": {
        "They are taken from the likeliest down, of equal ones the lower number first;": (
            'np.argsort(-chances, kind="stable")',
            "len(chances) - 1 - np.argsort(-chances[::-1], kind='stable')",
        ),
        "the one with which their sum reaches `p` is the last that stays.": (
            "before < p", "before <= p * (1 + 1e-9)",
        ),
        "All others get 0,": ("np.zeros_like(chances)", "np.full_like(chances, chances.min() / 9)"),
        "and those that stay are divided by their sum.": ("kept / kept.sum()", "kept"),
        "ValueError: `p` is not above 0,": ("0 < p <= 1", "p <= 1"),
        "or is above 1.": ("0 < p <= 1", "0 < p"),
    },
    "inference.draw": {
        "So a token of probability 0 is never drawn,": ("right", "left"),
        "and the same generator draws the same again.": (
            "generator.random()", "(generator.random() + np.random.random()) % 1.0",
        ),
    },
    "inference.choose": {
        "Choose the next token; return it,": ("return token,", "return int(np.argmax(logits)),"),
        "the token, an int,": ("return token,", "return float(token),"),
        "and how likely the model held it.": (
            "float(next_probabilities(logits)[token])", "1.0",
        ),
        "A temperature of 0 takes the highest score, of equal ones the first,": (
            "int(np.argmax(logits))", "int(np.flatnonzero(logits == np.max(logits))[-1])",
        ),
        "and doesn't ask the generator.": (
            "int(np.argmax(logits))", "int(np.argmax(logits + 0 * generator.random()))",
        ),
        "neither the temperature nor what was cut off changes it.": (
            "next_probabilities(logits)[", "next_probabilities(logits, temperature or 1.0)[",
        ),
    },
    "inference.visible": {
        "A token may look at itself,": (
            ("there <= new", "there < new"),
            ("text | (there == new)",
             "text | (there == new) & (there < np.asarray(starts)[:, None, None])"),
        ),
        "and at everything before it from its row's start on.": (
            "(there <= new)", "(there == new)",
        ),
    },
    "inference.attend": {
        "The output of `layer` for the new tokens,": (
            "each_token(layer.output, join_heads(Tensor(means, dtype=x.dtype)))",
            "join_heads(Tensor(means, dtype=x.dtype))",
        ),
        "which look at all tokens so far.": (
            "keys, values = cache.extend(k, v)",
            "cache.extend(k, v)\nkeys, values, sight = k, v, sight[..., -k.shape[2] :]",
        ),
        "Queries, keys and values are made of the *new* tokens,": (
            "(part, x)",
            "(part, x if part is layer.query else Tensor(x.data * 0 + x.data[:, :1], "
            "dtype=x.dtype))",
        ),
        "and split into heads.": ("layer.heads).data", "1).data"),
    },
    "inference.step": {
        "caches: one for each block;": (
            "zip(model.blocks, caches)", "zip(model.blocks, caches[:: -1 if before else 1])",
        ),
        "they hold what came before,": (
            "visible(before, count, begins)", "visible(before, count, np.maximum(begins, before))",
        ),
        "and afterwards the new tokens too.": (
            "last =",
            "for cache in caches if before else ():\n    cache.filled = before\nlast =",
        ),
        "at place 0 in every row.": ("np.zeros(rows, dtype=int)", "np.arange(rows)"),
    },
    "inference.quantise": {
        "A matrix `(n, m)` in whole numbers from -127 to 127,": (
            "np.rint(weight / scales[:, None])",
            "np.rint(weight / scales[:, None]).clip(-100, 100)",
        ),
        "and a scale for each of its rows.": (
            "np.abs(weight).max(axis=1)", "np.full(len(weight), np.abs(weight).max())",
        ),
        "codes, int8 of shape `(n, m)`,": ("int8", "int16"),
        "and scales, float32 of shape `(n,)`.": (
            '1.0).astype("float32")', '1.0).astype("float64")',
        ),
        "A scale is the largest absolute value of its row divided by 127;": (
            SCALE, "largest / 125, 1.0",
        ),
        "of a row of zeros it is 1.": (SCALE, "largest / 127, 2.0"),
    },
    "inference.perplexity": {
        "The text is cut into pieces of `model.length` tokens, one after another;": """
            surprise, length = 0.0, max(model.length - 1, 1)
            for start in range(0, len(tokens) - 1, length):
                piece = tokens[start : start + length + 1]
                scores = model(piece[None, :-1]).data[0].astype("float64")
                scores = scores - scores.max(axis=-1, keepdims=True)
                logarithms = scores - np.log(np.exp(scores).sum(axis=-1, keepdims=True))
                surprise -= logarithms[np.arange(len(piece) - 1), piece[1:]].sum()
            return float(np.exp(surprise / (len(tokens) - 1)))
        """,
        "the last may be shorter.": (
            "range(0, len(tokens) - 1, model.length)",
            "range(0, len(tokens) - model.length, model.length)",
        ),
        "In each piece every token predicts the one that comes after it in the text,": (
            "piece[1:]]", "piece[:-1]]",
        ),
        "so that every token but the very first is predicted once.": (
            "len(tokens) - 1, model.length)", "len(tokens) - 1, max(model.length - 1, 1))",
        ),
    },
}  # fmt: skip
