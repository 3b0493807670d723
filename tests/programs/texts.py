"""Programs for text: characters as numbers, pieces to learn from, a step, and what is drawn."""

import numpy as np

from .harness import (
    POOL,
    Complaint,
    array_of,
    ask_first,
    grad_data,
    halved_first,
    leaf,
    text,
    unlike,
)

MEANS = {
    "no_chances": {"not_so": {"value": "Nothing was raised; a ValueError was expected."}},
    "path": {"names": {"norm": ["the norm of all gradients together, in each step"]}},
}


def encoded(bg, alphabet, words):
    """Characters.encode gives every character its number."""
    own, who = bg.gpt.Characters(alphabet), "Characters.encode"
    ask_first(others(bg, alphabet).encode, words)
    ask_first(lambda: array_of(own.encode(words[::-1]), who))
    return [array_of(own.encode(words), who)]


def others(bg, alphabet):
    """Characters of which each has the number of the one before."""
    return bg.gpt.Characters(f"!{alphabet}")


def decoded(bg, alphabet, numbers):
    """Characters.decode gives the text back."""
    own, given = bg.gpt.Characters(alphabet), POOL.array(numbers)
    ask_first(others(bg, alphabet).decode, given)
    halved_first([given], own.decode, given)
    found = own.decode(given)
    if not isinstance(found, str):
        raise unlike(found, "Characters.decode returned", "a str was expected")
    return [text(found)]


def unknown(bg, alphabet, words):
    """Characters.encode raises ValueError for a character without a number."""
    try:
        bg.gpt.Characters(alphabet).encode(words)
    except ValueError as error:
        strange = sorted(set(words) - set(alphabet))
        named = all(each in str(error) for each in strange)
        return [text(f"ValueError, {'naming it' if named else 'not naming it'}")]
    return [text("nothing was raised")]


def pieces(bg, total, length, size, start):
    """windows cuts pieces out of a long sequence, and what follows at each place.

    The token at place i is i itself, so that the numbers say where they were.
    """
    np.random.seed(start)
    tokens = np.arange(total)
    inputs, targets = cut(bg, tokens, length, size)
    again, later = cut(bg, tokens, length, size)
    starts = inputs[:, 0]
    steps = np.diff(starts) % (total - length)  # from row to row; all alike where one draw is made
    return {
        "inputs": [inputs - starts[:, None]],
        "targets": [targets - inputs, later - again],
        "starts": [starts / max(1, total - length - 1)],
        "ends": [np.array([starts.min(), starts.max()])],
        "fresh": [np.array((again != inputs).any())],
        "apart": [np.array(len(set(steps)) > 1)],
    }


def cut(bg, tokens, length, size):
    """Inputs and targets, which have to be two arrays of the right shape."""
    found = bg.gpt.windows(tokens, length, size)
    if not isinstance(found, (tuple, list)) or len(found) != 2:
        raise unlike(found, "windows returned", "inputs and targets were meant")
    inputs, targets = (array_of(each, "windows", place=" as one of two") for each in found)
    if inputs.shape != (size, length) or targets.shape != (size, length):
        raise Complaint(
            f"windows gave inputs of shape {inputs.shape} and targets of shape {targets.shape}; "
            f"both are to be {(size, length)}."
        )
    return inputs, targets


# ---- a step -------------------------------------------------------------------------------


STEEP = 8.0  # the scores are so many times the table, so that gradients are long


def path(bg, table, batches, options, max_norm):
    """train_step takes the parameters along the right path.

    The model is a table of its own: the scores for what comes next, a row per token; and the same
    numbers for every token, in a row of its own.
    """
    model = counting(bg, table)
    norms = []

    class Noting(bg.optim.AdamW):
        def step(self):
            grads = [grad_data(bg, each, "the gradient of a parameter") for each in self.parameters]
            norms.append(np.sqrt(sum((grad**2).sum() for grad in grads)))
            return super().step()

    optimizer = Noting(model.parameters(), **options)
    scheduler = bg.optim.Scheduler(optimizer, lambda t: options["lr"] * (t + 1) / 4)
    places, told, known = [], [], {}
    model.table.grad = np.full(table.shape, 3.0)  # left over by somebody
    for inputs, targets in batches:
        # A batch that comes again, as in the next epoch, is in the same arrays.
        key = inputs.tobytes(), targets.tobytes()
        batch = known.setdefault(key, (np.array(inputs), np.array(targets)))
        args = (model, optimizer, scheduler, *batch)
        loss = bg.gpt.train_step(*args) if max_norm is None else bg.gpt.train_step(*args, max_norm)
        told.append(number(loss))
        both = model.table.data, np.reshape(model.bias.data, (1, -1))
        places.append(np.concatenate(both).astype(model.dtype))
    return {
        "value": [np.stack(places)],
        "loss": [np.array(told, dtype=places[0].dtype)],
        "rate": [np.array([float(optimizer.lr), float(scheduler.t)])],
        "norm": [np.array(norms, dtype=places[0].dtype)],
    }


def counting(bg, table):
    """A model whose scores are the row of each token in its table, made of matrix products."""

    class Table(bg.nn.Module):
        def __init__(self):
            super().__init__()
            self.table = bg.nn.Parameter(leaf(bg, table), dtype="float64")
            self.bias = bg.nn.Parameter(leaf(bg, np.zeros((1, len(table)))), dtype="float64")
            self.dtype = np.dtype("float64")  # then that in which the package computes

        def forward(self, inputs):
            rows = np.eye(len(table))[np.asarray(inputs).ravel()]
            ones = leaf(bg, STEEP * np.ones((len(rows), 1)), requires_grad=False)
            scores = leaf(bg, STEEP * rows, requires_grad=False) @ self.table + ones @ self.bias
            self.dtype = scores.data.dtype
            return scores.reshape(*np.shape(inputs), len(table))

    return Table()


def number(loss):
    if isinstance(loss, (int, float, np.floating)):
        return float(loss)
    raise unlike(loss, "train_step returned", "a plain number was expected")


# ---- what is drawn ------------------------------------------------------------------------


def chances(bg, logits, options):
    """next_probabilities says how likely each token is."""
    given, ask = POOL.array(logits), bg.gpt.next_probabilities
    for name, value in {"temperature": 7.0, "top_k": 1}.items():
        ask_first(ask, given, **{**options, name: value})
    found = array_of(ask(given, **options), "next_probabilities")
    return {"value": [np.array(found)], "inputs": [given]}


def no_chances(bg, logits, options):
    """next_probabilities raises ValueError for what makes no sense."""
    try:
        bg.gpt.next_probabilities(np.array(logits), **options)
    except ValueError:
        return [np.array(True)]
    return [np.array(False)]


class Oracle:
    """A model that is almost sure: of the token that ``rule`` names, after what it was shown."""

    def __init__(self, bg, length, vocabulary, rule):
        self.bg, self.length, self.vocabulary, self.rule = bg, length, vocabulary, rule
        self.widths, self.training = [], True

    def __call__(self, tokens):
        shown = np.asarray(tokens.data if isinstance(tokens, self.bg.Tensor) else tokens)
        if shown.ndim != 2:
            raise Complaint(f"generate gave the model the shape {shown.shape}; a batch is (B, T).")
        if shown.shape[1] > self.length:
            raise Complaint(
                f"generate gave the model {shown.shape[1]} tokens; it can look at {self.length}."
            )
        self.widths.append(shown.shape[1])
        sure = np.zeros((*shown.shape, self.vocabulary))
        for row, each in enumerate(shown):
            sure[row] = self.rule(each, self.vocabulary)
        # A new Tensor for each call, as a model makes it: none comes back in a later probe.
        return self.bg.Tensor(sure, dtype="float64", requires_grad=False)

    forward = __call__

    def train(self, mode=True):
        self.training = bool(mode)
        return self

    def eval(self):
        return self.train(False)


def by_sum(shown, vocabulary):
    """All but certain, at each place, of the sum of what came up to there, the latest counting
    most."""
    scores = np.zeros((len(shown), vocabulary))
    sums = np.cumsum(shown * np.arange(1, len(shown) + 1)).astype(int)
    scores[np.arange(len(shown)), sums % vocabulary] = 200.0
    return scores


def evenly(shown, vocabulary):
    """0, 1, 2, … for the tokens, whatever was shown."""
    return np.arange(vocabulary, dtype=float)


def continued(bg, tokens, count, length, vocabulary, options):
    """generate draws one token after the other."""
    model = Oracle(bg, length, vocabulary, by_sum)
    start = POOL.array(tokens) if isinstance(tokens, np.ndarray) else list(tokens)
    np.random.seed(8)
    found = array_of(bg.gpt.generate(model, start, count, **options), "generate")
    return {"value": [np.array(found)], "prompt": [np.array(start)]}


def drawn(bg, times, count, vocabulary, options, start):
    """generate draws by the probabilities, and not always the likeliest."""
    model = Oracle(bg, 3, vocabulary, evenly)
    ask_first(bg.gpt.generate, model, [0], count, top_k=1)
    np.random.seed(start)
    calls = (bg.gpt.generate(model, [0], count, **options) for _ in range(times))
    return [np.concatenate([array_of(each, "generate")[1:] for each in calls]).astype("float64")]


def again(bg, count, vocabulary, start):
    """generate draws other tokens in another call: it sets no seed, and goes on with np.random."""
    np.random.seed(start)
    model = Oracle(bg, 3, vocabulary, evenly)
    one, other = (array_of(bg.gpt.generate(model, [0], count), "generate") for _ in range(2))
    return [np.array(not np.array_equal(one, other))]


def usual(bg, count, vocabulary, options, start):
    """generate takes its defaults where nothing is said: the same draws as with these options."""
    model, found = Oracle(bg, 3, vocabulary, evenly), []
    for said in ({}, options):
        np.random.seed(start)
        found.append(array_of(bg.gpt.generate(model, [0], count, **said), "generate"))
    return [np.array(np.array_equal(*found))]
