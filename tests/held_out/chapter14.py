"""Wrong bodies of chapter 14 written without knowledge of its suites, and unusual right ones."""

SECOND_CALL = {
    # Booleans of a triangle: whoever writes into a mask spoils that of the next call.
    "one mask for each length": (
        "gpt.causal_mask",
        """\
made = causal_mask.__dict__.setdefault("made", {})
if length not in made:
    made[length] = np.tril(np.ones((length, length), dtype=bool))
return made[length]
""",
    ),
    # The embedding of each place, as it is *now*: after a step, that of before is added.
    "the places are looked up once for each length": (
        "gpt.GPT.forward",
        "x = self.tokens(numbers) + self.positions(np.arange(length))",
        """\
looked_up = self.__dict__.setdefault("_places", {})
if length not in looked_up:
    looked_up[length] = self.positions(np.arange(length))
x = self.tokens(numbers) + looked_up[length]""",
    ),
    # "the gradients of all parameters of the model": of the model of the first call.
    "the parameters of the first model": (
        "gpt.train_step",
        "clip_grad_norm(model.parameters(), max_norm)",
        """\
if not hasattr(train_step, "parameters"):
    train_step.parameters = model.parameters()
clip_grad_norm(train_step.parameters, max_norm)""",
    ),
    # One head's share is C / H of *this* x: the first call's share is kept.
    "the share of a head is kept by the number of heads": (
        "gpt.split_heads",
        """\
batch, length, dim = x.shape
shares = split_heads.__dict__.setdefault("shares", {})
share = shares.setdefault(heads, dim // heads)
return x.reshape(batch, length, -1, share).transpose((0, 2, 1, 3))
""",
    ),
    # The places are drawn anew for every batch: two batches of one size are the same.
    "the places are drawn once for each size": (
        "gpt.windows",
        "starts = np.random.randint(0, len(tokens) - length, size)",
        """\
drawn = windows.__dict__.setdefault("drawn", {})
key = len(tokens), length, size
if key not in drawn:
    drawn[key] = np.random.randint(0, len(tokens) - length, size)
starts = drawn[key]""",
    ),
}

SETTING = {
    # "Make the four layers, of this dtype": three are.
    "the last layer has the usual dtype": (
        "gpt.MultiHeadAttention.__init__",
        "self.output = Linear(dim, dim, dtype=dtype)",
        "self.output = Linear(dim, dim)",
    ),
    # "None: every query may look at every key": a block without a mask is causal.
    "no mask means a causal one": (
        "gpt.Block.forward",
        "mixed, _ = self.attention(each_token(self.norm1, x), mask)",
        """\
mask = causal_mask(x.shape[1]) if mask is None else mask
mixed, _ = self.attention(each_token(self.norm1, x), mask)""",
    ),
    # "logits (…, V), targets (…)": only two axes in front are thought of.
    "batches of sequences, nothing else": (
        "gpt.cross_entropy",
        "counts = numbers >= 0",
        "batch, length, vocabulary = logits.shape\ncounts = numbers >= 0",
    ),
    # Down to max_norm: the default is written out.
    "the norm is always clipped to one": (
        "gpt.train_step",
        "clip_grad_norm(model.parameters(), max_norm)",
        "clip_grad_norm(model.parameters(), 1.0)",
    ),
    # "T is greater than length" is an error; as many as fit are none.
    "a full text is too long": (
        "gpt.GPT.forward",
        "if length > self.length:",
        "if length >= self.length:",
    ),
}

VARIETY = {
    # "drawn separately for every row": no two rows of a batch begin at the same place.
    "no place is drawn twice": (
        "gpt.windows",
        "starts = np.random.randint(0, len(tokens) - length, size)",
        "starts = np.random.permutation(len(tokens) - length)[:size]",
    ),
    # The gradient has the shape of the table: rows after the last one that was picked are missing.
    "as many rows as the largest number": (
        "ops.Take.backward",
        "rows, dim = a.shape\n",
        "rows, dim = int(self.indices.max()) + 1, a.shape[1]\n",
    ),
    # Finite at ±1000: with the largest of *all* rows taken off, a row far below is 0 / 0.
    "the largest of all is taken off": (
        "gpt.softmax",
        """\
powers = ops.exp(x - Tensor(x.data.max(), dtype=x.dtype, requires_grad=False))
place = axis % x.ndim
kept = tuple(1 if at == place else size for at, size in enumerate(x.shape))
return powers / powers.sum(axis).reshape(kept)
""",
    ),
    # √d, d of a key: a value may be longer than a key.
    "the root of a value's length": (
        "gpt.attention",
        "math.sqrt(q.shape[-1])",
        "math.sqrt(v.shape[-1])",
    ),
    # The others sum to 1: where a blocked score is far above the rest, 0 / 0 is left of them.
    "blocked after the softmax, the rest shared out": (
        "gpt.attention",
        """\
weights = softmax((q @ k.transpose()) / math.sqrt(q.shape[-1]))
if mask is not None:
    open_ = np.where(mask, 1.0, 0.0)
    weights = weights * Tensor(open_, dtype=weights.dtype, requires_grad=False)
    weights = weights / weights.sum(-1).reshape(*weights.shape[:-1], 1)
return weights @ v, weights
""",
    ),
    # The probabilities at the *last* place: from the second token on, it is another one.
    "the place of the last token that came in": (
        "gpt.generate",
        "chances = next_probabilities(model(seen).data[0, -1], temperature, top_k)",
        """\
place = min(len(tokens), model.length) - 1
    chances = next_probabilities(model(seen).data[0, place], temperature, top_k)""",
    ),
    # Only the k highest, and all that tie for the last place: equal ones count as one here.
    "the k highest different scores": (
        "gpt.next_probabilities",
        "lowest = np.sort(scores)[-top_k]",
        "lowest = np.unique(scores)[-min(top_k, len(np.unique(scores)))]",
    ),
}

HALF_PROMISE = {
    # "The message names it": the error comes from str.index, and names nothing.
    "what is missing is not named": (
        "gpt.Characters.encode",
        "return np.array([self.letters.index(letter) for letter in text], dtype=int)\n",
    ),
    # ValueError if dim cannot be divided: an assertion is another error.
    "an assertion instead of a ValueError": (
        "gpt.MultiHeadAttention.__init__",
        """\
if dim % heads:
    raise ValueError(f"{dim} numbers cannot be shared out evenly among {heads} heads")""",
        'assert dim % heads == 0, f"{dim} numbers for {heads} heads"',
    ),
    # Finite from -1000 to 1000: tanh by its definition is inf / inf.
    "tanh by its definition in gelu": (
        "gpt.gelu",
        """\
z = (x + 0.044715 * x * x * x) * math.sqrt(2 / math.pi)
power = ops.exp(2.0 * z)
return 0.5 * x * (1.0 + (power - 1.0) / (power + 1.0))
""",
    ),
    # "A place whose target is *negative* does not count": only -1 is left out.
    "only minus one is left out": (
        "gpt.cross_entropy",
        "counts = numbers >= 0",
        "counts = numbers != -1",
    ),
    # "together": each parameter is clipped by itself.
    "each gradient is clipped by itself": (
        "gpt.train_step",
        "clip_grad_norm(model.parameters(), max_norm)",
        """\
for parameter in model.parameters():
    clip_grad_norm([parameter], max_norm)""",
    ),
    # "a list or an ndarray, which stays as it was": a list grows.
    "the list that came in grows": (
        "gpt.generate",
        "drawn = [int(token) for token in tokens]",
        "drawn = tokens if isinstance(tokens, list) else [int(token) for token in tokens]",
    ),
    # "It is called once, with all tokens": the output's width is found out by another call.
    "the width is found out by a call": (
        "gpt.each_token",
        "return layer(x.reshape(batch * length, dim)).reshape(batch, length, -1)",
        """\
wide = layer(x.reshape(batch * length, dim)[:1]).shape[-1]
return layer(x.reshape(batch * length, dim)).reshape(batch, length, wide)""",
    ),
    # Everything leaves its inputs as they were: blocked scores are written into the caller's array.
    "scores are cut off where they lie": (
        "gpt.next_probabilities",
        "scores = np.where(scores >= lowest, scores, -np.inf)",
        "scores[scores < lowest] = -np.inf",
    ),
}

RIGHT = {
    "places in a sorted list": (
        "gpt.Characters.encode",
        """\
points = np.array([ord(letter) for letter in self.letters], dtype=int)
asked = np.fromiter(map(ord, text), dtype=int, count=len(text))
places = np.zeros_like(asked)
strange = np.ones(len(asked), dtype=bool)
if len(points):
    order = np.argsort(points)
    at = np.minimum(np.searchsorted(points[order], asked), len(points) - 1)
    places = order[at].astype(int)
    strange = points[places] != asked
if strange.any():
    raise ValueError("no number for " + ", ".join(repr(chr(each)) for each in asked[strange]))
return places
""",
    ),
    "a view of all pieces": (
        "gpt.windows",
        """\
pieces = np.lib.stride_tricks.sliding_window_view(np.asarray(tokens), length + 1)
chosen = pieces[[np.random.randint(len(pieces)) for _ in range(size)]]
both = np.array(chosen).reshape(size, length + 1)
return both[:, :-1].copy(), both[:, 1:].copy()
""",
    ),
    "a product and a sum instead of a matrix": (
        "ops.Take.backward",
        """\
(a,) = node._inputs
rows, dim = a.shape
count = self.indices.size
picked = np.equal.outer(np.arange(rows), self.indices.reshape(count))
ones = Tensor(picked.reshape(rows, count, 1), dtype=a.dtype, requires_grad=False)
whole = (rows, count, dim)
parts = broadcast_to(reshape(out_grad, (1, count, dim)), whole)
return summation(broadcast_to(ones, whole) * parts, 1)
""",
    ),
    "numbers before tokens": (
        "gpt.split_heads",
        """\
batch, length, dim = x.shape
return x.transpose().reshape(batch, heads, dim // heads, length).transpose()
""",
    ),
    "the way of the heads backwards": (
        "gpt.join_heads",
        """\
batch, heads, length, share = x.shape
return x.transpose().reshape(batch, heads * share, length).transpose()
""",
    ),
    "scores by broadcasting": (
        "gpt.attention",
        """\
*front, asking, width = q.shape
there = k.shape[-2]
whole = (*front, asking, there, width)
scaled = q * (1 / math.sqrt(width))
pairs = scaled.reshape(*front, asking, 1, width).broadcast_to(whole)
pairs = pairs * k.reshape(*front, 1, there, width).broadcast_to(whole)
scores = pairs.sum(-1)
if mask is not None:
    wall = np.zeros((asking, there))
    wall[~np.asarray(mask, dtype=bool)] = -np.inf
    wall = np.broadcast_to(wall, scores.shape)
    scores = Tensor(wall, dtype=scores.dtype, requires_grad=False) + scores
weights = softmax(scores, len(front) + 1)
return weights.matmul(v), weights
""",
    ),
    "picked from a long list": (
        "gpt.cross_entropy",
        """\
numbers = np.array(targets.data if isinstance(targets, Tensor) else targets).astype(int)
vocabulary = logits.shape[-1]
flat = numbers.reshape(-1)
(places,) = np.nonzero(flat >= 0)
table = ops.log_softmax(logits.reshape(-1, vocabulary)).reshape(flat.size * vocabulary, 1)
surprises = ops.take(table, places * vocabulary + flat[places])
return -(surprises.sum() / len(places))
""",
    ),
    "the form with tanh": (
        "gpt.gelu",
        """\
cube = x * x * x
inner = ops.tanh((cube * 0.044715 + x) * (2 / math.pi) ** 0.5)
half = x / 2
return half + half * inner
""",
    ),
    "a comparison of all with all": (
        "gpt.causal_mask",
        "return np.less_equal.outer(np.arange(length), np.arange(length)).T.copy()\n",
    ),
    "the k-th highest by a partition": (
        "gpt.next_probabilities",
        """\
if not temperature > 0 or (top_k is not None and not top_k >= 1):
    raise ValueError("which?")
scores = np.array(logits, dtype="float64")
k = len(scores) if top_k is None else min(int(top_k), len(scores))
bar = -np.partition(-scores, k - 1)[k - 1]
stay = np.flatnonzero(scores >= bar)
distances = (scores[stay] - scores[stay].max()) / temperature
shares = np.exp(distances - np.logaddexp.reduce(distances))
found = np.zeros(len(scores))
found[stay] = shares / shares.sum()
return found
""",
    ),
}
