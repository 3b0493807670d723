"""Attention, a model and what is drawn from it, all but right."""

from grader.course import body, edit, instead, mistake

ENCODE = "gpt.Characters.encode"
WINDOWS = "gpt.windows"
SOFTMAX = "gpt.softmax"
ATTENTION = "gpt.attention"
BLOCK = "gpt.Block.__init__"
GPT = "gpt.GPT.__init__"
SCORES = "gpt.GPT.forward"
LOSS = "gpt.cross_entropy"
STEP = "gpt.train_step"
CHANCES = "gpt.next_probabilities"
GENERATE = "gpt.generate"
CLIP = "clip_grad_norm(model.parameters(), max_norm)"


class SUBTLE:
    numbers_with_a_point = edit("dtype=int", "dtype=float", target=ENCODE)
    all_rows_begin_one_after_another = edit(
        "np.random.randint(0, len(tokens) - length, size)",
        "(np.random.randint(0, len(tokens) - length) + np.arange(size)) % (len(tokens) - length)",
        target=WINDOWS,
    )
    pieces_that_are_drawn_once = edit(
        "np.random.randint(0", "np.random.default_rng(0).integers(0", target=WINDOWS
    )
    two_embeddings_are_the_same = edit(
        "Tensor.randn(count, dim, std=0.02, dtype=dtype)",
        "np.random.default_rng(0).normal(0, 0.02, (count, dim)), dtype=dtype",
        target="gpt.Embedding.__init__",
    )
    an_even_spread_of_the_same_size = edit(
        "Tensor.randn(count, dim, std=0.02, dtype=dtype)",
        "np.random.uniform(-0.0346, 0.0346, (count, dim)), dtype=dtype",
        target="gpt.Embedding.__init__",
    )

    @mistake(target=SOFTMAX)
    def the_largest_of_all_not_of_the_row(x, axis):
        largest = Tensor(x.data.max(), dtype=x.dtype, requires_grad=False)
        kept = tuple(1 if i == axis % x.ndim else n for i, n in enumerate(x.shape))
        powers = ops.exp(x - largest)
        return powers / powers.sum(axis).reshape(kept)

    @mistake(target=SOFTMAX)
    def axes_counted_from_the_end_but_for_the_last(x, axis):
        largest = x.data.max(axis=axis, keepdims=True)
        last = x.ndim - 1 if axis == -1 else axis
        kept = tuple(1 if i == last else n for i, n in enumerate(x.shape))
        powers = ops.exp(x - Tensor(largest, dtype=x.dtype, requires_grad=False))
        return powers / powers.sum(axis).reshape(kept)

    a_softmax_in_float64 = body(
        "return ops.exp(ops.log_softmax(x * Tensor(1.0, dtype='float64'), axis))", target=SOFTMAX
    )

    @mistake(target=SOFTMAX)
    def a_softmax_that_clips(x, axis):
        data = np.clip(x.data, x.data.max(axis=axis, keepdims=True) - 700, None)
        x = x + Tensor(data - x.data, dtype=x.dtype, requires_grad=False)
        return ops.exp(ops.log_softmax(x, axis))

    thirty_for_infinity = edit("-np.inf", "-30.0", target=ATTENTION)
    a_thousand_for_infinity = edit("-np.inf", "-1000.0", target=ATTENTION)

    @instead("scores = scores +", target=ATTENTION)
    def scores_of_zero_are_hidden(scores, mask):
        scores = scores * Tensor(mask, dtype=scores.dtype, requires_grad=False)
        hidden = np.where(scores.data == 0, -np.inf, 0.0)
        scores = scores + Tensor(hidden, dtype=scores.dtype, requires_grad=False)

    @mistake(target=ATTENTION)
    def powers_that_are_hidden_afterwards(q, k, v, mask):
        scores = (q @ k.transpose()) / math.sqrt(q.shape[-1])
        weights = softmax(scores)
        if mask is not None:
            weights = weights * Tensor(mask, dtype=q.dtype, requires_grad=False)
            weights = weights / weights.sum(-1).reshape(*weights.shape[:-1], 1)
        return weights @ v, weights

    @mistake(target=ATTENTION)
    def the_mask_is_turned_on_the_spot(q, k, v, mask):
        scores = (q @ k.transpose()) / math.sqrt(q.shape[-1])
        if mask is not None:
            np.logical_not(mask, out=mask)
            blocked = np.where(mask, -np.inf, 0)
            scores = scores + Tensor(blocked, dtype=scores.dtype, requires_grad=False)
        weights = softmax(scores)
        return weights @ v, weights

    attention_in_float64 = edit("dtype=scores.dtype", "dtype='float64'", target=ATTENTION)
    gelu_with_a_digit_less = edit("0.044715", "0.0447", target="gpt.gelu")
    gelu_in_float64 = edit(
        "ops.sigmoid(bent)", "ops.sigmoid(bent * Tensor(1.0, dtype='float64'))", target="gpt.gelu"
    )
    gelu_through_a_root_of_seven_digits = edit(
        "math.sqrt(2 / math.pi)", "0.79788", target="gpt.gelu"
    )
    a_block_of_one_head = edit(
        "MultiHeadAttention(dim, heads", "MultiHeadAttention(dim, 1", target=BLOCK
    )
    blocks_of_one_head = edit("Block(dim, heads", "Block(dim, 1", target=GPT)

    @instead("mask = causal_mask(length)", target=SCORES)
    def the_first_length_for_all(self, length):
        if "mask" not in vars(self):
            self.mask = causal_mask(length)
        mask = self.mask

    no_place_for_a_single_token = edit(
        "np.arange(length)",
        "np.arange(length) % length if length > 1 else np.array([self.length - 1])",
        target=SCORES,
    )
    only_minus_one_does_not_count = edit("numbers >= 0", "numbers != -1", target=LOSS)
    minus_100_does_not_count = edit(
        "counts = numbers >= 0", "counts = (numbers != -1) & (numbers != -100)", target=LOSS
    )

    @mistake(target=LOSS)
    def targets_that_are_set_to_zero(logits, targets):
        numbers = np.asarray(targets.data if isinstance(targets, Tensor) else targets, dtype=int)
        counts = numbers >= 0
        numbers[~counts] = 0
        right = np.eye(logits.shape[-1])[np.where(counts, numbers, 0)] * counts[..., None]
        chosen = ops.log_softmax(logits) * Tensor(right, dtype=logits.dtype, requires_grad=False)
        return chosen.sum() / -int(counts.sum())

    each_sequence_by_its_own_count = edit(
        "chosen.sum() / -int(counts.sum())",
        "((chosen.sum(-1).sum(-1) if logits.ndim > 2 else chosen.sum(-1))"
        " / Tensor(-np.maximum(1, counts.sum(-1)).astype(float), dtype=logits.dtype)).sum()"
        " / counts[..., 0].size",
        target=LOSS,
    )

    @instead("clip_grad_norm(model.parameters(), max_norm)", target=STEP)
    def each_parameter_clipped_alone(model, max_norm):
        for each in model.parameters():
            clip_grad_norm([each], max_norm)

    only_the_first_parameter_is_clipped = edit(
        CLIP, "clip_grad_norm(model.parameters()[:1], max_norm)", target=STEP
    )

    @instead("clip_grad_norm(model.parameters(), max_norm)", target=STEP)
    def each_number_clipped_alone(model, max_norm):
        for each in model.parameters():
            g = each.grad.data if isinstance(each.grad, Tensor) else each.grad
            np.clip(g, -max_norm, max_norm, out=g)

    @instead("clip_grad_norm(model.parameters(), max_norm)", target=STEP)
    def long_gradients_are_scaled_short_ones_too(model, max_norm):
        clip_grad_norm(model.parameters(), 1e-12)
        for each in model.parameters():
            each.grad *= max_norm * 1e12

    the_argument_of_the_probabilities_is_written_to = edit(
        "scores = np.where(scores >= lowest, scores, -np.inf)",
        "scores[scores < lowest] = -np.inf",
        target=CHANCES,
    )

    @instead("powers = np.exp((scores", target=CHANCES)
    def the_argument_is_divided(scores, temperature):
        scores /= temperature
        powers = np.exp(scores - scores.max())

    probabilities_in_the_dtype_of_the_logits = edit(', dtype="float64"', "", target=CHANCES)
    probabilities_in_float32 = edit(
        "powers / powers.sum()", "(powers / powers.sum()).astype('float32')", target=CHANCES
    )
    what_is_left_out_has_a_score_of_minus_1000 = edit(
        "scores, -np.inf", "scores, -1000.0", target=CHANCES
    )
    ties_that_are_nearly_ties = edit(
        "scores >= lowest", "(scores >= lowest) | np.isclose(scores, lowest)", target=CHANCES
    )
    a_negative_top_k_is_an_index = edit("top_k < 1", "top_k == 0", target=CHANCES)

    @mistake(target=GENERATE)
    def the_seed_is_set_for_drawing(model, tokens, count, temperature, top_k):
        np.random.seed(0)
        drawn = [int(token) for token in tokens]
        for _ in range(count):
            seen = np.array([drawn[-model.length :]])
            chances = next_probabilities(model(seen).data[0, -1], temperature, top_k)
            drawn.append(int(np.random.choice(len(chances), p=chances)))
        return np.array(drawn)

    @mistake(target=GENERATE)
    def a_generator_of_its_own_for_drawing(model, tokens, count, temperature, top_k):
        rng = np.random.default_rng(0)
        drawn = [int(token) for token in tokens]
        for _ in range(count):
            seen = np.array([drawn[-model.length :]])
            chances = next_probabilities(model(seen).data[0, -1], temperature, top_k)
            drawn.append(int(rng.choice(len(chances), p=chances)))
        return np.array(drawn)

    the_likeliest_once_in_a_while = edit(
        "np.random.choice(len(chances), p=chances)",
        "chances.argmax() if len(drawn) < 3 else np.random.choice(len(chances), p=chances)",
        target=GENERATE,
    )
    tokens_in_a_list_only = edit(
        "[int(token) for token in tokens]", "list.copy(tokens)", target=GENERATE
    )
    nothing_but_the_new_tokens = edit(
        "return np.array(drawn)",
        "return np.array(drawn) if count else np.array([])",
        target=GENERATE,
    )
