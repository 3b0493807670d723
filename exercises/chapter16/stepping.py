"""A block and the whole model from the cache, and an answer that comes token by token."""

from grader.course import after, edit, exercise, instead


@exercise(
    "inference.through",
    points=1,
    minutes=5,
    needs=("chapter16.attend", "chapter14.gelu", "chapter14.each_token"),
)
class THROUGH:
    """Copy the two steps of your `Block.forward`, and change what has to change.

    `attend` returns one thing: no weights.
    """

    no_way_around = edit("x = x + attend", "x = attend")
    """The first way around is missing: `x` itself is part of the sum."""

    no_second_way = edit("return x + each_token", "return each_token")
    """The second way around is missing."""

    no_first_norm = edit("each_token(block.norm1, x), cache", "x, cache")
    """The norm before attention is missing."""

    no_second_norm = edit("each_token(block.norm2, x)", "x")
    """The norm before the second step is missing."""

    one_norm = edit("norm2", "norm1")
    """You used `norm1` twice."""

    without_the_cache = edit(
        "attend(block.attention, each_token(block.norm1, x), cache, sight)",
        "block.attention(each_token(block.norm1, x), sight[0, 0, :, -x.shape[1] :])[0]",
    )
    """You asked `block.attention`, which knows only the new tokens. `attend` knows the cache."""

    relu = edit("gelu", "ops.relu")
    """You took ReLU. The block has gelu between its two layers."""

    side_by_side = edit(
        ("x = x + attend(block.attention, each_token(block.norm1, x), cache, sight)",
         "mixed = attend(block.attention, each_token(block.norm1, x), cache, sight)"),
        ("return x + each_token", "return x + mixed + each_token"),
    )  # fmt: skip
    """Both steps began with the same `x`. The second one begins with the result of the first."""


@exercise(
    "inference.step",
    points=4,
    minutes=25,
    needs=("chapter16.visible", "chapter16.through", "chapter14.embedding.forward"),
)
class STEP:
    """Follow your `GPT.forward`, line by line: tokens and positions, blocks, norm, head. What is
    different for tokens that don't begin the text?

    The first new token stands at place `caches[0].filled`. Ask before the blocks change it.

    A row whose text begins at place 3 has position 0 there: subtract its start from the places, and
    let nothing fall below 0.

    You need only the last place. Cut it out before `norm` and `head`: `x.data[:, -1]`.
    """

    positions_from_zero = edit("np.arange(before, before + count) - begins[:, None]",
                               "np.arange(count) - begins[:, None]")  # fmt: skip
    """Your new tokens have the positions 0, 1, 2, … every time. They stand after those in the
    cache."""

    one_place_on = edit("np.maximum(np.arange(before, before + count)",
                        "np.maximum(1 + np.arange(before, before + count)")  # fmt: skip
    """Your positions are one too high. The first token of a text has position 0."""

    filled_by_then = edit(
        "x = through(block, x, cache, sight)",
        "x = through(block, x, cache, visible(caches[0].filled, count, begins))",
    )
    """You read `filled` before each block. The first block has put the new tokens into its cache by
    then: read it once."""

    starts_ignored = edit(" - begins[:, None], 0)", " - 0 * begins[:, None], 0)")
    """A row that begins later gets positions that begin later, too. The first token of each text
    has position 0."""

    filler_sees = edit("visible(before, count, begins)", "visible(before, count, 0 * begins)")
    """`starts` doesn't reach `visible`: the texts see the filler before them."""

    filler_below_zero = edit("np.maximum(np.arange(before, before + count) - begins[:, None], 0)",
                             "np.arange(before, before + count) - begins[:, None]")  # fmt: skip
    """The positions of filler fall below 0, where there is no row for them. Filler has position
    0."""

    one_cache = edit("through(block, x, cache, sight)", "through(block, x, caches[0], sight)")
    """All blocks share the first cache. Each keeps the keys and values of its own level."""

    first_place = edit("x.data[:, -1]", "x.data[:, 0]")
    """You took the scores of the first new token. What comes next stands after the last."""

    no_norm = edit("model.norm(Tensor(x.data[:, -1], dtype=x.dtype))",
                   "Tensor(x.data[:, -1], dtype=x.dtype)")  # fmt: skip
    """The last `norm` is missing."""

    needs_a_head = edit(
        "model.tokens.weight.transpose() if model.head is None else model.head.weight",
        "model.head.weight",
    )
    """With tied weights `model.head` is None. The table of `tokens` takes its place."""

    @instead(
        "head = model.tokens.weight.transpose()",
        "return model.head(last).data",
        edits=(("(last @ head).data", "model.head(last).data"),),
    )
    def head_asked(last, model):
        """With tied weights there is no head to ask: `model.head` is None. The table of `tokens`
        takes its place."""
        return model.head(last).data

    no_positions = edit(" + model.positions(places)", "")
    """The positions are missing."""

    every_place = edit(
        ("model.norm(Tensor(x.data[:, -1], dtype=x.dtype))", "each_token(model.norm, x)"),
        ("(last @ head).data", "(last @ head).data[:, -1]"),
    )
    """The scores are right, but you computed those of every place of the prompt and threw all but
    the last away. Cut the last place out before the head."""

    all_scores = edit(
        "model.norm(Tensor(x.data[:, -1], dtype=x.dtype))", "each_token(model.norm, x)"
    )
    """You returned the scores of every new place. Only the last one says what comes next: the shape
    is `(B, V)`."""


@exercise("inference.stream", points=3)
class STREAM:
    """A function with a `yield` in it is a generator: it runs up to the `yield` when somebody asks
    for the next value, and waits there.

    What goes through the model in the first round is the prompt; after that it is one token, the
    one that was chosen last.

    `step` wants a batch. Yours has one row.
    """

    everything_again = edit(
        ("caches, new = caches_for(model, 1), list(prompt)", "new = list(prompt)"),
        ("step(model, [new], caches)", "step(model, [new], caches_for(model, 1))"),
        ("new = [token]", "new = [*new, token]"),
    )
    """The answer is right, but you compute all earlier tokens again for each new one, with new
    caches. Keep the caches, and send only what is new."""

    all_once_more = edit("new = [token]", "new = [*new, token]")
    """You send all tokens again with every new one. The caches hold them already."""

    @instead(
        "for _ in range(count):",
        "token, chance = choose(scores,",
        edits=(("new = [token]", "scores = step(model, [[token]], caches)[0]"),),
    )
    def step_too_many(model, caches, new, count, generator, temperature, top_k, top_p):
        """After the last token you go through the model once more, for scores that nobody reads."""
        scores = step(model, [new], caches)[0]
        for _ in range(count):
            token, chance = choose(scores, generator, temperature, top_k, top_p)

    one_place_left = edit(
        "> model.length:", ">= model.length:",
        shown_by=r">= model\.length\b",
    )  # fmt: skip
    """Prompt and answer may fill `model.length` to the last place."""

    prompt_once_more = edit("new = [token]", "new = [*list(prompt), token]")
    """You send the prompt again with every token. The caches hold it already."""

    @after("caches, new = caches_for(model,")
    def prompt_token_by_token(new, model, caches):
        """The answer is right, but the prompt goes through the model one token at a time. Send it
        in one step: that is one walk through all blocks instead of many."""
        for token in new[:-1]:
            step(model, [[token]], caches)
        new = new[-1:]

    not_fed_back = edit("new = [token]", "new = list(prompt)[-1:]")
    """The model never sees what it wrote: you send the prompt's last token again and again."""

    def all_at_once(model, prompt, count, generator, temperature, top_k, top_p):
        """You gave nothing away until everything was written. Yield each token as soon as it is
        chosen."""
        if len(prompt) + count > model.length:
            raise ValueError(f"{len(prompt)} + {count} tokens are more than {model.length}")
        caches, new = caches_for(model, 1), list(prompt)
        written = []
        for _ in range(count):
            scores = step(model, [new], caches)[0]
            token, chance = choose(scores, generator, temperature, top_k, top_p)
            written.append((token, chance))
            new = [token]
        yield from written

    def a_list(model, prompt, count, generator, temperature, top_k, top_p):
        """You made a list and returned it. A function with `yield` gives each token as soon as it
        is chosen."""
        if len(prompt) + count > model.length:
            raise ValueError(f"{len(prompt)} + {count} tokens are more than {model.length}")
        written = []
        caches, new = caches_for(model, 1), list(prompt)
        for _ in range(count):
            scores = step(model, [new], caches)[0]
            token, chance = choose(scores, generator, temperature, top_k, top_p)
            written.append((token, chance))
            new = [token]
        return iter(written)

    options_forgotten = edit(", temperature, top_k, top_p", "")
    """`temperature`, `top_k` and `top_p` get lost: pass them on."""

    top_p_forgotten = edit(", top_k, top_p", ", top_k")
    """`top_p` gets lost on the way to `choose`."""

    tokens_only = edit("yield token, chance", "yield token")
    """You give the token alone. Its probability comes with it."""

    def not_refused(model, prompt, count, generator, temperature, top_k, top_p):
        """Nobody is told that the answer won't fit. Raise ValueError before the first token."""
        caches, new = caches_for(model, 1), list(prompt)
        for _ in range(count):
            scores = step(model, [new], caches)[0]
            token, chance = choose(scores, generator, temperature, top_k, top_p)
            yield token, chance
            new = [token]

    one_too_few = edit("range(count)", "range(count - 1)")
    """You wrote one token fewer than `count`."""
