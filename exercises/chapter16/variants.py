"""Right solutions that are written in another way than the reference."""

from grader.course import right, variant


# Loops and sorted lists; heads one by one; logits at every place; sums in another order.
@variant("by-hand")
class BY_HAND:
    @right("inference.nucleus")
    def nucleus(probabilities, p):
        if p <= 0 or p > 1:
            raise ValueError(p)
        chances = [float(each) for each in probabilities]
        found, total = [0.0] * len(chances), 0.0
        for token in sorted(range(len(chances)), key=lambda t: -chances[t]):
            if total >= p:
                break
            found[token] = chances[token]
            total += chances[token]
        return np.array(found) / sum(found)

    @right("inference.draw")
    def draw(probabilities, generator):
        number, reached = generator.random() * sum(probabilities), 0.0
        last = 0
        for token, chance in enumerate(probabilities):
            reached += chance
            if chance > 0:
                last = token
            if reached > number:
                return token
        return last

    @right("inference.choose")
    def choose(logits, generator, temperature, top_k, top_p):
        plain = next_probabilities(logits)
        if not temperature:
            best = max(range(len(logits)), key=lambda token: logits[token])
            return best, plain[best]
        chances = next_probabilities(logits, temperature=temperature, top_k=top_k)
        token = draw(chances if top_p is None else nucleus(chances, top_p), generator)
        return token, plain[token]

    @right("inference.Cache.extend")
    def cache_extend(self, keys, values):
        count, room = keys.shape[-2], self.keys.shape[-2]
        if count > room - self.filled:
            raise ValueError("full")
        places = slice(self.filled, self.filled + count)
        for whole, new in ((self.keys, keys), (self.values, values)):
            whole[..., places, :] = new
        self.filled += count
        return self.keys[..., : self.filled, :], self.values[..., : self.filled, :]

    @right("inference.visible")
    def visible(before, count, starts):
        found = np.zeros((len(starts), 1, count, before + count), dtype=bool)
        for row, start in enumerate(starts):
            for new in range(count):
                found[row, 0, new, start : before + new + 1] = True
                found[row, 0, new, before + new] = True
        return found

    @right("inference.attend")
    def attend(layer, x, cache, sight):
        rows, count, dim = x.shape
        made = [each_token(part, x).data for part in (layer.query, layer.key, layer.value)]
        share = dim // layer.heads
        q, k, v = (
            np.moveaxis(each.reshape(rows, count, layer.heads, share), 2, 1) for each in made
        )
        keys, values = cache.extend(k, v)
        out = np.empty((rows, count, dim), x.dtype)
        for row in range(rows):
            for head in range(layer.heads):
                scores = q[row, head] @ keys[row, head].T * share**-0.5
                scores[~np.broadcast_to(sight[row, 0], scores.shape)] = -np.inf
                weights = np.exp(scores - scores.max(1, keepdims=True))
                weights /= weights.sum(1, keepdims=True)
                out[row, :, head * share : (head + 1) * share] = weights @ values[row, head]
        return each_token(layer.output, Tensor(out, dtype=x.dtype))

    @right("inference.through")
    def through(block, x, cache, sight):
        mixed = attend(block.attention, each_token(block.norm1, x), cache, sight)
        x = mixed + x
        rows = x.reshape(-1, x.shape[-1])
        return (rows + block.shrink(gelu(block.expand(block.norm2(rows))))).reshape(*x.shape)

    @right("inference.step")
    def step(model, tokens, caches, starts):
        tokens = np.array(tokens)
        rows, count = tokens.shape
        if starts is None:
            starts = [0] * rows
        done = caches[-1].filled
        places = np.arange(count)[None] + done - np.array(starts)[:, None]
        places[places < 0] = 0
        x = model.positions(places) + model.tokens(tokens)
        seen = visible(done, count, np.array(starts))
        for number, block in enumerate(model.blocks):
            x = through(block, x, caches[number], seen)
        rows = model.norm(Tensor(x.data[:, count - 1, :], dtype=x.dtype))
        if model.head is not None:
            return model.head(rows).data
        return (rows @ model.tokens.weight.transpose()).data

    @right("inference.stream")
    def stream(model, prompt, count, generator, temperature, top_k, top_p):
        if count > model.length - len(prompt):
            raise ValueError("too long")
        caches = caches_for(model, 1)
        new, left = np.array([prompt]), count
        while left:
            found = choose(
                step(model, new, caches)[0],
                generator,
                temperature=temperature,
                top_k=top_k,
                top_p=top_p,
            )
            yield found
            new, left = np.array([[found[0]]]), left - 1

    @right("inference.quantise")
    def quantise(weight):
        scales = np.maximum(weight.max(1), -weight.min(1)) / 127
        scales = scales.astype(np.float32)
        scales[scales == 0] = 1
        return np.round(weight / scales.reshape(-1, 1)).astype(np.int8), scales

    restore = right("inference.restore", "return (codes.T * scales).T.astype(np.float32)")

    @right("inference.SmallLinear.forward")
    def small_linear_forward(self, x):
        out = np.einsum("ri,oi->ro", x.data, self.codes.astype(x.dtype)) * self.scales
        if self.bias is None:
            return Tensor(out, dtype=x.dtype)
        return Tensor(self.bias + out, dtype=x.dtype)

    @right("inference.perplexity")
    def perplexity(model, tokens):
        found, at = [], 0
        while at + 1 < len(tokens):
            piece = tokens[at : at + model.length + 1]
            scores = np.float64(model(piece[:-1][None]).data[0])
            for row, right in zip(scores, piece[1:]):
                found.append(np.logaddexp.reduce(row) - row[right])
            at += model.length
        return np.exp(np.mean(found))

    @right("inference.multiply_adds")
    def multiply_adds(model, count, before):
        found = dict.fromkeys(("projections", "scores", "means", "thinking"), 0)
        for block in model.blocks:
            wide, out = block.attention.query.weight.shape
            found["projections"] += 4 * count * wide * out
            found["scores"] += count * (count + before) * out
            found["means"] += count * (count + before) * out
            found["thinking"] += 2 * count * block.expand.weight.size
        return {**found, "head": model.tokens.weight.size}


# `Generator.choice`, attention of chapter 14 row by row, batches of codes.
@variant("borrowed")
class BORROWED:
    @right("inference.draw")
    def draw(probabilities, generator):
        chances = np.asarray(probabilities, dtype="float64")
        return int(generator.choice(len(chances), p=chances / chances.sum()))

    @right("inference.attend")
    def attend(layer, x, cache, sight):
        q, k, v = (
            split_heads(each_token(part, x), layer.heads)
            for part in (layer.query, layer.key, layer.value)
        )
        keys, values = cache.extend(k.data, v.data)
        scores = np.einsum("bhtd,bhsd->bhts", q.data, keys) / np.sqrt(q.shape[-1])
        scores = scores + np.where(sight, 0, -1e30)
        weights = np.exp(scores - scores.max(-1)[..., None])
        weights = weights / weights.sum(-1)[..., None]
        means = Tensor(np.einsum("bhts,bhsd->bhtd", weights, values), dtype=x.dtype)
        return each_token(layer.output, join_heads(means))

    @right("inference.visible")
    def visible(before, count, starts):
        places = np.arange(before + count)
        late = places[None, :] > places[before:, None]
        early = places[None, None, :] < np.reshape(starts, (-1, 1, 1))
        own = places[None, :] == places[before:, None]
        return np.expand_dims(own | ~(late | early), 1)


# A heap, chapter 14's `attention` and `cross_entropy`, triangles, a stream that calls itself.
@variant("as-read")
class AS_READ:
    @right("inference.nucleus")
    def nucleus(probabilities, p):
        import heapq

        if p > 1 or p <= 0:
            raise ValueError("0 < p <= 1")
        heap = [(-float(c), t) for t, c in enumerate(probabilities)]
        heapq.heapify(heap)
        left, stay = float(p), {}
        total = 0.0
        while heap and total < p:
            minus, token = heapq.heappop(heap)
            stay[token] = -minus
            total -= minus
        return np.array([stay.get(t, 0.0) / total for t in range(len(probabilities))])

    @right("inference.draw")
    def draw(probabilities, generator):
        import bisect
        import itertools

        sums = list(itertools.accumulate(map(float, probabilities)))
        return bisect.bisect_right(sums, generator.random() * sums[-1])

    @right("inference.choose")
    def choose(logits, generator, temperature, top_k, top_p):
        scores = np.array(logits, dtype="float64")
        powers = np.exp(scores - scores.max())
        how_likely = powers / powers.sum()
        if temperature > 0:
            left = next_probabilities(scores, temperature, top_k)
            left = nucleus(left, 1.0 if top_p is None else top_p)
            token = draw(left, generator)
        else:
            token = int(scores.argmax())
        return token, how_likely[token]

    @right("inference.Cache.extend")
    def cache_extend(self, keys, values):
        count = keys.shape[2]
        if self.filled + count > self.values.shape[2]:
            raise ValueError("full")
        before, self.filled = self.filled, self.filled + count
        np.copyto(self.keys[:, :, before : self.filled], keys)
        np.copyto(self.values[:, :, before : self.filled], values)
        return tuple(each[:, :, : self.filled] for each in (self.keys, self.values))

    @right("inference.visible")
    def visible(before, count, starts):
        causal = np.tri(count, before + count, before, dtype=bool)
        own = np.eye(count, before + count, before, dtype=bool)
        text = np.arange(before + count) >= np.reshape(starts, (-1, 1, 1, 1))
        return causal & text | own

    @right("inference.attend")
    def attend(layer, x, cache, sight):
        from .gpt import attention

        parts = layer.query, layer.key, layer.value
        q, k, v = (split_heads(each_token(part, x), layer.heads) for part in parts)
        k, v = (Tensor(each, dtype=x.dtype) for each in cache.extend(k.data, v.data))
        means, _ = attention(q, k, v, sight)
        return each_token(layer.output, join_heads(means))

    @right("inference.stream")
    def stream(model, prompt, count, generator, temperature, top_k, top_p):
        def rest(new, caches, left):
            if left:
                (scores,) = step(model, np.array([new]), caches)
                both = choose(scores, generator, temperature, top_k, top_p)
                yield both
                yield from rest([both[0]], caches, left - 1)

        if len(prompt) + count > model.length:
            raise ValueError("too long")
        yield from rest(prompt, caches_for(model, 1), count)

    @right("inference.restore")
    def restore(codes, scales):
        return np.einsum("nm,n->nm", codes, scales, dtype=np.float32)

    @right("inference.SmallLinear.forward")
    def small_linear_forward(self, x):
        out = (self.codes.astype(x.dtype) @ x.data.T).T * self.scales
        out = out if self.bias is None else out + self.bias
        return Tensor(out, dtype=x.dtype)

    @right("inference.perplexity")
    def perplexity(model, tokens):
        from .gpt import cross_entropy

        total = 0.0
        for at in range(0, len(tokens) - 1, model.length):
            right = tokens[at + 1 : at + 1 + model.length]
            loss = cross_entropy(model(tokens[at : at + len(right)][None]), right[None])
            total += float(loss.data.item()) * len(right)
        return math.exp(total / (len(tokens) - 1))


VARIANTS = (BY_HAND, BORROWED, AS_READ)
