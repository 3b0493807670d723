"""Mutants that may live: why each is as right as the reference, or what is left open there.

Target → reason → the line that a mutant says instead; `…` at its end stands for any end.
"""

NO_MESSAGE = "what the message says is left open"
NUMPYS_OWN = "a number of NumPy's is as good"
COMMUTED = "the order of both makes no difference"
ONE_ROW = "of one row the first is the last"
TWO_AXES = "of two axes the last is the second; of four the last but one is the third"

EQUIVALENT = {
    "inference.nucleus": {
        NO_MESSAGE: ("raise ValueError()",),
        "no check has a sum that rounding keeps from reaching p": (
            "before = np.cumsum(chances[order]) - chances[order]",
            "before = (np.cumsum(chances[order]) - chances[order]) * 1",
            "before = (np.cumsum(chances[order]) - chances[order]) * (1 + 1.1e-12)",
        ),
        "a sum that is exactly p comes out a little above it": ("stays = order[before <= p]",),
        "where nothing is yet, adding sets": ("kept[stays] += chances[stays]",),
    },
    "inference.quantise": {
        "no check has a row as small": (
            "scales = np.where(largest >= 1e-35, …", "scales = np.where(largest > 1.1e-35, …",
        ),
    },
    "inference.draw": {
        "no check has probabilities of float32": (
            "reached = np.cumsum(probabilities)",
            "reached = np.cumsum(probabilities, dtype='float32')",
        ),
        NUMPYS_OWN: (
            "return np.searchsorted(reached, generator.random() * reached[-1], side='right')",
        ),
    },
    "inference.choose": {
        NUMPYS_OWN: (
            "token = np.argmax(logits)", "return (token, next_probabilities(logits)[token])",
        ),
    },
    "inference.Cache.extend": {NO_MESSAGE: ("raise ValueError()",)},
    "inference.visible": {
        COMMUTED: (
            "text = (there >= np.asarray(starts)[:, None, None]) & (there <= new)",
            "return ((there == new) | text)[:, None]",
        ),
        "what stands at the same place is added anyway": (
            "text = (there < new) & (there >= np.asarray(starts)[:, None, None])",
        ),
        "`starts` is an array": ("text = (there <= new) & (there >= starts[:, None, None])",),
    },
    "inference.attend": {
        TWO_AXES: (
            "scores = q @ keys.swapaxes(-2, -1) / math.sqrt(q.shape[-1])",
            "scores = q @ keys.swapaxes(-1, 2) / math.sqrt(q.shape[-1])",
        ),
    },
    "inference.step": {
        "a place of 0.0 is a place": (
            "begins = np.zeros(rows) if starts is None else np.asarray(starts)",
        ),
        "before the blocks all caches hold as much": ("before = caches[-1].filled",),
    },
    "inference.stream": {
        NO_MESSAGE: ("raise ValueError()",),
        "any sequence can go into a batch": ("caches, new = (caches_for(model, 1), prompt)",),
        ONE_ROW: ("scores = step(model, [new], caches)[-1]",),
    },
    "inference.SmallLinear.forward": {
        "NumPy turns int8 into the dtype of `x` by itself": (
            "out = x.data @ self.codes.T * self.scales",
        ),
    },
    "inference.perplexity": {
        "in float32 it is as near as the scores are": ("scores = model(piece[None, :-1]).data[0]",),
        ONE_ROW: ("scores = model(piece[None, :-1]).data[-1].astype('float64')",),
        TWO_AXES: (
            "scores = scores - scores.max(axis=1, keepdims=True)",
            "logarithms = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))",
        ),
        NUMPYS_OWN: ("return np.exp(surprise / (len(tokens) - 1))",),
    },
    "inference.multiply_adds": {"a model keeps its sizes": ("kept by …",)},
}  # fmt: skip
