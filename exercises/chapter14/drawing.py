"""Back to text: how likely each token is, and drawing one after the other."""

from grader.course import edit, exercise, instead


@exercise("gpt.next_probabilities", points=3, minutes=12)
class CHANCES:
    """Three steps: divide by the temperature, keep the highest, softmax. This is NumPy only: no
    graph is needed to draw.

    `np.sort` puts the k-th highest score at place `-k`. What lies below it becomes -∞.

    Subtract the maximum before `np.exp`, as in chapter 4.
    """

    def _right(logits, temperature, top_k):
        if temperature <= 0 or (top_k is not None and top_k < 1):
            raise ValueError("no")
        scores = np.asarray(logits, dtype="float64") / temperature
        if top_k is not None and top_k < len(scores):
            scores = np.where(scores >= np.sort(scores)[-top_k], scores, -np.inf)
        powers = np.exp(scores - scores.max())
        return powers / powers.sum()

    multiplied = edit("/ temperature", "* temperature", of=_right)
    """You multiplied by the temperature: a high one makes your model *surer*."""

    no_temperature = edit(" / temperature", "", of=_right)
    """`temperature` is ignored."""

    no_top_k = edit("if top_k is not None", "if False", of=_right)
    """`top_k` is ignored: everything can be drawn."""

    lowest_kept = edit((">=", "<="), ("-top_k", "top_k - 1"), of=_right)
    """You kept the k lowest scores."""

    def one_too_few(logits, temperature, top_k):
        """You left out the k-th highest: it belongs to the k that stay."""
        if temperature <= 0 or (top_k is not None and top_k < 1):
            raise ValueError("no")
        scores = np.asarray(logits, dtype="float64") / temperature
        if top_k is not None and top_k < len(scores):
            scores = np.where(scores > np.sort(scores)[-top_k], scores, -np.inf)
        scores = np.where(np.isfinite(scores).any(), scores, 0.0)
        powers = np.exp(scores - scores.max())
        return powers / powers.sum()

    one_too_many = edit(
        "-top_k",
        "-top_k - 1",
        of=_right,
        seen="https://github.com/kingoflolz/mesh-transformer-jax/issues/164",
    )
    """You kept one more than k."""

    @instead("scores = np.where(scores", of=_right)
    def exactly_k(scores, top_k):
        """If several tie for the last place, you kept some of them and not others. Keep all of
        them."""
        scores = np.where(np.argsort(np.argsort(-scores, kind="stable")) < top_k, scores, -np.inf)

    def not_shared_out(logits, temperature, top_k):
        """You set probabilities to 0 after the softmax. What is left no longer sums to 1."""
        if temperature <= 0 or (top_k is not None and top_k < 1):
            raise ValueError("no")
        scores = np.asarray(logits, dtype="float64") / temperature
        powers = np.exp(scores - scores.max())
        chances = powers / powers.sum()
        if top_k is not None and top_k < len(scores):
            chances = np.where(scores >= np.sort(scores)[-top_k], chances, 0.0)
        return chances

    zeroed_scores = edit("-np.inf", "0.0", of=_right)
    """You set the other scores to 0. e⁰ is 1: they can still be drawn. It takes -∞."""

    overflows = edit(" - scores.max()", "", of=_right)
    """e to the power of 1000 is too large for any float. Subtract the maximum first."""

    def not_refused(logits, temperature, top_k):
        """A temperature of 0, a negative one and a `top_k` of 0 make no sense. Raise ValueError."""
        scores = np.asarray(logits, dtype="float64") / temperature
        if top_k is not None and top_k < len(scores):
            scores = np.where(scores >= np.sort(scores)[-top_k], scores, -np.inf)
        powers = np.exp(scores - scores.max())
        return powers / powers.sum()


@exercise("gpt.generate", points=3, minutes=12)
class GENERATE:
    """A loop: show the model what is there, look at its scores for the *last* place, draw, append.

    The model wants a batch: a batch of one sequence has the shape `(1, T)`. `np.random.choice(n,
    p=chances)` draws.

    If the sequence is long, the model sees the last `model.length` tokens.
    """

    all_of_it = edit("[-model.length :]", "")
    """You show the model everything. It can look at `model.length` tokens, no more."""

    the_first_ones = edit("-model", ": model")
    """If the sequence is long, you show its *beginning*: the model never sees what it just
    wrote."""

    last_one_only = edit("model.length ", "1")
    """You show the model the last token only. It can look at `model.length` of them."""

    not_fed_back = edit("[drawn[-model.length :]]", "[list(tokens)[-model.length :]]")
    """The model sees only what you began with, and draws the same thing again and again. What it
    drew is part of what it sees next."""

    first_place = edit("-1", "0")
    """You took the scores of the first place. What comes after everything stands at the last."""

    always_the_likeliest = edit("np.random.choice(len(chances), p=chances)", "chances.argmax()")
    """You always take the likeliest token. *Draw* one by its probability."""

    new_ones_only = edit("(drawn)", "(drawn[-count:])")
    """You returned only the new tokens. `tokens` come first."""

    temperature_forgotten = edit("temperature, ", "top_k=")
    """You don't pass on the temperature."""

    top_k_forgotten = edit(", top_k", "")
    """You don't pass on `top_k`."""

    writes_into_the_list = edit("[int(token) for token in tokens]", "tokens")
    """You appended to the caller's own list. Make a new one."""
