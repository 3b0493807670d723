"""From scores to a token: the nucleus, a draw with a generator that is handed over, and both."""

from grader.course import after, before, body, edit, exercise, instead

CROSSING = "You left out the token with which the sum gets past `p`. It is the last that stays."


@exercise("inference.nucleus", points=2, minutes=12)
class NUCLEUS:
    """Sort from the likeliest down: `np.argsort(-chances, kind="stable")` gives the numbers of the
    tokens in that order, and keeps equal ones in theirs.

    What is the sum of everything *before* a token in that order? The token stays as long as that
    sum is below `p`.

    Put the probabilities that stay back at their own places, and divide by their sum.
    """

    crossing_left_out = edit("before < p", "np.cumsum(chances[order]) <= p", says=CROSSING)

    crossing_left_out_but_one = edit(
        "order[before < p]",
        "order[: max(1, (np.cumsum(chances[order]) <= p).sum())]",
        says=CROSSING,
    )

    reached_left_out = edit("before < p", "np.cumsum(chances[order]) < p")
    """You left out the token with which the sum reaches `p`. It is the last that stays."""

    gone_on_at_p = edit((" * (1 + 1e-12)", ""), ("before < p", "before <= p"))
    """A sum of exactly `p` has reached it: you went on by one token."""

    one_refused = edit("0 < p <= 1", "0 < p < 1", shown_by=r"\bp (< 1\)?|>= 1(\.0)?):\s+raise")
    """A `p` of 1 makes sense: all tokens stay. Refuse only what is above it."""

    one_too_many = edit("before < p", "before - chances[order] < p")
    """You kept one token too many: the sum had reached `p` before it."""

    least_likely = edit("-chances, kind", "chances, kind")
    """You began with the least likely token. Begin with the likeliest."""

    not_shared_out = edit("kept / kept.sum()", "kept")
    """What stays no longer sums to 1. Divide it by its sum."""

    sorted_away = edit("kept[stays] = chances[stays]", "kept[: len(stays)] = chances[stays]")
    """You returned the probabilities in their sorted order. Each belongs at the place of its own
    token."""

    a_threshold = edit("order[before < p]", "np.flatnonzero(chances >= 1 - p)")
    """You compared each probability by itself with a limit. It is their *sum*, from the likeliest
    down, that has to reach `p`."""

    in_their_order = edit('np.argsort(-chances, kind="stable")', "np.arange(len(chances))")
    """You added the probabilities up in the order of the tokens. Begin with the likeliest."""

    later_ones_first = edit(
        'np.argsort(-chances, kind="stable")', 'np.argsort(chances, kind="stable")[::-1]'
    )
    """Of equally likely tokens you took the one with the higher number. The lower one goes
    first."""

    not_refused = edit(
        ("if not 0 < p <= 1:", ""), ('raise ValueError("p has to be above 0, and at most 1")', "")
    )
    """A `p` of 0, or one above 1, makes no sense. Raise ValueError."""


@exercise("inference.draw", points=2, minutes=8)
class DRAW:
    """`np.cumsum` gives the sums from token 0 on. They rise; where do they get above the number
    that was drawn?

    `np.searchsorted(sums, u, side="right")` is the first place whose sum is above `u`.

    If the sums end at 0.9999999, a number above that draws nothing. Multiply the number by the last
    sum.
    """

    not_above = edit("right", "left")
    """A sum that is just as large as the number is not above it. With `side="left"` a token of
    probability 0 can be drawn."""

    global_generator = edit("generator.random()", "np.random.random()")
    """You asked NumPy's global generator. Ask the one that was handed over, so that the caller can
    draw the same again."""

    own_generator = edit("generator.random()", "np.random.default_rng(0).random()")
    """You made a generator of your own, which draws the same every time. Ask the one that was
    handed over."""

    rounding = edit(" * reached[-1]", "")
    """The probabilities may sum to a little less than 1. A number above their sum then draws a
    token that does not exist."""

    def last_takes_the_rest(probabilities, generator):
        """A number above the sum draws the last token here, even where its probability is 0.
        Multiply the number by the last sum."""
        reached = np.cumsum(probabilities)
        token = np.searchsorted(reached, generator.random(), side="right")
        return min(int(token), len(reached) - 1)

    numpys_choice = body("return int(generator.choice(len(probabilities), p=probabilities))")
    """`choice` refuses probabilities whose sum is not quite 1. Divide them by it, or compare sums
    yourself."""

    likeliest = body("return int(np.argmax(probabilities))")
    """You took the likeliest token. Draw one."""

    evenly = body("return int(generator.random() * len(probabilities))")
    """Every token is as likely as the others here. The probabilities have a say."""

    single_ones = edit('np.cumsum(probabilities, dtype="float64")', "np.sort(probabilities)")
    """You compared the number with the probabilities themselves. Compare it with their sums, from
    token 0 on."""

    one_further = edit('side="right")', 'side="right") + 1')
    """You return the token after the one that was drawn."""


@exercise(
    "inference.choose",
    points=2,
    needs=("chapter16.nucleus", "chapter16.draw", "chapter14.next_probabilities"),
)
class CHOOSE:
    """Three calls in a row: `next_probabilities`, `nucleus` if there is a `top_p`, `draw`.

    A temperature of 0 cannot be divided by. Look at it first.

    The second result asks another question: how likely was this token before anything was bent or
    cut off?
    """

    @after(
        "token = int(np.argmax(logits))",
        edits=(("float(next_probabilities(logits)[token])", "float(chances[token])"),),
    )
    def bent_probability(logits):
        """The probability that you return is the one it was drawn by. Return the model's own, of
        the scores as they came."""
        chances = next_probabilities(logits)

    top_p_ignored = edit("if top_p is not None", "if False")
    """`top_p` is ignored."""

    top_k_ignored = edit(", temperature, top_k", ", temperature")
    """`top_k` is ignored."""

    temperature_ignored = edit("temperature, top_k", "1.0, top_k")
    """The temperature is ignored, unless it is 0."""

    @instead("chances = next_probabilities(logits,")
    def after_the_softmax(temperature, logits, top_k):
        """You divided probabilities by the temperature. It divides the *scores*, before the
        softmax."""
        chances = next_probabilities(logits, 1.0, top_k) / temperature

    nearly_zero = edit(
        "token = int(np.argmax(logits))",
        "token = draw(next_probabilities(logits, 1e-9), generator)",
    )
    """A tiny temperature is not 0: it draws one of the equal scores, and asks the generator."""

    @instead(
        "chances = next_probabilities(logits,",
        "chances = nucleus(chances, top_p)",
        has=(r"(?s)nucleus\(.{1,400}/ temperature",),
    )
    def nucleus_first(logits, top_k, top_p, temperature):
        """You took the nucleus before the temperature. A high temperature then has fewer tokens to
        spread over than it should."""
        chances = next_probabilities(logits, 1.0, top_k)
        if top_p is not None:
            chances = nucleus(chances, top_p)
        chances = chances ** (1 / temperature)
        chances = chances / chances.sum()

    def zero_not_taken(logits, generator, temperature, top_k, top_p):
        """A temperature of 0 cannot be divided by: it means the highest score."""
        if True:
            chances = next_probabilities(logits, temperature, top_k)
            if top_p is not None:
                chances = nucleus(chances, top_p)
            token = draw(chances, generator)
        return token, float(next_probabilities(logits)[token])

    @before("token = int(np.argmax(logits))")
    def generator_asked_at_zero(generator):
        """At a temperature of 0 nothing is drawn, so the generator isn't asked. Whoever draws with
        it next would get another number."""
        generator.random()

    token_only = edit("return token, float(next_probabilities(logits)[token])", "return token")
    """You returned the token alone. Its probability comes with it."""
