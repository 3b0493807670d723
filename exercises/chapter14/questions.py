"""Questions without code: predict first, then run; and open ones at the end."""

from grader.course import Question

TWICE = Question(
    "chapter14.q.twice",
    asks="""What does it print?

```python
from babygrad import Tensor, ops

table = Tensor([[1.0], [2.0], [3.0]])
(ops.take(table, [1, 1, 0]) * Tensor([[5.0], [7.0], [11.0]])).sum().backward()
print(table.grad.ravel())
```
""",
    choices=("[11. 12.  0.]", "[11.  7.  0.]", "[11.  6.  0.]", "[ 5.  7. 11.]"),
    answer="[11. 12.  0.]",
    why="Row 1 was taken twice, and 5 and 7 arrive at its copies: 12. Row 0 gets 11. Nobody asked "
    "for row 2.",
)

SHAPE = Question(
    "chapter14.q.shape",
    asks="""7 queries ask 5 keys. What are the shapes of the means and of the weights?

```python
from babygrad import Tensor, gpt

q, k, v = Tensor.randn(2, 7, 4), Tensor.randn(2, 5, 4), Tensor.randn(2, 5, 3)
print(*(each.shape for each in gpt.attention(q, k, v)))
```
""",
    choices=(
        "(2, 7, 3) (2, 7, 5)",
        "(2, 5, 3) (2, 5, 7)",
        "(2, 7, 4) (2, 7, 5)",
        "(2, 7, 3) (2, 5, 7)",
    ),
    answer="(2, 7, 3) (2, 7, 5)",
    why="A mean for each query, as long as a value is; a weight for each pair of query and key.",
)

EQUAL = Question(
    "chapter14.q.equal",
    asks="""All keys are the same. What comes out?

```python
from babygrad import Tensor, gpt

q, k = Tensor([[3.0, -1.0]]), Tensor([[2.0, 5.0]] * 4)
v = Tensor([[1.0], [2.0], [3.0], [6.0]])
print(gpt.attention(q, k, v)[0].data.round(4))
```
""",
    choices=("[[3.]]", "[[12.]]", "[[6.]]", "[[0.7071]]"),
    answer="[[3.]]",
    why="Equal scores, whatever they are, make equal weights: ¼ each. The plain mean of 1, 2, 3 "
    "and 6 is 3.",
)

FIRST = Question(
    "chapter14.q.first",
    asks="""Under a causal mask: what does the *first* token get?

```python
import numpy as np
from babygrad import Tensor, gpt

x = Tensor(np.array([[4.0], [1.0], [9.0]]))
means, _ = gpt.attention(x, x, x, gpt.causal_mask(3))
print(means.data[0])
```
""",
    choices=("[4.]", "[4.6667]", "[9.]", "[0.]"),
    answer="[4.]",
    why="It sees only itself, so its weight is 1, whatever the score. What it gets is its own "
    "value.",
)

ORDER = Question(
    "chapter14.q.order",
    asks="""There is no mask, and there are no positions. The order of the tokens is reversed.
Are the means reversed, too, and otherwise the same?

```python
import numpy as np
from babygrad import Tensor, gpt

x = np.random.randn(5, 4)
one, two = (gpt.attention(*[Tensor(a)] * 3)[0].data for a in (x, x[::-1]))
print(np.allclose(one[::-1], two, atol=1e-6))
```
""",
    choices=("True", "False"),
    answer="True",
    why="A weighted mean doesn't know any order. That is why the model adds an embedding of each "
    'place; without it, "dog bites man" and "man bites dog" are the same.',
)

LOSS = Question(
    "chapter14.q.loss",
    asks="""A model knows nothing: it gives the same score to each of 50 tokens. What is its loss?

```python
import numpy as np
from babygrad import Tensor, gpt

loss = gpt.cross_entropy(Tensor.zeros(4, 10, 50), np.random.randint(0, 50, (4, 10)))
print(round(float(loss.data), 3))
```
""",
    choices=("0.02", "3.912", "0.98", "50.0"),
    answer="3.912",
    why="-log(1 / 50) = log 50. If your model begins far above that, it is *surely wrong*, and has "
    "to unlearn it first. If it begins far below, it sees what it should not.",
)

COLD = Question(
    "chapter14.q.cold",
    asks="""The temperature goes from 1 to 0.5. The odds of token 0 against token 1 were 3 to 1.
What are they now?

```python
import numpy as np
from babygrad import gpt

p = gpt.next_probabilities(np.log([3.0, 1.0]), temperature=0.5)
print(round(p[0] / p[1], 3))
```
""",
    choices=("1.5", "3.0", "6.0", "9.0"),
    answer="9.0",
    why="Dividing the scores by ½ doubles them; odds are e to the power of a difference of "
    "scores, so they are squared.",
)

TIED = Question(
    "chapter14.q.tied",
    asks="""How many fewer numbers does it learn with tied weights?

```python
from babygrad import gpt

def size(**options):
    model = gpt.GPT(vocabulary=100, length=16, dim=32, heads=4, blocks=2, **options)
    return sum(parameter.size for parameter in model.parameters())

print(size() - size(tied=True))
```
""",
    choices=("3200", "3300", "512", "1600"),
    answer="3200",
    why="The head has a weight of 32 × 100 and no bias. In GPT-2 small, with 50,257 tokens of 768 "
    "numbers, that is 38.6 million of 163 million.",
)

ROOT = Question(
    "chapter14.q.root",
    asks="Leave out the division by √d, with d = 64, and train. What would you see in the "
    "weights of an untrained model, in their gradients, and in the loss? Why √d and not d?",
    rubric=(
        "The dot product of 64 independent products of size 1 spreads like √64 = 8.",
        "The softmax of such scores is nearly 1 for one key and nearly 0 for the others.",
        "There its gradient, p · (1 - p), is nearly 0: queries and keys learn slowly or not at "
        "all.",
        "Dividing by d would make all scores tiny, all weights equal: it is the spread that has to "
        "become 1, and that grows with the root.",
    ),
    why="Measure it: `np.std` of `q @ k.T` for random q and k, with d = 4, 64 and 1024.",
)

LEAK = Question(
    "chapter14.q.leak",
    asks="A friend's model reaches a loss of 0.05 on held-out text after two minutes, and writes "
    "nonsense. Name two mistakes that can do this, and a test for each that takes ten lines.",
    rubric=(
        "The future leaks: the mask is forgotten, reversed, or applied after the softmax. Test: "
        "change a later token and see whether earlier scores move.",
        "Targets not shifted: the model copies its input. Test: compare targets[:, :-1] with "
        "inputs[:, 1:].",
        "Says why the loss cannot tell: it measures exactly the task that was made too easy.",
        "Bonus: the held-out text is part of the training text.",
    ),
    why="A result that is too good is a finding, too.",
)

LONGER = Question(
    "chapter14.q.longer",
    asks="Double the length of the sequences, T. What happens to the time and the memory of a "
    "step, and in which part of the model? Where would you begin, if you had to read whole books?",
    rubric=(
        "Linear layers, norms and gelu: twice. Attention's scores and weights: four times, T² for "
        "each head.",
        "For short sequences the linear layers dominate, for long ones attention does.",
        "One way out, with its price: look back a limited distance; compute the weights in pieces "
        "and keep none (flash attention); checkpointing; shorter sequences by longer tokens.",
    ),
    why="At T = 48 and C = 48 the scores are a small part of a step. Measure it with "
    "benchmarks/gpt_step.py.",
)

BUILDING = Question(
    "chapter14.q.building",
    asks="You have now built everything from a derivative to a language model. Which single line "
    "of it would you show to somebody who believes that these models are magic, and what would you "
    "say?",
    rubric=(
        "Names one line or a few, from any chapter.",
        "Says what it does in plain words, and what would be missing without it.",
        "Says what is *not* in it: no rule of grammar, no list of words, nothing about the world.",
    ),
    why="Many choose `node.grad + total`.",
)

QUESTIONS = (
    TWICE, SHAPE, EQUAL, FIRST, ORDER, LOSS, COLD, TIED, ROOT, LEAK, LONGER, BUILDING,
)  # fmt: skip
