"""Questions without code: predict first, then run; and open ones at the end."""

from grader.course import Question

NUCLEUS = Question(
    "chapter16.q.nucleus",
    asks="""How many tokens stay?

```python
import numpy as np
from babygrad import inference

print((inference.nucleus(np.array([0.1, 0.5, 0.1, 0.3]), 0.75) > 0).sum())
```
""",
    choices=("2", "3", "1", "4"),
    answer="2",
    why="0.5 is not enough; 0.5 + 0.3 is past 0.75. The one that gets past it stays.",
)

COLD = Question(
    "chapter16.q.cold",
    asks="""What is the second number?

```python
import numpy as np
from babygrad import inference

scores = np.log(np.array([0.2, 0.7, 0.1]))
token, chance = inference.choose(scores, np.random.default_rng(0), temperature=0)
print(token, round(chance, 2))
```
""",
    choices=("1 0.7", "1 1.0", "0 0.2", "2 0.1"),
    answer="1 0.7",
    why="At 0 the likeliest token is certain to be chosen, but the model held it for 0.7 likely, "
    "and that is what `choose` tells.",
)

SHARED = Question(
    "chapter16.q.shared",
    asks="""The cache is changed after somebody has asked for the keys. What do they see?

```python
import numpy as np
from babygrad import inference

cache = inference.Cache(1, 1, 4, 1)
ones = np.ones((1, 1, 1, 1))
keys, _ = cache.extend(ones, ones)
cache.keys[:] = 5
print(keys.ravel())
```
""",
    choices=("[5.]", "[1.]", "[5. 5. 5. 5.]", "[1. 0. 0. 0.]"),
    answer="[5.]",
    why="What came back is a view of the first place: no copy was made, which is the point of it.",
)

SIGHT = Question(
    "chapter16.q.sight",
    asks="""Three tokens are in the cache, and two are new. How many places may the first of the new
ones look at?

```python
import numpy as np
from babygrad import inference

print(inference.visible(3, 2, np.array([0]))[0, 0, 0].sum())
```
""",
    choices=("4", "5", "1", "3"),
    answer="4",
    why="The three in the cache, and itself. The other new token comes later.",
)

BYTES = Question(
    "chapter16.q.bytes",
    asks="""A row of small numbers has one large one in it. What is left of the small ones?

```python
import numpy as np
from babygrad import inference

print(inference.quantise(np.array([[127.0, 0.4, -0.3]]))[0])
```
""",
    choices=("[[127   0   0]]", "[[127   1  -1]]", "[[127  40 -30]]", "[[  1   0   0]]"),
    answer="[[127   0   0]]",
    why="The scale is 1, set by the largest. What is smaller than half of it becomes 0: one "
    "outlier costs its whole row.",
)

KNOWS_NOTHING = Question(
    "chapter16.q.nothing",
    asks="""A model gives the same score to all of its 50 tokens. What is its perplexity?""",
    choices=("50", "log 50", "1", "1 / 50"),
    answer="50",
    why="It hesitates among 50 equally likely tokens: e to the power of log 50.",
)

GROWS = Question(
    "chapter16.q.grows",
    asks="""One token more is written, with a cache. Which part of the work is larger than for the
token before?""",
    choices=(
        "scores and means",
        "projections",
        "expand and shrink",
        "all of them",
    ),
    answer="scores and means",
    why="Only they look back: at one place more. Everything else sees the new token alone.",
)

FULL = Question(
    "chapter16.q.full",
    asks="Your model has written as many tokens as it can look at, and somebody wants ten more. "
    "Chapter 14's `generate` drops the oldest token and goes on. Why can't the cache simply drop "
    "its first place? What would have to be different about the model for that to be right?",
    rubric=(
        "Keys and values in the cache were made from each token's embedding with its position in "
        "it; after the shift every token has another position.",
        "From the second block on, keys and values also depend on the dropped token: the others "
        "have looked at it.",
        "A model whose scores depend on *differences* of positions (rotary, ALiBi) is free of the "
        "first reason, not of the second.",
        "The way out: start again with the last tokens, at the price of one prompt.",
    ),
    why="Large models live with the second reason: what a token learned from one that is gone was "
    "right when it learned it.",
)

SMALLER = Question(
    "chapter16.q.smaller",
    asks="You want your model at half its size, and a byte for each weight isn't enough. Compare "
    "*pruning* (leave out the heads or rows that matter least) with *distillation* (a smaller "
    "model learns the large one's probabilities). What would you measure, and why do the large "
    "model's probabilities teach more than the text alone?",
    rubric=(
        "Perplexity on text that neither has seen, beside the size of the file or the "
        "multiply-adds of a step.",
        "What matters least is what the loss misses least: leave it out and measure.",
        "The text names one right token at each place; probabilities say which others would have "
        "been nearly right.",
        "So each place teaches V numbers instead of one, and the small model needs less text.",
    ),
    why="Distillation is `cross_entropy` with soft targets: two lines of your own code change.",
)

QUESTIONS = (
    NUCLEUS, COLD, SHARED, SIGHT, BYTES, KNOWS_NOTHING, GROWS, FULL, SMALLER,
)  # fmt: skip
