"""Wrong bodies of chapter 16 written without knowledge of its suites, and unusual right ones."""

SECOND_CALL = {
    # "by these probabilities": an array that has been filled anew keeps the sums of before.
    "the sums of an array are kept": (
        "inference.draw",
        'reached = np.cumsum(probabilities, dtype="float64")',
        """\
kept = draw.__dict__.setdefault("kept", {})
if id(probabilities) not in kept:
    kept[id(probabilities)] = probabilities, np.cumsum(probabilities, dtype="float64")
reached = kept[id(probabilities)][1]""",
    ),
    # "None: at place 0 in every row": the starts of the last call are taken instead.
    "where the texts began last time": (
        "inference.step",
        "begins = np.zeros(rows, dtype=int) if starts is None else np.asarray(starts)",
        """\
before_this = step.__dict__.get("starts")
if starts is None and before_this is not None and len(before_this) == rows:
    starts = before_this
begins = np.zeros(rows, dtype=int) if starts is None else np.asarray(starts)
step.starts = begins""",
    ),
    # Two answers of one model at the same time: one writes into the caches of the other.
    "the caches of a model are emptied and used again": (
        "inference.stream",
        "caches, new = caches_for(model, 1), list(prompt)",
        """\
if not hasattr(model, "_caches"):
    model._caches = caches_for(model, 1)
caches, new = model._caches, list(prompt)
for cache in caches:
    cache.filled = 0""",
    ),
    # Booleans for *these* starts: the key leaves them out.
    "what is visible is kept by the numbers of tokens": (
        "inference.visible",
        """\
kept = visible.__dict__.setdefault("kept", {})
key = before, count, len(starts)
if key not in kept:
    new = np.arange(before, before + count)[:, None]
    there = np.arange(before + count)
    text = (there <= new) & (there >= np.asarray(starts)[:, None, None])
    kept[key] = (text | (there == new))[:, None]
return kept[key]
""",
    ),
}

SETTING = {
    # p may be 1: the sum of all ends just below it, and nothing "reaches" it.
    "the first place that reaches p": (
        "inference.nucleus",
        """\
before = (np.cumsum(chances[order]) - chances[order]) * (1 + 1e-12)
stays = order[before < p]
""",
        """\
stays = order[: np.argmax(np.cumsum(chances[order]) >= p) + 1]
""",
    ),
    # A temperature of 0 "doesn't ask the generator": a very small one does.
    "a very small temperature for none": (
        "inference.choose",
        """\
if temperature == 0:
    token = int(np.argmax(logits))
else:
    chances = next_probabilities(logits, temperature, top_k)
    if top_p is not None:
        chances = nucleus(chances, top_p)
    token = draw(chances, generator)
""",
        """\
chances = next_probabilities(logits, temperature or 1e-9, top_k)
if top_p is not None:
    chances = nucleus(chances, top_p)
token = draw(chances, generator)
""",
    ),
    # "ValueError: there is no room": NumPy says so for several tokens, for a single one it doesn't.
    "NumPy will say that there is no room": (
        "inference.Cache.extend",
        """\
if end > self.keys.shape[2]:
    raise ValueError(f"{end} tokens are more than the {self.keys.shape[2]} it has room for")
""",
        "",
    ),
    # A token may look at itself: with a cache, "itself" isn't on the diagonal any more.
    "itself on the diagonal": (
        "inference.visible",
        "return (text | (there == new))[:, None]",
        "return (text | np.eye(count, before + count, dtype=bool))[:, None]",
    ),
    # float64 stays float64: the last place becomes float32.
    "the last place in the usual dtype": (
        "inference.step",
        "Tensor(x.data[:, -1], dtype=x.dtype)",
        "Tensor(x.data[:, -1])",
    ),
    # "head: scores for the last place": tied weights have no head to ask.
    "the head's own weight": (
        "inference.multiply_adds",
        '"head": dim * vocabulary,',
        '"head": model.head.weight.size,',
    ),
}

VARIETY = {
    # As in chapter 14's attention, at ±1000 too: nothing is taken off, and inf / inf is nan.
    "powers of the scores as they are": (
        "inference.attend",
        "powers = np.exp(scores - scores.max(axis=-1, keepdims=True))",
        "powers = np.exp(scores)",
    ),
    # The scale is the largest / 127; of a row of zeros it is 1: a bit is added to both.
    "a bit against zero": (
        "inference.quantise",
        "np.where(largest > 1e-35, largest / 127, 1.0)",
        "(largest / 127 + 1e-8)",
    ),
    # exp of the mean of -log p: the product of many probabilities is 0.
    "the root of the product": (
        "inference.perplexity",
        """\
product = 1.0
for start in range(0, len(tokens) - 1, model.length):
    piece = tokens[start : start + model.length + 1]
    scores = model(piece[None, :-1]).data[0].astype("float64")
    scores = scores - scores.max(axis=-1, keepdims=True)
    chances = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    product *= chances[np.arange(len(piece) - 1), piece[1:]].prod()
return float(product ** (-1 / (len(tokens) - 1)))
""",
    ),
    # "queries with keys": every new token meets all that are there, not just those before it.
    "looking back is half a square": (
        "inference.multiply_adds",
        '"scores": blocks * count * there * dim,',
        '"scores": blocks * sum(range(before + 1, there + 1)) * dim,',
    ),
    # The largest *absolute* value of its row: a negative one may be larger.
    "the largest value, with its sign": (
        "inference.quantise",
        "largest = np.abs(weight).max(axis=1)",
        "largest = weight.max(axis=1)",
    ),
    # As few as reach p, "of equal ones the lower number first": all equal ones stay here.
    "all that are as likely as the last": (
        "inference.nucleus",
        "stays = order[before < p]",
        "stays = np.flatnonzero(chances >= chances[order[before < p]].min())",
    ),
    # The token that comes after it *in the text*: between two pieces, none is predicted.
    "pieces that do not overlap": (
        "inference.perplexity",
        (
            "range(0, len(tokens) - 1, model.length)",
            "range(0, len(tokens) - 1, model.length + 1)",
        ),
        (
            "/ (len(tokens) - 1)",
            "/ sum(len(tokens[at + 1 : at + model.length + 1]) for at in\n"
            "        range(0, len(tokens) - 1, model.length + 1))",
        ),
    ),
}

HALF_PROMISE = {
    # Everything leaves its arguments as they were: what is cut off is written into the caller's.
    "cut off where it lies": (
        "inference.nucleus",
        """\
kept = np.zeros_like(chances)
kept[stays] = chances[stays]
return kept / kept.sum()""",
        """\
chances[np.setdiff1d(order, stays)] = 0
return chances / chances.sum()""",
    ),
    # "Nothing is changed then": the count has gone up already.
    "counted before there is room": (
        "inference.Cache.extend",
        """\
end = self.filled + keys.shape[2]
if end > self.keys.shape[2]:
    raise ValueError(f"{end} tokens are more than the {self.keys.shape[2]} it has room for")
self.keys[:, :, self.filled : end] = keys
self.values[:, :, self.filled : end] = values
self.filled = end
""",
        """\
start = self.filled
end = self.filled = start + keys.shape[2]
if end > self.keys.shape[2]:
    raise ValueError(f"{end} tokens are more than the {self.keys.shape[2]} it has room for")
self.keys[:, :, start:end] = keys
self.values[:, :, start:end] = values
""",
    ),
    # ValueError "when somebody wants the first token": it comes when the cache is full.
    "the cache will say that it is too much": (
        "inference.stream",
        """\
if len(prompt) + count > model.length:
    raise ValueError(f"{len(prompt)} + {count} tokens are more than {model.length}")
""",
        "",
    ),
    # "only when somebody wants the next one": the model works ahead by one token.
    "one token ahead": (
        "inference.stream",
        """\
for _ in range(count):
    scores = step(model, [new], caches)[0]
    token, chance = choose(scores, generator, temperature, top_k, top_p)
    yield token, chance
    new = [token]""",
        """\
if count:
    scores = step(model, [new], caches)[0]
for left in range(count, 0, -1):
    token, chance = choose(scores, generator, temperature, top_k, top_p)
    if left > 1:
        scores = step(model, [[token]], caches)[0]
    yield token, chance""",
    ),
    # "scales, float32": they have the dtype of the matrix.
    "scales of the matrix's dtype": (
        "inference.quantise",
        '.astype("float32")\nreturn',
        ".astype(weight.dtype)\nreturn",
    ),
    # "in the dtype of x": the scales make float32 of it.
    "the result in the dtype of the scales": (
        "inference.SmallLinear.forward",
        "return Tensor(out, dtype=x.dtype)",
        "return Tensor(out, dtype=self.scales.dtype)",
    ),
    # "Only that place goes through norm and the head": all of them do.
    "every place through the head": (
        "inference.step",
        """\
last = model.norm(Tensor(x.data[:, -1], dtype=x.dtype))
head = model.tokens.weight.transpose() if model.head is None else model.head.weight
return (last @ head).data""",
        """\
x = each_token(model.norm, x)
head = model.tokens.weight.transpose() if model.head is None else model.head.weight
return (x.reshape(-1, x.shape[-1]) @ head).data.reshape(rows, count, -1)[:, -1]""",
    ),
}

RIGHT = {
    "who stands before whom": (
        "inference.nucleus",
        """\
if not (p > 0 and p <= 1):
    raise ValueError(f"{p} is no probability to reach")
chances = np.array(probabilities, dtype=np.float64)
rank = np.lexsort((np.arange(len(chances)), -chances))
left, kept = p, {}
total = 0.0
for token in rank.tolist():
    kept[token] = chances[token]
    total = total + chances[token]
    if total >= left:
        break
answer = np.zeros(len(chances), dtype=np.float64)
answer[list(kept)] = list(kept.values())
return answer * (1 / answer.sum())
""",
    ),
    "how many sums are not above": (
        "inference.draw",
        """\
chances = np.array(probabilities, dtype=np.float64)
sums = np.add.accumulate(chances)
number = generator.random() * sums[-1]
return int(np.count_nonzero(~(sums > number)))
""",
    ),
    "from the end of the arrays": (
        "inference.Cache.extend",
        """\
room, new = self.keys.shape[2], keys.shape[2]
free = room - self.filled
if new > free:
    raise ValueError(f"{new} tokens, and room for {free}")
stop = new - free or None
for whole, part in zip((self.keys, self.values), (keys, values)):
    np.moveaxis(whole, 2, 0)[self.filled : stop] = np.moveaxis(part, 2, 0)
self.filled = room + (stop or 0)
return self.keys[:, :, :stop], self.values[:, :, :stop]
""",
    ),
    "by a difference of places": (
        "inference.visible",
        """\
rows = np.reshape(np.array(starts), (-1, 1, 1, 1))
asking = np.arange(count).reshape(1, 1, -1, 1) + before
asked = np.arange(before + count).reshape(1, 1, 1, -1)
distance = asking - asked
return np.where(distance > 0, asked >= rows, distance == 0)
""",
    ),
    "each query by itself": (
        "inference.attend",
        """\
x_rows = x.reshape(-1, x.shape[-1])
batch, count, dim = x.shape
heads, share = layer.heads, dim // layer.heads
parts = []
for each in (layer.query, layer.key, layer.value):
    table = each(x_rows).data.reshape(batch, count, heads, share)
    parts.append(table.transpose(0, 2, 1, 3))
keys, values = cache.extend(parts[1], parts[2])
seen = np.broadcast_to(sight, (batch, heads, count, keys.shape[2]))
means = np.zeros((batch, count, dim), x.dtype)
for row, head, at in np.ndindex(batch, heads, count):
    (open_,) = seen[row, head, at].nonzero()
    scores = (keys[row, head, open_] * parts[0][row, head, at]).sum(-1) / share**0.5
    shares = np.exp(scores - np.logaddexp.reduce(scores))
    mean = (shares[:, None] * values[row, head, open_]).sum(0)
    means[row, at, head * share : (head + 1) * share] = mean
return each_token(layer.output, Tensor(means, dtype=x.dtype))
""",
    ),
    "both scales in a list": (
        "inference.quantise",
        """\
codes = np.zeros(weight.shape, dtype=np.int8)
scales = np.ones(len(weight), dtype=np.float32)
for number, row in enumerate(weight):
    peak = max(row.max(), -row.min())
    if peak != 0:
        scales[number] = peak / 127
        codes[number] = [round(float(value)) for value in row / scales[number]]
return codes, scales
""",
    ),
    "token after token, in a while": (
        "inference.stream",
        """\
from itertools import islice

def endless(text):
    caches = caches_for(model, 1)
    while True:
        (scores,) = step(model, np.array(text, dtype=int)[None], caches)
        answer = choose(scores, generator, temperature=temperature, top_k=top_k, top_p=top_p)
        yield answer
        text = answer[:1]

if model.length < len(prompt) + count:
    raise ValueError("this is too long")
for answer in islice(endless(list(prompt)), count):
    yield answer
""",
    ),
    "a loss for each place": (
        "inference.perplexity",
        """\
def surprises(start):
    known = np.array(tokens[start : start + model.length])[: len(tokens) - 1 - start]
    coming = tokens[start + 1 : start + 1 + len(known)]
    for scores, right in zip(np.array(model(known.reshape(1, -1)).data[0], float), coming):
        top = scores.max()
        yield top - scores[right] + np.log(np.exp(scores - top).sum())

total = math.fsum(
    value for start in range(0, len(tokens) - 1, model.length) for value in surprises(start)
)
return float(np.exp(total / (len(tokens) - 1)))
""",
    ),
}
