"""Questions without code: predict first, then run; and an open one at the end."""

from grader.course import Question

ALIAS = Question(
    "chapter2.q.alias",
    asks="""What does this print?

```python
import numpy as np
from babygrad import Tensor

batch = np.array([1.0, 2.0])
x = Tensor(batch)
batch *= 10
print(float(x.data.sum()), float(batch.sum()))
```
""",
    choices=("3.0 3.0", "3.0 30.0", "30.0 30.0"),
    answer="3.0 30.0",
    why="`batch *= 10` writes into the caller's array. The tensor copied the values before, so it "
    "still holds 1 and 2.",
)

FLOAT32 = Question(
    "chapter2.q.float32",
    asks="""2²⁴ is 16777216. What does this print?

```python
from babygrad import Tensor

x = Tensor(2**24 + 1)
print(int(x.data))
```
""",
    choices=("16777216", "16777217", "16777218"),
    answer="16777216",
    why="A float32 has 24 binary digits. 2²⁴ + 1 would need 25, and is rounded to the even "
    "neighbour, 2²⁴. Whole numbers beyond 16.7 million are not safe in float32; with "
    '`dtype="int64"` or `"float64"` the 17 would have stayed.',
)

SEED = Question(
    "chapter2.q.seed",
    asks="""What does this print?

```python
import numpy as np
from babygrad import Tensor

np.random.seed(3)
a = Tensor.rand(2).numpy()
b = Tensor.rand(2).numpy()
np.random.seed(3)
c = Tensor.rand(4).numpy()
print(np.array_equal(c, np.concatenate([a, b])))
```
""",
    choices=("True", "False"),
    answer="True",
    why="The seed fixes one long stream of numbers. Two draws of two take the same four numbers "
    "from it as one draw of four.",
)

FRESH = Question(
    "chapter2.q.fresh",
    asks="""What does this print?

```python
from babygrad import Tensor

x = Tensor([1.0, 2.0], dtype="float64", requires_grad=False)
y = Tensor(x)
z = x.detach()
print(y.dtype, y.requires_grad, z.dtype, z.requires_grad)
```
""",
    choices=(
        "float64 False float64 False",
        "float32 True float64 False",
        "float32 True float32 False",
    ),
    answer="float32 True float64 False",
    why="`Tensor(x)` takes only the values of `x`; the rest are the defaults. `detach` keeps the "
    "dtype, and never requires a gradient.",
)

COPY_OR_SHARE = Question(
    "chapter2.q.copy_or_share",
    asks="Our `Tensor(array)`, `numpy()` and `detach()` copy. PyTorch's `from_numpy`, `numpy()` "
    "and `detach()` share memory instead. Give one reason for each choice, and describe a bug that "
    "sharing makes possible. For whom is which choice right?",
    rubric=(
        "Sharing costs no time and no memory, which counts for large arrays.",
        "Copying makes a write to one object unable to change another.",
        "A concrete bug: a buffer or a returned array is written to, and a tensor's values change "
        "without an error.",
        "A judgement: for example safety for learners and small data, speed for large models.",
    ),
    why="Neither is wrong. A library that shares has to say so loudly, and PyTorch does: its pages "
    "on `from_numpy` and `detach` warn in so many words.",
)

QUESTIONS = (ALIAS, FLOAT32, SEED, FRESH, COPY_OR_SHARE)
