"""Programs for a model that answers: what is chosen, what is kept, small numbers, what it costs."""

import numpy as np

from .attentions import made
from .harness import (
    POOL,
    Complaint,
    array_of,
    article,
    ask_first,
    kept_dtype,
    leaf,
    tensor_data,
    text,
    told,
    unlike,
)

MEANS = {
    "no_nucleus": {"not_so": {"value": "A ValueError was expected, and none was raised."}},
    "not_chosen": {"not_so": {"value": "A ValueError was expected, and none was raised."}},
    "no_room": {"not_so": {"value": "A ValueError was expected, and none was raised."}},
    "too_much": {"not_so": {"value": "A ValueError was expected, and none was raised."}},
    "extended": {"names": {"value": ["the keys", "the values"]}},
    "attended": {"names": {"cached": ["the keys in the cache", "the values in the cache"]}},
    "quantised": {"names": {"value": ["the codes", "the scales"]}},
    "counted": {
        "names": {"value": ['"projections"', '"scores"', '"means"', '"thinking"', '"head"']},
    },
}


# ---- what to say next ---------------------------------------------------------------------


class Numbers(np.random.Generator):
    """A generator that gives the numbers it is told, and counts how often it is asked."""

    def __init__(self, numbers):
        super().__init__(np.random.PCG64(0))
        self.begin(numbers)

    def begin(self, numbers):
        self.numbers, self.asked = list(numbers), 0
        return self

    def random(self, size=None, **_):
        number = self.numbers[self.asked % len(self.numbers)]
        self.asked += 1
        return number if size is None else np.full(size, number)


def generator_of(numbers):
    """The generator that gives these numbers, the same one as in an earlier probe."""
    return POOL.take("generator", lambda: Numbers(numbers))[0].begin(numbers)


def nucleus(bg, probabilities, p):
    """nucleus keeps the likeliest tokens."""
    given = POOL.array(probabilities)
    found = array_of(bg.inference.nucleus(given, p), "nucleus")
    return {"value": [np.array(found)], "inputs": [given]}


def no_nucleus(bg, probabilities, p):
    """nucleus raises ValueError for a p that makes no sense."""
    return [np.array(told(lambda: bg.inference.nucleus(probabilities, p), ()) == "ValueError")]


def drawn(bg, probabilities, numbers):
    """draw finds the token for each number of the generator."""
    np.random.seed(0)  # of no use to right code; what asks it draws the same every time
    generator = generator_of(numbers)
    given = POOL.array(probabilities)
    tokens = [whole(bg.inference.draw(given, generator), "draw") for _ in numbers]
    return {
        "value": [np.array(tokens)], "asked": [np.array(generator.asked)], "inputs": [given],
    }  # fmt: skip


OTHER_OPTIONS = {"temperature": 7.0, "top_k": 1, "top_p": 0.001}


def chosen(bg, logits, options, number):
    """choose gives a token and the model's own probability of it."""
    generator, given, choose = generator_of([number]), POOL.array(logits), bg.inference.choose
    for name, value in OTHER_OPTIONS.items():
        ask_first(choose, given, generator, **{**options, name: value})
    generator.begin([number])
    token, chance = pair(choose(given, generator, **options), "choose")
    return {
        "value": [np.array([token, chance])], "asked": [np.array(generator.asked)],
        "inputs": [given],
    }  # fmt: skip


def not_chosen(bg, logits, options):
    """choose raises ValueError for options that make no sense."""
    generator = generator_of([0.5])
    ended = told(lambda: bg.inference.choose(np.array(logits), generator, **options), ())
    return [np.array(ended == "ValueError")]


def whole(value, who):
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool):
        raise unlike(value, f"{who} returned", "an int was expected")
    return int(value)


def pair(found, who):
    """A token and its probability."""
    if not isinstance(found, (tuple, list)) or len(found) != 2:
        raise unlike(found, f"{who} returned", "a token and its probability were expected")
    token, chance = found
    if not isinstance(chance, (float, np.floating)):
        raise Complaint(f"{who} gave {article(chance)} as probability; a float was expected.")
    return whole(token, who), float(chance)


# ---- what is kept -------------------------------------------------------------------------


def extended(bg, room, batches):
    """Cache.extend keeps what is new, and returns all of it."""
    rows, heads, _, width = batches[0][0].shape
    sizes = rows, heads, room, width
    cache, then = POOL.take(("cache", sizes), lambda: bg.inference.Cache(*sizes, "float64"))
    vars(cache).update(then)
    made_once = cache.keys, cache.values
    for array in made_once:
        array[:] = 5.0  # what stands in free places is nobody's
    for keys, values in batches:
        given = POOL.array(keys), POOL.array(values)
        found = cache.extend(*given)
    if not isinstance(found, (tuple, list)) or len(found) != 2:
        raise unlike(found, "Cache.extend returned", "keys and values were expected")
    both = [array_of(each, "Cache.extend", place=" as one of two", stays=False) for each in found]
    own = (cache.keys, cache.values)
    return {
        "value": [np.array(each) for each in both],
        "filled": [np.array(cache.filled)],
        "views": [
            np.array([one is other for one, other in zip(own, made_once, strict=True)]),
            np.array([np.shares_memory(one, other) for one, other in zip(both, own, strict=True)]),
        ],
        "inputs": [np.array(each) for each in given],
    }


def no_room(bg, room, first, more):
    """Cache.extend raises ValueError where there is no room, and changes nothing."""
    rows, heads, _, width = first.shape
    cache = bg.inference.Cache(rows, heads, room, width, "float64")
    cache.extend(np.array(first), np.array(first))
    before = np.array(cache.keys), np.array(cache.values)
    how = told(lambda: cache.extend(np.array(more), np.array(more)), ())
    same = all(map(np.array_equal, before, (cache.keys, cache.values)))
    return {
        "value": [np.array(how == "ValueError")],
        "kept": [np.array([same, cache.filled == first.shape[2]])],
    }


def sight(bg, before, count, starts):
    """visible says which tokens each new token may look at."""
    given, visible = POOL.array(starts), bg.inference.visible
    ask_first(visible, before, count + 1, given)
    given += 1
    ask_first(lambda: array_of(visible(before, count, given), "visible"))
    given -= 1
    found = array_of(visible(before, count, given), "visible")
    if found.dtype != bool:
        raise Complaint(f"visible gave an array of {found.dtype}; booleans were expected.")
    return {"value": [np.array(found)], "inputs": [given]}


class Kept:
    """A cache of the course's own, so that who asks it is judged alone; it counts."""

    def __init__(self):
        self.begin()

    def begin(self):
        self.keys = self.values = None
        self.filled = self.extended = 0
        return self

    def extend(self, keys, values):
        if self.keys is None:
            self.keys, self.values = np.array(keys), np.array(values)
        else:
            self.keys = np.concatenate([self.keys[:, :, : self.filled], keys], axis=2)
            self.values = np.concatenate([self.values[:, :, : self.filled], values], axis=2)
        self.filled, self.extended = self.keys.shape[2], self.extended + 1
        return self.keys, self.values


def kept():
    """An empty cache, the same one as in an earlier probe."""
    return POOL.take("kept", Kept)[0].begin()


def attended(bg, dim, heads, state, pieces, sights):
    """attend gives what the layer gives for new tokens that look at all of them."""
    layer, cache = made(bg, "MultiHeadAttention", (dim, heads), state), kept()
    found = piece_by_piece(bg, "attend", layer, cache, pieces, sights)
    cached = [np.array(cache.keys), np.array(cache.values)]
    return {**found, "cached": cached, "extended": [np.array([cache.extended, cache.filled])]}


def passed(bg, dim, heads, state, pieces, sights):
    """through gives what the block gives for new tokens."""
    block = made(bg, "Block", (dim, heads), state)
    return piece_by_piece(bg, "through", block, kept(), pieces, sights)


def piece_by_piece(bg, name, module, cache, pieces, sights):
    """Return what a function of `inference` gives for each piece of a text, with its cache."""
    given, function = [leaf(bg, x) for x in pieces], getattr(bg.inference, name)
    outs = [
        tensor_data(bg, function(module, x, cache, POOL.array(seen)), name)
        for x, seen in zip(given, sights, strict=True)
    ]
    return {
        "value": [np.array(each) for each in outs],
        "inputs": [np.array(each.data) for each in given],
        "dtype": [text(kept_dtype(given[0], outs))],
    }


# ---- the model ----------------------------------------------------------------------------


class Watched:
    """A module that knows how many numbers it was given, each time."""

    def __init__(self, module):
        self.module, self.weight, self.sizes = module, module.weight, []

    def __call__(self, given):
        self.sizes.append(np.size(getattr(given, "data", given)))
        return self.module.forward(given)

    forward = __call__


def stepped(bg, size, state, pieces, starts, listed):
    """step gives the scores of the last place, one piece of the text after another."""
    model = made(bg, "GPT", size, state)
    caches, _ = POOL.take("caches", list)
    caches[:] = [kept() for _ in model.blocks]
    more = () if starts is None else (list(starts) if listed else POOL.array(starts),)
    if starts is None and len(pieces) > 1:  # texts that begin later, in caches of their own
        late = np.full(len(pieces[0]), np.shape(pieces[0])[1] - 1)
        ask_first(bg.inference.step, model, pieces[0], [Kept() for _ in model.blocks], late)
    outs = []
    for piece in pieces:
        given = np.array(piece).tolist() if listed else POOL.array(piece)
        outs.append(array_of(bg.inference.step(model, given, caches, *more), "step"))
    return {
        "value": [np.array(each) for each in outs],
        "filled": [np.array([cache.filled for cache in caches])],
        "dtype": [text(kept_dtype(leaf(bg, np.zeros(1)), outs))],
    }


def streamed(bg, size, state, prompt, count, options, numbers):
    """stream writes one token after the other."""
    model = made(bg, "GPT", size, state)
    own, generator, given = model.tokens, generator_of(numbers), list(prompt)
    write = bg.inference.stream
    model.tokens = shown = Watched(own)
    steps = write(model, given, count, generator, **options)
    other = [(token + 1) % size[0] for token in prompt]
    found, asked, ahead = [], [], []
    try:
        for each in steps:
            found.append(pair(each, "stream"))
            asked.append(generator.asked)
            ahead.append(len(shown.sizes))
            if len(found) == 1:
                model.tokens = own
                # A second answer of the same model, which begins in the middle of the first.
                ask_first(lambda: next(write(model, other, 1, Numbers([0.5]), **options)))
                model.tokens = shown
    finally:
        model.tokens = own
    return {
        "value": [np.array(found).reshape(-1, 2)],
        "asked": [np.array(asked)],
        "prompt": [np.array(given)],
        "shown": [np.array(shown.sizes)],
        "steps": [np.array(ahead)],
    }


def too_much(bg, size, state, prompt, count):
    """stream raises ValueError where the answer won't fit."""
    model = made(bg, "GPT", size, state)
    steps = bg.inference.stream(model, list(prompt), count, Numbers([0.5]))
    return [np.array(told(lambda: next(steps), ()) == "ValueError")]


# ---- small numbers ------------------------------------------------------------------------


def quantised(bg, weight):
    """quantise gives codes, and a scale for each row."""
    given = POOL.array(weight)
    found = bg.inference.quantise(given)
    if not isinstance(found, (tuple, list)) or len(found) != 2:
        raise unlike(found, "quantise returned", "codes and scales were expected")
    codes, scales = (array_of(each, "quantise", place=" as one of two") for each in found)
    return {
        "value": [np.array(codes), np.array(scales)],
        "inputs": [given],
    }


def restored(bg, codes, scales):
    """restore gives the matrix that the codes stand for."""
    given = [POOL.array(codes), POOL.array(scales)]
    found = array_of(bg.inference.restore(*given), "restore")
    return {"value": [np.array(found)], "inputs": given}


def small_linear(bg, state, x, dtype):
    """SmallLinear.forward is x @ weight + bias with the weight that the codes stand for.

    The layer is told its codes: they are what `quantise` would have made of a weight.
    """
    kind = bg.inference.SmallLinear
    layer, _ = POOL.take("small", lambda: kind.__new__(kind))
    layer.training = True
    layer.codes, layer.scales = np.array(state["codes"]), np.array(state["scales"])
    layer.bias = np.array(state["bias"]) if "bias" in state else None
    given = leaf(bg, x, dtype=dtype)
    found = np.array(tensor_data(bg, layer.forward(given), "SmallLinear.forward"))
    return {"value": [found], "inputs": [np.array(given.data)]}


# ---- how good it is, and what it costs ----------------------------------------------------


PARTS = ("projections", "scores", "means", "thinking", "head")


def counted(bg, size, count, before):
    """multiply_adds says where the multiplications go."""
    model, ask = bg.gpt.GPT(*size), bg.inference.multiply_adds
    ask_first(ask, bg.gpt.GPT(size[0] + 1, *size[1:]), count, *before)
    for other in ((count + 1, *before), (count, 7)):
        ask_first(ask, model, *other)
    found = ask(model, count, *before)
    if not isinstance(found, dict):
        raise unlike(found, "multiply_adds returned", "a dict was expected")
    missing = [name for name in PARTS if name not in found]
    if missing or len(found) != len(PARTS):
        raise Complaint(f"multiply_adds has the parts {', '.join(map(str, found))}; "
                        f"{', '.join(PARTS)} were expected.")  # fmt: skip
    return [np.array(float(found[name])) for name in PARTS]
