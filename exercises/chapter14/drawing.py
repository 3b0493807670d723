"""Back to text: how likely each token is, and drawing one after the other."""

from grader.course import Exercise, Mistake

RIGHT = """
if temperature <= 0 or (top_k is not None and top_k < 1):
    raise ValueError('no')
scores = np.asarray(logits, dtype='float64') / temperature
if top_k is not None and top_k < len(scores):
    scores = np.where(scores >= np.sort(scores)[-top_k], scores, -np.inf)
powers = np.exp(scores - scores.max())
return powers / powers.sum()
"""


def but(old: str, new: str) -> str:
    """A working body with one thing done otherwise."""
    assert old in RIGHT, old
    return RIGHT.replace(old, new)


CHANCES = Exercise(
    "chapter14.next_probabilities",
    section="14.13",
    targets=("gpt.next_probabilities",),
    points=3,
    minutes=12,
    difficulty=2,
    hints=(
        "Three steps: divide by the temperature, keep the highest, softmax. This is NumPy only: no "
        "graph is needed to draw.",
        "`np.sort` puts the k-th highest score at place `-k`. What lies below it becomes -∞.",
        "Subtract the maximum before `np.exp`, as in chapter 4.",
    ),
    mistakes=(
        Mistake(
            "multiplied", but("/ temperature", "* temperature"),
            "You multiplied by the temperature: a high one makes your model *surer*.",
        ),
        Mistake(
            "no-temperature", but(" / temperature", ""),
            "`temperature` is ignored.",
        ),
        Mistake(
            "no-top-k", but("top_k is not None and top_k < len", "False and top_k < len"),
            "`top_k` is ignored: everything can be drawn.",
        ),
        Mistake(
            "lowest-kept", but("scores >= np.sort(scores)[-top_k]", "scores <= np.sort(scores)"
                               "[top_k - 1]"),
            "You kept the k lowest scores.",
        ),
        Mistake(
            "one-too-few", but("scores >= np", "scores > np").replace(
                "powers = ", "scores = np.where(np.isfinite(scores).any(), scores, 0.0)\n"
                "powers = "),
            "The k-th highest is left out: it belongs to the k that stay.",
        ),
        Mistake(
            "one-too-many", but("[-top_k]", "[-top_k - 1]"),
            "You kept one more than k.",
        ),
        Mistake(
            "exactly-k", but("np.where(scores >= np.sort(scores)[-top_k], scores, -np.inf)",
                             "np.where(np.argsort(np.argsort(-scores, kind='stable')) < top_k, "
                             "scores, -np.inf)"),
            "Where several tie for the last place, you kept some of them and not others. All of "
            "them stay.",
        ),
        Mistake(
            "not-shared-out",
            "if temperature <= 0 or (top_k is not None and top_k < 1):\n"
            "    raise ValueError('no')\n"
            "scores = np.asarray(logits, dtype='float64') / temperature\n"
            "powers = np.exp(scores - scores.max())\nchances = powers / powers.sum()\n"
            "if top_k is not None and top_k < len(scores):\n"
            "    chances = np.where(scores >= np.sort(scores)[-top_k], chances, 0.0)\n"
            "return chances",
            "You set probabilities to 0 after the softmax. What is left no longer sums to 1.",
        ),
        Mistake(
            "zeroed-scores", but(", scores, -np.inf)", ", scores, 0.0)"),
            "You set the other scores to 0. e⁰ is 1: they can still be drawn. It takes -∞.",
        ),
        Mistake(
            "overflows", but("np.exp(scores - scores.max())", "np.exp(scores)"),
            "e to the power of 1000 is too large for any float. Subtract the maximum first.",
        ),
        Mistake(
            "not-refused", but("if temperature <= 0 or (top_k is not None and top_k < 1):\n"
                               "    raise ValueError('no')\n", ""),
            "A temperature of 0, a negative one and a `top_k` of 0 make no sense. Say ValueError.",
        ),
    ),
)  # fmt: skip

DRAW = """
drawn = [int(token) for token in tokens]
for _ in range(count):
    seen = np.array([drawn[-model.length :]])
    chances = next_probabilities(model(seen).data[0, -1], temperature, top_k)
    drawn.append(int(np.random.choice(len(chances), p=chances)))
return np.array(drawn)
"""


def draw(old: str, new: str) -> str:
    """A working body of `generate` with one thing done otherwise."""
    assert old in DRAW, old
    return DRAW.replace(old, new)


GENERATE = Exercise(
    "chapter14.generate",
    section="14.13",
    targets=("gpt.generate",),
    points=3,
    minutes=12,
    difficulty=2,
    needs=("chapter14.next_probabilities",),
    hints=(
        "A loop: show the model what is there, look at its scores for the *last* place, draw, "
        "append.",
        "The model wants a batch: a batch of one sequence has the shape `(1, T)`. "
        "`np.random.choice(n, p=chances)` draws.",
        "Of a long sequence the model sees the last `model.length` tokens.",
    ),
    mistakes=(
        Mistake(
            "all-of-it", draw("[drawn[-model.length :]]", "[drawn]"),
            "You show the model everything. It can look at `model.length` tokens, no more.",
        ),
        Mistake(
            "the-first-ones", draw("drawn[-model.length :]", "drawn[: model.length]"),
            "Of a long sequence you show its *beginning*: the model never sees what it just wrote.",
        ),
        Mistake(
            "last-one-only", draw("drawn[-model.length :]", "drawn[-1:]"),
            "You show the model the last token only. It can look at `model.length` of them.",
        ),
        Mistake(
            "not-fed-back",
            draw("    seen = np.array([drawn[-model.length :]])",
                 "    seen = np.array([list(tokens)[-model.length :]])"),
            "The model sees only what you began with, and draws the same thing again and again. "
            "What it drew is part of what it sees next.",
        ),
        Mistake(
            "first-place", draw(".data[0, -1]", ".data[0, 0]"),
            "You took the scores of the first place. What comes after everything stands at the "
            "last.",
        ),
        Mistake(
            "always-the-likeliest",
            draw("int(np.random.choice(len(chances), p=chances))", "int(chances.argmax())"),
            "You always take the likeliest token. It is to be *drawn* by its probability.",
        ),
        Mistake(
            "new-ones-only", draw("return np.array(drawn)", "return np.array(drawn[-count:])"),
            "You returned what is new. `tokens` come first.",
        ),
        Mistake(
            "temperature-forgotten", draw(", temperature, top_k)", ", top_k=top_k)"),
            "The temperature is not handed on.",
        ),
        Mistake(
            "top-k-forgotten", draw(", temperature, top_k)", ", temperature)"),
            "`top_k` is not handed on.",
        ),
        Mistake(
            "writes-into-the-list", draw("drawn = [int(token) for token in tokens]",
                                         "drawn = tokens"),
            "You appended to the caller's own list. Make a new one.",
        ),
    ),
)  # fmt: skip
