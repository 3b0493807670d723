"""More right solutions of chapter 14, written in other ways than the reference."""

from grader.course import right, variant


# A matrix of ones for a sum, plain lists for arrays, races of waiting times for draws.
@variant("queues, counts and races")
class RACES:
    @right("gpt.Characters.encode")
    def characters_encode(self, text):
        places = [self.letters.find(letter) for letter in text]
        if -1 in places:
            raise ValueError(f"{text[places.index(-1)]!r} is not among them")
        return np.array(places, dtype=np.intp)

    @right("gpt.windows")
    def windows(tokens, length, size):
        def pieces():
            for start in np.random.randint(len(tokens) - length, size=size).tolist():
                yield tokens[start : start + length], tokens[start + 1 :][:length]

        inputs, targets = zip(*pieces())
        return np.array(inputs), np.array(targets)

    @right("ops.Take.backward")
    def take_backward(self, out_grad, node):
        rows, dim = node._inputs[0].shape
        table = np.zeros((rows, self.indices.size), out_grad.dtype)
        table[self.indices.ravel(), np.arange(self.indices.size)] = 1
        table = Tensor(table, dtype=table.dtype, requires_grad=False)
        return matmul(table, reshape(out_grad, (-1, dim)))

    @right("gpt.softmax")
    def softmax(x, axis):
        top = x.data.max(axis, keepdims=True)
        e = ops.exp(x + Tensor(-top, dtype=x.dtype, requires_grad=False))
        ones = np.ones((x.shape[axis],) * 2)
        order = [i for i in range(x.ndim) if i != axis % x.ndim] + [axis % x.ndim]
        last = e.transpose(tuple(order)).reshape(-1, x.shape[axis])
        total = last @ Tensor(ones, dtype=x.dtype, requires_grad=False)
        back = tuple(int(i) for i in np.argsort(order))
        return e / total.reshape([x.shape[i] for i in order]).transpose(back)

    causal_mask = right(
        "gpt.causal_mask", "return ~np.triu(np.ones((length, length), dtype=bool), k=1)"
    )

    @right("gpt.gelu")
    def gelu(x):
        z = (x + x * x * x * 0.044715) * math.sqrt(2 / math.pi)
        return x / 2 + x / 2 * ops.tanh(z)

    @right("gpt.cross_entropy")
    def cross_entropy(logits, targets):
        numbers = np.array(targets.data if isinstance(targets, Tensor) else targets)
        counts = (numbers >= 0).astype(float)
        right = (np.arange(logits.shape[-1]) == numbers[..., None]).astype(float)

        def weigh(x, weights):
            return (x * Tensor(weights, dtype=logits.dtype, requires_grad=False)).sum()

        total = weigh(ops.logsumexp(logits, -1), counts) - weigh(logits, right)
        return total / counts.sum()

    @right("gpt.next_probabilities")
    def next_probabilities(logits, temperature, top_k):
        if min(temperature, 1 if top_k is None else top_k) <= 0:
            raise ValueError("neither may be 0 or less")
        scores = [float(s) for s in logits]
        kept = sorted(scores, reverse=True)[:top_k][-1]
        powers = [math.exp((s - max(scores)) / temperature) * (s >= kept) for s in scores]
        return np.array(powers) / math.fsum(powers)

    # The first of several waiting times comes from each with its probability.
    @right("gpt.generate")
    def generate(model, tokens, count, temperature, top_k):
        from collections import deque

        seen, found = deque(tokens, maxlen=model.length), list(tokens)
        while len(found) < len(tokens) + count:
            logits = model(np.array([seen], dtype=int)).data
            p = next_probabilities(logits[0, -1], temperature, top_k)
            with np.errstate(divide="ignore"):
                token = int(np.argmin(np.random.exponential(size=len(p)) / p))
            seen.append(token)
            found.append(token)
        return np.array(found, dtype=int)
