"""A model that answers, by running sums, loops and einsum."""

from grader.course import right, variant


@variant("unusual words")
class UNUSUAL:
    @right("inference.nucleus")
    def nucleus(probabilities, p):
        import heapq

        if p <= 0 or p > 1:
            raise ValueError("A share, please.")
        chances = np.array(probabilities, dtype=float)
        heap = [(-chance, token) for token, chance in enumerate(chances.tolist())]
        heapq.heapify(heap)
        kept, total = np.zeros(chances.shape), 0.0
        while heap and total < p:
            chance, token = heapq.heappop(heap)
            kept[token] = -chance
            total -= chance
        return kept / np.add.reduce(kept)

    @right("inference.draw")
    def draw(probabilities, generator):
        from itertools import accumulate

        sums = [*accumulate(map(float, probabilities))]
        mark = generator.random() * sums[-1]
        return next(token for token, reached in enumerate(sums) if reached > mark)

    @right("inference.choose")
    def choose(logits, generator, temperature, top_k, top_p):
        match (temperature, top_p):
            case (0, _):
                token = int(np.flatnonzero(logits == np.max(logits))[0])
            case (_, None):
                token = draw(next_probabilities(logits, temperature, top_k), generator)
            case _:
                likely = nucleus(next_probabilities(logits, temperature, top_k), top_p)
                token = draw(likely, generator)
        scores = np.asarray(logits, dtype=float)
        return token, float(np.exp(scores[token] - np.logaddexp.reduce(scores)))

    @right("inference.Cache.extend")
    def cache_extend(self, keys, values):
        count, room = keys.shape[2], self.keys.shape[2] - self.filled
        if count > room:
            raise ValueError("No room.")
        for kept, new in ((self.keys, keys), (self.values, values)):
            for t in range(count):
                kept[..., self.filled + t, :] = new[..., t, :]
        self.filled += count
        return tuple(each[..., : self.filled, :] for each in (self.keys, self.values))

    @right("inference.visible")
    def visible(before, count, starts):
        sight = np.zeros((len(starts), 1, count, before + count), bool)
        for row, start in enumerate(starts):
            for t in range(count):
                sight[row, 0, t, int(start) : before + t + 1] = True
                sight[row, 0, t, before + t] = True
        return sight

    @right("inference.attend")
    def attend(layer, x, cache, sight):
        from .gpt import attention

        def asked(part):
            return split_heads(each_token(part, x), layer.heads)

        kept = cache.extend(asked(layer.key).data, asked(layer.value).data)
        keys, values = (Tensor(each, dtype=x.dtype, requires_grad=False) for each in kept)
        means, _ = attention(asked(layer.query), keys, values, sight)
        return each_token(layer.output, join_heads(means))

    @right("inference.through")
    def through(block, x, cache, sight):
        for norm, part in (
            (block.norm1, lambda n: attend(block.attention, n, cache, sight)),
            (block.norm2, lambda n: each_token(block.shrink, gelu(each_token(block.expand, n)))),
        ):
            x = x + part(each_token(norm, x))
        return x

    @right("inference.step")
    def step(model, tokens, caches, starts):
        new = np.array(tokens, dtype=int)
        rows, count = new.shape
        starts = [0] * rows if starts is None else [int(start) for start in starts]
        old = caches[0].filled
        places = [[max(0, old + t - start) for t in range(count)] for start in starts]
        sight = visible(before=old, count=count, starts=np.array(starts))
        x = model.positions(places) + model.tokens(new)
        for i in range(len(model.blocks)):
            x = through(model.blocks[i], x, caches[i], sight)
        last = model.norm(x[:, -1])
        if model.head is None:
            return np.einsum("bc,vc->bv", last.data, model.tokens.weight.data)
        return model.head(last).numpy()

    @right("inference.stream")
    def stream(model, prompt, count, generator, temperature, top_k, top_p):
        prompt = [*prompt]
        if model.length - len(prompt) < count:
            raise ValueError("More than it can look at.")
        options = {"temperature": temperature, "top_k": top_k, "top_p": top_p}
        caches, new = caches_for(model, rows=1), prompt
        while count > 0:
            (scores,) = step(model, np.array([new]), caches)
            chosen = choose(scores, generator, **options)
            yield chosen
            count, new = count - 1, chosen[:1]

    @right("inference.quantise")
    def quantise(weight):
        scales = np.ones(len(weight), np.float32)
        codes = np.zeros(weight.shape, np.int8)
        for i, row in enumerate(weight):
            if row.any():
                scales[i] = max(row.max(), -row.min()) / 127
                codes[i] = np.round(row / scales[i])
        return codes, scales

    restore = right(
        "inference.restore", 'return np.einsum("nm,n->nm", codes.astype(np.float32), scales)'
    )

    @right("inference.SmallLinear.forward")
    def small_linear_forward(self, x):
        sums = np.einsum("ri,oi->ro", x.data, self.codes.astype(x.dtype))
        sums *= self.scales
        if self.bias is not None:
            sums += self.bias
        return Tensor(sums, dtype=x.dtype, requires_grad=False)

    @right("inference.perplexity")
    def perplexity(model, tokens):
        logs, at = [], 0
        while at < len(tokens) - 1:
            seen = tokens[at : at + model.length][: len(tokens) - 1 - at]
            scores = np.array(model(seen[np.newaxis]).data[0], dtype=float)
            for t, row in enumerate(scores):
                logs.append(row[tokens[at + t + 1]] - np.logaddexp.reduce(row))
            at += model.length
        return math.exp(-math.fsum(logs) / len(logs))

    @right("inference.multiply_adds")
    def multiply_adds(model, count, before):
        attention, dim = model.blocks[0].attention, model.tokens.weight.shape[1]
        width, seen, n = dim // attention.heads, before + count, len(model.blocks)
        pairs = n * attention.heads * count * seen * width
        found = dict.fromkeys(("scores", "means"), pairs)
        found["projections"] = (
            n
            * count
            * sum(
                math.prod(getattr(attention, name).weight.shape)
                for name in ("query", "key", "value", "output")
            )
        )
        found["thinking"] = (
            n
            * count
            * sum(each.weight.size for each in (model.blocks[0].expand, model.blocks[0].shrink))
        )
        return found | {"head": math.prod(model.tokens.weight.shape)}
