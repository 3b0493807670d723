"""Answers that are all but right: what is drawn, kept, seen, and counted."""

from grader.course import after, edit, instead, mistake

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


class SUBTLE:
    the_sum_may_fall_short_by_a_hair = edit("before < p", "before < p - 1e-3", target=NUCLEUS)
    one_token_stays_at_least_two = edit(
        "order[before < p]", "order[: max(2, int((before < p).sum()))]", target=NUCLEUS
    )

    @after("kept[stays] = chances[stays]", target=NUCLEUS)
    def the_argument_is_divided_in_place(probabilities, order, before, p):
        probabilities[order[before >= p]] = 0

    float32_in_the_nucleus = edit(
        "return kept / kept.sum()",
        "return (kept / kept.sum()).astype(probabilities.dtype)",
        target=NUCLEUS,
    )

    @instead("if not 0 < p <= 1:", 'raise ValueError("p', target=NUCLEUS)
    def p_is_capped_not_refused(p):
        p = min(p, 1)
        if p <= 0:
            raise ValueError("p has to be above 0, and at most 1")

    the_generator_is_asked_twice = edit(
        "generator.random() *", "max(generator.random(), 0 * generator.random()) *", target=DRAW
    )
    the_last_token_takes_what_is_over_even_if_it_is_impossible = edit(
        'generator.random() * reached[-1], side="right"',
        'min(generator.random(), 1.0), side="right"',
        target=DRAW,
    )
    nearly_zero_is_zero = edit("temperature == 0", "temperature < 0.3", target=CHOOSE)
    the_last_of_equal_scores = edit(
        "int(np.argmax(logits))", "int(len(logits) - 1 - np.argmax(logits[::-1]))", target=CHOOSE
    )
    probability_of_what_was_drawn_from_at_top_p = edit(
        "return token, float(next_probabilities(logits)[token])",
        "return token, float((next_probabilities(logits) if top_p is None else chances)[token])",
        target=CHOOSE,
    )
    full_means_one_place_left = edit(
        "end > self.keys.shape[2]", "end > self.keys.shape[2] - (self.filled > 0)", target=EXTEND
    )
    values_are_a_copy = edit(
        ", self.values[:, :, :end]", ", np.array(self.values[:, :, :end])", target=EXTEND
    )

    @mistake(target=EXTEND)
    def filled_before_it_is_refused(self, keys, values):
        self.filled = end = self.filled + keys.shape[2]
        if end > self.keys.shape[2]:
            raise ValueError(f"{end} tokens are more than the {self.keys.shape[2]} it has room for")
        self.keys[:, :, self.filled : end] = keys
        self.values[:, :, self.filled : end] = values
        self.filled = end
        return self.keys[:, :, :end], self.values[:, :, :end]

    the_first_rows_start_for_all = edit(
        "np.asarray(starts)[:", "np.asarray(starts)[:1][:", target=VISIBLE
    )

    @mistake(target=VISIBLE)
    def filler_sees_filler(before, count, starts):
        new = np.arange(before, before + count)[:, None]
        there = np.arange(before + count)
        text = (there <= new) & (there >= np.asarray(starts)[:, None, None])
        filler = new < np.asarray(starts)[:, None, None]
        text = text | (filler & (there <= new))
        return (text | (there == new))[:, None]

    a_cap_on_scores = edit(
        "scores = np.where(sight, scores, -np.inf)",
        "scores = np.where(sight, np.clip(scores, -20, 20), -np.inf)",
        target=ATTEND,
    )
    thirty_for_infinity = edit("-np.inf", "-30.0", target=ATTEND)
    one_maximum_for_all = edit(
        "scores.max(axis=-1, keepdims=True)", "scores[np.isfinite(scores)].max()", target=ATTEND
    )
    a_floor_under_the_weights = edit(
        "powers.sum(axis=-1, keepdims=True)",
        "(powers.sum(axis=-1, keepdims=True) + 1e-3)",
        target=ATTEND,
    )
    filler_counts_backwards = edit(
        "np.maximum(np.arange(before, before + count) - begins[:, None], 0)",
        "np.abs(np.arange(before, before + count) - begins[:, None])",
        target=STEP,
    )
    places_from_the_last_cache_after_the_blocks = edit(
        "before = caches[0].filled", "before = caches[0].filled * (len(caches) == 1)", target=STEP
    )
    tied_weights_of_the_heads_shape = edit("if model.head is None", "if count == 1", target=STEP)

    @instead("caches, new = caches_for(model,", target=STREAM)
    def a_prompt_without_its_last_token(model, prompt):
        caches, new = caches_for(model, 1), list(prompt)[: max(1, len(prompt) - 1)]

    one_more_fits = edit(
        "len(prompt) + count > model.length",
        "len(prompt) + count > model.length + 1",
        target=STREAM,
    )
    rounded_to_even_numbers = edit(
        "np.rint(weight / scales[:, None])",
        "2 * np.rint(weight / scales[:, None] / 2)",
        target=QUANTISE,
    )
    a_scale_that_is_a_little_large = edit("largest / 127", "largest / 126.5", target=QUANTISE)
    a_bias_for_all_rows_but_the_first = edit(
        "out = out + self.bias", "out[1:] = out[1:] + self.bias", target=LAYER
    )
    two_pieces_only = edit(
        "len(tokens) - 1, model.length)",
        "min(len(tokens) - 1, 2 * model.length), model.length)",
        target=PERPLEXITY,
    )

    @mistake(target=PERPLEXITY)
    def a_window_that_slides(model, tokens):
        surprise = 0.0
        for end in range(1, len(tokens)):
            scores = model(tokens[None, max(end - model.length, 0) : end]).data[0, -1].astype(float)
            scores = scores - scores.max()
            surprise -= scores[tokens[end]] - np.log(np.exp(scores).sum())
        return float(np.exp(surprise / (len(tokens) - 1)))

    @after("logarithms = scores", target=PERPLEXITY)
    def probabilities_have_a_floor(logarithms):
        logarithms = np.maximum(logarithms, -9)

    half_of_the_square = edit(
        '"scores": blocks * count * there * dim',
        '"scores": blocks * (count * there - count * (count - 1) // 2) * dim',
        target=COUNT,
    )
    an_attention_without_output_in_the_last_block = edit(
        "blocks * 4 * count", "(blocks * 4 - 1) * count", target=COUNT
    )
    a_scale_of_a_millionth_at_least = edit(
        "largest / 127, 1.0)", "np.maximum(largest / 127, 1e-6), 1.0)", target="inference.quantise"
    )
    a_scale_that_is_never_tiny = edit(
        "largest / 127, 1.0)", "np.maximum(largest / 127, 1e-8), 1.0)", target="inference.quantise"
    )
    a_tiny_row_is_a_row_of_zeros = edit(
        "largest > 1e-35", "largest > 1e-6", target="inference.quantise"
    )

    @instead("scores = model(piece[None,", target=PERPLEXITY)
    def each_token_predicts_from_itself_alone(model, piece):
        scores = np.concatenate(
            [model(piece[None, at : at + 1]).data[0] for at in range(len(piece) - 1)]
        ).astype("float64")

    @instead("for start in range(0,", "scores = model(piece[None,", target=PERPLEXITY)
    def a_window_that_slides_in_the_loop_of_pieces(tokens, model):
        for end in range(1, len(tokens)):
            piece = tokens[max(0, end - model.length) : end + 1]
            scores = model(piece[None, :-1]).data[0, -1:].astype("float64")
            piece = piece[-2:]

    a_thousandth_is_no_temperature = edit("temperature == 0", "temperature < 0.001", target=CHOOSE)
    top_p_is_capped = edit(
        "nucleus(chances, top_p)", "nucleus(chances, min(top_p, 1.0))", target=CHOOSE
    )
    a_top_p_of_zero_is_none = edit("top_p is not None", "top_p", target=CHOOSE)

    @instead("return token, float(next_probabilities(logits)[token])", target=CHOOSE)
    def powers_of_the_scores_as_they_came(logits, token):
        powers = np.exp(np.asarray(logits, dtype="float64"))
        return token, float(powers[token] / powers.sum())

    top_k_or_top_p = edit(
        "temperature, top_k, top_p)", "temperature, None if top_p else top_k, top_p)", target=STREAM
    )
    a_temperature_or_top_p = edit(
        "temperature, top_k, top_p)", "1.0 if top_p else temperature, top_k, top_p)", target=STREAM
    )
