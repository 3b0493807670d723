"""Wrong bodies that break one clause of a promise alone: below each its clause."""

from grader.course import before, broken, edit, instead

SCALE = "largest / 127, 1.0"


@broken("inference.nucleus")
class NUCLEUS:
    they_are_taken_from = edit(
        'np.argsort(-chances, kind="stable")',
        "len(chances) - 1 - np.argsort(-chances[::-1], kind='stable')",
    )
    """They are taken from the likeliest down, of equal ones the lower number first;"""

    the_one_with_which_their = edit("before < p", "before <= p * (1 + 1e-9)")
    """the one with which their sum reaches `p` is the last that stays."""

    all_others_get = edit("np.zeros_like(chances)", "np.full_like(chances, chances.min() / 9)")
    """All others get 0,"""

    those_that_stay_are_divided = edit("kept / kept.sum()", "kept")
    """and those that stay are divided by their sum."""

    valueerror_p_is_not_above = edit("0 < p <= 1", "p <= 1")
    """ValueError: `p` is not above 0,"""

    is_above = edit("0 < p <= 1", "0 < p")
    """or is above 1."""


@broken("inference.draw")
class DRAW:
    a_token_of_probability = edit("right", "left")
    """So a token of probability 0 is never drawn,"""

    the_same_generator_draws = edit(
        "generator.random()", "(generator.random() + np.random.random()) % 1.0"
    )
    """and the same generator draws the same again."""


@broken("inference.choose")
class CHOOSE:
    choose_the_next_token_return = edit("return token,", "return int(np.argmax(logits)),")
    """Choose the next token; return it,"""

    the_token_an_int = edit("return token,", "return float(token),")
    """the token, an int,"""

    how_likely_the_model_held = edit("float(next_probabilities(logits)[token])", "1.0")
    """and how likely the model held it."""

    a_temperature_of_takes = edit(
        "int(np.argmax(logits))", "int(np.flatnonzero(logits == np.max(logits))[-1])"
    )
    """A temperature of 0 takes the highest score, of equal ones the first,"""

    doesn_t_ask_the_generator = edit(
        "int(np.argmax(logits))", "int(np.argmax(logits + 0 * generator.random()))"
    )
    """and doesn't ask the generator."""

    neither_the_temperature_nor_what = edit(
        "next_probabilities(logits)[", "next_probabilities(logits, temperature or 1.0)["
    )
    """neither the temperature nor what was cut off changes it."""


@broken("inference.visible")
class VISIBLE:
    a_token_may_look_at = edit(
        ("there <= new", "there < new"),
        (
            "text | (there == new)",
            "text | (there == new) & (there < np.asarray(starts)[:, None, None])",
        ),
    )
    """A token may look at itself,"""

    at_everything_before_it_from = edit("(there <= new)", "(there == new)")
    """and at everything before it from its row's start on."""


@broken("inference.attend")
class ATTEND:
    the_output_of_layer = edit(
        "each_token(layer.output, join_heads(Tensor(means, dtype=x.dtype)))",
        "join_heads(Tensor(means, dtype=x.dtype))",
    )
    """The output of `layer` for the new tokens,"""

    @instead("keys, values = cache.extend(k, v)")
    def which_look_at_all_tokens(k, v, cache, sight):
        """which look at all tokens so far."""
        cache.extend(k, v)
        keys, values, sight = k, v, sight[..., -k.shape[2] :]

    queries_keys_and_values = edit(
        "(part, x)",
        "(part, x if part is layer.query else Tensor(x.data * 0 + x.data[:, :1], dtype=x.dtype))",
    )
    """Queries, keys and values are made of the *new* tokens,"""

    split_into_heads = edit("layer.heads).data", "1).data")
    """and split into heads."""


@broken("inference.step")
class STEP:
    caches_one_for_each_block = edit(
        "zip(model.blocks, caches)", "zip(model.blocks, caches[:: -1 if before else 1])"
    )
    """caches: one for each block;"""

    they_hold_what_came_before = edit(
        "visible(before, count, begins)", "visible(before, count, np.maximum(begins, before))"
    )
    """they hold what came before,"""

    @before("last = model.norm(Tensor(x.data[:,")
    def afterwards_the_new_tokens_too(before, caches):
        """and afterwards the new tokens too."""
        for cache in caches if before else ():
            cache.filled = before

    at_place_in_every_row = edit("np.zeros(rows, dtype=int)", "np.arange(rows)")
    """at place 0 in every row."""


@broken("inference.quantise")
class QUANTISE:
    a_matrix_in_whole_numbers = edit(
        "np.rint(weight / scales[:, None])", "np.rint(weight / scales[:, None]).clip(-100, 100)"
    )
    """A matrix `(n, m)` in whole numbers from -127 to 127,"""

    a_scale_for_each = edit(
        "np.abs(weight).max(axis=1)", "np.full(len(weight), np.abs(weight).max())"
    )
    """and a scale for each of its rows."""

    codes_int8_of_shape = edit("int8", "int16")
    """codes, int8 of shape `(n, m)`,"""

    scales_float32_of_shape = edit('1.0).astype("float32")', '1.0).astype("float64")')
    """and scales, float32 of shape `(n,)`."""

    a_scale_is_the_largest = edit(SCALE, "largest / 125, 1.0")
    """A scale is the largest absolute value of its row divided by 127;"""

    of_a_row_of_zeros = edit(SCALE, "largest / 127, 2.0")
    """of a row of zeros it is 1."""


@broken("inference.perplexity")
class PERPLEXITY:
    def the_text_is_cut_into(model, tokens):
        """The text is cut into pieces of `model.length` tokens, one after another;"""
        surprise, length = 0.0, max(model.length - 1, 1)
        for start in range(0, len(tokens) - 1, length):
            piece = tokens[start : start + length + 1]
            scores = model(piece[None, :-1]).data[0].astype("float64")
            scores = scores - scores.max(axis=-1, keepdims=True)
            logarithms = scores - np.log(np.exp(scores).sum(axis=-1, keepdims=True))
            surprise -= logarithms[np.arange(len(piece) - 1), piece[1:]].sum()
        return float(np.exp(surprise / (len(tokens) - 1)))

    the_last_may_be_shorter = edit(
        "range(0, len(tokens) - 1, model.length)",
        "range(0, len(tokens) - model.length, model.length)",
    )
    """the last may be shorter."""

    in_each_piece_every_token = edit("piece[1:]]", "piece[:-1]]")
    """In each piece every token predicts the one that comes after it in the text,"""

    that_every_token_but = edit(
        "len(tokens) - 1, model.length)", "len(tokens) - 1, max(model.length - 1, 1))"
    )
    """so that every token but the very first is predicted once."""
