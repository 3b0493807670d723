"""The cache: what it keeps, who sees what of it, and attention that asks it."""

from grader.course import body, edit, exercise, instead


@exercise("inference.Cache.extend", points=2)
class EXTEND:
    """The two arrays are there already. Which places are free? From `self.filled` on, as many as
    there are new tokens.

    Ask whether there is room before you write anything.

    A slice of an array is a view: it costs nothing, however much it shows.
    """

    joined = edit(
        "return self.keys[:, :, :end], self.values[:, :, :end]",
        "return self.keys[:, :, :end].copy(), self.values[:, :, :end].copy()",
    )
    """You return copies: each new token moves all older ones once more. A slice is a view, and
    costs nothing."""

    def put_together(self, keys, values):
        """You make new, longer arrays each time, so that every older token is copied once more.
        Write into the arrays that are there."""
        end = self.filled + keys.shape[2]
        if end > self.keys.shape[2]:
            raise ValueError("no room")
        kept = self.keys[:, :, : self.filled], self.values[:, :, : self.filled]
        room = self.keys[:, :, end:]
        keys = np.concatenate([kept[0], keys], axis=2)
        values = np.concatenate([kept[1], values], axis=2)
        self.filled = end
        self.keys = np.concatenate([keys, room], axis=2)
        self.values = np.concatenate([values, room], axis=2)
        return self.keys[:, :, :end], self.values[:, :, :end]

    def put_together_without_end(self, keys, values):
        """You put new arrays together: every older token is copied once more, and the room is gone.
        Write into the arrays that are there."""
        self.keys = np.concatenate([self.keys[:, :, : self.filled], keys], axis=2)
        self.values = np.concatenate([self.values[:, :, : self.filled], values], axis=2)
        self.filled += keys.shape[2]
        return self.keys, self.values

    def not_asked(self, keys, values):
        """You didn't ask whether there is room. A slice beyond the end is short or empty, and NumPy
        doesn't always say so."""
        end = self.filled + keys.shape[2]
        self.keys[:, :, self.filled : end] = keys
        self.values[:, :, self.filled : end] = values
        self.filled = end
        return self.keys[:, :, :end], self.values[:, :, :end]

    at_the_beginning = edit(
        ("self.keys[:, :, self.filled : end]", "self.keys[:, :, : keys.shape[2]]"),
        ("self.values[:, :, self.filled : end]", "self.values[:, :, : keys.shape[2]]"),
    )
    """You write to the beginning, over the tokens that came first. Go on after those that are
    there."""

    not_counted = edit("self.filled = end", "")
    """`filled` stays as it was, so the next tokens are written over these."""

    def counts_calls(self, keys, values):
        """`filled` counts tokens, not calls: a prompt brings several at once."""
        end = self.filled + keys.shape[2]
        if end > self.keys.shape[2]:
            raise ValueError(f"{end} tokens are more than the {self.keys.shape[2]} it has room for")
        self.keys[:, :, self.filled : end] = keys
        self.values[:, :, self.filled : end] = values
        self.filled += 1
        return self.keys[:, :, :end], self.values[:, :, :end]

    new_ones_only = edit(
        "return self.keys[:, :, :end], self.values[:, :, :end]", "return keys, values"
    )
    """You return what came in. The new tokens look at the old ones, too: return all of them."""

    whole_room = edit(
        "return self.keys[:, :, :end], self.values[:, :, :end]", "return self.keys, self.values"
    )
    """You return the whole room, with the places that nobody has filled yet. They hold zeros, and
    zeros are keys like any others."""

    exchanged = edit(
        "return self.keys[:, :, :end], self.values[:, :, :end]",
        "return self.values[:, :, :end], self.keys[:, :, :end]",
    )
    """Your results are swapped: first the keys, then the values."""

    values_are_keys = edit("end] = values", "end] = keys")
    """You kept the keys twice, and the values not at all."""

    @instead("if end > self.keys.shape[2]:", "self.keys[:, :, self.filled : end] = keys")
    def written_first(self, end, keys):
        """When there is no room, you have already written something. Ask first."""
        room = self.keys.shape[2]
        self.keys[:, :, self.filled : end] = keys[:, :, : room - self.filled]
        if end > room:
            raise ValueError("no room")

    one_place_left = edit(
        "end > self.keys", "end >= self.keys",
        shown_by=r">= (self\.(keys|values)\.shape|room\b)",
    )  # fmt: skip
    """The last place may be filled, too."""


WITH_ONE_ANOTHER = (
    "You compared the new tokens with one another. They look at those in the cache, too."
)


@exercise("inference.visible", points=2)
class VISIBLE:
    """The new tokens stand at the places before, before + 1, …; all tokens at 0, 1, 2, … Make a
    column of the one and a row of the other, and compare them.

    A row of the batch adds a condition: not before its own start. `starts[:, None, None]` brings it
    into line.

    And everybody sees themselves, filler too. The result has an axis for the heads, of size 1.
    """

    places_from_zero = edit("np.arange(before, before + count)", "np.arange(count)")
    """Your new tokens stand at 0, 1, 2, … They come after the `before` tokens of the cache."""

    new_ones_only = edit(
        "np.arange(before + count)", "np.arange(before, before + count)", says=WITH_ONE_ANOTHER
    )

    cache_forgotten = edit(
        ("np.arange(before, before + count)", "np.arange(count)"),
        ("np.arange(before + count)", "np.arange(count)"),
        says=WITH_ONE_ANOTHER,
    )

    all_true = body("return np.ones((len(starts), 1, count, before + count), dtype=bool)")
    """Your mask hides nothing. Hide what comes later, and the filler before a row's text."""

    the_future = edit("there <= new", "there >= new")
    """Each token sees what comes *later*. It may look at itself and at what came before."""

    not_itself = edit(("there <= new", "there < new"), ("text | (there == new)", "text"))
    """A token may look at itself, too."""

    everybody = edit("(there <= new) & ", "")
    """The new tokens see one another, in both directions. Inside a prompt, too, no token may look
    at a later one."""

    filler_seen = edit("np.asarray(starts)[:", "0 * np.asarray(starts)[:")
    """The filler before a row's text is seen. It says nothing, and would change every answer."""

    def filler_sees_filler(before, count, starts):
        """Filler sees the filler before it. It may look at itself alone."""
        new = np.arange(before, before + count)[:, None]
        there = np.arange(before + count)
        text = (there <= new) & (there >= np.asarray(starts)[:, None, None])
        text = text | ((there <= new) & (new < np.asarray(starts)[:, None, None]))
        return (text | (there == new))[:, None]

    start_left_out = edit("there >= np", "there > np")
    """The first token of each text is hidden. The text begins *at* its start."""

    filler_blind = edit("text | (there == new)", "text")
    """Filler looks at nothing here. Its softmax is nan, and nan spreads. Let it look at itself."""

    no_axis_for_heads = edit("(text | (there == new))[:, None]", "text | (there == new)")
    """The axis for the heads is missing: the shape is `(B, 1, T, S)`."""


@exercise(
    "inference.attend",
    points=4,
    needs=(
        "chapter16.cache.extend",
        "chapter14.split_heads",
        "chapter14.join_heads",
        "chapter14.each_token",
    ),
)
class ATTEND:
    """Begin as in chapter 14's `MultiHeadAttention.forward`: three layers, each split into heads.
    `.data` is the array in a Tensor, and arrays are all that the cache knows.

    The queries are T, the keys are S. The scores are `(B, H, T, S)`, and so is what `sight` becomes
    when it is stretched over the heads.

    Set hidden scores to -∞, subtract the maximum of each row, then exp, and divide by the sum of
    the row.

    Join the heads again, and send them through `layer.output`.
    """

    not_scaled = edit(" / math.sqrt(q.shape[-1])", "")
    """The division by √D is missing."""

    scaled_by_all = edit("q.shape[-1]", "x.shape[-1]")
    """You divided by the root of C. Each head compares only its own share, D numbers."""

    sight_ignored = edit("scores = np.where(sight, scores, -np.inf)", "")
    """`sight` is ignored: every token sees everything, filler and what comes later in the prompt
    included."""

    sight_turned_round = edit("sight, scores, -np.inf", "sight, -1e9, scores")
    """You hid what a token may look at. True means that it may."""

    hidden_are_zero = edit("-np.inf", "0.0")
    """You set the hidden scores to 0. But e⁰ is 1. It takes -∞."""

    over_the_queries = edit(
        "powers.sum(axis=-1, keepdims=True)", "powers.sum(axis=-2, keepdims=True)"
    )
    """Your weights sum to 1 for each *key*. They should for each query, over the keys."""

    overflows = edit(" - scores.max(axis=-1, keepdims=True)", "")
    """e to the power of 1000 is too large for any float. Subtract the maximum of the row first."""

    @instead(
        "keys, values = cache.extend(k, v)", edits=(("sight, ", "sight[..., -x.shape[1] :], "),)
    )
    def new_keys_only(k, v, cache):
        """The new tokens look only at one another: you used the new keys and values, not those that
        the cache returned."""
        cache.extend(k, v)
        keys, values = k, v

    @instead("keys, values = cache.extend(k, v)")
    def extended_twice(k, v, cache):
        """You extended the cache twice. It takes keys and values together, once."""
        keys, _ = cache.extend(k, v)
        cache.filled -= k.shape[2]
        _, values = cache.extend(k, v)

    exchanged = edit("keys, values = cache.extend(k, v)", "values, keys = cache.extend(v, k)")
    """The numbers are right, but you keep values as keys and keys as values. Nobody else can read
    that cache."""

    no_output = edit(
        "each_token(layer.output, join_heads(Tensor(means, dtype=x.dtype)))",
        "join_heads(Tensor(means, dtype=x.dtype))",
    )
    """The heads are joined, but they never go through `layer.output`."""

    not_joined = edit(
        "join_heads(Tensor(means, dtype=x.dtype))",
        "Tensor(means.reshape(x.shape), dtype=x.dtype)",
    )
    """You reshaped where an axis has to be *moved*: the heads must stand side by side again, token
    by token. `join_heads` does it."""

    value_for_key = edit("layer.query, layer.key, layer.value",
                         "layer.query, layer.value, layer.key")  # fmt: skip
    """Keys and values are swapped."""
