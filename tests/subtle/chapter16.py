"""Answers that are all but right: what is drawn, kept, seen, and counted."""

NUCLEUS = "inference.nucleus"
DRAW = "inference.draw"
CHOOSE = "inference.choose"
EXTEND = "inference.Cache.extend"
VISIBLE = "inference.visible"
ATTEND = "inference.attend"
STEP = "inference.step"
STREAM = "inference.stream"
QUANTISE = "inference.quantise"
LAYER = "inference.SmallLinear.forward"
PERPLEXITY = "inference.perplexity"
COUNT = "inference.multiply_adds"

SUBTLE = {
    "the sum may fall short by a hair": (NUCLEUS, "before < p", "before < p - 1e-3"),
    "one token stays at least two": (NUCLEUS, "order[before < p]",
                                     "order[: max(2, int((before < p).sum()))]"),
    "the argument is divided in place": (
        NUCLEUS, "kept[stays] = chances[stays]\nreturn kept / kept.sum()",
        "kept[stays] = chances[stays]\nprobabilities[order[before >= p]] = 0\n"
        "return kept / kept.sum()"),
    "float32 in the nucleus": (NUCLEUS, "return kept / kept.sum()",
                               "return (kept / kept.sum()).astype(probabilities.dtype)"),
    "p is capped, not refused": (NUCLEUS, "if not 0 < p <= 1:", "p = min(p, 1)\nif p <= 0:"),
    "the generator is asked twice": (DRAW, "generator.random() *",
                                     "max(generator.random(), 0 * generator.random()) *"),
    "the last token takes what is over, even if it is impossible": (
        DRAW, "generator.random() * reached[-1], side=\"right\"",
        "min(generator.random(), 1.0), side=\"right\""),
    "nearly 0 is 0": (CHOOSE, "temperature == 0", "temperature < 0.3"),
    "the last of equal scores": (CHOOSE, "int(np.argmax(logits))",
                                 "int(len(logits) - 1 - np.argmax(logits[::-1]))"),
    "probability of what was drawn from at top_p": (
        CHOOSE, "return token, float(next_probabilities(logits)[token])",
        "return token, float((next_probabilities(logits) if top_p is None else chances)[token])"),
    "full means one place left": (EXTEND, "end > self.keys.shape[2]",
                                  "end > self.keys.shape[2] - (self.filled > 0)"),
    "values are a copy": (EXTEND, ", self.values[:, :, :end]",
                          ", np.array(self.values[:, :, :end])"),
    "filled before it is refused": (
        EXTEND, "end = self.filled + keys.shape[2]\n",
        "self.filled = end = self.filled + keys.shape[2]\n"),
    "the first row's start for all": (VISIBLE, "np.asarray(starts)[:", "np.asarray(starts)[:1][:"),
    "filler sees filler": (VISIBLE, "return (text | (there == new))",
                           "filler = new < np.asarray(starts)[:, None, None]\n"
                           "text = text | (filler & (there <= new))\n"
                           "return (text | (there == new))"),
    "a cap on scores": (ATTEND, "scores = np.where(sight, scores, -np.inf)",
                        "scores = np.where(sight, np.clip(scores, -20, 20), -np.inf)"),
    "thirty for infinity": (ATTEND, "-np.inf", "-30.0"),
    "one maximum for all": (ATTEND, "scores.max(axis=-1, keepdims=True)",
                            "scores[np.isfinite(scores)].max()"),
    "a floor under the weights": (ATTEND, "powers.sum(axis=-1, keepdims=True)",
                                  "(powers.sum(axis=-1, keepdims=True) + 1e-3)"),
    "filler counts backwards": (
        STEP, "np.maximum(np.arange(before, before + count) - begins[:, None], 0)",
        "np.abs(np.arange(before, before + count) - begins[:, None])"),
    "places from the last cache, after the blocks": (
        STEP, "before = caches[0].filled", "before = caches[0].filled * (len(caches) == 1)"),
    "tied weights of the head's shape": (STEP, "if model.head is None", "if count == 1"),
    "a prompt without its last token": (STREAM, "list(prompt)\n",
                                          "list(prompt)[: max(1, len(prompt) - 1)]\n"),
    "one more fits": (STREAM, "len(prompt) + count > model.length",
                      "len(prompt) + count > model.length + 1"),
    "rounded to even numbers": (QUANTISE, "np.rint(weight / scales[:, None])",
                                "2 * np.rint(weight / scales[:, None] / 2)"),
    "a scale that is a little large": (QUANTISE, "largest / 127", "largest / 126.5"),
    "a bias for all rows but the first": (LAYER, "out = out + self.bias",
                                          "out[1:] = out[1:] + self.bias"),
    "two pieces only": (PERPLEXITY, "len(tokens) - 1, model.length)",
                        "min(len(tokens) - 1, 2 * model.length), model.length)"),
    "a window that slides": (PERPLEXITY, """
        surprise = 0.0
        for end in range(1, len(tokens)):
            scores = model(tokens[None, max(end - model.length, 0) : end]).data[0, -1].astype(float)
            scores = scores - scores.max()
            surprise -= scores[tokens[end]] - np.log(np.exp(scores).sum())
        return float(np.exp(surprise / (len(tokens) - 1)))
    """),
    "probabilities have a floor": (
        PERPLEXITY, "surprise -= logarithms", "logarithms = np.maximum(logarithms, -9)\n"
        "    surprise -= logarithms"),
    "half of the square": (COUNT, '"scores": blocks * count * there * dim',
                           '"scores": blocks * (count * there - count * (count - 1) // 2) * dim'),
    "an attention without output in the last block": (COUNT, "blocks * 4 * count",
                                                      "(blocks * 4 - 1) * count"),
    "a scale of a millionth at least": (
        "inference.quantise", "largest / 127, 1.0)",
        "np.maximum(largest / 127, 1e-6), 1.0)"),
    "a scale that is never tiny": (
        "inference.quantise", "largest / 127, 1.0)",
        "np.maximum(largest / 127, 1e-8), 1.0)"),
    "a tiny row is a row of zeros": (
        "inference.quantise", "largest > 1e-35",
        "largest > 1e-6"),
    "each token predicts from itself alone": (
        PERPLEXITY, 'model(piece[None, :-1]).data[0].astype("float64")',
        "np.concatenate([model(piece[None, at : at + 1]).data[0]\n"
        "                         for at in range(len(piece) - 1)]).astype('float64')"),
    "a window that slides in the loop of pieces": (
        PERPLEXITY,
        "for start in range(0, len(tokens) - 1, model.length):\n"
        "    piece = tokens[start : start + model.length + 1]\n"
        '    scores = model(piece[None, :-1]).data[0].astype("float64")',
        "for end in range(1, len(tokens)):\n"
        "    piece = tokens[max(0, end - model.length) : end + 1]\n"
        '    scores = model(piece[None, :-1]).data[0, -1:].astype("float64")\n'
        "    piece = piece[-2:]"),
    "a thousandth is no temperature": (CHOOSE, "temperature == 0", "temperature < 0.001"),
    "top_p is capped": (CHOOSE, "nucleus(chances, top_p)", "nucleus(chances, min(top_p, 1.0))"),
    "a top_p of 0 is none": (CHOOSE, "top_p is not None", "top_p"),
    "powers of the scores as they came": (
        CHOOSE, "return token, float(next_probabilities(logits)[token])",
        "powers = np.exp(np.asarray(logits, dtype='float64'))\n"
        "return token, float(powers[token] / powers.sum())"),
    "top_k or top_p": (
        STREAM, "temperature, top_k, top_p)", "temperature, None if top_p else top_k, top_p)"),
    "a temperature or top_p": (
        STREAM, "temperature, top_k, top_p)", "1.0 if top_p else temperature, top_k, top_p)"),
}  # fmt: skip
