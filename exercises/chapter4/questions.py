"""Questions without code: predict first, then run; and open ones at the end."""

from grader.course import Question

COUNT = Question(
    "chapter4.q.count",
    asks="""How many numbers does this network learn?

```python
from babygrad import nn

model = nn.Sequential(nn.Linear(784, 100), nn.ReLU(), nn.Linear(100, 10))
print(sum(parameter.size for parameter in model.parameters()))
```
""",
    choices=("79400", "79510", "79400100", "894"),
    answer="79510",
    why="784 · 100 weights and 100 biases, then 100 · 10 weights and 10 biases. The ReLU has none.",
)

SHARED = Question(
    "chapter4.q.shared",
    asks="""One layer is in this network twice. What does it print?

```python
from babygrad import nn

layer = nn.Linear(3, 3)
model = nn.Sequential(layer, nn.Tanh(), layer)
print(len(model.parameters()))
```
""",
    choices=("2", "4", "6"),
    answer="2",
    why="The layer runs twice, but it is one object with one weight and one bias. Their gradients "
    "are sums over both uses; an optimizer must take one step with each.",
)

CLUELESS = Question(
    "chapter4.q.clueless",
    asks="""A network gives all ten classes the same score. What is its loss?

```python
from babygrad import Tensor, nn

logits = Tensor.zeros(4, 10, dtype="float64")
print(round(float(nn.SoftmaxLoss()(logits, [0, 3, 3, 9]).data), 3))
```
""",
    choices=("0.0", "0.1", "1.0", "2.303"),
    answer="2.303",
    why="Each class has probability 1/10, and -log(1/10) = log 10 = 2.303. Training that starts "
    "far from log(number of classes) starts with a mistake.",
)

MEMORY = Question(
    "chapter4.q.memory",
    asks="""The batch has mean 5 in its only column. What is remembered after one step?

```python
from babygrad import Tensor, nn

norm = nn.BatchNorm1d(1, momentum=0.1)
norm(Tensor([[4.0], [6.0]]))
norm.eval()
norm(Tensor([[100.0], [100.0]]))
print(round(float(norm.running_mean.data[0]), 3))
```
""",
    choices=("0.5", "4.5", "5.0", "10.45"),
    answer="0.5",
    why="0.9 · 0 + 0.1 · 5 = 0.5. The second call is made in evaluation mode, which uses what is "
    "remembered and does not change it.",
)

TEN_TIMES = Question(
    "chapter4.q.ten_times",
    asks="""LayerNorm gets a row, and the same row times ten plus one. What does it print?

```python
import numpy as np
from babygrad import Tensor, nn

norm = nn.LayerNorm1d(4)
row = np.array([[1.0, -2.0, 0.5, 3.0]])
one, other = norm(Tensor(row)).data, norm(Tensor(10 * row + 1)).data
print(np.allclose(one, other, atol=1e-4))
```
""",
    choices=("True", "False"),
    answer="True",
    why="Subtracting the mean takes the 1 away again, and dividing by the standard deviation takes "
    "the 10 away. What is left of a row is its shape. Only eps makes a small difference.",
)

DROPPED = Question(
    "chapter4.q.dropped",
    asks="""A million ones go through Dropout. What is their mean afterwards, to one decimal?

```python
import numpy as np
from babygrad import Tensor, nn

np.random.seed(0)
out = nn.Dropout(0.75)(Tensor.ones(1000, 1000))
print(round(float(out.data.mean()), 1), float(out.data.max()))
```
""",
    choices=("0.2 1.0", "0.8 1.0", "1.0 4.0", "4.0 4.0"),
    answer="1.0 4.0",
    why="One in four values is kept and multiplied by 1 / (1 - 0.75) = 4. The mean stays 1, so "
    "that the next layer sees sums of the same size as in evaluation.",
)

SHIFT = Question(
    "chapter4.q.shift",
    asks="""A thousand is added to every logit of a row. What does it print?

```python
import numpy as np
from babygrad import Tensor, ops

a = Tensor([2.0, 1.0, 0.0], dtype="float64")
print(np.allclose(ops.log_softmax(a).data, ops.log_softmax(a + 1000).data))
```
""",
    choices=("True", "False"),
    answer="True",
    why="The factor e¹⁰⁰⁰ stands above and below the line of the softmax, and cancels. That is why "
    "the maximum may be subtracted, and why the gradients of a row of logits sum to 0.",
)

LOGITS = Question(
    "chapter4.q.logits",
    asks="`SoftmaxLoss` takes logits, not probabilities. Why not let the network end in a softmax "
    "and write a loss that takes the logarithm of its output? What happens if someone does both, a "
    "softmax at the end *and* this loss?",
    rubric=(
        "The loss needs the logarithm; a small probability has become 0, and its logarithm is -∞.",
        "Together the two simplify: a - log Σ eᵃ needs one exp per value and cannot overflow.",
        "The gradient becomes softmax minus one-hot, instead of a product of large and tiny "
        "factors.",
        "With both, the scores lie between 0 and 1, the second softmax is nearly flat, gradients "
        "are small, and learning is slow, without any error.",
    ),
    why="For three classes the best loss that a softmax of a softmax can reach is about 0.55, not "
    "0: log(e + 2) - 1.",
)

TWO_MODES = Question(
    "chapter4.q.two_modes",
    asks="A friend's network is 97 % right in training and 62 % right when it is used on one "
    "picture at a time. It holds Dropout and BatchNorm. Name two mistakes in the code that would "
    "do this, and say for each how you would find out.",
    rubric=(
        "`eval()` was forgotten: values are dropped, and BatchNorm uses the batch in evaluation.",
        "`eval()` did not reach inner modules, or the running statistics were never updated (or "
        "with the momentum reversed).",
        "A way to find out that tells these apart: print `training` of every module; compare the "
        "running statistics with the mean of the data; run one input twice and compare.",
        "Bonus: that it may be no mistake in the code at all but a network that learned by heart.",
    ),
    why="Run the same input twice: two different answers mean that something is still random. One "
    "picture in training mode makes BatchNorm raise, if it is written as in this chapter.",
)

BUILDING = Question(
    "chapter4.q.building",
    asks="What did you learn by building one of these layers that you would not have learned from "
    "reading about it? Choose one, and be concrete.",
    rubric=(
        "Names one layer or loss, and one fact about it.",
        "Says what went wrong, or what had to be decided, while writing it.",
        "Says why a text can leave that out and code cannot.",
    ),
    why="Typical answers: that there are two variances in one BatchNorm; that statistics made with "
    "NumPy give right values and wrong gradients; that a shared parameter must be counted once.",
)

QUESTIONS = (
    COUNT, SHARED, CLUELESS, MEMORY, TEN_TIMES, DROPPED, SHIFT, LOGITS, TWO_MODES, BUILDING,
)  # fmt: skip
