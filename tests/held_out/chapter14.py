"""Wrong bodies of chapter 14 written without knowledge of its suites, and unusual right ones."""

from grader.course import body, edit, instead, mistake, right


class SECOND_CALL:
    @mistake(target="gpt.causal_mask")
    def one_mask_for_each_length(length):
        """Booleans of a triangle: whoever writes into a mask spoils that of the next call."""
        made = causal_mask.__dict__.setdefault("made", {})
        if length not in made:
            made[length] = np.tril(np.ones((length, length), dtype=bool))
        return made[length]

    @instead("x = self.tokens(numbers)", target="gpt.GPT.forward")
    def the_places_are_looked_up_once_for_each_length(self, length, numbers):
        """The embedding of each place, as it is *now*: after a step, that of before is added."""
        looked_up = self.__dict__.setdefault("_places", {})
        if length not in looked_up:
            looked_up[length] = self.positions(np.arange(length))
        x = self.tokens(numbers) + looked_up[length]

    @instead("clip_grad_norm(model.parameters(), max_norm)", target="gpt.train_step")
    def the_parameters_of_the_first_model(model, max_norm):
        """«the gradients of all parameters of the model»: of the model of the first call."""
        if not hasattr(train_step, "parameters"):
            train_step.parameters = model.parameters()
        clip_grad_norm(train_step.parameters, max_norm)

    @mistake(target="gpt.split_heads")
    def the_share_of_a_head_is_kept_by_the_number_of_heads(x, heads):
        """One head's share is C / H of *this* x: the first call's share is kept."""
        batch, length, dim = x.shape
        shares = split_heads.__dict__.setdefault("shares", {})
        share = shares.setdefault(heads, dim // heads)
        return x.reshape(batch, length, -1, share).transpose((0, 2, 1, 3))

    @mistake(target="gpt.windows")
    def the_places_are_drawn_once_for_each_size(tokens, length, size):
        """The places are drawn anew for every batch: two batches of one size are the same."""
        drawn = windows.__dict__.setdefault("drawn", {})
        key = len(tokens), length, size
        if key not in drawn:
            drawn[key] = np.random.randint(0, len(tokens) - length, size)
        starts = drawn[key]
        places = starts[:, None] + np.arange(length)
        return tokens[places], tokens[places + 1]


class SETTING:
    the_last_layer_has_the_usual_dtype = edit(
        "self.output = Linear(dim, dim, dtype=dtype)",
        "self.output = Linear(dim, dim)",
        target="gpt.MultiHeadAttention.__init__",
    )
    """«Make the four layers, of this dtype»: three are."""

    @mistake(target="gpt.Block.forward")
    def no_mask_means_a_causal_one(self, x, mask):
        """«None: every query may look at every key»: a block without a mask is causal."""
        mask = causal_mask(x.shape[1]) if mask is None else mask
        mixed, _ = self.attention(each_token(self.norm1, x), mask)
        x = x + mixed
        thought = gelu(each_token(self.expand, each_token(self.norm2, x)))
        return x + each_token(self.shrink, thought)

    @mistake(target="gpt.cross_entropy")
    def batches_of_sequences_nothing_else(logits, targets):
        """«logits (…, V), targets (…)»: only two axes in front are thought of."""
        numbers = np.asarray(targets.data if isinstance(targets, Tensor) else targets, dtype=int)
        batch, length, vocabulary = logits.shape
        counts = numbers >= 0
        right = np.eye(logits.shape[-1])[np.where(counts, numbers, 0)] * counts[..., None]
        chosen = ops.log_softmax(logits) * Tensor(right, dtype=logits.dtype, requires_grad=False)
        return chosen.sum() / -int(counts.sum())

    the_norm_is_always_clipped_to_one = edit(
        "clip_grad_norm(model.parameters(), max_norm)",
        "clip_grad_norm(model.parameters(), 1.0)",
        target="gpt.train_step",
    )
    """Down to max_norm: the default is written out."""

    a_full_text_is_too_long = edit(
        "if length > self.length:", "if length >= self.length:", target="gpt.GPT.forward"
    )
    """«T is greater than length» is an error; as many as fit are none."""


class VARIETY:
    no_place_is_drawn_twice = edit(
        "starts = np.random.randint(0, len(tokens) - length, size)",
        "starts = np.random.permutation(len(tokens) - length)[:size]",
        target="gpt.windows",
    )
    """«drawn separately for every row»: no two rows of a batch begin at the same place."""

    @mistake(target="ops.Take.backward")
    def as_many_rows_as_the_largest_number(self, out_grad, node):
        """The gradient has the shape of the table: rows after the last one that was picked are
        missing."""
        (a,) = node._inputs
        rows, dim = int(self.indices.max()) + 1, a.shape[1]
        copies = Tensor.one_hot(self.indices.ravel(), rows, dtype=out_grad.dtype)
        return matmul(transpose(copies), reshape(out_grad, (self.indices.size, dim)))

    @mistake(target="gpt.softmax")
    def the_largest_of_all_is_taken_off(x, axis):
        """Finite at ±1000: with the largest of *all* rows taken off, a row far below is 0 / 0."""
        powers = ops.exp(x - Tensor(x.data.max(), dtype=x.dtype, requires_grad=False))
        place = axis % x.ndim
        kept = tuple(1 if at == place else size for at, size in enumerate(x.shape))
        return powers / powers.sum(axis).reshape(kept)

    the_root_of_a_values_length = edit(
        "math.sqrt(q.shape[-1])", "math.sqrt(v.shape[-1])", target="gpt.attention"
    )
    """√d, d of a key: a value may be longer than a key."""

    @mistake(target="gpt.attention")
    def blocked_after_the_softmax_the_rest_shared_out(q, k, v, mask):
        """The others sum to 1: where a blocked score is far above the rest, 0 / 0 is left of
        them."""
        weights = softmax((q @ k.transpose()) / math.sqrt(q.shape[-1]))
        if mask is not None:
            open_ = np.where(mask, 1.0, 0.0)
            weights = weights * Tensor(open_, dtype=weights.dtype, requires_grad=False)
            weights = weights / weights.sum(-1).reshape(*weights.shape[:-1], 1)
        return weights @ v, weights

    @mistake(target="gpt.generate")
    def the_place_of_the_last_token_that_came_in(model, tokens, count, temperature, top_k):
        """The probabilities at the *last* place: from the second token on, it is another one."""
        drawn = [int(token) for token in tokens]
        for _ in range(count):
            seen = np.array([drawn[-model.length :]])
            place = min(len(tokens), model.length) - 1
            chances = next_probabilities(model(seen).data[0, place], temperature, top_k)
            drawn.append(int(np.random.choice(len(chances), p=chances)))
        return np.array(drawn)

    the_k_highest_different_scores = edit(
        "lowest = np.sort(scores)[-top_k]",
        "lowest = np.unique(scores)[-min(top_k, len(np.unique(scores)))]",
        target="gpt.next_probabilities",
    )
    """Only the k highest, and all that tie for the last place: equal ones count as one here."""


class HALF_PROMISE:
    what_is_missing_is_not_named = body(
        "return np.array([self.letters.index(letter) for letter in text], dtype=int)",
        target="gpt.Characters.encode",
    )
    """«The message names it»: the error comes from str.index, and names nothing."""

    @mistake(target="gpt.MultiHeadAttention.__init__")
    def an_assertion_instead_of_a_ValueError(self, dim, heads, dtype):
        """ValueError if dim cannot be divided: an assertion is another error."""
        assert dim % heads == 0, f"{dim} numbers for {heads} heads"
        self.heads = heads
        self.query = Linear(dim, dim, dtype=dtype)
        self.key = Linear(dim, dim, dtype=dtype)
        self.value = Linear(dim, dim, dtype=dtype)
        self.output = Linear(dim, dim, dtype=dtype)

    @mistake(target="gpt.gelu")
    def tanh_by_its_definition_in_gelu(x):
        """Finite from -1000 to 1000: tanh by its definition is inf / inf."""
        z = (x + 0.044715 * x * x * x) * math.sqrt(2 / math.pi)
        power = ops.exp(2.0 * z)
        return 0.5 * x * (1.0 + (power - 1.0) / (power + 1.0))

    only_minus_one_is_left_out = edit(
        "counts = numbers >= 0", "counts = numbers != -1", target="gpt.cross_entropy"
    )
    """«A place whose target is *negative* does not count»: only -1 is left out."""

    @instead("clip_grad_norm(model.parameters(), max_norm)", target="gpt.train_step")
    def each_gradient_is_clipped_by_itself(model, max_norm):
        """«together»: each parameter is clipped by itself."""
        for parameter in model.parameters():
            clip_grad_norm([parameter], max_norm)

    the_list_that_came_in_grows = edit(
        "drawn = [int(token) for token in tokens]",
        "drawn = tokens if isinstance(tokens, list) else [int(token) for token in tokens]",
        target="gpt.generate",
    )
    """«a list or an ndarray, which stays as it was»: a list grows."""

    @mistake(target="gpt.each_token")
    def the_width_is_found_out_by_a_call(layer, x):
        """«It is called once, with all tokens»: the output's width is found out by another call."""
        batch, length, dim = x.shape
        wide = layer(x.reshape(batch * length, dim)[:1]).shape[-1]
        return layer(x.reshape(batch * length, dim)).reshape(batch, length, wide)

    scores_are_cut_off_where_they_lie = edit(
        "scores = np.where(scores >= lowest, scores, -np.inf)",
        "scores[scores < lowest] = -np.inf",
        target="gpt.next_probabilities",
    )
    """Everything leaves its inputs as they were: blocked scores are written into the caller's
    array."""


class RIGHT:
    @right("gpt.Characters.encode")
    def places_in_a_sorted_list(self, text):
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
            raise ValueError(
                "no number for " + ", ".join(repr(chr(each)) for each in asked[strange])
            )
        return places

    @right("gpt.windows")
    def a_view_of_all_pieces(tokens, length, size):
        pieces = np.lib.stride_tricks.sliding_window_view(np.asarray(tokens), length + 1)
        chosen = pieces[[np.random.randint(len(pieces)) for _ in range(size)]]
        both = np.array(chosen).reshape(size, length + 1)
        return both[:, :-1].copy(), both[:, 1:].copy()

    @right("ops.Take.backward")
    def a_product_and_a_sum_instead_of_a_matrix(self, out_grad, node):
        (a,) = node._inputs
        rows, dim = a.shape
        count = self.indices.size
        picked = np.equal.outer(np.arange(rows), self.indices.reshape(count))
        ones = Tensor(picked.reshape(rows, count, 1), dtype=a.dtype, requires_grad=False)
        whole = (rows, count, dim)
        parts = broadcast_to(reshape(out_grad, (1, count, dim)), whole)
        return summation(broadcast_to(ones, whole) * parts, 1)

    @right("gpt.split_heads")
    def numbers_before_tokens(x, heads):
        batch, length, dim = x.shape
        return x.transpose().reshape(batch, heads, dim // heads, length).transpose()

    @right("gpt.join_heads")
    def the_way_of_the_heads_backwards(x):
        batch, heads, length, share = x.shape
        return x.transpose().reshape(batch, heads * share, length).transpose()

    @right("gpt.attention")
    def scores_by_broadcasting(q, k, v, mask):
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

    @right("gpt.cross_entropy")
    def picked_from_a_long_list(logits, targets):
        numbers = np.array(targets.data if isinstance(targets, Tensor) else targets).astype(int)
        vocabulary = logits.shape[-1]
        flat = numbers.reshape(-1)
        (places,) = np.nonzero(flat >= 0)
        table = ops.log_softmax(logits.reshape(-1, vocabulary)).reshape(flat.size * vocabulary, 1)
        surprises = ops.take(table, places * vocabulary + flat[places])
        return -(surprises.sum() / len(places))

    @right("gpt.gelu")
    def the_form_with_tanh(x):
        cube = x * x * x
        inner = ops.tanh((cube * 0.044715 + x) * (2 / math.pi) ** 0.5)
        half = x / 2
        return half + half * inner

    a_comparison_of_all_with_all = right(
        "gpt.causal_mask",
        "return np.less_equal.outer(np.arange(length), np.arange(length)).T.copy()",
    )

    @right("gpt.next_probabilities")
    def the_k_th_highest_by_a_partition(logits, temperature, top_k):
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
