"""Wrong bodies of chapter 16 written without knowledge of its suites, and unusual right ones."""

from grader.course import edit, instead, mistake, right


class SECOND_CALL:
    @mistake(target="inference.draw")
    def the_sums_of_an_array_are_kept(probabilities, generator):
        """«by these probabilities»: an array that has been filled anew keeps the sums of before."""
        kept = draw.__dict__.setdefault("kept", {})
        if id(probabilities) not in kept:
            kept[id(probabilities)] = probabilities, np.cumsum(probabilities, dtype="float64")
        reached = kept[id(probabilities)][1]
        return int(np.searchsorted(reached, generator.random() * reached[-1], side="right"))

    @instead("begins = np.zeros(rows,", target="inference.step")
    def where_the_texts_began_last_time(starts, rows):
        """«None: at place 0 in every row»: the starts of the last call are taken instead."""
        before_this = step.__dict__.get("starts")
        if starts is None and before_this is not None and len(before_this) == rows:
            starts = before_this
        begins = np.zeros(rows, dtype=int) if starts is None else np.asarray(starts)
        step.starts = begins

    @instead("caches, new = caches_for(model,", target="inference.stream")
    def the_caches_of_a_model_are_emptied_and_used_again(model, prompt):
        """Two answers of one model at the same time: one writes into the caches of the other."""
        if not hasattr(model, "_caches"):
            model._caches = caches_for(model, 1)
        caches, new = model._caches, list(prompt)
        for cache in caches:
            cache.filled = 0

    @mistake(target="inference.visible")
    def what_is_visible_is_kept_by_the_numbers_of_tokens(before, count, starts):
        """Booleans for *these* starts: the key leaves them out."""
        kept = visible.__dict__.setdefault("kept", {})
        key = before, count, len(starts)
        if key not in kept:
            new = np.arange(before, before + count)[:, None]
            there = np.arange(before + count)
            text = (there <= new) & (there >= np.asarray(starts)[:, None, None])
            kept[key] = (text | (there == new))[:, None]
        return kept[key]


class SETTING:
    @instead(
        "before = (np.cumsum(chances[order])",
        "stays = order[before < p]",
        target="inference.nucleus",
    )
    def the_first_place_that_reaches_p(order, p, chances):
        """p may be 1: the sum of all ends just below it, and nothing «reaches» it."""
        stays = order[: np.argmax(np.cumsum(chances[order]) >= p) + 1]

    @mistake(target="inference.choose")
    def a_very_small_temperature_for_none(logits, generator, temperature, top_k, top_p):
        """A temperature of 0 «doesn't ask the generator»: a very small one does."""
        chances = next_probabilities(logits, temperature or 1e-9, top_k)
        if top_p is not None:
            chances = nucleus(chances, top_p)
        token = draw(chances, generator)
        return token, float(next_probabilities(logits)[token])

    @mistake(target="inference.Cache.extend")
    def NumPy_will_say_that_there_is_no_room(self, keys, values):
        """«ValueError: there is no room»: NumPy says so for several tokens, for a single one it
        doesn't."""
        end = self.filled + keys.shape[2]
        self.keys[:, :, self.filled : end] = keys
        self.values[:, :, self.filled : end] = values
        self.filled = end
        return self.keys[:, :, :end], self.values[:, :, :end]

    itself_on_the_diagonal = edit(
        "return (text | (there == new))[:, None]",
        "return (text | np.eye(count, before + count, dtype=bool))[:, None]",
        target="inference.visible",
    )
    """A token may look at itself: with a cache, «itself» isn't on the diagonal any more."""

    the_last_place_in_the_usual_dtype = edit(
        "Tensor(x.data[:, -1], dtype=x.dtype)", "Tensor(x.data[:, -1])", target="inference.step"
    )
    """float64 stays float64: the last place becomes float32."""

    the_heads_own_weight = edit(
        '"head": dim * vocabulary,',
        '"head": model.head.weight.size,',
        target="inference.multiply_adds",
    )
    """«head: scores for the last place»: tied weights have no head to ask."""


class VARIETY:
    powers_of_the_scores_as_they_are = edit(
        "powers = np.exp(scores - scores.max(axis=-1, keepdims=True))",
        "powers = np.exp(scores)",
        target="inference.attend",
    )
    """As in chapter 14's attention, at ±1000 too: nothing is taken off, and inf / inf is nan."""

    a_bit_against_zero = edit(
        "np.where(largest > 1e-35, largest / 127, 1.0)",
        "(largest / 127 + 1e-8)",
        target="inference.quantise",
    )
    """The scale is the largest / 127; of a row of zeros it is 1: a bit is added to both."""

    @mistake(target="inference.perplexity")
    def the_root_of_the_product(model, tokens):
        """exp of the mean of -log p: the product of many probabilities is 0."""
        product = 1.0
        for start in range(0, len(tokens) - 1, model.length):
            piece = tokens[start : start + model.length + 1]
            scores = model(piece[None, :-1]).data[0].astype("float64")
            scores = scores - scores.max(axis=-1, keepdims=True)
            chances = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
            product *= chances[np.arange(len(piece) - 1), piece[1:]].prod()
        return float(product ** (-1 / (len(tokens) - 1)))

    looking_back_is_half_a_square = edit(
        '"scores": blocks * count * there * dim,',
        '"scores": blocks * sum(range(before + 1, there + 1)) * dim,',
        target="inference.multiply_adds",
    )
    """«queries with keys»: every new token meets all that are there, not just those before it."""

    the_largest_value_with_its_sign = edit(
        "largest = np.abs(weight).max(axis=1)",
        "largest = weight.max(axis=1)",
        target="inference.quantise",
    )
    """The largest *absolute* value of its row: a negative one may be larger."""

    all_that_are_as_likely_as_the_last = edit(
        "stays = order[before < p]",
        "stays = np.flatnonzero(chances >= chances[order[before < p]].min())",
        target="inference.nucleus",
    )
    """As few as reach p, «of equal ones the lower number first»: all equal ones stay here."""

    @instead(
        "return float(np.exp(surprise",
        edits=(
            (
                "range(0, len(tokens) - 1, model.length)",
                "range(0, len(tokens) - 1, model.length + 1)",
            ),
        ),
        target="inference.perplexity",
    )
    def pieces_that_do_not_overlap(surprise, tokens, model):
        """The token that comes after it *in the text*: between two pieces, none is predicted."""
        return float(
            np.exp(
                surprise
                / sum(
                    len(tokens[at + 1 : at + model.length + 1])
                    for at in range(0, len(tokens) - 1, model.length + 1)
                )
            )
        )


class HALF_PROMISE:
    @instead(
        "kept = np.zeros_like(chances)", "return kept / kept.sum()", target="inference.nucleus"
    )
    def cut_off_where_it_lies(chances, order, stays):
        """Everything leaves its arguments as they were: what is cut off is written into the
        caller's."""
        chances[np.setdiff1d(order, stays)] = 0
        return chances / chances.sum()

    @mistake(target="inference.Cache.extend")
    def counted_before_there_is_room(self, keys, values):
        """«Nothing is changed then»: the count has gone up already."""
        start = self.filled
        end = self.filled = start + keys.shape[2]
        if end > self.keys.shape[2]:
            raise ValueError(f"{end} tokens are more than the {self.keys.shape[2]} it has room for")
        self.keys[:, :, start:end] = keys
        self.values[:, :, start:end] = values
        return self.keys[:, :, :end], self.values[:, :, :end]

    @mistake(target="inference.stream")
    def the_cache_will_say_that_it_is_too_much(
        model, prompt, count, generator, temperature, top_k, top_p
    ):
        """ValueError «when somebody wants the first token»: it comes when the cache is full."""
        caches, new = caches_for(model, 1), list(prompt)
        for _ in range(count):
            scores = step(model, [new], caches)[0]
            token, chance = choose(scores, generator, temperature, top_k, top_p)
            yield token, chance
            new = [token]

    @mistake(target="inference.stream")
    def one_token_ahead(model, prompt, count, generator, temperature, top_k, top_p):
        """«only when somebody wants the next one»: the model works ahead by one token."""
        if len(prompt) + count > model.length:
            raise ValueError(f"{len(prompt)} + {count} tokens are more than {model.length}")
        caches, new = caches_for(model, 1), list(prompt)
        if count:
            scores = step(model, [new], caches)[0]
        for left in range(count, 0, -1):
            token, chance = choose(scores, generator, temperature, top_k, top_p)
            if left > 1:
                scores = step(model, [[token]], caches)[0]
            yield token, chance

    @mistake(target="inference.quantise")
    def scales_of_the_matrixs_dtype(weight):
        """«scales, float32»: they have the dtype of the matrix."""
        largest = np.abs(weight).max(axis=1)
        scales = np.where(largest > 1e-35, largest / 127, 1.0).astype(weight.dtype)
        return np.rint(weight / scales[:, None]).astype("int8"), scales

    the_result_in_the_dtype_of_the_scales = edit(
        "return Tensor(out, dtype=x.dtype)",
        "return Tensor(out, dtype=self.scales.dtype)",
        target="inference.SmallLinear.forward",
    )
    """«in the dtype of x»: the scales make float32 of it."""

    @instead(
        "last = model.norm(Tensor(x.data[:,", "return (last @ head).data", target="inference.step"
    )
    def every_place_through_the_head(x, model, rows, count):
        """«Only that place goes through norm and the head»: all of them do."""
        x = each_token(model.norm, x)
        head = model.tokens.weight.transpose() if model.head is None else model.head.weight
        return (x.reshape(-1, x.shape[-1]) @ head).data.reshape(rows, count, -1)[:, -1]


class RIGHT:
    @right("inference.nucleus")
    def who_stands_before_whom(probabilities, p):
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

    @right("inference.draw")
    def how_many_sums_are_not_above(probabilities, generator):
        chances = np.array(probabilities, dtype=np.float64)
        sums = np.add.accumulate(chances)
        number = generator.random() * sums[-1]
        return int(np.count_nonzero(~(sums > number)))

    @right("inference.Cache.extend")
    def from_the_end_of_the_arrays(self, keys, values):
        room, new = self.keys.shape[2], keys.shape[2]
        free = room - self.filled
        if new > free:
            raise ValueError(f"{new} tokens, and room for {free}")
        stop = new - free or None
        for whole, part in zip((self.keys, self.values), (keys, values)):
            np.moveaxis(whole, 2, 0)[self.filled : stop] = np.moveaxis(part, 2, 0)
        self.filled = room + (stop or 0)
        return self.keys[:, :, :stop], self.values[:, :, :stop]

    @right("inference.visible")
    def by_a_difference_of_places(before, count, starts):
        rows = np.reshape(np.array(starts), (-1, 1, 1, 1))
        asking = np.arange(count).reshape(1, 1, -1, 1) + before
        asked = np.arange(before + count).reshape(1, 1, 1, -1)
        distance = asking - asked
        return np.where(distance > 0, asked >= rows, distance == 0)

    @right("inference.attend")
    def each_query_by_itself(layer, x, cache, sight):
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

    @right("inference.quantise")
    def both_scales_in_a_list(weight):
        codes = np.zeros(weight.shape, dtype=np.int8)
        scales = np.ones(len(weight), dtype=np.float32)
        for number, row in enumerate(weight):
            peak = max(row.max(), -row.min())
            if peak != 0:
                scales[number] = peak / 127
                codes[number] = [round(float(value)) for value in row / scales[number]]
        return codes, scales

    @right("inference.stream")
    def token_after_token_in_a_while(model, prompt, count, generator, temperature, top_k, top_p):
        from itertools import islice

        def endless(text):
            caches = caches_for(model, 1)
            while True:
                (scores,) = step(model, np.array(text, dtype=int)[None], caches)
                answer = choose(
                    scores, generator, temperature=temperature, top_k=top_k, top_p=top_p
                )
                yield answer
                text = answer[:1]

        if model.length < len(prompt) + count:
            raise ValueError("this is too long")
        for answer in islice(endless(list(prompt)), count):
            yield answer

    @right("inference.perplexity")
    def a_loss_for_each_place(model, tokens):
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
